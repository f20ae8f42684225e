"""The table: sorting is asked for, rows are fixed, the current row can stay in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from mvdesk.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController


@pytest.fixture
def model(qtbot: QtBot) -> QStandardItemModel:
    made = QStandardItemModel()
    made.setHorizontalHeaderLabels(["Title", "Score"])
    for row in range(200):
        made.appendRow([QStandardItem(f"{row:03}"), QStandardItem(f"{(row * 37) % 200:03}")])
    return made


@pytest.fixture
def view(qtbot: QtBot, model: QStandardItemModel) -> TableView:
    made = TableView("Memories")
    qtbot.addWidget(made)
    made.setModel(model)
    made.set_column_widths({1: 90}, stretch=0)
    made.set_descending_first(frozenset({1}))
    made.resize(400, 300)
    made.show()
    return made


def click_header(qtbot: QtBot, view: TableView, column: int) -> None:
    header = view.horizontalHeader()
    spot = QPoint(header.sectionViewportPosition(column) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)


def test_a_click_on_a_header_asks_and_does_not_sort(
    qtbot: QtBot, view: TableView, model: QStandardItemModel
) -> None:
    asked: list[tuple[int, bool]] = []
    view.sort_requested.connect(lambda column, descending: asked.append((column, descending)))
    click_header(qtbot, view, 0)
    click_header(qtbot, view, 1)
    view.set_sort(1, True)
    click_header(qtbot, view, 1)
    view.set_sort(1, False)
    click_header(qtbot, view, 1)
    assert asked == [(0, False), (1, True), (1, False), (1, True)]
    assert model.index(0, 0).data() == "000"


def test_the_header_says_how_the_list_is_sorted(view: TableView) -> None:
    view.set_sort(1, True)
    assert view.horizontalHeader().accessibleDescription() == "sorted by Score, descending"
    view.set_sort(-1, False)
    assert view.horizontalHeader().accessibleDescription() == "not sorted"


def test_the_sort_arrow_is_drawn(view: TableView) -> None:
    header = view.horizontalHeader()
    view.set_sort(1, True)
    down = header.grab().toImage()
    view.set_sort(1, False)
    assert header.grab().toImage() != down


def test_rows_and_columns_follow_the_text_scale(view: TableView, theme: ThemeController) -> None:
    assert view.rowHeight(0) == 32
    theme.set_scale(1.5)
    assert view.rowHeight(0) == 48
    assert view.columnWidth(1) == 135


def test_enter_and_double_click_open_a_row(qtbot: QtBot, view: TableView) -> None:
    view.select_row(3)
    with qtbot.waitSignal(view.row_activated) as seen:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert seen.args == [3]


def test_selecting_from_outside(view: TableView) -> None:
    view.select_row(150)
    assert view.currentIndex().row() == 150
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()).center())
    view.select_row(-1)
    assert not view.selectionModel().hasSelection()


def test_the_row_under_the_pointer_is_known(qtbot: QtBot, view: TableView) -> None:
    for row in (1, 2):  # two places: the pointer may happen to be at one of them already
        qtbot.mouseMove(view.viewport(), QPoint(20, 32 * row + 5))
    qtbot.waitUntil(lambda: view.hovered_row == 2)
    view.leaveEvent(None)  # type: ignore[arg-type]
    assert view.hovered_row == -1


@pytest.mark.parametrize("keeps", [True, False])
def test_the_current_row_stays_where_it_is_on_screen(
    keeps: bool, qtbot: QtBot, view: TableView, model: QStandardItemModel
) -> None:
    view.set_keeps_current(keeps)
    view.select_row(101)
    view.scrollTo(view.currentIndex(), TableView.ScrollHint.PositionAtCenter)
    before = view.visualRect(view.currentIndex()).top()
    title = view.currentIndex().data()
    model.sort(1)
    assert view.currentIndex().data() == title
    assert view.currentIndex().row() != 101
    assert (view.visualRect(view.currentIndex()).top() == before) is keeps


def test_tab_leaves_the_table(view: TableView) -> None:
    assert not view.tabKeyNavigation()
    assert view.accessibleName() == "Memories"


def test_another_model_takes_over(qtbot: QtBot, view: TableView) -> None:
    other = QStandardItemModel(3, 2, view)
    view.setModel(other)
    view.setModel(None)
    assert view.model() is None
