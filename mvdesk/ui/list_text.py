"""The list as a table of texts and numbers: for the clipboard and for files."""

from __future__ import annotations

import math
import os
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mvdesk.errors import VaultError
from mvdesk.exchange.csv_table import format_csv, format_tabbed, write_csv
from mvdesk.ui.models.list_columns import COLUMNS, NUMBER_COLUMNS, SCORE_COLUMNS, Column
from mvdesk.ui.moments import format_day
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mvdesk.arrays import IntArray
    from mvdesk.exchange.csv_table import Cell
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.models.list_cells import ListCells

_ROWS_BETWEEN_LOOKS: Final = 1_000
_TIMES: Final = {Column.UPDATED: "updated_at", Column.CREATED: "created_at"}


class ExportCancelled(Exception):
    """Nobody waits for the file any more; nothing of it is left."""


@dataclass(frozen=True, slots=True, eq=False)
class ListTable:
    """Some rows and columns of the list, as they were when it was made."""

    cells: ListCells
    rows: IntArray
    columns: Sequence[Column]

    is_exported: bool = False
    """For a file: days as 2026-11-28 and titles in English, whatever the language."""

    @property
    def header(self) -> list[str]:
        specs = [COLUMNS[column] for column in self.columns]
        return [spec.exported if self.is_exported else spec.title for spec in specs]

    def __iter__(self) -> Iterator[list[Cell]]:
        for row in self.rows.tolist():
            yield [self._cell(row, column) for column in self.columns]

    def _cell(self, row: int, column: Column) -> Cell:
        if column in NUMBER_COLUMNS | SCORE_COLUMNS:
            number = self.cells.number(row, column)
            if math.isnan(number):
                return None
            return int(number) if number.is_integer() and column in _WHOLE else number
        if self.is_exported and column in _TIMES:
            return _day(int(getattr(self.cells.table, _TIMES[column])[row]))
        return self.cells.text(row, column)


_WHOLE: Final = frozenset({Column.LINKS, Column.RECALLS, Column.IDLE, Column.LENGTH})


def as_text(table: ListTable) -> str:
    """Tab-separated lines under the columns' titles; the title alone where that is all."""
    if list(table.columns) == [Column.TITLE]:
        return "\n".join(" ".join(str(row[0]).split()) for row in table)
    return format_tabbed(table.header, table)


def as_csv(table: ListTable) -> str:
    table = replace(table, is_exported=True)
    return format_csv(table.header, table)


def _day(moment: int) -> str | None:
    return None if format_day(moment) == "–" else time.strftime("%Y-%m-%d", time.localtime(moment))


def export_csv(table: ListTable, path: Path, token: CancelToken) -> int:
    """Write the table to a file, which appears whole or not at all; how many rows it has.

    With the mark that tells spreadsheets that it is UTF-8. Raises VaultError when it can't be
    written, ExportCancelled when `token` says so.
    """
    part: Path | None = None
    table = replace(table, is_exported=True)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        part = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8-sig", newline="") as file:
            count = write_csv(file, table.header, _watched(table, token))
        part.replace(path)
    except OSError as error:
        raise VaultError(
            tr("The list could not be written to {name}.", name=path.name),
            tr(
                "The vault is not touched by an export, and an older file of this name is "
                "as it was."
            ),
            tr("Choose a folder that you may write to, with enough room."),
            str(error),
        ) from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)
    return count


def _watched(table: ListTable, token: CancelToken) -> Iterator[list[Cell]]:
    for number, row in enumerate(table):
        if number % _ROWS_BETWEEN_LOOKS == 0 and token.is_cancelled():
            raise ExportCancelled
        yield row
