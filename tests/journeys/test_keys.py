"""Keys of actions: found, changed, taken, brought back; shown as they are everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QDialog,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QTableWidget,
    QTextEdit,
    QWidget,
)

from mvdesk.ui.key_commands import KeyCommands
from mvdesk.ui.keymap import refuse_key
from mvdesk.ui.panel_keys import PANEL_ACTIONS, PANEL_KEYS
from mvdesk.ui.workspaces import DOCKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from mvdesk.ui.keymap import Keymap
    from mvdesk.ui.settings import Settings

Mod = Qt.KeyboardModifier
Part = TypeVar("Part", bound=QWidget)


def action(desk: Desk, name: str) -> QAction:
    found = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(found, QAction)
    return found


def keymap(desk: Desk) -> Keymap:
    commands = desk.window.findChild(KeyCommands)
    assert isinstance(commands, KeyCommands)
    return commands.keymap


def sheet(desk: Desk) -> QDialog:
    action(desk, "shortcuts").trigger()
    found = [one for one in desk.window.findChildren(QDialog) if one.isVisible()]
    assert len(found) == 1
    return found[0]


def part(dialog: QDialog, kind: type[Part], name: str) -> Part:
    found = dialog.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def rows(dialog: QDialog) -> list[tuple[str, str]]:
    table = part(dialog, QTableWidget, "shortcutsTable")
    return [
        (table.item(row, 0).text(), table.item(row, 1).text() if table.item(row, 1) else "")
        for row in range(table.rowCount())
    ]


def choose(dialog: QDialog, what: str) -> None:
    table = part(dialog, QTableWidget, "shortcutsTable")
    row = [text for text, _ in rows(dialog)].index(what)
    table.setCurrentCell(row, 0)


def press_new_key(dialog: QDialog, key: Qt.Key, modifiers: Mod = Mod.NoModifier) -> None:
    QTest.keyClick(part(dialog, QTableWidget, "shortcutsTable"), Qt.Key.Key_Return)
    field = part(dialog, QKeySequenceEdit, "shortcutsNewKey")
    assert field.isVisible()
    QTest.keyClick(field, key, modifiers)


def click(dialog: QDialog, name: str) -> None:
    part(dialog, QPushButton, name).click()


def said(dialog: QDialog) -> str:
    return part(dialog, QLabel, "shortcutsSaid").text()


def test_the_sheet_begins_with_the_panel_that_has_the_keyboard(
    qtbot: QtBot, open_desk: Desk
) -> None:
    window = open_desk.window
    editor = window.findChild(QWidget, "editorTitle")
    assert isinstance(editor, QWidget)
    window.activateWindow()
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    dialog = sheet(open_desk)
    shown = [text for text, _ in rows(dialog)]
    assert shown[0] == "In the panel Editor"
    assert "Save" in shown[: shown.index("Everything")]
    assert shown.count("Save") == 2  # there, and among all of them
    dialog.reject()


def test_every_panel_has_a_sheet_and_every_action_on_it_exists(desk: Desk) -> None:
    names = {spec.name for spec in DOCKS}
    known = {one.objectName().removesuffix("Action") for one in keymap(desk).actions}
    assert set(PANEL_ACTIONS) == names
    assert set(PANEL_KEYS) <= names
    for panel, actions in PANEL_ACTIONS.items():
        assert actions, panel
        assert set(actions) <= known, panel


def test_an_action_is_found_by_name_and_by_pressing_its_key(desk: Desk) -> None:
    dialog = sheet(desk)
    part(dialog, QLineEdit, "shortcutsSearch").setText("dark thema")
    assert rows(dialog) == []
    assert said(dialog) == "No action has these words."
    part(dialog, QLineEdit, "shortcutsSearch").setText("backups")
    assert ("Backups", "Ctrl+Alt+B") in rows(dialog)
    part(dialog, QLineEdit, "shortcutsSearch").clear()
    field = part(dialog, QKeySequenceEdit, "shortcutsByKey")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_N, Mod.ControlModifier)
    assert rows(dialog) == [("New memory", "Ctrl+N")]
    field.setKeySequence(QKeySequence("Ctrl+Alt+Shift+Z"))
    assert rows(dialog) == []
    assert said(dialog) == "Ctrl+Alt+Shift+Z is free."
    dialog.reject()


def test_a_changed_key_works_is_shown_everywhere_and_is_there_at_the_next_start(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk]
) -> None:
    window = open_desk.window
    dialog = sheet(open_desk)
    choose(dialog, "Save")
    press_new_key(dialog, Qt.Key.Key_F7)
    click(dialog, "shortcutsSet")
    assert ("Save", "F7") in rows(dialog)
    assert said(dialog) == "“Save” has the key F7 now."
    dialog.reject()
    assert action(open_desk, "save").shortcut() == QKeySequence("F7")
    assert action(open_desk, "save").toolTip() == "Save (F7)"
    button = window.findChild(QPushButton, "editorSave")
    assert isinstance(button, QPushButton)
    assert button.toolTip() == "Save to the vault (F7)"
    triggered: list[bool] = []
    action(open_desk, "showArchived").triggered.connect(lambda on: triggered.append(on))
    keymap(open_desk).set_key("showArchived", "F8")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert triggered == [True]
    action(open_desk, "help").trigger()
    view = window.findChild(QTextEdit, "helpText")
    pages = window.findChild(QListView, "helpPages")
    assert isinstance(view, QTextEdit)
    assert isinstance(pages, QListView)
    texts = []
    for row in range(pages.model().rowCount()):
        pages.setCurrentIndex(pages.model().index(row, 0))
        texts.append(view.toPlainText())
    assert any("F7" in text for text in texts)
    assert not any("Ctrl+S " in text for text in texts)
    window.close()
    again = make_window()
    assert action(again, "save").shortcut() == QKeySequence("F7")


def test_a_key_that_another_has_is_reported_and_can_be_taken(desk: Desk) -> None:
    dialog = sheet(desk)
    choose(dialog, "Save")
    press_new_key(dialog, Qt.Key.Key_N, Mod.ControlModifier)
    assert said(dialog) == "Ctrl+N is the key of “New memory”, which would go without."
    click(dialog, "shortcutsCancel")
    assert keymap(desk).keys_of("save") == ("Ctrl+S",)
    choose(dialog, "Save")
    press_new_key(dialog, Qt.Key.Key_N, Mod.ControlModifier)
    assert part(dialog, QPushButton, "shortcutsSet").text() == "&Take it"
    click(dialog, "shortcutsSet")
    assert keymap(desk).keys_of("save") == ("Ctrl+N",)
    assert keymap(desk).keys_of("newMemory") == ()
    assert ("New memory", "none") in rows(dialog)
    choose(dialog, "New memory")
    click(dialog, "shortcutsReset")
    assert keymap(desk).keys_of("newMemory") == ("Ctrl+N",)
    assert keymap(desk).keys_of("save") == ()
    click(dialog, "shortcutsResetAll")
    assert keymap(desk).changes() == {}
    assert keymap(desk).keys_of("save") == ("Ctrl+S",)
    assert not part(dialog, QPushButton, "shortcutsResetAll").isEnabled()
    dialog.reject()


@pytest.mark.parametrize("key", ["Space", "Ctrl+C", "Tab", "Down", ""])
def test_a_key_that_text_and_lists_need_is_refused(desk: Desk, key: str) -> None:
    assert refuse_key(key)
    with pytest.raises(ValueError, match=r"\w"):
        keymap(desk).set_key("save", key)
    assert keymap(desk).changes() == {}


def test_a_letter_acts_only_while_no_text_field_has_the_keyboard(
    qtbot: QtBot, open_desk: Desk
) -> None:
    window = open_desk.window
    keymap(open_desk).set_key("showArchived", "Y" if keymap(open_desk).holder_of("Y") else "J")
    key = keymap(open_desk).keys_of("showArchived")[0]
    done: list[bool] = []
    action(open_desk, "showArchived").triggered.connect(lambda on: done.append(on))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    title = window.findChild(QLineEdit, "editorTitle")
    listed = window.findChild(QWidget, "memoryList")
    assert isinstance(title, QLineEdit)
    assert isinstance(listed, QWidget)
    title.setFocus()
    title.setText("")
    QTest.keyClicks(title, key.lower())
    assert title.text() == key.lower()
    assert done == []
    listed.setFocus()
    QTest.keyClicks(listed, key.lower())
    qtbot.waitUntil(lambda: done == [True])


def test_garbage_in_the_settings_leaves_the_usual_keys(
    settings: Settings, make_window: Callable[[], Desk]
) -> None:
    settings.write_shortcuts(
        {"save": ("Ctrl+N",), "nothing": ("F9",), "find": ("", "Space"), "pin": ("Ctrl+N", "F9")}
    )
    desk = make_window()
    found = keymap(desk)
    assert found.keys_of("save") == ("Ctrl+N",)  # the first who claims it
    assert found.keys_of("newMemory") == ()
    assert found.keys_of("pin") == ("F9",)
    assert found.keys_of("find") == ()
    settings._store.setValue("keys/changed", "[1, 2")
    assert settings.read_shortcuts() == {}
