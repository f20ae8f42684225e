"""Paints a graph picture: edges, nodes, labels, legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF

from mvdesk.ui.plots.graph_fill import paint_fill
from mvdesk.ui.plots.graph_picture import DIAMOND_HALF, SQUARE_HALF, find_reach
from mvdesk.ui.plots.scene_item import SceneItem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.ui.plots.graph_captions import PlacedLabel
    from mvdesk.ui.plots.graph_fill import NodeFill
    from mvdesk.ui.plots.graph_picture import EdgeLines, GraphPicture
    from mvdesk.ui.theme import Look, RelationStyle

DIMMED: Final = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class GraphScene:
    """All that the item needs for painting, in px of the view.

    `lit_nodes` and `lit_edges` are what stays bright under the mouse, `None` when nothing is
    dimmed. `zoom` scales heads and outlines as far as they stay legible. `fills` are those that
    `steps` number.
    """

    picture: GraphPicture
    steps: IntArray
    places: FloatArray
    radii: FloatArray
    lines: EdgeLines
    labels: Sequence[PlacedLabel]
    zoom: float
    look: Look
    selected: int | None = None
    current: int | None = None
    pinned: Sequence[int] = ()
    lit_nodes: BoolArray | None = None
    lit_edges: BoolArray | None = None
    fills: Sequence[NodeFill] = ()


class GraphItem(SceneItem[GraphScene]):
    """The picture itself, without legend. One item for all of it, repainted in place."""

    def paint(self, painter: QPainter, *_: Any) -> None:
        if self._scene is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self._bounds, Qt.ClipOperation.IntersectClip)
        _Brushwork(painter, self._scene, self._bounds).paint()


class _Brushwork:
    """One painting of a scene."""

    def __init__(self, painter: QPainter, scene: GraphScene, bounds: QRectF) -> None:
        self._painter = painter
        self._scene = scene
        self._look = scene.look
        self._bounds = bounds
        self._plain, self._strong = scene.look.font("caption"), scene.look.font("caption")
        self._strong.setWeight(QFont.Weight.DemiBold)

    def paint(self) -> None:
        lit = self._scene.lit_edges
        self._painter.setOpacity(DIMMED if lit is not None else 1.0)
        paint_inferred(self._painter, self._scene.picture, self._scene.places, self._look)
        self._painter.setOpacity(1.0)
        if lit is not None:
            self._painter.setOpacity(DIMMED)
            self._paint_edges(~lit, 0.0)
            self._painter.setOpacity(1.0)
            self._paint_edges(lit, 1.0)
        else:
            self._paint_edges(None, 0.0)
        self._paint_nodes()
        for label in self._scene.labels:
            self._paint_label(label)

    def _paint_edges(self, chosen: BoolArray | None, wider: float) -> None:
        scene = self._scene
        relations = self._look.tokens.relations
        by_style: dict[str, list[int]] = {}
        for edge, relation in enumerate(scene.picture.relations):
            if scene.lines.shown[edge] and (chosen is None or chosen[edge]):
                known = relation if relation in relations else "related"
                by_style.setdefault(known, []).append(edge)
        for relation, style in relations.items():  # the less telling relations first, below
            if edges := by_style.get(relation):
                self._paint_edges_of(style, edges, wider)

    def _paint_edges_of(self, style: RelationStyle, edges: list[int], wider: float) -> None:
        lines = self._scene.lines
        size = min(max(self._scene.zoom, 0.65), 1.15)
        color = QColor(style.color)
        self._painter.setPen(make_edge_pen(style, wider))
        reach = head_length(style.head) * size
        ends = lines.ends[edges] - lines.headings[edges] * reach
        starts = lines.starts[edges]
        self._painter.drawLines(
            [
                QLineF(x1, y1, x2, y2)
                for (x1, y1), (x2, y2) in zip(starts.tolist(), ends.tolist(), strict=True)
            ]
        )
        ground = self._look.color("surface")
        for edge in edges:
            tip, heading = lines.ends[edge].tolist(), lines.headings[edge].tolist()
            paint_head(self._painter, style.head, tip, heading, color, ground, size)
            if style.head == "bar":
                back = (-heading[0], -heading[1])
                start = lines.starts[edge].tolist()
                paint_head(self._painter, style.head, start, back, color, ground, size)

    def _paint_nodes(self) -> None:
        scene = self._scene
        outline = QPen(self._look.color("control_border"), 1.25)
        dashed = QPen(self._look.color("text_secondary"), 1.5)
        dashed.setDashPattern([3.0, 2.0])
        steps, radii = scene.steps.tolist(), scene.radii.tolist()
        archived = scene.picture.archived.tolist()
        for node, (x, y) in enumerate(scene.places.tolist()):
            radius = radii[node]
            reach = radius + 12.0
            if not self._bounds.intersects(QRectF(x - reach, y - reach, 2 * reach, 2 * reach)):
                continue
            bright = scene.lit_nodes is None or bool(scene.lit_nodes[node])
            self._painter.setOpacity(1.0 if bright else DIMMED)
            shape = make_shape(scene.picture.types[node], x, y, radius)
            # The ground first: dimmed or archived, no edge may show through.
            self._painter.setPen(Qt.PenStyle.NoPen)
            if bright:
                self._painter.fillPath(shape, self._look.color("surface"))
            paint_fill(
                self._painter,
                shape,
                scene.fills[steps[node]],
                (x, y, radius),
                self._look,
                dashed if archived[node] else outline,
                archived=archived[node],
            )
            self._paint_rings(node, x, y, radius)
        self._painter.setOpacity(1.0)
        places = [(*scene.places[node].tolist(), radii[node]) for node in scene.pinned]
        paint_pins(self._painter, places, self._look)

    def _paint_rings(self, node: int, x: float, y: float, radius: float) -> None:
        scene = self._scene
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        kind = scene.picture.types[node]
        if node == scene.selected:
            self._painter.setPen(QPen(self._look.color("accent"), 2.5))
            self._painter.drawPath(make_shape(kind, x, y, radius + 2.5))
        if node == scene.current:
            reach = radius * find_reach(kind)
            reach += 7.0 if node == scene.selected else 4.0
            self._painter.setPen(QPen(self._look.color("accent"), 2.0))
            self._painter.drawEllipse(QPointF(x, y), reach, reach)

    def _paint_label(self, label: PlacedLabel) -> None:
        box = label.box
        area = QRectF(box.left, box.top, box.width, box.height)
        if not self._bounds.intersects(area):
            return
        scene = self._scene
        font, token = self._plain, "text"
        if label.node is None:
            token = "text_secondary"
        elif label.node == scene.selected:
            font = self._strong
        elif scene.picture.archived[label.node]:
            token = "text_muted"
        # Ground behind the text: outlining the letters takes a hundred times as long. Edges
        # run through the middle of their own labels, so those let nothing shine through.
        ground = self._look.color("surface")
        ground.setAlphaF(1.0 if label.node is None else 0.86)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(ground)
        self._painter.drawRoundedRect(area.adjusted(-3, 1, 3, -1), 4, 4)
        self._painter.setFont(font)
        self._painter.setPen(self._look.color(token))
        self._painter.drawText(area, Qt.AlignmentFlag.AlignCenter, label.text)


def make_shape(kind: str, x: float, y: float, radius: float) -> QPainterPath:
    """A node's outline: square for a fact, diamond for a journal, circle for all else.

    All of the same area at the same radius.
    """
    path = QPainterPath()
    if kind == "fact":
        half = radius * SQUARE_HALF
        path.addRoundedRect(QRectF(x - half, y - half, 2 * half, 2 * half), 2.0, 2.0)
    elif kind == "journal":
        half = radius * DIAMOND_HALF
        path.addPolygon(
            QPolygonF(
                [
                    QPointF(x, y - half),
                    QPointF(x + half, y),
                    QPointF(x, y + half),
                    QPointF(x - half, y),
                ]
            )
        )
        path.closeSubpath()
    else:
        path.addEllipse(QPointF(x, y), radius, radius)
    return path


def paint_inferred(
    painter: QPainter, picture: GraphPicture, places: FloatArray, look: Look
) -> None:
    """Dotted lines between nodes that share tags, below everything else."""
    if not len(picture.inferred):
        return
    painter.setPen(make_inferred_pen(look))
    ends = places[picture.inferred].reshape(-1, 4).tolist()
    painter.drawLines([QLineF(*end) for end in ends])


def paint_pins(painter: QPainter, places: Sequence[tuple[float, float, float]], look: Look) -> None:
    """A ringed dot on nodes that were put where they are: x, y and radius of each."""
    painter.setBrush(look.color("text"))
    painter.setPen(QPen(look.color("surface"), 1.5))
    for x, y, radius in places:
        size = min(max(radius * 0.35, 2.0), 5.0)
        painter.drawEllipse(QPointF(x, y), size, size)


def make_edge_pen(style: RelationStyle, wider: float = 0.0) -> QPen:
    """The pen of a relation: hue, width and dash."""
    pen = QPen(QColor(style.color), style.width + wider)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style.dash:
        # Qt counts dashes in pen widths, the tokens in px.
        pen.setDashPattern([length / pen.widthF() for length in style.dash])
    return pen


def make_inferred_pen(look: Look) -> QPen:
    """The pen of links that nobody made: fine dots, like no relation's dash."""
    pen = QPen(look.color("text_muted"), 1.5)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setDashPattern([0.01, 2.6])  # in pen widths: a round cap around next to nothing is a dot
    pen.setCosmetic(True)
    return pen


