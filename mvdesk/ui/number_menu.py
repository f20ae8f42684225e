"""What a number is, asked with the right mouse button or the menu key where it stands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QWidget

from mvdesk.ui.number_help import find_heading
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint


class NumberMenu(QObject):
    """Adds its entry to the menus of rows and bars; elsewhere it is a menu of its own."""

    asked = Signal(str)  # the heading of the page about numbers

    def __init__(self, action: QAction, parent: QObject) -> None:
        """`action` asks the same with a key: its words and its key stand in the menus."""
        super().__init__(parent)
        self._action = action

    @Slot(object)
    def add_to(self, menu: QMenu) -> None:
        """Add the entry at the end of a menu, about what the menu belongs to."""
        heading = find_heading(menu.parentWidget())
        if not heading:
            return
        key = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        # The key as text alone: as a shortcut it would be one with two actions.
        entry = QAction(f"{self._action.text()}\t{key}" if key else self._action.text(), menu)
        entry.setObjectName("whatNumberEntry")
        entry.setWhatsThis(self._action.whatsThis())
        entry.triggered.connect(partial(self._ask, heading))
        if menu.actions():
            menu.addSeparator()
        menu.addAction(entry)

    def open(self, widget: QWidget | None, place: QPoint) -> bool:
        """Open a menu at a global place about what stands there. False where no number is."""
        if widget is None or isinstance(widget, QAbstractButton) or not find_heading(widget):
            return False
        menu = QMenu(widget)
        menu.setObjectName("numberMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if isinstance(widget, QLabel) and widget.hasSelectedText():
            copy = menu.addAction(tr("&Copy"))
            copy.triggered.connect(partial(_copy, widget.selectedText()))
        self.add_to(menu)
        menu.popup(place)
        return True

    def _ask(self, heading: str, _checked: bool = False) -> None:
        self.asked.emit(heading)


def _copy(text: str, _checked: bool = False) -> None:
    QGuiApplication.clipboard().setText(text)
