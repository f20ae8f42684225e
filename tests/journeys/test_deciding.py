"""Conflicts decided from the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListWidget, QToolButton, QWidget

from mvdesk.ui.conflict_watch import watch_conflicts
from mvdesk.ui.panels.conflicts import ConflictsPanel
from mvdesk.ui.panels.review import ReviewPanel
from mvdesk.vault.rules import read_resolutions

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def press(qtbot: QtBot, desk: Desk, key: Qt.Key, mods: Qt.KeyboardModifier | None = None) -> None:
    target = QApplication.focusWidget() or desk.window
    qtbot.keyClick(target, key, mods or Qt.KeyboardModifier.NoModifier)
    settle(qtbot, desk)


def settle(qtbot: QtBot, desk: Desk) -> None:
    watch = watch_conflicts(desk.session)
    qtbot.waitUntil(
        lambda: watch.is_settled and desk.session.jobs.is_idle() and desk.window.is_complete
    )


def conflicts_of(desk: Desk) -> ConflictsPanel:
    panel = desk.window.findChild(ConflictsPanel)
    assert isinstance(panel, ConflictsPanel)
    return panel


def open_conflicts(qtbot: QtBot, desk: Desk) -> ConflictsPanel:
    press(qtbot, desk, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    panel = conflicts_of(desk)
    qtbot.waitUntil(lambda: bool(panel.table.rows))
    settle(qtbot, desk)
    return panel


def test_a_list_of_conflicts_is_worked_through_by_keys(qtbot: QtBot, open_desk: Desk) -> None:
    panel = open_conflicts(qtbot, open_desk)
    assert panel.table.hasFocus()
    pairs = [row.key for row in panel.table.rows]
    before = len(read_resolutions(open_desk.session.vault))
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3):
        press(qtbot, open_desk, key)
    press(qtbot, open_desk, Qt.Key.Key_S)
    left = [row.key for row in panel.table.rows]
    assert left == [pair for pair in pairs if pair in left]
    assert len(left) == len(pairs) - 3
    assert panel.table.current_key == left[1]
    press(qtbot, open_desk, Qt.Key.Key_4)
    assert len(read_resolutions(open_desk.session.vault)) == before + 4
    for _ in range(4):
        press(qtbot, open_desk, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [row.key for row in panel.table.rows] == pairs
    assert len(read_resolutions(open_desk.session.vault)) == before


def test_the_rail_counts_the_open_conflicts_while_trust_is_tuned(
    qtbot: QtBot, open_desk: Desk
) -> None:
    settle(qtbot, open_desk)
    badge = open_desk.window.findChild(QLabel, "railCount")
    assert isinstance(badge, QLabel)
    watch = watch_conflicts(open_desk.session)
    assert watch.inbox is not None
    assert badge.text() == str(watch.inbox.open_total)
    rail = badge.parentWidget()
    button = rail.findChild(QWidget, "conflictsWorkspaceButton")
    assert isinstance(button, QToolButton)
    picture = QRect(QPoint(0, 0), button.iconSize())
    picture.moveCenter(button.geometry().center())
    assert not badge.geometry().intersects(picture)
    assert rail.rect().contains(badge.geometry())
    row = watch.inbox.open[0].a_row
    source = open_desk.session.snapshot.source_key_of_row(row)
    assert source
    open_desk.session.set_threshold(1.0)
    open_desk.session.preview_trust(source, 0.0)
    settle(qtbot, open_desk)
    assert badge.text() == str(watch.inbox.open_total)
    action = open_desk.window.findChild(QAction, "conflictsWorkspaceAction")
    assert isinstance(action, QAction)
    assert action.toolTip().endswith(f"{watch.inbox.open_total} open")


def test_the_keys_write_text_while_a_note_is_typed(qtbot: QtBot, open_desk: Desk) -> None:
    panel = open_conflicts(qtbot, open_desk)
    before = len(read_resolutions(open_desk.session.vault))
    note = panel.findChild(QLineEdit, "conflictNote")
    assert isinstance(note, QLineEdit)
    note.setFocus()
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_S):
        press(qtbot, open_desk, key)
    assert note.text() == "12s"
    assert len(read_resolutions(open_desk.session.vault)) == before


def test_the_keys_do_nothing_in_another_workspace(qtbot: QtBot, open_desk: Desk) -> None:
    open_conflicts(qtbot, open_desk)
    before = len(read_resolutions(open_desk.session.vault))
    press(qtbot, open_desk, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    press(qtbot, open_desk, Qt.Key.Key_1)
    assert len(read_resolutions(open_desk.session.vault)) == before


def test_tab_brings_the_choices_on_screen_in_a_small_window_with_large_text(
    qtbot: QtBot, open_desk: Desk
) -> None:
    open_desk.window.resize(1024, 680)
    open_desk.theme.set_scale(1.5)
    panel = open_conflicts(qtbot, open_desk)
    choices = panel.detail.choices
    panel.table.setFocus()
    for _ in range(12):
        if choices.hasFocus():
            break
        press(qtbot, open_desk, Qt.Key.Key_Tab)
    assert choices.hasFocus()
    qtbot.waitUntil(lambda: choices.visibleRegion().boundingRect().height() >= 60)
    open_desk.theme.set_scale(1.0)


def test_larger_text_and_back_leaves_the_keyboard_where_it_was(
    qtbot: QtBot, open_desk: Desk
) -> None:
    panel = open_conflicts(qtbot, open_desk)
    window, look = open_desk.window, open_desk.theme
    for scale in (1.5, 1.0):
        panel.table.setFocus()
        look.set_scale(scale)
        qtbot.waitUntil(lambda: not window.workspace["explain"].isHidden())
        settle(qtbot, open_desk)
        qtbot.wait(50)  # docks move once the new sizes are in place
        assert panel.table.hasFocus()


def test_a_review_of_ten_is_ten_keys(qtbot: QtBot, open_desk: Desk) -> None:
    mods = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    press(qtbot, open_desk, Qt.Key.Key_Q, mods)
    panel = open_desk.window.findChild(ReviewPanel)
    assert isinstance(panel, ReviewPanel)
    qtbot.waitUntil(lambda: bool(panel.cares.rows) and panel.is_settled)
    qtbot.waitUntil(lambda: panel.can_care and panel.table.hasFocus())
    left = len(panel.table.rows)
    for number in range(10):
        press(qtbot, open_desk, Qt.Key.Key_A if number % 3 == 2 else Qt.Key.Key_Y)
        qtbot.waitUntil(lambda: panel.is_settled)
    assert panel.header.detail().startswith("10 of 10 done today")
    assert len(panel.table.rows) == left - 10


def test_what_speaks_against_a_memory_is_linked_to_it_from_the_queue(
    qtbot: QtBot, open_desk: Desk
) -> None:
    session = open_desk.session
    press(qtbot, open_desk, Qt.Key.Key_Q, CTRL_SHIFT)
    panel = open_desk.window.findChild(ReviewPanel)
    assert isinstance(panel, ReviewPanel)
    qtbot.waitUntil(lambda: bool(panel.cares.rows) and panel.can_care and panel.table.hasFocus())
    key, before = panel.table.current_key, len(session.snapshot.links)
    press(qtbot, open_desk, Qt.Key.Key_C)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    found = open_desk.window.findChild(QListWidget, "linkFound")
    assert isinstance(found, QListWidget)
    qtbot.keyClicks(field, "the")
    qtbot.waitUntil(lambda: found.count() > 0)
    press(qtbot, open_desk, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(session.snapshot.links) == before + 1)
    assert key is not None
    made = max(session.vault.read_links_of(key), key=lambda link: link.created_at)
    assert (made.from_id, made.relation_type) == (key, "contradicts")
