"""Paints thousands of links: plain lines while they move, dashes and heads once they rest."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from mvdesk.ui.plots.graph_bulk_scene import find_head_size, is_on_pixels
from mvdesk.ui.plots.graph_heads import HeadAtlas, paint_heads
from mvdesk.ui.plots.graph_item import DIMMED, head_length, make_edge_pen, paint_inferred
from mvdesk.ui.plots.graph_picture import compute_edge_lines

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray
    from mvdesk.ui.plots.graph_bulk_scene import BulkScene
    from mvdesk.ui.plots.graph_picture import EdgeLines
    from mvdesk.ui.theme import RelationStyle

_MOST_SMOOTH: Final = 16_000  # lines in view that are smoothed at rest
_MOST_WIDE: Final = 3_000  # lines in view that are as wide as their relation's
_MOST_HEADED: Final = 6_000
_CROWD: Final = 700  # lines in view from which they step back behind the nodes
_FAINT: Final = 0.3
_FAINTEST_HEAD: Final = 0.5
_MOST_MOVING: Final = 8_000  # lines that are drawn while the picture moves
_CALM_MOVING: Final = 3_000  # lines from which every second or third does for a while
_GHOSTLY: Final = 0.13


class EdgePainter:
    """Keeps what depends on the picture alone, and the heads in every direction."""

    def __init__(self) -> None:
        self._atlas = HeadAtlas()
        self._lines = PrimitiveArray(QLineF, 4)
        self._edges = np.empty(0, dtype=np.intp)  # in the order of painting: by relation
        self._by_relation: list[tuple[str, slice]] = []  # of `_edges`

    def learn(self, scene: BulkScene) -> None:
        """Another picture than before."""
        styles = scene.look.tokens.relations
        names = np.array(
            [name if name in styles else "related" for name in scene.picture.relations]
        )
        # The less telling relations first, below.
        members = [np.flatnonzero(names == name) for name in styles]
        self._edges = np.concatenate(members)
        bounds = np.cumsum([0, *map(len, members)]).tolist()
        parts = (slice(*part) for part in pairwise(bounds))
        self._by_relation = list(zip(styles, parts, strict=True))

    def paint(self, painter: QPainter, scene: BulkScene, bounds: QRectF) -> None:
        """All links that may be seen."""
        if scene.is_resting:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setOpacity(1.0 if scene.lit_edges is None else DIMMED)
            paint_inferred(painter, scene.picture, scene.places, scene.look)
            painter.setOpacity(1.0)
        if not len(self._edges):
            return
        ends = scene.places[scene.picture.edges[self._edges]].reshape(-1, 4)
        in_view = _cross(ends, bounds)
        lit = None if scene.lit_edges is None else scene.lit_edges[self._edges]
        if scene.is_resting:
            self._paint_at_rest(painter, scene, in_view, lit)
            return
        count = int(in_view.sum())
        every = _find_thinning(count)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        plain = in_view if lit is None else in_view & ~lit
        share = _find_strength(count) if lit is None else _GHOSTLY
        for name, part in self._by_relation:
            pen = QPen(QColor(scene.look.tokens.relations[name].color), 1.0)
            self._draw_lines(painter, scene, pen, ends[part][plain[part]][::every], share)
        if lit is not None:
            lit &= in_view
            self._paint_fine(painter, scene, lit, 2.0)

    def _paint_at_rest(
        self, painter: QPainter, scene: BulkScene, in_view: BoolArray, lit: BoolArray | None
    ) -> None:
        count = int(in_view.sum())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, count <= _MOST_SMOOTH)
        if lit is None:
            self._paint_fine(painter, scene, in_view)
            return
        self._paint_ghosts(painter, scene, in_view & ~lit)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_fine(painter, scene, lit & in_view, 2.0)

    def _paint_ghosts(self, painter: QPainter, scene: BulkScene, chosen: BoolArray) -> None:
        """What isn't brought out: there, and no more than that."""
        ends = scene.places[scene.picture.edges[self._edges]].reshape(-1, 4)
        for name, part in self._by_relation:
            pen = QPen(QColor(scene.look.tokens.relations[name].color), 1.0)
            self._draw_lines(painter, scene, pen, ends[part][chosen[part]], _GHOSTLY)

    def _paint_fine(
        self, painter: QPainter, scene: BulkScene, chosen: BoolArray, width: float | None = None
    ) -> None:
        """Lines from border to border with dashes and heads, so that no hue is needed."""
        count = int(chosen.sum())
        strength = _find_strength(count) if width is None else 1.0
        size = find_head_size(scene.radii)
        has_heads = count <= _MOST_HEADED
        headed: list[tuple[RelationStyle, EdgeLines]] = []
        for name, part in self._by_relation:
            style = scene.look.tokens.relations[name]
            edges = self._edges[part][chosen[part]]
            if not len(edges):
                continue
            lines = compute_edge_lines(
                scene.places, scene.radii, scene.picture.edges[edges], scene.lanes[edges]
            )
            if count <= _MOST_WIDE:
                pen = make_edge_pen(style if width is None else replace(style, width=width))
            else:
                pen = QPen(QColor(style.color), 1.0)
                if style.dash:
                    pen.setDashPattern(list(style.dash))
            shown = lines.shown
            self._draw_lines(
                painter, scene, pen, np.column_stack((lines.starts, lines.ends))[shown], strength
            )
            if has_heads and style.head != "none":
                headed.append((style, lines))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for style, lines in headed:
            self._paint_heads(painter, scene, style, lines, size, max(strength, _FAINTEST_HEAD))

    def _paint_heads(
        self,
        painter: QPainter,
        scene: BulkScene,
        style: RelationStyle,
        lines: EdgeLines,
        size: float,
        strength: float,
    ) -> None:
        """The heads of links of one relation, where there is room for one."""
        way = lines.ends - lines.starts
        length = np.hypot(way[:, 0], way[:, 1])
        has_room = lines.shown & (length >= head_length(style.head) * size + 4.0)
        tips, headings = lines.ends[has_room], lines.headings[has_room]
        if style.head == "bar":
            tips = np.concatenate((tips, lines.starts[has_room]))
            headings = np.concatenate((headings, -headings))
        ground = scene.look.color("surface")
        color = _mix(QColor(style.color), ground, strength)
        if is_on_pixels(painter):
            self._atlas.prepare(ground, painter.device().devicePixelRatioF())
            self._atlas.stamp(painter, style.head, tips, headings, color, size)
        else:
            paint_heads(painter, style.head, tips, headings, color, ground, size)

    def _draw_lines(
        self, painter: QPainter, scene: BulkScene, pen: QPen, ends: FloatArray, strength: float
    ) -> None:
        if not len(ends):
            return
        pen.setColor(_mix(pen.color(), scene.look.color("surface"), strength))
        pen.setCosmetic(True)
        painter.setPen(pen)
        self._lines.resize(len(ends))
        self._lines.ndarray()[:] = ends
        painter.drawLines(*self._lines.drawargs())


def _find_strength(count: int) -> float:
    """How far so many lines step back behind the nodes."""
    return 1.0 if count <= _CROWD else max(_FAINT, 1.0 - count / 5_000)


def _find_thinning(count: int) -> int:
    """One of how many lines is drawn while the picture moves."""
    return max(min(1 + count // _CALM_MOVING, 3), 1 + count // _MOST_MOVING)


def _cross(ends: FloatArray, area: QRectF) -> BoolArray:
    """Which lines may be seen: those that aren't all to one side."""
    x1, y1, x2, y2 = ends.T
    seen: BoolArray = (np.maximum(x1, x2) > area.left()) & (np.minimum(x1, x2) < area.right())
    seen &= (np.maximum(y1, y2) > area.top()) & (np.minimum(y1, y2) < area.bottom())
    return seen


def _mix(color: QColor, ground: QColor, share: float) -> QColor:
    """A colour paled without transparency, which would cost at every crossing."""
    near = (color.redF(), color.greenF(), color.blueF())
    far = (ground.redF(), ground.greenF(), ground.blueF())
    parts = zip(near, far, strict=True)
    return QColor.fromRgbF(*(a * share + b * (1.0 - share) for a, b in parts))
