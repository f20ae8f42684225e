"""The lowest trust of a source that keeps several of its memories at a wanted score."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.inverse import GRID, format_score
from mvdesk.scoring.saying import tr, tr_n

if TYPE_CHECKING:
    from mvdesk.scoring.inputs import FloatArray, IntArray, ScoreInputs
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind


@dataclass(frozen=True, slots=True, eq=False)
class SharedTrust:
    """The smallest trust on the 0.01 grid at which every score reaches the target.

    `value` is None when none does. `scores` are those at `value`, or at 1.0, which comes
    closest; `failing` are the places of the memories that don't reach the target there.
    """

    kind: ScoreKind
    target: float
    value: float | None
    scores: FloatArray
    failing: IntArray

    def text(self) -> str:
        """One sentence for the person."""
        count = len(self.scores)
        whom = tr_n("it", "all {count:,}", count, count=count)
        if self.value is not None:
            return tr(
                "trust of at least {value:.2f} keeps {whom} at {target} or more",
                value=self.value,
                whom=whom,
                target=format_score(self.target),
            )
        lowest = format_score(float(self.scores.min()))
        reached = count - len(self.failing)
        said = tr(
            "no trust value keeps {whom} at {target} or more",
            whom=whom,
            target=format_score(self.target),
        )
        return tr(
            "{said}; at 1.00 {reached:,} of {count:,} reach it, the lowest is {lowest}",
            said=said,
            reached=reached,
            count=count,
            lowest=lowest,
        )


def solve_shared_trust(
    inputs: ScoreInputs, model: ScoreModel, now: float, kind: ScoreKind, target: float
) -> SharedTrust:
    """The lowest trust for the memories of one source, at least one; `now` is epoch seconds."""

    def scores_at(place: int) -> FloatArray:
        tried = inputs.with_trust(np.full(len(inputs), place / GRID))
        return evaluate(tried, model, now).of(kind)

    def is_enough(place: int) -> bool:
        return bool(np.all(scores_at(place) >= target))

    # Scores rise with trust, so halving the grid finds the first value that is enough.
    place = bisect_left(range(GRID + 1), True, key=is_enough)
    scores = scores_at(min(place, GRID))
    value = place / GRID if place <= GRID else None
    return SharedTrust(kind, target, value, scores, np.flatnonzero(scores < target))
