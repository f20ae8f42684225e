"""The editor while another program, a process of its own, writes to the same vault."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton, QWidget

from mvdesk.ui.panels.draft_merge import END, THEIRS, YOURS
from mvdesk.ui.widgets.diff_view import DiffView
from tests.store.vault_files import HOLD_WRITE_LOCK, program_holding

from .conftest import Desk, find

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.ui.panels.editor import EditorPanel

RUN_SQL = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], timeout=20)
with conn:
    conn.execute("PRAGMA foreign_keys = ON")
    conn.execute(sys.argv[2], sys.argv[3:])
conn.close()
"""
RESTORE_BACKUP = """
import sqlite3, sys
backup, vault = sqlite3.connect(sys.argv[2]), sqlite3.connect(sys.argv[1], timeout=20)
backup.backup(vault)
backup.close(); vault.close()
"""
EMPTY_LOG = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], timeout=20)
conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
conn.close()
"""
SET_CONTENT = "UPDATE memories SET content = ?, updated_at = updated_at + 5 WHERE id = ?"
DELETE = "DELETE FROM memories WHERE id = ?"


def run_program(code: str, path: Path, *arguments: str) -> None:
    """Let another process do something to the vault, and wait for its end."""
    subprocess.run([sys.executable, "-c", code, str(path), *arguments], check=True, timeout=30)


def outside(desk: Desk, sql: str, *values: str, code: str = RUN_SQL) -> None:
    """The same, and the session's noticing it."""
    with desk.qtbot.waitSignal(desk.session.vault_changed, timeout=10_000):
        run_program(code, desk.session.vault.path, sql, *values)
    desk.settle()


def content_of(panel: EditorPanel) -> QPlainTextEdit:
    return find(panel, QPlainTextEdit, "editorContent")


def title_of(panel: EditorPanel) -> QLineEdit:
    return find(panel, QLineEdit, "editorTitle")


def banner_of(panel: EditorPanel) -> QWidget:
    return find(panel, QWidget, "editorBanner")


def press(desk: Desk, panel: EditorPanel, name: str) -> None:
    desk.qtbot.mouseClick(find(banner_of(panel), QPushButton, name), Qt.MouseButton.LeftButton)


def save(desk: Desk, panel: EditorPanel) -> None:
    with desk.qtbot.waitSignal(desk.session.write_finished, timeout=15_000):
        panel.save()
    desk.settle()


@pytest.fixture
def typed(desk: Desk, editor: EditorPanel) -> str:
    """A memory of three lines of which the first was changed, unsaved. Gives its id."""
    memory_id = desk.memory_id(3)
    outside(desk, SET_CONTENT, "one\ntwo\nthree", memory_id)
    desk.select(memory_id)
    content = content_of(editor)
    content.setFocus()
    desk.qtbot.keyClicks(content, "Mine ")
    return memory_id


