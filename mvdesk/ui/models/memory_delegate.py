"""Paints the memory list: text columns, scores with micro-bars, previews with ghosts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from mvdesk.ui.models.memory_table import SCORE_COLUMNS, Column, MemoryTableModel
from mvdesk.ui.theme import Look, applied, paint_icon
from mvdesk.ui.widgets.score_bar import BAR_HEIGHT_PX, BAR_PX, paint_micro_bar
from mvdesk.ui.widgets.table_view import ROW_PX, TableView

if TYPE_CHECKING:
    from mvdesk.ui.theme import Tokens

COLUMN_WIDTHS: Final = {
    Column.TYPE: 92,
    Column.SOURCE: 120,
    Column.CONFIDENCE: 136,
    Column.IMPORTANCE: 136,
    Column.UPDATED: 108,
}
"""Widths in px at text scale 1; the title takes the rest."""

_SIDE_PX: Final = 12
_NUMBER_PX: Final = 44
_GAP_PX: Final = 8
_TYPE_ICONS: Final = {"note": "type-note", "fact": "type-fact", "journal": "type-journal"}
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class MemoryDelegate(QStyledItemDelegate):
    """Draws cells straight from the model's arrays: a full view in a few milliseconds."""

    def __init__(self, model: MemoryTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._pens: _Pens | None = None

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        look = applied()
        return QSize(look.px(COLUMN_WIDTHS.get(Column(index.column()), 160)), look.px(ROW_PX))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        look = applied()
        pens = self._pens
        if pens is None or pens.look is not look:
            pens = self._pens = _Pens(look)
        model, column, view_row = self._model, Column(index.column()), index.row()
        row = model.table_row(view_row)
        rect = QRectF(option.rect)
        state = option.state
        view = option.widget
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, pens.selected)
        elif isinstance(view, TableView) and view.hovered_row == view_row:
            painter.fillRect(rect, pens.hovered)
        quiet = model.is_archived(row)
        if column in SCORE_COLUMNS:
            self._paint_score(painter, rect, row, column, pens, selected=selected, quiet=quiet)
            return
        if column == Column.TITLE and selected:
            focused = bool(state & QStyle.StateFlag.State_Active) and view.hasFocus()
            bar = QRectF(rect.left(), rect.top(), look.px(3), rect.height())
            painter.fillRect(bar, pens.accent if focused else pens.border)
        self._paint_text(painter, rect, row, column, pens, selected=selected, quiet=quiet)

    def _paint_text(
        self,
        painter: QPainter,
        rect: QRectF,
        row: int,
        column: Column,
        pens: _Pens,
        *,
        selected: bool,
        quiet: bool,
    ) -> None:
        text = self._model.text(row, column)
        box = rect.adjusted(pens.side, 0, -pens.side / 2, 0)
        color = pens.text if column == Column.TITLE else pens.secondary
        if quiet:
            color = pens.secondary if selected else pens.muted
        if column == Column.TYPE:
            self._paint_type_icon(painter, box, text, color)
            box.setLeft(box.left() + pens.icon + pens.gap)
        painter.setFont(pens.body)
        painter.setPen(color)
        fitting = pens.metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, _LEFT, fitting)

    def _paint_type_icon(
        self, painter: QPainter, box: QRectF, type_name: str, color: QColor
    ) -> None:
        name = _TYPE_ICONS.get(type_name)
        pens = self._pens
        if name is not None and pens is not None:
            spot = QRectF(box.left(), box.center().y() - pens.icon / 2, pens.icon, pens.icon)
            paint_icon(painter, name, color.name(), spot)

    def _paint_score(
        self,
        painter: QPainter,
        rect: QRectF,
        row: int,
        column: Column,
        pens: _Pens,
        *,
        selected: bool,
        quiet: bool,
    ) -> None:
        model = self._model
        score, ghost = model.score(row, column), model.ghost(row, column)
        number = QRectF(rect.left() + pens.side / 2, rect.top(), pens.number, rect.height())
        painter.setFont(pens.body if ghost is None else pens.italic)
        painter.setPen((pens.secondary if selected else pens.muted) if quiet else pens.text)
        painter.drawText(number, _RIGHT, model.text(row, column))
        left = number.right() + pens.gap
        width = min(pens.bar, rect.right() - pens.side / 2 - left)
        if width < pens.bar / 3:
            return  # a column this narrow shows the number alone
        bar = QRectF(left, rect.center().y() - pens.bar_height / 2, width, pens.bar_height)
        before = math.nan if ghost is None else ghost
        paint_micro_bar(painter, bar, score, before, pens.look, on_tint=selected)


class _Pens:
    """Colours, fonts and lengths of one look, made once and not per cell."""

    def __init__(self, look: Look) -> None:
        tokens: Tokens = look.tokens
        self.look = look
        self.text = QColor(tokens.text)
        self.secondary = QColor(tokens.text_secondary)
        self.muted = QColor(tokens.text_muted)
        self.selected = QColor(tokens.selection_tint)
        self.hovered = QColor(tokens.hover_tint)
        self.accent = QColor(tokens.accent)
        self.border = QColor(tokens.control_border)
        self.body: QFont = look.font("body")
        self.italic = QFont(self.body)
        self.italic.setItalic(True)
        self.metrics = QFontMetricsF(self.body)
        self.side = look.px(_SIDE_PX)
        self.gap = look.px(_GAP_PX)
        self.number = look.px(_NUMBER_PX)
        self.icon = look.px(14)
        self.bar = look.px(BAR_PX)
        self.bar_height = look.px(BAR_HEIGHT_PX)
