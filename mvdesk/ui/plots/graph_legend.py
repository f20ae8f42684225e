"""The legend below a graph: the relations, types and colours that occur in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from mvdesk.records import MEMORY_TYPES, RELATIONS
from mvdesk.ui.plots.graph_filter import NO_FILTER, GraphFilter, find_kept
from mvdesk.ui.plots.graph_item import head_length, make_edge_pen, make_shape, paint_head
from mvdesk.ui.plots.graph_labels import FlowBox, flow_entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.theme import Look

_SAMPLE_PX: Final = 30.0
_SHAPE_PX: Final = 12.0
_STEP_PX: Final = 12.0


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One sign and what it stands for; `is_off` when the person left that out.

    `room` is the longest text it gets, so that the strip stays as it is when something is
    left out.
    """

    kind: Literal["relation", "type", "ramp"]
    name: str
    text: str
    is_off: bool = False
    room: str = ""


def list_entries(picture: GraphPicture, wanted: GraphFilter = NO_FILTER) -> list[LegendEntry]:
    """What the legend of a picture explains, with how many pass the filter.

    Nothing for a picture without nodes.
    """
    if not len(picture):
        return []
    nodes, edges = find_kept(picture, wanted)
    present: set[str] = set(picture.relations)
    # An unknown relation of a foreign file is drawn as a plain link and listed by its name.
    names: list[str] = [name for name in RELATIONS if name in present]
    names += sorted(present.difference(RELATIONS))
    all_links, all_memories = Counter(picture.relations), Counter(picture.types)
    links = Counter(picture.relations[edge] for edge in edges.tolist())
    entries = [
        LegendEntry(
            "relation",
            name,
            f"{name.replace('_', ' ')} {links[name]:,}",
            name in wanted.relations_off,
            f"{name.replace('_', ' ')} {all_links[name]:,}",
        )
        for name in names
    ]
    types = set(picture.types)
    memories = Counter(picture.types[node] for node in nodes.tolist())
    entries += [
        LegendEntry(
            "type",
            name,
            f"{name} {memories[name]:,}",
            name in wanted.types_off,
            f"{name} {all_memories[name]:,}",
        )
        for name in MEMORY_TYPES
        if name in types
    ]
    return [*entries, LegendEntry("ramp", "confidence", "confidence")]


