"""The toast of a step: its button acts on that step alone, and it goes with it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QTableView, QWidget

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

SOURCE = "slack #design"


def _stored(path: Path) -> float | None:
    with closing(sqlite3.connect(path)) as db:
        sql = "SELECT trust FROM brain_source_trust WHERE source_key = ?"
        return db.execute(sql, (SOURCE,)).fetchone()[0]


def _apply(qtbot: QtBot, desk: Desk, trust: float) -> None:
    desk.session.preview_trust(SOURCE, trust)
    with qtbot.waitSignal(desk.session.write_finished):
        qtbot.mouseClick(_button(desk, "applyPreview"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(desk.session.jobs.is_idle)


def _button(desk: Desk, name: str) -> QPushButton:
    found = desk.window.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def _text(desk: Desk) -> str:
    found = desk.window.findChild(QLabel, "toastText")
    assert isinstance(found, QLabel)
    return found.text() if found.isVisible() else ""


def _press_undo(qtbot: QtBot, desk: Desk) -> None:
    table = desk.window.findChild(QTableView, "memoryList")
    assert isinstance(table, QWidget)
    table.setFocus()
    with qtbot.waitSignal(desk.session.write_finished):
        qtbot.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(desk.session.jobs.is_idle)


def test_after_ctrl_z_the_toast_offers_to_redo_that_step(
    qtbot: QtBot, open_desk: Desk, brain_file: Path
) -> None:
    _apply(qtbot, open_desk, 0.31)
    _apply(qtbot, open_desk, 0.62)
    assert _text(open_desk).startswith("Done: ")
    assert _button(open_desk, "toastAction").text() == "Undo"
    _press_undo(qtbot, open_desk)
    assert _stored(brain_file) == 0.31
    assert _text(open_desk).startswith("Undone: ")
    assert _button(open_desk, "toastAction").text() == "Redo"
    with qtbot.waitSignal(open_desk.session.write_finished):
        qtbot.mouseClick(_button(open_desk, "toastAction"), Qt.MouseButton.LeftButton)
    assert _stored(brain_file) == 0.62
    assert _text(open_desk).startswith("Done again: ")


def test_the_button_takes_back_its_own_step_or_none(
    qtbot: QtBot, open_desk: Desk, brain_file: Path
) -> None:
    session = open_desk.session
    _apply(qtbot, open_desk, 0.31)
    first = session.undo_id
    _apply(qtbot, open_desk, 0.62)
    session.undo(first)  # what a click on an outdated toast would ask for
    qtbot.waitUntil(session.jobs.is_idle)
    assert _stored(brain_file) == 0.62
    # Pressed while the key's own undo is still being written: one step is taken back, not two.
    session.undo()
    qtbot.mouseClick(_button(open_desk, "toastAction"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(session.jobs.is_idle)
    assert _stored(brain_file) == 0.31


def test_closing_the_vault_takes_the_toast_of_its_step_away(qtbot: QtBot, open_desk: Desk) -> None:
    _apply(qtbot, open_desk, 0.31)
    open_desk.session.close_vault()
    assert _text(open_desk) == ""


def test_a_write_of_nothing_says_nothing(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    _apply(qtbot, open_desk, 0.31)
    said = _text(open_desk)
    assert session.selected_memory is not None
    session.save_memory(session.selected_memory, {"title": session.selected_memory.title})
    qtbot.waitUntil(session.jobs.is_idle)
    assert _text(open_desk) == said


def test_a_step_that_another_program_made_impossible_is_skipped_to_reach_the_one_before(
    qtbot: QtBot, open_desk: Desk, brain_file: Path
) -> None:
    before = _stored(brain_file)
    _apply(qtbot, open_desk, 0.31)
    session = open_desk.session
    memory = session.selected_memory
    assert memory is not None
    with qtbot.waitSignal(session.write_finished):
        session.save_memory(memory, {"title": "Mine"})
    with (
        qtbot.waitSignal(session.vault_changed, timeout=10_000),
        closing(sqlite3.connect(brain_file)) as db,
        db,
    ):
        db.execute("UPDATE memories SET title = 'Theirs' WHERE id = ?", (memory.id,))
    qtbot.waitUntil(session.jobs.is_idle)
    _press_undo(qtbot, open_desk)
    dialog = session.messages.dialog
    assert dialog is not None
    assert "changed by another program since" in dialog.what
    skip = dialog.findChild(QPushButton, "problemRetry")
    assert skip.text() == "Skip this step"
    with qtbot.waitSignal(session.write_finished):
        qtbot.keyClick(skip, Qt.Key.Key_Return)
    qtbot.waitUntil(session.jobs.is_idle)
    assert _text(open_desk).startswith("Skipped. Undo now takes back: Set trust")
    open_desk.window.activateWindow()
    qtbot.waitUntil(open_desk.window.isActiveWindow)
    _press_undo(qtbot, open_desk)
    assert _stored(brain_file) == before
    assert session.vault.read_memory(memory.id).title == "Theirs"
