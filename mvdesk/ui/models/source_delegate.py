"""Paints the table of sources: names, trust as a track, the range of scores as a strip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from mvdesk.ui.models.source_columns import SourceColumn
from mvdesk.ui.models.source_table import NUMBERS, SourceTableModel
from mvdesk.ui.theme import Look, applied
from mvdesk.ui.widgets.score_bar import format_score
from mvdesk.ui.widgets.table_view import ROW_PX, RowDelegate, Span, TableView
from mvdesk.ui.widgets.trust_slider import NEUTRAL, format_trust
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QStyleOptionViewItem

_SIDE_PX: Final = 12
_GAP_PX: Final = 8
_NUMBER_PX: Final = 50
"""Room for "not set"."""
_TRACK_PX: Final = 36
"""A track narrower than this is left away."""
_MOST_WORDS: Final = 4096


class SourceDelegate(RowDelegate):
    """Draws rows straight from the model's arrays."""

    def __init__(self, model: SourceTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._pens: _Pens | None = None

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        look = applied()
        return QSize(look.px(96), look.px(ROW_PX))

    def paint_rows(
        self, painter: QPainter, view: TableView, rows: range, columns: Mapping[int, Span]
    ) -> None:
        look, pens, model = applied(), self._pens_now(), self._model
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top, height = view.rowViewportPosition(rows.start), view.rowHeight(rows.start)
        chosen = view.selectionModel()
        for view_row in rows:
            row = model.source_row(view_row)
            selected = chosen.isRowSelected(view_row)
            if selected:
                painter.fillRect(0, top, view.width(), height, pens.selected)
                left = columns[SourceColumn.SOURCE].left if SourceColumn.SOURCE in columns else 0
                painter.fillRect(left, top, look.px(3), height, pens.edge_of(view))
            elif view.hovered_row == view_row:
                painter.fillRect(0, top, view.width(), height, pens.hovered)
            cell = _Cell(painter, pens, row, tried=model.is_tried(row), selected=selected)
            for column, span in columns.items():
                self._paint(cell, QRect(span.left, top, span.width, height), column)
            top += height

    def _pens_now(self) -> _Pens:
        look = applied()
        if self._pens is None or self._pens.look is not look:
            self._pens = _Pens(look)
        return self._pens

    def _paint(self, cell: _Cell, rect: QRect, column: int) -> None:
        if column == SourceColumn.SOURCE:
            self._paint_name(cell, rect)
        elif column == SourceColumn.TRUST:
            self._paint_trust(cell, rect)
        elif column == SourceColumn.RANGE:
            self._paint_range(cell, rect)
        elif column == SourceColumn.MEAN:
            self._paint_mean(cell, rect)
        else:
            said = self._model.text(cell.row, column)
            marked = cell.tried and column in (SourceColumn.STATE, SourceColumn.LEVERAGE)
            if column in NUMBERS:
                cell.write_right(said, rect, cell.pens.secondary, marked=marked)
            else:
                cell.write(said, rect, cell.pens.secondary, marked=marked)

    def _paint_name(self, cell: _Cell, rect: QRect) -> None:
        ways = self._model.spellings(cell.row)
        if ways > 1:
            badge = tr("{ways} spellings", ways=ways)
            room = cell.pens.small_metrics.horizontalAdvance(badge) + cell.pens.gap
            if self._has_room(cell, rect.width() - room):
                cell.write_small(badge, rect)
                rect = rect.adjusted(0, 0, -room, 0)
        cell.write(self._model.columns.keys[cell.row], rect, cell.pens.text)

    def _has_room(self, cell: _Cell, room: int) -> bool:
        """Whether the name of the row has room: a remark goes before the name is cut."""
        name = " ".join(self._model.columns.keys[cell.row].split())
        return cell.pens.width(name, italic=False) <= room - cell.pens.side - cell.pens.gap

    def _paint_trust(self, cell: _Cell, rect: QRect) -> None:
        model, pens = self._model, cell.pens
        trust, stored = model.trust(cell.row), model.stored(cell.row)
        said = format_trust(trust)
        number = rect.adjusted(rect.width() - pens.number - pens.side, 0, 0, 0)
        color = pens.quiet(cell.selected) if trust is None else pens.text
        cell.write_right(said, number, color, marked=cell.tried)
        track = pens.track_in(rect)
        if model.is_split and cell.tried:
            cell.write_before(format_trust(stored), track)
        elif track.width() >= pens.track:
            cell.paint_track(track, trust, stored if cell.tried else trust)

    def groove(self, row: int, rect: QRect) -> QRectF | None:
        """Where the handle of a source can be within its trust cell, from 0 to 1.

        None where the cell shows no track.
        """
        pens, model = self._pens_now(), self._model
        track = pens.track_in(rect)
        if track.width() < pens.track or (model.is_split and model.is_tried(row)):
            return None
        return track.adjusted(pens.handle, 0, -pens.handle, 0)

    def _paint_mean(self, cell: _Cell, rect: QRect) -> None:
        model, row = self._model, cell.row
        said = format_score(float(model.columns.mean[row]))
        cell.write_right(said, rect, cell.pens.text, marked=cell.tried)
        if model.is_split and cell.tried:
            room = cell.pens.metrics.horizontalAdvance(said) + cell.pens.side + cell.pens.gap
            before = QRectF(rect.left(), rect.top(), rect.width() - room, rect.height())
            cell.write_before(format_score(float(model.before.mean[row])), before)

    def _paint_range(self, cell: _Cell, rect: QRect) -> None:
        pens, columns, before = cell.pens, self._model.columns, self._model.before
        row = cell.row
        if math.isnan(float(columns.low[row])):
            cell.write("–", rect, pens.quiet(cell.selected))
            return
        strip = QRectF(rect).adjusted(pens.side, 0, -pens.side, 0)
        now = tuple(float(part[row]) for part in (columns.low, columns.median, columns.high))
        was = tuple(float(part[row]) for part in (before.low, before.median, before.high))
        cell.paint_strip(strip, now, was if cell.tried else now)


class _Cell:
    """Draws parts of one row."""

    def __init__(
        self, painter: QPainter, pens: _Pens, row: int, *, tried: bool, selected: bool
    ) -> None:
        self.painter, self.pens, self.row = painter, pens, row
        self.tried, self.selected = tried, selected

    def write(self, text: str, rect: QRect, color: QColor, *, marked: bool = False) -> None:
        """Text at the left; one of a preview is `marked`: italic, with dots below."""
        pens = self.pens
        left, room = rect.left() + pens.side, rect.width() - pens.side - pens.gap
        self._put(pens.fitted(text, room), left, rect, color, marked=marked)

    def write_right(self, text: str, rect: QRect, color: QColor, *, marked: bool = False) -> None:
        """A number, at the right."""
        pens = self.pens
        fitted = pens.fitted(text, rect.width() - pens.gap)
        width = pens.width(fitted, italic=marked)
        self._put(fitted, rect.right() - pens.side + 1 - width, rect, color, marked=marked)

    def write_small(self, text: str, rect: QRect) -> None:
        """A remark at the right of a cell."""
        pens = self.pens
        self.painter.setFont(pens.small)
        self.painter.setPen(pens.quiet(self.selected))
        width = pens.small_metrics.horizontalAdvance(text)
        base = rect.center().y() + pens.small_metrics.ascent() // 2 - 1
        self.painter.drawText(QPointF(rect.right() - pens.gap - width, base + 1), text)

    def write_before(self, text: str, rect: QRectF) -> None:
        """The value before the preview, quiet, with an arrow to the new one."""
        pens = self.pens
        self.painter.setFont(pens.small)
        self.painter.setPen(pens.quiet(self.selected))
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self.painter.drawText(rect, align, f"{text} →")

    def _put(self, text: str, left: float, rect: QRect, color: QColor, *, marked: bool) -> None:
        pens = self.pens
        self.painter.setFont(pens.italic if marked else pens.body)
        self.painter.setPen(color)
        base = rect.top() + (rect.height() - pens.line) // 2 + pens.ascent
        self.painter.drawText(QPointF(left, base), text)
        if marked:
            self.painter.setPen(pens.dots)
            end = left + pens.width(text, italic=True)
            self.painter.drawLine(QPointF(left, base + 3.5), QPointF(end, base + 3.5))

    def paint_track(self, rect: QRectF, trust: float | None, stored: float | None) -> None:
        """Trust as the slider shows it: a track, the way from neutral, a handle, a ghost."""
        pens, painter = self.pens, self.painter
        radius = pens.handle
        left, width = rect.left() + radius, rect.width() - 2 * radius
        middle = rect.center().y()
        thick = pens.thick

        def at(value: float | None) -> float:
            return left + width * (NEUTRAL if value is None else value)

        ground = pens.ground_on_tint if self.selected else pens.ground
        painter.fillRect(QRectF(left, middle - thick / 2, width, thick), ground)
        start, end = at(None), at(trust)
        if trust is not None:
            way = QRectF(min(start, end), middle - thick / 2, abs(end - start), thick)
            if end < start:  # lowered: thinner, so that the direction reads without colour
                way.adjust(0, thick / 4, 0, -thick / 4)
            painter.fillRect(way, pens.rise if end > start else pens.fall)
        painter.setPen(pens.tick)
        painter.drawLine(QPointF(start, middle - radius), QPointF(start, middle + radius))
        painter.setBrush(pens.surface)
        if stored != trust:
            painter.setPen(pens.hollow)
            painter.drawEllipse(QPointF(at(stored), middle), radius - 1, radius - 1)
        if trust is None:
            painter.setPen(pens.hollow)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pens.accent)
        painter.drawEllipse(QPointF(end, middle), radius - 0.5, radius - 0.5)

    def paint_strip(self, rect: QRectF, now: tuple[float, ...], was: tuple[float, ...]) -> None:
        """From the 5 % to the 95 % score in [0, 1], the middle one marked; before as outline."""
        pens, painter = self.pens, self.painter
        middle, high = rect.center().y(), pens.strip

        def at(value: float) -> float:
            return rect.left() + rect.width() * min(max(value, 0.0), 1.0)

        ground = pens.ground_on_tint if self.selected else pens.ground
        painter.fillRect(QRectF(rect.left(), middle - 0.5, rect.width(), 1), ground)
        solid = QRectF(at(now[0]), middle - high / 2, max(at(now[2]) - at(now[0]), 2.0), high)
        painter.fillRect(solid, pens.bar)
        if was != now:
            painter.setPen(pens.hollow)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(
                QRectF(at(was[0]), middle - high / 2 - 2.5, at(was[2]) - at(was[0]), high + 5)
            )
        painter.setPen(pens.mark)
        x = at(now[1])
        painter.drawLine(QPointF(x, middle - high), QPointF(x, middle + high))


