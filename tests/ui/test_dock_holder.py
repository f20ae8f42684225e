"""What a dock's panel asks for, and what it doesn't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QMainWindow, QVBoxLayout, QWidget

from mvdesk.ui.dock_holder import fill_dock, make_dock, panel_of
from mvdesk.ui.workspaces import DOCKS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class _Layouts(QObject):
    """Counts how often something is asked to lay itself out."""

    count = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_a_label_in_a_panel_lays_out_the_panel_and_not_all_docks(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = make_dock(DOCKS[0], window)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    panel, label = QWidget(), QLabel("short")
    QVBoxLayout(panel).addWidget(label)
    fill_dock(dock, panel, QLabel("title"))
    dock.show()
    window.resize(600, 400)
    window.show()
    qtbot.waitExposed(window)
    assert panel_of(dock) is panel
    assert panel.size() == dock.widget().size()

    qtbot.wait(50)
    inside, outside = _Layouts(), _Layouts()
    panel.installEventFilter(inside)
    window.installEventFilter(outside)
    label.setText("a text that is much longer, and\nhas a second line")
    qtbot.waitUntil(lambda: inside.count > 0)
    qtbot.wait(0)
    assert outside.count == 0
    window.resize(700, 500)
    assert panel.size() == dock.widget().size()
