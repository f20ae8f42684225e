"""What commands write: JSON for programs, tables for people, one line for a refusal."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from mvdesk.records import shortened
from mvdesk.scoring.dates import format_day as format_date

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MINUS: Final = "\u2212"
NARROWEST: Final = 20
_UNLIMITED: Final = 1_000_000
_FILLED: Final = 120
"""So far texts are filled with blanks where a line has no end."""
_ELASTIC_LEAST: Final = 12
_LONGEST_COMPLAINT: Final = 1_000
_GAP: Final = "  "
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# Control characters could move the cursor or recolour the terminal of whoever reads a vault.
_CONTROL: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def write_json(data: object) -> None:
    """One JSON document on standard output, indented."""
    write_line(json_text(data, indent=2))


def write_json_rows(head: Mapping[str, object], name: str, rows: Iterable[object]) -> None:
    """One JSON object: `head`, the rows under `name` a line each, and their "count".

    Nothing is held but the row at hand, however many there are.
    """
    write_line("{")
    for key, value in head.items():
        write_line(f"  {json_text(key)}: {json_text(value)},")
    write_line(f"  {json_text(name)}: [")
    count = 0
    for row in rows:
        sys.stdout.write((",\n" if count else "") + f"    {json_text(row)}")
        count += 1
    if count:
        write_line()
    write_line(f'  ],\n  "count": {count}\n}}')


def json_text(data: object, *, indent: int | None = None) -> str:
    """JSON as text that any program reads: half characters stay escaped."""
    text = json.dumps(data, ensure_ascii=not _writes_utf8(), indent=indent, allow_nan=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def write_line(text: str = "") -> None:
    """One line, or several, on standard output."""
    sys.stdout.write(text + "\n")


def write_wrapped(text: str) -> None:
    """A sentence or more, broken between words where the line ends."""
    for line in textwrap.wrap(clean(text), line_width()):
        write_line(line)


def complain(text: str) -> None:
    """One line on standard error, of a length that can be read whatever it quotes."""
    sys.stderr.write(f"mvdesk: {shortened(clean(text), _LONGEST_COMPLAINT)}\n")


def clean(text: str | None) -> str:
    """A text on one line, without what a terminal can't show or would act upon."""
    return " ".join(_CONTROL.sub(_stand_in, text or "").split())


def clean_block(text: str) -> str:
    """A text with its lines, without what a terminal can't show or would act upon."""
    return "\n".join(_CONTROL.sub(_stand_in, line) for line in text.splitlines())


def _stand_in(match: re.Match[str]) -> str:
    return " " if match[0] in "\t\r\x0b\x0c\x85" else "\ufffd"


def line_width() -> int:
    """Columns to stay within; without a terminal there is no limit, unless COLUMNS sets one."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns):
        return max(int(columns), NARROWEST)
    if sys.stdout.isatty():
        return max(shutil.get_terminal_size().columns, NARROWEST)
    return _UNLIMITED


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    An `elastic` column is shortened when the line is too narrow. If that isn't enough,
    columns with `drop` are left out, the highest first; 0 stays.
    """

    heading: str
    right: bool = False
    elastic: bool = False
    drop: int = 0


def write_table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """A table that fits the line, if it can."""
    cells = [[clean(cell) for cell in row] for row in rows]
    widths = [
        max([cell_len(column.heading), *(cell_len(row[place]) for row in cells)])
        for place, column in enumerate(columns)
    ]
    line = line_width()
    shown = _fit(columns, widths, line)
    # Without a line to fit, one endless text doesn't fill every other row with blanks.
    filled = [min(width, _FILLED) if line == _UNLIMITED else width for width in widths]
    for row in [[column.heading for column in columns], *cells]:
        parts = [
            _aligned(row[place], widths[place], filled[place], columns[place].right)
            for place in shown
        ]
        write_line(_GAP.join(parts).rstrip())


def _fit(columns: Sequence[Column], widths: list[int], line: int) -> list[int]:
    """The places of the columns that are shown; narrows `widths` of elastic ones."""
    shown = list(range(len(columns)))
    while True:
        excess = sum(widths[place] for place in shown) + len(_GAP) * (len(shown) - 1) - line
        for place in shown:
            if columns[place].elastic and excess > 0:
                spare = min(excess, max(widths[place] - _ELASTIC_LEAST, 0))
                widths[place] -= spare
                excess -= spare
        droppable = [place for place in shown if columns[place].drop]
        if excess <= 0 or not droppable:
            return shown
        shown.remove(max(droppable, key=lambda place: columns[place].drop))


def _aligned(text: str, width: int, filled: int, right: bool) -> str:
    text = shorten(text, width)
    blank = " " * (filled - cell_len(text))
    return blank + text if right else text + blank


def shorten(text: str, width: int) -> str:
    """A text cut to so many columns, with "…" where something is missing."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…"


def format_signed(value: float) -> str:
    """A change with its sign: +0.050, −0.180; nothing is 0.000."""
    text = f"{abs(value):.3f}"
    if text == "0.000":
        return text
    return f"{MINUS if value < 0 else '+'}{text}"


def format_number(value: float) -> str:
    """Three decimals, with a real minus; what a strange file holds may be infinite."""
    return f"{value:.3f}".replace("inf", "infinite").replace("-", MINUS)


def format_day(seconds: int | None) -> str:
    """The day of a time in epoch seconds, UTC; "" for none."""
    return "" if seconds is None else format_date(seconds)


def _writes_utf8() -> bool:
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "") == "utf8"
