"""The tabs of docks that share a place: their names whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QTabBar

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow


class DockTabs(QObject):
    """Qt makes these tab bars as it needs them, and measures them with lighter letters.

    A name that is a few pixels too long for that would end in dots. Where there really is no
    room for all tabs, arrows lead to the others.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            alone = Qt.FindChildOption.FindDirectChildrenOnly
            for bar in watched.findChildren(QTabBar, options=alone):
                if bar.elideMode() != Qt.TextElideMode.ElideNone:
                    bar.setElideMode(Qt.TextElideMode.ElideNone)
                    bar.setUsesScrollButtons(True)
        return False
