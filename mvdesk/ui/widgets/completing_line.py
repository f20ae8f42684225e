"""A line that offers what fits the part that is being typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyledItemDelegate

from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.marked_text import MarkedLine
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMoveEvent

_LIST_KEYS: Final = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Escape,
)
_LEAST_WIDTH_PX: Final = 180


class CompletingLine(MarkedLine):
    """Asks for what fits whenever the person types; a choice is told, and not put in by itself.

    Up and Down choose, Enter or Tab takes, Escape closes the list. The line keeps the focus
    all the while. Pasting and programs open no list.
    """

    offers_requested = Signal(str, int)  # the text, the caret's place
    offer_chosen = Signal(str)
    focused = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._is_filling = False
        self._list: QListWidget | None = None
        self.textEdited.connect(self._on_text_edited)

    def set_offers(self, offers: Sequence[str]) -> None:
        """Offer these below the line; none closes the list."""
        if not offers or not self.hasFocus() or self.isReadOnly():
            self._close()
            return
        shown = self._list or self._make_list()
        if list(offers) != self.offers():
            shown.clear()
            shown.addItems(list(offers))
        shown.setCurrentRow(-1)
        shown.setGeometry(self._place(shown))
        shown.show()
        shown.raise_()

    def put(self, start: int, end: int, text: str) -> None:
        """Type a choice in place of a part, so that Ctrl+Z takes it back; offers nothing."""
        self._is_filling = True
        self.setSelection(start, end - start)
        self.insert(text)
        self._is_filling = False

    def offers(self) -> list[str]:
        """What is offered at the moment."""
        shown = self._list
        if shown is None or shown.isHidden():
            return []
        return [shown.item(row).text() for row in range(shown.count())]

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and self.offers():
            key = Qt.Key(cast("QKeyEvent", event).key())
            if key in _LIST_KEYS:
                # Before Tab leaves the line, and before Escape means anything to the window.
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    self._on_list_key(key)
                return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._close()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._close()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._close()

    def _on_list_key(self, key: Qt.Key) -> None:
        shown = self._list
        assert shown is not None
        count, row = shown.count(), shown.currentRow()
        if key == Qt.Key.Key_Down:
            shown.setCurrentRow((row + 1) % count)
        elif key == Qt.Key.Key_Up:
            shown.setCurrentRow((row - 1) % count if row >= 0 else count - 1)
        else:
            self._close()
            if key != Qt.Key.Key_Escape and row >= 0:
                self.offer_chosen.emit(shown.item(row).text())

    def _close(self) -> None:
        if self._list is not None:
            self._list.hide()

    def _make_list(self) -> QListWidget:
        # A child of the window and no window of its own, which would take the keyboard.
        shown = self._list = QListWidget(self.window())
        shown.setObjectName("completions")
        shown.setAccessibleName(tr("Suggestions"))
        shown.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        shown.setItemDelegate(QStyledItemDelegate(shown))  # the usual one ignores style sheets
        shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        shown.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        shown.setTextElideMode(Qt.TextElideMode.ElideRight)
        set_role(shown, "choices")
        shown.itemClicked.connect(self._on_clicked)
        return shown

    def _place(self, shown: QListWidget) -> QRect:
        """Below the line, or above it where there is no room."""
        window, look = self.window(), applied()
        height = shown.sizeHintForRow(0) * shown.count() + look.px(10)
        width = max(self.width(), look.px(_LEAST_WIDTH_PX))
        corner = self.mapTo(window, QPoint(0, self.height() + 2))
        if corner.y() + height > window.height():
            corner.setY(self.mapTo(window, QPoint(0, 0)).y() - height - 2)
        corner.setX(max(0, min(corner.x(), window.width() - width)))
        return QRect(corner.x(), corner.y(), width, height)

    @Slot(QListWidgetItem)
    def _on_clicked(self, item: QListWidgetItem) -> None:
        self._close()
        self.offer_chosen.emit(item.text())

    @Slot(str)
    def _on_text_edited(self, text: str) -> None:
        if not self._is_filling:
            self.offers_requested.emit(text, self.cursorPosition())
