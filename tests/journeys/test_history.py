"""The history of a memory, by keyboard: what each step changed, and an older text back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QToolButton

from mvdesk.ui.dialogs.history import HistoryDialog
from mvdesk.ui.widgets.diff_view import DiffView
from mvdesk.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def edited(qtbot: QtBot, open_desk: Desk) -> tuple[str, str, str]:
    """A memory saved twice with another text. Its id, the text before, and after the first."""
    desk = open_desk
    qtbot.waitUntil(lambda: desk.session.selected_memory is not None)
    memory = desk.session.selected_memory
    assert memory is not None
    content = find_content(desk)
    for text in ("Checked. ", "Twice. "):
        content.setFocus()
        content.moveCursor(content.textCursor().MoveOperation.Start)
        qtbot.keyClicks(content, text)
        with qtbot.waitSignal(desk.session.write_finished):
            qtbot.keyClick(content, Qt.Key.Key_S, CONTROL)
        qtbot.waitUntil(desk.session.jobs.is_idle)
    return memory.id, memory.content, f"Checked. {memory.content}"


def find_content(desk: Desk) -> QPlainTextEdit:
    found = desk.window.findChild(QPlainTextEdit, "editorContent")
    assert isinstance(found, QPlainTextEdit)
    return found


def open_history(qtbot: QtBot, desk: Desk) -> HistoryDialog:
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    qtbot.keyClick(find_content(desk), Qt.Key.Key_H, CONTROL)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    dialog = desk.window.findChild(HistoryDialog)
    assert isinstance(dialog, HistoryDialog)
    return dialog


def table_of(dialog: HistoryDialog) -> TableView:
    table = dialog.findChild(TableView, "historyTable")
    assert isinstance(table, TableView)
    return table


def what(dialog: HistoryDialog) -> list[str]:
    model = table_of(dialog).model()
    return [str(model.index(row, 1).data()) for row in range(model.rowCount())]


def differences(dialog: HistoryDialog) -> list[str]:
    view = dialog.findChild(DiffView)
    assert isinstance(view, DiffView)
    return view.sentences()


def test_an_older_text_is_found_compared_brought_back_and_that_is_undone(
    qtbot: QtBot, open_desk: Desk, edited: tuple[str, str, str]
) -> None:
    desk, (memory_id, first, second) = open_desk, edited
    dialog = open_history(qtbot, desk)
    assert what(dialog)[:2] == ["Edited text", "Edited text"]
    assert differences(dialog) == ["Text, added: Twice."]
    back = dialog.findChild(QPushButton, "historyReturn")
    assert not back.isEnabled()  # it is so already
    table = table_of(dialog)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    segments = [button for button in dialog.findChildren(QToolButton) if "now" in button.text()]
    qtbot.mouseClick(segments[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    assert differences(dialog) == ["Text, added: Twice. Checked."]
    assert back.isEnabled()
    with qtbot.waitSignal(desk.session.write_finished):
        qtbot.keyClick(back, Qt.Key.Key_Space)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    assert desk.session.vault.read_memory(memory_id).content == first
    assert what(dialog)[0] == "Edited text"
    assert find_content(desk).toPlainText() == first
    assert "Bring back" in desk.session.undo_label
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    with qtbot.waitSignal(desk.session.write_finished):
        qtbot.keyClick(find_content(desk), Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    assert desk.session.vault.read_memory(memory_id).content == f"Twice. {second}"
    dialog = open_history(qtbot, desk)
    assert what(dialog)[0] == "Edited text (took a step back)"
    dialog.reject()


def test_what_a_server_changed_is_told_as_far_as_its_log_goes(
    qtbot: QtBot, open_desk: Desk
) -> None:
    desk = open_desk
    with closing(sqlite3.connect(desk.session.vault.path)) as file:
        (memory_id,) = file.execute(
            "SELECT entity_id FROM memory_changelog WHERE event_type = 'memory_updated' "
            "AND payload LIKE '%\"content\":true%' OR payload LIKE '%\"importance\":true%' LIMIT 1"
        ).fetchone()
    desk.session.select(memory_id)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    dialog = open_history(qtbot, desk)
    place = next(row for row, said in enumerate(what(dialog)) if said.startswith("Edited"))
    table_of(dialog).select_row(place)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    said = dialog.findChild(QLabel, "historySaid")
    assert "doesn't tell" in said.text()
    assert what(dialog)[-1] == "Written"
    dialog.reject()


def test_a_link_is_told_with_its_direction_and_the_other_title(
    qtbot: QtBot, open_desk: Desk
) -> None:
    session = open_desk.session
    one, other = (session.snapshot.memories.ids.text(int(row)) for row in session.order[:2])
    titles = [session.snapshot.memories.labels.text(int(row)) for row in session.order[:2]]
    with qtbot.waitSignal(session.write_finished):
        session.add_link(one, other, "supports")
    for memory_id, said in (
        (one, f"supports “{titles[1]}”"),
        (other, f"supported by “{titles[0]}”"),
    ):
        session.select(memory_id)
        qtbot.waitUntil(session.jobs.is_idle)
        dialog = open_history(qtbot, open_desk)
        assert what(dialog)[0] in (f"Linked: {said}", f"Link changed: {said}")
        dialog.reject()
        qtbot.waitUntil(lambda: open_desk.window.findChild(HistoryDialog) is None)


def test_history_closes_with_the_memory_and_with_the_vault(
    qtbot: QtBot, open_desk: Desk, edited: tuple[str, str, str]
) -> None:
    desk, (memory_id, _, _) = open_desk, edited
    dialog = open_history(qtbot, desk)
    with (
        qtbot.waitSignal(dialog.finished, timeout=10_000),
        closing(sqlite3.connect(desk.session.vault.path)) as other,
        other,
    ):
        other.execute("DELETE FROM memories WHERE id = ?", (memory_id,))
    desk.session.select(desk.session.snapshot.memories.ids.text(0))
    qtbot.waitUntil(desk.session.jobs.is_idle)
    dialog = open_history(qtbot, desk)
    with qtbot.waitSignal(dialog.finished):
        desk.session.close_vault()
