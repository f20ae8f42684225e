"""Another program holds the vault: the write is offered again, and nothing typed is lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPlainTextEdit, QPushButton

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

SOURCE = "slack #design"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def _ask(path: Path, sql: str) -> object:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchone()[0]


def _press_retry(qtbot: QtBot, desk: Desk) -> None:
    dialog = desk.window.findChild(QDialog, "problemDialog")
    assert isinstance(dialog, QDialog)
    button = dialog.findChild(QPushButton, "problemRetry")
    assert isinstance(button, QPushButton)
    with qtbot.waitSignal(desk.session.write_finished, timeout=15_000):
        qtbot.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(desk.session.jobs.is_idle)


@pytest.fixture
def state(open_desk: Desk) -> QLabel:
    found = open_desk.window.findChild(QLabel, "savedState")
    assert isinstance(found, QLabel)
    return found


def test_an_edit_is_written_by_retry(
    qtbot: QtBot, open_desk: Desk, brain_file: Path, state: QLabel
) -> None:
    title = open_desk.window.findChild(QLineEdit, "editorTitle")
    assert isinstance(title, QLineEdit)
    title.setFocus()
    title.selectAll()
    qtbot.keyClicks(title, "Kept all the while")
    with _locked(brain_file), qtbot.waitSignal(open_desk.session.write_finished, timeout=15_000):
        qtbot.keyClick(title, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert title.text() == "Kept all the while"
    assert state.text() == "Unsaved typing in 1 memory"
    _press_retry(qtbot, open_desk)
    sql = "SELECT count(*) FROM memories WHERE title = 'Kept all the while'"
    assert _ask(brain_file, sql) == 1
    assert title.text() == "Kept all the while"
    qtbot.waitUntil(lambda: state.text() == "Saved")


def test_a_new_memory_is_written_once_by_retry(
    qtbot: QtBot, open_desk: Desk, brain_file: Path, state: QLabel
) -> None:
    action = open_desk.window.findChild(QAction, "newMemoryAction")
    assert isinstance(action, QAction)
    action.trigger()
    content = open_desk.window.findChild(QPlainTextEdit, "editorContent")
    assert isinstance(content, QPlainTextEdit)
    content.setFocus()
    qtbot.keyClicks(content, "Quite new")
    with _locked(brain_file), qtbot.waitSignal(open_desk.session.write_finished, timeout=15_000):
        qtbot.keyClick(content, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    _press_retry(qtbot, open_desk)
    qtbot.waitUntil(lambda: state.text() == "Saved")
    assert content.toPlainText() == "Quite new"
    qtbot.keyClick(content, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    assert _ask(brain_file, "SELECT count(*) FROM memories WHERE content = 'Quite new'") == 1


def test_a_preview_is_applied_by_retry(qtbot: QtBot, open_desk: Desk, brain_file: Path) -> None:
    open_desk.session.preview_trust(SOURCE, 0.31)
    with _locked(brain_file), qtbot.waitSignal(open_desk.session.write_finished, timeout=15_000):
        open_desk.session.apply_preview()
    assert open_desk.session.preview.trust == {SOURCE: 0.31}
    _press_retry(qtbot, open_desk)
    sql = f"SELECT trust FROM brain_source_trust WHERE source_key = '{SOURCE}'"
    assert _ask(brain_file, sql) == 0.31
    assert open_desk.session.preview.is_empty


def test_a_decay_is_written_by_retry(qtbot: QtBot, open_desk: Desk, brain_file: Path) -> None:
    action = open_desk.window.findChild(QAction, "upkeepDecayAction")
    assert isinstance(action, QAction)
    action.trigger()
    qtbot.waitUntil(lambda: open_desk.window.findChild(QPushButton, "decayApply") is not None)
    days = open_desk.window.findChild(QLineEdit, "decayDays")
    apply = open_desk.window.findChild(QPushButton, "decayApply")
    assert isinstance(days, QLineEdit)
    assert isinstance(apply, QPushButton)
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    days.selectAll()
    qtbot.keyClicks(days, "10")
    qtbot.keyClick(days, Qt.Key.Key_Return)
    qtbot.waitUntil(apply.isEnabled)
    count = int(apply.text().split()[2])
    sql = "SELECT count(*) FROM memories WHERE last_decayed_at IS NOT NULL"
    before = _ask(brain_file, sql)
    with _locked(brain_file), qtbot.waitSignal(open_desk.session.write_finished, timeout=15_000):
        apply.click()
    assert _ask(brain_file, sql) == before
    assert apply.isEnabled(), "the dry run is still there to be applied"
    _press_retry(qtbot, open_desk)
    said = open_desk.window.findChild(QLabel, "decaySummary")
    assert isinstance(said, QLabel)
    assert said.text() == f"{count:,} memories decayed. Ctrl+Z takes all of it back."
