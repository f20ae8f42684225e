"""Reading what a brain keeps beside memories and links: policy, decisions, aliases, history.

These tables are small, except the changelog, and may be missing from an older server's file.
As in `reading`, strange cells read as the nearest sensible value, never as an exception.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from mvdesk.records import (
    LEGACY_BRAIN_ID,
    ConflictResolution,
    EntityAlias,
    HistoryEntry,
    StoredPolicy,
)
from mvdesk.store.cells import text_of, whole_of
from mvdesk.store.reading import fetch_leniently

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

    from mvdesk.store.upgrade import Schema

_RESOLUTION: Final = (
    "id", "pair_key", "a_id", "b_id", "status", "canonical_id", "note", "created_at", "updated_at",
)  # fmt: skip
_ALIAS: Final = (
    "id", "canonical_memory_id", "alias_memory_id", "note", "confidence", "created_at",
    "updated_at",
)  # fmt: skip
_HISTORY: Final = (
    "id", "event_type", "entity_type", "entity_id", "summary", "payload", "created_at",
)  # fmt: skip

Cells = dict[str, object]


def read_policy(conn: Connection, schema: Schema, brain_id: str) -> StoredPolicy | None:
    """The stored policy of a brain, None where every rule is the default."""
    columns = ("policy_json", "created_at", "updated_at")
    for cells in _rows(conn, schema, "brain_policies", brain_id, columns):
        return StoredPolicy(
            brain_id,
            text_of(cells["policy_json"]) or "",
            whole_of(cells["created_at"]),
            whole_of(cells["updated_at"]),
        )
    return None


def read_resolutions(conn: Connection, schema: Schema, brain_id: str) -> list[ConflictResolution]:
    """Every decision about a pair of memories, the oldest change first."""
    rows = _rows(conn, schema, "memory_conflict_resolutions", brain_id, _RESOLUTION)
    found = [
        ConflictResolution(
            id=text_of(cells["id"]) or "",
            brain_id=brain_id,
            pair_key=text_of(cells["pair_key"]) or "",
            a_id=text_of(cells["a_id"]) or "",
            b_id=text_of(cells["b_id"]) or "",
            status=text_of(cells["status"]) or "needs_review",
            canonical_id=text_of(cells["canonical_id"]),
            note=text_of(cells["note"]),
            created_at=whole_of(cells["created_at"]),
            updated_at=whole_of(cells["updated_at"]),
        )
        for cells in rows
    ]
    return sorted(found, key=lambda one: (one.updated_at, one.id))


def read_aliases(conn: Connection, schema: Schema, brain_id: str) -> list[EntityAlias]:
    """Every memory that is another name for one, the oldest change first."""
    found = [
        EntityAlias(
            id=text_of(cells["id"]) or "",
            brain_id=brain_id,
            canonical_memory_id=text_of(cells["canonical_memory_id"]) or "",
            alias_memory_id=text_of(cells["alias_memory_id"]) or "",
            note=text_of(cells["note"]),
            confidence=_share(cells["confidence"]),
            created_at=whole_of(cells["created_at"]),
            updated_at=whole_of(cells["updated_at"]),
        )
        for cells in _rows(conn, schema, "memory_entity_aliases", brain_id, _ALIAS)
    ]
    return sorted(found, key=lambda one: (one.updated_at, one.id))


def read_history(
    conn: Connection,
    schema: Schema,
    brain_id: str,
    *,
    limit: int | None = None,
    entity_id: str | None = None,
    naming: str | None = None,
    since: int | None = None,
    until: int | None = None,
    event_types: Sequence[str] = (),
    offset: int = 0,
) -> list[HistoryEntry]:
    """Lines of the changelog, the newest first; `offset` leaves out so many of them.

    `entity_id` keeps those about one memory, link, source or pair; `naming` those about an id
    or with it among what else they tell, which takes a look at every line; `since` (epoch
    seconds) those from then on, `until` those before it; `event_types` those of some kinds.
    """
    table = "memory_changelog"
    conditions, values = _history_conditions(
        schema,
        entity_id=entity_id,
        naming=naming,
        since=since,
        until=until,
        event_types=event_types,
    )
    tail = "".join(f" AND {condition}" for condition in conditions)
    # Lines of the same second as they were written, the last one first.
    tail += " ORDER BY created_at DESC, rowid DESC"
    if limit is not None or offset:
        tail += f" LIMIT {-1 if limit is None else int(limit)} OFFSET {int(offset)}"
    return [
        HistoryEntry(
            id=text_of(cells["id"]) or "",
            event_type=text_of(cells["event_type"]) or "",
            entity_type=text_of(cells["entity_type"]) or "",
            entity_id=text_of(cells["entity_id"]) or "",
            summary=text_of(cells["summary"]) or "",
            payload=text_of(cells["payload"]),
            created_at=whole_of(cells["created_at"]),
        )
        for cells in _rows(conn, schema, table, brain_id, _HISTORY, tail, values)
    ]


def count_history(
    conn: Connection,
    schema: Schema,
    brain_id: str,
    *,
    naming: str | None = None,
    since: int | None = None,
    until: int | None = None,
    event_types: Sequence[str] = (),
) -> int:
    """How many lines `read_history` finds."""
    table = "memory_changelog"
    if not schema.has(table):
        return 0
    conditions, values = _history_conditions(
        schema, entity_id=None, naming=naming, since=since, until=until, event_types=event_types
    )
    where, brain = _brain_condition(schema, table, brain_id)
    tail = "".join(f" AND {condition}" for condition in conditions)
    sql = f"SELECT count(*) FROM {table} WHERE {where}{tail}"
    return int(conn.exec_driver_sql(sql, (*brain, *values)).scalar_one())


def _history_conditions(
    schema: Schema,
    *,
    entity_id: str | None,
    naming: str | None,
    since: int | None,
    until: int | None,
    event_types: Sequence[str],
) -> tuple[list[str], list[object]]:
    table = "memory_changelog"
    conditions: list[str] = []
    values: list[object] = []
    if entity_id is not None:
        conditions.append("entity_id = ?")
        values.append(entity_id)
    if naming is not None:
        told = "instr(payload, ?) > 0" if schema.has(table, "payload") else "? IS NULL"
        conditions.append(f"(entity_id = ? OR {told})")
        values += [naming, json.dumps(naming)]  # as a whole text of the JSON
    if since is not None:
        conditions.append("created_at >= ?")
        values.append(since)
    if until is not None:
        conditions.append("created_at < ?")
        values.append(until)
    if event_types:
        conditions.append(f"event_type IN ({', '.join('?' * len(event_types))})")
        values += event_types
    return conditions, values


def _rows(
    conn: Connection,
    schema: Schema,
    table: str,
    brain_id: str,
    columns: Sequence[str],
    tail: str = "",
    values: Sequence[object] = (),
) -> Iterator[Cells]:
    """The rows of a brain by column, None for a column the file lacks."""
    if not schema.has(table):
        return
    there = [name for name in columns if schema.has(table, name)]
    where, brain = _brain_condition(schema, table, brain_id)
    sql = f"SELECT {', '.join(there)} FROM {table} WHERE {where}{tail}"
    for row in fetch_leniently(conn, sql, [*brain, *values]):
        yield dict.fromkeys(columns) | dict(zip(there, row, strict=True))


def _brain_condition(schema: Schema, table: str, brain_id: str) -> tuple[str, tuple[str, ...]]:
    """What keeps the rows of a brain, and its values."""
    if not schema.has(table, "brain_id"):
        return ("1" if brain_id == LEGACY_BRAIN_ID else "0"), ()
    if brain_id == LEGACY_BRAIN_ID:
        return "(brain_id = ? OR brain_id = '' OR brain_id IS NULL)", (brain_id,)
    return "brain_id = ?", (brain_id,)


def _share(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.9
