"""After a save up to three similar memories are shown: link, merge, ignore; nothing waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QListWidget, QPlainTextEdit

from mvdesk.ui.widgets.hint_list import HintList
from mvdesk.vault.not_duplicates import change_apart, read_apart

from .conftest import Desk, find

if TYPE_CHECKING:
    from mvdesk.ui.panels.editor import EditorPanel

TWIN = "The greenhouse door sticks when the weather turns wet, so oil the hinge in autumn."


def hints_of(panel: EditorPanel) -> HintList:
    return find(panel, HintList, "editorHints")


def press(desk: Desk, panel: EditorPanel, name: str, place: int = 0) -> None:
    buttons = [
        one for one in hints_of(panel).findChildren(QAbstractButton, name) if not one.isHidden()
    ]
    desk.qtbot.mouseClick(buttons[place], Qt.MouseButton.LeftButton)


def write_new(desk: Desk, panel: EditorPanel, text: str) -> str:
    panel.start_new()
    find(panel, QPlainTextEdit, "editorContent").setPlainText(text)
    with desk.qtbot.waitSignal(desk.session.write_finished):
        panel.save()
    desk.settle()
    assert desk.session.selected_id is not None
    return desk.session.selected_id


@pytest.fixture
def twins(desk: Desk, editor: EditorPanel) -> tuple[str, str]:
    """Two memories of nearly the same words, the second just saved."""
    first = write_new(desk, editor, TWIN)
    return first, write_new(desk, editor, TWIN.replace("autumn", "October"))


def test_a_near_duplicate_comes_first_without_taking_the_focus(
    desk: Desk, editor: EditorPanel, twins: tuple[str, str]
) -> None:
    hints = hints_of(editor).hints()
    assert 1 <= len(hints) <= 3
    assert hints[0].memory_id == twins[0]
    assert hints[0].why == "nearly the same words"
    assert hints_of(editor).isVisible()
    assert find(editor, QPlainTextEdit, "editorContent").isVisible()
    focus = editor.window().focusWidget()
    assert focus is None or not hints_of(editor).isAncestorOf(focus)


def test_another_memory_has_other_hints_or_none(
    desk: Desk, editor: EditorPanel, twins: tuple[str, str]
) -> None:
    desk.select(desk.memory_id(3))
    assert hints_of(editor).hints() == ()
    assert not hints_of(editor).isVisible()


def test_open_goes_there(desk: Desk, editor: EditorPanel, twins: tuple[str, str]) -> None:
    press(desk, editor, "hintOpen")
    assert desk.session.selected_id == twins[0]


def test_link_asks_for_the_relation_and_the_hint_goes(
    desk: Desk, editor: EditorPanel, twins: tuple[str, str]
) -> None:
    press(desk, editor, "hintLink")
    found = find(editor, QListWidget, "linkFound")
    assert found.hasFocus()
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.qtbot.keyClick(found, Qt.Key.Key_S)
    desk.settle()
    (link,) = desk.session.vault.read_links_of(twins[1])
    assert (link.from_id, link.to_id, link.relation_type) == (twins[1], twins[0], "supports")
    assert twins[0] not in [hint.memory_id for hint in hints_of(editor).hints()]


def test_merge_asks_for_the_two(desk: Desk, editor: EditorPanel, twins: tuple[str, str]) -> None:
    with desk.qtbot.waitSignal(editor.hints.merge_requested) as asked:
        press(desk, editor, "hintMerge")
    assert asked.args == [twins[1], twins[0]]
    assert desk.read(twins[0]).archived_at is None


def test_what_is_ignored_is_remembered_as_no_duplicate(
    desk: Desk, editor: EditorPanel, twins: tuple[str, str]
) -> None:
    press(desk, editor, "hintIgnore")
    desk.settle()
    vault = desk.session.vault
    assert read_apart(vault.companion, vault.brain.id) == {frozenset(twins)}


def test_what_was_said_to_be_no_duplicate_is_no_hint(desk: Desk, editor: EditorPanel) -> None:
    first = write_new(desk, editor, TWIN)
    second = write_new(desk, editor, TWIN.replace("autumn", "October"))
    assert first in [hint.memory_id for hint in hints_of(editor).hints()]
    vault = desk.session.vault
    change_apart(vault.companion, vault.brain.id, [(first, second)], apart=True)
    desk.qtbot.keyClicks(find(editor, QPlainTextEdit, "editorContent"), "Again: ")
    with desk.qtbot.waitSignal(desk.session.write_finished):
        editor.save()
    desk.settle()
    assert first not in [hint.memory_id for hint in hints_of(editor).hints()]


def test_what_is_ignored_stays_away(
    desk: Desk, editor: EditorPanel, twins: tuple[str, str]
) -> None:
    press(desk, editor, "hintIgnore")
    assert twins[0] not in [hint.memory_id for hint in hints_of(editor).hints()]
    desk.qtbot.keyClicks(find(editor, QPlainTextEdit, "editorContent"), "Again: ")
    with desk.qtbot.waitSignal(desk.session.write_finished):
        editor.save()
    desk.settle()
    assert twins[0] not in [hint.memory_id for hint in hints_of(editor).hints()]


def test_all_are_ignored_by_the_cross(
    desk: Desk, editor: EditorPanel, twins: tuple[str, str]
) -> None:
    hints_of(editor).dismissed.emit()
    assert not hints_of(editor).isVisible()
