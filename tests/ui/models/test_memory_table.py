"""The memory list's model and how its rows are drawn."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtGui import QImage

from mvdesk.arrays import NO_TIME, MemoryTable, SourceTable, StringColumn
from mvdesk.scoring.engine import Scores
from mvdesk.ui.grouping import Groups
from mvdesk.ui.models.memory_delegate import COLUMN_WIDTHS, MemoryDelegate
from mvdesk.ui.models.memory_table import (
    ARCHIVED_ROLE,
    COLUMN_TITLES,
    GHOST_ROLE,
    MEMORY_ID_ROLE,
    SCORE_ROLE,
    SORT_KEYS,
    Column,
    MemoryTableModel,
)
from mvdesk.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

LABELS = ["Port 5432", "Runbook", "Diary", "Old plan", "Dream", "R&D <b>x</b>"]
TYPES = ("note", "fact", "journal", "dream")
SIZE = len(LABELS)


def memories() -> MemoryTable:
    return replace(
        MemoryTable.empty(),
        ids=StringColumn.of(f"m{row}" for row in range(SIZE)),
        labels=StringColumn.of(LABELS),
        type_names=TYPES,
        type_codes=np.array([1, 0, 2, 0, 3, 1], dtype=np.int8),
        source_rows=np.array([0, 1, -1, 0, 1, -1], dtype=np.int32),
        updated_at=np.array([0, 1_800_000_000, NO_TIME, 2**62, -(2**40), 86_400 * 365]),
        archived_at=np.array([NO_TIME, NO_TIME, NO_TIME, 5, NO_TIME, NO_TIME]),
        keys=StringColumn.of(["port", None, None, None, "", None]),
        tags=StringColumn.of(["net, db ,,x", None, "", ",", None, "y"]),
        base_confidence=np.array([0.7, 0.25, 1.0, 0.0, 0.5, 0.5]),
        base_importance=np.full(SIZE, 0.5),
        created_at=np.array([0, 1_700_000_000, NO_TIME, 0, 0, 0]),
        access_count=np.array([0, 3, 0, 12_345, 0, 0]),
        last_accessed_at=np.array([NO_TIME, 1_800_000_100, NO_TIME, NO_TIME, NO_TIME, NO_TIME]),
        content_length=np.array([5, 10, 0, 5_000_000, 1, 1], dtype=np.int32),
    )


def sources() -> SourceTable:
    return replace(SourceTable.empty(), texts=StringColumn.of(["slack", "  Build\n log "]))


def scores(confidence: list[float], importance: list[float] | None = None) -> Scores:
    both = np.array(confidence), np.array(importance or [0.5] * len(confidence))
    return Scores(*both, *both)


SHOWN = scores([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
STORED = scores([0.1, 0.9, 0.3, 0.4, 0.5, 0.1])


def order(*rows: int) -> np.ndarray:
    return np.array(rows, dtype=np.intp)


@pytest.fixture
def model(qtbot: QtBot) -> MemoryTableModel:
    made = MemoryTableModel()
    made.set_table(memories(), sources(), order(0, 1, 2, 3, 4, 5))
    made.set_scores(SHOWN)
    return made


@pytest.fixture
def view(qtbot: QtBot, theme: ThemeController, model: MemoryTableModel) -> Iterator[TableView]:
    made = TableView("Memories")
    qtbot.addWidget(made)
    made.setModel(model)
    made.setItemDelegate(MemoryDelegate(model, made))
    made.set_column_widths(COLUMN_WIDTHS, Column.TITLE)
    made.resize(900, 300)
    made.show()
    yield made
    made.setModel(None)


def cell(model: MemoryTableModel, row: int, column: Column, role: int) -> object:
    return model.index(row, column).data(role)


def titles(model: MemoryTableModel) -> list[str]:
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_the_model_keeps_the_rules_of_models(
    model: MemoryTableModel, qtmodeltester: ModelTester
) -> None:
    qtmodeltester.check(model)
    model.set_order(order(5, 4, 3, 2, 1, 0))
    model.set_order(order(3, 1))
    model.set_scores(SHOWN, STORED)
    model.set_order(order())
    model.set_table(MemoryTable.empty(), SourceTable.empty(), order())
    qtmodeltester.check(MemoryTableModel())


def test_groups_keep_the_rules_of_models(
    model: MemoryTableModel, qtmodeltester: ModelTester
) -> None:
    groups = Groups("type", ("fact", "note"), np.array([0, 2]), np.array([2, 3]))
    model.set_order(order(0, 5, 1, 3, 4), groups)
    qtmodeltester.check(model)
    assert titles(model) == [
        "fact, 2 memories",
        "Port 5432",
        "R&D <b>x</b>",
        "note, 3 memories",
        "Runbook",
        "Old plan",
        "Dream",
    ]
    model.set_collapsed(frozenset({"fact"}))
    assert titles(model)[:2] == ["fact, 2 memories", "note, 3 memories"]
    assert cell(model, 0, Column.TITLE, Qt.ItemDataRole.AccessibleTextRole) == (
        "Group fact, 2 memories, collapsed"
    )
    assert model.memory_id(0) is None
    assert model.view_row(0) == -1
    assert model.group_of_table_row(0) == "fact"
    assert model.table_rows(0, 3).tolist() == [1, 3]
    model.set_order(order(4), Groups("type", ("note",), np.array([0]), np.array([1])))
    assert titles(model) == ["note, 1 memory", "Dream"]
    model.set_order(order())
    assert model.rowCount() == 0


def test_cells_say_what_the_vault_says(model: MemoryTableModel) -> None:
    display = Qt.ItemDataRole.DisplayRole
    assert [cell(model, 0, column, display) for column in list(Column)[:5]] == [
        "Port 5432",
        "fact",
        "slack",
        "0.100",
        "0.500",
    ]
    assert cell(model, 1, Column.SOURCE, display) == "Build log"
    assert cell(model, 2, Column.SOURCE, display) == ""
    assert cell(model, 4, Column.TYPE, display) == "dream"


def test_further_columns_say_what_the_vault_says(model: MemoryTableModel) -> None:
    trust = np.array([0.2, np.nan, np.nan, 1.0, np.nan, np.nan])
    raw = np.array([1.18, 0.2, 0.3, -0.05, 0.5, 0.6])
    model.set_table(memories(), sources(), order(0, 1, 3), np.arange(SIZE, dtype=np.int32))
    model.set_moment(1_800_000_100 + 3 * 86_400 - 1, trust)
    model.set_scores(Scores(SHOWN.confidence, SHOWN.importance, raw, raw))

    def row(place: int) -> dict[Column, object]:
        shown = list(Column)[Column.KEY :]
        return {c: cell(model, place, c, Qt.ItemDataRole.DisplayRole) for c in shown}

    assert row(0) | {Column.IDLE: ""} == {
        Column.KEY: "port",
        Column.TAGS: "net, db, x",
        Column.BASE_CONFIDENCE: "0.700",
        Column.BASE_IMPORTANCE: "0.500",
        Column.TRUST: "0.20",
        Column.LINKS: "0",
        Column.RECALLS: "0",
        Column.IDLE: "",
        Column.RAW_CONFIDENCE: "1.180",
        Column.RAW_IMPORTANCE: "1.180",
        Column.CUT_CONFIDENCE: "−0.180",
        Column.CUT_IMPORTANCE: "−0.180",
        Column.LENGTH: "5",
    }
    idle = row(1)
    assert idle[Column.IDLE] == "2"  # whole days of 86,400 seconds since the recall
    assert (idle[Column.TRUST], idle[Column.CUT_CONFIDENCE], idle[Column.KEY]) == ("", "", "")
    assert (row(2)[Column.RECALLS], row(2)[Column.LENGTH]) == ("12,345", "5,000,000")
    assert row(2)[Column.CUT_CONFIDENCE] == "+0.050"


def test_numbers_stand_right_in_cells_and_headers(model: MemoryTableModel) -> None:
    role, horizontal = Qt.ItemDataRole.TextAlignmentRole, Qt.Orientation.Horizontal
    right = Qt.AlignmentFlag.AlignRight
    for column in (Column.LINKS, Column.TRUST, Column.RAW_CONFIDENCE):
        assert cell(model, 0, column, role) & right
        assert model.headerData(column, horizontal, role) & right
    assert not cell(model, 0, Column.TAGS, role) & right


def test_dates_are_local_and_impossible_ones_are_left_out(
    model: MemoryTableModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    shown = [cell(model, row, Column.UPDATED, Qt.ItemDataRole.DisplayRole) for row in range(SIZE)]
    tip = cell(model, 1, Column.UPDATED, Qt.ItemDataRole.ToolTipRole)
    monkeypatch.undo()
    time.tzset()
    assert shown == ["1 Jan 1970", "15 Jan 2027", "–", "–", "–", "1 Jan 1971"]
    assert tip == "15 Jan 2027, 17:00 (UTC+09:00)"


def test_columns_have_titles_and_names_to_sort_by(model: MemoryTableModel) -> None:
    horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert [model.headerData(column, horizontal) for column in Column] == list(COLUMN_TITLES)
    assert model.headerData(0, vertical) is None
    assert model.headerData(99, horizontal) is None
    assert len(SORT_KEYS) == len(COLUMN_TITLES) == model.columnCount() == len(Column)


def test_scores_are_handed_out_unrounded_and_not_as_text(model: MemoryTableModel) -> None:
    assert cell(model, 1, Column.CONFIDENCE, SCORE_ROLE) == SHOWN.confidence[1]
    assert cell(model, 1, Column.TITLE, SCORE_ROLE) is None


def test_ghosts_are_where_the_preview_differs_only(model: MemoryTableModel) -> None:
    assert cell(model, 1, Column.CONFIDENCE, GHOST_ROLE) is None
    model.set_scores(SHOWN, STORED)
    ghosts = [cell(model, row, Column.CONFIDENCE, GHOST_ROLE) for row in range(SIZE)]
    assert ghosts == [None, 0.9, None, None, None, 0.1]
    assert cell(model, 1, Column.IMPORTANCE, GHOST_ROLE) is None
    assert cell(model, 1, Column.TITLE, GHOST_ROLE) is None
    tip = cell(model, 1, Column.CONFIDENCE, Qt.ItemDataRole.ToolTipRole)
    assert tip == "0.200, 0.900 before the preview"
    model.set_scores(SHOWN)
    assert cell(model, 1, Column.CONFIDENCE, GHOST_ROLE) is None


def test_before_scores_are_there_the_cells_say_so(model: MemoryTableModel) -> None:
    model.set_table(memories(), sources(), order(0))
    assert cell(model, 0, Column.CONFIDENCE, Qt.ItemDataRole.DisplayRole) == "–"


def test_scores_of_other_memories_are_refused(model: MemoryTableModel) -> None:
    with pytest.raises(ValueError, match="2 scores for 6 memories"):
        model.set_scores(scores([0.1, 0.2]))


def test_screen_readers_hear_the_column_too(model: MemoryTableModel) -> None:
    spoken = Qt.ItemDataRole.AccessibleTextRole
    assert cell(model, 0, Column.CONFIDENCE, spoken) == "Confidence: 0.100"
    assert cell(model, 2, Column.SOURCE, spoken) == "Source: no source"
    assert cell(model, 3, Column.TITLE, spoken) == "Title: Old plan (archived)"
    assert cell(model, 3, Column.TITLE, ARCHIVED_ROLE) is True


def test_numbers_are_aligned_right(model: MemoryTableModel) -> None:
    role = Qt.ItemDataRole.TextAlignmentRole
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    assert cell(model, 0, Column.CONFIDENCE, role) == right
    assert cell(model, 0, Column.TITLE, role) != right
    assert cell(model, 0, Column.TITLE, Qt.ItemDataRole.DecorationRole) is None


def test_new_scores_change_cells_and_reset_nothing(qtbot: QtBot, model: MemoryTableModel) -> None:
    with (
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.waitSignal(model.dataChanged) as seen,
    ):
        model.set_scores(SHOWN, STORED)
    first, last = seen.args[0], seen.args[1]
    assert (first.row(), first.column()) == (0, Column.CONFIDENCE)
    assert (last.row(), last.column()) == (SIZE - 1, Column.CUT_IMPORTANCE)


def test_sorting_keeps_the_selected_memory_selected(
    model: MemoryTableModel, view: TableView
) -> None:
    view.select_row(1)
    model.set_order(order(5, 4, 3, 2, 1, 0))
    assert titles(model) == LABELS[::-1]
    assert view.currentIndex().row() == 4
    assert view.currentIndex().data(MEMORY_ID_ROLE) == "m1"
    assert [index.row() for index in view.selectionModel().selectedRows()] == [4]


def test_filtering_keeps_it_too_while_it_is_shown(model: MemoryTableModel, view: TableView) -> None:
    view.select_row(3)
    model.set_order(order(5, 3))
    assert model.rowCount() == 2
    assert view.currentIndex().data(MEMORY_ID_ROLE) == "m3"
    model.set_order(order(5, 4))
    assert not view.currentIndex().isValid()
    assert not view.selectionModel().hasSelection()
    model.set_order(order(0, 1, 2, 3, 4, 5))
    assert model.rowCount() == 6
    assert titles(model) == LABELS


def test_sorting_keeps_many_selected(model: MemoryTableModel, view: TableView) -> None:
    view.setSelectionMode(TableView.SelectionMode.ExtendedSelection)
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in (0, 2, 5):
        view.selectionModel().select(model.index(row, 0), flags)
    model.set_order(order(3, 5, 1, 0, 2, 4))
    chosen = {index.data(MEMORY_ID_ROLE) for index in view.selectionModel().selectedRows()}
    assert chosen == {"m0", "m2", "m5"}


def test_sorting_tells_the_views_first(qtbot: QtBot, model: MemoryTableModel) -> None:
    with qtbot.waitSignals([model.layoutAboutToBeChanged, model.layoutChanged, model.order_set]):
        model.set_order(order(1, 0))


def test_rows_are_found_in_both_directions(model: MemoryTableModel) -> None:
    model.set_order(order(4, 2))
    assert model.table_row(1) == 2
    assert model.view_row(2) == 1
    assert model.view_row(0) == -1
    assert model.view_row(None) == -1
    assert model.memory_id(0) == "m4"
    assert model.memory_id(2) is None
    assert model.data(QModelIndex()) is None


def distinct(picture: QImage) -> set[str]:
    """The colours in a picture, "#rrggbb"."""
    rgb = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(rgb.constBits(), dtype=np.uint32) & 0xFFFFFF
    return {f"#{color:06x}" for color in np.unique(pixels).tolist()}


def row_picture(view: TableView, row: int) -> QImage:
    return view.viewport().grab().toImage().copy(0, row * 32, 900, 32)


def test_previewed_rows_look_different(
    theme: ThemeController, model: MemoryTableModel, view: TableView
) -> None:
    before = [row_picture(view, row) for row in range(SIZE)]
    model.set_scores(SHOWN, STORED)
    changed = [row_picture(view, row) != before[row] for row in range(SIZE)]
    assert changed == [False, True, False, False, False, True]
    assert theme.tokens.negative.lower() in distinct(row_picture(view, 1))
    assert theme.tokens.positive.lower() in distinct(row_picture(view, 5))


def test_archived_rows_are_muted_and_selected_ones_tinted(
    theme: ThemeController, view: TableView
) -> None:
    assert theme.tokens.text.lower() not in distinct(row_picture(view, 3))
    view.select_row(0)
    assert theme.tokens.selection_tint.lower() in distinct(row_picture(view, 0))
    view.select_row(3)
    assert theme.tokens.text_muted.lower() not in distinct(row_picture(view, 3))


def test_rows_look_the_same_however_often_they_are_drawn(
    theme: ThemeController, model: MemoryTableModel, view: TableView
) -> None:
    table = replace(
        memories(), labels=StringColumn.of(["Port", "中文标题", "🚫 no", "ع", "é", "x"])
    )
    model.set_table(table, sources(), order(0, 1, 2, 3, 4, 5))
    pictures = [view.viewport().grab().toImage() for _ in range(3)]
    assert pictures[0] == pictures[1] == pictures[2]


def test_markup_in_titles_is_shown_as_text(model: MemoryTableModel, view: TableView) -> None:
    """A title with tags in it is drawn wider than the words between the tags."""
    assert cell(model, 5, Column.TITLE, Qt.ItemDataRole.DisplayRole) == "R&D <b>x</b>"
    assert row_picture(view, 5) != row_picture(view, 0)


@pytest.mark.parametrize("scale", [0.85, 1.0, 1.6])
def test_bar_and_number_fit_into_their_column(
    scale: float, theme: ThemeController, view: TableView, model: MemoryTableModel
) -> None:
    theme.set_scale(scale)
    view.setColumnHidden(Column.TITLE, True)
    left = view.columnViewportPosition(Column.CONFIDENCE)
    right = left + view.columnWidth(Column.CONFIDENCE)
    height = view.rowHeight(0)
    picture = view.viewport().grab().toImage().copy(left, 0, right - left, height)
    edge = {picture.pixelColor(picture.width() - 2, y).name() for y in range(height)}
    assert edge == {theme.tokens.surface.lower()}
    assert theme.tokens.neutral.lower() in distinct(picture)


def test_a_narrow_score_column_shows_the_number_alone(
    theme: ThemeController, view: TableView
) -> None:
    view.setColumnWidth(Column.CONFIDENCE, 60)
    left = view.columnViewportPosition(Column.CONFIDENCE)
    picture = view.viewport().grab().toImage().copy(left, 0, 60, 32)
    assert theme.tokens.hairline.lower() not in distinct(picture)
    assert theme.tokens.text.lower() in distinct(picture)
