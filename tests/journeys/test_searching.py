"""Find by operators, keep the search, ask why something is found or isn't: with real keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPushButton, QTableView

from mvdesk.ui.widgets.query_field import QueryField

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk


SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def desk(qtbot: QtBot, make_window: Callable[[], Desk], brain_file: Path) -> Desk:
    desk = make_window()
    with qtbot.waitSignal(desk.session.vault_opened):
        desk.window.open_vault(brain_file)
    qtbot.waitUntil(lambda: desk.window.is_complete and desk.session.jobs.is_idle())
    desk.window.activateWindow()
    return desk


def _settle(qtbot: QtBot, desk: Desk) -> None:
    qtbot.waitUntil(desk.session.jobs.is_idle)


def _key(qtbot: QtBot, desk: Desk, key: Qt.Key, *more: Qt.KeyboardModifier) -> None:
    """Press Ctrl, `more` and a key, as soon as the window would get it."""
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    held = Qt.KeyboardModifier.ControlModifier
    for one in more:
        held |= one
    qtbot.keyClick(desk.window, key, held)


def _search(qtbot: QtBot, desk: Desk, text: str) -> QueryField:
    _key(qtbot, desk, Qt.Key.Key_F)
    box = desk.window.findChild(QueryField, "searchBox")
    assert isinstance(box, QueryField)
    qtbot.waitUntil(box.hasFocus)
    qtbot.keyClicks(box, text)
    _settle(qtbot, desk)
    return box


def _dialog(desk: Desk, name: str) -> QDialog:
    found = desk.window.findChild(QDialog, name)
    assert isinstance(found, QDialog)
    return found


def _press(qtbot: QtBot, dialog: QDialog, name: str) -> None:
    button = dialog.findChild(QPushButton, name)
    assert isinstance(button, QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def _text(dialog: QDialog, name: str) -> str:
    label = dialog.findChild(QLabel, name)
    assert isinstance(label, QLabel)
    return label.text()


def test_a_search_is_saved_named_counted_renamed_and_forgotten(qtbot: QtBot, desk: Desk) -> None:
    box = _search(qtbot, desk, "type:fact conf>=0.7")
    found = len(desk.session.order)
    _key(qtbot, desk, Qt.Key.Key_S, SHIFT)
    naming = _dialog(desk, "searchNameDialog")
    field = naming.findChild(QLineEdit, "searchName")
    qtbot.keyClicks(field, "Sure facts")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    _settle(qtbot, desk)
    desk.session.set_filter("")
    _settle(qtbot, desk)
    _key(qtbot, desk, Qt.Key.Key_H, SHIFT)
    _settle(qtbot, desk)
    dialog = _dialog(desk, "savedSearchesDialog")
    table = dialog.findChild(QTableView, "savedSearchesTable")
    assert isinstance(table, QTableView)
    row = [str(table.model().index(0, column).data()) for column in range(3)]
    assert row == ["Sure facts", "type:fact conf>=0.7", str(found)]
    _press(qtbot, dialog, "savedRename")
    naming = dialog.findChild(QDialog, "searchNameDialog")
    assert isinstance(naming, QDialog)
    field = naming.findChild(QLineEdit, "searchName")
    assert isinstance(field, QLineEdit)
    assert field.text() == "Sure facts"
    field.clear()
    _press(qtbot, naming, "searchNameSave")
    qtbot.waitUntil(lambda: table.model().index(0, 0).data() == "type:fact conf>=0.7")
    _settle(qtbot, desk)
    _press(qtbot, dialog, "savedOpen")
    _settle(qtbot, desk)
    assert box.text() == "type:fact conf>=0.7"
    _key(qtbot, desk, Qt.Key.Key_H, SHIFT)
    _settle(qtbot, desk)
    dialog = _dialog(desk, "savedSearchesDialog")
    table = dialog.findChild(QTableView, "savedSearchesTable")
    assert isinstance(table, QTableView)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: table.model().rowCount() == 0)
    _settle(qtbot, desk)
    assert _text(dialog, "savedSearchesText").startswith("No search is saved yet.")
    dialog.reject()


def test_nothing_to_save_leads_to_the_box(qtbot: QtBot, desk: Desk) -> None:
    desk.window.findChild(QueryField, "searchBox")
    with qtbot.waitSignal(desk.session.messages.shown):
        _key(qtbot, desk, Qt.Key.Key_S, SHIFT)


def test_why_a_hit_is_here_is_told_with_its_formula(qtbot: QtBot, desk: Desk) -> None:
    box = _search(qtbot, desk, "export")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    first = desk.session.snapshot.memories.ids.text(int(desk.session.order[0]))
    desk.session.select(first)
    _settle(qtbot, desk)
    _key(qtbot, desk, Qt.Key.Key_W, SHIFT)
    _settle(qtbot, desk)
    dialog = _dialog(desk, "whyFound")
    found = len(desk.session.order)
    assert _text(dialog, "whyVerdict") == f"It is hit 1 of {found} by relevance."
    assert "0.75 × relevance" in _text(dialog, "whyFormula")
    dialog.reject()


def test_a_memory_that_isn_t_found_is_let_in(qtbot: QtBot, desk: Desk) -> None:
    session = desk.session
    _search(qtbot, desk, "type:fact")
    note = next(
        session.snapshot.memories.ids.text(row)
        for row, code in enumerate(session.snapshot.memories.type_codes.tolist())
        if session.snapshot.memories.type_names[code] == "note"
    )
    session.set_filter("type:fact -conf<0")
    session.select(note)
    _settle(qtbot, desk)
    label = desk.window.findChild(QLabel, "listNote")
    assert isinstance(label, QLabel)
    assert label.isVisible()
    label.linkActivated.emit("why")
    _settle(qtbot, desk)
    dialog = _dialog(desk, "whyFound")
    assert "type fact does not hold" in _text(dialog, "whyVerdict")
    assert "Take out type fact." in _text(dialog, "whyRemedies")
    _press(qtbot, dialog, "whyLetIn")
    _settle(qtbot, desk)
    assert session.filter_text == "-conf<0"
    assert session.snapshot.row_of(note) in session.order.tolist()


def test_any_memory_can_be_asked_about(qtbot: QtBot, desk: Desk) -> None:
    session = desk.session
    _search(qtbot, desk, "zzzznothing")
    session.select(session.snapshot.memories.ids.text(3))
    _settle(qtbot, desk)
    desk.window.findChild(QLabel, "listNote").linkActivated.emit("why")  # type: ignore[union-attr]
    _settle(qtbot, desk)
    dialog = _dialog(desk, "whyFound")
    field = dialog.findChild(QueryField, "whyMemory")
    assert isinstance(field, QueryField)
    other = session.snapshot.memories.labels.text(7)
    qtbot.keyClicks(field, other.split()[0])
    qtbot.waitUntil(lambda: len(field.offers) > 0)
    wanted = field.offers[0]
    qtbot.keyClick(field, Qt.Key.Key_Down)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    _settle(qtbot, desk)
    assert _text(dialog, "whyTitle") == wanted.text
    table = dialog.findChild(QTableView, "whyParts")
    assert isinstance(table, QTableView)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    _settle(qtbot, desk)
    assert session.filter_text == ""


def test_the_other_filter_is_named_when_it_keeps_a_memory_out(qtbot: QtBot, desk: Desk) -> None:
    session = desk.session
    best = session.snapshot.memories.ids.text(int(session.order[0]))
    _key(qtbot, desk, Qt.Key.Key_L, SHIFT)
    _settle(qtbot, desk)
    session.select(best)
    _settle(qtbot, desk)
    desk.window.findChild(QLabel, "listNote").linkActivated.emit("why")  # type: ignore[union-attr]
    _settle(qtbot, desk)
    dialog = _dialog(desk, "whyFound")
    assert "a filter besides the search" in _text(dialog, "whyVerdict")
    _press(qtbot, dialog, "whyLetIn")
    _settle(qtbot, desk)
    assert session.only is None


def test_the_help_of_the_box_puts_an_example_into_it(qtbot: QtBot, desk: Desk) -> None:
    box = _search(qtbot, desk, "export")
    qtbot.keyClick(box, Qt.Key.Key_F1)
    dialog = _dialog(desk, "searchHelp")
    table = dialog.findChild(QTableView, "searchHelpTable")
    assert isinstance(table, QTableView)
    row = next(
        row
        for row in range(table.model().rowCount())
        if table.model().index(row, 0).data() == "no:source"
    )
    table.setCurrentIndex(table.model().index(row, 0))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    _settle(qtbot, desk)
    assert desk.session.filter_text == "export no:source"


def test_dialogs_about_a_vault_close_with_it(qtbot: QtBot, desk: Desk) -> None:
    _key(qtbot, desk, Qt.Key.Key_H, SHIFT)
    _settle(qtbot, desk)
    dialog = _dialog(desk, "savedSearchesDialog")
    with qtbot.waitSignal(dialog.finished):
        desk.session.close_vault()
    _settle(qtbot, desk)
