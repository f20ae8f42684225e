"""What a page ends with: a line of words, and at the right the button that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPushButton, QWidget


def ending_row(words: QWidget, button: QPushButton) -> QHBoxLayout:
    """A row for below what scrolls, so that the button is always there."""
    row = QHBoxLayout()
    row.setContentsMargins(12, 6, 12, 10)
    row.setSpacing(12)
    row.addWidget(words, 1, Qt.AlignmentFlag.AlignVCenter)
    row.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
    return row