def head_length(head: str) -> float:
    """How far a head reaches back from the tip, in px at size 1; the line ends there."""
    return {"triangle": 9.0, "open_triangle": 10.0, "diamond": 11.0, "circle": 8.0}.get(head, 0.0)


def paint_head(
    painter: QPainter,
    head: str,
    tip: Sequence[float],
    heading: Sequence[float],
    color: QColor,
    ground: QColor,
    size: float,
) -> None:
    """The end of an edge at `tip`, pointing along `heading` (a unit vector)."""
    if head == "none":
        return
    x, y = tip
    dx, dy = heading
    reach = head_length(head) * size

    def at(back: float, aside: float) -> QPointF:
        return QPointF(x - dx * back - dy * aside, y - dy * back + dx * aside)

    painter.setPen(QPen(color, 1.5))
    painter.setBrush(color)
    if head == "bar":
        painter.setPen(QPen(color, 2.25))
        painter.drawLine(QLineF(at(0, -6 * size), at(0, 6 * size)))
    elif head == "circle":
        painter.setBrush(ground)
        painter.drawEllipse(at(reach / 2, 0), reach / 2 - 0.5, reach / 2 - 0.5)
    elif head == "diamond":
        half = 4.0 * size
        corners = [at(0, 0), at(reach / 2, half), at(reach, 0), at(reach / 2, -half)]
        painter.drawPolygon(QPolygonF(corners))
    else:
        half = 4.5 * size
        if head == "open_triangle":
            painter.setBrush(ground)
        painter.drawPolygon(QPolygonF([at(0, 0), at(reach, half), at(reach, -half)]))
