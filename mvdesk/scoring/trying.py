"""The same memories under one trust after another, as when a slider moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.scoring.engine import BLOCK, Scores, clamped, component_deltas
from mvdesk.scoring.rounding import round3_array

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mvdesk.scoring.inputs import FloatArray, ScoreInputs
    from mvdesk.scoring.model import ScoreModel

_TRUST: Final = "source_trust_delta"
_NEUTRAL: Final = 0.5


class TrustTrial:
    """Scores memories that share a source: all but the trust is computed once.

    Sums are made in the order of the model's components, so that every score equals
    `evaluate` to the last bit; only components that are 0 for all are passed over.
    """

    def __init__(self, inputs: ScoreInputs, model: ScoreModel, now: float) -> None:
        """`now` is epoch seconds; the trust in `inputs` doesn't matter."""
        self._model = model
        self._count = len(inputs)
        unset = inputs.with_trust(np.full(len(inputs), np.nan))
        confidence, importance = component_deltas(unset, model, now)
        self._confidence = _Sum(inputs.base_confidence, confidence)
        self._importance = _Sum(inputs.base_importance, importance)

    def scores(self, trust: float | None) -> Scores:
        """The scores under a trust; None is "not set". One outside [0, 1] is clamped."""
        away = 0.0 if trust is None else min(max(trust, 0.0), 1.0) - _NEUTRAL
        confidence = self._confidence.under(away * self._model.trust_confidence)
        importance = self._importance.under(away * self._model.trust_importance)
        return Scores(confidence[1], importance[1], confidence[0], importance[0])


class _Sum:
    """A base, what is added to it before the trust, and what is added after."""

    def __init__(self, base: FloatArray, deltas: Iterable[tuple[str, FloatArray]]) -> None:
        self._before = clamped(base)
        self._after: list[FloatArray] = []
        is_before = True
        for name, delta in deltas:
            if name == _TRUST:
                is_before = False
            elif is_before:
                self._before += delta
            elif delta.any():
                self._after.append(delta)

    def under(self, trust_delta: float) -> tuple[FloatArray, FloatArray]:
        """The raw sums, and the scores made of them."""
        raw, scores = np.empty_like(self._before), np.empty_like(self._before)
        for start in range(0, len(raw), BLOCK):  # what one pass touches stays in the cache
            part = slice(start, start + BLOCK)
            block = raw[part]
            np.add(self._before[part], trust_delta, out=block)
            for delta in self._after:
                block += delta[part]
            scores[part] = round3_array(clamped(block))
        return raw, scores
