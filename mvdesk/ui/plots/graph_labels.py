"""Where the labels of a graph go: never on one another, never on a node. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, FloatArray, IntArray

_AIR: Final = 2.0
_GAPS: Final = (3.0, 12.0, 24.0)


@dataclass(frozen=True, slots=True)
class LabelBox:
    """A label's rectangle in px."""

    left: float
    top: float
    width: float
    height: float


class LabelPlacer:
    """Finds room for labels one after another; who comes first gets the better place."""

    def __init__(
        self,
        places: FloatArray,
        radii: FloatArray,
        area: LabelBox,
        expected: int,
        lines: FloatArray | None = None,
    ) -> None:
        """`places` and `radii` are the nodes, corners included, in px; labels stay inside `area`.

        `expected` is the most labels and blocked boxes there may be. By a node labels keep off
        the `lines` where they can: x and y of both ends, shape (m, 4).
        """
        self._lines = np.empty((0, 4)) if lines is None else lines
        self._area = area
        self._circles = places
        self._radii = radii
        self._reaches = (radii + 1.0) ** 2
        self._boxes = np.empty((expected, 4))  # left, top, right, bottom
        self._count = 0
        self._blocked = 0  # so many of the boxes are no labels

    def place_by_node(
        self,
        node: int,
        width: float,
        height: float,
        *,
        must: bool = False,
        thorough: bool = False,
        careful: bool = False,
    ) -> LabelBox | None:
        """A place beside a node, below it where that is free; `None` when it is crowded.

        A `thorough` search looks all around the node, and a little further away; a `careful` one
        all around it at once, for a place that is on no line. A label that
        `must` be there goes below its node in the end, on whatever lies there, or beside it
        where a blocked box would hide it.
        """
        spots = self._spots_by(node, width, height)
        if careful and len(self._lines):
            spots += self._spots_around(node, width, height, _GAPS[:1])
        box = self._first_free(spots, width, height)
        if box is None and thorough:
            box = self._first_free(self._spots_around(node, width, height), width, height)
        if box is None and must:
            tries = [*spots, *self._spots_around(node, width, height)]
            boxes = [self._moved_inside(spot, width, height) for spot in tries]
            box = next((one for one in boxes if not self._is_blocked(one)), boxes[0])
            self._keep(box)
        return box

    def place_on_line(
        self, start: FloatArray, end: FloatArray, width: float, height: float
    ) -> LabelBox | None:
        """A place on an edge, near its middle; `None` when it is crowded.

        Also when so little of the edge would show beside the text that its dash and head
        couldn't be told.
        """
        across, down = np.abs(end - start)
        if across < width + 28 and down < height + 28:
            return None
        tries = []
        for share in (0.5, 0.42, 0.58, 0.34, 0.66):
            x, y = start + (end - start) * share
            tries.append((x - width / 2, y - height / 2))
        return self._first_free(tries, width, height)

    def replace_by_node(
        self, old: LabelBox, node: int, width: float, height: float
    ) -> LabelBox | None:
        """Another place for a label of another size; `None`, and the old one kept, without room.

        Also when it would lie on more lines than the old one does.
        """
        taken = self._boxes[: self._count]
        mine = int(((taken[:, 0] == old.left) & (taken[:, 1] == old.top)).argmax())
        taken[mine] = np.inf, np.inf, -np.inf, -np.inf  # in nobody's way
        at_most = int(self._count_crossed([(old.left, old.top)], old.width, old.height)[0])
        spots = self._spots_by(node, width, height)
        crossed = self._count_crossed(spots, width, height).tolist()
        spots = [spot for spot, count in zip(spots, crossed, strict=True) if count <= at_most]
        box = self._first_free(spots, width, height, mine) if spots else None
        if box is None:
            self._boxes[mine] = old.left, old.top, old.left + old.width, old.top + old.height
        return box

    def block(self, box: LabelBox) -> None:
        """Keep labels out of a rectangle. Before the first label."""
        self._keep(box)
        self._blocked = self._count

    def _spots_by(self, node: int, width: float, height: float) -> list[tuple[float, float]]:
        """Top left corners for a label by its node: below, above, right, left."""
        x, y = self._circles[node].tolist()
        away = float(self._radii[node]) + 3.0
        return [
            (x - width / 2, y + away),
            (x - width / 2, y - away - height),
            (x + away + 2, y - height / 2),
            (x - away - 2 - width, y - height / 2),
        ]

    def _spots_around(
        self, node: int, width: float, height: float, gaps: Sequence[float] = _GAPS
    ) -> list[tuple[float, float]]:
        """Top left corners all around a node, the near ones first, inside the area."""
        x, y = self._circles[node].tolist()
        area, found = self._area, []
        for gap in gaps:
            away = float(self._radii[node]) + gap
            for step in range(16):
                angle = math.pi / 2 + step * math.pi / 8
                across, down = math.cos(angle), math.sin(angle)
                left = x + across * away + (across - 1.0) * width / 2
                top = y + down * away + (down - 1.0) * height / 2
                left = min(max(left, area.left), area.left + area.width - width)
                found.append((left, min(max(top, area.top), area.top + area.height - height)))
        return found

    def _first_free(
        self,
        spots: Sequence[tuple[float, float]],
        width: float,
        height: float,
        slot: int | None = None,
    ) -> LabelBox | None:
        free = np.flatnonzero(self._find_free(spots, width, height)).tolist()
        if not free:
            return None
        best = 0
        if len(free) > 1 and len(self._lines):
            crossed = self._count_crossed([spots[spot] for spot in free], width, height)
            best = int(crossed.argmin())
        left, top = spots[free[best]]
        box = LabelBox(float(left), float(top), width, height)
        self._keep(box, slot)
        return box

    def _count_crossed(
        self, spots: Sequence[tuple[float, float]], width: float, height: float
    ) -> IntArray:
        """How many lines run through a label at each of some places."""
        corners = np.array(spots)[:, None, :]
        low, high = corners - _AIR, corners + np.array([width, height]) + _AIR
        start, end = self._lines[None, :, :2], self._lines[None, :, 2:]
        way = end - start
        way = np.where(np.abs(way) < 1e-9, 1e-9, way)
        # Where along each line it is between both sides: 0 is its start, 1 its end.
        one, other = (low - start) / way, (high - start) / way
        enters = np.minimum(one, other).max(axis=2)
        leaves = np.maximum(one, other).min(axis=2)
        crossed = np.maximum(enters, 0.0) < np.minimum(leaves, 1.0)
        counts: IntArray = crossed.sum(axis=1)
        return counts

    def _keep(self, box: LabelBox, slot: int | None = None) -> None:
        """Remember a box, in the `slot` of the one it replaces or as a further one."""
        if slot is None:
            slot = self._count
            self._count += 1
        self._boxes[slot] = box.left, box.top, box.left + box.width, box.top + box.height

    def _moved_inside(self, spot: tuple[float, float], width: float, height: float) -> LabelBox:
        area, (left, top) = self._area, spot
        left = min(max(left, area.left), area.left + area.width - width)
        top = min(max(top, area.top), area.top + area.height - height)
        return LabelBox(float(left), float(top), width, height)

    def _is_blocked(self, box: LabelBox) -> bool:
        fixed = self._boxes[: self._blocked]
        hits = (fixed[:, 0] < box.left + box.width) & (fixed[:, 2] > box.left)
        hits &= (fixed[:, 1] < box.top + box.height) & (fixed[:, 3] > box.top)
        return bool(hits.any())

    def _find_free(
        self, spots: Sequence[tuple[float, float]], width: float, height: float
    ) -> BoolArray:
        """Marks the places that are inside the area, on no other label and on no node."""
        corners = np.array(spots)
        left, top = corners[:, :1], corners[:, 1:]
        right, bottom = left + width, top + height
        area = self._area
        free = (left >= area.left) & (right <= area.left + area.width)
        free &= (top >= area.top) & (bottom <= area.top + area.height)
        if not free.any():
            return free[:, 0]
        boxes = self._boxes[: self._count]
        hits = (boxes[:, 0] < right + _AIR) & (boxes[:, 2] > left - _AIR)
        hits &= (boxes[:, 1] < bottom) & (boxes[:, 3] > top)
        x, y = self._circles[:, 0], self._circles[:, 1]
        beside_x = x - np.minimum(np.maximum(x, left), right)  # np.clip takes twice as long
        beside_y = y - np.minimum(np.maximum(y, top), bottom)
        close = beside_x**2 + beside_y**2 < self._reaches
        found: BoolArray = free[:, 0] & ~hits.any(axis=1) & ~close.any(axis=1)
        return found


@dataclass(frozen=True, slots=True)
class FlowBox:
    """An entry of a legend: where it starts, in px."""

    left: float
    top: float


def flow_entries(
    widths: Sequence[float], available: float, line: float, gap: float
) -> tuple[list[FlowBox], float]:
    """Entries set in lines like words, and the height they take."""
    boxes: list[FlowBox] = []
    left = top = 0.0
    for width in widths:
        if left and left + width > available:
            left, top = 0.0, top + line
        boxes.append(FlowBox(left, top))
        left += width + gap
    return boxes, (top + line if boxes else 0.0)
