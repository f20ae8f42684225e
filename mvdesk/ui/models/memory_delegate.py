"""Paints the memory list: text columns, scores with micro-bars, previews with ghosts."""

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
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QPixmap,
    QRawFont,
    QStaticText,
)

from mvdesk.ui.models.list_columns import (
    COLUMN_WIDTHS,
    NUMBER_COLUMNS,
    SCORE_COLUMNS,
    Column,
)
from mvdesk.ui.models.title_marks import TitleMarks
from mvdesk.ui.theme import Look, applied, paint_icon
from mvdesk.ui.widgets.score_bar import BAR_HEIGHT_PX, BAR_PX, format_score, paint_micro_bar
from mvdesk.ui.widgets.table_view import ROW_PX, RowDelegate, Span, TableView
from mvdesk.wording import format_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QStyleOptionViewItem

    from mvdesk.ui.models.memory_table import MemoryTableModel
    from mvdesk.ui.theme import Tokens

_SIDE_PX: Final = 12
_NUMBER_PX: Final = 44
_GAP_PX: Final = 8
_TYPE_ICONS: Final = {"note": "type-note", "fact": "type-fact", "journal": "type-journal"}
_MOST_WORDS: Final = 4096
_ELIDE_RIGHT: Final = Qt.TextElideMode.ElideRight


