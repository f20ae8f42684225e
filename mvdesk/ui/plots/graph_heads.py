"""The heads of thousands of edges, all of one kind at once: as shapes, or stamped.

Stamping costs a tenth: each kind is painted once in every direction, then copied.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import pyqtgraph as pg
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap

from mvdesk.ui.plots.graph_item import head_length

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from mvdesk.arrays import FloatArray

_ANGLES: Final = np.linspace(0.0, 2 * np.pi, 10, endpoint=False)
_TURN: Final = np.column_stack((np.cos(_ANGLES), np.sin(_ANGLES)))
_EDGE_PX: Final = 0.75
_AT_ONCE: Final = 40
_DIRECTIONS: Final = 64
_SIZE_STEP: Final = 0.05
_AIR_PX: Final = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class _Strip:
    """One kind of head in every direction, side by side in cells of `cell` pixels."""

    pixmap: QPixmap
    cell: int
    fragments: PrimitiveArray


class HeadAtlas:
    """Heads of all kinds and colours in every direction, each painted when first needed."""

    def __init__(self) -> None:
        self._density = 1.0
        self._ground: QColor | None = None
        self._strips: dict[object, _Strip] = {}

    def prepare(self, ground: QColor, density: float) -> None:
        """Stamp on this ground, for a surface of `density` pixels to a px, from now on."""
        if ground != self._ground or density != self._density:
            self._ground, self._density = ground, density
            self._strips.clear()

    def stamp(
        self,
        painter: QPainter,
        head: str,
        tips: FloatArray,
        headings: FloatArray,
        color: QColor,
        size: float,
    ) -> None:
        """What `paint_heads` paints, in the nearest of 64 directions."""
        if head == "none" or not len(tips):
            return
        size = max(round(size / _SIZE_STEP), 1) * _SIZE_STEP
        strip = self._strip(head, color, size)
        turns = np.arctan2(headings[:, 1], headings[:, 0]) / (2 * np.pi) * _DIRECTIONS
        strip.fragments.resize(len(tips))
        cells = strip.fragments.ndarray()
        cells[:, 0:2] = tips - headings * (head_length(head) * size / 2)
        cells[:, 2] = np.rint(turns).astype(np.intp) % _DIRECTIONS * strip.cell
        cells[:, 3] = 0.0
        cells[:, 4:6] = strip.cell
        cells[:, 6:8] = 1.0 / self._density
        cells[:, 8] = 0.0
        cells[:, 9] = 1.0
        first, count = strip.fragments.drawargs()
        painter.drawPixmapFragments(first, count, strip.pixmap)

    def _strip(self, head: str, color: QColor, size: float) -> _Strip:
        key = head, color.rgba(), round(size / _SIZE_STEP)
        known = self._strips.get(key)
        if known is not None:
            return known
        assert self._ground is not None
        middle = head_length(head) * size / 2
        side = 2 * (math.hypot(middle, 6.0 * size) + _AIR_PX)
        cell = math.ceil(side * self._density)
        angles = np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS)
        headings = np.column_stack((np.cos(angles), np.sin(angles)))
        places = np.column_stack((np.arange(_DIRECTIONS) + 0.5, np.full(_DIRECTIONS, 0.5)))
        pixmap = QPixmap(cell * _DIRECTIONS, cell)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self._density, self._density)
        tips = places * (cell / self._density) + headings * middle
        paint_heads(painter, head, tips, headings, color, self._ground, size)
        painter.end()
        made = self._strips[key] = _Strip(pixmap, cell, PrimitiveArray(QPainter.PixmapFragment, 10))
        return made


def paint_heads(
    painter: QPainter,
    head: str,
    tips: FloatArray,
    headings: FloatArray,
    color: QColor,
    ground: QColor,
    size: float,
) -> None:
    """What `paint_head` paints, at every tip; `headings` are unit vectors, shape (n, 2)."""
    if head == "none" or not len(tips):
        return
    # Filled alone, a little larger, where a pen would be drawn around: strokes cost the most.
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    _fill(painter, tips, headings, _find_corners(head, size, _EDGE_PX))
    if head in ("circle", "open_triangle"):
        painter.setBrush(ground)
        _fill(painter, tips, headings, _find_corners(head, size, -_EDGE_PX))


def _fill(painter: QPainter, tips: FloatArray, headings: FloatArray, corners: FloatArray) -> None:
    aside = np.column_stack((-headings[:, 1], headings[:, 0]))
    points = (
        tips[:, None, :]
        - headings[:, None, :] * corners[None, :, :1]
        + aside[:, None, :] * corners[None, :, 1:]
    )
    connected = np.ones(points.shape[:2], dtype=np.int32)
    connected[:, -1] = 0
    # In parts: one path of thousands takes more than its share.
    for first in range(0, len(points), _AT_ONCE):
        flat = points[first : first + _AT_ONCE].reshape(-1, 2)
        joined = connected[first : first + _AT_ONCE].reshape(-1)
        path = pg.arrayToQPath(flat[:, 0], flat[:, 1], connect=joined)
        path.setFillRule(Qt.FillRule.WindingFill)  # where two overlap there is no hole
        painter.drawPath(path)


def _find_corners(head: str, size: float, wider: float) -> FloatArray:
    """The outline of a head, as distances back from the tip and aside, by `wider` px around."""
    reach = head_length(head) * size
    middle = reach / 2
    if head == "bar":
        half, thick = 6.0 * size, 1.1
        corners = [(-thick, -half), (-thick, half), (thick, half), (thick, -half)]
    elif head == "circle":
        corners = (middle + _TURN * (middle - 0.5 + wider)).tolist()
        corners = [(back, aside - middle) for back, aside in corners]
    elif head == "diamond":
        along, across = middle + wider, 4.0 * size + wider
        corners = [(middle - along, 0), (middle, across), (middle + along, 0), (middle, -across)]
    else:
        half = 4.5 * size
        inside = half * reach / (half + float(np.hypot(reach, half)))  # radius of the inner circle
        share, centre = (inside + wider) / inside, reach - inside
        around = [(0.0, 0.0), (reach, half), (reach, -half)]
        corners = [(centre + (back - centre) * share, aside * share) for back, aside in around]
    return np.array([*corners, corners[0]], dtype=np.float64)
