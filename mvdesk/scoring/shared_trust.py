"""The lowest trust of a source that keeps several of its memories at a wanted score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.inverse import GRID, format_score

if TYPE_CHECKING:
    from mvdesk.scoring.inputs import FloatArray, IntArray, ScoreInputs
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind

_HALF: Final = 0.0005
_LEAST_SLOPE: Final = 1e-9


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
        whom = "it" if count == 1 else f"all {count:,}"
        if self.value is not None:
            return (
                f"trust of at least {self.value:.2f} keeps {whom} "
                f"at {format_score(self.target)} or more"
            )
        lowest = format_score(float(self.scores.min()))
        reached = count - len(self.failing)
        said = f"no trust value keeps {whom} at {format_score(self.target)} or more"
        return f"{said}; at 1.00 {reached:,} of {count:,} reach it, the lowest is {lowest}"


def solve_shared_trust(
    inputs: ScoreInputs, model: ScoreModel, now: float, kind: ScoreKind, target: float
) -> SharedTrust:
    """The lowest trust for the memories of one source, at least one; `now` is epoch seconds."""

    def scores_at(place: int) -> FloatArray:
        tried = inputs.with_trust(np.full(len(inputs), place / GRID))
        return evaluate(tried, model, now).of(kind)

    highest = scores_at(GRID)
    failing = np.flatnonzero(highest < target)
    if len(failing):
        return SharedTrust(kind, target, None, highest, failing)
    # Scores rise with trust, so it is enough to look beside the closed form's answer.
    for place in range(max(_near(inputs, model, now, kind, target) - 2, 0), GRID):
        scores = scores_at(place)
        if np.all(scores >= target):
            return SharedTrust(kind, target, place / GRID, scores, failing)
    return SharedTrust(kind, target, 1.0, highest, failing)


def _near(
    inputs: ScoreInputs, model: ScoreModel, now: float, kind: ScoreKind, target: float
) -> int:
    """A grid place near the smallest at which the lowest raw sum is high enough."""
    slope = model.trust_confidence if kind == "confidence" else model.trust_importance
    if slope < _LEAST_SLOPE:  # dividing by it may miss by more than the search looks beside
        return 0
    lowest = evaluate(inputs.with_trust(np.zeros(len(inputs))), model, now).raw_of(kind).min()
    wanted = math.ceil(target * 1000 - 1e-9) / 1000 - _HALF
    return min(max(math.ceil((wanted - float(lowest)) / slope * GRID), 0), GRID)
