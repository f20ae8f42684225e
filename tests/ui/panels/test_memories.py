"""The memory list with real keys and clicks on a real vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QPushButton, QToolButton

from mvdesk.ui.models.memory_table import Column
from mvdesk.ui.panels.memories import MemoriesPanel
from mvdesk.ui.widgets.table_view import TableView

from .conftest import find

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

    from .conftest import Desk


def _table(panel: MemoriesPanel) -> TableView:
    return find(panel, TableView, "memoryList")


def _search(panel: MemoriesPanel) -> QLineEdit:
    return find(panel, QLineEdit, "searchBox")


def _titles(panel: MemoriesPanel) -> list[str]:
    model = _table(panel).model()
    return [str(model.index(row, Column.TITLE).data()) for row in range(model.rowCount())]


def _selected_row(panel: MemoriesPanel) -> int:
    rows = _table(panel).selectionModel().selectedRows()
    return rows[0].row() if rows else -1


def test_every_active_memory_is_listed_and_counted(desk: Desk, memories: MemoriesPanel) -> None:
    count = len(desk.session.order)
    assert _table(memories).model().rowCount() == count
    assert memories.header.detail() == f"{count} memories"


def test_the_filter_says_what_it_looks_at(memories: MemoriesPanel) -> None:
    hint = _search(memories).toolTip()
    assert all(word in hint for word in ("title", "key", "tags", "source", "text"))


def test_arrow_keys_select(desk: Desk, memories: MemoriesPanel) -> None:
    table = _table(memories)
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    assert desk.session.selected_id == desk.memory_id(_selected_row(memories))
    before = _selected_row(memories)
    desk.qtbot.keyClick(table, Qt.Key.Key_Down)
    assert desk.session.selected_id == desk.memory_id(before + 1)


def test_a_selection_from_elsewhere_shows_in_the_list(desk: Desk, memories: MemoriesPanel) -> None:
    desk.select(desk.memory_id(40))
    assert _selected_row(memories) == 40
    place = _table(memories).visualRect(_table(memories).currentIndex())
    assert _table(memories).viewport().rect().intersects(place)


def test_a_click_on_a_header_sorts_and_keeps_the_selection(
    desk: Desk, memories: MemoriesPanel
) -> None:
    wanted = desk.memory_id(5)
    desk.select(wanted)
    table = _table(memories)
    header = table.horizontalHeader()
    x = header.sectionViewportPosition(Column.IMPORTANCE) + 20
    desk.qtbot.mouseClick(
        header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, header.height() // 2)
    )
    desk.settle()
    assert (desk.session.sort_column, desk.session.sort_descending) == ("importance", True)
    assert desk.session.selected_id == wanted
    assert desk.memory_id(_selected_row(memories)) == wanted


def test_the_sort_menu_sorts_from_the_keyboard(desk: Desk, memories: MemoriesPanel) -> None:
    button = find(memories, QToolButton, "sortButton")
    menu = button.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    names = [action.text() for action in menu.actions()]
    menu.actions()[names.index("Title, A to Z")].trigger()
    desk.settle()
    titles = [title.casefold() for title in _titles(memories)]
    assert titles == sorted(titles)
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_typing_filters_and_the_selection_survives(desk: Desk, memories: MemoriesPanel) -> None:
    desk.select(desk.memory_id(0))
    selected = desk.session.selected_id
    before = len(desk.session.order)
    desk.qtbot.keyClicks(_search(memories), "slack")
    desk.qtbot.waitUntil(lambda: 0 < len(desk.session.order) < before)
    desk.settle()
    shown = _table(memories).model().rowCount()
    assert memories.header.detail() == f"{shown} of {before}"
    assert desk.session.selected_id == selected
    _search(memories).clear()
    desk.qtbot.waitUntil(lambda: len(desk.session.order) == before)
    assert desk.memory_id(_selected_row(memories)) == selected


def test_down_in_the_filter_goes_to_the_list(desk: Desk, memories: MemoriesPanel) -> None:
    memories.focus_search()
    desk.qtbot.keyClick(_search(memories), Qt.Key.Key_Down)
    assert _table(memories).hasFocus()
    assert desk.session.selected_id == desk.memory_id(0)


def test_nothing_found_says_so_and_offers_the_way_back(desk: Desk, memories: MemoriesPanel) -> None:
    desk.qtbot.keyClicks(_search(memories), "zzqy")
    desk.qtbot.waitUntil(lambda: not len(desk.session.order))
    said = find(memories, QLabel, "emptyStateText")
    assert said.isVisible()
    assert "zzqy" in said.text()
    desk.qtbot.mouseClick(
        find(memories, QPushButton, "emptyStateAction"), Qt.MouseButton.LeftButton
    )
    desk.qtbot.waitUntil(lambda: len(desk.session.order) > 0)
    assert _table(memories).isVisible()
    assert _search(memories).text() == ""


def test_archived_memories_come_with_the_toggle(desk: Desk, memories: MemoriesPanel) -> None:
    before = len(desk.session.order)
    toggle = find(memories, QToolButton, "archivedToggle")
    desk.qtbot.mouseClick(toggle, Qt.MouseButton.LeftButton)
    desk.settle()
    assert desk.session.show_archived
    assert len(desk.session.order) > before
    assert memories.header.detail() == f"{len(desk.session.order)} memories"
    desk.session.set_show_archived(False)
    desk.settle()
    assert not toggle.isChecked()


def test_a_preview_shows_new_scores_and_keeps_the_selected_row(
    desk: Desk, memories: MemoriesPanel
) -> None:
    key = desk.session.snapshot.sources.keys[0]
    memory_id = desk.memory_of_source(key)
    desk.select(memory_id)
    desk.session.preview_trust(key, 0.0)
    desk.settle()
    row = _selected_row(memories)
    assert desk.memory_id(row) == memory_id
    shown = _table(memories).model().index(row, Column.CONFIDENCE).data()
    at = desk.session.snapshot.row_of(memory_id)
    assert at is not None
    assert shown == f"{desk.session.scores.confidence[at]:.3f}"


def test_another_program_changes_the_vault_and_the_list_follows(
    desk: Desk, memories: MemoriesPanel
) -> None:
    memory_id = desk.memory_id(30)
    desk.select(memory_id)
    _table(memories).setFocus()
    scrolled = _table(memories).verticalScrollBar().value()
    desk.edit_outside(
        "UPDATE memories SET title = 'Seen from outside', updated_at = updated_at + 1 WHERE id = ?",
        memory_id,
    )
    assert "Seen from outside" in _titles(memories)
    assert desk.memory_id(_selected_row(memories)) == memory_id
    assert _table(memories).hasFocus()
    assert abs(_table(memories).verticalScrollBar().value() - scrolled) <= 64


@pytest.mark.qt_log_ignore("This plugin does not support")  # popups, on a display of none
def test_the_context_menu_copies_id_and_title(desk: Desk, memories: MemoriesPanel) -> None:
    table = _table(memories)
    place = table.visualRect(table.model().index(2, Column.TITLE)).center()
    table.customContextMenuRequested.emit(place)
    menu = next(menu for menu in memories.findChildren(QMenu) if menu.isVisible())
    names = {action.text(): action for action in menu.actions()}
    names["Copy id"].trigger()
    assert QGuiApplication.clipboard().text() == desk.memory_id(2)
    names["Copy title"].trigger()
    assert QGuiApplication.clipboard().text() == _titles(memories)[2]
    menu.close()


def test_an_empty_vault_invites_to_write_the_first_memory(
    qtbot: QtBot,
    make_session: Callable[[], VaultSession],
    theme: ThemeController,
    tmp_path: Path,
) -> None:
    session = make_session()
    panel = MemoriesPanel(session, theme)
    qtbot.addWidget(panel)
    panel.show()
    with qtbot.waitSignal(session.vault_opened):
        session.create_vault(tmp_path / "mine.sqlite")
    said = find(panel, QLabel, "emptyStateText")
    assert "no memories yet" in said.text()
    with qtbot.waitSignal(panel.new_requested):
        qtbot.mouseClick(find(panel, QPushButton, "emptyStateAction"), Qt.MouseButton.LeftButton)


def test_the_columns_follow_the_width(desk: Desk) -> None:
    narrow = desk.show(MemoriesPanel, width=280)
    assert _table(narrow).isColumnHidden(Column.SOURCE)
    assert not _table(narrow).isColumnHidden(Column.CONFIDENCE)
    assert narrow.minimumSizeHint().width() <= 280
    narrow.resize(900, 640)
    shown = [column for column in Column if not _table(narrow).isColumnHidden(column)]
    assert shown == list(Column)[: Column.UPDATED + 1]


def test_a_filter_without_the_selected_memory_says_so(desk: Desk, memories: MemoriesPanel) -> None:
    note = find(memories, QLabel, "listNote")
    desk.select(desk.memory_id(0))
    assert not note.isVisible()
    last = _titles(memories)[-1]
    top = _table(memories).y()
    desk.qtbot.keyClicks(_search(memories), last)
    desk.settle()
    assert note.isVisible()
    assert "selected memory isn't in this list" in note.text()
    assert _table(memories).y() == top
    desk.select(desk.memory_id(0))
    assert not note.isVisible()
