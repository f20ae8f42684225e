"""Paints a graph of many nodes: lines in bulk, nodes from an atlas, the rest once it rests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyqtgraph as pg
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from mvdesk.ui.plots.graph_atlas import NodeAtlas, find_signs
from mvdesk.ui.plots.graph_heads import paint_heads
from mvdesk.ui.plots.graph_item import (
    DIMMED,
    head_length,
    make_edge_pen,
    make_shape,
    paint_inferred,
    paint_pins,
)
from mvdesk.ui.plots.graph_picture import compute_edge_lines, find_reach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.ui.plots.graph_captions import PlacedLabel
    from mvdesk.ui.plots.graph_fill import NodeFill
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.theme import Look, RelationStyle

BULK_FROM: Final = 200
"""Nodes from which a picture is painted in bulk."""

_MOST_SMOOTH: Final = 16_000  # lines in view that are smoothed at rest
_MOST_DASHED: Final = 3_000
_MOST_HEADED: Final = 1_500
_CROWD: Final = 700  # lines in view from which they step back behind the nodes
_FAINT: Final = 0.3
_MOST_MOVING: Final = 8_000  # lines that are drawn while the picture moves
_CALM_MOVING: Final = 3_000  # lines from which every second or third does for a while
_GHOSTLY: Final = 0.13


@dataclass(frozen=True, slots=True, eq=False)
class BulkScene:
    """All that is painted, in px of the view. `is_resting`: nothing moves, so take your time.

    `current` has the keyboard's ring; `lit_nodes` and `lit_edges` stay bright, None: all do.
    """

    picture: GraphPicture
    steps: IntArray
    fills: Sequence[NodeFill]
    places: FloatArray
    radii: FloatArray
    look: Look
    is_resting: bool
    labels: Sequence[PlacedLabel] = ()
    selected: int | None = None
    current: int | None = None
    pinned: Sequence[int] = ()
    lit_nodes: BoolArray | None = None
    lit_edges: BoolArray | None = None


class BulkItem(pg.GraphicsObject):
    """One item for all nodes and edges. What depends on the picture alone is kept."""

    def __init__(self) -> None:
        super().__init__()
        self._scene: BulkScene | None = None
        self._bounds = QRectF()
        self._atlas = NodeAtlas()
        self._lines = PrimitiveArray(QLineF, 4)
        self._known: GraphPicture | None = None
        self._signs = np.empty(0, dtype=np.intp)
        self._order = np.empty(0, dtype=np.intp)
        self._edges = np.empty(0, dtype=np.intp)  # in the order of painting: by relation
        self._by_relation: list[tuple[str, slice]] = []  # of `_edges`

    def set_scene(self, scene: BulkScene | None, bounds: QRectF) -> None:
        """Paint something else; None for nothing."""
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        if scene is not None and scene.picture is not self._known:
            self._learn(scene)
        self._scene = scene
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, *_: Any) -> None:
        scene = self._scene
        if scene is None:
            return
        painter.setClipRect(self._bounds, Qt.ClipOperation.IntersectClip)
        self._paint_edges(painter, scene)
        self._paint_nodes(painter, scene)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pins = [(*scene.places[node].tolist(), float(scene.radii[node])) for node in scene.pinned]
        paint_pins(painter, pins, scene.look)
        _paint_rings(painter, scene)
        _paint_labels(painter, scene, self._bounds)

    def _learn(self, scene: BulkScene) -> None:
        picture = self._known = scene.picture
        self._signs = find_signs(picture)
        self._order = np.argsort(picture.importance, kind="stable")  # the weighty ones on top
        styles = scene.look.tokens.relations
        names = np.array([name if name in styles else "related" for name in picture.relations])
        # The less telling relations first, below.
        members = [np.flatnonzero(names == name) for name in styles]
        self._edges = np.concatenate(members)
        bounds = np.cumsum([0, *map(len, members)]).tolist()
        parts = (slice(*part) for part in pairwise(bounds))
        self._by_relation = list(zip(styles, parts, strict=True))

    def _paint_edges(self, painter: QPainter, scene: BulkScene) -> None:
        if scene.is_resting:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setOpacity(1.0 if scene.lit_edges is None else DIMMED)
            paint_inferred(painter, scene.picture, scene.places, scene.look)
            painter.setOpacity(1.0)
        if not len(self._edges):
            return
        ends = scene.places[scene.picture.edges[self._edges]].reshape(-1, 4)
        in_view = _cross(ends, self._bounds)
        count = int(in_view.sum())
        lit = None if scene.lit_edges is None else scene.lit_edges[self._edges]
        strength = 1.0 if count <= _CROWD else max(_FAINT, 1.0 - count / 5_000)
        smooth = scene.is_resting and count <= _MOST_SMOOTH
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        every = 1 if scene.is_resting else _find_thinning(count)
        fine = scene.is_resting and count <= _MOST_DASHED
        plain = in_view if lit is None else in_view & ~lit
        for name, part in self._by_relation:
            style = scene.look.tokens.relations[name]
            chosen = ends[part][plain[part]][::every]
            share = strength if lit is None else _GHOSTLY
            self._draw_lines(painter, scene, style, chosen, share, fine)
        if lit is None:
            if scene.is_resting and count <= _MOST_HEADED:
                _paint_heads(painter, scene, self._edges[in_view])
            return
        lit &= in_view
        for name, part in self._by_relation:
            style = replace(scene.look.tokens.relations[name], width=2.0)
            self._draw_lines(painter, scene, style, ends[part][lit[part]], 1.0, True)
        if lit.sum() <= _MOST_HEADED:
            _paint_heads(painter, scene, self._edges[lit])

    def _draw_lines(
        self,
        painter: QPainter,
        scene: BulkScene,
        style: RelationStyle,
        ends: FloatArray,
        strength: float,
        fine: bool,
    ) -> None:
        if not len(ends):
            return
        pen = make_edge_pen(style) if fine else QPen(QColor(style.color), 1.0)
        pen.setColor(_mix(QColor(style.color), scene.look.color("surface"), strength))
        pen.setCosmetic(True)
        painter.setPen(pen)
        self._lines.resize(len(ends))
        self._lines.ndarray()[:] = ends
        painter.drawLines(*self._lines.drawargs())

    def _paint_nodes(self, painter: QPainter, scene: BulkScene) -> None:
        x, y = scene.places[self._order].T
        reach = float(scene.radii.max(initial=0.0)) * 1.3 + 2.0
        area = self._bounds.adjusted(-reach, -reach, reach, reach)
        seen = (x > area.left()) & (x < area.right()) & (y > area.top()) & (y < area.bottom())
        order = self._order[seen]
        density = painter.device().devicePixelRatioF()
        self._atlas.prepare(scene.look, scene.fills, density)
        self._atlas.stamp(
            painter,
            scene.places[order],
            scene.radii[order],
            self._signs[order],
            scene.steps[order],
            None if scene.lit_nodes is None else scene.lit_nodes[order],
        )


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


def _paint_heads(painter: QPainter, scene: BulkScene, edges: IntArray) -> None:
    ends = scene.picture.edges[edges]
    lines = compute_edge_lines(scene.places, scene.radii, ends, np.zeros(len(edges)))
    size = min(max(float(scene.radii.max()) / 24.0, 0.45), 1.0)
    length = np.hypot(*(lines.ends - lines.starts).T)
    styles, ground = scene.look.tokens.relations, scene.look.color("surface")
    names = np.array(scene.picture.relations)[edges]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for name, style in styles.items():
        kin = (names == name) if name != "related" else ~np.isin(names, [*styles][1:])
        kin &= lines.shown & (length >= head_length(style.head) * size + 4.0)
        tips, headings = lines.ends[kin], lines.headings[kin]
        if style.head == "bar":
            tips = np.concatenate((tips, lines.starts[kin]))
            headings = np.concatenate((headings, -headings))
        paint_heads(painter, style.head, tips, headings, QColor(style.color), ground, size)


def _paint_rings(painter: QPainter, scene: BulkScene) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for node in dict.fromkeys((scene.selected, scene.current)):
        if node is None:
            continue
        x, y = scene.places[node].tolist()
        radius, kind = float(scene.radii[node]), scene.picture.types[node]
        if node == scene.selected:
            painter.setPen(QPen(scene.look.color("accent"), 2.5))
            painter.drawPath(make_shape(kind, x, y, radius + 2.5))
        if node == scene.current:
            reach = radius * find_reach(kind) + (7.0 if node == scene.selected else 4.0)
            painter.setPen(QPen(scene.look.color("accent"), 2.0))
            painter.drawEllipse(QPointF(x, y), reach, reach)


def _paint_labels(painter: QPainter, scene: BulkScene, bounds: QRectF) -> None:
    plain, strong = scene.look.font("caption"), scene.look.font("caption")
    strong.setWeight(QFont.Weight.DemiBold)
    ground = scene.look.color("surface")
    ground.setAlphaF(0.86)
    for label in scene.labels:
        box = label.box
        area = QRectF(box.left, box.top, box.width, box.height)
        if not bounds.intersects(area):
            continue
        if scene.is_resting:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(area.adjusted(-3, 1, 3, -1), 4, 4)
        else:
            painter.fillRect(area, ground)
        painter.setFont(strong if label.node == scene.selected else plain)
        painter.setPen(scene.look.color("text"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, label.text)
