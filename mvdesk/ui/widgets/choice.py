"""A field that offers a few choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate

from mvdesk.ui.theme import applied, paint_icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget


class Choice(QComboBox):
    """One of several named values. A value that isn't offered is shown as it is, never lost."""

    value_chosen = Signal(str)  # by the person

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is what screen readers call the field."""
        super().__init__(parent)
        self.setAccessibleName(name)
        # On Linux Qt gives out what is chosen as the name.
        self.setAccessibleDescription(name)
        self.view().setAccessibleName(name)
        self.setItemDelegate(QStyledItemDelegate(self))  # the usual one ignores style sheets
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.activated.connect(self._on_activated)

    @property
    def chosen(self) -> str:
        """The value shown, "" when there is none."""
        return str(self.currentData() or "")

    def set_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer other (value, label) pairs; keeps the value shown where it still is offered."""
        offered = [(str(self.itemData(n)), self.itemText(n)) for n in range(self.count())]
        if offered == list(choices):
            return  # filling it lays out everything around it
        chosen = self.chosen
        with QSignalBlocker(self):
            self.clear()
            for value, label in choices:
                self.addItem(label, value)
            self.setCurrentIndex(max(self.findData(chosen), 0) if choices else -1)

    def set_value(self, value: str) -> None:
        """Show a value from outside. Never emits `value_chosen`."""
        with QSignalBlocker(self):
            if self.findData(value) < 0:
                self.addItem(value, value)
            self.setCurrentIndex(self.findData(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Inert: a choice is never changed by scrolling past it."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        look = applied()
        side = look.px(16)
        spot = QRectF(self.width() - side - look.px(8), (self.height() - side) / 2, side, side)
        color = look.tokens.text_secondary if self.isEnabled() else look.tokens.disabled
        painter = QPainter(self)
        paint_icon(painter, "chevron-down", color, spot)
        painter.end()

    def _on_activated(self, index: int) -> None:
        self.value_chosen.emit(str(self.itemData(index)))
