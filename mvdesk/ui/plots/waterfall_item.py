"""Paints a waterfall that was already planned and laid out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from mvdesk.ui.plots.waterfall_kit import Face, kit_of
from mvdesk.ui.plots.waterfall_layout import RowPlace, Span, find_bar, find_x
from mvdesk.ui.plots.waterfall_rows import MINUS, Row, find_ticks, thin_ticks
from mvdesk.ui.plots.waterfall_texts import RowTexts, WaterfallScene
from mvdesk.wording import format_number

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionGraphicsItem

_HATCH_PX: Final = 5.0
_OVERLAP_PX: Final = 4.0


class WaterfallItem(pg.GraphicsObject):
    """The rows of a waterfall: texts, bars and connectors, in px of the view."""

    def __init__(self) -> None:
        super().__init__()
        self._scene: WaterfallScene | None = None
        self._bounds = QRectF()
        # Without it Qt says that everything is to be painted, when a scroll area shows a strip.
        self.setFlag(self.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def set_scene(self, scene: WaterfallScene, width: float) -> None:
        """Paint something else. Only repaints when the size stays."""
        bounds = QRectF(0.0, 0.0, width, scene.layout.height)
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        self._scene = scene
        self.update()

    def set_axis(self, axis: tuple[float, float]) -> None:
        """Show other score points, as zooming does."""
        if self._scene is not None and self._scene.axis != axis:
            self._scene = replace(self._scene, axis=axis)
            self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, *_: Any) -> None:
        if self._scene is None or not self._scene.rows:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        exposed = option.exposedRect
        _Brushwork(painter, self._scene, self._bounds.width(), exposed).paint()


def paint_scene(painter: QPainter, scene: WaterfallScene, width: float) -> None:
    """Paint a scene as a whole, as for a picture."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _Brushwork(painter, scene, width, QRectF(0.0, 0.0, width, scene.layout.height)).paint()


