"""Which facts contradict each other: by a link that says so, or under one key with two values."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.records import RELATIONS
from mvdesk.vault.questions.key_groups import find_key_groups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.records import ConflictResolution, Memory
    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.snapshot import Snapshot

BY_LINK: Final = "explicit_contradiction_link"
BY_KEY: Final = "fact_key_value_conflict"
HIDDEN_STATUSES: Final = frozenset({"resolved", "superseded", "dismissed"})
"""Decisions that take a pair off the list; "needs_review" keeps it there."""

_CONTRADICTS: Final = RELATIONS.index("contradicts")

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ConflictSettings:
    """`min_confidence` is compared with the score. `limit` conflicts are listed, None: all."""

    min_confidence: float = 0.7
    include_resolved: bool = False
    limit: int | None = 40

    def clamped(self) -> ConflictSettings:
        """The settings moved into the ranges that the server allows. All are finite."""
        return replace(
            self,
            min_confidence=min(max(self.min_confidence, 0), 1),
            limit=None if self.limit is None else min(max(self.limit, 1), 200),
        )


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two facts that contradict each other, as rows of the memory table.

    `a_row` is where the link starts, or the more confident one. `link_row` is the link (−1
    without one), `fact_key` the key both have ("" for a link). `resolution` is what was
    decided about the pair so far.
    """

    kind: Literal["explicit_contradiction_link", "fact_key_value_conflict"]
    a_row: int
    b_row: int
    confidence: tuple[float, float]
    link_row: int
    fact_key: str
    resolution: ConflictResolution | None = None


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The conflicts that matter most, and how many there are in all."""

    settings: ConflictSettings
    total: int
    conflicts: tuple[Conflict, ...]


def find_conflicts(
    snapshot: Snapshot,
    scores: Scores,
    resolutions: Sequence[ConflictResolution],
    read_memories: Callable[[Sequence[str]], Sequence[Memory]],
    settings: ConflictSettings,
) -> Conflicts:
    """Pairs of active facts whose confidence scores both reach the threshold.

    Those with the largest sum of confidences come first, those joined by a link before those
    that share a key. `read_memories` gives the memories of some ids: texts are compared with
    folded white space and in lower case, and a blank one never conflicts.
    Follows vault.md, "Conflicts".
    """
    facts = find_active_facts(snapshot)
    facts = facts[scores.confidence[facts] >= settings.min_confidence]
    decided = decisions_by_pair(snapshot, resolutions)
    linked = linked_pairs(snapshot, facts)
    groups = find_key_groups(snapshot, facts, read_memories)
    place = {row: group for group in groups for row in group.texts}

    def differ(pair: Pair) -> bool:
        group = place.get(pair[0])
        return group is not None and group is place.get(pair[1]) and group.differ(*pair)

    total = len(linked) + sum(group.count_pairs(group.texts) for group in groups)
    total -= sum(differ(pair) for pair in linked)
    hidden: set[Pair] = set()
    if not settings.include_resolved:
        hidden = {pair for pair, one in decided.items() if one.status in HIDDEN_STATUSES}
        total -= sum(pair in linked or differ(pair) for pair in hidden)
    # The server stops looking at keys when the limit is reached, and sorts then: it may miss
    # the strongest pairs. Here everything is looked at, the strongest first.
    confidence = scores.confidence
    by_link = conflicts_of_links(snapshot, confidence, linked)
    by_key = [
        conflicts_of_key(group.key, group.pairs(rows, confidence), confidence)
        for group in groups
        for rows in [group.members(confidence, settings.min_confidence)]
    ]
    found: list[Conflict] = []
    for conflict in heapq.merge(by_link, *by_key, key=weakness_of):
        if len(found) == settings.limit:
            break
        pair = pair_of(conflict.a_row, conflict.b_row)
        if pair not in hidden and (conflict.link_row >= 0 or pair not in linked):
            found.append(replace(conflict, resolution=decided.get(pair)))
    return Conflicts(settings, total, tuple(found))


def find_active_facts(snapshot: Snapshot) -> IntArray:
    """The rows of the facts that aren't archived, ascending."""
    table = snapshot.memories
    if "fact" not in table.type_names:
        return np.empty(0, dtype=np.intp)
    wanted = table.type_codes == table.type_names.index("fact")
    return np.flatnonzero(wanted & (table.archived_at == NO_TIME))


def linked_pairs(snapshot: Snapshot, facts: IntArray) -> dict[Pair, int]:
    """Pairs of facts that a contradicting link joins, with the first such link."""
    links = snapshot.links
    is_fact = np.zeros(len(snapshot.memories) + 1, dtype=np.bool_)  # one more, for the row −1
    is_fact[facts] = True
    joining = links.relations == _CONTRADICTS
    joining &= is_fact[links.from_rows] & is_fact[links.to_rows]
    joining &= links.from_rows != links.to_rows
    found: dict[Pair, int] = {}
    for link in np.flatnonzero(joining).tolist():
        found.setdefault(pair_of(int(links.from_rows[link]), int(links.to_rows[link])), link)
    return found


def conflicts_of_links(
    snapshot: Snapshot, confidence: FloatArray, linked: Mapping[Pair, int]
) -> list[Conflict]:
    """The conflicts of linked pairs, the strongest first."""
    links = snapshot.links
    found: list[Conflict] = []
    for link in linked.values():
        a, b = int(links.from_rows[link]), int(links.to_rows[link])
        pair = float(confidence[a]), float(confidence[b])
        found.append(Conflict(BY_LINK, a, b, pair, link, ""))
    return sorted(found, key=weakness_of)


def conflicts_of_key(
    key: str, pairs: Iterable[tuple[int, int]], confidence: FloatArray
) -> Iterator[Conflict]:
    """The conflicts of facts that share a key, in the order of their pairs."""
    for a, b in pairs:
        yield Conflict(BY_KEY, a, b, (float(confidence[a]), float(confidence[b])), -1, key)


def weakness_of(conflict: Conflict) -> float:
    """What conflicts are sorted by: the largest sum of confidences comes first."""
    return -(conflict.confidence[0] + conflict.confidence[1])


def decisions_by_pair(
    snapshot: Snapshot, resolutions: Sequence[ConflictResolution]
) -> dict[Pair, ConflictResolution]:
    """The newest decision about each pair. Not by `pair_key`: its spelling varies."""
    found: dict[Pair, ConflictResolution] = {}
    for one in resolutions:
        a, b = snapshot.row_of(one.a_id), snapshot.row_of(one.b_id)
        if a is not None and b is not None:
            found[pair_of(a, b)] = one
    return found


def pair_of(one: int, other: int) -> Pair:
    """Two rows, the lower one first."""
    return (one, other) if one < other else (other, one)
