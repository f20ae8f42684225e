"""MemoryVault's export: one JSON document with everything a brain holds."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SCHEMA: Final = "memoryvault_export_v1"

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "memories": (
        "id", "type", "title", "key", "content", "tags", "source", "confidence", "importance",
        "archived_at", "created_at", "updated_at",
        # A server's export leaves these out, and passes over them.
        "access_count", "last_accessed_at", "last_decayed_at",
    ),
    "memory_links": ("id", "from_id", "to_id", "relation_type", "label", "created_at"),
    "memory_changelog": (
        "id", "event_type", "entity_type", "entity_id", "summary", "payload", "created_at",
    ),
    "brain_source_trust": ("source_key", "trust", "notes", "created_at", "updated_at"),
    "memory_conflict_resolutions": (
        "pair_key", "a_id", "b_id", "status", "canonical_id", "note", "created_at", "updated_at",
    ),
    "memory_entity_aliases": (
        "canonical_memory_id", "alias_memory_id", "note", "confidence", "created_at",
        "updated_at",
    ),
}  # fmt: skip
"""The tables of an export with their columns, in a server's order."""


def format_export(
    tables: Mapping[str, Sequence[Mapping[str, object]]],
    policy: Mapping[str, object] | None,
    *,
    exported_at: int,
) -> str:
    """The document for rows by table; columns that a row lacks are left out of it.

    What JSON can't hold becomes what it can: bytes are read as text, numbers without end
    are null. `exported_at` is epoch seconds.
    """
    data: dict[str, object] = {}
    stats: dict[str, int] = {}
    for table, columns in COLUMNS.items():
        rows = [
            {name: _plain(row[name]) for name in columns if name in row}
            for row in tables.get(table, ())
        ]
        data[table] = rows
        stats[table] = len(rows)
        if table == "brain_source_trust":
            data["brain_policy"] = policy
    data["memory_watches"] = []  # a server's own affair
    stats["memory_watches"] = 0
    document = {"schema": SCHEMA, "exported_at": exported_at, "data": data, "stats": stats}
    # Escaped: half of a character, which UTF-8 has no bytes for, survives.
    return json.dumps(document, separators=(",", ":"), allow_nan=False)


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return None if isinstance(value, float) and not math.isfinite(value) else value
