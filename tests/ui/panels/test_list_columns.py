"""Choosing, moving and widening the columns of the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QMenu, QPushButton, QSpinBox

from mvdesk.ui.models.list_columns import Column
from mvdesk.ui.panels.memories import MemoriesPanel
from mvdesk.ui.widgets.column_dialog import ColumnDialog
from mvdesk.ui.widgets.table_view import TableView

from .conftest import find

if TYPE_CHECKING:
    from .conftest import Desk

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # popups


def _table(panel: MemoriesPanel) -> TableView:
    return find(panel, TableView, "memoryList")


@pytest.fixture
def panel(desk: Desk) -> MemoriesPanel:
    return desk.show(MemoriesPanel, width=700)


def _pick(menu: QMenu, name: str) -> None:
    next(action for action in menu.actions() if action.text() == name).trigger()
    menu.close()


def test_a_column_chosen_in_the_header_menu_comes_and_stays(
    desk: Desk, panel: MemoriesPanel
) -> None:
    _pick(panel.columns.make_menu(Column.TITLE), "Links")
    assert panel.columns.shown[-1] == Column.LINKS
    panel.resize(300, 640)
    desk.settle()
    assert Column.LINKS in panel.columns.shown
    table = _table(panel)
    assert table.columnWidth(Column.TITLE) >= 140
    assert table.horizontalScrollBar().maximum() > 0
    _pick(panel.columns.make_menu(-1), "As many as there is room for")
    assert panel.columns.shown == (Column.TITLE, Column.CONFIDENCE)
    desk.qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)


def test_the_header_menu_sorts(desk: Desk, panel: MemoriesPanel) -> None:
    _pick(panel.columns.make_menu(Column.IMPORTANCE), "Sort ascending")
    desk.settle()
    assert (desk.session.sort_column, desk.session.sort_descending) == ("importance", False)


def test_the_title_can_not_be_hidden(panel: MemoriesPanel) -> None:
    menu = panel.columns.make_menu(Column.TITLE)
    assert not any(action.text() in ("Hide Title", "Title") for action in menu.actions())
    menu.close()
    panel.columns.choose((("links", 72),))
    assert panel.columns.shown == (Column.TITLE, Column.LINKS)


def test_a_moved_column_stays_where_it_was_put(panel: MemoriesPanel) -> None:
    header = _table(panel).horizontalHeader()
    header.moveSection(header.visualIndex(Column.IMPORTANCE), 0)
    assert panel.columns.shown[:2] == (Column.IMPORTANCE, Column.TITLE)
    again = panel.columns.chosen
    panel.columns.choose(())
    panel.columns.choose(again)
    assert panel.columns.shown[:2] == (Column.IMPORTANCE, Column.TITLE)


def test_a_dragged_edge_is_kept_and_the_title_takes_the_rest(panel: MemoriesPanel) -> None:
    table = _table(panel)
    header = table.horizontalHeader()
    edge = header.sectionViewportPosition(Column.SOURCE) + header.sectionSize(Column.SOURCE) - 1
    y, left = header.height() // 2, Qt.MouseButton.LeftButton
    QTest.mousePress(header.viewport(), left, pos=QPoint(edge, y))
    QTest.mouseMove(header.viewport(), QPoint(edge + 20, y))
    QTest.mouseMove(header.viewport(), QPoint(edge + 40, y))
    QTest.mouseRelease(header.viewport(), left, pos=QPoint(edge + 40, y))
    width = dict(panel.columns.chosen)["source"]
    assert width == header.sectionSize(Column.SOURCE) > 104
    panel.resize(1000, 640)
    assert header.sectionSize(Column.SOURCE) == width
    assert header.length() == table.viewport().width()


def test_the_dialog_chooses_orders_and_widens_by_keyboard(desk: Desk, panel: MemoriesPanel) -> None:
    dialog = panel.columns.ask()
    columns = find(dialog, QListWidget, "columnList")
    texts = [columns.item(row).text() for row in range(columns.count())]
    columns.setCurrentRow(texts.index("Links"))
    desk.qtbot.keyClick(columns, Qt.Key.Key_Space)
    while columns.currentRow() > 1:
        desk.qtbot.keyClick(columns, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    find(dialog, QSpinBox, "columnWidth").setValue(90)
    dialog.accept()  # the dialog's OK is what counts
    assert Column.LINKS not in panel.columns.shown

    dialog = panel.columns.ask()
    columns = find(dialog, QListWidget, "columnList")
    texts = [columns.item(row).text() for row in range(columns.count())]
    columns.setCurrentRow(texts.index("Links"))
    desk.qtbot.keyClick(columns, Qt.Key.Key_Space)
    while columns.currentRow() > 1:
        desk.qtbot.keyClick(columns, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    find(dialog, QSpinBox, "columnWidth").setValue(90)
    desk.qtbot.keyClick(columns, Qt.Key.Key_Return)
    assert panel.columns.shown[:2] == (Column.TITLE, Column.LINKS)
    assert dict(panel.columns.chosen)["links"] == 90


def test_the_dialog_brings_the_usual_columns_back(desk: Desk, panel: MemoriesPanel) -> None:
    panel.columns.choose((("title", 200), ("tags", 120)))
    dialog = panel.columns.ask()
    assert isinstance(dialog, ColumnDialog)
    button = find(dialog, QPushButton, "columnReset")
    with desk.qtbot.waitSignal(panel.columns.changed):
        desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert panel.columns.chosen == ()


def test_strange_settings_are_left_out(panel: MemoriesPanel) -> None:
    panel.columns.choose((("nothing", 50), ("links", 3), ("tags", 99_999)))
    assert panel.columns.chosen == (("title", 140), ("links", 40), ("tags", 2_000))


def test_widths_follow_the_text_scale_and_are_kept_at_scale_one(
    desk: Desk, panel: MemoriesPanel
) -> None:
    panel.columns.choose((("title", 140), ("links", 72)))
    desk.theme.set_scale(1.5)
    assert _table(panel).columnWidth(Column.LINKS) == 108
    assert dict(panel.columns.chosen)["links"] == 72


def test_trust_is_shown_with_what_is_tried(desk: Desk, panel: MemoriesPanel) -> None:
    panel.columns.choose((("title", 200), ("trust", 76)))
    panel.columns.changed.emit()
    key = desk.session.snapshot.sources.keys[0]
    memory_id = desk.memory_of_source(key)
    desk.session.preview_trust(key, 0.13)
    desk.settle()
    desk.select(memory_id)
    table = _table(panel)
    assert table.model().index(table.currentIndex().row(), Column.TRUST).data() == "0.13"


def test_the_sort_menu_offers_the_shown_columns(desk: Desk, panel: MemoriesPanel) -> None:
    panel.columns.choose((("title", 200), ("idle", 76)))
    menu = panel.findChild(QMenu)
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    next(a for a in menu.actions() if a.text() == "Idle days, descending").trigger()
    desk.settle()
    assert (desk.session.sort_column, desk.session.sort_descending) == ("idle", True)


def test_columns_come_and_go_when_the_session_has_ended_before_the_window(
    desk: Desk, panel: MemoriesPanel
) -> None:
    desk.session.shut_down()
    panel.columns.changed.emit()
    panel.resize(300, 640)
    assert panel.columns.shown
