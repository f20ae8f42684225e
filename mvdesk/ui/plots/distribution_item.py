"""Paints a distribution that was already laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from mvdesk.ui.plots.scene_item import SceneItem
from mvdesk.ui.plots.waterfall_kit import kit_of
from mvdesk.wording import format_number

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionGraphicsItem

    from mvdesk.ui.plots.distribution_layout import DistributionLayout
    from mvdesk.ui.theme import Look

_HATCH_PX: Final = 5.0
_TICKS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, slots=True)
class DistributionScene:
    """All that the item needs to know for painting; replaced as a whole when anything moves.

    `after` is None without a preview. `sides` are the words below and above the threshold.
    `current` is the bin that the keyboard is at, `hovered` the one under the mouse.
    """

    before: tuple[int, ...]
    after: tuple[int, ...] | None
    threshold: float
    sides: tuple[str, str]
    title: str
    layout: DistributionLayout
    look: Look
    current: int | None = None
    hovered: int | None = None
    focused: bool = False
    held: bool = False


class DistributionItem(SceneItem[DistributionScene]):
    """Bars, outline, axes and threshold, in px of the view."""

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, *_: Any) -> None:
        if self._scene is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _Brushwork(painter, self._scene, self._bounds.width()).paint()


class _Brushwork:
    """One painting of a scene."""

    def __init__(self, painter: QPainter, scene: DistributionScene, width: float) -> None:
        self._painter, self._scene, self._width = painter, scene, width
        self._layout, self._look = scene.layout, scene.look
        self._kit = kit_of(scene.look)
        self._face = self._kit.face("caption")

    def paint(self) -> None:
        scene = self._scene
        self._paint_band(scene.hovered, "hover_tint")
        self._paint_band(scene.current, "selection_tint")
        self._paint_grid()
        self._paint_bars()
        if scene.after is not None:
            self._paint_outline()
        self._paint_axis()
        self._paint_threshold()
        if scene.focused:
            self._paint_ring()

    def _band(self, number: int) -> QRectF:
        left, right = self._layout.bin_span(number)
        return QRectF(left, self._layout.upper, right - left, self._layout.height)

    def _paint_band(self, number: int | None, token: str) -> None:
        if number is not None:
            self._painter.fillRect(self._band(number), self._kit.color(token))

    def _paint_grid(self) -> None:
        layout, painter = self._layout, self._painter
        for count in (layout.top // 2, layout.top):
            y = round(layout.lower - count / layout.top * layout.height) + 0.5
            painter.setPen(self._kit.pen("hairline"))
            painter.drawLine(QLineF(layout.left, y, layout.right, y))
            painter.setPen(self._kit.color("text_muted"))
            area = QRectF(0, y - self._face.height / 2, layout.left - 6 * self._look.scale, 0)
            area.setHeight(self._face.height)
            self._kit.draw(painter, format_number(count, ","), area, self._face, right=True)

    def _paint_bars(self) -> None:
        """What is there, and in another colour, perhaps hatched, what is more than before."""
        scene, layout, painter = self._scene, self._layout, self._painter
        shown = scene.before if scene.after is None else scene.after
        usual, more = self._kit.color("neutral"), self._kit.color("chart_accent")
        for number, count in enumerate(shown):
            if not count:
                continue
            left, right = layout.bin_span(number)
            left, right = round(left) + 1, round(right)
            floor, top = layout.lower, layout.y(count)
            known = layout.y(min(count, scene.before[number]))
            painter.fillRect(QRectF(left, known, right - left, floor - known), usual)
            if known - top > 0:
                grown = QRectF(left, top, right - left, known - top)
                painter.fillRect(grown, more)
                if self._look.tokens.is_hatched:
                    pen = self._kit.pen("surface", 1.25, 0.85)
                    self._kit.hatch(painter, grown, pen, _HATCH_PX)

    def _paint_outline(self) -> None:
        """How it was before the preview: dashed, as every ghost is."""
        layout = self._layout
        corners = [QPointF(layout.left, layout.lower)]
        for number, count in enumerate(self._scene.before):
            y = layout.y(count)
            left, right = layout.bin_span(number)
            corners += [QPointF(round(left) + 0.5, y), QPointF(round(right) + 0.5, y)]
        corners.append(QPointF(layout.right, layout.lower))
        # Under the dashes a line of the ground, so that they are seen on the bars, too.
        for pen in (
            self._kit.pen("surface", 2.5, 0.9),
            self._kit.pen("text", 1.25, dashes=(3.0, 2.0)),
        ):
            self._painter.setPen(pen)
            self._painter.drawPolyline(QPolygonF(corners))

    def _paint_axis(self) -> None:
        layout, painter, face = self._layout, self._painter, self._face
        y = round(layout.lower) + 0.5
        painter.setPen(self._kit.pen("control_border"))
        painter.drawLine(QLineF(layout.left, y, layout.right, y))
        painter.setPen(self._kit.color("text_muted"))
        top = layout.lower + 3 * self._look.scale
        for tick in _TICKS:
            text = format_number(tick, "g")
            width = face.width(text)
            area = QRectF(layout.x(tick) - width / 2, top, width + 1, face.height)
            self._kit.draw(painter, text, area, face)
        width = face.width(self._scene.title)
        middle = (layout.left + layout.right) / 2
        area = QRectF(middle - width / 2, top + face.height + 1, width + 1, face.height)
        self._kit.draw(painter, self._scene.title, area, face)

    def _paint_threshold(self) -> None:
        layout, painter = self._layout, self._painter
        tag = self._tag()
        x = round(layout.x(self._scene.threshold)) + 0.5
        painter.setPen(self._kit.pen("surface", 4.0, 0.9))
        painter.drawLine(QLineF(x, layout.upper, x, layout.lower))
        painter.setPen(self._kit.pen("accent", 2.5 if self._scene.held else 1.5))
        painter.drawLine(QLineF(x, tag.bottom(), x, layout.lower))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._kit.color("accent_pressed" if self._scene.held else "accent"))
        painter.drawRoundedRect(tag, 4, 4)
        size = 4.0 * self._look.scale
        tip = [QPointF(x - size, tag.bottom() - 0.5), QPointF(x + size, tag.bottom() - 0.5)]
        painter.drawPolygon(QPolygonF([*tip, QPointF(x, tag.bottom() + size)]))
        face = self._kit.face("caption", strong=True)
        text = format_number(self._scene.threshold, ".2f")
        area = QRectF(tag.center().x() - face.width(text) / 2, tag.top(), 0, tag.height())
        area.setWidth(face.width(text) + 1)
        painter.setPen(self._kit.color("on_accent"))
        self._kit.draw(painter, text, area, face)
        self._paint_sides(tag)

    def _tag(self) -> QRectF:
        """The threshold's handle; within the plot, also at its ends."""
        scale = self._look.scale
        face = self._kit.face("caption", strong=True)
        width, height = face.width("0.00") + 12 * scale, face.height + 4 * scale
        left = self._layout.x(self._scene.threshold) - width / 2
        left = min(max(left, 2.0), self._width - width - 2.0)
        return QRectF(left, 2.0, width, height)

    def _paint_sides(self, tag: QRectF) -> None:
        """How many are on either side, beside the handle where there is room."""
        gap = 8.0 * self._look.scale
        self._painter.setPen(self._kit.color("text_secondary"))
        below, above = self._scene.sides
        edge = 6.0 * self._look.scale
        room = tag.left() - gap - edge
        area = QRectF(edge, tag.top(), room, tag.height())
        if text := self._fitting(below, room):
            self._kit.draw(self._painter, text, area, self._face, right=True)
        room = self._width - tag.right() - gap - edge
        area = QRectF(tag.right() + gap, tag.top(), room, tag.height())
        if text := self._fitting(above, room):
            self._kit.draw(self._painter, text, area, self._face)

    def _fitting(self, words: str, room: float) -> str:
        """All words, or without what was before; "" where there is no room for that either."""
        for text in (words, words.rpartition("→ ")[2]):
            if self._face.width(text) <= room:
                return text
        return ""

    def _paint_ring(self) -> None:
        """Where the keyboard is: at a bin, else at the threshold."""
        current = self._scene.current
        area = self._tag().adjusted(-2, -1, 2, 2) if current is None else self._band(current)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(self._kit.pen("accent" if current is not None else "text", 2.0))
        self._painter.drawRoundedRect(area, 4, 4)