class MemoryDelegate(RowDelegate):
    """Draws rows straight from the model's arrays: a full view in a few milliseconds."""

    def __init__(self, model: MemoryTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._pens: _Pens | None = None
        self.marks = TitleMarks()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        look = applied()
        return QSize(look.px(COLUMN_WIDTHS.get(index.column(), 160)), look.px(ROW_PX))

    def paint_rows(
        self, painter: QPainter, view: TableView, rows: range, columns: Mapping[int, Span]
    ) -> None:
        look = applied()
        pens = self._pens
        if pens is None or pens.look is not look:
            pens = self._pens = _Pens(look)
        model, ink = self._model, _Ink(painter)
        top, height = view.rowViewportPosition(rows.start), view.rowHeight(rows.start)
        chosen, edge = view.selectionModel(), pens.edge_of(view)
        scores = [(c, span) for c, span in columns.items() if c in SCORE_COLUMNS]
        numbers = [(c, span) for c, span in columns.items() if c in NUMBER_COLUMNS]
        plain = columns.keys() - SCORE_COLUMNS - NUMBER_COLUMNS
        texts = [(c, columns[c]) for c in sorted(plain)]
        first = max(min((span.left for span in columns.values()), default=0), 0)
        current, marked = view.currentIndex().row(), model.has_selected
        for view_row in rows:
            row = model.table_row(view_row)
            if row < 0:
                rect = QRect(first, top, view.width() - first, height)
                self._paint_group(ink, rect, view_row, pens, is_current=view_row == current)
                top += height
                continue
            selected = model.is_selected(row) if marked else chosen.isRowSelected(view_row)
            if selected or view.hovered_row == view_row:
                ground = pens.selected if selected else pens.hovered
                painter.fillRect(0, top, view.width(), height, ground)
            if view_row == current:
                painter.fillRect(first, top, pens.edge_px, height, edge)
            quiet = (pens.secondary if selected else pens.muted) if model.is_archived(row) else None
            for column, span in texts:
                color = quiet or (pens.text if column == Column.TITLE else pens.secondary)
                rect = QRect(span.left, top, span.width, height)
                self._paint_text(ink, rect, row, column, pens, color)
            for column, span in numbers:
                rect = QRect(span.left, top, span.width, height)
                self._paint_number(ink, rect, row, column, pens, quiet or pens.secondary)
            for column, span in scores:
                rect = QRect(span.left, top, span.width, height)
                self._paint_score(ink, rect, row, column, pens, quiet, on_tint=selected)
            top += height

    def _paint_group(
        self, ink: _Ink, rect: QRect, view_row: int, pens: _Pens, *, is_current: bool
    ) -> None:
        """A line over the members of a group: whether they are shown, its name, how many."""
        named = self._model.group_line(view_row)
        if named is None:
            return
        name, count, is_open = named
        ink.painter.fillRect(rect, pens.ground)
        if is_current:
            ink.painter.fillRect(rect.left(), rect.top(), pens.edge_px, rect.height(), pens.accent)
        ratio = ink.painter.device().devicePixelRatioF()
        glyph = pens.glyph("chevron-down" if is_open else "chevron-right", pens.secondary, ratio)
        left = rect.left() + pens.side
        top = rect.top() + (rect.height() - pens.icon) // 2
        ink.painter.drawPixmap(left, top, glyph)
        left += pens.icon + pens.gap
        counted = format_number(count, ",")
        room = rect.right() - left - pens.side - pens.metrics.horizontalAdvance(counted) - pens.gap
        fitting = pens.metrics.elidedText(" ".join(name.split()), _ELIDE_RIGHT, max(room, 0))
        base = rect.top() + (rect.height() - pens.line) // 2 + pens.ascent
        ink.use(pens.strong, pens.text)
        ink.painter.drawText(QPointF(left, base), fitting)
        left += pens.strong_metrics.horizontalAdvance(fitting) + pens.gap
        ink.use(pens.body, pens.secondary)
        ink.painter.drawText(QPointF(left, base), counted)

    def _paint_text(
        self, ink: _Ink, rect: QRect, row: int, column: int, pens: _Pens, color: QColor
    ) -> None:
        text = self._model.text(row, column)
        left = rect.left() + pens.side
        if column == Column.TITLE and self._model.is_unsaved(row):
            top = rect.center().y() - pens.dot // 2
            ratio = ink.painter.device().devicePixelRatioF()
            ink.painter.drawPixmap(left, top, pens.unsaved_dot(ratio))
            left += pens.dot + pens.gap
        if column == Column.TYPE:
            name = _TYPE_ICONS.get(text)
            if name is not None:
                ratio = ink.painter.device().devicePixelRatioF()
                glyph = pens.glyph(name, color, ratio)
                top = rect.top() + (rect.height() - pens.icon) // 2
                ink.painter.drawPixmap(left, top, glyph)
            left += pens.icon + pens.gap
            if rect.right() - left < 2 * pens.icon and name is not None:
                return  # a column this narrow shows the icon alone
        room = rect.right() - pens.side // 2 - left
        if column == Column.TYPE and room < pens.few:
            return  # the icon says it, and the tool tip
        ink.use(pens.body, color)
        top = rect.top() + (rect.height() - pens.line) // 2
        words = pens.words(text, room)
        if self.marks.is_marked(column):
            line = words if isinstance(words, str) else words.text()
            self.marks.paint(ink.painter, column, line, pens.body, (left, top), pens.look)
        if isinstance(words, str):
            ink.painter.drawText(QPointF(left, top + pens.ascent), words)
        else:
            ink.painter.drawStaticText(left, top, words)

    def _paint_number(
        self, ink: _Ink, rect: QRect, row: int, column: int, pens: _Pens, color: QColor
    ) -> None:
        """Right-aligned, so that digits stand under digits; nothing rather than cut digits."""
        text = self._model.text(row, column)
        if not text:
            return
        number, width = pens.number(text, pens.body)
        left = rect.right() - pens.side - width
        if left >= rect.left():
            ink.use(pens.body, color)
            top = rect.top() + (rect.height() - pens.line) // 2
            ink.painter.drawStaticText(QPointF(left, top), number)

    def _paint_score(
        self,
        ink: _Ink,
        rect: QRect,
        row: int,
        column: int,
        pens: _Pens,
        quiet: QColor | None,
        *,
        on_tint: bool,
    ) -> None:
        score, ghost = self._model.score(row, column), self._model.ghost(row, column)
        # In a column narrower than that the number ends at its edge, not in the next one.
        half = pens.side // 2
        left = rect.left() + min(half + pens.number_width, rect.width() - half)
        top = rect.top() + (rect.height() - pens.line) // 2
        if ghost is not None:
            top = self._paint_tried(ink, QRect(left, top, 0, rect.height()), ghost, pens, on_tint)
        font = pens.body if ghost is None else pens.italic
        number, width = pens.number(format_score(score), font)
        ink.use(font, quiet or pens.text)
        ink.painter.drawStaticText(QPointF(left - width, top), number)
        left += pens.gap
        room = min(pens.bar, rect.right() - pens.side // 2 - left)
        if room < pens.bar / 3:
            return  # a column this narrow shows the number alone
        bar = QRectF(left, rect.center().y() + 1 - pens.bar_height / 2, room, pens.bar_height)
        before = math.nan if ghost is None else ghost
        paint_micro_bar(ink.painter, bar, score, before, pens.look, on_tint=on_tint)
        if ghost is not None:
            ink.forget()  # the mark of a ghost has a pen of its own

    def _paint_tried(
        self, ink: _Ink, place: QRect, ghost: float, pens: _Pens, on_tint: bool
    ) -> int:
        """The dots below a number of a preview, and below them the one before if both are shown.

        The number ends at the left of `place`, which is as high as the row. Gives back its top.
        """
        top, right = place.top(), place.left()
        lacking = pens.line + pens.small_line - place.height()
        if self._model.is_split and lacking <= 2:
            top -= pens.small_line // 2 - 1
            old, width = pens.number(format_score(ghost), pens.small)
            ink.use(pens.small, pens.secondary if on_tint else pens.muted)
            ink.painter.drawStaticText(QPointF(right - width, top + pens.line - 1), old)
        base = top + pens.ascent + 3
        ink.painter.setPen(pens.dots)
        ink.painter.drawLine(right - pens.number_width + pens.gap, base, right - 1, base)
        ink.forget()
        return top


class _Ink:
    """A painter that is told its font and colour only when they change."""

    def __init__(self, painter: QPainter) -> None:
        self.painter = painter
        self._font: QFont | None = None
        self._color: QColor | None = None

    def use(self, font: QFont, color: QColor) -> None:
        if font is not self._font:
            self._font = font
            self.painter.setFont(font)
        if color is not self._color:
            self._color = color
            self.painter.setPen(color)

    def forget(self) -> None:
        """Somebody else has set a pen."""
        self._color = None


class _Pens:
    """Colours, fonts, lengths and laid-out words of one look, made once and not per cell."""

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
        self.strong = QFont(self.body)
        self.strong.setWeight(QFont.Weight.DemiBold)
        self.strong_metrics = QFontMetrics(self.strong)
        self.ground = QColor(tokens.bg)
        self.edge_px = look.px(3)
        self.italic = QFont(self.body)
        self.italic.setItalic(True)
        self.small = look.font("caption")
        self.small_line = QFontMetrics(self.small).height()
        self.dots = QPen(self.secondary, 1, Qt.PenStyle.DotLine)
        self.metrics = QFontMetrics(self.body)
        self.raw = QRawFont.fromFont(self.body)  # without the fonts that help out
        self.line = self.metrics.height()
        self.ascent = self.metrics.ascent()
        self.few = self.metrics.horizontalAdvance("note")
        self.side = look.px(_SIDE_PX)
        self.gap = look.px(_GAP_PX)
        self.number_width = look.px(_NUMBER_PX)
        self.icon = look.px(14)
        self.dot = look.px(7)
        self.bar = look.px(BAR_PX)
        self.bar_height = look.px(BAR_HEIGHT_PX)
        self._fitting: dict[tuple[str, int], str] = {}
        self._words: dict[tuple[str, int], QStaticText] = {}
        self._numbers: dict[tuple[str, int], tuple[QStaticText, float]] = {}
        self._glyphs: dict[tuple[str, str, float], QPixmap] = {}

    def words(self, text: str, width: int) -> QStaticText | str:
        """A line of text as it fits into `width`; laid out from the second time on.

        Laying out costs more than it saves for rows that only scroll past, and puts words
        on another base line where a second font has to help out.
        """
        key = (text, width)
        if made := self._words.get(key):
            return made
        fitting = self._fitting.get(key)
        if fitting is not None:
            own = all(self.raw.supportsCharacter(ord(character)) for character in fitting)
            return self._keep(key, fitting, self.body) if own else fitting
        if len(self._fitting) >= _MOST_WORDS:
            self._fitting.clear()
        line = " ".join(text.split())
        fitting = self.metrics.elidedText(line, Qt.TextElideMode.ElideRight, width)
        self._fitting[key] = fitting
        return fitting

    def edge_of(self, view: TableView) -> QColor:
        """The colour at the left of the selected row: stronger where the keyboard goes."""
        return self.accent if view.hasFocus() and view.isActiveWindow() else self.border

    def number(self, text: str, font: QFont) -> tuple[QStaticText, float]:
        """A number, laid out in one of the fonts of these, and its width."""
        key = (text, id(font))
        made = self._numbers.get(key)
        if made is None:
            if len(self._numbers) >= _MOST_WORDS:
                self._numbers.clear()
            words = _lay_out(text, font)
            made = self._numbers[key] = (words, words.size().width())
        return made

    def unsaved_dot(self, ratio: float) -> QPixmap:
        """The mark of unsaved typing, at the resolution of the screen."""
        key = ("", self.look.tokens.warning, ratio)
        made = self._glyphs.get(key)
        if made is None:
            side = round(self.dot * ratio)
            made = self._glyphs[key] = QPixmap(side, side)
            made.fill(Qt.GlobalColor.transparent)
            painter = QPainter(made)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.look.tokens.warning))
            painter.drawEllipse(QRectF(0, 0, side, side))
            painter.end()
            made.setDevicePixelRatio(ratio)
        return made

    def glyph(self, name: str, color: QColor, ratio: float) -> QPixmap:
        """An icon at the resolution of the screen."""
        key = (name, color.name(), ratio)
        made = self._glyphs.get(key)
        if made is None:
            side = round(self.icon * ratio)
            made = self._glyphs[key] = QPixmap(side, side)
            made.fill(Qt.GlobalColor.transparent)
            painter = QPainter(made)
            paint_icon(painter, name, key[1], QRectF(0, 0, side, side))
            painter.end()
            made.setDevicePixelRatio(ratio)
        return made

    def _keep(self, key: tuple[str, int], text: str, font: QFont) -> QStaticText:
        if len(self._words) >= _MOST_WORDS:
            self._words.clear()
        made = self._words[key] = _lay_out(text, font)
        return made


def _lay_out(text: str, font: QFont) -> QStaticText:
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    made.prepare(font=font)
    return made
