"""A table with a tick for each row: Space turns it, Ctrl+A ticks all, Shift+Space none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from mvdesk.ui.theme import applied, is_look_change, paint_icon
from mvdesk.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget


class TickingTable(TableView):
    """Says which row the person turns the tick of; whoever owns the model does it.

    The first column holds the ticks.
    """

    tick_asked = Signal(int)  # row
    all_asked = Signal()
    none_asked = Signal()

    def __init__(self, name: str, least: Mapping[int, int], parent: QWidget | None = None) -> None:
        """`least` says from which width of the table, in px at scale 1, a column is shown."""
        super().__init__(name, parent, compact=True)
        self._least = dict(least)
        self.setProperty("role", "plain")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegateForColumn(0, _TickDelegate(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Space and shift:
            self.none_asked.emit()
        elif event.key() == Qt.Key.Key_Space and not control:
            self.tick_asked.emit(self.currentIndex().row())
        elif event.key() == Qt.Key.Key_A and control and not shift:
            self.all_asked.emit()
        elif event.text().isalpha():
            event.ignore()  # single letters are keys of actions, not a search
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.column() == 0 and event.button() == Qt.MouseButton.LeftButton:
            self.tick_asked.emit(index.row())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._fit()

    def _fit(self) -> None:
        width = self.width() / applied().scale
        for column, least in self._least.items():
            self.setColumnHidden(column, width < least)


class _TickDelegate(QStyledItemDelegate):
    """Paints the tick as the check boxes of the program are."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        look = applied()
        side = look.px(16)
        rect = option.rect
        top = round(rect.top() + (rect.height() - side) / 2) + 0.5
        box = QRectF(rect.left() + look.px(12) + 0.5, top, side - 1, side - 1)
        on = bool(index.data(Qt.ItemDataRole.UserRole))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.color("accent" if on else "control_border"), 1))
        painter.setBrush(look.color("accent" if on else "surface"))
        painter.drawRoundedRect(box, 4, 4)
        if on:
            color = look.color("on_accent").name()
            paint_icon(painter, "check", color, box.adjusted(1, 1, -1, -1))
        painter.restore()