def test_the_banner_comes_without_moving_caret_or_focus(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    content = content_of(editor)
    outside(desk, SET_CONTENT, "theirs", typed)
    assert banner_of(editor).isVisible()
    assert content.toPlainText() == "Mine one\ntwo\nthree"
    assert content.hasFocus()
    assert content.textCursor().position() == 5
    desk.qtbot.keyClicks(content, "own ")
    assert content.toPlainText() == "Mine own one\ntwo\nthree"
    with desk.qtbot.assertNotEmitted(desk.session.write_finished, wait=50):
        editor.save()


def test_keeping_mine_saves_over_theirs(desk: Desk, editor: EditorPanel, typed: str) -> None:
    outside(desk, SET_CONTENT, "theirs", typed)
    press(desk, editor, "bannerAction")
    assert not banner_of(editor).isVisible()
    save(desk, editor)
    assert desk.read(typed).content == "Mine one\ntwo\nthree"


def test_taking_theirs_shows_it_and_mine_can_be_brought_back(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    outside(desk, SET_CONTENT, "theirs", typed)
    with desk.qtbot.waitSignal(desk.session.messages.offered) as offered:
        press(desk, editor, "bannerOther")
    assert content_of(editor).toPlainText() == "theirs"
    assert not editor.has_unsaved
    assert not banner_of(editor).isVisible()
    assert offered.args is not None
    offered.args[2]()
    assert content_of(editor).toPlainText() == "Mine one\ntwo\nthree"
    assert editor.has_unsaved
    save(desk, editor)
    assert desk.read(typed).content == "Mine one\ntwo\nthree"


def test_both_joins_changes_of_different_lines(desk: Desk, editor: EditorPanel, typed: str) -> None:
    outside(desk, SET_CONTENT, "one\ntwo\nthree\nfour", typed)
    press(desk, editor, "editorBoth")
    content = content_of(editor)
    assert content.toPlainText() == "Mine one\ntwo\nthree\nfour"
    assert editor.has_unsaved
    assert not banner_of(editor).isVisible()
    assert desk.read(typed).content == "one\ntwo\nthree\nfour"
    content.setFocus()
    desk.qtbot.keyClick(content, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert content.toPlainText() == "Mine one\ntwo\nthree"
    desk.qtbot.keyClick(
        content,
        Qt.Key.Key_Z,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    save(desk, editor)
    assert desk.read(typed).content == "Mine one\ntwo\nthree\nfour"


def test_both_joins_a_line_that_both_changed_at_different_words(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    outside(desk, SET_CONTENT, "one, theirs\ntwo\nthree", typed)
    press(desk, editor, "editorBoth")
    assert content_of(editor).toPlainText() == "Mine one, theirs\ntwo\nthree"
    assert desk.notices[-1].endswith("at different words: read it once more.")


def test_both_waits_until_the_versions_of_last_time_are_chosen_from(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    outside(desk, SET_CONTENT, "their one\ntwo\nthree", typed)
    press(desk, editor, "editorBoth")
    marked = content_of(editor).toPlainText()
    outside(desk, SET_CONTENT, "newer one\ntwo\nthree", typed)
    press(desk, editor, "editorBoth")
    assert content_of(editor).toPlainText() == marked
    assert banner_of(editor).isVisible()
    assert content_of(editor).textCursor().selectedText() == YOURS
    assert desk.notices[-1].startswith("First choose between the two versions")


def test_both_keeps_both_versions_of_the_same_line_with_the_caret_there(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    sql = "UPDATE memories SET content = ?, tags = 'theirs', updated_at = updated_at + 5"
    outside(desk, f"{sql} WHERE id = ?", "their one\ntwo\nthree", typed)
    press(desk, editor, "editorBoth")
    content = content_of(editor)
    lines = [YOURS, "Mine one", THEIRS, "their one", END, "two", "three"]
    assert content.toPlainText().split("\n") == lines
    assert content.textCursor().selectedText() == YOURS
    assert find(editor, QLineEdit, "editorTags").text() == "theirs"
    assert any("both versions" in notice for notice in desk.notices)


def test_marker_lines_that_are_left_are_asked_about_before_a_save(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    outside(desk, SET_CONTENT, "theirs\ntwo\nthree", typed)
    press(desk, editor, "editorBoth")
    offers: list[Callable[[], None]] = []
    desk.session.messages.offered.connect(lambda _said, _action, do: offers.append(do))
    with desk.qtbot.assertNotEmitted(desk.session.write_finished, wait=50):
        editor.save()
    assert desk.notices[-1].startswith("The text still has both versions")
    assert content_of(editor).textCursor().selectedText() == YOURS
    with desk.qtbot.waitSignal(desk.session.write_finished, timeout=15_000):
        offers[0]()
    desk.settle()
    assert THEIRS in desk.read(typed).content
    content_of(editor).setFocus()
    desk.qtbot.keyClicks(content_of(editor), "And more. ")
    save(desk, editor)  # what is stored already is no news
    assert not editor.has_unsaved


def test_what_differs_is_shown_before_choosing(desk: Desk, editor: EditorPanel, typed: str) -> None:
    outside(desk, SET_CONTENT, "one\ntwo\n3", typed)
    view = find(editor, DiffView, "editorDiff")
    assert not view.isVisible()
    press(desk, editor, "editorCompare")
    desk.settle()
    assert view.isVisible()
    assert view.sentences() == [
        "Text, only yours: Mine",
        "Text, only yours: three",
        "Text, only theirs: 3",
    ]
    press(desk, editor, "bannerAction")
    assert not view.isVisible()


def test_what_was_not_typed_in_is_not_called_yours(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    sql = (
        "UPDATE memories SET content = 'one\ntwo\n3', title = 'Theirs', updated_at = updated_at + 1"
    )
    outside(desk, f"{sql} WHERE id = ?", typed)
    assert find(editor, QLineEdit, "editorTitle").text() == "Theirs"
    press(desk, editor, "editorCompare")
    desk.settle()
    said = find(editor, DiffView, "editorDiff").sentences()
    assert said
    assert all(sentence.startswith("Text") for sentence in said)


def test_a_save_that_came_too_late_ends_in_the_choice(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    run_program(RUN_SQL, desk.session.vault.path, SET_CONTENT, "theirs", typed)
    save(desk, editor)  # before the session looked
    desk.qtbot.waitUntil(banner_of(editor).isVisible)
    assert desk.read(typed).content == "theirs"
    assert content_of(editor).toPlainText() == "Mine one\ntwo\nthree"


def test_a_deleted_memory_is_made_anew_with_its_id_and_undo_takes_that_back(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    before = desk.read(typed)
    outside(desk, DELETE, typed)
    assert banner_of(editor).isVisible()
    assert content_of(editor).toPlainText() == "Mine one\ntwo\nthree"
    assert title_of(editor).text() == (before.title or "")
    with desk.qtbot.waitSignal(desk.session.write_finished):
        press(desk, editor, "bannerAction")
    desk.settle()
    assert desk.session.selected_id == typed
    after = desk.read(typed)
    assert (after.content, after.title) == ("Mine one\ntwo\nthree", before.title)
    assert not editor.has_unsaved
    assert not banner_of(editor).isVisible()
    desk.session.undo()
    desk.settle()
    assert not desk.session.vault.has_memory(typed)


def test_a_deleted_memory_is_let_go(desk: Desk, editor: EditorPanel, typed: str) -> None:
    outside(desk, DELETE, typed)
    press(desk, editor, "bannerOther")
    desk.settle()
    assert not editor.has_unsaved
    assert not desk.session.unsaved.memory_ids
    assert not desk.session.vault.has_memory(typed)


def test_typing_that_was_in_place_of_a_deleted_memory_returns_to_it(
    desk: Desk, editor: EditorPanel, typed: str, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.sqlite"
    run_program(RESTORE_BACKUP, backup, str(desk.session.vault.path))
    outside(desk, DELETE, typed)
    with desk.qtbot.waitSignal(desk.session.vault_changed, timeout=10_000):
        run_program(RESTORE_BACKUP, desk.session.vault.path, str(backup))
    desk.settle()
    assert desk.session.selected_id == typed
    assert content_of(editor).toPlainText() == "Mine one\ntwo\nthree"
    assert desk.session.unsaved.memory_ids == {typed}
    assert not banner_of(editor).isVisible()
    save(desk, editor)
    assert desk.read(typed).content == "Mine one\ntwo\nthree"


def test_an_older_state_put_back_over_the_vault_asks_which_stays(
    desk: Desk, editor: EditorPanel, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.sqlite"
    run_program(RESTORE_BACKUP, backup, str(desk.session.vault.path))
    memory_id = desk.memory_id(3)
    old = desk.read(memory_id).content
    outside(desk, SET_CONTENT, "newer", memory_id)
    desk.select(memory_id)
    desk.qtbot.keyClicks(content_of(editor), "Mine ")
    with desk.qtbot.waitSignal(desk.session.vault_changed, timeout=10_000):
        run_program(RESTORE_BACKUP, desk.session.vault.path, str(backup))
    desk.settle()
    assert banner_of(editor).isVisible()
    assert content_of(editor).toPlainText() == "Mine newer"
    press(desk, editor, "bannerOther")
    assert content_of(editor).toPlainText() == old


def test_a_file_put_in_place_of_the_vault_asks_which_stays(
    desk: Desk, editor: EditorPanel, typed: str, tmp_path: Path
) -> None:
    path = desk.session.vault.path
    other = tmp_path / "other.sqlite"
    run_program(RESTORE_BACKUP, other, str(path))
    run_program(RUN_SQL, other, SET_CONTENT, "in the other file", typed)
    run_program(EMPTY_LOG, path)  # what is left in it SQLite would lay over any file of this name
    with desk.qtbot.waitSignal(desk.session.vault_changed, timeout=10_000):
        shutil.move(other, path)
    desk.settle()
    assert banner_of(editor).isVisible()
    assert content_of(editor).toPlainText() == "Mine one\ntwo\nthree"
    press(desk, editor, "bannerAction")
    save(desk, editor)
    assert desk.read(typed).content == "Mine one\ntwo\nthree"


def test_archiving_by_another_program_is_said_and_is_no_conflict(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    sql = "UPDATE memories SET archived_at = 1799999999, updated_at = updated_at + 5 WHERE id = ?"
    outside(desk, sql, typed)
    assert not banner_of(editor).isVisible()
    assert any("archived" in notice for notice in desk.notices)
    save(desk, editor)
    after = desk.read(typed)
    assert after.content == "Mine one\ntwo\nthree"
    assert after.archived_at == 1_799_999_999


def test_a_save_waits_for_a_lock_while_typing_goes_on(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    content = content_of(editor)
    with program_holding(HOLD_WRITE_LOCK, desk.session.vault.path) as other:
        editor.save()
        desk.qtbot.keyClicks(content, "own ")
        desk.qtbot.wait(3_000)
        assert desk.session.is_writing
        assert other.stdin is not None
        with desk.qtbot.waitSignal(desk.session.write_finished, timeout=10_000) as finished:
            other.stdin.close()
    desk.settle()
    assert finished.args == ["save", True]
    assert desk.read(typed).content == "Mine one\ntwo\nthree"
    assert content.toPlainText() == "Mine own one\ntwo\nthree"
    assert editor.has_unsaved
    assert not banner_of(editor).isVisible()


@pytest.mark.parametrize("is_changed", [True, False])
def test_ctrl_z_in_the_field_brings_back_what_was_let_go(
    desk: Desk, editor: EditorPanel, typed: str, *, is_changed: bool
) -> None:
    if is_changed:
        outside(desk, SET_CONTENT, "theirs", typed)
        press(desk, editor, "bannerOther")
    else:
        editor.revert()
    content = content_of(editor)
    assert content.toPlainText() == ("theirs" if is_changed else "one\ntwo\nthree")
    assert not editor.has_unsaved
    content.setFocus()
    desk.qtbot.keyClick(content, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert content.toPlainText() == "Mine one\ntwo\nthree"
    assert editor.has_unsaved
    assert not banner_of(editor).isVisible()


@pytest.mark.parametrize("ends_with", ["save", "revert"])
def test_typing_in_a_deleted_memory_waits_for_the_new_one_that_was_begun(
    desk: Desk, editor: EditorPanel, typed: str, ends_with: str
) -> None:
    editor.start_new()
    desk.settle()
    desk.qtbot.keyClicks(content_of(editor), "A new one")
    desk.select(typed)
    outside(desk, DELETE, typed)
    assert any("What you typed is kept: it comes up once" in said for said in desk.notices)
    editor.start_new()
    assert content_of(editor).toPlainText() == "A new one"
    if ends_with == "save":
        save(desk, editor)
        assert desk.read(desk.session.selected_id or "").content == "A new one"
    else:
        editor.revert()
        desk.settle()
    editor.start_new()
    assert content_of(editor).toPlainText() == "Mine one\ntwo\nthree"
    assert banner_of(editor).isVisible()


def test_typing_in_two_memories_that_were_deleted_is_all_kept(
    desk: Desk, editor: EditorPanel, typed: str
) -> None:
    other = desk.memory_id(5)
    desk.select(other)
    desk.qtbot.keyClicks(title_of(editor), "Other ")
    path = desk.session.vault.path
    desk.session.close_vault()
    desk.settle()
    run_program(RUN_SQL, path, "DELETE FROM memories WHERE id IN (?, ?)", typed, other)
    with desk.qtbot.waitSignal(desk.session.messages.offered, timeout=10_000) as offered:
        desk.session.open_vault(path)
    desk.settle()
    assert offered.args is not None
    assert "a deleted memory and a new memory" in offered.args[0]
    assert len(desk.session.unsaved.memory_ids) == 2
    editor.start_new()
    kept = [content_of(editor).toPlainText()]
    editor.revert()
    editor.start_new()
    kept.append(content_of(editor).toPlainText())
    assert "Mine one\ntwo\nthree" in kept
    assert len(set(kept)) == 2
