"""Parts of a graph that don't hang together, set side by side so that none flies away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import FloatArray

_ASPECT: Final = 1.4  # how much wider than high parts of like size are set


def pack_rows(parts: Sequence[FloatArray], margin: float) -> list[FloatArray]:
    """The parts moved, in rows like words, the first at (0, 0).

    Parts come largest first, each of shape (n, 2); between their boxes there is a `margin`.
    Rows are as wide as the first part, or wider when the others take more room than it, and
    centred.
    """
    boxes = [np.ptp(part, axis=0) + margin for part in parts]
    if not boxes:
        return []
    area = sum(float(box.prod()) for box in boxes)
    room = float(boxes[0][0])
    if boxes[0].prod() < area / 2:
        room = max(room, (area * _ASPECT) ** 0.5)
    placed: list[FloatArray] = []
    top, at = 0.0, 0
    while at < len(parts):
        last, width = at, 0.0
        while last < len(parts) and (last == at or width + boxes[last][0] <= room):
            width += float(boxes[last][0])
            last += 1
        height = max(float(box[1]) for box in boxes[at:last])
        left = -width / 2
        for part, box in zip(parts[at:last], boxes[at:last], strict=True):
            middle = np.array([left + box[0] / 2, top + height / 2])
            placed.append(part - (part.min(axis=0) + part.max(axis=0)) / 2 + middle)
            left += float(box[0])
        top += height
        at = last
    first = (placed[0].min(axis=0) + placed[0].max(axis=0)) / 2
    return [part - first for part in placed]


def make_block(count: int, pitch: float, aspect: float = 3.0) -> FloatArray:
    """`count` places in rows like words, `pitch` px apart, around `aspect` times wider than high.

    Centred over x = 0, the first row at y = 0.
    """
    columns = max(int(np.ceil(np.sqrt(count * aspect))), 1)
    number = np.arange(count)
    x = (number % columns - (min(columns, count) - 1) / 2) * pitch
    block: FloatArray = np.column_stack((x, number // columns * pitch)).astype(np.float64)
    return block
