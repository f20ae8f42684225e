"""The list of tables of a damaged file: reading what is left of it, and making a new one."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.store.broken_table import connect_leniently, read_table
from mvdesk.store.lost_tables import LostTables
from mvdesk.store.raw_file import HEADER_BYTES, beside
from mvdesk.store.tables import KNOWN_TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_EMPTY_LEAF: Final = b"\x0d\0\0\0\0"


@dataclass(frozen=True, slots=True)
class TableList:
    """What can be read of the list."""

    tables: Mapping[str, tuple[int, str]]
    """Root page and definition, by name in small letters."""
    is_whole: bool
    has_header: bool
    """False: not even the header of the file is one."""


def read_list(copy: Path) -> TableList:
    """What is left of the list of tables of a file."""
    try:
        with contextlib.closing(connect_leniently(copy)) as conn:
            conn.execute("PRAGMA schema_version").fetchall()
            rows, is_broken = read_table(conn, "sqlite_master")
    except sqlite3.DatabaseError:
        return TableList({}, is_whole=False, has_header=False)
    tables = {
        str(row["name"]).lower(): (row["rootpage"], str(row["sql"]))
        for row in rows
        if row["type"] == "table" and isinstance(row["rootpage"], int)
    }
    return TableList(tables, is_whole=not is_broken, has_header=True)


def rebuild_list(copy: Path, listed: TableList, wanted: Sequence[str]) -> list[str]:
    """Write a new list into a private copy: the wanted tables that are known or found.

    Returns their names. Raises sqlite3.DatabaseError when there are none.
    """
    for suffix in ("-wal", "-journal", "-shm"):  # what they held is in the copy by now
        beside(copy, suffix).unlink(missing_ok=True)
    with copy.open("r+b") as file:
        header = bytearray(file.read(HEADER_BYTES) if listed.has_header else _new_header())
        page_size = int.from_bytes(header[16:18], "big")
        page_size = 1 << 16 if page_size == 1 else page_size
        lost = [table for table in wanted if table not in listed.tables]
        tables = {table: listed.tables[table] for table in wanted if table in listed.tables}
        for table, root in LostTables(file, page_size).roots(lost).items():
            tables[table] = (root, _definition(table))
        if not tables:
            raise sqlite3.DatabaseError("no table was found")
        _set_up(header, file.seek(0, 2) // page_size)
        usable = (page_size - header[20]) & 0xFFFF
        leaf = _EMPTY_LEAF + usable.to_bytes(2, "big")
        file.seek(0)
        file.write((bytes(header) + leaf).ljust(page_size, b"\0"))
    with contextlib.closing(connect_leniently(copy)) as conn:
        conn.executemany(
            "INSERT INTO sqlite_master VALUES ('table', ?, ?, ?, ?)",
            [(table, table, root, sql) for table, (root, sql) in tables.items()],
        )
    return list(tables)


def _new_header() -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as conn:
        conn.execute("PRAGMA user_version = 1")
        return conn.serialize()[:HEADER_BYTES]


def _set_up(header: bytearray, page_count: int) -> None:
    """Say of a file that it has no log, no free pages, and so many pages."""
    header[18:20] = b"\1\1"
    header[28:32] = page_count.to_bytes(4, "big")
    header[32:40] = bytes(8)
    header[52:56] = bytes(4)
    header[64:68] = bytes(4)
    header[92:96] = header[24:28]


def _definition(table: str) -> str:
    columns = ", ".join(f'"{column.name}" {column.type}' for column in KNOWN_TABLES[table].columns)
    return f'CREATE TABLE "{table}" ({columns})'