class _Pens:
    """Colours, fonts and lengths of one look, made once and not per cell."""

    def __init__(self, look: Look) -> None:
        tokens = look.tokens
        self.look = look
        self.text = QColor(tokens.text)
        self.secondary = QColor(tokens.text_secondary)
        self.muted = QColor(tokens.text_muted)
        self.selected = QColor(tokens.selection_tint)
        self.hovered = QColor(tokens.hover_tint)
        self.surface = QColor(tokens.surface)
        self.ground = QColor(tokens.hairline)
        self.ground_on_tint = QColor(tokens.surface)
        self.accent = QColor(tokens.accent)
        self.border = QColor(tokens.control_border)
        self.rise, self.fall = QColor(tokens.positive), QColor(tokens.negative)
        self.bar = QColor(tokens.neutral)
        self.tick = QPen(self.border, 1)
        self.hollow = QPen(self.border, 1.2)
        self.mark = QPen(self.text, 2)
        self.dots = QPen(self.secondary, 1, Qt.PenStyle.DotLine)
        self.body: QFont = look.font("body")
        self.italic = QFont(self.body)
        self.italic.setItalic(True)
        self.small = look.font("caption")
        self.metrics, self.italic_metrics = QFontMetrics(self.body), QFontMetrics(self.italic)
        self.small_metrics = QFontMetrics(self.small)
        self.line, self.ascent = self.metrics.height(), self.metrics.ascent()
        self.side, self.gap = look.px(_SIDE_PX), look.px(_GAP_PX)
        self.number, self.track = look.px(_NUMBER_PX), look.px(_TRACK_PX)
        self.handle, self.thick, self.strip = look.px(5), look.px(4), look.px(6)
        self._fitted: dict[tuple[str, int], str] = {}
        self._widths: dict[tuple[str, bool], int] = {}

    def track_in(self, rect: QRect) -> QRectF:
        """The part of a trust cell that is left of its number."""
        left = rect.left() + self.side // 2
        right = rect.right() + 1 - self.number - self.side - self.gap
        return QRectF(left, rect.top(), right - left, rect.height())

    def quiet(self, selected: bool) -> QColor:
        """For what is not there; readable on the tint of a selected row too."""
        return self.secondary if selected else self.muted

    def edge_of(self, view: TableView) -> QColor:
        """The colour at the left of the selected row: stronger where the keyboard goes."""
        return self.accent if view.hasFocus() and view.isActiveWindow() else self.border

    def fitted(self, text: str, room: int) -> str:
        """One line of a text as it fits."""
        key = (text, room)
        found = self._fitted.get(key)
        if found is None:
            if len(self._fitted) >= _MOST_WORDS:
                self._fitted.clear()
            line = " ".join(text.split())
            found = self.metrics.elidedText(line, Qt.TextElideMode.ElideRight, room)
            self._fitted[key] = found
        return found

    def width(self, text: str, *, italic: bool) -> int:
        """How wide a text is."""
        key = (text, italic)
        found = self._widths.get(key)
        if found is None:
            if len(self._widths) >= _MOST_WORDS:
                self._widths.clear()
            metrics = self.italic_metrics if italic else self.metrics
            found = self._widths[key] = metrics.horizontalAdvance(text)
        return found
