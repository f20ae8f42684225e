r"""Line ends of all kinds through an editor that knows "\n" alone; overlong lines in pieces."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.ui.line_ends import LONGEST_LINE, LineEnds, Pieces, find_longest_line, is_overlong

ENDS = re.compile("\r\n|[\n\r\u2028\u2029]")
TEXTS = st.text(alphabet="ab\n\r\u2028\u2029😀", max_size=24)


def shown(text: str) -> str:
    return ENDS.sub("\n", text)


@given(TEXTS)
def test_what_nobody_touched_comes_out_as_it_went_in(text: str) -> None:
    assert LineEnds(text).restored(shown(text)) == text


@given(TEXTS, TEXTS)
def test_whatever_it_becomes_its_lines_stay_lines(before: str, after: str) -> None:
    assert shown(LineEnds(before).restored(shown(after))) == shown(after)


@pytest.mark.parametrize(
    ("before", "typed", "after"),
    [
        ("a\r\nb\nc\r\nd", "a\nb!\nc\nd", "a\r\nb!\nc\r\nd"),
        ("a\r\nb\nc\r\nd", "a\nb\nnew\nc\nd", "a\r\nb\nnew\r\nc\r\nd"),
        ("a\r\nb\nc\rd", "a\nc\nd", "a\r\nc\rd"),
        ("a\rb\nc\r\nd\ne", "0\na\nb\nc\nd\ne\n5", "0\na\rb\nc\r\nd\ne\n5"),
        ("a\r\nb\r\nc", "a\nnew\nb\nc", "a\r\nnew\r\nb\r\nc"),
        ("", "one\ntwo", "one\ntwo"),
    ],
)
def test_lines_keep_their_ends_and_new_ones_end_as_most(
    before: str, typed: str, after: str
) -> None:
    assert LineEnds(before).restored(typed) == after


def test_the_longest_line_is_found_whatever_ends_it() -> None:
    assert find_longest_line("one\r\nthree\ra") == 5
    assert find_longest_line("") == 0


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_a_line_is_overlong_whatever_ends_it(end: str) -> None:
    long, short = "x" * LONGEST_LINE, "y" * 100
    assert not is_overlong(f"{long}{end}{short}{end}{long}")
    assert is_overlong(f"{short}{end}{long}x{end}{short}")
    assert not is_overlong(f"{short}{end}" * LONGEST_LINE)


@pytest.mark.parametrize("word", ["word ", "x", "東京"])
def test_pieces_are_short_hold_the_same_letters_and_their_places(word: str) -> None:
    text = f"short\r\n{word * LONGEST_LINE}needle\nend"
    pieces = Pieces(text)
    assert pieces.shown.replace("\n", "") == text.replace("\n", "")
    assert find_longest_line(pieces.shown) < LONGEST_LINE / 10
    place = text.index("needle")
    start, end = pieces.place((place, place + 6))
    assert pieces.shown[start:end].replace("\n", "") == "needle"
