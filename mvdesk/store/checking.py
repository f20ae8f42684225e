"""What is wrong with the rows of a vault, and with the file itself, found by asking SQLite."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.records import LEGACY_BRAIN_ID, MEMORY_TYPES, RELATIONS, RESOLUTION_STATUSES
from mvdesk.store.damage import find_damage
from mvdesk.store.reading import driver_of, fetch_leniently

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sqlalchemy import Connection

    from mvdesk.store.reading import Value
    from mvdesk.store.upgrade import Schema

DAMAGE: Final = "damage"
FOREIGN_KEY: Final = "foreign key"
RANGE: Final = "out of range"
MILLISECONDS: Final = "milliseconds"
TIME: Final = "odd time"
UNKNOWN: Final = "unknown word"
ORPHAN: Final = "orphan link"
SELF_LINK: Final = "self link"
NO_ID: Final = "no id"
LOOSE: Final = "names a memory that is gone"
UNREADABLE: Final = "unreadable JSON"

_MS_FROM: Final = 100_000_000_000
"""As seconds the year 5138, as milliseconds March 1973."""
_DAY_S: Final = 86_400

_SHARES: Final[Mapping[str, tuple[str, ...]]] = {
    "memories": ("confidence", "importance"),
    "brain_source_trust": ("trust",),
    "memory_entity_aliases": ("confidence",),
}
_TIMES: Final[Mapping[str, tuple[str, ...]]] = {
    "memories": (
        "created_at", "updated_at", "archived_at", "last_accessed_at", "last_decayed_at",
    ),
    "memory_links": ("created_at",),
    "brain_source_trust": ("created_at", "updated_at"),
    "memory_conflict_resolutions": ("created_at", "updated_at"),
    "memory_entity_aliases": ("created_at", "updated_at"),
    "brain_snapshots": ("created_at",),
}  # fmt: skip
_WORDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "memories": ("type", MEMORY_TYPES),
    "memory_links": ("relation_type", RELATIONS),
    "memory_conflict_resolutions": ("status", RESOLUTION_STATUSES),
}
_JSON: Final[Mapping[str, str]] = {
    "brain_snapshots": "payload_json",
    "brain_policies": "policy_json",
}
_ENDS: Final[Mapping[str, tuple[str, ...]]] = {
    "memory_entity_aliases": ("canonical_memory_id", "alias_memory_id"),
    "memory_conflict_resolutions": ("a_id", "b_id"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. `row_id` is "" where it is about the file or a whole table.

    `value` is what the cell holds.
    """

    kind: str
    table: str
    row_id: str
    column: str
    value: Value
    details: str = ""


def find_file_problems(conn: Connection) -> Iterator[Finding]:
    """Damage of the file, and references that lead nowhere, in all brains."""
    raw = driver_of(conn)
    if damage := find_damage(raw):
        yield Finding(DAMAGE, "", "", "", None, damage)
    for table, rowid, parent, _ in raw.execute("PRAGMA foreign_key_check").fetchall():
        # Links without an end are told with their ids.
        if not (table == "memory_links" and parent == "memories"):
            yield Finding(FOREIGN_KEY, table, "", "", rowid, f"row {rowid} refers to no {parent}")


