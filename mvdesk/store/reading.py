"""Reading memories, links and trust in bulk, with whatever columns the file has.

Foreign files hold surprises: a column that an older server didn't have, text in a number's
place, bytes that aren't UTF-8. All of them read as the nearest sensible value, never as an
exception; damage that SQLite itself reports is raised as such by the connection.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from mvdesk.arrays import NO_TIME, FloatArray, Int64Array
from mvdesk.records import LEGACY_BRAIN_ID, Brain, Link, Memory, SourceTrust
from mvdesk.store.fields import (
    brain_field,
    in_brain,
    integer_field,
    link_fields,
    memory_fields,
    memory_text_fields,
    nullable_text_field,
    real_field,
    text_field,
)
from mvdesk.store.tables import LEGACY_BRAIN_NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sqlalchemy import Connection

    from mvdesk.store.upgrade import Schema

Row = tuple[object, ...]
Value = str | int | float | bytes | None

CHUNK_ROWS: Final = 4096
"""Rows held at a time while streaming: small against the budget, large against the overhead."""

_IDS_PER_QUERY: Final = 500  # well below the smallest limit on bound values (999)

# Faster than a Python function by half, and as safe: invalid bytes become U+FFFD.
_decode_leniently = partial(str, encoding="utf-8", errors="replace")


@dataclass(frozen=True, slots=True, eq=False)
class MemoryColumns:
    """Some consecutive memories, column by column. Times are epoch seconds, `NO_TIME` for NULL.

    `confidence` and `importance` are the base values as stored; `types` as spelled in the file.
    """

    ids: tuple[str, ...]
    types: tuple[str, ...]
    titles: tuple[str | None, ...]
    keys: tuple[str | None, ...]
    contents: tuple[str, ...]
    tags: tuple[str | None, ...]
    sources: tuple[str | None, ...]
    confidence: FloatArray
    importance: FloatArray
    archived_at: Int64Array
    access_count: Int64Array
    last_accessed_at: Int64Array
    last_decayed_at: Int64Array
    created_at: Int64Array
    updated_at: Int64Array

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class LinkColumns:
    """Some consecutive links, column by column; `relations` as spelled in the file."""

    ids: tuple[str, ...]
    from_ids: tuple[str, ...]
    to_ids: tuple[str, ...]
    relations: tuple[str, ...]
    labels: tuple[str | None, ...]
    created_at: Int64Array

    def __len__(self) -> int:
        return len(self.ids)


def read_brains(conn: Connection, schema: Schema) -> list[Brain]:
    """The brains in the file, oldest first: those with a row and those that memories name.

    A file without any has the server's default brain, empty.
    """
    names: dict[str, str] = {}
    if schema.has("brains"):
        fields = text_field("brains", schema, "id"), text_field("brains", schema, "name")
        sql = (
            f"SELECT {', '.join(fields)} FROM brains WHERE id IS NOT NULL "
            f"ORDER BY {integer_field('brains', schema, 'created_at', '0')}, id"
        )
        for brain_id, name in _rows(conn, sql):
            names[str(brain_id)] = str(name)
    counts: dict[str, int] = {}
    # As spelled first: an index has those together, and few are left to be told apart.
    counted = "SELECT count(*) AS memories FROM memories"
    if schema.has("memories", "brain_id"):
        counted = (
            "SELECT brain_id, count(*) AS memories FROM memories GROUP BY brain_id COLLATE BINARY"
        )
    for brain_id, count in _rows(
        conn,
        f"SELECT {brain_field('memories', schema)}, sum(memories) FROM ({counted}) "
        "GROUP BY 1 HAVING sum(memories) ORDER BY 1",
    ):
        counts[str(brain_id)] = cast("int", count)
    for brain_id in counts if counts or names else (LEGACY_BRAIN_ID,):
        names.setdefault(brain_id, LEGACY_BRAIN_NAME if brain_id == LEGACY_BRAIN_ID else brain_id)
    return [Brain(key, name or key, counts.get(key, 0)) for key, name in names.items()]


def read_memory_columns(
    conn: Connection, schema: Schema, brain_id: str, *, chunk_rows: int = CHUNK_ROWS
) -> Iterator[MemoryColumns]:
    """All memories of a brain in the order (created_at, id), `chunk_rows` at a time.

    Contents are held only as long as the caller holds a chunk.
    """
    where, values = in_brain("memories", schema, brain_id)
    sql = f"SELECT {memory_fields(schema)} FROM memories WHERE {where} ORDER BY 14, 1"
    for rows in stream_rows(conn, sql, values, chunk_rows):
        columns: list[Any] = list(zip(*rows, strict=True))
        columns[7:9] = (np.array(column, dtype=np.float64) for column in columns[7:9])
        columns[9:] = (np.array(column, dtype=np.int64) for column in columns[9:])
        yield MemoryColumns(*columns)


def read_memories(
    conn: Connection, schema: Schema, brain_id: str, ids: Sequence[str] | None = None
) -> Iterator[Memory]:
    """The memories of a brain with these ids (`None`: all), as records.

    Ids that aren't there are left out. Ordered by (created_at, id) when all are asked for,
    else by that within each few hundred ids.
    """
    where, values = in_brain("memories", schema, brain_id, by_id=ids is not None)
    sql = f"SELECT {memory_fields(schema)} FROM memories WHERE {where}"
    for rows in _chunks_of(conn, sql, values, ids, "ORDER BY 14, 1"):
        for row in rows:
            yield memory_of(brain_id, row)


def read_memory_rows(conn: Connection, schema: Schema, brain_id: str) -> Iterator[Row]:
    """All memories of a brain as plain rows of `memory_fields`, None for a missing time."""
    where, values = in_brain("memories", schema, brain_id)
    fields = memory_fields(schema, no_time="NULL")
    return _rows(conn, f"SELECT {fields} FROM memories WHERE {where} ORDER BY 14, 1", values)


def read_link_rows(conn: Connection, schema: Schema, brain_id: str) -> Iterator[Row]:
    """All links of a brain as plain rows of `link_fields`."""
    if not schema.has("memory_links"):
        return iter(())
    where, values = in_brain("memory_links", schema, brain_id)
    sql = f"SELECT {link_fields(schema)} FROM memory_links WHERE {where} ORDER BY 6, 1"
    return _rows(conn, sql, values)


def find_by_scan(conn: Connection, ids: Collection[str]) -> set[str]:
    """Which of these memories are in the table, whatever its indexes say: reads all of it."""
    scanned = _rows(conn, "SELECT CAST(id AS TEXT) FROM memories NOT INDEXED")
    return {str(one) for (one,) in scanned}.intersection(ids)


def read_texts(
    conn: Connection, schema: Schema, brain_id: str, ids: Sequence[str]
) -> Iterator[tuple[str, str, str | None, str | None, str, str | None, str | None]]:
    """Id, type, title, key, content, tags and source of the memories with these ids."""
    where, values = in_brain("memories", schema, brain_id, by_id=True)
    sql = f"SELECT {memory_text_fields(schema)} FROM memories WHERE {where}"
    for rows in _chunks_of(conn, sql, values, ids, ""):
        yield from cast("list[Any]", rows)


def read_contents(
    conn: Connection, schema: Schema, brain_id: str, *, chunk_rows: int = CHUNK_ROWS
) -> Iterator[list[tuple[str, str | None, str]]]:
    """Id, title and content of all memories of a brain, in no order, some at a time."""
    where, values = in_brain("memories", schema, brain_id)
    fields = (
        text_field("memories", schema, "id"),
        nullable_text_field("memories", schema, "title"),
        text_field("memories", schema, "content"),
    )
    sql = f"SELECT {', '.join(fields)} FROM memories WHERE {where}"
    for rows in stream_rows(conn, sql, values, chunk_rows):
        yield cast("list[Any]", rows)


def read_links(
    conn: Connection, schema: Schema, brain_id: str, *, chunk_rows: int = CHUNK_ROWS
) -> Iterator[LinkColumns]:
    """All links of a brain in the order (created_at, id), `chunk_rows` at a time."""
    if not schema.has("memory_links"):
        return
    where, values = in_brain("memory_links", schema, brain_id)
    sql = f"SELECT {link_fields(schema)} FROM memory_links WHERE {where} ORDER BY 6, 1"
    for rows in stream_rows(conn, sql, values, chunk_rows):
        columns: list[Any] = list(zip(*rows, strict=True))
        columns[5] = np.array(columns[5], dtype=np.int64)
        yield LinkColumns(*columns)


def read_links_of(
    conn: Connection, schema: Schema, brain_id: str, memory_ids: Sequence[str]
) -> list[Link]:
    """Every link that touches one of the memories, once each, ordered by (created_at, id)."""
    if not schema.has("memory_links"):
        return []
    where, values = in_brain("memory_links", schema, brain_id)
    found: dict[str, Link] = {}
    for end in ("from_id", "to_id"):
        if not schema.has("memory_links", end):
            continue
        sql = f"SELECT {link_fields(schema)} FROM memory_links WHERE {where}"
        for rows in _chunks_of(conn, sql, values, memory_ids, "", column=end):
            for row in rows:
                link = link_of(brain_id, row)
                found[link.id] = link
    return sorted(found.values(), key=lambda link: (link.created_at, link.id))


def read_links_by_id(
    conn: Connection, schema: Schema, brain_id: str, ids: Sequence[str]
) -> Iterator[Link]:
    """The links of a brain with these ids; those that aren't there are left out."""
    if not schema.has("memory_links"):
        return
    where, values = in_brain("memory_links", schema, brain_id, by_id=True)
    sql = f"SELECT {link_fields(schema)} FROM memory_links WHERE {where}"
    for rows in _chunks_of(conn, sql, values, ids, ""):
        for row in rows:
            yield link_of(brain_id, row)


