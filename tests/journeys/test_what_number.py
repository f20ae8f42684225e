"""What is this number: every kind of number has its place in the help, and is led to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QTextEdit, QToolButton, QWidget

from mvdesk.assets import read_resource
from mvdesk.ui.number_help import PLACES, find_heading
from mvdesk.ui.workspaces import DOCKS, WORKSPACES

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk


def test_every_heading_is_on_the_page_and_every_panel_has_one() -> None:
    page = read_resource("help", "numbers.md")
    for heading in PLACES:
        assert f"\n## {heading}\n" in page, heading
    named = {name for names in PLACES.values() for name in names}
    missing = {f"{dock.name}Dock" for dock in DOCKS} - named - {"editorDock"}
    assert missing == set()


def test_every_number_leads_to_its_place(qtbot: QtBot, open_desk: Desk) -> None:
    window = open_desk.window
    action = window.findChild(QAction, "whatNumberAction")
    assert isinstance(action, QAction)
    walked = set()
    for spec in WORKSPACES:
        window.workspace.show(spec.name)
        late = {"conflicts": "conflictsView", "upkeep": "upkeepView"}.get(spec.name)
        if late:  # made when it is first shown
            qtbot.waitUntil(lambda late=late: _is_shown(window, late), timeout=15_000)
        qtbot.waitUntil(open_desk.session.jobs.is_idle)
        for heading, names in PLACES.items():
            for name in names:
                widget = window.findChild(QWidget, name)
                if widget is None or not widget.isVisible() or name in walked:
                    continue
                assert find_heading(widget) == heading, name
                walked.add(name)
    assert {"memoryList", "verdict", "confidenceWaterfall", "trustSlider", "sourceTable"} <= walked
    assert {"distribution", "graphView", "conflictsView", "upkeepView"} <= walked
    assert {"editorBaseConfidence", "conflictsWorkspaceButton"} <= walked


def _is_shown(window: QWidget, name: str) -> bool:
    widget = window.findChild(QWidget, name)
    return isinstance(widget, QWidget) and widget.isVisible()


def test_the_key_opens_the_help_at_that_place(qtbot: QtBot, open_desk: Desk) -> None:
    window = open_desk.window
    action = window.findChild(QAction, "whatNumberAction")
    slider = window.findChild(QWidget, "trustSlider")
    button = window.findChild(QToolButton, "conflictsWorkspaceButton")
    assert isinstance(action, QAction)
    assert isinstance(slider, QWidget)
    assert isinstance(button, QToolButton)
    for widget, heading in ((slider, "Trust"), (button, "Conflicts")):
        window.activateWindow()
        widget.setFocus()
        action.trigger()
        view = window.findChild(QTextEdit, "helpText")
        assert isinstance(view, QTextEdit)
        qtbot.waitUntil(view.isVisible)
        assert view.textCursor().block().text() == heading
        rect = view.cursorRect()
        assert 0 <= rect.top() < view.viewport().height()
    for dialog in window.findChildren(QDialog):
        dialog.reject()
