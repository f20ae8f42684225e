"""How the six relations are drawn and named, wherever a link is shown."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from mvdesk.ui.theme import RelationStyle, applied, is_look_change
from mvdesk.wording import tr

OUTGOING: Final[dict[str, str]] = {
    "related": tr("related to"),
    "supports": tr("supports"),
    "contradicts": tr("contradicts"),
    "supersedes": tr("supersedes"),
    "causes": tr("causes"),
    "example_of": tr("example of"),
}
INCOMING: Final[dict[str, str]] = {
    "related": tr("related to"),
    "supports": tr("supported by"),
    "contradicts": tr("contradicted by"),
    "supersedes": tr("superseded by"),
    "causes": tr("caused by"),
    "example_of": tr("has example"),
}


def relation_phrase(relation: str, *, outgoing: bool) -> str:
    """A relation in words, read from this memory; unknown relations as the file spells them."""
    return (OUTGOING if outgoing else INCOMING).get(relation, relation.replace("_", " "))


def relation_style(relation: str) -> RelationStyle:
    """How a relation looks now; unknown ones look like "related"."""
    relations = applied().tokens.relations
    return relations.get(relation, relations["related"])


class RelationMark(QWidget):
    """A short piece of the edge as the graph draws it: line, dash and head."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._relation = "related"
        self._outgoing = True
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._restyle()

    def set_relation(self, relation: str, *, outgoing: bool = True) -> None:
        """Show a relation; an incoming one has its head at the left."""
        self._relation, self._outgoing = relation, outgoing
        self.setAccessibleName(relation_phrase(relation, outgoing=outgoing))
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        self.setFixedSize(QSize(look.px(30), look.px(12)))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._outgoing:
            painter.translate(self.width(), 0)
            painter.scale(-1, 1)
        paint_relation(
            painter,
            QRectF(self.rect()),
            relation_style(self._relation),
            applied().scale,
            applied().color("raised"),
        )
        painter.end()


def paint_relation(
    painter: QPainter, rect: QRectF, style: RelationStyle, scale: float, hollow: QColor
) -> None:
    """Draw a horizontal edge with its head at the right; `hollow` fills open heads."""
    color = QColor(style.color)
    width, size, middle = style.width * scale, 4.0 * scale, rect.center().y()
    left, right = rect.left() + width, rect.right() - width
    both_ends = style.head == "bar"
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style.dash:
        pen.setDashPattern([length / style.width for length in style.dash])
    painter.setPen(pen)
    inset = {"none": 0.0, "bar": 0.0}.get(style.head, 1.6 * size)
    painter.drawLine(QPointF(left, middle), QPointF(right - inset, middle))
    solid = QPen(color, max(width, 1.0))
    solid.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(solid)
    painter.setBrush(hollow if style.head in ("open_triangle", "circle") else color)
    if both_ends:
        for x in (left, right):
            painter.drawLine(QPointF(x, middle - size), QPointF(x, middle + size))
    elif style.head == "circle":
        painter.drawEllipse(QPointF(right - size * 0.8, middle), size * 0.8, size * 0.8)
    elif style.head in ("triangle", "open_triangle"):
        painter.drawPolygon(_points(right, middle, ((0, 0), (-1.6, -0.9), (-1.6, 0.9)), size))
    elif style.head == "diamond":
        corners = ((0, 0), (-0.9, -0.9), (-1.8, 0), (-0.9, 0.9))
        painter.drawPolygon(_points(right, middle, corners, size))


def _points(x: float, y: float, corners: tuple[tuple[float, float], ...], size: float) -> QPolygonF:
    return QPolygonF([QPointF(x + dx * size, y + dy * size) for dx, dy in corners])