def read_trust(conn: Connection, schema: Schema, brain_id: str) -> list[SourceTrust]:
    """The stored trust of sources, ordered by source key."""
    table = "brain_source_trust"
    if not schema.has(table):
        return []
    where, values = in_brain(table, schema, brain_id)
    fields = (
        text_field(table, schema, "id"),
        text_field(table, schema, "source_key"),
        real_field(table, schema, "trust", 0.5),
        nullable_text_field(table, schema, "notes"),
        integer_field(table, schema, "created_at", "0"),
        integer_field(table, schema, "updated_at", "0"),
    )
    sql = f"SELECT {', '.join(fields)} FROM {table} WHERE {where} ORDER BY 2, 1"
    return [
        SourceTrust(cast("str", row[0]), brain_id, *row[1:])  # type: ignore[arg-type] # typed by the fields
        for row in _rows(conn, sql, values)
    ]


def has_recall_data(conn: Connection, schema: Schema, brain_id: str) -> bool:
    """Whether a tool client ever recalled a memory of the brain."""
    if not schema.has("memories", "access_count"):
        return False
    where, values = in_brain("memories", schema, brain_id)
    count = integer_field("memories", schema, "access_count", "0")
    sql = f"SELECT 1 FROM memories WHERE {where} AND {count} > 0 LIMIT 1"
    return next(_rows(conn, sql, values), None) is not None


