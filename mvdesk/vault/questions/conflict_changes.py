"""Which conflicts appear and vanish when confidence scores move across the threshold.

Texts and links are looked at once, whatever the scores are; then a change of scores is a pass
over the pairs that they make.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.vault.questions.conflict_pairs import MOST_PAIRS, ConflictPairs, choose_groups
from mvdesk.vault.questions.conflicts import (
    HIDDEN_STATUSES,
    Conflict,
    conflicts_of_key,
    decisions_by_pair,
    find_active_facts,
    linked_pairs,
    pair_of,
    weakness_of,
)
from mvdesk.vault.questions.key_groups import find_key_groups
from mvdesk.vault.questions.movers import THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.records import ConflictResolution, Memory
    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.questions.conflicts import Pair
    from mvdesk.vault.questions.key_groups import KeyGroup
    from mvdesk.vault.snapshot import Snapshot

    # A group's number, the group, its members that count.
    _Crowd = tuple[int, KeyGroup, list[int]]


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
        *,
        most_pairs: int = MOST_PAIRS,
    ) -> None:
        """Reads the texts of facts that share a key: slow for a large vault, for a job.

        Up to `most_pairs` pairs of such facts are kept; what is found doesn't depend on it.
        """
        self._of = (snapshot.memories, snapshot.links, list(resolutions))
        self._facts = find_active_facts(snapshot)
        self._decided = decisions_by_pair(snapshot, resolutions)
        self._first = {pair: snapshot.row_of(one.a_id) for pair, one in self._decided.items()}
        self._hidden = {
            pair for pair, one in self._decided.items() if one.status in HIDDEN_STATUSES
        }
        self._linked = linked_pairs(snapshot, self._facts)
        groups = find_key_groups(snapshot, self._facts, read_memories)
        self._keys = [group.key for group in groups]
        kept = choose_groups(groups, most_pairs)
        self._pairs = ConflictPairs.of(snapshot.links, self._linked, groups, kept, self._hidden)
        crowds = set(range(len(groups))).difference(kept)
        self._crowds = [(number, groups[number]) for number in sorted(crowds)]
        wanted = {row for pair in (*self._decided, *self._linked) for row in pair}
        self._group_of = {row: one for one in groups for row in one.texts.keys() & wanted}
        # Pairs in a crowd that are no conflicts of its key.
        named = {group.key for _, group in self._crowds}
        self._apart = {
            pair
            for pair in (*self._linked, *self._hidden)
            if self._differ(*pair) and self._group_of[pair[0]].key in named
        }

    def is_good_for(self, snapshot: Snapshot, resolutions: Sequence[ConflictResolution]) -> bool:
        """Whether it is that of `snapshot`, too: trust is set there, and nothing else differs."""
        memories, links, known = self._of
        is_same = snapshot.memories is memories and snapshot.links is links
        return is_same and list(resolutions) == known

    def find_changes(
        self,
        before: Scores,
        after: Scores,
        *,
        threshold: float = THRESHOLD,
        limit: int | None = 50,
    ) -> ConflictChanges:
        """What the facts change that cross the threshold; `limit` conflicts each way."""
        was = self._pairs.reaching(before.confidence, threshold)
        is_now = self._pairs.reaching(after.confidence, threshold)
        facts = self._facts
        up = after.confidence[facts] >= threshold
        down = before.confidence[facts] >= threshold
        made = self._listed(is_now & ~was, facts[up & ~down], after.confidence, threshold, limit)
        gone = self._listed(was & ~is_now, facts[down & ~up], before.confidence, threshold, limit)
        return ConflictChanges(threshold, made[0], gone[0], made[1], gone[1])

    def find_open(
        self, confidence: FloatArray, *, threshold: float = THRESHOLD, limit: int | None = None
    ) -> tuple[tuple[Conflict, ...], int]:
        """The strongest open conflicts, and how many there are in all."""
        chosen = self._pairs.reaching(confidence, threshold)
        reaching = self._facts[confidence[self._facts] >= threshold]
        return self._listed(chosen, reaching, confidence, threshold, limit)

    def find_below(
        self, confidence: FloatArray, *, threshold: float = THRESHOLD, limit: int | None = None
    ) -> tuple[tuple[Conflict, ...], int]:
        """Pairs that would conflict if the threshold were lower, the strongest first."""
        chosen = ~self._pairs.reaching(confidence, threshold)
        short = self._facts[confidence[self._facts] < threshold]
        return self._listed(chosen, short, confidence, -np.inf, limit)

    def find_decided(self, confidence: FloatArray) -> tuple[DecidedPair, ...]:
        """Every pair that something was decided about, the last decision first."""
        found = [self._decided_pair(*pair, one, confidence) for pair, one in self._decided.items()]
        return tuple(sorted(found, key=lambda one: -one.resolution.updated_at))

    def _decided_pair(
        self, one: int, other: int, resolution: ConflictResolution, confidence: FloatArray
    ) -> DecidedPair:
        is_first = self._first[one, other] == one
        first, second = (one, other) if is_first else (other, one)
        link = self._linked.get((one, other), -1)
        key = self._group_of[one].key if self._differ(one, other) else ""
        pair = float(confidence[first]), float(confidence[second])
        return DecidedPair(first, second, pair, link, key, resolution)

    def open_rows(self, scores: Scores, *, threshold: float = THRESHOLD) -> IntArray:
        """The facts in at least one open conflict, ascending."""
        confidence = scores.confidence
        found = self._pairs.members(self._pairs.reaching(confidence, threshold))
        partners: Counter[int] = Counter()
        for _, group in self._crowds:
            members = group.members(confidence, threshold)
            sizes = Counter(group.texts[row] for row in members)
            partners.update({row: len(members) - sizes[group.texts[row]] for row in members})
        for pair in self._apart:
            if min(confidence[list(pair)]) >= threshold:
                partners.subtract(pair)
        more = [row for row, count in partners.items() if count]
        return np.union1d(found, np.array(more, dtype=np.intp))

    def _differ(self, one: int, other: int) -> bool:
        """Whether two facts, linked or decided about, have one key and different texts."""
        group = self._group_of.get(one)
        if group is None or group is not self._group_of.get(other):
            return False
        return group.differ(one, other)

    def _listed(
        self,
        chosen: BoolArray,
        crossing: IntArray,
        confidence: FloatArray,
        threshold: float,
        limit: int | None,
    ) -> tuple[tuple[Conflict, ...], int]:
        """The strongest of the `chosen` pairs and of those in crowds, and how many there are.

        Of the latter one is `crossing`, and both reach the threshold.
        """
        total = int(np.count_nonzero(chosen))
        strongest = self._pairs.strongest(chosen, confidence, self._keys, limit)
        found: Iterable[tuple[int, Conflict]] = strongest
        if self._crowds:
            rows = set(crossing.tolist())
            crowds = [
                (number, group, group.members(confidence, threshold))
                for number, group in self._crowds
                if not rows.isdisjoint(group.texts)
            ]
            total += self._count_crowds(crowds, confidence, rows, threshold)
            among = self._strongest_in_crowds(crowds, confidence, rows, limit)
            found = heapq.merge(strongest, *among, key=_place_of)
        decided = self._decided
        listed = (
            replace(one, resolution=decided.get(pair_of(one.a_row, one.b_row))) if decided else one
            for _, one in islice(found, limit)
        )
        return tuple(listed), total

    def _count_crowds(
        self,
        crowds: Sequence[_Crowd],
        confidence: FloatArray,
        rows: Collection[int],
        threshold: float,
    ) -> int:
        total = 0
        for _, group, members in crowds:
            others = [row for row in members if row not in rows]
            total += group.count_pairs(members) - group.count_pairs(others)
        for pair in self._apart:
            touches = pair[0] in rows or pair[1] in rows
            total -= int(touches and min(confidence[list(pair)]) >= threshold)
        return total

    def _strongest_in_crowds(
        self,
        crowds: Sequence[_Crowd],
        confidence: FloatArray,
        rows: set[int],
        limit: int | None,
    ) -> list[Iterator[tuple[int, Conflict]]]:
        """Their conflicts, the strongest first, made one by one. With a `limit` weak ones miss."""
        if limit is not None:
            crowds = _strongest_groups(crowds, confidence, rows, limit + len(self._apart))
        return [
            self._conflicts_in(number, group, group.pairs(members, confidence, rows), confidence)
            for number, group, members in crowds
        ]

    def _conflicts_in(
        self, number: int, group: KeyGroup, pairs: Iterable[Pair], confidence: FloatArray
    ) -> Iterator[tuple[int, Conflict]]:
        for conflict in conflicts_of_key(group.key, pairs, confidence):
            if pair_of(conflict.a_row, conflict.b_row) not in self._apart:
                yield number, conflict


def _place_of(found: tuple[int, Conflict]) -> tuple[float, int]:
    """What conflicts are merged by: strength, then the number of their group."""
    return weakness_of(found[1]), found[0]


def _strongest_groups(
    crowds: Sequence[_Crowd], confidence: FloatArray, wanted: set[int], limit: int
) -> Sequence[_Crowd]:
    """The groups that may hold one of the `limit` strongest pairs with a wanted member.

    Each has one.
    """
    if len(crowds) <= limit:
        return crowds
    most, sure = [], []
    for _, group, members in crowds:
        first = next(row for row in members if row in wanted)
        own = float(confidence[first])
        other = next((row for row in members if group.differ(first, row)), None)
        most.append(own + float(confidence[members[0]]))
        sure.append(-np.inf if other is None else own + float(confidence[other]))
    least = np.partition(sure, len(sure) - limit)[len(sure) - limit]
    return [crowd for crowd, bound in zip(crowds, most, strict=True) if bound >= least]
