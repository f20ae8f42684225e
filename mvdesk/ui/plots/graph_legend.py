"""The legend below a graph: the relations, types and colours that occur in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from mvdesk.records import MEMORY_TYPES, RELATION_WORDS, RELATIONS, TYPE_WORDS
from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.plots.graph_fill import paint_fill
from mvdesk.ui.plots.graph_filter import NO_FILTER, GraphFilter, find_kept
from mvdesk.ui.plots.graph_item import (
    head_length,
    make_edge_pen,
    make_inferred_pen,
    make_shape,
    paint_head,
)
from mvdesk.ui.plots.graph_labels import FlowBox, flow_entries
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import IntArray
    from mvdesk.ui.plots.graph_colouring import Colouring
    from mvdesk.ui.plots.graph_fill import NodeFill
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.theme import Look

_SAMPLE_PX: Final = 30.0
_SHAPE_PX: Final = 12.0
_STEP_PX: Final = 12.0
_MARKED_PX: Final = 16.0
_MOST_LETTERS: Final = 26


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One sign and what it stands for; `is_off` when the person left that out.

    `room` is the longest text it gets, so that the strip stays as it is when something is
    left out. `code` is the class of colour, −1 for none; `ends` are the words at the ends of a
    scale.
    """

    kind: Literal["relation", "type", "source", "inferred", "heading", "class", "ramp"]
    name: str
    text: str
    is_off: bool = False
    room: str = ""
    code: int = -1
    ends: tuple[str, str] = ("0", "1")

    @property
    def is_switch(self) -> bool:
        """Whether a click leaves it out or has it back."""
        return self.kind in ("relation", "type", "source", "inferred")


def list_entries(
    picture: GraphPicture,
    wanted: GraphFilter = NO_FILTER,
    colouring: Colouring | None = None,
    kept: tuple[IntArray, IntArray] | None = None,
) -> list[LegendEntry]:
    """What the legend of a picture explains, with how many pass the filter.

    Nothing for a picture without nodes. Without a `colouring` colours say the confidence.
    `kept` are the nodes and edges that pass, where they are known.
    """
    if not len(picture):
        return []
    nodes, edges = find_kept(picture, wanted) if kept is None else kept
    present: set[str] = set(picture.relations)
    # An unknown relation of a foreign file is drawn as a plain link and listed by its name.
    names: list[str] = [name for name in RELATIONS if name in present]
    names += sorted(present.difference(RELATIONS))
    all_links, all_memories = Counter(picture.relations), Counter(picture.types)
    links = _count_kept(picture.relations, edges, all_links)
    entries = [
        _switch("relation", name, links[name], all_links[name], name in wanted.relations_off)
        for name in names
    ]
    if len(picture.inferred):
        count = len(picture.inferred)
        shown = int(np.isin(picture.inferred, nodes).all(axis=1).sum()) if wanted.inferred else 0
        entries.append(_switch("inferred", tr("shared tags"), shown, count, not wanted.inferred))
    types = set(picture.types)
    memories = _count_kept(picture.types, nodes, all_memories)
    entries += [
        _switch("type", name, memories[name], all_memories[name], name in wanted.types_off)
        for name in MEMORY_TYPES
        if name in types
    ]
    return [*entries, *_list_colours(nodes, wanted, colouring)]


def _count_kept(names: Sequence[str], kept: IntArray, everywhere: Counter[str]) -> Counter[str]:
    """How often each name occurs in the places that are kept."""
    if len(kept) == len(names):
        return everywhere
    return Counter(np.array(names, dtype=object)[kept].tolist())


def list_sources(picture: GraphPicture, wanted: GraphFilter) -> list[LegendEntry]:
    """The sources of a picture, the frequent ones first, as switches."""
    nodes, _ = find_kept(picture, wanted)
    everywhere = Counter(picture.sources)
    shown = _count_kept(picture.sources, nodes, everywhere) if everywhere else Counter()
    return [
        _switch("source", name, shown[name], count, name in wanted.sources_off)
        for name, count in sorted(everywhere.items(), key=lambda one: (-one[1], one[0]))
    ]


