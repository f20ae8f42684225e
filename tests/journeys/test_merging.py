"""Merging by the keyboard alone: from conflicts, duplicates, the list and the editor."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QPushButton

from mvdesk.ui.dialogs.merge import MergeDialog
from mvdesk.ui.panels.duplicates import DuplicatesSection
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.vault.operations.edit import plan_add
from mvdesk.vault.questions.merging import read_pair_seen
from mvdesk.vault.snapshot import read_snapshot
from tests.journeys.test_deciding import open_conflicts, press, settle

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
MAY = "The rent rises in May by four per cent, and the garden is let with it."
JUNE = "The rent rises in June by four per cent, and the garden is let with it."


def contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row that undo has to bring back."""
    with closing(sqlite3.connect(path)) as db:
        return {
            table: db.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            for table in ("memories", "memory_links", "memory_conflict_resolutions")
        }


def write_outside(path: Path, sql: str) -> None:
    """What another program does."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)


def dialog_of(qtbot: QtBot, desk: Desk) -> MergeDialog:
    """The dialog, once it has looked at what it would do."""
    found: list[MergeDialog] = []

    def is_ready() -> bool:
        found[:] = [one for one in desk.window.findChildren(MergeDialog) if one.isVisible()]
        return bool(found) and button(found[0], "mergeApply").isEnabled()

    qtbot.waitUntil(is_ready)
    found[0].activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is found[0])
    return found[0]


def button(dialog: MergeDialog, name: str) -> QPushButton:
    found = dialog.findChild(QPushButton, name)
    assert isinstance(found, QPushButton), name
    return found


def table_texts(dialog: MergeDialog, name: str) -> list[tuple[str, ...]]:
    found = dialog.findChild(KeyedTable, name)
    assert isinstance(found, KeyedTable)
    return [row.texts for row in found.rows]


def text_of(dialog: MergeDialog) -> QPlainTextEdit:
    found = dialog.findChild(QPlainTextEdit, "mergeText")
    assert isinstance(found, QPlainTextEdit)
    return found


def said(dialog: MergeDialog) -> str:
    found = dialog.findChild(QLabel, "mergeSaid")
    assert isinstance(found, QLabel)
    return found.text()


def act(qtbot: QtBot, desk: Desk, name: str) -> None:
    found = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(found, QAction)
    assert found.isEnabled(), name
    found.trigger()
    settle(qtbot, desk)


def add(qtbot: QtBot, desk: Desk, memory_id: str, text: str, **fields: object) -> None:
    with qtbot.waitSignal(desk.session.write_finished):
        desk.session.write(
            "add",
            lambda vault: plan_add(
                vault.brain.id, {"content": text, **fields}, now=1_790_000_000, memory_id=memory_id
            ),
        )
    settle(qtbot, desk)


def merge_now(qtbot: QtBot, desk: Desk) -> None:
    with qtbot.waitSignal(desk.session.write_finished):
        qtbot.keyClick(QApplication.focusWidget() or desk.window, Qt.Key.Key_Return, CTRL)
    settle(qtbot, desk)


@pytest.fixture
def pair(qtbot: QtBot, open_desk: Desk) -> Desk:
    """Two memories of nearly the same text."""
    add(qtbot, open_desk, "may", MAY, title="Rent", importance=0.9, tags="rent")
    add(qtbot, open_desk, "june", JUNE, title="The rent", source="mail", tags="flat")
    return open_desk


def test_m_merges_the_pair_in_conflict_as_it_was_shown(qtbot: QtBot, open_desk: Desk) -> None:
    panel = open_conflicts(qtbot, open_desk)
    assert panel.pair is not None
    one, other = panel.pair
    vault = open_desk.session.vault
    held = contents(vault.path)
    press(qtbot, open_desk, Qt.Key.Key_M)
    dialog = dialog_of(qtbot, open_desk)
    assert dialog.isModal()
    told = table_texts(dialog, "mergeLinks")
    assert len(told) >= len(read_pair_seen(vault, one, other).links)
    first = one if dialog.first == "a" else other
    assert contents(vault.path) == held
    promised = said(dialog)
    merge_now(qtbot, open_desk)
    gone = other if first == one else one
    assert vault.read_memory(gone).archived_at is not None
    session = open_desk.session
    assert session.selected_id == first
    row = session.snapshot.row_of(first)
    assert row is not None
    assert f"merged {session.committed_scores.confidence[row]:.3f}." in promised
    assert f"merged {session.committed_scores.importance[row]:.3f}." in promised
    assert f"{one}\n{other}" not in [line.key for line in panel.table.rows]
    act(qtbot, open_desk, "undo")
    assert contents(vault.path) == held
    assert f"{one}\n{other}" in [line.key for line in panel.table.rows]


def test_duplicates_are_merged_piece_by_piece(qtbot: QtBot, pair: Desk) -> None:
    act(qtbot, pair, "upkeepDuplicates")
    section = pair.window.findChild(DuplicatesSection)
    assert isinstance(section, DuplicatesSection)
    qtbot.waitUntil(lambda: section.is_settled and bool(section.table.rows))
    search = section.findChild(QLineEdit, "duplicatesSearch")
    assert isinstance(search, QLineEdit)
    search.setFocus()
    qtbot.keyClicks(search, "rent flat")
    qtbot.waitUntil(lambda: section.is_settled and section.pair == ("may", "june"))
    section.table.setFocus()
    press(qtbot, pair, Qt.Key.Key_M)
    dialog = dialog_of(qtbot, pair)
    text = text_of(dialog)
    assert text.toPlainText() == MAY  # what both say is the one's that stays
    qtbot.keyClick(dialog, Qt.Key.Key_2, ALT)
    qtbot.waitUntil(lambda: text.toPlainText() == JUNE)
    qtbot.keyClick(dialog, Qt.Key.Key_3, ALT)
    qtbot.waitUntil(lambda: "May June" in text.toPlainText())
    text.setFocus()
    qtbot.keyClick(text, Qt.Key.Key_End, CTRL)
    qtbot.keyClicks(text, " Asked twice.")
    qtbot.keyClick(dialog, Qt.Key.Key_1, ALT)
    qtbot.waitUntil(lambda: text.toPlainText() == f"{MAY} Asked twice.")
    qtbot.keyClick(text, Qt.Key.Key_Z, CTRL)
    assert "May June" in text.toPlainText()
    qtbot.keyClick(dialog, Qt.Key.Key_1, ALT)
    qtbot.waitUntil(lambda: text.toPlainText() == f"{MAY} Asked twice.")
    source = dialog.findChild(QLineEdit, "mergeSource")
    assert isinstance(source, QLineEdit)
    assert source.text() == "mail"  # the one that stays has none
    source.setFocus()
    source.selectAll()
    qtbot.keyClicks(source, "landlord")
    dialog_of(qtbot, pair)
    merge_now(qtbot, pair)
    merged = pair.session.vault.read_memory("may")
    assert merged.content == f"{MAY} Asked twice."
    assert (merged.source, merged.tags, merged.title) == ("landlord", "flat,rent", "Rent")
    qtbot.waitUntil(lambda: section.is_settled)
    assert all("june" not in row.key for row in section.table.rows)


def test_two_selected_in_the_list_are_merged(qtbot: QtBot, pair: Desk) -> None:
    session = pair.session
    merge = pair.window.findChild(QAction, "mergeTwoAction")
    assert isinstance(merge, QAction)
    session.select("may")
    assert not merge.isEnabled()
    session.selection.add_rows([session.snapshot.row_of("june")])
    assert merge.isEnabled()
    act(qtbot, pair, "mergeTwo")
    dialog = dialog_of(qtbot, pair)
    stays = "may" if dialog.first == "a" else "june"
    assert stays in ("may", "june")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert session.vault.read_memory("june").archived_at is None


def test_the_other_one_can_stay(qtbot: QtBot, pair: Desk) -> None:
    session = pair.session
    session.selection.set_rows(session.snapshot.rows_of(["may", "june"]))
    act(qtbot, pair, "mergeTwo")
    dialog = dialog_of(qtbot, pair)
    other = "b" if dialog.first == "a" else "a"
    buttons = dialog.findChild(type(dialog._stays), "mergeStays")
    assert buttons is not None
    buttons.setFocus()
    qtbot.keyClick(buttons.focusProxy() or buttons, Qt.Key.Key_Right)
    assert dialog.first == other
    dialog_of(qtbot, pair)
    assert text_of(dialog).toPlainText() == JUNE
    merge_now(qtbot, pair)
    assert session.vault.read_memory("may").archived_at is not None
    assert session.vault.read_memory("june").title == "The rent"


def test_esc_asks_again_where_something_was_typed(qtbot: QtBot, pair: Desk) -> None:
    pair.session.selection.set_rows(pair.session.snapshot.rows_of(["may", "june"]))
    act(qtbot, pair, "mergeTwo")
    dialog = dialog_of(qtbot, pair)
    text = text_of(dialog)
    text.setFocus()
    qtbot.keyClicks(text, "More.")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    settle(qtbot, pair)


def test_an_empty_text_is_refused_with_a_sentence(qtbot: QtBot, pair: Desk) -> None:
    pair.session.selection.set_rows(pair.session.snapshot.rows_of(["may", "june"]))
    act(qtbot, pair, "mergeTwo")
    dialog = dialog_of(qtbot, pair)
    text = text_of(dialog)
    text.setFocus()
    qtbot.keyClick(text, Qt.Key.Key_A, CTRL)
    qtbot.keyClick(text, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: "needs some text" in said(dialog))
    assert not button(dialog, "mergeApply").isEnabled()
    dialog.drop()
    settle(qtbot, pair)


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("UPDATE memories SET content = 'Else.', updated_at = 9 WHERE id = 'june'", "was changed"),
        ("DELETE FROM memories WHERE id = 'june'", "not in the vault any more"),
    ],
)
def test_what_others_do_meanwhile_is_said_and_nothing_is_written(
    qtbot: QtBot, pair: Desk, sql: str, sentence: str
) -> None:
    session = pair.session
    session.selection.set_rows(session.snapshot.rows_of(["may", "june"]))
    act(qtbot, pair, "mergeTwo")
    dialog = dialog_of(qtbot, pair)
    with qtbot.waitSignal(session.vault_changed, timeout=10_000):
        write_outside(session.vault.path, sql)
    qtbot.waitUntil(lambda: sentence in said(dialog))
    assert not button(dialog, "mergeApply").isEnabled()
    assert session.vault.read_memory("may").content == MAY
    dialog.drop()
    settle(qtbot, pair)


def test_one_in_the_archive_is_refused_with_a_sentence(qtbot: QtBot, pair: Desk) -> None:
    told: list[str] = []
    session = pair.session
    session.messages.shown.connect(lambda _kind, text: told.append(text))
    session.set_show_archived(True)
    settle(qtbot, pair)
    act(qtbot, pair, "undo")  # june is gone
    snapshot = read_snapshot(session.vault)
    archived = next(row for row, at in enumerate(snapshot.memories.archived_at.tolist()) if at > 0)
    session.selection.set_rows([archived, session.snapshot.row_of("may")])
    act(qtbot, pair, "mergeTwo")
    assert any("is in the archive. Bring it back first." in text for text in told)
    assert not pair.window.findChildren(MergeDialog)
