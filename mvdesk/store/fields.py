"""SQL that reads a column whatever the file has: an older server's, another type, nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.arrays import NO_TIME
from mvdesk.records import DEFAULT_BASE_CONFIDENCE, DEFAULT_BASE_IMPORTANCE, LEGACY_BRAIN_ID

if TYPE_CHECKING:
    from mvdesk.store.upgrade import Schema


def memory_text_fields(schema: Schema) -> str:
    """What the texts of a memory are read from, in the order of `MemoryColumns`."""
    table = "memories"
    return ", ".join(
        (
            text_field(table, schema, "id"),
            text_field(table, schema, "type", "note"),
            nullable_text_field(table, schema, "title"),
            nullable_text_field(table, schema, "key"),
            text_field(table, schema, "content"),
            nullable_text_field(table, schema, "tags"),
            nullable_text_field(table, schema, "source"),
        )
    )


def memory_fields(schema: Schema, no_time: str = str(NO_TIME)) -> str:
    """What a memory is read from, in the order of `MemoryColumns`; created_at is the 14th.

    `no_time` is SQL for what a missing time reads as.
    """
    table = "memories"
    return ", ".join(
        (
            memory_text_fields(schema),
            real_field(table, schema, "confidence", DEFAULT_BASE_CONFIDENCE),
            real_field(table, schema, "importance", DEFAULT_BASE_IMPORTANCE),
            integer_field(table, schema, "archived_at", no_time),
            integer_field(table, schema, "access_count", "0"),
            integer_field(table, schema, "last_accessed_at", no_time),
            integer_field(table, schema, "last_decayed_at", no_time),
            integer_field(table, schema, "created_at", "0"),
            integer_field(table, schema, "updated_at", "0"),
        )
    )


def link_fields(schema: Schema) -> str:
    """What a link is read from, in the order of `LinkColumns`; created_at is the 6th."""
    table = "memory_links"
    return ", ".join(
        (
            text_field(table, schema, "id"),
            text_field(table, schema, "from_id"),
            text_field(table, schema, "to_id"),
            text_field(table, schema, "relation_type", "related"),
            nullable_text_field(table, schema, "label"),
            integer_field(table, schema, "created_at", "0"),
        )
    )


def nullable_text_field(table: str, schema: Schema, column: str) -> str:
    return f'CAST("{column}" AS TEXT)' if schema.has(table, column) else "NULL"


def text_field(table: str, schema: Schema, column: str, default: str = "") -> str:
    if not schema.has(table, column):
        return f"'{default}'"
    return f"coalesce(CAST(\"{column}\" AS TEXT), '{default}')"


def real_field(table: str, schema: Schema, column: str, default: float) -> str:
    if not schema.has(table, column):
        return str(default)
    return f"CASE WHEN typeof({column}) IN ('real', 'integer') THEN {column} ELSE {default} END"


def integer_field(table: str, schema: Schema, column: str, default: str) -> str:
    if not schema.has(table, column):
        return default
    return (
        f"CASE typeof({column}) WHEN 'integer' THEN {column} "
        f"WHEN 'real' THEN CAST({column} AS INTEGER) ELSE {default} END"
    )


def brain_field(table: str, schema: Schema) -> str:
    """The brain of a row: nothing and "" are the server's default brain."""
    if not schema.has(table, "brain_id"):
        return f"'{LEGACY_BRAIN_ID}'"
    return f"coalesce(nullif(CAST(brain_id AS TEXT), ''), '{LEGACY_BRAIN_ID}')"


def in_brain(
    table: str, schema: Schema, brain_id: str, *, by_id: bool = False
) -> tuple[str, tuple[str, ...]]:
    """A condition (with its values) for the rows of a brain that can be told apart by id.

    SQLite lets a TEXT primary key be NULL; such a row could be neither shown twice nor saved.
    `by_id` is for conditions that name ids as well.
    """
    # The + keeps SQLite from walking the index of the whole brain instead of that of the ids.
    brain = "+brain_id" if by_id else "brain_id"
    named = "id IS NOT NULL AND " if schema.has(table, "id") else ""
    if not schema.has(table, "brain_id"):
        return named + ("1" if brain_id == LEGACY_BRAIN_ID else "0"), ()
    if brain_id == LEGACY_BRAIN_ID:
        return named + f"({brain} = ? OR {brain} = '' OR {brain} IS NULL)", (brain_id,)
    return named + f"{brain} = ?", (brain_id,)
