"""What a panel shows when there is nothing to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from mvdesk.ui.theme import applied, icon, is_look_change, set_role

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap, QResizeEvent, QShowEvent


_PICTURE_PX: Final = 28


class EmptyState(QWidget):
    """One sentence that says why and what next, and at most one button for it."""

    action_requested = Signal()

    def __init__(
        self,
        text: str = "",
        action: str = "",
        parent: QWidget | None = None,
        *,
        icon_name: str = "memories",
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text = QLabel()
        self._text.setObjectName("emptyStateText")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text.setWordWrap(True)
        set_role(self._text, "secondary")
        self._button = QPushButton()
        self._button.setObjectName("emptyStateAction")
        self._button.clicked.connect(self.action_requested)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self._picture)
        column.addWidget(self._text)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self._column = column
        self._restyle()
        self._picture.hide()  # until it is shown: a low panel has no room for it
        self.set_text(text, action)

    def set_text(self, text: str, action: str = "") -> None:
        """Say something else; `action` labels the button, "" for no button."""
        self._text.setText(text)
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self.setAccessibleName(text)
        if self.isVisible():
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where there is little room, the sentence needs it more than the picture."""
        look = applied()
        side, gap = look.px(24), self._column.spacing()
        needed = self._text.heightForWidth(max(self.width() - 2 * side, 1))
        needed += look.px(_PICTURE_PX) + gap + 2 * look.px(24)
        if not self._button.isHidden():
            needed += self._button.sizeHint().height() + gap
        is_low = self.height() < needed
        self._picture.setVisible(not is_low)
        end = look.px(8 if is_low else 24)
        self._column.setContentsMargins(side, end, side, end)

    def text(self) -> str:
        """The sentence shown."""
        return self._text.text()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        side = look.px(_PICTURE_PX)
        picture: QPixmap = icon(self._icon_name, look.tokens, look.tokens.text_muted).pixmap(
            QSize(side, side), self.devicePixelRatioF()
        )
        self._picture.setPixmap(picture)
        self._text.setMinimumWidth(look.px(160))
        if self.isVisible():
            self._fit()
