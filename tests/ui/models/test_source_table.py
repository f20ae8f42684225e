"""The table of sources: its order, its filter, its cells, and how its rows are drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt

from mvdesk.arrays import NO_TIME
from mvdesk.ui.models.source_columns import (
    EXPLAINED,
    TITLES,
    SourceColumn,
    SourceColumns,
    Spelled,
    find_sources,
    order_sources,
)
from mvdesk.ui.models.source_delegate import SourceDelegate
from mvdesk.ui.models.source_table import SOURCE_KEY_ROLE, SourceTableModel
from mvdesk.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot

    from mvdesk.arrays import IntArray
    from mvdesk.ui.theme import ThemeController

C = SourceColumn
KEYS = ("blog", "datasheet", "hearsay", "slack", "ελλάδα 🌱")


def columns() -> SourceColumns:
    return SourceColumns(
        keys=KEYS,
        notes=(None, "vendor", None, None, None),
        active=np.array([4, 4, 0, 12, 1]),
        archived=np.array([0, 2, 1, 0, 0]),
        stored=np.array([np.nan, 0.9, 0.5, 0.3, np.nan]),
        trust=np.array([np.nan, 0.9, 0.5, 0.3, np.nan]),
        mean=np.array([0.5, 0.8, np.nan, 0.4, 0.5]),
        low=np.array([0.4, 0.7, np.nan, 0.1, 0.5]),
        median=np.array([0.5, 0.8, np.nan, 0.4, 0.5]),
        high=np.array([0.6, 0.9, np.nan, 0.7, 0.5]),
        contradicted=np.array([1, 0, 0, 6, 0]),
        last_used=np.array([100, 200, NO_TIME, 300, 100]),
        movable=np.array([4, 3, 0, 12, 1]),
        leverage=np.array([0.8, 0.3, 0.0, 3.4, 0.2]),
        spellings={"slack": (Spelled("Slack", 9), Spelled("SLACK", 3))},
    )


def tried(source: int, trust: float) -> SourceColumns:
    """The columns with another trust and another mean for one source."""
    stored = columns()
    values, means = stored.trust.copy(), stored.mean.copy()
    values[source], means[source] = trust, 0.2
    return replace(stored, trust=values, mean=means)


def every() -> IntArray:
    return np.arange(len(KEYS))


@pytest.fixture
def model(qtmodeltester: ModelTester) -> SourceTableModel:
    made = SourceTableModel()
    stored = columns()
    made.set_sources(stored, stored, every())
    qtmodeltester.check(made)
    return made


@pytest.mark.parametrize(
    ("column", "descending", "order"),
    [
        (C.SOURCE, False, [0, 1, 2, 3, 4]),
        (C.SOURCE, True, [4, 3, 2, 1, 0]),
        (C.MEMORIES, True, [3, 0, 1, 4, 2]),  # four and four: by name
        (C.MEMORIES, False, [2, 4, 0, 1, 3]),
        (C.TRUST, True, [1, 2, 3, 0, 4]),  # not set comes last
        (C.TRUST, False, [3, 2, 1, 0, 4]),  # and last the other way round
        (C.STATE, False, [1, 2, 3, 0, 4]),
        (C.MEAN, True, [1, 0, 4, 3, 2]),  # without a memory: last
        (C.MEAN, False, [3, 0, 4, 1, 2]),
        (C.RANGE, True, [3, 0, 1, 4, 2]),
        (C.CONTRADICTED, True, [3, 0, 1, 2, 4]),
        (C.LAST_USED, True, [3, 1, 0, 4, 2]),
        (C.LAST_USED, False, [0, 4, 1, 3, 2]),
        (C.LEVERAGE, True, [3, 0, 1, 4, 2]),
    ],
)
def test_ties_go_by_name_and_what_is_unknown_comes_last(
    column: int, descending: bool, order: list[int]
) -> None:
    assert order_sources(columns(), column, descending=descending).tolist() == order


def test_a_tried_trust_is_the_first_state() -> None:
    assert order_sources(tried(4, 0.2), C.STATE, descending=False).tolist() == [4, 1, 2, 3, 0]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [0, 1, 2, 3, 4]),
        ("  ", [0, 1, 2, 3, 4]),
        ("SLA", [3]),
        ("a e", [1, 2]),
        ("Slack", [3]),
        ("ΕΛΛ", [4]),
        ("🌱", [4]),
        ("nobody", []),
    ],
)
def test_a_filter_looks_in_names_and_spellings(text: str, found: list[int]) -> None:
    assert find_sources(columns(), text, every()).tolist() == found


def test_a_filter_keeps_the_order() -> None:
    order = order_sources(columns(), C.LEVERAGE, descending=True)
    assert find_sources(columns(), "a", order).tolist() == [3, 1, 2]


def test_a_source_is_found_by_its_key() -> None:
    assert [columns().place(key) for key in KEYS] == list(range(len(KEYS)))
    assert columns().place("nobody") == -1
    assert columns().place(None) == -1
    assert SourceColumns.empty().place("blog") == -1


def test_not_set_set_and_preview_are_three_states() -> None:
    assert [columns().state(row) for row in (0, 2, 3)] == ["not set", "set", "set"]
    assert tried(0, 0.5).state(0) == "preview"  # half isn't the same as not set
    assert tried(3, float("nan")).state(3) == "preview"
    assert tried(3, 0.3).state(3) == "set"


def test_cells_say_what_they_are(model: SourceTableModel) -> None:
    assert model.columnCount() == len(TITLES) == len(EXPLAINED)
    texts = [model.index(3, column).data() for column in C]
    last_used = model.text(3, C.LAST_USED)
    said_so = ["slack", "12", "0.30", "set", "0.400", "0.10 to 0.70", "50 %", last_used, "3.4"]
    assert texts == said_so
    assert model.index(3, 0).data(SOURCE_KEY_ROLE) == "slack"
    tip = Qt.ItemDataRole.ToolTipRole
    assert model.index(3, C.SOURCE).data(tip) == "slack\nwritten as:\nSlack  (9)\nSLACK  (3)"
    assert model.index(1, C.MEMORIES).data(tip) == "4, and 2 archived"
    assert model.index(3, C.CONTRADICTED).data(tip) == "6 of 12"
    assert "12 of 12 memories can still move" in model.index(3, C.LEVERAGE).data(tip)
    assert "95 % up to 0.700" in model.index(3, C.RANGE).data(tip)
    assert model.index(2, C.MEAN).data() == "–"
    assert model.index(2, C.LAST_USED).data() == "–"
    assert model.index(2, C.CONTRADICTED).data() == "–"
    for section in C:
        assert model.headerData(section, Qt.Orientation.Horizontal, tip) == EXPLAINED[section]
    said = Qt.ItemDataRole.AccessibleTextRole
    assert model.index(3, C.TRUST).data(said) == "Trust: 0.30"


def test_a_preview_says_what_was_before(model: SourceTableModel) -> None:
    model.set_values(tried(3, 0.8), model.before)
    tip = Qt.ItemDataRole.ToolTipRole
    assert model.index(3, C.TRUST).data(tip) == "0.80, stored: 0.30"
    assert model.index(3, C.MEAN).data(tip) == "0.200, 0.400 before the preview"
    assert model.is_tried(3)
    assert not model.is_tried(0)


def test_only_what_moves_is_drawn_anew(qtbot: QtBot, model: SourceTableModel) -> None:
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.set_values(tried(3, 0.8), model.before)
    assert changed == [(3, 3)]
    model.set_values(tried(0, 0.8), model.before)
    assert changed == [(3, 3), (0, 0), (3, 3)]
    model.set_values(model.columns, model.before)
    assert len(changed) == 3
    model.set_split(on=True)
    assert changed[-1] == (0, len(KEYS) - 1)


def test_the_chosen_source_stays_chosen_when_the_order_moves(
    qtbot: QtBot, model: SourceTableModel
) -> None:
    view = TableView("Sources")
    qtbot.addWidget(view)
    view.setModel(model)
    view.select_row(3)
    model.set_order(order_sources(columns(), C.LEVERAGE, descending=True))
    assert model.key(view.currentIndex().row()) == "slack"
    model.set_order(np.array([0, 1]))
    assert not view.currentIndex().isValid()
    assert [model.key(row) for row in (-1, 0, 1, 2)] == [None, "blog", "datasheet", None]


@pytest.mark.parametrize("theme_name", ["light", "dark"])
@pytest.mark.parametrize("split", [False, True])
def test_rows_are_drawn_whatever_is_in_them(
    qtbot: QtBot, theme: ThemeController, model: SourceTableModel, theme_name: str, split: bool
) -> None:
    theme.set_theme(theme_name)  # type: ignore[arg-type]
    view = TableView("Sources")
    qtbot.addWidget(view)
    view.setModel(model)
    view.setItemDelegate(SourceDelegate(model, view))
    view.set_column_widths({int(column): 110 for column in C}, C.SOURCE)
    view.resize(1000, 240)
    view.select_row(1)
    plain = _drawn(view)
    model.set_values(tried(3, 0.8), model.before)
    model.set_split(on=split)
    assert _drawn(view) != plain
    model.set_values(tried(3, float("nan")), model.before)
    view.selectionModel().select(model.index(3, 0), QItemSelectionModel.SelectionFlag.Select)
    assert _drawn(view) != plain


def test_ten_thousand_sources_need_no_widget_each(qtbot: QtBot) -> None:
    count = 10_000
    stored = SourceColumns.empty()
    numbers, scores = np.arange(count), np.linspace(0.0, 1.0, count)
    stored = replace(
        stored,
        keys=tuple(f"source {number:05}" for number in range(count)),
        notes=(None,) * count,
        active=numbers,
        archived=numbers,
        stored=scores,
        trust=scores,
        mean=scores,
        low=scores,
        median=scores,
        high=scores,
        contradicted=numbers,
        last_used=numbers,
        movable=numbers,
        leverage=scores,
    )
    model = SourceTableModel()
    model.set_sources(stored, stored, order_sources(stored, C.LEVERAGE, descending=True))
    view = TableView("Sources")
    qtbot.addWidget(view)
    view.setModel(model)
    delegate = SourceDelegate(model, view)
    view.setItemDelegate(delegate)
    view.resize(700, 400)
    _drawn(view)
    children = len(view.viewport().children())
    view.scrollToBottom()
    _drawn(view)
    assert model.key(count - 1) == "source 00000"
    assert len(view.viewport().children()) == children


def _drawn(view: TableView) -> QImage:
    return view.grab().toImage()
