"""Every look a node can have, painted once: thousands of nodes are then stamped from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from mvdesk.ui.plots.graph_item import DIMMED, make_shape
from mvdesk.ui.plots.graph_picture import DIAMOND_HALF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.theme import Look

_SIZES: Final = 6
_KINDS: Final = ("note", "fact", "journal")
_AIR_PX: Final = 3.0


class NodeAtlas:
    """Signs of all kinds, fills and sizes in one pixmap, and nodes stamped from it."""

    def __init__(self) -> None:
        self._key: object = None
        self._pixmap = QPixmap()
        self._cell = 1
        self._sizes = np.ones(_SIZES)
        self._fragments = PrimitiveArray(QPainter.PixmapFragment, 10)

    def prepare(
        self, look: Look, fills: Sequence[str], smallest: float, largest: float, density: float
    ) -> None:
        """Paint the signs for radii from `smallest` to `largest`, in px, unless they are there."""
        key = (look, tuple(fills), round(smallest, 2), round(largest, 2), density)
        if key == self._key:
            return
        self._key = key
        self._sizes = np.linspace(smallest, largest, _SIZES)
        self._cell = int(np.ceil(2 * (largest * DIAMOND_HALF + _AIR_PX) * density)) + 2
        self._density = density
        columns = 2 * _SIZES * len(_KINDS)
        self._pixmap = QPixmap(self._cell * columns, self._cell * len(fills))
        self._pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, fill in enumerate(fills):
            for column in range(columns):
                self._paint_sign(painter, look, QColor(fill), column, row)
        painter.end()

    def _paint_sign(
        self, painter: QPainter, look: Look, fill: QColor, column: int, row: int
    ) -> None:
        size, kind, archived = column % _SIZES, column // _SIZES % len(_KINDS), column >= 18
        painter.save()
        painter.translate((column + 0.5) * self._cell, (row + 0.5) * self._cell)
        painter.scale(self._density, self._density)
        radius = float(self._sizes[size])
        shape = make_shape(_KINDS[kind], 0.0, 0.0, radius)
        painter.fillPath(shape, look.color("surface"))
        outline = QPen(look.color("control_border"), min(1.25, 0.4 + radius / 8))
        if archived:
            fill.setAlphaF(0.45)
            outline = QPen(look.color("text_secondary"), min(1.5, 0.4 + radius / 7))
            outline.setDashPattern([3.0, 2.0])
        painter.setPen(outline)
        painter.setBrush(fill)
        painter.drawPath(shape)
        painter.restore()

    def stamp(
        self,
        painter: QPainter,
        places: FloatArray,
        radii: FloatArray,
        signs: IntArray,
        steps: IntArray,
        lit: BoolArray | None,
    ) -> None:
        """Draw nodes: `signs` as of `find_signs`, `steps` the rows of their fills.

        Between the sizes that were painted, and while they aren't painted anew, signs are
        stretched.
        """
        low, high = float(self._sizes[0]), float(self._sizes[-1])
        share = (radii - radii.min(initial=np.inf)) / max(float(np.ptp(radii)), 1e-9)
        size = np.rint(share * (_SIZES - 1)).astype(np.intp)
        grown = float(radii.max(initial=0.0)) / high if high > low else 1.0
        self._fragments.resize(len(places))
        cells = self._fragments.ndarray()
        cells[:, 0:2] = places
        cells[:, 2] = (signs * _SIZES + size) * self._cell
        cells[:, 3] = steps * self._cell
        cells[:, 4:6] = self._cell
        cells[:, 6:8] = (1.0 if abs(grown - 1.0) < 0.02 else grown) / self._density
        cells[:, 8] = 0.0
        cells[:, 9] = 1.0 if lit is None else np.where(lit, 1.0, DIMMED)
        if len(places):
            first, count = self._fragments.drawargs()
            painter.drawPixmapFragments(first, count, self._pixmap)

    @property
    def bounds(self) -> QRectF:
        """The pixmap's size, for looking at it."""
        return QRectF(self._pixmap.rect())


def find_signs(picture: GraphPicture) -> IntArray:
    """Which sign each node has: its type, then the same again for archived ones."""
    kinds = np.array([_KINDS.index(kind) if kind in _KINDS else 0 for kind in picture.types])
    signs: IntArray = kinds.astype(np.intp) + len(_KINDS) * picture.archived.astype(np.intp)
    return signs
