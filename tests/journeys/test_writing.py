"""Writing by keyboard alone: a memory with two links, and a conflict with another program."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListWidget, QPlainTextEdit, QPushButton, QWidget

from mvdesk.ui.panels.draft_merge import END, THEIRS, YOURS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

CONTROL = Qt.KeyboardModifier.ControlModifier


def focused(desk: Desk) -> QWidget:
    """Where keys go now."""
    desk.window.activateWindow()
    found = QApplication.focusWidget()
    assert found is not None
    return found


def press(qtbot: QtBot, desk: Desk, *keys: Qt.Key, control: bool = False) -> None:
    modifier = CONTROL if control else Qt.KeyboardModifier.NoModifier
    for key in keys:
        qtbot.keyClick(focused(desk), key, modifier)


def settle(qtbot: QtBot, desk: Desk) -> None:
    qtbot.waitUntil(desk.session.jobs.is_idle)


def save(qtbot: QtBot, desk: Desk) -> None:
    with qtbot.waitSignal(desk.session.write_finished):
        press(qtbot, desk, Qt.Key.Key_S, control=True)
    settle(qtbot, desk)


def go_to(qtbot: QtBot, desk: Desk, name: str, key: Qt.Key = Qt.Key.Key_Tab) -> QWidget:
    """Tab until a widget of this name has the focus."""
    for _ in range(40):
        if focused(desk).objectName() == name:
            return focused(desk)
        qtbot.keyClick(focused(desk), key)
    raise AssertionError(f"{name} is not reached by Tab; at {focused(desk).objectName()}")


def test_a_memory_with_two_links_is_written_by_keyboard(qtbot: QtBot, open_desk: Desk) -> None:
    desk = open_desk
    labels, ids = desk.session.snapshot.memories.labels, desk.session.snapshot.memories.ids
    others = [int(row) for row in desk.session.order[:2]]
    wanted = [(ids.text(row), labels.text(row)) for row in others]
    press(qtbot, desk, Qt.Key.Key_N, control=True)
    assert focused(desk).objectName() == "editorTitle"
    qtbot.keyClicks(focused(desk), "Bins")
    qtbot.keyClicks(go_to(qtbot, desk, "editorTags"), "home")
    press(qtbot, desk, Qt.Key.Key_Escape)  # whatever tags are offered
    qtbot.keyClicks(go_to(qtbot, desk, "editorContent"), "They go out on Tuesday.")
    save(qtbot, desk)
    memory_id = desk.session.selected_id
    assert memory_id is not None
    for (_, label), key in zip(wanted, (Qt.Key.Key_S, Qt.Key.Key_C), strict=True):
        press(qtbot, desk, Qt.Key.Key_L, control=True)
        assert focused(desk).objectName() == "linkSearch"
        qtbot.keyClicks(focused(desk), label)
        settle(qtbot, desk)
        press(qtbot, desk, Qt.Key.Key_Down)
        found = focused(desk)
        assert isinstance(found, QListWidget)
        assert found.currentItem().text() == label
        with qtbot.waitSignal(desk.session.write_finished):
            press(qtbot, desk, key)
        settle(qtbot, desk)
    memory = desk.session.vault.read_memory(memory_id)
    assert (memory.title, memory.tags, memory.content) == (
        "Bins",
        "home",
        "They go out on Tuesday.",
    )
    links = desk.session.vault.read_links_of(memory_id)
    assert {(link.to_id, link.relation_type) for link in links} == {
        (wanted[0][0], "supports"),
        (wanted[1][0], "contradicts"),
    }


def test_enter_in_the_search_links_and_opens_no_other_line(qtbot: QtBot, open_desk: Desk) -> None:
    desk = open_desk
    qtbot.waitUntil(lambda: desk.session.selected_memory is not None)
    label = desk.session.snapshot.memories.labels.text(int(desk.session.order[-1]))
    press(qtbot, desk, Qt.Key.Key_L, control=True)
    search = focused(desk)
    qtbot.keyClicks(search, label)
    settle(qtbot, desk)
    with qtbot.waitSignal(desk.session.write_finished):
        press(qtbot, desk, Qt.Key.Key_Return)
    settle(qtbot, desk)
    assert not search.isVisible()
    assert focused(desk).objectName() == "linkStart"
    press(qtbot, desk, Qt.Key.Key_Return)  # now it is the button's
    assert search.isVisible()


def test_a_conflict_is_settled_by_keyboard(qtbot: QtBot, open_desk: Desk) -> None:
    desk = open_desk
    qtbot.waitUntil(lambda: desk.session.selected_memory is not None)
    memory = desk.session.selected_memory
    assert memory is not None
    content = desk.window.findChild(QPlainTextEdit, "editorContent")
    content.setFocus()
    qtbot.keyClicks(content, "Mine: ")
    with (
        qtbot.waitSignal(desk.session.vault_changed, timeout=10_000),
        closing(sqlite3.connect(desk.session.vault.path)) as other,
        other,
    ):
        other.execute(
            "UPDATE memories SET content = content || char(10) || 'Theirs', tags = 'theirs', "
            "updated_at = updated_at + 5 WHERE id = ?",
            (memory.id,),
        )
    settle(qtbot, desk)
    assert content.hasFocus()
    both = go_to(qtbot, desk, "editorBoth", Qt.Key.Key_Backtab)
    assert isinstance(both, QPushButton)
    press(qtbot, desk, Qt.Key.Key_Space)
    lines = content.toPlainText().split("\n")
    assert "Theirs" in lines
    assert f"Mine: {memory.content}" in lines
    content.setFocus()
    for marker in (YOURS, THEIRS, END):
        with qtbot.assertNotEmitted(desk.session.write_finished):
            press(qtbot, desk, Qt.Key.Key_S, control=True)
        assert content.textCursor().selectedText() == marker
        press(qtbot, desk, Qt.Key.Key_Delete, Qt.Key.Key_Delete)  # and its line
    save(qtbot, desk)
    after = desk.session.vault.read_memory(memory.id)
    assert after.content == content.toPlainText()
    assert after.tags == "theirs"
