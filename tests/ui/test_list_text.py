"""The list as text and as a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.errors import VaultError
from mvdesk.ui.jobs import CancelToken
from mvdesk.ui.list_text import ExportCancelled, ListTable, as_csv, as_text, export_csv
from mvdesk.ui.models.list_cells import ListCells
from mvdesk.ui.models.list_columns import Column

if TYPE_CHECKING:
    from pathlib import Path

    from mvdesk.ui.session import VaultSession


@pytest.fixture
def table(session: VaultSession) -> ListTable:
    snapshot = session.snapshot
    cells = ListCells(
        snapshot.memories,
        snapshot.sources,
        snapshot.link_counts[:, 0],
        snapshot.trust_per_row(),
        session.now,
        session.scores,
    )
    return ListTable(cells, session.order, tuple(Column))


def test_every_column_of_every_row_is_written(table: ListTable, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    assert export_csv(table, path, CancelToken()) == len(table.rows)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")  # spreadsheets take it for UTF-8
    assert path.read_text(encoding="utf-8-sig").splitlines()[0].count(",") == len(Column) - 1


def test_scores_are_those_of_the_list(table: ListTable, session: VaultSession) -> None:
    rows = list(table)
    scores = [row[Column.CONFIDENCE] for row in rows]
    assert scores == session.scores.confidence[table.rows].tolist()
    assert all(isinstance(row[Column.LINKS], int) for row in rows)


def test_files_have_days_as_every_program_reads_them(table: ListTable) -> None:
    few = ListTable(table.cells, table.rows[:1], (Column.UPDATED, Column.CREATED))
    header, days = as_csv(few).splitlines()
    assert header == "Updated,Created"
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\d", day) for day in days.split(","))


def test_titles_alone_are_lines(table: ListTable) -> None:
    few = ListTable(table.cells, table.rows[:3], (Column.TITLE,))
    assert len(as_text(few).splitlines()) == 3
    assert as_csv(few).startswith("Title\r\n")
    assert (
        as_text(ListTable(table.cells, np.empty(0, dtype=np.intp), table.columns)).count("\n") == 0
    )


def test_a_cancelled_export_leaves_nothing(table: ListTable, tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(ExportCancelled):
        export_csv(table, tmp_path / "list.csv", token)
    assert not [path for path in tmp_path.iterdir() if "list.csv" in path.name]


def test_a_folder_that_is_not_there_is_said(table: ListTable, tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="could not be written"):
        export_csv(table, tmp_path / "no" / "list.csv", CancelToken())
