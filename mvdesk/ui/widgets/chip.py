"""A small round button that switches a filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy

from mvdesk.ui.theme import set_role
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class Chip(QPushButton):
    """A filter that is on or off; `toggled` says which. Its count is optional."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        set_role(self, "chip")
        self.set_count(None)

    def set_text(self, text: str) -> None:
        """Name another filter."""
        if text != self._text:
            self._text = text
            self.set_count(None)

    def set_count(self, count: int | None) -> None:
        """Say how many memories the filter lets through."""
        self.setText(self._text if count is None else f"{self._text}  {format_number(count, ',')}")
        said = (
            self._text
            if count is None
            else tr("{text}, {count:,} memories", text=self._text, count=count)
        )
        self.setAccessibleName(tr("Filter: {said}", said=said))
