"""Paints a graph of many nodes: lines in bulk, nodes from an atlas, the rest once it rests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen

from mvdesk.ui.plots.graph_atlas import NodeAtlas, find_signs, paint_signs
from mvdesk.ui.plots.graph_bulk_edges import EdgePainter
from mvdesk.ui.plots.graph_bulk_scene import BulkScene, is_on_pixels
from mvdesk.ui.plots.graph_item import make_shape, paint_pins
from mvdesk.ui.plots.graph_picture import find_reach
from mvdesk.ui.plots.scene_item import SceneItem

if TYPE_CHECKING:
    from mvdesk.ui.plots.graph_picture import GraphPicture

BULK_FROM: Final = 200
"""Nodes from which a picture is painted in bulk."""


class BulkItem(SceneItem[BulkScene]):
    """One item for all nodes and edges. What depends on the picture alone is kept."""

    def __init__(self) -> None:
        super().__init__()
        self._atlas = NodeAtlas()
        self._known: GraphPicture | None = None
        self._signs = np.empty(0, dtype=np.intp)
        self._order = np.empty(0, dtype=np.intp)
        self._edges = EdgePainter()

    def set_scene(self, scene: BulkScene | None, size: tuple[float, float]) -> None:
        """Paint something else; None for nothing."""
        if scene is not None and scene.picture is not self._known:
            self._learn(scene)
        super().set_scene(scene, size)

    def paint(self, painter: QPainter, *_: Any) -> None:
        scene = self._scene
        if scene is None:
            return
        painter.setClipRect(self._bounds, Qt.ClipOperation.IntersectClip)
        self._edges.paint(painter, scene, self._bounds)
        self._paint_nodes(painter, scene)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pins = [(*scene.places[node].tolist(), float(scene.radii[node])) for node in scene.pinned]
        paint_pins(painter, pins, scene.look)
        _paint_rings(painter, scene)
        _paint_labels(painter, scene, self._bounds)

    def _learn(self, scene: BulkScene) -> None:
        before, picture = self._known, scene.picture
        self._known = picture
        self._order = np.argsort(picture.importance, kind="stable")  # the weighty ones on top
        # A preview changes the scores alone, many times a second.
        if before is None or picture.types is not before.types:
            self._signs = find_signs(picture)
        if before is None or picture.relations is not before.relations:
            self._edges.learn(scene)

    def _paint_nodes(self, painter: QPainter, scene: BulkScene) -> None:
        x, y = scene.places[self._order].T
        reach = float(scene.radii.max(initial=0.0)) * 1.3 + 2.0
        area = self._bounds.adjusted(-reach, -reach, reach, reach)
        seen = (x > area.left()) & (x < area.right()) & (y > area.top()) & (y < area.bottom())
        order = self._order[seen]
        lit = None if scene.lit_nodes is None else scene.lit_nodes[order]
        nodes = scene.places[order], scene.radii[order], self._signs[order], scene.steps[order]
        if is_on_pixels(painter):
            density = painter.device().devicePixelRatioF()
            self._atlas.prepare(scene.look, scene.fills, density)
            self._atlas.stamp(painter, *nodes, lit)
        else:
            paint_signs(painter, scene.look, scene.fills, *nodes, lit)


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
