"""Pages in a panel that scrolls when it is low: they take what is left, from their least on."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget


class ModestStack(QStackedWidget):
    """Asks for its minimum height only, so that nothing scrolls for what a page likes best."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.minimumHeight())
