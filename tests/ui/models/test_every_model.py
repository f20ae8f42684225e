"""Every model class of the program, found by looking for it, keeps Qt's rules for models."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, QObject

import mvdesk
from mvdesk.ui.models.memory_table import MemoryTableModel
from mvdesk.ui.models.paged_lines import PAGE, PagedLinesModel
from mvdesk.ui.models.plain_rows import PlainRowsModel
from mvdesk.ui.models.source_table import SourceTableModel
from mvdesk.ui.models.text_table import TextTableModel
from mvdesk.ui.models.ticked_table import TickedColumn, TickedTableModel
from mvdesk.ui.models.titled_table import TitledTableModel
from tests.ui.models.test_memory_table import SHOWN, memories, order, sources
from tests.ui.models.test_plain_rows import ROWS, make_model
from tests.ui.models.test_source_table import columns, every

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.modeltest import ModelTester

ABSTRACT = {TitledTableModel}


def _found() -> Iterator[type[QAbstractItemModel]]:
    for module in pkgutil.walk_packages(mvdesk.__path__, "mvdesk."):
        if module.name.startswith("mvdesk.ui."):
            importlib.import_module(module.name)
    waiting = QAbstractItemModel.__subclasses__()
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("mvdesk.") and kind not in ABSTRACT:
            yield kind


def _try_memories(tester: ModelTester) -> None:
    model = MemoryTableModel()
    tester.check(model)
    model.set_table(memories(), sources(), order(0, 1, 2, 3, 4, 5))
    model.set_scores(SHOWN)
    model.set_order(order(5, 3, 1))
    model.set_order(order())


def _try_sources(tester: ModelTester) -> None:
    model, stored = SourceTableModel(), columns()
    tester.check(model)
    model.set_sources(stored, stored, every())
    model.set_sources(stored, stored, every()[:1])


def _try_plain(tester: ModelTester) -> None:
    model = make_model()
    tester.check(model)
    model.set_rows(ROWS)
    model.set_rows(())


def _try_texts(tester: ModelTester) -> None:
    model = TextTableModel(("Name", "Number"), (1,))
    tester.check(model)
    model.set_rows([("one", "1"), ("zwei 二", "2")])
    model.set_rows([])


def _try_paged(tester: ModelTester) -> None:
    owner = QObject()
    model = PagedLinesModel(("When", "What"), owner)
    tester.check(model)
    model.set_count(PAGE + 3)
    model.set_page(1, [("now", "edit")] * 3)
    model.set_count(0)


def _try_ticked(tester: ModelTester) -> None:
    owner = QObject()
    model = TickedTableModel(("Name",), frozenset(), owner)
    tester.check(model)
    column = TickedColumn("Name", str, lambda: np.array([2.0, 1.0, 3.0]))
    model.set_columns([column], np.array([True, False, True]))
    model.sort_by(1, True)
    model.toggle(0)
    model.set_columns([], np.empty(0, dtype=np.bool_))


TRIED = {
    MemoryTableModel: _try_memories,
    SourceTableModel: _try_sources,
    PlainRowsModel: _try_plain,
    TextTableModel: _try_texts,
    PagedLinesModel: _try_paged,
    TickedTableModel: _try_ticked,
}


def test_every_model_is_tried_here() -> None:
    assert {kind.__name__ for kind in _found()} == {kind.__name__ for kind in TRIED}


@pytest.mark.parametrize("kind", TRIED, ids=lambda kind: kind.__name__)
def test_it_keeps_qts_rules_while_it_changes(
    kind: type[QAbstractItemModel], qtmodeltester: ModelTester
) -> None:
    TRIED[kind](qtmodeltester)
