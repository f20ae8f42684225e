"""Every action has words, a key and help, is in a menu, and can be triggered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QMenu, QTableWidget

from mvdesk.ui.action_list import SPECS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk


def _in_menus(desk: Desk) -> list[QAction]:
    """Every action that a menu of the menu bar holds, submenus too."""
    menus = desk.window.menuBar().findChildren(QMenu)
    menus += [menu for menu in desk.window.findChildren(QMenu) if menu.objectName() == "modelMenu"]
    openers = {menu.menuAction() for menu in desk.window.findChildren(QMenu)}
    return [
        action
        for menu in menus
        for action in menu.actions()
        if not action.isSeparator() and action not in openers
    ]


def test_every_action_is_in_a_menu(desk: Desk) -> None:
    named = {action.objectName() for action in _in_menus(desk)}
    assert {f"{spec.name}Action" for spec in SPECS} <= named


def test_every_action_has_a_key_a_tooltip_and_help(desk: Desk) -> None:
    for action in _in_menus(desk):
        name = action.objectName()
        assert name, action.text()
        assert not action.shortcut().isEmpty(), name
        assert action.toolTip(), name
        assert action.statusTip().endswith("."), name
        assert action.whatsThis(), name


def test_no_two_actions_share_a_key(desk: Desk) -> None:
    keys: dict[str, str] = {}
    for action in _in_menus(desk):
        for key in action.shortcuts():
            text = key.toString()
            assert keys.setdefault(text, action.objectName()) == action.objectName(), text


def test_every_spec_has_a_key_and_a_sentence() -> None:
    assert len({spec.name for spec in SPECS}) == len(SPECS)
    for spec in SPECS:
        assert spec.keys, spec.name
        assert spec.help.endswith("."), spec.name


@pytest.mark.parametrize("name", [spec.name for spec in SPECS if spec.name != "quit"])
def test_every_action_can_be_triggered_with_a_vault(
    qtbot: QtBot, open_desk: Desk, name: str
) -> None:
    window = open_desk.window
    action = window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    action.trigger()
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    for dialog in window.findChildren(QDialog):
        dialog.reject()


@pytest.mark.parametrize("name", [spec.name for spec in SPECS if spec.name != "quit"])
def test_every_action_can_be_triggered_without_a_vault(qtbot: QtBot, desk: Desk, name: str) -> None:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    action.trigger()
    qtbot.waitUntil(desk.session.jobs.is_idle)
    for dialog in desk.window.findChildren(QDialog):
        dialog.reject()


def test_the_shortcuts_dialog_lists_every_action(desk: Desk) -> None:
    action = desk.window.findChild(QAction, "shortcutsAction")
    assert isinstance(action, QAction)
    action.trigger()
    table = desk.window.findChild(QTableWidget, "shortcutsTable")
    assert isinstance(table, QTableWidget)
    assert table.rowCount() >= len(SPECS)
    rows = [row for row in range(table.rowCount()) if table.columnSpan(row, 0) == 1]
    keys = [table.item(row, 1) for row in rows]
    assert all(item is not None and item.text() for item in keys)
    for dialog in desk.window.findChildren(QDialog):
        dialog.reject()


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_shortcuts_dialog_cuts_nothing_off(qtbot: QtBot, desk: Desk, scale: float) -> None:
    desk.theme.set_scale(scale)
    desk.window.resize(1024, 680)
    action = desk.window.findChild(QAction, "shortcutsAction")
    assert isinstance(action, QAction)
    action.trigger()
    table = desk.window.findChild(QTableWidget, "shortcutsTable")
    assert isinstance(table, QTableWidget)
    qtbot.waitUntil(table.isVisible)
    qtbot.wait(30)
    dialog = table.window()
    assert dialog.width() <= desk.window.width()
    assert table.columnViewportPosition(2) + table.columnWidth(2) <= table.viewport().width()
    wrap = Qt.TextFlag.TextWordWrap
    for row in [row for row in range(table.rowCount()) if table.columnSpan(row, 0) == 1]:
        for column in range(3):
            item = table.item(row, column)
            assert item is not None
            room = table.visualItemRect(item).adjusted(round(12 * scale), 0, round(-6 * scale), 0)
            needed = table.fontMetrics().boundingRect(0, 0, room.width(), 9999, wrap, item.text())
            assert needed.height() <= room.height(), item.text()
            assert needed.width() <= room.width(), item.text()
    for found in desk.window.findChildren(QDialog):
        found.reject()