class LegendItem(pg.GraphicsObject):
    """A strip of entries, wrapped to the width."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[LegendEntry] = []
        self._boxes: list[FlowBox] = []
        self._widths: list[float] = []
        self._line = 0.0
        self._look: Look | None = None
        self._bounds = QRectF()

    def entry_at(self, x: float, y: float) -> LegendEntry | None:
        """The relation or type at a point of the strip."""
        for entry, box, width in zip(self._entries, self._boxes, self._widths, strict=True):
            left, top = box.left + 12.0, box.top + 4.0
            if left <= x <= left + width and top <= y <= top + self._line:
                return None if entry.kind == "ramp" else entry
        return None

    def fit(self, entries: list[LegendEntry], width: float, most: float, look: Look) -> float:
        """Set as much as fits into a height of `most` px, relations first; gives back the height.

        What has no room is in the graph's menu.
        """
        relations = [entry for entry in entries if entry.kind == "relation"]
        for shown in (entries, relations):
            strip = self.arrange(shown, width, look)
            if strip <= most:
                return strip
        return self.arrange([], width, look)

    def arrange(self, entries: list[LegendEntry], width: float, look: Look) -> float:
        """Set entries into a width and give back the height of the strip, in px."""
        self.prepareGeometryChange()
        self._entries, self._look = entries, look
        metrics = QFontMetricsF(look.font("caption"))
        widths = [
            _sample_width(entry, look)
            + max(map(metrics.horizontalAdvance, (entry.text, entry.room)))
            + (_ramp_width(look, metrics) if entry.kind == "ramp" else 0.0)
            for entry in entries
        ]
        pad = 12.0
        line = max(24.0 * look.scale, metrics.height() + 4)
        self._widths, self._line = widths, line
        self._boxes, height = flow_entries(widths, width - 2 * pad, line, 14.0 * look.scale)
        height += 8.0 if entries else 0.0
        self._bounds = QRectF(0.0, 0.0, width, height)
        self.update()
        return height

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, *_: Any) -> None:
        look = self._look
        if look is None or not self._entries:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.color("hairline"), 1.0))
        painter.drawLine(QLineF(0.0, 0.5, self._bounds.width(), 0.5))
        font = look.font("caption")
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        line = self._line
        for entry, box in zip(self._entries, self._boxes, strict=True):
            left, middle = box.left + 12.0, box.top + 4.0 + line / 2
            # Struck through as well: paleness alone might be taken for the colour.
            painter.setOpacity(0.55 if entry.is_off else 1.0)
            font.setStrikeOut(entry.is_off)
            painter.setFont(font)
            _paint_sample(painter, entry, left, middle, look)
            left += _sample_width(entry, look)
            width = metrics.horizontalAdvance(entry.text) + 2
            painter.setPen(look.color("text_secondary"))
            where = QRectF(left, middle - line / 2, width, line)
            painter.drawText(where, Qt.AlignmentFlag.AlignVCenter, entry.text)
            if entry.kind == "ramp":
                _paint_ramp(painter, left + width, middle, look, metrics)


def _sample_width(entry: LegendEntry, look: Look) -> float:
    if entry.kind == "ramp":
        return 0.0
    return (_SAMPLE_PX if entry.kind == "relation" else _SHAPE_PX + 2) * look.scale + 6.0


def _ramp_width(look: Look, metrics: QFontMetricsF) -> float:
    ends = metrics.horizontalAdvance("0") + metrics.horizontalAdvance("1") + 14.0
    return ends + _STEP_PX * look.scale * len(look.tokens.confidence_ramp)


def _paint_sample(
    painter: QPainter, entry: LegendEntry, left: float, middle: float, look: Look
) -> None:
    y = round(middle) + 0.5
    if entry.kind == "relation":
        relations = look.tokens.relations
        style = relations.get(entry.name, relations["related"])
        right = left + _SAMPLE_PX * look.scale
        painter.setPen(make_edge_pen(style))
        painter.drawLine(QLineF(left, y, right - head_length(style.head), y))
        color, ground = QColor(style.color), look.color("surface")
        paint_head(painter, style.head, (right, y), (1.0, 0.0), color, ground, 1.0)
        if style.head == "bar":
            paint_head(painter, style.head, (left, y), (-1.0, 0.0), color, ground, 1.0)
    elif entry.kind == "type":
        radius = _SHAPE_PX / 2 * look.scale
        painter.setPen(QPen(look.color("control_border"), 1.25))
        painter.setBrush(QColor(look.tokens.confidence_ramp[2]))
        painter.drawPath(make_shape(entry.name, left + radius, y, radius * 0.9))


def _paint_ramp(
    painter: QPainter, left: float, middle: float, look: Look, metrics: QFontMetricsF
) -> None:
    ramp: Sequence[str] = look.tokens.confidence_ramp
    step, height = _STEP_PX * look.scale, 10.0 * look.scale
    text_height = metrics.height()

    def write(text: str, x: float) -> float:
        width = metrics.horizontalAdvance(text)
        painter.setPen(look.color("text_muted"))
        area = QRectF(x, middle - text_height / 2, width + 1, text_height)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
        return width

    x = left + 4.0
    x += write("0", x) + 4.0
    painter.setPen(QPen(look.color("control_border"), 1.0))
    for color in ramp:
        painter.setBrush(QColor(color))
        painter.drawRect(QRectF(round(x) + 0.5, round(middle - height / 2) + 0.5, step, height))
        x += step
    write("1", x + 4.0)
