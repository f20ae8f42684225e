"""Memories, links and changes as JSON under the server's field names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mvdesk.scoring.inputs import LINK_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.cli.opened import Opened
    from mvdesk.records import Link, Memory
    from mvdesk.vault.plan import Plan


def memory_json(opened: Opened, memory: Memory) -> dict[str, Any]:
    """A memory with both scores and its link counts, in the order the server has them."""
    row = opened.row_of(memory.id)
    confidence = plain(float(opened.scores.confidence[row]))
    importance = plain(float(opened.scores.importance[row]))
    counts = opened.snapshot.link_counts[row].tolist()
    return {
        "id": memory.id,
        "brain_id": memory.brain_id,
        "type": memory.type,
        "title": memory.title,
        "key": memory.key,
        "content": memory.content,
        "tags": memory.tags,
        "source": memory.source,
        "confidence": confidence,
        "importance": importance,
        "archived_at": memory.archived_at,
        "access_count": memory.access_count,
        "last_accessed_at": memory.last_accessed_at,
        "last_decayed_at": memory.last_decayed_at,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        **dict(zip(LINK_COLUMNS, counts, strict=True)),
        "dynamic_confidence": confidence,
        "dynamic_importance": importance,
        "base_confidence": plain(memory.confidence),
        "base_importance": plain(memory.importance),
    }


def link_json(opened: Opened, link: Link, seen_from: str) -> dict[str, Any]:
    """A link as seen from one of its ends; `memory` is the other one, null when it is gone."""
    outgoing = link.from_id == seen_from
    other = link.to_id if outgoing else link.from_id
    there = opened.snapshot.row_of(other) is not None
    return {
        "link_id": link.id,
        "from_id": link.from_id,
        "to_id": link.to_id,
        "relation_type": link.relation_type,
        "label": link.label,
        "direction": "from" if outgoing else "to",
        "created_at": link.created_at,
        "memory": memory_json(opened, opened.vault.read_memory(other)) if there else None,
    }


def changes_json(plan: Plan) -> list[dict[str, Any]]:
    """What a plan writes, row by row."""
    return [
        {
            "table": change.key.table,
            "id": change.key.id,
            "label": change.key.label,
            "before": _plain_row(change.before),
            "after": _plain_row(change.after),
            "why": change.why,
        }
        for change in plan.changes
    ]


def plain(value: float) -> int | float | None:
    """A number as the server prints it: 1 rather than 1.0; null for one that JSON hasn't."""
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _plain_row(row: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        name: plain(value)
        if isinstance(value, float)
        else value.hex()
        if isinstance(value, bytes)
        else value
        for name, value in row.items()
    }
