"""Snapshots made of records, for rules that need a brain of a certain shape."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mvdesk.records import Link, Memory, SourceTrust
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.building import (
    build_links,
    build_memories,
    build_sources,
    columns_of_links,
    columns_of_memories,
    count_links,
)
from mvdesk.vault.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.scoring.engine import Scores

NOW = 1_800_000_000
DAY = 86_400
BRAIN = "b"


def memory(memory_id: str, **fields: object) -> Memory:
    """A fact of a hundred days ago; `fields` are what is special about it."""
    plain = Memory(
        id=memory_id,
        brain_id=BRAIN,
        type="fact",
        title=None,
        key=None,
        content=f"Text of {memory_id}.",
        tags=None,
        source=None,
        confidence=0.7,
        importance=0.5,
        archived_at=None,
        access_count=0,
        last_accessed_at=None,
        last_decayed_at=None,
        created_at=NOW - 100 * DAY,
        updated_at=NOW - 100 * DAY,
    )
    return replace(plain, **fields)


def link(one: str, other: str, relation: str = "related", *, label: str | None = None) -> Link:
    """A link; its id tells what it joins."""
    return Link(f"{one}>{other}:{relation}", BRAIN, one, other, relation, label, NOW - DAY)


def trusted(source_key: str, trust: float, *, notes: str | None = None) -> SourceTrust:
    """A stored trust."""
    return SourceTrust(f"t-{source_key}", BRAIN, source_key, trust, notes, 5, 7)


def snapshot_of(
    memories: Sequence[Memory],
    links: Sequence[Link] = (),
    trust: Sequence[SourceTrust] = (),
) -> Snapshot:
    """The snapshot of a brain that holds these, in the order given."""
    table, sources = build_memories([columns_of_memories(memories)])
    rows = {one.id: row for row, one in enumerate(memories)}
    link_table = build_links(
        [columns_of_links(links)], lambda ids: [rows.get(one, -1) for one in ids]
    )
    keys = [normalise_source_key(text) for text in sources]
    return Snapshot(
        BRAIN,
        table,
        link_table,
        build_sources(sources, keys, table.source_rows, trust),
        count_links(link_table, len(memories)),
    )


def scores_of(snapshot: Snapshot) -> Scores:
    return evaluate(snapshot.inputs(SERVER_V2), SERVER_V2, NOW)


def reader_of(memories: Sequence[Memory]) -> Callable[[Sequence[str]], list[Memory]]:
    """As `Vault.read_memories`, for memories that no vault holds."""
    by_id = {one.id: one for one in memories}
    return lambda ids: [by_id[one] for one in ids if one in by_id]
