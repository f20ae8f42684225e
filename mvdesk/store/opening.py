"""Opening a file as a vault, and making the tables of a new one."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from typing import TYPE_CHECKING, Final

from mvdesk.errors import NotAVault
from mvdesk.store.access import Access, copied, decide_access, open_raw, without_index
from mvdesk.store.connections import Connections, connect_writer
from mvdesk.store.damage import damaged
from mvdesk.store.failures import SQLITE_ERRORS, code_of, sqlite_errors_explained
from mvdesk.store.tables import KNOWN_TABLES, Base
from mvdesk.store.upgrade import Schema, creating, inspect_schema
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from mvdesk.store.raw_file import RawFile


def open_connections(path: Path, busy_ms: int) -> tuple[Connections, Schema]:
    """Connections to the file as it is now, and what tables it has."""
    raw = open_raw(path)
    try:
        access = decide_access(raw)
    except BaseException:
        raw.release()
        raise
    with sqlite_errors_explained(path, writing=False):
        try:
            return _inspected(access, busy_ms)
        except SQLITE_ERRORS as error:
            code = code_of(error)
            if code & 0xFF in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA):
                # Nothing was asked yet that could be wrong but the file.
                raise damaged(path, str(error)) from error
            if code not in _OTHER_WAYS:
                raise
        return _inspected(_other_access(path, _OTHER_WAYS[code]), busy_ms)


_OTHER_WAYS: Final[Mapping[int, Callable[[RawFile], Access]]] = {
    sqlite3.SQLITE_READONLY_ROLLBACK: copied,
    # SQLite makes an index beside a file in WAL mode, even for reading.
    sqlite3.SQLITE_FULL: without_index,
    sqlite3.SQLITE_IOERR_SHMOPEN: without_index,
    sqlite3.SQLITE_IOERR_SHMSIZE: without_index,
    sqlite3.SQLITE_IOERR_SHMMAP: without_index,
}
"""What to try when opening fails with a code of SQLite's."""


def _other_access(path: Path, decide: Callable[[RawFile], Access]) -> Access:
    raw = open_raw(path)
    try:
        return decide(raw)
    except BaseException:
        raw.release()
        raise


def _inspected(access: Access, busy_ms: int) -> tuple[Connections, Schema]:
    connections = Connections(access, busy_ms)
    try:
        with connections.reading() as conn:
            schema = checked(inspect_schema(conn))
            for table in schema.columns:  # damage at a table's root shows here already
                conn.exec_driver_sql(f'SELECT 1 FROM "{table}" LIMIT 1').fetchall()
    except BaseException:
        connections.retire()
        raise
    return connections, schema


_TELLING: Final = frozenset(KNOWN_TABLES["memories"].columns.keys()) - {"id"}
"""A memories table without any of these is another program's."""


def checked(schema: Schema) -> Schema:
    """The schema, if it is a vault's. Raises NotAVault."""
    if not schema.has("memories"):
        lack = tr("This file has no memories table")
    elif not schema.has("memories", "id"):
        lack = tr("The memories table of this file has no column id")
    elif schema.columns["memories"] & _TELLING:
        return schema
    else:
        lack = tr("The memories table of this file has none of MemoryVault's columns but id")
    raise NotAVault(
        tr("{lack}; nothing was changed.", lack=lack),
        "",
        tr("Choose the SQLite file of a MemoryVault server, or make a new vault."),
    )


def fill_new_file(path: Path, brain_name: str, now: int, brain_id: str, busy_ms: int) -> None:
    """Make MemoryVault's tables and one brain in an empty file. Raises sqlite3.Error."""
    with contextlib.closing(connect_writer(f"{path.as_uri()}?mode=rw", busy_ms)) as raw:
        # Readers and the writer don't wait for each other, and a crash costs nothing. Only for
        # files made here: a server's file keeps the mode that its server chose.
        raw.execute("PRAGMA journal_mode = WAL").fetchall()
        raw.execute("BEGIN IMMEDIATE")
        for table in Base.metadata.sorted_tables:
            for statement in creating(table.name):
                raw.execute(statement)
        slug = "-".join(re.findall(r"[a-z0-9]+", brain_name.lower())) or "brain"
        raw.execute(
            "INSERT INTO brains (id, name, slug, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
            (brain_id, brain_name, slug, now, now),
        )
        raw.execute("COMMIT")
