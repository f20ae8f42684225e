"""The memory list on its own: resets, sorting, scrolling, a preview's frame."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, cycle
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from mvdesk.arrays import NO_TIME, MemoryTable, SourceTable, StringColumn
from mvdesk.scoring.engine import Scores
from mvdesk.ui.grouping import Groups
from mvdesk.ui.models.list_columns import COLUMNS
from mvdesk.ui.models.memory_delegate import COLUMN_WIDTHS, MemoryDelegate
from mvdesk.ui.models.memory_table import Column, MemoryTableModel
from mvdesk.ui.sorting import order_by_place
from mvdesk.ui.title_finder import TitleFinder
from mvdesk.ui.widgets.table_view import TableView
from tests.bench.conftest import MEMORIES
from tests.bench.measuring import median_ms
from tests.vault.made import memory, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController
    from tests.bench.measuring import Ledger

FRAME_MS = 16
RANDOM = np.random.default_rng(7)


def make_memories() -> MemoryTable:
    rows = np.arange(MEMORIES)
    return replace(
        MemoryTable.empty(),
        ids=StringColumn.of(f"memory-{row}" for row in range(MEMORIES)),
        labels=StringColumn.of(f"What was learned on day {row}, in a title" for row in rows),
        type_names=("note", "fact", "journal"),
        type_codes=(rows % 3).astype(np.int8),
        source_rows=(rows % 50 - 1).astype(np.int32),
        updated_at=1_700_000_000 + rows * 600,
        archived_at=np.where(rows % 9 == 4, 5, NO_TIME),
        keys=StringColumn.of([None] * MEMORIES),
        tags=StringColumn.of(f"tag {row % 40}, other" for row in rows),
        base_confidence=np.full(MEMORIES, 0.7),
        base_importance=np.full(MEMORIES, 0.5),
        created_at=1_600_000_000 + rows * 600,
        access_count=rows % 30,
        last_accessed_at=np.full(MEMORIES, NO_TIME),
        content_length=(rows % 900).astype(np.int32),
    )


def make_scores() -> Scores:
    confidence, importance = (np.round(RANDOM.random(MEMORIES), 3) for _ in range(2))
    return Scores(confidence, importance, confidence, importance)


class List:
    """A view of all memories, every second one previewed."""

    def __init__(self) -> None:
        self.memories = make_memories()
        self.sources = replace(
            SourceTable.empty(), texts=StringColumn.of(f"source {n}" for n in range(50))
        )
        self.order = np.arange(MEMORIES, dtype=np.intp)
        self.shown, self.stored = make_scores(), make_scores()
        self.model = MemoryTableModel()
        self.view = TableView("Memories")
        self.view.setModel(self.model)
        self.view.setItemDelegate(MemoryDelegate(self.model, self.view))
        self.view.set_column_widths(COLUMN_WIDTHS, Column.TITLE)
        self.fill()

    def fill(self) -> None:
        self.model.set_table(self.memories, self.sources, self.order)
        self.model.set_scores(self.shown, self.stored)


@pytest.fixture
def shown(qtbot: QtBot, theme: ThemeController) -> Iterator[List]:
    made = List()
    qtbot.addWidget(made.view)
    made.view.resize(900, 900)
    made.view.show()
    qtbot.waitExposed(made.view)
    yield made
    made.view.setModel(None)


def painted(shown: List) -> None:
    QApplication.processEvents()
    shown.view.viewport().repaint()


def test_filling_the_list(shown: List, ledger: Ledger) -> None:
    repaint = median_ms(lambda: painted(shown))

    def refill() -> None:
        shown.fill()
        shown.view.doItemsLayout()
        QApplication.processEvents()

    ledger.record(
        "list: model reset, laid out and painted",
        median_ms(refill),
        budget=25,
        baseline="a repaint",
        baseline_value=repaint,
    )


def test_scrolling(shown: List, ledger: Ledger) -> None:
    bar, page, far = shown.view.verticalScrollBar(), count(700, 700), count(32_000, 32_000)
    repaint = median_ms(lambda: painted(shown))

    def scroll(places: Iterator[int]) -> None:
        bar.setValue(next(places) % bar.maximum())
        QApplication.processEvents()

    for what, places in (("a page", page), ("1,000 rows", far)):
        ledger.record(
            f"list: scroll by {what}",
            median_ms(lambda places=places: scroll(places)),
            budget=FRAME_MS,
            baseline="a repaint",
            baseline_value=repaint,
        )


def test_sorting_under_a_selection(shown: List, ledger: Ledger) -> None:
    orders = cycle([RANDOM.permutation(MEMORIES) for _ in range(3)])
    shown.view.select_row(3)
    shown.view.set_keeps_current(True)
    repaint = median_ms(lambda: painted(shown))

    def sort() -> None:
        shown.model.set_order(next(orders))
        QApplication.processEvents()

    ledger.record(
        "list: other order, selection kept in place, painted",
        median_ms(sort),
        budget=FRAME_MS,
        baseline="a repaint",
        baseline_value=repaint,
    )


def test_new_scores(shown: List, ledger: Ledger) -> None:
    repaint = median_ms(lambda: painted(shown))

    def rescore() -> None:
        shown.model.set_scores(shown.shown, shown.stored)
        QApplication.processEvents()

    ledger.record(
        "list: new scores painted",
        median_ms(rescore),
        budget=FRAME_MS,
        baseline="a repaint",
        baseline_value=repaint,
    )


def test_scrolling_every_column(shown: List, ledger: Ledger) -> None:
    shown.view.set_column_widths({int(spec.column): 60 for spec in COLUMNS}, -1)
    shown.view.resize(1600, 1000)
    repaint = median_ms(lambda: painted(shown))
    bar, places = shown.view.verticalScrollBar(), count(700, 700)

    def scroll() -> None:
        bar.setValue(next(places) % bar.maximum())
        QApplication.processEvents()

    ledger.record(
        "list: scroll by a page, every column shown",
        median_ms(scroll),
        budget=FRAME_MS,
        baseline="a repaint",
        baseline_value=repaint,
    )


def test_groups(shown: List, ledger: Ledger) -> None:
    size = MEMORIES // 50
    groups = Groups(
        "source",
        tuple(f"source {number}" for number in range(50)),
        np.arange(50) * size,
        np.append(np.full(49, size), MEMORIES - 49 * size),
    )
    names = frozenset(groups.names)
    shown.model.set_order(shown.order, groups)
    states = cycle([names, frozenset()])

    def fold() -> None:
        shown.model.set_collapsed(next(states))
        QApplication.processEvents()

    ledger.record(
        "list: all of 50 groups folded or unfolded",
        median_ms(fold),
        budget=FRAME_MS,
        baseline="a repaint",
        baseline_value=median_ms(lambda: painted(shown)),
    )


def test_everything_selected(shown: List, ledger: Ledger) -> None:
    states = cycle([np.ones(MEMORIES, dtype=np.bool_), np.zeros(MEMORIES, dtype=np.bool_)])

    def select() -> None:
        shown.model.set_selected(next(states))
        shown.view.viewport().update()
        QApplication.processEvents()

    ledger.record(
        "list: all selected, or none, painted",
        median_ms(select),
        budget=FRAME_MS,
        baseline="a repaint",
        baseline_value=median_ms(lambda: painted(shown)),
    )


def test_sorting_by_a_rank(ledger: Ledger) -> None:
    rows, places = np.arange(MEMORIES), RANDOM.integers(0, 1000, MEMORIES)
    score = median_ms(lambda: np.argsort(places, kind="stable"))
    ledger.record(
        "list: sort by a column, ties kept",
        median_ms(lambda: order_by_place(places, rows, descending=True)),
        budget=8 * MEMORIES / 100_000,
        baseline="numpy's stable argsort",
        baseline_value=score,
    )


def test_finding_titles(ledger: Ledger) -> None:
    memories = [memory(f"m{n}", title=f"Day {n} of rent and soil") for n in range(1_000)]
    table = make_memories()
    snapshot = replace(snapshot_of(memories), memories=table)
    finder = TitleFinder(snapshot)
    baseline = median_ms(lambda: TitleFinder(snapshot), rounds=3)
    for text in ("l", "learned", "lrnd 77"):
        ledger.record(
            f"switcher: “{text}” found, in a job",
            median_ms(lambda text=text: finder.find(text), rounds=5),
            budget=100 * MEMORIES / 100_000,
            baseline="the titles folded",
            baseline_value=baseline,
        )
