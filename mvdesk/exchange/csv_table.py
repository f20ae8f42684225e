"""Tables as CSV, and as tab-separated text for the clipboard, safe to open in a spreadsheet.

A spreadsheet runs a cell that begins with "=", "+", "-" or "@". Memories hold texts from
anywhere, so each such text gets an apostrophe in front, which spreadsheets take for "this is
text". The same goes for what would begin a cell to a program that splits at semicolons, tabs
or line ends. Numbers are ours and stay numbers.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

Cell = str | float | int | None

_RUNS: Final = re.compile(r"(^|[;\t\r\n|])(?=[\s\"'\u200b\ufeff]*[=+\-@＝＋－＠−])")
"""Places where a cell would begin to be run: at the start, and after other separators."""
_STARTS_WITH_BLANK: Final = re.compile(r"^(?=[\t\r\n])")


def neutralise(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet would begin to run it."""
    text = text.replace("\0", "")
    return _STARTS_WITH_BLANK.sub("'", _RUNS.sub(r"\1'", text))


def write_csv(file: TextIO, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:
    """Write a table as RFC 4180 has it; gives back how many rows there were.

    `file` must have been opened with newline="". A number that isn't finite becomes an empty
    cell.
    """
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([_cell(name) for name in header])
    count = 0
    for row in rows:
        writer.writerow([_cell(cell) for cell in row])
        count += 1
    return count


def format_csv(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """The table as CSV text."""
    file = io.StringIO(newline="")
    write_csv(file, header, rows)
    return file.getvalue()


def format_tabbed(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """The table with tabs between cells, as spreadsheets and editors paste it; one line a row."""
    lines = [header, *rows]
    return "\n".join("\t".join(_on_one_line(_cell(cell)) for cell in line) for line in lines)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return neutralise(cell).encode("utf-8", "replace").decode("utf-8")
    if cell is None or (isinstance(cell, float) and not abs(cell) < float("inf")):
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
