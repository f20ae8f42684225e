"""The smallest score of a search: read from any text, written so that nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.vault.questions.least_score import read_least_score, with_least_score
from mvdesk.vault.questions.query import parse_query
from tests.vault.questions.test_query import HOSTILE, PIECES


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("", 0.0),
        ("min_score:0.5", 0.5),
        ("words conf>=0.25 more", 0.25),
        ("conf>=0.2 min_score:0.6", 0.6),
        ("min_score:7", 1.0),
        ("conf>0.5", 0.0),
        ("conf:0.5..0.9", 0.0),
        ("imp>=0.5", 0.0),
        ("-min_score:0.5", 0.0),
        ("a OR min_score:0.5", 0.0),
        ("(min_score:0.5 b)", 0.0),
    ],
)
def test_only_what_holds_for_every_hit_is_read(text: str, least: float) -> None:
    assert read_least_score(parse_query(text)) == least


@pytest.mark.parametrize(
    ("text", "least", "after"),
    [
        ("", 0.5, "min_score:0.50"),
        ("a b", 0.5, "min_score:0.50 a b"),
        ("a conf>=0.1 b", 0.5, "a min_score:0.50 b"),
        ("a conf>=0.1 b min_score:0.2", 0.5, "a min_score:0.50 b"),
        ("a min_score:0.2 b", 0.0, "a b"),
        ('"not closed', 0.25, 'min_score:0.25 "not closed'),
        ("a OR", 0.25, "min_score:0.25 a OR"),
        ("a", 0.0, "a"),
    ],
)
def test_writing_keeps_the_rest_of_the_text(text: str, least: float, after: str) -> None:
    assert with_least_score(text, least) == after


@given(st.lists(PIECES | HOSTILE, max_size=6).map(" ".join), st.integers(0, 100))
def test_what_is_written_is_read_again(text: str, hundredths: int) -> None:
    written = with_least_score(text[:200], hundredths / 100)
    assert read_least_score(parse_query(written)) == pytest.approx(hundredths / 100)