def driver_of(conn: Connection) -> sqlite3.Connection:
    """The driver's own connection: SQLAlchemy's rows would double the time of a bulk read."""
    return cast("sqlite3.Connection", conn.connection.driver_connection)


def fetch_leniently(conn: Connection, sql: str, values: Sequence[object] = ()) -> list[Row]:
    """All rows of a small query; bytes in texts that aren't UTF-8 come as U+FFFD."""
    return list(_rows(conn, sql, values))


def link_of(brain_id: str, row: Row) -> Link:
    """The record of a row of `link_fields`."""
    return Link(cast("str", row[0]), brain_id, *row[1:])  # type: ignore[arg-type] # link_fields has the types


def memory_of(brain_id: str, row: Row) -> Memory:
    """The record of a row of `memory_fields`."""
    texts, reals = row[:7], row[7:9]
    archived, count, accessed, decayed, created, updated = (
        None if number == NO_TIME else number for number in cast("tuple[int, ...]", row[9:])
    )
    memory_id, kind, title, key, content, tags, source = cast("tuple[str, ...]", texts)
    confidence, importance = cast("tuple[float, float]", reals)
    return Memory(
        id=memory_id,
        brain_id=brain_id,
        type=kind,
        title=title,
        key=key,
        content=content,
        tags=tags,
        source=source,
        confidence=float(confidence),
        importance=float(importance),
        archived_at=archived,
        access_count=count or 0,
        last_accessed_at=accessed,
        last_decayed_at=decayed,
        created_at=created or 0,
        updated_at=updated or 0,
    )


def _rows(conn: Connection, sql: str, values: Sequence[object] = ()) -> Iterator[Row]:
    return chain.from_iterable(stream_rows(conn, sql, values, CHUNK_ROWS))


def _chunks_of(
    conn: Connection,
    sql: str,
    values: Sequence[object],
    ids: Sequence[str] | None,
    order: str,
    column: str = "id",
) -> Iterator[list[Row]]:
    """The rows of `sql` (all, or those whose `column` is one of `ids`) in lists."""
    if ids is None:
        yield from stream_rows(conn, f"{sql} {order}", values, CHUNK_ROWS)
        return
    for start in range(0, len(ids), _IDS_PER_QUERY):
        some = ids[start : start + _IDS_PER_QUERY]
        marks = ", ".join("?" * len(some))
        query = f"{sql} AND {column} IN ({marks}) {order}"
        yield from stream_rows(conn, query, (*values, *some), CHUNK_ROWS)


def stream_rows(
    conn: Connection, sql: str, values: Sequence[object], chunk_rows: int
) -> Iterator[list[Row]]:
    """The rows of a query, a list of at most `chunk_rows` at a time."""
    raw = driver_of(conn)
    done = 0
    try:
        for rows in iter(partial(raw.execute(sql, values).fetchmany, chunk_rows), []):
            yield rows
            done += len(rows)
        return
    except sqlite3.OperationalError as error:
        if "decode to UTF-8" not in str(error):
            raise
    # Python reads texts strictly unless told otherwise, and being told costs every text a
    # call: only a file that needs it pays. The transaction holds the rows still meanwhile.
    strict, raw.text_factory = raw.text_factory, _decode_leniently
    try:
        cursor = raw.execute(f"{sql} LIMIT -1 OFFSET {done}", values)
        yield from iter(partial(cursor.fetchmany, chunk_rows), [])
    finally:
        raw.text_factory = strict
