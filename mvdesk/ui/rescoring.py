"""Scores after a write: only the memories that the write touched are scored again."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.scoring.engine import ScoreInputs, Scores, evaluate
from mvdesk.scoring.inputs import as_floats

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray
    from mvdesk.scoring.model import ScoreModel

CLOCK_MAY_LAG_S: Final = 600
"""Until then the moment that is shown stays: a save must not move other memories' scores."""


def scores_after(
    shown: tuple[ScoreInputs, Scores, int], inputs: ScoreInputs, model: ScoreModel, now: int
) -> tuple[Scores, int]:
    """The scores of `inputs`, and the moment they are for.

    `shown` are the inputs, scores and moment before, under the same model. Equal to scoring
    everything for the moment that is given back.
    """
    before, scores, then = shown
    if not 0 <= now - then < CLOCK_MAY_LAG_S:
        return evaluate(inputs, model, now), now
    moved = find_moved(before, inputs)
    if moved is None or 4 * np.count_nonzero(moved) > len(inputs):
        return evaluate(inputs, model, then), then
    rows = np.flatnonzero(moved)
    anew = evaluate(inputs.taken(rows), model, then)
    patched = {}
    for field in fields(Scores):
        values = getattr(scores, field.name).copy()
        values[rows] = getattr(anew, field.name)
        patched[field.name] = values
    return Scores(**patched), then


def find_moved(before: ScoreInputs, after: ScoreInputs) -> BoolArray | None:
    """Marks the rows that differ in anything; None when the two can't be compared by row."""
    if len(before) != len(after) or before.type_names != after.type_names:
        return None
    moved = np.zeros(len(after), dtype=np.bool_)
    for field in fields(ScoreInputs):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if old is new or not isinstance(new, np.ndarray):
            continue
        if old.dtype != new.dtype:
            old, new = as_floats(old), as_floats(new)  # one has times as a vault has them
        differs = old != new
        if new.dtype.kind == "f":
            differs &= ~(np.isnan(old) & np.isnan(new))
        moved |= differs.any(axis=1) if differs.ndim > 1 else differs
    return moved
