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
    header = _header(copy, listed)
    tables = {table: listed.tables[table] for table in wanted if table in listed.tables}
    lost = [table for table in wanted if table not in listed.tables]
    for table, roots in _roots(copy, header, lost).items():
        tables[table] = (roots[0], _definition(table, table))
    if not tables:
        raise sqlite3.DatabaseError("no table was found")
    _write_list(copy, header, tables)
    return list(tables)


def list_parts(copy: Path, listed: TableList, broken: Sequence[str]) -> dict[str, list[str]]:
    """Make tables of what a damaged page has cut off from the broken ones, in a private copy.

    The list has to be whole: other tables of the same shape are known by it. Returns the
    names of the parts by table.
    """
    header = _header(copy, listed)
    known = {root for root, _ in listed.tables.values()}
    parts = {
        table: {f"{table} {root}": root for root in roots if root not in known}
        for table, roots in _roots(copy, header, broken).items()
    }
    tables = {
        name: (root, _definition(name, table))
        for table, named in parts.items()
        for name, root in named.items()
    }
    _write_list(copy, header, tables)
    return {table: list(named) for table, named in parts.items()}


def _header(copy: Path, listed: TableList) -> bytes:
    if not listed.has_header:
        with contextlib.closing(sqlite3.connect(":memory:")) as conn:
            conn.execute("PRAGMA user_version = 1")
            return conn.serialize()[:HEADER_BYTES]
    with copy.open("rb") as file:
        return file.read(HEADER_BYTES)


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18], "big")
    return 1 << 16 if size == 1 else size


def _roots(copy: Path, header: bytes, tables: Sequence[str]) -> dict[str, list[int]]:
    with copy.open("rb") as file:
        return LostTables(file, _page_size(header)).roots(tables)


def _write_list(copy: Path, header: bytes, tables: Mapping[str, tuple[int, str]]) -> None:
    for suffix in ("-wal", "-journal", "-shm"):  # what they held is in the copy by now
        beside(copy, suffix).unlink(missing_ok=True)
    size = _page_size(header)
    with copy.open("r+b") as file:
        page = bytearray(header)
        _set_up(page, file.seek(0, 2) // size)
        page += _EMPTY_LEAF + ((size - header[20]) & 0xFFFF).to_bytes(2, "big")
        file.seek(0)
        file.write(page.ljust(size, b"\0"))
    with contextlib.closing(connect_leniently(copy)) as conn:
        conn.executemany(
            "INSERT INTO sqlite_master VALUES ('table', ?, ?, ?, ?)",
            [(name, name, root, sql) for name, (root, sql) in tables.items()],
        )


def _set_up(header: bytearray, page_count: int) -> None:
    """Say of a file that it has no log, no free pages, and so many pages."""
    header[18:20] = b"\1\1"
    header[28:32] = page_count.to_bytes(4, "big")
    header[32:40] = bytes(8)
    header[52:56] = bytes(4)
    header[64:68] = bytes(4)
    header[92:96] = header[24:28]


def _definition(name: str, table: str) -> str:
    columns = ", ".join(f'"{column.name}" {column.type}' for column in KNOWN_TABLES[table].columns)
    return f'CREATE TABLE "{name}" ({columns})'
