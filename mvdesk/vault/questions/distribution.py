"""How the scores of the active memories are spread, before and after, and who crosses a line.

Scores are whole thousandths, so everything is counted on that grid, without any rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mvdesk.arrays import NO_TIME

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, Int64Array, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.snapshot import Snapshot

BINS: Final = 20
_TOP: Final = 1000
_GRID: Final = np.arange(_TOP + 1) / _TOP
"""Every score there is."""


class Crossing(NamedTuple):
    """How many memories reach a score that they were below, and the other way round."""

    up: int
    down: int


class Spread(NamedTuple):
    """A mean, and scores that 5, 50 and 95 % of memories don't exceed; None without any."""

    mean: float | None
    low: float | None
    median: float | None
    high: float | None


NO_SPREAD: Final = Spread(None, None, None, None)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCounts:
    """How many memories have each score: one number per thousandth, from 0 to 1000."""

    per_thousandth: Int64Array

    @classmethod
    def of(cls, scores: FloatArray) -> ScoreCounts:
        """Counts rounded scores."""
        return cls(np.bincount(thousandths_of(scores), minlength=_TOP + 1))

    def __len__(self) -> int:
        return int(self.per_thousandth.sum())

    def bins(self, count: int = BINS) -> IntArray:
        """How many memories are in each of `count` equal bins of [0, 1].

        A score on an edge belongs to the bin above it, 1.0 to the last. `count` divides 1000.
        """
        width, rest = divmod(_TOP, count)
        if rest:
            raise ValueError(f"{count} bins don't divide the grid of thousandths")
        found: IntArray = self.per_thousandth[:_TOP].reshape(count, width).sum(axis=1)
        found[-1] += self.per_thousandth[_TOP]
        return found

    def spread(self) -> Spread:
        """Mean and percentiles; a percentile is the score of a memory (nearest rank)."""
        total = len(self)
        if not total:
            return NO_SPREAD
        passed = np.cumsum(self.per_thousandth)
        mean = int(self.per_thousandth @ np.arange(_TOP + 1)) / total / _TOP
        places = [np.searchsorted(passed, nearest_rank(p, total) + 1) for p in (5, 50, 95)]
        low, median, high = (float(_GRID[place]) for place in places)
        return Spread(mean, low, median, high)

    def count_from(self, threshold: float) -> int:
        """How many memories reach a score."""
        return int(self.per_thousandth[np.searchsorted(_GRID, threshold) :].sum())


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """The scores of the active memories before and after.

    `rising` and `falling` say for each thousandth how many memories pass it; use `crossing`.
    """

    kind: ScoreKind
    before: ScoreCounts
    after: ScoreCounts
    rising: Int64Array
    falling: Int64Array

    def crossing(self, threshold: float) -> Crossing:
        """Who crosses any threshold; a look-up, for a line that is dragged."""
        place = int(np.searchsorted(_GRID, threshold))
        if place > _TOP:
            return Crossing(0, 0)
        return Crossing(int(self.rising[place]), int(self.falling[place]))


def find_distribution(
    snapshot: Snapshot, before: Scores, after: Scores, *, kind: ScoreKind = "confidence"
) -> Distribution:
    """How the scores of one kind are spread over the active memories."""
    active = snapshot.memories.archived_at == NO_TIME
    old = thousandths_of(before.of(kind)[active])
    new = thousandths_of(after.of(kind)[active])
    return Distribution(
        kind,
        ScoreCounts(np.bincount(old, minlength=_TOP + 1)),
        ScoreCounts(np.bincount(new, minlength=_TOP + 1)),
        _passing(old, new),
        _passing(new, old),
    )


def find_moved_distribution(
    known: Distribution, before: Scores, after: Scores, rows: IntArray
) -> Distribution:
    """The same for other scores after, which differ in `rows` alone: active ones, each once.

    `known` has the scores before of them all; it costs as much as there are rows.
    """
    old = thousandths_of(before.of(known.kind)[rows])
    new = thousandths_of(after.of(known.kind)[rows])
    counts = known.before.per_thousandth - np.bincount(old, minlength=_TOP + 1)
    counts += np.bincount(new, minlength=_TOP + 1)
    return Distribution(
        known.kind, known.before, ScoreCounts(counts), _passing(old, new), _passing(new, old)
    )


def thousandths_of(scores: FloatArray) -> Int64Array:
    """Rounded scores as whole thousandths."""
    return np.rint(scores * _TOP).astype(np.int64)


def nearest_rank(percent: int, count: int) -> int:
    """The place, from 0, of the score that so many percent of `count` sorted ones don't exceed."""
    return -(-percent * count // 100) - 1


def _passing(one: Int64Array, other: Int64Array) -> Int64Array:
    """For each thousandth t how many go from below t to t or above."""
    rising = one < other
    steps = np.bincount(one[rising] + 1, minlength=_TOP + 2)
    steps -= np.bincount(other[rising] + 1, minlength=_TOP + 2)
    return np.cumsum(steps)[: _TOP + 1]
