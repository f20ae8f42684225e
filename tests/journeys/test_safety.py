"""Backups and snapshots from the menu, by keyboard, on a copy of a real server's file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QPushButton, QTableView

from mvdesk.store.restoring import read_backups

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from tests.fakes import FakeFileDialogs


W = TypeVar("W", bound="QWidget")


def _trigger(desk: Desk, name: str) -> None:
    action = next(a for a in desk.window.actions() if a.objectName() == f"{name}Action")
    assert action.isEnabled()
    action.trigger()


def _dialog(qtbot: QtBot, name: str, inside: QWidget) -> QDialog:
    qtbot.waitUntil(lambda: inside.findChild(QDialog, name) is not None)
    dialog = inside.findChild(QDialog, name)
    assert dialog is not None
    return dialog


def _child(dialog: QWidget, kind: type[W], name: str) -> W:
    found = dialog.findChild(kind, name)
    assert found is not None, name
    return found


def _press(dialog: QWidget, name: str) -> None:
    button = _child(dialog, QPushButton, name)
    assert button.isEnabled(), name
    button.click()


def _add(qtbot: QtBot, desk: Desk, text: str) -> str:
    with qtbot.waitSignal(desk.session.write_finished):
        memory_id = desk.session.add_memory({"title": text, "content": text})
    qtbot.waitUntil(desk.session.jobs.is_idle)
    return memory_id


def _titles(path: Path) -> set[str]:
    with sqlite3.connect(path) as conn:
        found = {row[0] for row in conn.execute("SELECT title FROM memories")}
    conn.close()
    return found


def _rows(dialog: QWidget, name: str) -> int:
    model = _child(dialog, QTableView, name).model()
    return 0 if model is None else model.rowCount()


def test_a_backup_is_restored_and_the_state_before_it_is_kept(
    qtbot: QtBot, open_desk: Desk, brain_file: Path
) -> None:
    _add(qtbot, open_desk, "made after the backup")
    _trigger(open_desk, "backups")
    dialog = _dialog(qtbot, "backupsDialog", open_desk.window)
    qtbot.waitUntil(lambda: _rows(dialog, "backupsTable") == 1)
    _press(dialog, "backupRestore")
    question = _dialog(qtbot, "restoreQuestion", dialog)
    with qtbot.waitSignal(open_desk.session.vault_opened, timeout=15_000):
        _press(question, "restoreNow")
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    assert "made after the backup" not in _titles(brain_file)
    assert "made after the backup" not in open_desk.session.snapshot.memories.labels
    kept = read_backups(brain_file)[0]
    assert "made after the backup" in _titles(kept.path)


def test_without_a_backup_the_dialog_says_when_the_first_one_is_made(
    qtbot: QtBot, open_desk: Desk
) -> None:
    _trigger(open_desk, "backups")
    dialog = _dialog(qtbot, "backupsDialog", open_desk.window)
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    assert "no backup of this vault yet" in _child(dialog, QLabel, "backupsText").text()
    assert not _child(dialog, QPushButton, "backupRestore").isEnabled()
    dialog.reject()


def test_a_vault_is_copied_to_a_file_and_a_file_that_exists_is_refused(
    qtbot: QtBot, open_desk: Desk, files: FakeFileDialogs, brain_file: Path, tmp_path: Path
) -> None:
    files.answer = tmp_path / "copy.sqlite"
    _trigger(open_desk, "backups")
    dialog = _dialog(qtbot, "backupsDialog", open_desk.window)
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    _press(dialog, "backupCopy")
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    assert _titles(files.answer) == _titles(brain_file)
    with qtbot.waitSignal(open_desk.session.messages.failed) as failed:
        _press(dialog, "backupCopy")
    assert "already" in str(failed.args[0])
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    problem = open_desk.session.messages.dialog
    assert problem is not None
    problem.reject()
    dialog.reject()


def test_backups_of_a_file_that_no_longer_opens_can_be_restored(
    qtbot: QtBot, desk: Desk, files: FakeFileDialogs, brain_file: Path
) -> None:
    with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
        desk.window.open_vault(brain_file)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    _add(qtbot, desk, "made after the backup")
    _trigger(desk, "closeVault")
    qtbot.waitUntil(desk.session.jobs.is_idle)
    brain_file.write_bytes(b"no database at all" * 100)
    files.answer = brain_file
    _trigger(desk, "backups")
    dialog = _dialog(qtbot, "backupsDialog", desk.window)
    qtbot.waitUntil(lambda: _rows(dialog, "backupsTable") == 1)
    _press(dialog, "backupRestore")
    with qtbot.waitSignal(desk.session.vault_opened, timeout=15_000):
        _press(_dialog(qtbot, "restoreQuestion", dialog), "restoreNow")
    qtbot.waitUntil(desk.session.jobs.is_idle)
    assert len(desk.session.snapshot.memories.ids) > 100
    assert (brain_file.parent / "brain.sqlite.damaged-1").read_bytes().startswith(b"no database")


@pytest.mark.parametrize("mode", ["merge", "replace"])
def test_a_snapshot_is_taken_previewed_restored_and_undone(
    qtbot: QtBot, open_desk: Desk, brain_file: Path, mode: str
) -> None:
    before = _titles(brain_file)
    _trigger(open_desk, "snapshots")
    dialog = _dialog(qtbot, "snapshotsDialog", open_desk.window)
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    there = _rows(dialog, "snapshotsTable")
    qtbot.keyClicks(_child(dialog, QLineEdit, "snapshotName"), "before the test")
    _press(dialog, "snapshotTake")
    qtbot.waitUntil(lambda: _rows(dialog, "snapshotsTable") == there + 1)
    dialog.reject()
    _add(qtbot, open_desk, "made after the snapshot")

    _trigger(open_desk, "snapshots")
    dialog = _dialog(qtbot, "snapshotsDialog", open_desk.window)
    table = _child(dialog, QTableView, "snapshotsTable")
    qtbot.waitUntil(lambda: table.model().rowCount() == there + 1)
    assert table.model().index(0, 1).data() == "before the test"
    if mode == "replace":
        control = dialog.findChild(object, "snapshotMode")
        qtbot.keyClick(control, Qt.Key.Key_Right)
    _press(dialog, "snapshotCompare")
    preview = _dialog(qtbot, "planPreview", dialog)
    if mode == "merge":
        assert _child(preview, QLabel, "planSummary").text() == "Nothing would change."
        assert not _child(preview, QPushButton, "planApply").isEnabled()
        preview.reject()
        dialog.reject()
        qtbot.waitUntil(open_desk.session.jobs.is_idle)
        return
    assert _rows(preview, "planTable") >= 1
    with qtbot.waitSignal(open_desk.session.write_finished):
        _press(preview, "planApply")
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    assert _titles(brain_file) == before
    with qtbot.waitSignal(open_desk.session.write_finished):
        open_desk.session.undo()
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    assert _titles(brain_file) == before | {"made after the snapshot"}


@pytest.mark.parametrize(
    "payload",
    ['{"schema": "brain_snapshot_v1", "memories": [', "[" * 100_000, ""],
    ids=["cut off", "nested", "gone"],
)
@pytest.mark.parametrize("button", ["snapshotCompare", "snapshotSince"])
def test_a_damaged_snapshot_is_a_sentence_and_nothing_is_done(
    qtbot: QtBot, open_desk: Desk, brain_file: Path, payload: str, button: str
) -> None:
    before = _titles(brain_file)
    with closing(sqlite3.connect(brain_file)) as db, db:
        db.execute("UPDATE brain_snapshots SET payload_json = ?", (payload,))
    _trigger(open_desk, "snapshots")
    dialog = _dialog(qtbot, "snapshotsDialog", open_desk.window)
    qtbot.waitUntil(_child(dialog, QPushButton, button).isEnabled)
    _press(dialog, button)
    problem = _dialog(qtbot, "problemDialog", open_desk.window)
    told = " ".join(label.text() for label in problem.findChildren(QLabel))
    assert told.startswith("This snapshot can't be read: it is not JSON. Nothing was changed.")
    problem.reject()
    qtbot.waitUntil(_child(dialog, QPushButton, button).isEnabled)
    assert dialog.findChild(QDialog, "planPreview") is None
    dialog.reject()
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    assert _titles(brain_file) == before
    assert not open_desk.session.undo_label


def test_a_restore_that_no_longer_fits_is_refused_whole(
    qtbot: QtBot, open_desk: Desk, brain_file: Path
) -> None:
    _trigger(open_desk, "snapshots")
    dialog = _dialog(qtbot, "snapshotsDialog", open_desk.window)
    qtbot.waitUntil(_child(dialog, QPushButton, "snapshotCompare").isEnabled)
    control = dialog.findChild(object, "snapshotMode")
    qtbot.keyClick(control, Qt.Key.Key_Right)
    _press(dialog, "snapshotCompare")
    preview = _dialog(qtbot, "planPreview", dialog)
    assert _rows(preview, "planTable") > 1
    with closing(sqlite3.connect(brain_file)) as db, db:
        db.execute("UPDATE memories SET title = 'Elsewhere ' || id, updated_at = updated_at + 1")
    before = _titles(brain_file)
    with qtbot.waitSignal(open_desk.session.write_finished) as finished:
        _press(preview, "planApply")
    assert finished.args == ["restore", False]
    assert _titles(brain_file) == before
    _dialog(qtbot, "problemDialog", open_desk.window).reject()
    qtbot.waitUntil(open_desk.session.jobs.is_idle)


def test_the_snapshot_that_was_looked_at_stays_selected(qtbot: QtBot, open_desk: Desk) -> None:
    _trigger(open_desk, "snapshots")
    dialog = _dialog(qtbot, "snapshotsDialog", open_desk.window)
    take = _child(dialog, QPushButton, "snapshotTake")
    for _ in range(2):
        qtbot.waitUntil(take.isEnabled)
        take.click()
    qtbot.waitUntil(take.isEnabled)
    table = _child(dialog, QTableView, "snapshotsTable")
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_End)
    last = table.currentIndex().row()
    assert last >= 1
    _press(dialog, "snapshotSince")
    _dialog(qtbot, "snapshotSince", dialog).reject()
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    assert table.currentIndex().row() == last
    qtbot.keyClicks(_child(dialog, QLineEdit, "snapshotName"), "one more")
    _press(dialog, "snapshotTake")
    qtbot.waitUntil(lambda: _rows(dialog, "snapshotsTable") == last + 2)
    assert table.currentIndex().row() == 0, "the new one"
    dialog.reject()
    qtbot.waitUntil(open_desk.session.jobs.is_idle)


def test_a_snapshot_is_compared_with_now(qtbot: QtBot, open_desk: Desk) -> None:
    _trigger(open_desk, "snapshots")
    dialog = _dialog(qtbot, "snapshotsDialog", open_desk.window)
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    there = _rows(dialog, "snapshotsTable")
    _press(dialog, "snapshotTake")
    qtbot.waitUntil(lambda: _rows(dialog, "snapshotsTable") == there + 1)
    dialog.reject()
    _add(qtbot, open_desk, "made after the snapshot")
    _trigger(open_desk, "snapshots")
    dialog = _dialog(qtbot, "snapshotsDialog", open_desk.window)
    qtbot.waitUntil(lambda: _rows(dialog, "snapshotsTable") == there + 1)
    _press(dialog, "snapshotSince")
    since = _dialog(qtbot, "snapshotSince", dialog)
    assert "Since then memories: 1 new" in _child(since, QLabel, "sinceSummary").text()
    table = _child(since, QTableView, "sinceTable")
    cells = [table.model().index(0, column).data() for column in range(2)]
    assert cells == ["made after the snapshot", "is new"]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Left)
    assert "the largest change first" in _child(since, QLabel, "sinceSaid").text() or (
        _rows(since, "sinceTable") == 0
    )
    since.reject()
    dialog.reject()
    qtbot.waitUntil(open_desk.session.jobs.is_idle)


def test_closing_the_vault_closes_the_snapshots(qtbot: QtBot, open_desk: Desk) -> None:
    _trigger(open_desk, "snapshots")
    dialog = _dialog(qtbot, "snapshotsDialog", open_desk.window)
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    with qtbot.waitSignal(dialog.finished):
        open_desk.session.close_vault()
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    QApplication.processEvents()


def test_enter_takes_a_snapshot_and_presses_the_button_it_is_on(
    qtbot: QtBot, open_desk: Desk
) -> None:
    _trigger(open_desk, "snapshots")
    dialog = _dialog(qtbot, "snapshotsDialog", open_desk.window)
    take = _child(dialog, QPushButton, "snapshotTake")
    qtbot.waitUntil(take.isEnabled)
    before = _rows(dialog, "snapshotsTable")
    name = _child(dialog, QLineEdit, "snapshotName")
    qtbot.keyClicks(name, "before")
    qtbot.keyClick(name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: _rows(dialog, "snapshotsTable") == before + 1)
    qtbot.waitUntil(take.isEnabled)
    qtbot.keyClick(take, Qt.Key.Key_Enter)
    qtbot.waitUntil(lambda: _rows(dialog, "snapshotsTable") == before + 2)
    assert dialog.isVisible()
    qtbot.keyClick(_child(dialog, QPushButton, "snapshotsClose"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
