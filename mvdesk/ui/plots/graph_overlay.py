"""What lies on top of a graph: counters of folded memories, the chosen link, one being drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from mvdesk.ui.plots.graph_labels import LabelBox
from mvdesk.ui.plots.graph_picture import compute_edge_lines
from mvdesk.ui.plots.scene_item import SceneItem
from mvdesk.wording import format_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import FloatArray
    from mvdesk.ui.plots.graph_picture import EdgeLines, GraphPicture
    from mvdesk.ui.theme import Look

Link = tuple[str, str, str]
"""Ids of both ends, and the relation."""
Segment = tuple[float, float, float, float]
"""x and y of both ends, in px of the view."""

_PAD_PX: Final = 5.0
_CHOSEN_PX: Final = 3.0
_REACH_PX: Final = 6.0
_BESIDE_PX: Final = 60.0  # so far outside the view a node's counter may still be seen
_MOST_BADGES: Final = 120


@dataclass(frozen=True, slots=True)
class Badge:
    """A counter, the node it belongs to, and where it stands in px of the view."""

    text: str
    box: LabelBox
    node: int


@dataclass(frozen=True, slots=True)
class OverlayScene:
    """All that the overlay paints, in px of the view."""

    look: Look
    badges: Sequence[Badge]
    chosen: Segment | None = None
    drawn: Segment | None = None


def find_badges(
    picture: GraphPicture,
    places: FloatArray,
    radii: FloatArray,
    look: Look,
    size: tuple[float, float],
) -> list[Badge]:
    """The counters "+312" at the lower right of nodes that stand for others.

    The largest of those in a view of that `size` come first; one that would lie on a larger one
    is left out.
    """
    seen = ((places > -_BESIDE_PX) & (places < np.array(size))).all(axis=1)
    nodes = np.flatnonzero((picture.beyond > 0) & seen)
    if not len(nodes):
        return []
    metrics = QFontMetricsF(look.font("caption"))
    made: list[Badge] = []
    for node in nodes[np.argsort(-picture.beyond[nodes], kind="stable")][:_MOST_BADGES].tolist():
        text = f"+{format_number(picture.beyond[node], ',')}"
        x, y = places[node].tolist()
        away = float(radii[node]) * 0.6
        width, height = metrics.horizontalAdvance(text) + 2 * _PAD_PX, metrics.height() + 1.0
        box = LabelBox(x + away, y + away, width, height)
        if not any(_touch(box, other.box) for other in made):
            made.append(Badge(text, box, node))
    return made


def _touch(one: LabelBox, other: LabelBox) -> bool:
    across = one.left < other.left + other.width and other.left < one.left + one.width
    return across and one.top < other.top + other.height and other.top < one.top + one.height


def find_edge_line(
    picture: GraphPicture, link: Link, places: FloatArray, radii: FloatArray, lanes: FloatArray
) -> Segment | None:
    """Where a link runs on screen, in px of the view; None when it isn't in the picture."""
    edge = find_edge(picture, link)
    if edge is None:
        return None
    one = slice(edge, edge + 1)
    line = compute_edge_lines(places, radii, picture.edges[one], lanes[one])
    (x1, y1), (x2, y2) = line.starts[0].tolist(), line.ends[0].tolist()
    return (x1, y1, x2, y2)


def find_edge(picture: GraphPicture, link: Link) -> int | None:
    """The number of a link among the picture's edges; the first of several alike."""
    for edge, (start, end) in enumerate(picture.edges.tolist()):
        if (picture.ids[start], picture.ids[end], picture.relations[edge]) == link:
            return edge
    return None


def find_edge_at(lines: EdgeLines, x: float, y: float) -> int | None:
    """The edge that runs nearest to a point, within 6 px; None when none does."""
    way = lines.ends - lines.starts
    length = np.maximum((way**2).sum(axis=1), 1e-9)
    away = np.array([x, y]) - lines.starts
    along = np.clip((away * way).sum(axis=1) / length, 0.0, 1.0)
    beside = away - way * along[:, None]
    distance = np.where(lines.shown, np.hypot(beside[:, 0], beside[:, 1]), np.inf)
    nearest = int(distance.argmin())
    return nearest if distance[nearest] <= _REACH_PX else None


class GraphOverlay(SceneItem[OverlayScene]):
    """Paints an OverlayScene over the nodes. One item, repainted in place."""

    def paint(self, painter: QPainter, *_: Any) -> None:
        scene = self._scene
        if scene is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self._bounds, Qt.ClipOperation.IntersectClip)
        accent = scene.look.color("accent")
        if scene.chosen is not None:
            halo = QColor(accent)
            halo.setAlphaF(0.35)
            for width, color in ((_CHOSEN_PX + 6.0, halo), (_CHOSEN_PX, accent)):
                painter.setPen(QPen(color, width, c=Qt.PenCapStyle.RoundCap))
                painter.drawLine(QLineF(*scene.chosen))
        if scene.drawn is not None:
            painter.setPen(QPen(accent, 2.0, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(*scene.drawn))
        painter.setFont(scene.look.font("caption"))
        for badge in scene.badges:
            self._paint_badge(painter, badge, scene.look)

    def _paint_badge(self, painter: QPainter, badge: Badge, look: Look) -> None:
        box = badge.box
        area = QRectF(box.left, box.top, box.width, box.height)
        if not self._bounds.intersects(area):
            return
        painter.setPen(QPen(look.color("control_border"), 1.0))
        painter.setBrush(look.color("surface"))
        painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
        painter.setPen(look.color("text"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, badge.text)
