"""The keys of actions joined to the window: the sheet of keys, and what shows changed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

from mvdesk.ui.keymap import Keymap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.settings import Settings


class KeyCommands(QObject):
    """Keeps the keymap; "?" shows the keys of the panel with the keyboard, then all others."""

    def __init__(
        self,
        settings: Settings,
        actions: Actions,
        others: Iterable[QAction],
        window: QMainWindow,
    ) -> None:
        """`others` are actions beside those of the list: panels, models."""
        super().__init__(window)
        self._window = window
        self.keymap = Keymap(settings, [*actions, *others], window)
        self.keymap.changed.connect(self._on_changed)
        actions["shortcuts"].triggered.connect(self._on_shortcuts)
        if self.keymap.is_changed:
            # Once the tool tips are there.
            QTimer.singleShot(0, self, self._on_changed)

    @Slot()
    def follow_panel(self, *_: object) -> None:
        """A panel was made: its tool tips show the keys in use, too."""
        if self.keymap.is_changed:
            self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        self.keymap.translate_tips(self._window)

    @Slot(bool)
    def _on_shortcuts(self, _checked: bool) -> None:
        # Late, for start-up time: most sessions never open it.
        from mvdesk.ui.dialogs.shortcuts import ShortcutsDialog

        dock = self._panel()
        name = dock.objectName().removesuffix("Dock") if dock else ""
        title = dock.windowTitle() if dock else ""
        ShortcutsDialog(self.keymap, name, title, self._window).open()

    def _panel(self) -> QDockWidget | None:
        """The dock with the keyboard."""
        widget: QWidget | None = QApplication.focusWidget()
        while widget is not None and not isinstance(widget, QDockWidget):
            widget = widget.parentWidget()
        return widget
