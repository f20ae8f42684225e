"""The heads of thousands of edges, all of one kind at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

from mvdesk.ui.plots.graph_item import head_length

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

    from mvdesk.arrays import FloatArray

_ANGLES: Final = np.linspace(0.0, 2 * np.pi, 10, endpoint=False)
_TURN: Final = np.column_stack((np.cos(_ANGLES), np.sin(_ANGLES)))
_EDGE_PX: Final = 0.75
_AT_ONCE: Final = 40


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
