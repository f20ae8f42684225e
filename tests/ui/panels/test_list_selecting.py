"""Selecting many rows and folding groups, with real keys and clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from mvdesk.ui.models.list_columns import Column
from mvdesk.ui.models.memory_table import MemoryTableModel
from mvdesk.ui.widgets.selecting_table import SelectingTable

from .conftest import find

if TYPE_CHECKING:
    from mvdesk.ui.panels.memories import MemoriesPanel

    from .conftest import Desk

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def table(memories: MemoriesPanel) -> SelectingTable:
    made = find(memories, SelectingTable, "memoryList")
    made.setFocus()
    return made


def _click(desk: Desk, table: SelectingTable, row: int, modifiers: object = None) -> None:
    place = table.visualRect(table.model().index(row, Column.TITLE)).center()
    keys = modifiers or Qt.KeyboardModifier.NoModifier
    desk.qtbot.mouseClick(table.viewport(), LEFT, keys, QPoint(20, place.y()))


def _selected(table: SelectingTable) -> list[int]:
    return [row for row in range(table.model().rowCount()) if table.is_row_selected(row)]


def test_shift_and_arrows_select_a_run(desk: Desk, table: SelectingTable) -> None:
    _click(desk, table, 2)
    for _ in range(3):
        desk.qtbot.keyClick(table, Qt.Key.Key_Down, SHIFT)
    assert _selected(table) == [2, 3, 4, 5]
    assert desk.session.selected_id == desk.memory_id(5)  # the current row is explained
    desk.qtbot.keyClick(table, Qt.Key.Key_Up, SHIFT)
    assert _selected(table) == [2, 3, 4]
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    assert _selected(table) == [5]


def test_ctrl_and_clicks_pick_rows(desk: Desk, table: SelectingTable) -> None:
    _click(desk, table, 1)
    _click(desk, table, 4, CTRL)
    _click(desk, table, 6, CTRL)
    _click(desk, table, 4, CTRL)
    assert _selected(table) == [1, 6]
    _click(desk, table, 8, CTRL | SHIFT)
    assert _selected(table) == [1, 4, 5, 6, 7, 8]
    _click(desk, table, 3)
    assert _selected(table) == [3]
    _click(desk, table, 3, CTRL)  # something always is
    assert _selected(table) == [3]


def test_shift_and_a_click_select_from_the_last_one(desk: Desk, table: SelectingTable) -> None:
    _click(desk, table, 7)
    _click(desk, table, 4, SHIFT)
    assert _selected(table) == [4, 5, 6, 7]
    _click(desk, table, 9, SHIFT)
    assert _selected(table) == [7, 8, 9]


def test_ctrl_moves_without_selecting_and_ctrl_space_selects(
    desk: Desk, table: SelectingTable
) -> None:
    _click(desk, table, 0)
    desk.qtbot.keyClick(table, Qt.Key.Key_Down, CTRL)
    desk.qtbot.keyClick(table, Qt.Key.Key_Down, CTRL)
    assert _selected(table) == [0]
    desk.qtbot.keyClick(table, Qt.Key.Key_Space, CTRL)
    assert _selected(table) == [0, 2]


def test_all_are_selected_and_stay_so_sorted_and_filtered(
    desk: Desk, memories: MemoriesPanel, table: SelectingTable
) -> None:
    desk.qtbot.keyClick(table, Qt.Key.Key_A, CTRL)
    count = len(desk.session.order)
    assert desk.session.selection.count == count
    desk.session.set_sort("title", False)
    desk.settle()
    assert len(_selected(table)) == count
    desk.session.set_filter("slack")
    desk.qtbot.waitUntil(lambda: len(desk.session.order) < count)
    assert desk.session.selection.count == count
    assert len(_selected(table)) == table.model().rowCount()


def test_a_selection_keeps_its_memories_when_the_order_turns(
    desk: Desk, table: SelectingTable
) -> None:
    _click(desk, table, 3)
    _click(desk, table, 5, SHIFT)
    before = set(desk.session.selection.ids)
    desk.session.set_sort("importance", False)
    desk.settle()
    assert {desk.memory_id(row) for row in _selected(table)} == before
    desk.edit_outside(
        "UPDATE memories SET title = 'New', updated_at = updated_at + 1 WHERE id = ?",
        desk.memory_id(0),
    )
    assert {desk.memory_id(row) for row in _selected(table)} == before


# Groups.


def _lines(table: SelectingTable) -> list[str]:
    model = table.model()
    assert isinstance(model, MemoryTableModel)
    return [
        str(model.index(row, 0).data())
        for row in range(model.rowCount())
        if model.group_line(row) is not None
    ]


@pytest.mark.parametrize("kind", ["type", "source"])
def test_groups_are_named_and_counted(desk: Desk, table: SelectingTable, kind: str) -> None:
    desk.session.set_group(kind)
    desk.settle()
    groups = desk.session.groups
    assert groups is not None
    assert sum(groups.counts.tolist()) == len(desk.session.order)
    names = [line.rpartition(", ")[0] for line in _lines(table)]
    assert names == list(groups.names)
    assert len(set(names)) == len(names)
    assert table.model().rowCount() == len(desk.session.order) + len(names)
    snapshot, order = desk.session.snapshot, desk.session.order
    for at, name in enumerate(groups.names):
        start = int(groups.starts[at])
        rows = order[start : start + int(groups.counts[at])].tolist()
        if kind == "type":
            said = {snapshot.memories.type_names[snapshot.memories.type_codes[row]] for row in rows}
        else:
            said = {snapshot.source_key_of_row(row) or "No source" for row in rows}
        assert said == {name}
        scores = desk.session.scores.confidence[rows]
        assert np.all(np.diff(scores) <= 0)  # inside a group the order is the usual one


def test_the_keyboard_folds_and_unfolds(desk: Desk, table: SelectingTable) -> None:
    desk.session.set_group("type")
    desk.settle()
    model = table.model()
    assert isinstance(model, MemoryTableModel)
    _click(desk, table, 3)
    selected = desk.session.selected_id
    rows = model.rowCount()
    desk.qtbot.keyClick(table, Qt.Key.Key_Left)
    assert model.group_line(table.currentIndex().row()) is not None
    assert desk.session.selected_id == selected
    desk.qtbot.keyClick(table, Qt.Key.Key_Left)
    named = model.group_line(table.currentIndex().row())
    assert named is not None
    assert not named[2]
    assert model.rowCount() == rows - named[1]
    desk.session.set_sort("importance", True)
    desk.settle()
    assert model.group_line(table.currentIndex().row()) == named
    desk.qtbot.keyClick(table, Qt.Key.Key_Right)
    assert model.rowCount() == rows
    desk.qtbot.keyClick(table, Qt.Key.Key_Return)
    desk.qtbot.keyClick(table, Qt.Key.Key_Space)
    assert model.rowCount() == rows


def test_a_click_folds_and_a_selection_from_elsewhere_unfolds(
    desk: Desk, table: SelectingTable
) -> None:
    desk.session.set_group("type")
    desk.settle()
    model = table.model()
    assert isinstance(model, MemoryTableModel)
    wanted = model.memory_id(2)
    _click(desk, table, 0)
    assert wanted not in [model.memory_id(row) for row in range(model.rowCount())]
    desk.select(wanted)
    assert model.memory_id(table.currentIndex().row()) == wanted


def test_arrow_keys_pass_the_names_of_groups(desk: Desk, table: SelectingTable) -> None:
    desk.session.set_group("type")
    desk.settle()
    model = table.model()
    assert isinstance(model, MemoryTableModel)
    table.setCurrentIndex(model.index(0, 0))
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    assert desk.session.selected_id == model.memory_id(1)
    desk.qtbot.keyClick(table, Qt.Key.Key_Up)
    assert table.currentIndex().row() == 0
    assert desk.session.selected_id == model.memory_id(1)


def test_no_groups_again(desk: Desk, table: SelectingTable) -> None:
    desk.session.set_group("source")
    desk.settle()
    desk.session.set_group("")
    desk.settle()
    assert not _lines(table)
    assert table.model().rowCount() == len(desk.session.order)
