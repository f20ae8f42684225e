"""Sorting by every column: ties, empty cells, both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.arrays import NO_TIME
from mvdesk.ui.models.list_columns import COLUMNS, SORT_KEYS, Column
from mvdesk.ui.models.memory_table import MemoryTableModel
from mvdesk.ui.sorting import order_by_place, rank_cells

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession


@given(st.lists(st.integers(0, 5), max_size=30), st.booleans(), st.randoms())
def test_ties_keep_the_order_given_and_empty_cells_come_last(
    values: list[int], descending: bool, random: object
) -> None:
    rows = np.arange(len(values))
    random.shuffle(rows)  # type: ignore[attr-defined]
    places = np.array(values, dtype=np.int64)
    empty = places == 5
    order = order_by_place(rank_cells(places, empty)[rows], rows, descending=descending)

    def key(row: int) -> tuple[bool, int]:
        return bool(empty[row]), 0 if empty[row] else -values[row] if descending else values[row]

    assert order.tolist() == sorted(rows.tolist(), key=key)


@pytest.mark.parametrize("name", SORT_KEYS)
@pytest.mark.parametrize("descending", [False, True])
def test_every_column_sorts_as_it_reads(
    qtbot: QtBot, session: VaultSession, name: str, descending: bool, now: int
) -> None:
    session.set_sort(name, descending)
    qtbot.waitUntil(session.jobs.is_idle)
    snapshot, scores, order = session.snapshot, session.scores, session.order
    active = np.flatnonzero(snapshot.memories.archived_at == NO_TIME)
    assert sorted(order.tolist()) == active.tolist()
    model = MemoryTableModel()
    model.set_table(snapshot.memories, snapshot.sources, order, snapshot.link_counts[:, 0])
    model.set_moment(now, snapshot.trust_per_row())
    model.set_scores(scores)
    column = COLUMNS[SORT_KEYS.index(name)].column
    if column <= Column.SOURCE or column in (Column.KEY, Column.TAGS):
        said = [model.text(row, column) for row in order.tolist()]
        empty = [not text for text in said]
    else:
        numbers = [model.number(row, column) for row in order.tolist()]
        if column in (Column.UPDATED, Column.CREATED):
            times = getattr(snapshot.memories, f"{name}_at")
            numbers = times[order].astype(float).tolist()
        empty = np.isnan(numbers).tolist()
        known = [number for number in numbers if not np.isnan(number)]
        tidy = [round(number, 5) for number in known]
        assert tidy == sorted(tidy, reverse=descending)
    assert empty == sorted(empty)


def test_where_types_tie_the_best_confidence_comes_first(
    qtbot: QtBot, session: VaultSession
) -> None:
    session.set_sort("type", False)
    qtbot.waitUntil(session.jobs.is_idle)
    order = session.order
    codes = session.snapshot.memories.type_codes[order]
    confidence = session.scores.confidence[order]
    for before, after in zip(range(len(order) - 1), range(1, len(order)), strict=True):
        if codes[before] == codes[after]:
            assert confidence[before] >= confidence[after]
