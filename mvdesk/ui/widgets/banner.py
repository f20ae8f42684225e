"""A line over a panel that says something lasting: read-only, changed outside."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.theme import applied, is_look_change, paint_icon, set_role
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.wording import tr

_ICONS: Final = {
    "info": ("info", "accent"),
    "warning": ("warning", "warning"),
    "error": ("error", "error"),
    "locked": ("lock", "warning"),
}


class Banner(QWidget):
    """A sentence, up to two actions, and a cross. Hidden without a sentence; takes no focus."""

    action_requested = Signal()
    other_requested = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = "info"
        self._text = QLabel()
        self._text.setObjectName("bannerText")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._action = QPushButton()
        self._action.setObjectName("bannerAction")
        set_role(self._action, "quiet")
        self._action.clicked.connect(self.action_requested)
        self._other = QPushButton()
        self._other.setObjectName("bannerOther")
        set_role(self._other, "quiet")
        self._other.clicked.connect(self.other_requested)
        self._close = IconButton("close", tr("Dismiss"))
        self._close.clicked.connect(self._on_closed)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.addWidget(self._text, 1)
        top.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        # Below the sentence: beside it they would leave it a narrow column.
        self._buttons = flowing(self._action, self._other)
        self._column = QVBoxLayout(self)
        self._column.addLayout(top)
        self._column.addWidget(self._buttons)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Notice"))
        self._restyle()
        self.set_text("")

    def set_text(
        self,
        text: str,
        *,
        kind: str = "info",
        action: str = "",
        other: str = "",
        closable: bool = True,
    ) -> None:
        """Say something, "" to say nothing; `kind` is "info", "warning", "error" or "locked".

        `action` and `other` are the labels of the two buttons, "" for none.
        """
        self._kind = kind if kind in _ICONS else "info"
        self._text.setText(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self._other.setText(other)
        self._other.setVisible(bool(other))
        self._buttons.setVisible(bool(action or other))
        self._close.setVisible(closable)
        self.setAccessibleDescription(text)
        self.setVisible(bool(text))
        self.update()

    def add_button(self, object_name: str, text: str, tip: str) -> QPushButton:
        """One more button after the two actions, for whoever asks for it to use and to hide."""
        button = QPushButton(text)
        button.setObjectName(object_name)
        button.setToolTip(tip)
        set_role(button, "quiet")
        row = self._buttons.layout()
        assert row is not None
        row.addWidget(button)
        return button

    def text(self) -> str:
        """The sentence shown."""
        return self._text.text()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _on_closed(self) -> None:
        self.hide()
        self.dismissed.emit()

    def _restyle(self) -> None:
        look = applied()
        self._column.setContentsMargins(look.px(40), look.px(8), look.px(8), look.px(8))
        self._column.setSpacing(look.px(6))  # room for the focus ring of the buttons
        self.setMinimumHeight(look.px(40))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = applied()
        name, color = _ICONS[self._kind]
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.color("raised"))
        painter.fillRect(0, 0, look.px(3), self.height(), look.color(color))
        painter.fillRect(0, self.height() - 1, self.width(), 1, look.color("hairline"))
        side = look.px(20)
        line = self._text.geometry().center().y() if self._buttons.isHidden() else look.px(18)
        spot = QRectF(look.px(12), line - side / 2, side, side)
        paint_icon(painter, name, look.color(color).name(), spot)
        painter.end()
