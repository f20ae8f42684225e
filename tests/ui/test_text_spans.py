"""Places in a text, in code points and in UTF-16 units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.ui.text_spans import to_utf16


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("🚫 maybe", "maybe"),
        ("重跑 maybe 重跑", "maybe"),
        ("e\u0301te\u0301 maybe", "maybe"),
        ("👩\u200d👩\u200d👧 id 👍🏽", "id"),
        ("plain id", "id"),
    ],
)
def test_a_place_holds_the_same_letters_in_both_counts(text: str, word: str) -> None:
    start = text.index(word)
    [(first, last)] = to_utf16(text, [(start, start + len(word))])
    units = text.encode("utf-16-le")
    assert units[2 * first : 2 * last].decode("utf-16-le") == word


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))))
def test_every_place_is_the_length_of_what_is_before_it(
    text: str, spans: list[tuple[int, int]]
) -> None:
    def units(place: int) -> int:
        return len(text[:place].encode("utf-16-le", "surrogatepass")) // 2

    assert to_utf16(text, spans) == [(units(start), units(end)) for start, end in spans]


def test_line_ends_of_two_characters_are_one_unit_in_a_document() -> None:
    text = "a\r\nb🚫\r\nid"
    start = text.index("id")
    assert to_utf16(text, [(start, start + 2)], joins_line_ends=True) == [(6, 8)]
    assert to_utf16(text, [(start, start + 2)]) == [(8, 10)]


def test_a_place_within_a_line_end_counts_it_once() -> None:
    text = "a\r\nb"
    spans = [(1, 2), (2, 3), (3, 4)]
    assert to_utf16(text, spans, joins_line_ends=True)[2] == (2, 3)
