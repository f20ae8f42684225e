"""Which conflicts appear and vanish when confidence scores move across the threshold.

Texts and links are looked at once, whatever the scores are; then a change of scores costs as
much as the facts that cross the threshold.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.vault.questions.conflicts import (
    HIDDEN_STATUSES,
    Conflict,
    conflicts_of_key,
    conflicts_of_links,
    decisions_by_pair,
    find_active_facts,
    linked_pairs,
    pair_of,
    weakness_of,
)
from mvdesk.vault.questions.key_groups import find_key_groups
from mvdesk.vault.questions.movers import THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.records import ConflictResolution, Memory
    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.questions.conflicts import Pair
    from mvdesk.vault.questions.key_groups import KeyGroup
    from mvdesk.vault.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class ConflictChanges:
    """Conflicts there are after and not before, and the other way round.

    The strongest come first; `appearing` have the confidences after, `vanishing` those before.
    The totals count those that the limit left out, too.
    """

    threshold: float
    appearing: tuple[Conflict, ...]
    vanishing: tuple[Conflict, ...]
    appearing_total: int
    vanishing_total: int

    @property
    def is_empty(self) -> bool:
        return not (self.appearing_total or self.vanishing_total)


@dataclass(frozen=True, slots=True)
class DecidedPair:
    """Two memories, as rows, that something was decided about.

    `link_row` is a link that still says they contradict (−1 without one), `fact_key` the key
    under which they still hold different texts (""). Without either they conflict no more.
    """

    a_row: int
    b_row: int
    confidence: tuple[float, float]
    link_row: int
    fact_key: str
    resolution: ConflictResolution


class ConflictIndex:
    """Every pair of active facts that would conflict if both were confident enough.

    The rule is that of `find_conflicts`, for any threshold; pairs decided to be none stay out.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        resolutions: Sequence[ConflictResolution],
        read_memories: Callable[[Sequence[str]], Sequence[Memory]],
    ) -> None:
        """Reads the texts of facts that share a key: slow for a large vault, for a job."""
        self._snapshot = snapshot
        self._facts = find_active_facts(snapshot)
        self._decided = decisions_by_pair(snapshot, resolutions)
        self._hidden = {
            pair for pair, one in self._decided.items() if one.status in HIDDEN_STATUSES
        }
        self._linked = linked_pairs(snapshot, self._facts)
        self._ordered = sorted(self._linked)
        self._pairs = np.array(self._ordered, dtype=np.intp).reshape(-1, 2)
        self._groups = find_key_groups(snapshot, self._facts, read_memories)
        self._group_of = {row: group for group in self._groups for row in group.texts}

    def find_changes(
        self,
        before: Scores,
        after: Scores,
        *,
        threshold: float = THRESHOLD,
        limit: int | None = 50,
    ) -> ConflictChanges:
        """What the facts change that cross the threshold; `limit` conflicts each way."""
        was = before.confidence[self._facts] >= threshold
        is_now = after.confidence[self._facts] >= threshold
        made = self._facts[is_now & ~was], after.confidence, threshold
        gone = self._facts[was & ~is_now], before.confidence, threshold
        return ConflictChanges(
            threshold,
            tuple(islice(self._strongest(*made), limit)),
            tuple(islice(self._strongest(*gone), limit)),
            self._count(*made),
            self._count(*gone),
        )

    def find_open(
        self, confidence: FloatArray, *, threshold: float = THRESHOLD, limit: int | None = None
    ) -> tuple[tuple[Conflict, ...], int]:
        """The strongest open conflicts, and how many there are in all."""
        reaching = self._facts[confidence[self._facts] >= threshold]
        return self._listed(reaching, confidence, threshold, limit)

    def find_below(
        self, confidence: FloatArray, *, threshold: float = THRESHOLD, limit: int | None = None
    ) -> tuple[tuple[Conflict, ...], int]:
        """Pairs that would conflict if the threshold were lower, the strongest first."""
        short = self._facts[confidence[self._facts] < threshold]
        return self._listed(short, confidence, -np.inf, limit)

    def find_decided(self, confidence: FloatArray) -> tuple[DecidedPair, ...]:
        """Every pair that something was decided about, the last decision first."""
        found = [self._decided_pair(*pair, one, confidence) for pair, one in self._decided.items()]
        return tuple(sorted(found, key=lambda one: -one.resolution.updated_at))

    def _decided_pair(
        self, one: int, other: int, resolution: ConflictResolution, confidence: FloatArray
    ) -> DecidedPair:
        a = self._snapshot.row_of(resolution.a_id)
        first, second = (one, other) if a == one else (other, one)
        link = self._linked.get((one, other), -1)
        key = self._group_of[one].key if self._differ(one, other) else ""
        pair = float(confidence[first]), float(confidence[second])
        return DecidedPair(first, second, pair, link, key, resolution)

    def _listed(
        self, crossing: IntArray, confidence: FloatArray, threshold: float, limit: int | None
    ) -> tuple[tuple[Conflict, ...], int]:
        strongest = islice(self._strongest(crossing, confidence, threshold, limit), limit)
        return tuple(strongest), self._count(crossing, confidence, threshold)

    def open_rows(self, scores: Scores, *, threshold: float = THRESHOLD) -> IntArray:
        """The facts in at least one open conflict, ascending."""
        confidence = scores.confidence
        partners: Counter[int] = Counter()
        for group in self._groups:
            members = group.members(confidence, threshold)
            sizes = Counter(group.texts[row] for row in members)
            partners.update({row: len(members) - sizes[group.texts[row]] for row in members})
        linked, hidden = (
            [pair for pair in pairs if min(confidence[list(pair)]) >= threshold]
            for pairs in (self._linked, self._hidden)
        )
        for pair in linked:
            if not self._differ(*pair):
                partners.update(pair)
        for pair in hidden:
            if pair in self._linked or self._differ(*pair):
                partners.subtract(pair)
        return np.array(sorted(row for row, count in partners.items() if count), dtype=np.intp)

    def _differ(self, one: int, other: int) -> bool:
        """Whether two facts have one key and different texts."""
        group = self._group_of.get(one)
        if group is None or group is not self._group_of.get(other):
            return False
        return group.differ(one, other)

    def _count(self, crossing: IntArray, confidence: FloatArray, threshold: float) -> int:
        """How many conflicts there are with at least one of the `crossing` facts."""
        rows = set(crossing.tolist())
        linked = self._linked_with(crossing, confidence, threshold)
        total = sum(not self._differ(*pair) for pair in linked)
        for group in self._groups_with(rows):
            members = group.members(confidence, threshold)
            others = [row for row in members if row not in rows]
            total += group.count_pairs(members) - group.count_pairs(others)
        for pair in self._hidden:
            if not rows.isdisjoint(pair) and min(confidence[list(pair)]) >= threshold:
                total -= pair in linked or self._differ(*pair)
        return total

    def _strongest(
        self,
        crossing: IntArray,
        confidence: FloatArray,
        threshold: float,
        limit: int | None = None,
    ) -> Iterator[Conflict]:
        """Those conflicts, the largest sum of confidences first, made one by one.

        With a `limit` those beyond it may be missing.
        """
        rows = set(crossing.tolist())
        linked = self._linked_with(crossing, confidence, threshold)
        strong = linked
        if limit is not None:
            strong = self._strongest_links(linked, confidence, limit + len(self._hidden))
        by_link = conflicts_of_links(self._snapshot, confidence, strong)
        groups = [
            (group, members)
            for group in self._groups_with(rows)
            for members in [group.members(confidence, threshold)]
        ]
        if limit is not None:
            groups = _strongest_groups(groups, confidence, rows, limit + len(self._hidden))
        by_key = [
            conflicts_of_key(group.key, group.pairs(members, confidence, rows), confidence)
            for group, members in groups
        ]
        for conflict in heapq.merge(by_link, *by_key, key=weakness_of):
            pair_rows = pair_of(conflict.a_row, conflict.b_row)
            if pair_rows in self._hidden or (conflict.link_row < 0 and pair_rows in linked):
                continue
            yield replace(conflict, resolution=self._decided.get(pair_rows))

    def _linked_with(
        self, crossing: IntArray, confidence: FloatArray, threshold: float
    ) -> dict[Pair, int]:
        """Contradicting links between confident facts, one of which is `crossing`."""
        marks = np.zeros(len(confidence), dtype=np.bool_)
        marks[crossing] = True
        wanted = marks[self._pairs].any(axis=1)
        wanted &= (confidence[self._pairs] >= threshold).all(axis=1)
        found = (self._ordered[place] for place in np.flatnonzero(wanted).tolist())
        return {pair: self._linked[pair] for pair in found}

    def _strongest_links(
        self, linked: dict[Pair, int], confidence: FloatArray, limit: int
    ) -> dict[Pair, int]:
        """The `limit` linked pairs with the largest sums, and those as strong as the last."""
        if len(linked) <= limit:
            return linked
        pairs = list(linked)
        sums = confidence[np.array(pairs, dtype=np.intp)].sum(axis=1)
        least = np.partition(sums, len(sums) - limit)[len(sums) - limit]
        return {pairs[at]: linked[pairs[at]] for at in np.flatnonzero(sums >= least).tolist()}

    def _groups_with(self, rows: set[int]) -> list[KeyGroup]:
        keys = {self._group_of[row].key for row in rows & self._group_of.keys()}
        return [group for group in self._groups if group.key in keys] if keys else []


def _strongest_groups(
    groups: list[tuple[KeyGroup, list[int]]],
    confidence: FloatArray,
    wanted: set[int],
    limit: int,
) -> list[tuple[KeyGroup, list[int]]]:
    """The groups that may hold one of the `limit` strongest pairs with a wanted member.

    Each has one.
    """
    if len(groups) <= limit:
        return groups
    most, sure = [], []
    for group, members in groups:
        first = next(row for row in members if row in wanted)
        own = float(confidence[first])
        other = next((row for row in members if group.differ(first, row)), None)
        most.append(own + float(confidence[members[0]]))
        sure.append(-np.inf if other is None else own + float(confidence[other]))
    least = np.partition(sure, len(sure) - limit)[len(sure) - limit]
    return [group for group, bound in zip(groups, most, strict=True) if bound >= least]
