"""Every look a node can have, painted once: thousands of nodes are then stamped from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

from mvdesk.ui.plots.graph_fill import paint_fill
from mvdesk.ui.plots.graph_item import DIMMED, make_shape
from mvdesk.ui.plots.graph_picture import DIAMOND_HALF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.ui.plots.graph_fill import NodeFill
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.theme import Look

_KINDS: Final = ("note", "fact", "journal")
_AIR_PX: Final = 3.0
_RUNG: Final = math.log(1.12)
"""Radii are rounded to a ladder, so that zooming stamps ready signs and stretches none."""


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """Signs of one size: a column per sign, a row per fill, in cells of `cell` pixels."""

    pixmap: QPixmap
    cell: int
    fragments: PrimitiveArray


class NodeAtlas:
    """Signs of all kinds and fills, a pixmap per size, and nodes stamped from them.

    A size is painted when it is first needed and kept until the look or the fills change.
    """

    def __init__(self) -> None:
        self._key: object = None
        self._density = 1.0
        self._sheets: dict[int, _Sheet] = {}
        self._look: Look | None = None
        self._fills: Sequence[NodeFill] = ()

    def prepare(self, look: Look, fills: Sequence[NodeFill], density: float) -> None:
        """Stamp in these colours, for a surface of `density` pixels to a px, from now on."""
        key = (look, tuple(fills), density)
        if key != self._key:
            self._key, self._look, self._fills, self._density = key, look, fills, density
            self._sheets.clear()

    def stamp(
        self,
        painter: QPainter,
        places: FloatArray,
        radii: FloatArray,
        signs: IntArray,
        steps: IntArray,
        lit: BoolArray | None,
    ) -> None:
        """Draw nodes, the smaller ones below.

        `signs` as of `find_signs`, `steps` the numbers of their fills.
        """
        if not len(places) or self._look is None:
            return
        rungs = np.rint(np.log(np.maximum(radii, 0.1)) / _RUNG).astype(np.intp)
        order = np.argsort(rungs, kind="stable")
        firsts = np.flatnonzero(np.diff(rungs[order], prepend=-(2**31)))
        for rows in np.split(order, firsts[1:]):
            sheet = self._sheet(int(rungs[rows[0]]), self._look)
            sheet.fragments.resize(len(rows))
            cells = sheet.fragments.ndarray()
            cells[:, 0:2] = places[rows]
            cells[:, 2] = signs[rows] * sheet.cell
            cells[:, 3] = steps[rows] * sheet.cell
            cells[:, 4:6] = sheet.cell
            cells[:, 6:8] = 1.0 / self._density
            cells[:, 8] = 0.0
            cells[:, 9] = 1.0 if lit is None else np.where(lit[rows], 1.0, DIMMED)
            first, count = sheet.fragments.drawargs()
            painter.drawPixmapFragments(first, count, sheet.pixmap)

    def _sheet(self, rung: int, look: Look) -> _Sheet:
        """The signs of one size."""
        known = self._sheets.get(rung)
        if known is not None:
            return known
        radius = math.exp(rung * _RUNG)
        cell = math.ceil(2 * (radius * DIAMOND_HALF + _AIR_PX) * self._density) + 2
        columns = 2 * len(_KINDS)
        pixmap = QPixmap(cell * columns, cell * max(len(self._fills), 1))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, fill in enumerate(self._fills):
            for column in range(columns):
                painter.save()
                painter.translate((column + 0.5) * cell, (row + 0.5) * cell)
                painter.scale(self._density, self._density)
                _paint_sign(painter, look, fill, column, radius)
                painter.restore()
        painter.end()
        made = _Sheet(pixmap, cell, PrimitiveArray(QPainter.PixmapFragment, 10))
        self._sheets[rung] = made
        return made


def paint_signs(
    painter: QPainter,
    look: Look,
    fills: Sequence[NodeFill],
    places: FloatArray,
    radii: FloatArray,
    signs: IntArray,
    steps: IntArray,
    lit: BoolArray | None,
) -> None:
    """What an atlas stamps, as shapes that can be magnified."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for node, (x, y) in enumerate(places.tolist()):
        painter.save()
        painter.setOpacity(1.0 if lit is None or lit[node] else DIMMED)
        painter.translate(x, y)
        fill = fills[int(steps[node])]
        _paint_sign(painter, look, fill, int(signs[node]), float(radii[node]))
        painter.restore()


def _paint_sign(painter: QPainter, look: Look, fill: NodeFill, column: int, radius: float) -> None:
    kind, archived = column % len(_KINDS), column >= len(_KINDS)
    shape = make_shape(_KINDS[kind], 0.0, 0.0, radius)
    outline = QPen(look.color("control_border"), min(1.25, 0.4 + radius / 8))
    if archived:
        outline = QPen(look.color("text_secondary"), min(1.5, 0.4 + radius / 7))
        outline.setDashPattern([3.0, 2.0])
    painter.fillPath(shape, look.color("surface"))
    paint_fill(painter, shape, fill, (0.0, 0.0, radius), look, outline, archived=archived)


def find_signs(picture: GraphPicture) -> IntArray:
    """Which sign each node has: its type, then the same again for archived ones."""
    kinds = np.array([_KINDS.index(kind) if kind in _KINDS else 0 for kind in picture.types])
    signs: IntArray = kinds.astype(np.intp) + len(_KINDS) * picture.archived.astype(np.intp)
    return signs
