"""How a whole vault hangs together over its links: parts, hubs, loners, disputes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.graphs.components import find_components
from mvdesk.records import RELATIONS

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, IntArray
    from mvdesk.vault.snapshot import Snapshot

HUB_LINKS: Final = 25
"""A memory with more links is a hub."""
MOST_LISTED: Final = 12
"""How many parts and disputes are told one by one, the largest first."""

_CONTRADICTS: Final = RELATIONS.index("contradicts")


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Memories that hang together. `rows` ascend; `name` is that of the most linked one."""

    name: str
    rows: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class LinkFacts:
    """What the links say of all memories that aren't archived.

    `part_count` parts hang together over links; `alone` memories have none and are parts of
    one. `parts` are the largest with two or more memories. `disputes` are the largest of
    `dispute_count` groups joined by contradictions, `disputed` memories in all. `density` is
    links per pair of memories, None for less than two.
    """

    memories: int
    links: int
    part_count: int
    parts: tuple[Group, ...]
    hubs: int
    alone: int
    dispute_count: int
    disputes: tuple[Group, ...]
    disputed: int
    density: float | None


def find_link_facts(snapshot: Snapshot) -> LinkFacts:
    """The facts of all unarchived memories and the links among them."""
    active = snapshot.memories.archived_at == NO_TIME
    links = snapshot.links
    there = _mark_links(snapshot)
    disputing = there & (links.relations == _CONTRADICTS)
    part_count, parts = _find_groups(snapshot, there, active)
    in_disputes = mark_fact(snapshot, "disputed")
    dispute_count, disputes = _find_groups(snapshot, disputing, in_disputes)
    memories, linked = int(active.sum()), int(there.sum())
    return LinkFacts(
        memories=memories,
        links=linked,
        part_count=part_count,
        parts=parts,
        hubs=int(mark_fact(snapshot, "hubs").sum()),
        alone=int(mark_fact(snapshot, "alone").sum()),
        dispute_count=dispute_count,
        disputes=disputes,
        disputed=int(in_disputes.sum()),
        density=2 * linked / (memories * (memories - 1)) if memories > 1 else None,
    )


def mark_fact(snapshot: Snapshot, fact: str) -> BoolArray:
    """Marks the unarchived memories that are "hubs", "alone" or "disputed"."""
    marks: BoolArray = snapshot.memories.archived_at == NO_TIME
    if fact in ("hubs", "alone"):
        counts = snapshot.link_counts[:, 0]
        marks &= counts > HUB_LINKS if fact == "hubs" else counts == 0
        return marks
    links = snapshot.links
    disputing = _mark_links(snapshot) & (links.relations == _CONTRADICTS)
    marks[:] = False
    for rows in (links.from_rows, links.to_rows):
        marks[rows[disputing]] = True
    return marks


def _mark_links(snapshot: Snapshot) -> BoolArray:
    """Marks the links between two different memories that are there and not archived."""
    active = np.append(snapshot.memories.archived_at == NO_TIME, False)  # for the row −1
    links = snapshot.links
    there: BoolArray = active[links.from_rows] & active[links.to_rows]
    there &= links.from_rows != links.to_rows
    return there


def _find_groups(
    snapshot: Snapshot, chosen: BoolArray, among: BoolArray
) -> tuple[int, tuple[Group, ...]]:
    """How many groups of the memories `among` there are, and the largest of two or more."""
    links = snapshot.links
    starts, ends = links.from_rows[chosen], links.to_rows[chosen]
    rows = np.flatnonzero(among)
    roots = find_components(starts, ends, len(among))[rows]
    found, sizes = np.unique(roots, return_counts=True)
    order = np.lexsort((found, -sizes))[:MOST_LISTED]
    groups = []
    for root, size in zip(found[order].tolist(), sizes[order].tolist(), strict=True):
        if size > 1:
            members = rows[roots == root]
            first = int(members[snapshot.link_counts[members, 0].argmax()])
            groups.append(Group(snapshot.memories.labels.text(first), members))
    return len(found), tuple(groups)
