"""Nodes kept apart, many thousands at a time: only those near one another are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray, IntArray

_ROUNDS: Final = 24
_HALF_AROUND: Final = ((0, 0), (1, 0), (0, 1), (1, 1), (1, -1))
"""Each cell with itself and half of its neighbours: every pair comes up once."""


def find_near_pairs(positions: FloatArray, reach: float) -> IntArray:
    """Pairs of nodes nearer than `reach`, each once, shape (k, 2)."""
    cells = np.floor(positions / reach).astype(np.int64)
    cells -= cells.min(axis=0, initial=0)
    width = int(cells[:, 1].max(initial=0)) + 3
    keys = cells[:, 0] * width + cells[:, 1] + 1
    order = np.argsort(keys, kind="stable")
    ranked = keys[order]
    found = []
    for across, down in _HALF_AROUND:
        wanted = ranked + across * width + down
        low, high = np.searchsorted(ranked, wanted), np.searchsorted(ranked, wanted, "right")
        if not across and not down:
            low = np.arange(1, len(ranked) + 1)  # in the same cell: those that come after
        counts = np.maximum(high - low, 0)
        first = np.repeat(np.arange(len(ranked)), counts)
        begin = np.repeat(low - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
        found.append(np.column_stack((first, begin + np.arange(len(first)))))
    pairs: IntArray = order[np.concatenate(found)]
    away = positions[pairs[:, 0]] - positions[pairs[:, 1]]
    near: IntArray = pairs[(away**2).sum(axis=1) < reach**2]
    return near


def push_apart(positions: FloatArray, least: float, held: BoolArray | None = None) -> FloatArray:
    """Positions at which few nodes are nearer than `least`; those that are `held` don't move.

    A crowd needs more rounds than there are: it is loosened, not parted.
    """
    positions = positions.copy()
    still = np.zeros(len(positions), dtype=np.bool_) if held is None else held
    for _ in range(_ROUNDS if len(positions) > 1 else 0):
        pairs = find_near_pairs(positions, least)
        pairs = pairs[~still[pairs].all(axis=1)]
        if not len(pairs):
            break
        first, second = pairs.T
        way = positions[first] - positions[second]
        length = np.hypot(way[:, 0], way[:, 1])
        # Exactly on one another: any direction will do, as long as it is always the same.
        same = length < 1e-6
        turn = (first[same] * 7.0 + second[same] * 3.0) % 6.283
        way[same] = np.column_stack((np.cos(turn), np.sin(turn)))
        length = np.where(same, 1.0, length)
        gap = np.where(same, least, least * 1.02 - length)[:, None]
        push = way / length[:, None] * gap
        moves = np.zeros_like(positions)
        np.add.at(moves, first, push * np.where(still[second], 1.0, 0.5)[:, None])
        np.add.at(moves, second, -push * np.where(still[first], 1.0, 0.5)[:, None])
        moves[still] = 0.0
        size = np.hypot(moves[:, 0], moves[:, 1])[:, None]
        positions += moves * np.minimum(1.0, least / np.maximum(size, 1e-9))
    return positions
