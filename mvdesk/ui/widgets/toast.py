"""A short message at the bottom right that goes by itself."""

from __future__ import annotations

from operator import methodcaller
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from mvdesk.ui.theme import applied, is_look_change, paint_icon, set_role
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QEnterEvent, QHideEvent

SHOWN_FOR_MS: Final = 6000
_LARGE_PX: Final = 200
"""Lists and texts as high as that are not kept free, even with the keyboard in them."""
_SETTLED_MS: Final = 50

_ICONS: Final = {
    "ok": ("check", "ok"),
    "info": ("info", "accent"),
    "warning": ("warning", "warning"),
    "error": ("error", "error"),
}


class Toast(QWidget):
    """One message over the parent's corner, with at most one action such as Undo.

    Leaves after six seconds, not while the pointer or the focus is on it. A newer message
    takes the place of the older one. Never takes the focus.
    """

    action_requested = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._owner = parent
        self._kind = "info"
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        self._make_room = QTimer(self)  # once what the keyboard went to is laid out
        self._make_room.setSingleShot(True)
        self._make_room.timeout.connect(self._on_elsewhere)
        self._text = QLabel()
        self._text.setObjectName("toastText")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._action = QPushButton()
        self._action.setObjectName("toastAction")
        set_role(self._action, "quiet")
        self._action.clicked.connect(self._on_action)
        self._close = IconButton("close", tr("Dismiss"))
        self._close.clicked.connect(self.dismiss)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._text, 1)
        self._row.addWidget(self._action)
        self._row.addWidget(self._close)
        self.setAccessibleName(tr("Message"))
        self._restyle()
        self.hide()
        parent.installEventFilter(self)
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def show_message(
        self, text: str, *, kind: str = "info", action: str = "", for_ms: int = SHOWN_FOR_MS
    ) -> None:
        """Show a message; `kind` is "ok", "info", "warning" or "error", `action` a button's label.

        `for_ms` 0 keeps it until it is dismissed.
        """
        self._kind = kind if kind in _ICONS else "info"
        self._text.setText(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self.setAccessibleDescription(text)
        self._place()
        self.show()
        self.raise_()
        self.update()
        self._timer.setInterval(for_ms)
        self._run_on()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def text(self) -> str:
        """The message shown last."""
        return self._text.text()

    def dismiss(self) -> None:
        """Take the message away."""
        self._timer.stop()
        if self.isVisible():
            self.hide()
            self.dismissed.emit()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._run_on()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._owner and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        if watched is self._owner and event.type() == QEvent.Type.LayoutRequest:
            self.raise_()  # docks that were laid out anew may have come above it
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _on_action(self) -> None:
        self.dismiss()
        self.action_requested.emit()

    @Slot()
    def _on_focus_changed(self) -> None:
        if self.isVisible():
            self._make_room.start(_SETTLED_MS)

    @Slot()
    def _on_elsewhere(self) -> None:
        if self.isVisible() and not self.underMouse():
            self._place()

    def _run_on(self) -> None:
        if self._timer.interval() > 0 and self.isVisible():
            self._timer.start()

    def _restyle(self) -> None:
        look = applied()
        self._row.setContentsMargins(look.px(44), look.px(8), look.px(8), look.px(8))
        self._row.setSpacing(look.px(4))
        if self.isVisible():
            self._place()

    def _place(self) -> None:
        look, parent = applied(), self._owner
        gap = look.px(16)
        width = min(look.px(440), max(parent.width() - 2 * gap, look.px(200)))
        self.setFixedWidth(width)
        height = max(self._row.heightForWidth(width), self._row.sizeHint().height(), look.px(44))
        left, top = parent.width() - width - gap, parent.height() - height - look.px(32) - gap
        self.setGeometry(self._above_controls(QRect(left, top, width, height)))

    def _above_controls(self, place: QRect) -> QRect:
        """The place, or one above a panel's main button or the control with the keyboard."""
        spots = [
            QRect(widget.mapTo(self._owner, QPoint()), widget.size()) for widget in self._kept()
        ]
        for spot in sorted(spots, key=methodcaller("bottom"), reverse=True):
            if spot.intersects(place) and spot.top() > place.height():
                place.moveBottom(spot.top() - applied().px(8))
        return place

    def _kept(self) -> list[QWidget]:
        """What a message must not lie on."""
        buttons: list[QWidget] = [
            button
            for button in self._owner.findChildren(QPushButton)
            if button.property("role") == "primary" and not button.visibleRegion().isEmpty()
        ]
        focus = QApplication.focusWidget()
        if (
            focus is not None
            and focus.height() < applied().px(_LARGE_PX)
            and self._owner.isAncestorOf(focus)
            and not self.isAncestorOf(focus)
        ):
            buttons.append(focus)
        return buttons

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = applied()
        name, color = _ICONS[self._kind]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.color("control_border"), 1))
        painter.setBrush(look.color("raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        side = look.px(20)
        spot = QRectF(look.px(14), (self.height() - side) / 2, side, side)
        paint_icon(painter, name, look.color(color).name(), spot)
        painter.end()
