"""A line to find words in a long text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.leaving_line import LeavingLine
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent


class FindBar(QWidget):
    """Asks for places of what is typed: Enter the next, Shift+Enter the one before, Esc ends."""

    typed = Signal(str)  # to be found from where the caret is
    step_requested = Signal(bool)  # True for backwards
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry = LeavingLine()
        self._entry.setObjectName("findText")
        self._entry.setAccessibleName(tr("Find in the text"))
        self._entry.setPlaceholderText(tr("Find in the text"))
        self._entry.textChanged.connect(self.typed)
        self._entry.leave_requested.connect(self.leave)
        self._said = QLabel()
        self._said.setObjectName("findSaid")
        set_role(self._said, "mutedCaption")
        back = IconButton("chevron-up", tr("The place before (Shift+F3)"))
        forth = IconButton("chevron-down", tr("The next place (F3)"))
        close = IconButton("close", tr("End finding (Esc)"))
        back.setObjectName("findBack")
        forth.setObjectName("findNext")
        close.setObjectName("findClose")
        back.clicked.connect(self._on_back)
        forth.clicked.connect(self._on_forth)
        close.clicked.connect(self.leave)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(6)
        row.addWidget(self._entry, 1)
        for part in (self._said, back, forth, close):
            row.addWidget(part)
        self.hide()

    @property
    def text(self) -> str:
        """What is to be found."""
        return self._entry.text()

    def start(self, text: str) -> None:
        """Show the bar, with a text to begin with unless it is empty."""
        self.show()
        if text:
            self._entry.setText(text)
        self._entry.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._entry.selectAll()

    def set_said(self, text: str) -> None:
        """Say how much was found."""
        self._said.setText(text)
        self._entry.setAccessibleDescription(text)

    @Slot()
    def leave(self) -> None:
        """Hide the bar."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shift = event.key(), Qt.KeyboardModifier.ShiftModifier
        if key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step_requested.emit(bool(event.modifiers() & shift))
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_back(self) -> None:
        self.step_requested.emit(True)

    @Slot()
    def _on_forth(self) -> None:
        self.step_requested.emit(False)
