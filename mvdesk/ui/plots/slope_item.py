"""Paints a slope chart that was already laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from mvdesk.ui.plots.scene_item import SceneItem
from mvdesk.ui.plots.slope_layout import SlopeLayout, SlopeLine, SlopePlace, format_gain
from mvdesk.ui.plots.waterfall_kit import kit_of
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionGraphicsItem

    from mvdesk.ui.theme import Look

_FAINT: Final = 0.25
_LOSS_DASHES: Final = (4.0, 4.0)


@dataclass(frozen=True, slots=True)
class SlopeScene:
    """All that the item needs to know for painting.

    `current` is the line of the selected memory, `hovered` the one under the mouse.
    """

    lines: tuple[SlopeLine, ...]
    layout: SlopeLayout
    look: Look
    current: int | None = None
    hovered: int | None = None
    focused: bool = False


class SlopeItem(SceneItem[SlopeScene]):
    """Lines from the rank before to the rank after, in px of the view."""

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, *_: Any) -> None:
        if self._scene is not None and self._scene.lines:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _Brushwork(painter, self._scene, self._bounds.width()).paint()


class _Brushwork:
    """One painting of a scene."""

    def __init__(self, painter: QPainter, scene: SlopeScene, width: float) -> None:
        self._painter, self._scene, self._width = painter, scene, width
        self._layout, self._look = scene.layout, scene.look
        self._kit = kit_of(scene.look)
        self._face = self._kit.face("caption")
        self._strong = self._kit.face("caption", strong=True)
        self._columns = self._measure()

    def paint(self) -> None:
        scene = self._scene
        self._paint_heads()
        self._paint_ground()
        loud = scene.current if scene.hovered is None else scene.hovered
        order = [n for n in range(len(scene.lines)) if n != loud]
        for number in order if loud is None else [*order, loud]:
            self._paint_line(number, loud)

    def _paint_heads(self) -> None:
        layout, painter = self._layout, self._painter
        for x in (layout.left, layout.right):
            painter.setPen(self._kit.pen("hairline"))
            x = round(x) + 0.5
            painter.drawLine(QLineF(x, layout.upper - 4, x, layout.lower + 4))
        painter.setPen(self._kit.color("text_muted"))
        top = 2.0 * self._look.scale
        gap = 6.0 * self._look.scale
        left = QRectF(0, top, layout.left + gap, self._face.height)
        self._kit.draw(painter, "before", left, self._face, right=True)
        right = QRectF(layout.right - gap, top, self._width, self._face.height)
        self._kit.draw(painter, tr("rank in the preview"), right, self._face)

    def _paint_ground(self) -> None:
        """Below all labels: they stand so close that it would cut a neighbour's."""
        scene, painter, scale = self._scene, self._painter, self._look.scale
        spot = None if scene.current is None else self._layout.places[scene.current].after_label
        if spot is None:
            return
        left = self._layout.right + 9.0 * scale
        half = self._face.height / 2
        ground = QRectF(left, spot - half, self._width - left - 2, 2 * half)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._kit.color("selection_tint"))
        painter.drawRoundedRect(ground, 4, 4)
        if scene.focused:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._kit.pen("accent", 2.0))
            painter.drawRoundedRect(ground, 4, 4)

    def _paint_line(self, number: int, loud: int | None) -> None:
        scene, painter = self._scene, self._painter
        line, place = scene.lines[number], self._layout.places[number]
        is_loud, falls = number == loud, line.gain < 0
        alpha = 1.0 if is_loud or scene.hovered is None else _FAINT
        token = "negative" if falls else "positive"
        width = 3.0 if is_loud else 1.5
        dashes = tuple(dash / width * 1.5 for dash in _LOSS_DASHES) if falls else ()
        painter.setPen(self._kit.pen(token, width, alpha, dashes))
        layout = self._layout
        painter.drawLine(QLineF(layout.left, place.start, layout.right, place.end))
        self._paint_ends(place, token, alpha, falls=falls)
        self._paint_labels(number, place, is_loud, alpha)

    def _paint_ends(self, place: SlopePlace, token: str, alpha: float, *, falls: bool) -> None:
        """A dot where it was, an arrow head up or down where it is; leaders to the labels."""
        painter, layout, scale = self._painter, self._layout, self._look.scale
        gap = 12.0 * scale
        painter.setPen(self._kit.pen("text_muted", 1.0, alpha * 0.6))
        if place.after_label is not None:
            there = QPointF(layout.right + gap - 3 * scale, place.after_label)
            painter.drawLine(QPointF(layout.right, place.end), there)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._kit.color(token, alpha))
        painter.drawEllipse(QPointF(layout.left, place.start), 2.5 * scale, 2.5 * scale)
        size = 4.0 * scale * (1 if falls else -1)
        x, y = layout.right, place.end
        head = [QPointF(x - abs(size), y - size), QPointF(x + abs(size), y - size)]
        painter.drawPolygon(QPolygonF([*head, QPointF(x, y + size)]))

    def _paint_labels(self, number: int, place: SlopePlace, is_loud: bool, alpha: float) -> None:
        scene, painter, scale = self._scene, self._painter, self._look.scale
        line, gap = scene.lines[number], 12.0 * scale
        face = self._strong if is_loud else self._face
        half = self._face.height / 2
        if place.before_label is not None:
            painter.setPen(self._kit.color("text_muted", alpha))
            area = QRectF(0, place.before_label - half, self._layout.left - gap, 2 * half)
            self._kit.draw(painter, format_number(line.rank_before, ","), area, face, right=True)
        if place.after_label is None:
            return
        left = self._layout.right + gap
        area = QRectF(left, place.after_label - half, self._width - left - 4, 2 * half)
        cells = (
            (format_number(line.rank_after, ","), "text", self._columns[0]),
            (
                format_gain(line.gain),
                "text" if number == scene.current else _tone(line),
                self._columns[1],
            ),
        )
        for text, token, width in cells:
            cell = QRectF(area.left(), area.top(), width, area.height())
            painter.setPen(self._kit.color(token, alpha))
            self._kit.draw(painter, text, cell, face, right=True)
            area.setLeft(cell.right() + 6 * scale)
        if area.width() > 12 * scale:
            painter.setPen(self._kit.color("text", alpha))
            self._kit.draw(painter, face.elided(line.title, area.width()), area, face)

    def _measure(self) -> tuple[float, float]:
        """How wide ranks and gains are, so that they stand below one another."""
        lines = self._scene.lines
        rank = max(self._strong.width(format_number(line.rank_after, ",")) for line in lines)
        gain = max(self._strong.width(format_gain(line.gain)) for line in lines)
        return rank, gain


def _tone(line: SlopeLine) -> str:
    return "negative" if line.gain < 0 else "positive"