class _Brushwork:
    """One painting of a scene."""

    def __init__(
        self, painter: QPainter, scene: WaterfallScene, width: float, exposed: QRectF
    ) -> None:
        self._painter = painter
        self._scene = scene
        self._width = width
        self._layout, self._look = scene.layout, scene.look
        self._kit = kit_of(scene.look)
        self._placed = list(zip(scene.rows, scene.layout.rows, strict=True))
        self._top, self._bottom = exposed.top(), exposed.bottom()
        self._texts = RowTexts(painter, scene)
        self._plot = QRectF(
            self._layout.plot.start, 0.0, self._layout.plot.length, self._layout.plot_height
        )

    def paint(self) -> None:
        scene = self._scene
        for number, (row, place) in enumerate(self._placed):
            if number == scene.current and row.kind != "group":
                self._fill_row(place, "selection_tint")
            elif number == scene.hovered and row.kind != "group":
                self._fill_row(place, "hover_tint")
        self._paint_grid()
        if scene.from_zero:
            self._paint_edge(0.0)
        else:
            self._paint_walls()
        self._painter.save()
        self._painter.setClipRect(self._plot, Qt.ClipOperation.IntersectClip)
        if not scene.from_zero:
            self._paint_connectors()
        for row, place in self._placed:
            if self._is_exposed(place):
                self._paint_bar(row, place)
        self._painter.restore()
        if self._bottom > self._layout.plot_height:
            self._paint_axis()
        for number, (row, place) in enumerate(self._placed):
            if self._is_exposed(place):
                self._texts.paint(number, row, place)
        if scene.focused and scene.current is not None:
            self._paint_focus_ring(self._layout.rows[scene.current])

    def _is_exposed(self, place: RowPlace) -> bool:
        """Whether a row is where painting is asked for; bars and ghosts overlap a little."""
        start, end = place.whole.start - _OVERLAP_PX, place.whole.end + _OVERLAP_PX
        return end >= self._top and start <= self._bottom

    def _x(self, value: float) -> float:
        return find_x(value, self._scene.axis, self._layout.plot)

    def _fill_row(self, place: RowPlace, token: str) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._kit.color(token))
        self._painter.drawRoundedRect(self._row_rect(place), 6, 6)

    def _row_rect(self, place: RowPlace) -> QRectF:
        return QRectF(2.0, place.whole.start, self._width - 4.0, place.whole.length)

    def _paint_grid(self) -> None:
        self._painter.setPen(self._kit.pen("hairline"))
        bottom = self._layout.plot_height
        for tick in self._ticks():
            x = round(self._x(tick)) + 0.5
            self._painter.drawLine(QLineF(x, self._plot.top() + 4, x, bottom))

    def _paint_axis(self) -> None:
        """Tick labels, as many as fit side by side, and what the axis is."""
        face = self._kit.face("caption")
        self._painter.setPen(self._kit.color("text_muted"))
        top = self._layout.plot_height + 2
        for tick in self._fitting_ticks(face):
            text = _tick_text(tick)
            width = face.width(text)
            left = min(self._x(tick) - width / 2, self._width - width)
            self._kit.draw(self._painter, text, QRectF(left, top, width + 1, face.height), face)
        width = face.width(self._scene.title)
        left, top = self._plot.center().x() - width / 2, top + face.height + 2
        where = QRectF(left, top, width, face.height)
        self._kit.draw(self._painter, self._scene.title, where, face)

    def _ticks(self) -> list[float]:
        return find_ticks(*self._scene.axis, bounded=not self._scene.from_zero)

    def _fitting_ticks(self, face: Face) -> list[float]:
        """Every tick, or every second or fifth where the labels would touch; 1 always."""
        ticks = self._ticks()
        air = 5 * self._look.scale
        for stride in (1, 2, 5):
            shown = thin_ticks(ticks, stride)
            widest = max((face.width(_tick_text(tick)) for tick in shown), default=0.0)
            apart = self._x(shown[1]) - self._x(shown[0]) if len(shown) > 1 else widest + air
            if apart >= widest + air:
                return shown
        return thin_ticks(ticks, len(ticks))

    def _paint_walls(self) -> None:
        """Hatch what lies beyond 0 and 1: no score can stay there."""
        low, high = self._scene.axis
        for edge, outside in ((0.0, (low, 0.0)), (1.0, (1.0, high))):
            left, right = max(low, outside[0]), min(high, outside[1])
            if right <= left:
                continue
            wall = QRectF(self._x(left), 4.0, self._x(right) - self._x(left), 0.0)
            wall.setBottom(self._layout.plot_height)
            self._painter.fillRect(wall, self._kit.color("neutral", 0.10))
            self._kit.hatch(self._painter, wall, self._kit.pen("neutral", 1.0, 0.45), 7.0)
            if low < edge < high:
                self._paint_edge(edge)

    def _paint_edge(self, value: float) -> None:
        """A line down all rows, at a value that means something."""
        x = round(self._x(value)) + 0.5
        self._painter.setPen(self._kit.pen("text_muted", 1.5))
        self._painter.drawLine(QLineF(x, 4.0, x, self._layout.plot_height))

    def _paint_connectors(self) -> None:
        self._painter.setPen(self._kit.pen("text_muted", 1.0, 0.75))
        above: tuple[float, float] | None = None  # running sum, lower edge of its bar
        for row, place in self._placed:
            if row.kind in ("group", "fold", "rounding"):
                continue
            if above is not None and row.joined:
                # A column from zero is met at its end, a change at its start.
                sum_, bottom = above
                x = round(self._x(sum_)) + 0.5
                if self._plot.left() <= x <= self._plot.right() + 1:
                    self._painter.drawLine(QLineF(x, bottom, x, place.bar.start))
            above = (row.end, place.bar.end)

    def _paint_bar(self, row: Row, place: RowPlace) -> None:
        if row.kind in ("group", "fold", "rounding"):
            return
        area = self._bar_rect(
            find_bar(row.start, row.end, self._scene.axis, self._layout.plot), place
        )
        if area.width() == 0:
            self._paint_tick(row, place)
        elif row.kind in ("raw", "clamp"):
            self._paint_open_bar(row, area)
        else:
            token = "neutral" if row.is_total else "negative" if row.is_loss else "positive"
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(self._kit.color(token))
            self._painter.drawRoundedRect(area, 2, 2)
            if row.is_loss:
                inner, pen = area.adjusted(1, 0, -1, 0), self._kit.pen("surface", 1.25, 0.85)
                self._kit.hatch(self._painter, inner, pen, _HATCH_PX)
        if row.ghost is not None:
            self._paint_ghost(row, place)

    def _bar_rect(self, bar: Span, place: RowPlace) -> QRectF:
        """Where a bar is, ended a little outside the plot when the axis shows a part of it."""
        left = max(bar.start, self._plot.left() - _OVERLAP_PX)
        right = min(bar.end, self._plot.right() + _OVERLAP_PX)
        return QRectF(left, place.bar.start, max(right - left, 0.0), place.bar.length)

    def _paint_tick(self, row: Row, place: RowPlace) -> None:
        """A change of nothing still has a place on the axis."""
        x = round(self._x(row.end)) + 0.5
        if not self._plot.left() <= x <= self._plot.right() + 1:
            return
        self._painter.setPen(self._kit.pen("text_muted", 1.5))
        self._painter.drawLine(QLineF(x, place.bar.start + 2, x, place.bar.end - 2))

    def _paint_open_bar(self, row: Row, area: QRectF) -> None:
        """The raw sum and what the clamp cuts off: outlines, since no score stays there."""
        self._painter.setPen(self._kit.pen("neutral", 1.5))
        self._painter.setBrush(self._kit.color("neutral", 0.16))
        inset = area.adjusted(0.75, 0.75, -0.75, -0.75)
        self._painter.drawRoundedRect(inset, 2, 2)
        if row.kind == "clamp":
            self._kit.hatch(self._painter, inset, self._kit.pen("neutral", 1.25), _HATCH_PX)

    def _paint_ghost(self, row: Row, place: RowPlace) -> None:
        """How the bar was before the preview: its outline; for totals the mark of its end."""
        if row.ghost is None:
            return
        self._painter.setPen(self._kit.pen("text", 1.25, dashes=(3.0, 2.0)))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if row.is_total:
            x = round(self._x(row.ghost[1])) + 0.5
            self._painter.drawLine(QLineF(x, place.bar.start - 2, x, place.bar.end + 2))
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(self._kit.color("text"))
            top = place.bar.start - 2
            self._painter.drawPolygon(
                QPolygonF([QPointF(x - 4, top), QPointF(x + 4, top), QPointF(x, top + 5)])
            )
            return
        old = find_bar(*row.ghost, self._scene.axis, self._layout.plot)
        if old.length:
            area = self._bar_rect(old, place).adjusted(0.5, -1.5, -0.5, 1.5)
            self._painter.drawRoundedRect(area, 2.5, 2.5)
        else:
            x = round(old.start) + 0.5
            self._painter.drawLine(QLineF(x, place.bar.start - 2, x, place.bar.end + 2))

    def _paint_focus_ring(self, place: RowPlace) -> None:
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(self._kit.pen("accent", 2.0))
        self._painter.drawRoundedRect(self._row_rect(place).adjusted(0, 1, 0, -1), 6, 6)


def _tick_text(tick: float) -> str:
    return format_number(tick, "g").replace("-", MINUS)