def _switch(
    kind: Literal["relation", "type", "source", "inferred"],
    name: str,
    shown: int,
    count: int,
    is_off: bool,
    code: int = -1,
) -> LegendEntry:
    words = {"relation": RELATION_WORDS, "type": TYPE_WORDS}.get(kind, {}).get(name, name)
    said = _shorten(words.replace("_", " ") if kind == "relation" else words) or tr("no source")
    return LegendEntry(
        kind,
        name,
        f"{said} {format_number(shown, ',')}",
        is_off,
        f"{said} {format_number(count, ',')}",
        code,
    )


def _list_colours(
    nodes: IntArray, wanted: GraphFilter, colouring: Colouring | None
) -> list[LegendEntry]:
    """What the colours say: a scale with its ends, or classes with how many are shown."""
    if colouring is None:
        return [LegendEntry("ramp", "confidence", KIND_WORDS["confidence"])]
    if colouring.ends is not None:
        return [LegendEntry("ramp", colouring.title, colouring.title, ends=colouring.ends)]
    count = len(colouring.classes)
    shown = np.bincount(colouring.codes[nodes], minlength=count).tolist()
    everywhere = np.bincount(colouring.codes, minlength=count).tolist()
    entries = [LegendEntry("heading", colouring.title, f"{colouring.title}:")]
    for code, one in enumerate(colouring.classes):
        if not everywhere[code]:
            continue
        if colouring.kind == "source" and one.mark:
            is_off = one.name in wanted.sources_off
            entries.append(_switch("source", one.name, shown[code], everywhere[code], is_off, code))
            continue
        name = _shorten(one.name)
        text, room = (
            f"{name} {format_number(shown[code], ',')}",
            f"{name} {format_number(everywhere[code], ',')}",
        )
        entries.append(LegendEntry("class", one.name, text, room=room, code=code))
    return entries


def _shorten(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS - 1].rstrip()}…"


