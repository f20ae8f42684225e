"""A line to search with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from mvdesk.ui.theme import applied, is_look_change, paint_icon
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.leaving_line import LeavingLine
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget


_CROSS_PX: Final = 24


class SearchField(LeavingLine):
    """A field with a magnifier and a cross. `textChanged` says what to look for.

    Escape clears it; in the empty field it asks to leave, as Down does.
    """

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self._cross = IconButton("close", tr("Clear the search (Esc)"), self, side=_CROSS_PX)
        self._cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._cross.setCursor(Qt.CursorShape.ArrowCursor)
        self._cross.clicked.connect(self.clear)
        self.textChanged.connect(self._on_text_changed)
        self._restyle()
        self._on_text_changed("")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.leave_requested.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        look = applied()
        side = look.px(16)
        painter = QPainter(self)
        spot = QRectF(look.px(9), (self.height() - side) / 2, side, side)
        paint_icon(painter, "search", look.tokens.text_muted, spot)
        painter.end()

    def _restyle(self) -> None:
        look = applied()
        self.setTextMargins(look.px(20), 0, look.px(22), 0)
        self._place()

    def _place(self) -> None:
        side = applied().px(_CROSS_PX)  # the cross itself may not have followed the look yet
        self._cross.move(self.width() - side - 4, (self.height() - side) // 2)

    def _on_text_changed(self, text: str) -> None:
        self._cross.setVisible(bool(text))
