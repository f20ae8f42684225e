"""The help joined to the window: F1 opens the page about the panel that has the keyboard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QCursor, QDesktopServices, QKeySequence
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QMenu

from mvdesk.ui.dialogs.help import HelpDialog
from mvdesk.ui.help_pages import KEYS_PAGE, HelpPage, KeyLine, make_pages
from mvdesk.ui.number_help import NUMBERS_PAGE, find_heading
from mvdesk.ui.number_menu import NumberMenu
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.keymap import Keymap
    from mvdesk.ui.messages import Messages

_ABOUT: Final = {
    "memoriesDock": "list",
    "sourcesDock": "trust",
    "distributionDock": "trust",
    "moversDock": "trust",
    "tryOutDock": "trust",
    "editorDock": "editor",
    "explainDock": "scores",
    "graphDock": "links",
    "conflictsDock": "links",
    "conflictDock": "links",
    "upkeepDock": "decay",
}
"""Which page is about which dock."""


class HelpCommands(QObject):
    """Keeps one help dialog, which stays open beside the work."""

    def __init__(
        self,
        actions: Actions,
        window: QMainWindow,
        messages: Messages,
        keymap: Keymap,
        open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl,
    ) -> None:
        """`open_url` shows a folder with the desktop's own program."""
        super().__init__(window)
        self._window, self._messages, self._open_url = window, messages, open_url
        self._keymap = keymap
        self._dialog: HelpDialog | None = None
        self.number_menu = NumberMenu(actions["whatNumber"], self)
        self.number_menu.asked.connect(self._on_number_asked)
        keymap.changed.connect(self._on_keys_changed)
        actions["help"].triggered.connect(self._on_help)
        actions["whatNumber"].triggered.connect(self._on_what_number)
        actions["showLog"].triggered.connect(self._on_show_log)

    def pages(self) -> list[HelpPage]:
        """All pages, with the keys as they are now."""
        pages = make_pages(self._key_lines())
        if not self._keymap.is_changed:
            return pages
        translate = self._keymap.translate_help
        return [
            page if page.name == KEYS_PAGE else replace(page, text=translate(page.text))
            for page in pages
        ]

    def show(self, name: str, heading: str = "") -> None:
        """Show a page, at a heading of it if one is given."""
        if self._dialog is None:
            self._dialog = HelpDialog(self.pages(), self._window)
            self._dialog.finished.connect(self._on_finished)
        self._dialog.show_page(name)
        self._dialog.show()
        self._dialog.activateWindow()
        if heading:
            self._dialog.show_heading(heading)

    @Slot(bool)
    def _on_help(self, _checked: bool) -> None:
        widget: QWidget | None = self._window.focusWidget()
        while widget is not None and widget.objectName() not in _ABOUT:
            widget = widget.parentWidget()
        self.show("start" if widget is None else _ABOUT[widget.objectName()])

    @Slot(bool)
    def _on_what_number(self, _checked: bool) -> None:
        """About what has the keyboard, or what is under the pointer in the same panel."""
        focus = self._window.focusWidget()
        pointed = QApplication.widgetAt(QCursor.pos())
        dock = _dock_of(focus)
        is_near = pointed is not None and dock is not None and dock.isAncestorOf(pointed)
        self.show(NUMBERS_PAGE, find_heading(pointed if is_near else focus))

    @Slot(str)
    def _on_number_asked(self, heading: str) -> None:
        self.show(NUMBERS_PAGE, heading)

    @Slot()
    def _on_keys_changed(self) -> None:
        if self._dialog is not None:
            self._dialog.set_pages(self.pages())

    @Slot(bool)
    def _on_show_log(self, _checked: bool) -> None:
        log_file = self._messages.log_file
        if log_file is None:
            self._messages.notice(tr("There is no log: its folder can't be written."))
        elif not self._open_url(QUrl.fromLocalFile(str(log_file.parent))):
            self._messages.notice(
                tr("No program shows folders here. The log is {log_file}.", log_file=log_file)
            )

    @Slot(int)
    def _on_finished(self, _result: int) -> None:
        self._dialog = None

    def _key_lines(self) -> list[KeyLine]:
        """Every action of the menus, menu by menu."""
        lines: list[KeyLine] = []
        known: set[str] = set()
        for top in self._window.menuBar().actions():
            menu = top.menu()
            if isinstance(menu, QMenu):
                self._add_lines(top.text().replace("&", ""), menu, lines, known)
        return lines

    def _add_lines(self, group: str, menu: QMenu, lines: list[KeyLine], known: set[str]) -> None:
        for action in menu.actions():
            below, name = action.menu(), action.objectName()
            if isinstance(below, QMenu):
                if below.objectName() != "recentMenu":
                    self._add_lines(group, below, lines, known)
            elif name and name not in known and action.isVisible():
                known.add(name)
                shown = QKeySequence.SequenceFormat.NativeText
                keys = tuple(key.toString(shown) for key in action.shortcuts())
                text = action.text().replace("&", "").removesuffix("…")
                lines.append(KeyLine(group, text, keys, action.whatsThis()))


def _dock_of(widget: QWidget | None) -> QWidget | None:
    while widget is not None and not isinstance(widget, QDockWidget):
        widget = widget.parentWidget()
    return widget