def find_row_problems(
    conn: Connection, schema: Schema, brain_id: str, *, now: int
) -> Iterator[Finding]:
    """What the rows of a brain hold that they shouldn't. `now` is epoch seconds."""
    for table, names in _SHARES.items():
        for name in names:
            bad = f"typeof({name}) NOT IN ('real', 'integer') OR {name} NOT BETWEEN 0 AND 1"
            yield from _find(conn, schema, brain_id, RANGE, table, name, bad)
    bad = "typeof(access_count) <> 'integer' OR access_count < 0"
    yield from _find(conn, schema, brain_id, RANGE, "memories", "access_count", bad)
    for table, names in _TIMES.items():
        for name in names:
            yield from _find_times(conn, schema, brain_id, table, name, now)
    for table, (name, words) in _WORDS.items():
        listed = ", ".join(f"'{word}'" for word in words)
        bad = f"{name} IS NULL OR {name} NOT IN ({listed})"
        yield from _find(conn, schema, brain_id, UNKNOWN, table, name, bad)
    yield from _find_loose(conn, schema, brain_id)
    for table, name in _JSON.items():
        bad = f"NOT json_valid({name})"
        yield from _find(conn, schema, brain_id, UNREADABLE, table, name, bad, shown="NULL")
    for table in ("memories", "memory_links", "brain_source_trust"):
        if schema.has(table, "id"):
            where, values = _in_brain(schema, table, brain_id)
            sql = f"SELECT count(*) FROM {table} WHERE id IS NULL AND {where}"
            (count,) = fetch_leniently(conn, sql, values)[0]
            if count:
                yield Finding(NO_ID, table, "", "id", None, f"{count} rows without an id")


def _find_times(
    conn: Connection, schema: Schema, brain_id: str, table: str, name: str, now: int
) -> Iterator[Finding]:
    number = f"typeof({name}) IN ('integer', 'real')"
    ms = f"{number} AND {name} >= {_MS_FROM}"
    yield from _find(conn, schema, brain_id, MILLISECONDS, table, name, ms)
    other = (
        f"typeof({name}) NOT IN ('integer', 'null') AND NOT ({ms}) OR "
        f"{number} AND ({name} < 0 OR {name} BETWEEN {now + _DAY_S} AND {_MS_FROM - 1})"
    )
    if name in ("created_at", "updated_at"):
        other += f" OR {name} IS NULL"
    yield from _find(conn, schema, brain_id, TIME, table, name, other)


def _find_loose(conn: Connection, schema: Schema, brain_id: str) -> Iterator[Finding]:
    gone = "NOT EXISTS (SELECT 1 FROM memories WHERE memories.id = memory_links.{})"
    ends = ("from_id", "to_id")
    bad = " OR ".join(gone.format(end) for end in ends)
    if all(schema.has("memory_links", end) for end in ends):
        yield from _find(conn, schema, brain_id, ORPHAN, "memory_links", "from_id", bad)
        yield from _find(
            conn, schema, brain_id, SELF_LINK, "memory_links", "from_id", "from_id = to_id"
        )
    for table, names in _ENDS.items():
        for name in names:
            bad = f"NOT EXISTS (SELECT 1 FROM memories WHERE memories.id = {table}.{name})"
            yield from _find(conn, schema, brain_id, LOOSE, table, name, bad)


def _find(
    conn: Connection,
    schema: Schema,
    brain_id: str,
    kind: str,
    table: str,
    column: str,
    bad: str,
    *,
    shown: str = "",
) -> Iterator[Finding]:
    key = "brain_id" if table == "brain_policies" else "id"
    if not (schema.has(table, column) and schema.has(table, key)):
        return
    where, values = _in_brain(schema, table, brain_id)
    sql = (
        f"SELECT {key}, {shown or column} FROM {table} "
        f"WHERE {key} IS NOT NULL AND {where} AND ({bad}) ORDER BY rowid"
    )
    for row_id, value in fetch_leniently(conn, sql, values):
        yield Finding(kind, table, str(row_id), column, value)  # type: ignore[arg-type] # a cell


def _in_brain(schema: Schema, table: str, brain_id: str) -> tuple[str, tuple[str, ...]]:
    if not schema.has(table, "brain_id"):
        return ("1" if brain_id == LEGACY_BRAIN_ID else "0"), ()
    return f"coalesce(nullif({table}.brain_id, ''), '{LEGACY_BRAIN_ID}') = ?", (brain_id,)


def find_companion_damage(path: Path) -> str | None:
    """What SQLite finds wrong with a companion file; None when it is sound or not there."""
    if not path.exists():
        return None
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as conn:
            return find_damage(conn)
    except sqlite3.Error as error:
        return str(error)
