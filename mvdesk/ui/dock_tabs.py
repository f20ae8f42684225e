"""The tabs of docks that share a place: their names whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QTabBar

from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow


class DockTabs(QObject):
    """Qt makes these tab bars as it needs them, and measures them with lighter letters.

    A name that is a few pixels too long for that would end in dots. Where there really is no
    room for all tabs, arrows lead to the others.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._dress)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._dress()
        elif event.type() == QEvent.Type.ChildAdded:
            self._soon.start()  # what it is, is known once it is made
        return super().eventFilter(watched, event)

    @Slot()
    def _dress(self) -> None:
        alone = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self._window.findChildren(QTabBar, options=alone):
            if bar.elideMode() != Qt.TextElideMode.ElideNone:
                bar.setElideMode(Qt.TextElideMode.ElideNone)
                bar.setUsesScrollButtons(True)
            if not bar.accessibleName():
                bar.setAccessibleName(tr("Panels"))
