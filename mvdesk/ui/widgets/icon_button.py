"""A button that is one line icon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QToolButton

from mvdesk.ui.theme import applied, icon, is_look_change

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class IconButton(QToolButton):
    """An icon of resources/icons in the colours of the theme, with a name for everyone."""

    def __init__(
        self, icon_name: str, text: str, parent: QWidget | None = None, *, side: int = 28
    ) -> None:
        """`text` says what the button does: its tool tip and accessible name. `side` in px."""
        super().__init__(parent)
        self._icon_name = icon_name
        self._side = side
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.set_text(text)
        self._restyle()

    def set_text(self, text: str) -> None:
        """Say something else about what the button does."""
        if text != self.toolTip():
            self.setToolTip(text)
            self.setAccessibleName(text)

    def set_icon(self, icon_name: str) -> None:
        """Show another icon."""
        self._icon_name = icon_name
        self._restyle()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        glyph = 20 if self._side >= 28 else 16
        self.setIcon(icon(self._icon_name, look.tokens))
        self.setIconSize(QSize(look.px(glyph), look.px(glyph)))
        self.setFixedSize(look.px(self._side), look.px(self._side))
