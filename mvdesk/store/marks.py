"""What tells, without reading them, which rows of a brain another program has changed.

Rows are looked at in blocks of neighbours. SQLite itself condenses each block to a few values,
from which a mark is made: of a hundred thousand memories and three times as many links that
takes a third of a second, nearly all of it outside of Python. Only the rows of blocks whose
mark moved are then read.

A memory's mark holds what vault.md names: the id, the times, counts and base values, the length
of the content; and the short texts besides. A link's holds everything.
"""

from __future__ import annotations

import json
import marshal
import sqlite3
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from mvdesk.store.fields import in_brain, link_fields, memory_fields
from mvdesk.store.reading import (
    CHUNK_ROWS,
    driver_of,
    fetch_leniently,
    link_of,
    memory_of,
    stream_rows,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from sqlalchemy import Connection

    from mvdesk.records import Link, Memory
    from mvdesk.store.reading import Row
    from mvdesk.store.upgrade import Schema

_BLOCK_BITS: Final = 9
_MEMORIES: Final = "memories"
_LINKS: Final = "memory_links"
CHANGELOG: Final = "memory_changelog"

# Each number with a factor of its own, so that values which change places don't cancel out.
_TIMES: Final = {
    "created_at": 1,
    "updated_at": 3,
    "archived_at": 7,
    "access_count": 1009,
    "last_accessed_at": 11,
    "last_decayed_at": 13,
}
_SHARES: Final = {"confidence": 1, "importance": 3}
_SHARE_UNITS: Final = 2**50
_LENGTH_FACTOR: Final = 50_021
_PRIME: Final = 4_294_967_291
# A factor for each row, for the same reason. The products fit 512 times into 64 bits.
_ROW_FACTOR: Final = "((rowid * 40503) % 65521 + 1)"

_SMALL_TABLES: Final = {
    "brain_source_trust": "*",
    "brain_policies": "*",
    "memory_conflict_resolutions": "*",
    "memory_entity_aliases": "*",
    "brain_snapshots": "id, label, created_at",
    CHANGELOG: "max(rowid)",
}


class Mark(NamedTuple):
    """How many rows a block has, and what tells their state from another."""

    rows: int
    digest: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The marks of a brain at one moment: of blocks by number, of small tables by name.

    The sets name rows that were read anew since then, for which the marks are of no use.
    """

    memories: Mapping[int, Mark]
    links: Mapping[int, Mark]
    tables: Mapping[str, bytes]
    stale_memories: frozenset[str] = field(default_factory=frozenset)
    stale_links: frozenset[str] = field(default_factory=frozenset)

    def with_stale(self, memory_ids: Collection[str], link_ids: Collection[str]) -> Marks:
        """The marks, of no use for these rows from now on."""
        return replace(
            self,
            stale_memories=self.stale_memories.union(memory_ids),
            stale_links=self.stale_links.union(link_ids),
        )

    @staticmethod
    def to_blob(marks: Marks | None) -> bytes:
        """The marks for storing, or that there are none; `from_blob` reads it."""
        if marks is None:
            return json.dumps(None).encode()
        return json.dumps(
            {
                "memories": _listed(marks.memories),
                "links": _listed(marks.links),
                "tables": {name: digest.hex() for name, digest in marks.tables.items()},
                "stale_memories": sorted(marks.stale_memories),
                "stale_links": sorted(marks.stale_links),
            }
        ).encode()

    @classmethod
    def from_blob(cls, blob: bytes) -> Marks | None:
        """The marks that `to_blob` wrote. Raises ValueError for anything else."""
        try:
            data = json.loads(blob)
            if data is None:
                return None
            return cls(
                _unlisted(data["memories"]),
                _unlisted(data["links"]),
                {name: bytes.fromhex(digest) for name, digest in data["tables"].items()},
                frozenset(data["stale_memories"]),
                frozenset(data["stale_links"]),
            )
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not marks: {error}") from error


def read_marks(conn: Connection, schema: Schema, brain_id: str) -> Marks | None:
    """The marks of a brain as it is now; `None` for a file whose rows have no numbers."""
    try:
        memories = _read_blocks(conn, schema, brain_id, _MEMORIES, _memory_values(schema))
        links: dict[int, Mark] = {}
        if schema.has(_LINKS):
            links = _read_blocks(conn, schema, brain_id, _LINKS, _link_values(schema))
    except sqlite3.OperationalError as error:
        if "no such column" not in str(error):
            raise
        return None  # a table WITHOUT ROWID
    return Marks(memories, links, read_table_marks(conn, schema, brain_id, _SMALL_TABLES))


def read_table_marks(
    conn: Connection, schema: Schema, brain_id: str, tables: Iterable[str]
) -> dict[str, bytes]:
    """The marks of those of the small tables that are named."""
    marks: dict[str, bytes] = {}
    for table in tables:
        if table in _SMALL_TABLES and schema.has(table):
            where, values = in_brain(table, schema, brain_id)
            sql = f"SELECT {_SMALL_TABLES[table]} FROM {table} WHERE {where} ORDER BY 1"
            marks[table] = _digest(fetch_leniently(conn, sql, values))
    return marks


def read_memories_of_blocks(
    conn: Connection, schema: Schema, brain_id: str, blocks: Iterable[int]
) -> Iterator[Memory]:
    """The memories of a brain in some blocks."""
    for row in _read_rows(conn, schema, brain_id, _MEMORIES, memory_fields(schema), blocks):
        yield memory_of(brain_id, row)


def read_links_of_blocks(
    conn: Connection, schema: Schema, brain_id: str, blocks: Iterable[int]
) -> Iterator[Link]:
    """The links of a brain in some blocks."""
    for row in _read_rows(conn, schema, brain_id, _LINKS, link_fields(schema), blocks):
        yield link_of(brain_id, row)


def read_ids(conn: Connection, schema: Schema, brain_id: str, table: str) -> list[str]:
    """The ids of all memories or links of a brain, in no order to rely on."""
    # By rows in their order: an index of brains would lead to them one by one.
    where, values = in_brain(table, schema, brain_id, by_id=True)
    sql = f"SELECT id FROM {table} WHERE {where}"
    return [str(row[0]) for row in fetch_leniently(conn, sql, values)]


def find_moved(old: Mapping[int, Mark], new: Mapping[int, Mark]) -> list[int]:
    """The blocks of `new` that are not as in `old`."""
    return [block for block, mark in new.items() if old.get(block) != mark]


def count_rows(marks: Mapping[int, Mark]) -> int:
    """How many rows the blocks have together."""
    return sum(mark.rows for mark in marks.values())


def _memory_values(schema: Schema) -> list[str]:
    def there(column: str) -> bool:
        return schema.has(_MEMORIES, column)

    terms = [f"coalesce({name}, -1) * {by}" for name, by in _TIMES.items() if there(name)]
    terms += [
        f"CAST(coalesce({name}, -1) * {_SHARE_UNITS} AS INTEGER) * {by}"
        for name, by in _SHARES.items()
        if there(name)
    ]
    terms.append(f"length(CAST(content AS BLOB)) * {_LENGTH_FACTOR}")
    texts = [name for name in ("id", "type", "title", "key", "tags", "source") if there(name)]
    return [_sum(terms), *map(_joined, texts)]


def _link_values(schema: Schema) -> list[str]:
    names = ("id", "from_id", "to_id", "relation_type", "label")
    texts = [name for name in names if schema.has(_LINKS, name)]
    times = [_sum(["coalesce(created_at, -1)"])] if schema.has(_LINKS, "created_at") else []
    return [*times, *map(_joined, texts)]


def _sum(terms: Iterable[str]) -> str:
    return f"sum(CAST({' + '.join(terms)} AS INTEGER) % {_PRIME} * {_ROW_FACTOR})"


def _joined(column: str) -> str:
    # As bytes: a text that isn't UTF-8 needn't be understood to be compared.
    return f'CAST(group_concat(coalesce("{column}", char(30)), char(31)) AS BLOB)'


def _read_blocks(
    conn: Connection, schema: Schema, brain_id: str, table: str, values: Iterable[str]
) -> dict[int, Mark]:
    raw = driver_of(conn)
    where, brain = in_brain(table, schema, brain_id, by_id=True)
    sql = (
        f"SELECT count(*), {', '.join(values)} FROM {table} WHERE rowid BETWEEN ? AND ? AND {where}"
    )
    marks: dict[int, Mark] = {}
    at = raw.execute(f"SELECT min(rowid) FROM {table}").fetchone()[0]
    while at is not None:
        first, last = _ends(at >> _BLOCK_BITS)
        row = raw.execute(sql, (first, last, *brain)).fetchone()
        if row[0]:
            marks[at >> _BLOCK_BITS] = Mark(row[0], _digest(row))
        at = raw.execute(f"SELECT min(rowid) FROM {table} WHERE rowid > ?", (last,)).fetchone()[0]
    return marks


def _read_rows(
    conn: Connection,
    schema: Schema,
    brain_id: str,
    table: str,
    fields: str,
    blocks: Iterable[int],
) -> Iterator[Row]:
    where, brain = in_brain(table, schema, brain_id, by_id=True)
    sql = f"SELECT {fields} FROM {table} WHERE rowid BETWEEN ? AND ? AND {where}"
    for block in blocks:
        for rows in stream_rows(conn, sql, (*_ends(block), *brain), CHUNK_ROWS):
            yield from rows


def _ends(block: int) -> tuple[int, int]:
    return block << _BLOCK_BITS, ((block + 1) << _BLOCK_BITS) - 1


def _digest(values: Row | list[Row]) -> bytes:
    # Version 2 knows no references, so equal values are equal bytes.
    return blake2b(marshal.dumps(cast("Any", values), 2), digest_size=16).digest()


def _listed(marks: Mapping[int, Mark]) -> list[tuple[int, int, str]]:
    return [(block, mark.rows, mark.digest.hex()) for block, mark in marks.items()]


def _unlisted(rows: Iterable[tuple[int, int, str]]) -> dict[int, Mark]:
    return {block: Mark(count, bytes.fromhex(digest)) for block, count, digest in rows}
