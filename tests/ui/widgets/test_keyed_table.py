from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.widgets.keyed_table import KeyedTable

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController


def rows(keys: str, number: str = "1") -> list[PlainRow]:
    return [PlainRow(key, (f"Row {key}", number)) for key in keys]


@pytest.fixture
def table(qtbot: QtBot, theme: ThemeController) -> KeyedTable:
    made = KeyedTable(
        "Things",
        ("Name", "Number"),
        widths={1: 60},
        stretch=0,
        numbers=frozenset((1,)),
        least={1: 200},
    )
    qtbot.addWidget(made)
    made.resize(300, 120)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_current_row_follows_its_key_without_a_word(qtbot: QtBot, table: KeyedTable) -> None:
    with qtbot.assertNotEmitted(table.key_selected):
        table.set_rows(rows("abc"))
        table.set_current("b")
        table.set_rows(rows("cab"))
        assert table.current_key == "b"
        table.set_rows(rows("ac"))
        assert table.current_key is None
        table.set_rows(rows("bac"))
    assert table.current_key == "b", "it is back"


def test_keys_select_and_enter_activates(qtbot: QtBot, table: KeyedTable) -> None:
    table.set_rows(rows("abc"))
    selected: list[str] = []
    table.key_selected.connect(selected.append)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert selected == ["a", "b"]
    with qtbot.waitSignal(table.key_activated) as activated:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert activated.args == ["b"]


def test_letters_are_left_to_the_panel_around(qtbot: QtBot, table: KeyedTable) -> None:
    table.set_rows(rows("abc"))
    table.set_current("a")
    table.setFocus()
    qtbot.keyClicks(table, "R")
    assert table.current_key == "a"


def test_numbers_are_never_cut_off(table: KeyedTable, theme: ThemeController) -> None:
    table.set_rows(rows("a", "98,765,432 → 1"))
    needed = QFontMetrics(table.font()).horizontalAdvance("98,765,432 → 1")
    assert table.columnWidth(1) > needed
    theme.set_scale(1.5)
    needed = QFontMetrics(table.font()).horizontalAdvance("98,765,432 → 1")
    assert table.columnWidth(1) > needed


def test_a_cell_has_room_for_a_number_and_the_air_around_it(table: KeyedTable) -> None:
    for text in ("+19,462", "1", "98,765,432 → 1"):
        table.set_rows(rows("a", text))
        assert table.sizeHintForColumn(1) <= table.columnWidth(1)


def test_columns_go_where_there_is_no_room(table: KeyedTable) -> None:
    assert not table.isColumnHidden(1)
    table.resize(180, 120)
    assert table.isColumnHidden(1)


def test_nothing_jumps_when_rows_change_places(table: KeyedTable) -> None:
    table.set_rows(rows("abcdefghijklmnop"))
    table.set_current("a")
    table.verticalScrollBar().setValue(100)
    table.set_rows(rows("ponmlkjihgfedcba"))
    assert table.verticalScrollBar().value() == 100