class LegendItem(pg.GraphicsObject):
    """A strip of entries, wrapped to the width."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[LegendEntry] = []
        self._boxes: list[FlowBox] = []
        self._widths: list[float] = []
        self._line = 0.0
        self._look: Look | None = None
        self._fills: Sequence[NodeFill] = ()
        self._bounds = QRectF()
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)  # the same while the graph moves

    def entry_at(self, x: float, y: float) -> LegendEntry | None:
        """What can be switched at a point of the strip."""
        for entry, box, width in zip(self._entries, self._boxes, self._widths, strict=True):
            left, top = box.left + 12.0, box.top + 4.0
            if left <= x <= left + width and top <= y <= top + self._line:
                return entry if entry.is_switch else None
        return None

    def fit(
        self,
        entries: list[LegendEntry],
        width: float,
        most: float,
        look: Look,
        fills: Sequence[NodeFill] = (),
    ) -> float:
        """Set as much as fits into a height of `most` px, relations first; gives back the height.

        `fills` are those of the classes of colour. What has no room is in the graph's menu.
        """
        self._fills = fills
        relations = [entry for entry in entries if entry.kind in ("relation", "inferred")]
        colours = [entry for entry in entries if entry.code >= 0 or entry.kind == "heading"]
        for shown in (entries, [*relations, *colours], colours or relations):
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
            + (self._ramp_width(entry, look, metrics) if entry.kind == "ramp" else 0.0)
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

    def _ramp_width(self, entry: LegendEntry, look: Look, metrics: QFontMetricsF) -> float:
        ends = sum(map(metrics.horizontalAdvance, entry.ends)) + 14.0
        return ends + _step_px(self._fills) * look.scale * len(self._fills)

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
        is_ramp = not any(fill.mark for fill in self._fills)
        for entry, box in zip(self._entries, self._boxes, strict=True):
            left, middle = box.left + 12.0, box.top + 4.0 + line / 2
            # Struck through as well: paleness alone might be taken for the colour.
            painter.setOpacity(0.55 if entry.is_off else 1.0)
            font.setStrikeOut(entry.is_off)
            painter.setFont(font)
            if entry.code >= 0:
                _paint_class(painter, self._fills[entry.code], left, middle, look)
            else:
                _paint_sample(painter, entry, left, middle, look, is_ramp)
            left += _sample_width(entry, look)
            width = metrics.horizontalAdvance(entry.text) + 2
            painter.setPen(look.color("text_secondary"))
            where = QRectF(left, middle - line / 2, width, line)
            painter.drawText(where, Qt.AlignmentFlag.AlignVCenter, entry.text)
            if entry.kind == "ramp":
                _paint_ramp(painter, entry, self._fills, left + width, middle, look)


def _sample_width(entry: LegendEntry, look: Look) -> float:
    if entry.kind in ("heading", "ramp"):
        return 0.0
    if entry.code >= 0:
        return (_MARKED_PX + 2) * look.scale + 6.0
    is_line = entry.kind in ("relation", "inferred")
    return (_SAMPLE_PX if is_line else _SHAPE_PX + 2) * look.scale + 6.0


def _step_px(fills: Sequence[NodeFill]) -> float:
    return _MARKED_PX if any(fill.mark for fill in fills) else _STEP_PX


def _paint_sample(
    painter: QPainter, entry: LegendEntry, left: float, middle: float, look: Look, is_ramp: bool
) -> None:
    """`is_ramp`: colours say a score. Else the sample of a type has none: it'd say a class."""
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
    elif entry.kind == "inferred":
        painter.setPen(make_inferred_pen(look))
        painter.drawLine(QLineF(left, y, left + _SAMPLE_PX * look.scale, y))
    elif entry.kind == "type":
        radius = _SHAPE_PX / 2 * look.scale
        painter.setPen(QPen(look.color("control_border"), 1.25))
        painter.setBrush(
            QColor(look.tokens.confidence_ramp[2] if is_ramp else look.color("surface"))
        )
        painter.drawPath(make_shape(entry.name, left + radius, y, radius * 0.9))


def _paint_class(painter: QPainter, fill: NodeFill, left: float, middle: float, look: Look) -> None:
    radius = _MARKED_PX / 2 * look.scale
    x, y = left + radius, round(middle) + 0.5
    outline = QPen(look.color("control_border"), 1.0)
    paint_fill(painter, make_shape("note", x, y, radius), fill, (x, y, radius), look, outline)
    painter.setFont(look.font("caption"))


def _paint_ramp(
    painter: QPainter,
    entry: LegendEntry,
    fills: Sequence[NodeFill],
    left: float,
    middle: float,
    look: Look,
) -> None:
    metrics = QFontMetricsF(look.font("caption"))
    step = _step_px(fills) * look.scale
    height = (14.0 if step > _STEP_PX * look.scale else 10.0) * look.scale

    def write(text: str, x: float) -> float:
        width = metrics.horizontalAdvance(text)
        painter.setFont(look.font("caption"))
        painter.setPen(look.color("text_muted"))
        area = QRectF(x, middle - metrics.height() / 2, width + 1, metrics.height())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
        return width

    x = left + 4.0
    x += write(entry.ends[0], x) + 4.0
    outline = QPen(look.color("control_border"), 1.0)
    for fill in fills:
        box = QPainterPath()
        box.addRect(QRectF(round(x) + 0.5, round(middle - height / 2) + 0.5, step, height))
        at = box.boundingRect().center()
        paint_fill(painter, box, fill, (at.x(), at.y(), step / 2), look, outline)
        x += step
    write(entry.ends[1], x + 4.0)
