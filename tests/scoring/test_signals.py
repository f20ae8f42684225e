from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.scoring import keyword_scan
from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V1
from mvdesk.scoring.keyword_scan import KeywordScanner
from mvdesk.scoring.signals import (
    measure_sources,
    measure_texts,
    normalise_source_key,
    normalise_source_text,
    text_of,
)
from mvdesk.scoring.whitespace import SPACES, cut_utf16, fold_spaces, solid_length, trim
from tests.scoring.cases import read_helper_calls

WORDS = PUBLISHED_V1.keywords


@pytest.mark.parametrize("call", read_helper_calls("normalizeSourceKey"))
def test_source_keys_are_the_servers(call: dict[str, Any]) -> None:
    assert normalise_source_key(call["args"][0]) == call["expected"]


def test_no_source_has_no_key() -> None:
    assert normalise_source_key(None) == ""
    assert normalise_source_text(" \ufeff") == ""


@given(st.text() | st.text(alphabet="a😀\ud83d \ufeff", min_size=150, max_size=200))
def test_a_cut_text_has_at_most_so_many_units_and_begins_the_text(text: str) -> None:
    cut = cut_utf16(text, 160).encode("utf-16-le", "surrogatepass")
    assert len(cut) <= 320
    assert text.encode("utf-16-le", "surrogatepass").startswith(cut)


def test_white_space_is_ecmascripts() -> None:
    assert trim("\ufeff a\x1f\u2029") == "a\x1f"
    assert fold_spaces("a \ufeff\u3000b\x85c") == "a b\x85c"
    assert all(solid_length(space) == 0 for space in SPACES)
    assert solid_length("\x1c\x1d\x1e\x1f\x85\u200b\u180e") == 7


@pytest.mark.parametrize(
    ("text", "length"),
    [("a b\tc\n", 3), ("", 0), ("🚀 x", 3), ("\ud83d", 1), ("é\u00a0é", 2), ("i̇", 2)],
)
def test_content_length_counts_utf16_units(text: str, length: int) -> None:
    assert solid_length(text) == length


def test_an_empty_field_still_adds_its_space() -> None:
    assert text_of(None, "Key", None, "T") == " key  t"


def test_a_keyword_counts_once_and_inside_words_too() -> None:
    texts = [text_of("Did the video", None, "unverified verified", None), text_of(*[None] * 4)]
    signals = measure_texts(texts, WORDS)
    assert signals.certainty_hits.tolist() == [2, 0]  # id, verified
    assert signals.hedge_hits.tolist() == [0, 0]
    assert signals.content_length.tolist() == [len("didthevideounverifiedverified"), 0]


def test_no_texts_and_no_sources_give_empty_arrays() -> None:
    assert [len(column) for column in measure_texts([], WORDS)] == [0, 0, 0, 0]
    assert [len(column) for column in measure_sources([], PUBLISHED_V1)] == [0, 0, 0]


def test_a_keyword_in_two_lists_counts_in_both() -> None:
    words = replace(WORDS, hedge=("verified", "maybe"))
    signals = measure_texts(["verified"], words)
    assert (signals.certainty_hits[0], signals.hedge_hits[0]) == (1, 1)


def test_empty_keyword_lists_count_nothing() -> None:
    words = replace(WORDS, certainty=(), hedge=(), importance=())
    assert measure_texts(["verified"], words).certainty_hits.tolist() == [0]


_pieces = st.sampled_from(
    [*WORDS.certainty, *WORDS.hedge, *WORDS.importance, "i ", "think", "\ud83d", "é", "un", " "]
)


@given(st.lists(st.lists(_pieces | st.characters()).map("".join)))
def test_the_automaton_counts_as_plain_search_does(texts: list[str]) -> None:
    fast = KeywordScanner(WORDS.of_text)
    plain = KeywordScanner(WORDS.of_text, automaton=False)
    for text in map(str.lower, texts):
        assert fast.count(text) == plain.count(text)


def test_a_keyword_with_a_lone_surrogate_is_found_by_plain_search() -> None:
    scanner = KeywordScanner([("\ud83d", "id")])
    assert scanner.count("id \ud83d") == (2,)


def test_counting_works_where_the_automaton_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keyword_scan, "ahocorasick_rs", None)
    assert KeywordScanner(WORDS.of_text).count("verified plan, i think") == (1, 1, 1)


def test_remembered_counts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword_scan, "MAX_COUNTED", 1)
    scanner = KeywordScanner(WORDS.of_text)
    assert [scanner.count(text) for text in ("id", "plan", "plan", "id")] == [
        (1, 0, 0),
        (0, 0, 1),
        (0, 0, 1),
        (1, 0, 0),
    ]


def test_source_words_depend_on_the_model() -> None:
    sources = ["Shower IDEA", None, " ", "System log", "vibe", "Shower IDEA"]
    published, server = (measure_sources(sources, model) for model in (PUBLISHED_V1, SERVER_V1))
    assert published.named.tolist() == [True, False, False, True, True, True]
    assert published.high.tolist() == [False, False, False, True, False, False]
    assert published.low.tolist() == [False, False, False, False, True, False]
    assert server.low.tolist() == [True, False, False, False, True, True]
