"""CSV that no spreadsheet runs, and that every reader reads back."""

from __future__ import annotations

import csv
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.exchange.csv_table import format_csv, format_tabbed, neutralise, write_csv

RUN = "=+-@"


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-2+3",
        "@SUM(A1)",
        "=cmd|'/c calc'!A1",
        "  =1",
        "\t=1",
        "\r=1",
        "\n=1",
        '"=1"',
        "＝1+1",
        "＋1",
        "\ufeff=1",
        "a;=1+1",
        "a\t=1",
        "a\n=1",
        '=HYPERLINK("http://x","y")',
        "\0=1",
    ],
)
def test_what_a_spreadsheet_would_run_is_text(text: str) -> None:
    safe = neutralise(text)
    for separator in ("\n", "\r", ";", "\t"):
        for piece in safe.split(separator):
            stripped = piece.strip(" \"'\u200b\ufeff\t\r\n")
            assert piece.startswith("'") or not stripped.startswith((*RUN, "＝", "＋")), safe


@pytest.mark.parametrize("text", ["plain", "a-b", "x = y", "mail@example.org", "2 + 2", "数据", ""])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert neutralise(text) == text


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6))
def test_rows_are_read_back_whole_and_none_is_run(cells: list[str]) -> None:
    text = format_csv(["x"] * len(cells), [cells])
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len(rows) == 2
    assert len(rows[1]) == len(cells)
    for cell, given_text in zip(rows[1], cells, strict=True):
        assert not cell.startswith(tuple(RUN))
        assert cell.replace("'", "") == given_text.replace("'", "").replace("\0", "")


def test_numbers_stay_numbers() -> None:
    text = format_csv(["n"], [[-0.18], [3], [None], [math.nan], [math.inf], [0.1234567]])
    assert text == 'n\r\n-0.18\r\n3\r\n""\r\n""\r\n""\r\n0.123457\r\n'


def test_rows_are_counted() -> None:
    assert write_csv(io.StringIO(newline=""), ["a"], iter([["x"], ["y"]])) == 2


def test_for_the_clipboard_each_row_is_a_line() -> None:
    text = format_tabbed(["Title", "Conf."], [["=a\nb", 0.5], ["c\td", None]])
    assert text == "Title\tConf.\n'=a b\t0.5\nc d\t"


def test_half_a_character_does_not_stop_the_export() -> None:
    assert format_csv(["t"], [["a\ud800b"]]) == "t\r\na?b\r\n"
