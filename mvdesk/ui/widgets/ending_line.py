"""A sentence that stays until it is ended with its cross."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from mvdesk.ui.widgets.icon_button import IconButton


class EndingLine(QWidget):
    """Shown while there is a text."""

    ended = Signal()

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        """`name` begins the names of its parts, `tip` says what the cross does."""
        super().__init__(parent)
        self.setObjectName(name)
        self._text = QLabel()
        self._text.setObjectName(f"{name}Text")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        cross = IconButton("close", tip)
        cross.setObjectName(f"{name}End")
        cross.clicked.connect(self.ended)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.addWidget(self._text, 1)
        row.addWidget(cross)
        self.hide()

    def set_text(self, text: str, tip: str = "") -> None:
        """Say something, with more in a tool tip; "" for nothing."""
        self._text.setText(text)
        self._text.setToolTip(tip)
        self._text.setAccessibleDescription(tip)
        self.setVisible(bool(text))
