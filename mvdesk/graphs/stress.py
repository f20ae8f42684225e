"""Stress majorisation: distances on paper come as close as they can to those over links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray


def relax_stress(
    positions: FloatArray,
    distances: FloatArray,
    *,
    steps: int,
    settled: float,
    held: BoolArray | None = None,
) -> FloatArray:
    """Positions after some steps, each of which lowers the weighted error (Gansner 2004).

    `distances` are the ideal ones of every pair, shape (n, n). It ends early when nothing moves
    further than `settled`; what is `held` doesn't move at all. Costs n² a step.
    """
    free = np.ones(len(positions), dtype=np.bool_) if held is None else ~held
    if len(positions) < 2 or not free.any():
        return positions
    with np.errstate(divide="ignore"):
        weights = 1.0 / distances**2
    np.fill_diagonal(weights, 0.0)
    total = weights.sum(axis=1)[:, None]
    pull = weights * distances
    for _ in range(steps):
        ratio = pull / np.maximum(find_lengths(positions), 1e-6)
        goal = weights @ positions + ratio.sum(axis=1)[:, None] * positions - ratio @ positions
        moved = goal / total
        shift = np.abs(moved - positions)[free].max()
        positions = np.where(free[:, None], moved, positions)
        if shift < settled:
            break
    return positions


def find_lengths(positions: FloatArray) -> FloatArray:
    """Distances of every pair; a node is infinitely far from itself."""
    x, y = positions[:, 0], positions[:, 1]
    # Not np.hypot, which takes four times as long; nothing here is near an overflow.
    lengths: FloatArray = np.sqrt((x[:, None] - x) ** 2 + (y[:, None] - y) ** 2)
    np.fill_diagonal(lengths, np.inf)
    return lengths
