"""Differences of texts, by words and by lines."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.textdiff import Piece, diff_words, match_lines, split_words


def same(text: str) -> Piece:
    return Piece("same", text)


def removed(text: str) -> Piece:
    return Piece("removed", text)


def added(text: str) -> Piece:
    return Piece("added", text)


@pytest.mark.parametrize(
    ("before", "after", "pieces"),
    [
        ("", "", []),
        ("", "new", [added("new")]),
        ("old", "", [removed("old")]),
        ("one two", "one two", [same("one two")]),
        (
            "The rent rises in May.",
            "The rent falls in June.",
            [
                same("The rent "),
                removed("rises"),
                added("falls"),
                same(" in "),
                removed("May"),
                added("June"),
                same("."),
            ],
        ),
        ("東京は晴れ", "東京は雨", [same("東京は"), removed("晴れ"), added("雨")]),
        ("a\nb\nc\n", "a\nc\n", [same("a\n"), removed("b\n"), same("c\n")]),
        ("👩‍👩‍👧 home", "👩‍👩‍👦 home", [removed("👩‍👩‍👧"), added("👩‍👩‍👦"), same(" home")]),
    ],
)
def test_words_that_changed_are_told_between_those_that_stayed(
    before: str, after: str, pieces: list[Piece]
) -> None:
    assert diff_words(before, after) == pieces


@given(st.text(max_size=60), st.text(max_size=60))
def test_pieces_give_both_texts_back(before: str, after: str) -> None:
    pieces = diff_words(before, after)
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == after
    assert all(one.kind != other.kind for one, other in pairwise(pieces))


@given(st.text())
def test_words_joined_give_the_text_back(text: str) -> None:
    assert "".join(split_words(text)) == text


def test_texts_too_alike_to_compare_in_time_are_told_as_replaced() -> None:
    before, after = "x\n" * 3_000 + "a", "y" + "x\n" * 2_000 + "b\n" + "x\n" * 900 + "c"
    assert diff_words(before, after)[0].kind == "removed"


def test_long_texts_with_one_change_tell_that_change() -> None:
    before = "".join(f"line {number}\n" for number in range(50_000))
    pieces = diff_words(before, before.replace("line 25000\n", "another 25000\n"))
    assert [piece for piece in pieces if piece.kind != "same"] == [
        removed("line"),
        added("another"),
    ]


def test_runs_of_lines_end_with_an_empty_one() -> None:
    assert match_lines(["a", "b", "c"], ["a", "x", "c"]) == [(0, 0, 1), (2, 2, 1), (3, 3, 0)]
    assert match_lines([], []) == [(0, 0, 0)]
