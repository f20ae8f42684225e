"""The line to search with that knows operators, offers what fits, and remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal, Slot

from mvdesk.ui.widgets.offer_list import Offer, OfferList
from mvdesk.ui.widgets.search_field import SearchField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent
    from PySide6.QtWidgets import QWidget

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class QueryField(SearchField):
    """A SearchField with a list under it, filled by whoever answers its questions."""

    offers_wanted = Signal(str, int)  # the text and where the caret is; somebody types
    history_wanted = Signal()  # Down in the empty field
    help_wanted = Signal()  # F1
    offer_chosen = Signal(object)  # Offer; it is in the text by then
    committed = Signal(str)  # Enter, or leaving the field: this was searched for

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(placeholder, parent)
        self._list: OfferList | None = None
        self.textEdited.connect(self._on_edited)

    def set_offers(self, offers: Sequence[Offer]) -> None:
        """Show what can be chosen; nothing when the keyboard is elsewhere by now."""
        if self._list is None and offers:
            self._list = OfferList(self.window())
            self._list.chosen.connect(self._on_chosen)
        if self._list is not None:
            self._list.set_offers(offers if self.hasFocus() else (), self)

    @property
    def offers(self) -> Sequence[Offer]:
        """What is shown to choose from."""
        return self._list.offers if self._list is not None and self._is_offering else ()

    @property
    def _is_offering(self) -> bool:
        return self._list is not None and self._list.isVisible()

    def event(self, event: QEvent) -> bool:
        # F1 helps with what can be typed here, not with the keys of the window.
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_F1:  # type: ignore[attr-defined]
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and self._is_offering:
            # Tab never comes as a key press: it moves the focus before that.
            key = event.key()  # type: ignore[attr-defined]
            if key == Qt.Key.Key_Tab and self._choose_current(first=True):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_F1:
            self.help_wanted.emit()
        elif self._is_offering and self._handle_offers(event):
            return
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.set_offers(())
            self.committed.emit(self.text())
            self.leave_requested.emit()
        elif key == Qt.Key.Key_Down and not self.text():
            self.history_wanted.emit()
            if not self._is_offering:
                self.leave_requested.emit()
        elif key == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.offers_wanted.emit(self.text(), self.cursorPosition())
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.set_offers(())
        self.committed.emit(self.text())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._list is not None:
            self._list.hide()

    def _handle_offers(self, event: QKeyEvent) -> bool:
        assert self._list is not None
        key = event.key()
        if key in _STEPS:
            self._list.step(_STEPS[Qt.Key(key)])
            return True
        if key == Qt.Key.Key_Escape:
            self.set_offers(())
            return True
        return key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._choose_current()

    def _choose_current(self, *, first: bool = False) -> bool:
        assert self._list is not None
        offer = self._list.current or (self._list.offers[0] if first else None)
        if offer is not None:
            self._on_chosen(offer)
        return offer is not None

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        self.offers_wanted.emit(text, self.cursorPosition())

    @Slot(object)
    def _on_chosen(self, offer: Offer) -> None:
        text = self.text()
        self.setText(text[: offer.start] + offer.insert + text[offer.end :])
        self.setCursorPosition(offer.start + len(offer.insert))
        self.set_offers(())
        self.offer_chosen.emit(offer)
        if offer.insert and not offer.insert[-1].isspace():
            self.offers_wanted.emit(self.text(), self.cursorPosition())
