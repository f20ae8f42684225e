"""Parts of a graph that don't hang together, set side by side so that none flies away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import FloatArray

_SLACK: Final = 1.06  # circles in a ring don't touch


def pack_round(parts: Sequence[FloatArray], margin: float) -> list[FloatArray]:
    """The parts moved: the first in the middle at (0, 0), the others in rings around it.

    Parts come largest first, each of shape (n, 2); between their circles there is a `margin`.
    """
    centred = [part - (part.min(axis=0) + part.max(axis=0)) / 2 for part in parts]
    reaches = [float(np.hypot(part[:, 0], part[:, 1]).max()) + margin / 2 for part in centred]
    widest = np.maximum.accumulate(reaches[::-1])[::-1].tolist()  # of it and those after it
    placed = centred[:1]
    inner = reaches[0] if reaches else 0.0
    at = 1
    while at < len(centred):
        radius = inner + widest[at]
        turns: list[float] = []
        taken = 0.0
        last = at
        while last < len(centred):
            share = 2 * np.arcsin(min(reaches[last] / radius, 1.0)) * _SLACK
            if turns and taken + share > 2 * np.pi:
                break
            turns.append(taken + share / 2)
            taken += share
            last += 1
        spread = 2 * np.pi / taken if last < len(centred) else 1.0
        for part, turn in zip(centred[at:last], turns, strict=True):
            angle = turn * max(spread, 1.0)
            placed.append(part + radius * np.array([np.cos(angle), np.sin(angle)]))
        inner = radius + widest[at]
        at = last
    return placed


def make_block(count: int, pitch: float, aspect: float = 3.0) -> FloatArray:
    """`count` places in rows like words, `pitch` px apart, around `aspect` times wider than high.

    Centred over x = 0, the first row at y = 0.
    """
    columns = max(int(np.ceil(np.sqrt(count * aspect))), 1)
    number = np.arange(count)
    x = (number % columns - (min(columns, count) - 1) / 2) * pitch
    block: FloatArray = np.column_stack((x, number // columns * pitch)).astype(np.float64)
    return block
