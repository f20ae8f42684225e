"""The selected row stays in view, whatever happens to the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QSlider

from mvdesk.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

SOURCE = "slack #design"


def _table(desk: Desk) -> TableView:
    found = desk.window.findChild(TableView, "memoryList")
    assert isinstance(found, TableView)
    return found


def _y(desk: Desk) -> int:
    """Where the selected row is in the viewport; it must be wholly in view."""
    table = _table(desk)
    assert table.selectionModel().hasSelection()
    row = desk.session.selected_row
    shown = table.model().table_row(table.currentIndex().row())  # type: ignore[attr-defined]
    assert shown == row
    rect = table.visualRect(table.currentIndex())
    assert table.viewport().rect().contains(rect.adjusted(0, 0, -rect.width() + 1, 0)), rect
    return rect.top()


def _select(qtbot: QtBot, desk: Desk, row: int) -> None:
    memory_id = desk.session.snapshot.memories.ids[row]
    if desk.session.selected_id != memory_id:
        with qtbot.waitSignal(desk.session.memory_loaded):
            desk.session.select(memory_id)
    qtbot.waitUntil(desk.session.jobs.is_idle)


def _press_undo(qtbot: QtBot, desk: Desk) -> None:
    action = desk.window.findChild(QAction, "undoAction")
    assert isinstance(action, QAction)
    with qtbot.waitSignal(desk.session.write_finished):
        action.trigger()
    qtbot.waitUntil(desk.session.jobs.is_idle)


@pytest.fixture
def low_desk(qtbot: QtBot, open_desk: Desk) -> Desk:
    """A window with room for few rows."""
    open_desk.window.resize(1024, 680)
    qtbot.wait(30)
    assert _table(open_desk).viewport().height() < 320
    return open_desk


def test_a_saved_base_value_takes_the_view_along(qtbot: QtBot, low_desk: Desk) -> None:
    session = low_desk.session
    _select(qtbot, low_desk, int(session.order[len(session.order) // 2]))
    place = _y(low_desk)
    field = low_desk.window.findChild(QLineEdit, "editorBaseConfidence")
    assert isinstance(field, QLineEdit)
    for text in ("0.01", "0.99"):
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, text)
        with qtbot.waitSignal(session.write_finished):
            qtbot.keyClick(field, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(session.jobs.is_idle)
        _y(low_desk)
    _press_undo(qtbot, low_desk)
    _press_undo(qtbot, low_desk)
    assert abs(_y(low_desk) - place) <= 32 * 8


def test_apply_and_undo_keep_it_where_it_is(qtbot: QtBot, low_desk: Desk) -> None:
    session = low_desk.session
    rows = set(session.snapshot.rows_of_source(SOURCE).tolist())
    places = [place for place, row in enumerate(session.order.tolist()) if row in rows]
    _select(qtbot, low_desk, int(session.order[places[len(places) // 2]]))
    slider = low_desk.window.findChild(QSlider, "trustSlider")
    assert isinstance(slider, QSlider)
    slider.setFocus()
    before = _y(low_desk)
    for key in (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Home):
        qtbot.keyClick(slider, key)
        qtbot.waitUntil(session.jobs.is_idle)
        _y(low_desk)
    with qtbot.waitSignal(session.write_finished):
        qtbot.keyClick(slider, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(session.jobs.is_idle)
    _y(low_desk)
    _press_undo(qtbot, low_desk)
    assert abs(_y(low_desk) - before) <= 32 * 8


def test_another_sort_goes_to_the_selected_row(qtbot: QtBot, low_desk: Desk) -> None:
    session, table = low_desk.session, _table(low_desk)
    _select(qtbot, low_desk, int(session.order[-3]))
    header = table.horizontalHeader()
    for column in (0, 3, 3, 0):
        x = header.sectionViewportPosition(column) + 20
        with qtbot.waitSignal(session.order_changed):
            qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 8))
        qtbot.waitUntil(session.jobs.is_idle)
        _y(low_desk)


def test_home_and_end_go_to_the_first_and_the_last_row(qtbot: QtBot, low_desk: Desk) -> None:
    session, table = low_desk.session, _table(low_desk)
    table.setFocus()
    for key, place in ((Qt.Key.Key_End, -1), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(table, key)
        assert session.selected_row == int(session.order[place])
        _y(low_desk)


def test_another_programs_write_leaves_the_scrolled_place_alone(
    qtbot: QtBot, low_desk: Desk
) -> None:
    session, table = low_desk.session, _table(low_desk)
    _select(qtbot, low_desk, int(session.order[0]))
    table.scrollToBottom()
    place = table.verticalScrollBar().value()
    assert place > 0
    session.vault_changed.emit(_NothingKnown())
    assert table.verticalScrollBar().value() == place


class _NothingKnown:
    """A change that touches what nobody asks about."""

    is_empty = False
    everything = False
    memory_ids: frozenset[str] = frozenset()
    source_keys: frozenset[str] = frozenset()
    link_ids: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()

    def touches(self, _table: str) -> bool:
        return False
