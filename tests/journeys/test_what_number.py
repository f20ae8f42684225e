"""What is this number: every kind of number has its place in the help, and is led to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QTextEdit, QToolButton, QWidget

from mvdesk.assets import read_resource
from mvdesk.ui.number_help import PLACES, find_heading
from mvdesk.ui.plots.waterfall import Waterfall
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


def _ask_with_the_menu_key(qtbot: QtBot, window: QWidget, name: str) -> QMenu:
    """The menu that the menu key opens at a widget."""
    widget = window.findChild(QWidget, name)
    assert isinstance(widget, QWidget), name
    widget.setFocus()
    viewport = getattr(widget, "viewport", None)
    target = viewport() if viewport is not None else widget
    place = target.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, target.mapToGlobal(place))
    QApplication.sendEvent(target, event)
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


@pytest.mark.qt_log_ignore("This plugin does not support")  # popups
@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("memoryList", "A score in the list"),
        ("confidenceWaterfall", "A bar and its number"),
        ("sourceTable", "Trust"),
        ("trustSlider", "Trust"),
        ("graphView", "Numbers in the graph"),
        ("verdict", "The sentence over the bars"),
        ("editorScores", "A score in the list"),
    ],
)
def test_the_menu_of_a_number_says_what_it_is(
    qtbot: QtBot, open_desk: Desk, name: str, heading: str
) -> None:
    window = open_desk.window
    window.activateWindow()
    menu = _ask_with_the_menu_key(qtbot, window, name)
    assert menu.actions(), menu.objectName()
    names = {one.objectName(): one for one in menu.actions()}
    assert "whatNumberEntry" in names, (menu.objectName(), [a.text() for a in menu.actions()])
    entry = names["whatNumberEntry"]
    assert entry.text() == "&What is this number\tShift+F1"
    menu.setActiveAction(entry)
    entry.trigger()
    menu.close()
    view = window.findChild(QTextEdit, "helpText")
    assert isinstance(view, QTextEdit)
    qtbot.waitUntil(view.isVisible)
    assert view.textCursor().block().text() == heading
    for dialog in window.findChildren(QDialog):
        dialog.reject()


@pytest.mark.qt_log_ignore("This plugin does not support")  # popups
def test_the_menu_of_a_bar_says_it_too(qtbot: QtBot, open_desk: Desk) -> None:
    chart = open_desk.window.findChild(Waterfall, "confidenceWaterfall")
    assert isinstance(chart, Waterfall)
    qtbot.keyClick(chart, Qt.Key.Key_Down)
    menu = _ask_with_the_menu_key(qtbot, open_desk.window, "confidenceWaterfall")
    assert menu.objectName() == "barMenu"
    assert menu.actions()[-1].objectName() == "whatNumberEntry"
    menu.close()


@pytest.mark.qt_log_ignore("This plugin does not support")  # popups
def test_a_button_has_no_menu_about_a_number(qtbot: QtBot, open_desk: Desk) -> None:
    button = open_desk.window.findChild(QToolButton, "sortButton")
    assert isinstance(button, QToolButton)
    place = button.rect().center()
    reason = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, place, button.mapToGlobal(place))
    QApplication.sendEvent(button, event)
    qtbot.wait(1)
    assert open_desk.window.findChild(QMenu, "numberMenu") is None
    if popup := QApplication.activePopupWidget():  # Qt's menu of a dock's title
        popup.close()
