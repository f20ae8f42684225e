from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.keywords import TEXT_FIELDS, KeywordHit, find_keyword_hits
from mvdesk.scoring.signals import text_of

CERTAINTY = PUBLISHED_V1.keywords.certainty
HEDGE = PUBLISHED_V1.keywords.hedge


def hits_in(content: str, *keywords: str) -> list[KeywordHit]:
    return find_keyword_hits({"content": content}, keywords or CERTAINTY)


def only(content: str, *keywords: str) -> KeywordHit:
    (hit,) = hits_in(content, *keywords)
    return hit


def test_a_hit_names_its_field_place_and_word() -> None:
    fields = {"title": "ID list", "key": None, "content": "The video was Verified.", "tags": "id"}
    assert find_keyword_hits(fields, CERTAINTY) == [
        KeywordHit("id", "title", 0, 2, "ID", inside_word=False, negated=False),
        KeywordHit("id", "content", 5, 7, "video", inside_word=True, negated=False),
        KeywordHit("verified", "content", 14, 22, "Verified", inside_word=False, negated=False),
        KeywordHit("id", "tags", 0, 2, "id", inside_word=False, negated=False),
    ]


@pytest.mark.parametrize(
    ("text", "start", "end", "word"),
    [
        ("İİ verified", 3, 11, "verified"),
        ("🚫 verified", 2, 10, "verified"),
        ("\ud83d verified", 2, 10, "verified"),
        ("e\u0301 verified", 3, 11, "verified"),
        ("verified\u0301!", 0, 8, "verified\u0301"),
        ("İverifiedİ", 1, 9, "İverifiedİ"),
    ],
)
def test_spans_are_code_points_of_the_original(text: str, start: int, end: int, word: str) -> None:
    hit = only(text, "verified")
    assert (hit.start, hit.end, hit.word) == (start, end, word)
    assert text[start:end].lower() == "verified"
    assert hit.inside_word == (word.lower() != "verified")


def test_a_character_that_lowers_to_two_is_marked_whole() -> None:
    hit = only("x İ y", "i\u0307")
    assert (hit.start, hit.end, hit.word) == (2, 3, "İ")
    half = only("x İ y", "i")
    assert (half.start, half.end) == (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        "unverified",
        "Unverified",
        "not verified",
        "NOT yet been verified",
        "isn't confirmed",
        "isn’t really confirmed",
        "wasn't ever officially",
        "never measured",
        "un-verified",
        "without official",
        "inexact",
        "Nothing else; cannot be exact",
        "and nothing official yet",
        "hardly verified",
    ],
)
def test_negations_are_flagged(text: str) -> None:
    assert all(hit.negated for hit in hits_in(text, "verified", "confirmed", "measured", "exact"))
    assert hits_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "verified",
        "re-verified",
        "It is not late. verified",
        "not one of the three or four verified",
        "no\nverified",
        "notable verified",
        "begin verified",
        "overexact",
    ],
)
def test_other_text_is_not_taken_for_a_negation(text: str) -> None:
    assert not any(hit.negated for hit in hits_in(text, "verified", "exact"))


def test_every_place_is_listed_and_places_of_one_keyword_do_not_overlap() -> None:
    assert [hit.start for hit in hits_in("id did idid", "id")] == [0, 4, 7, 9]
    assert [hit.start for hit in hits_in("aaaa", "aa")] == [0, 2]


def test_the_word_of_a_phrase_reaches_to_both_sides() -> None:
    assert only("I think", *HEDGE).inside_word is False
    hit = only("Hi thinkers", *HEDGE)
    assert (hit.word, hit.inside_word) == ("Hi thinkers", True)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("the id's", "id's"),
        ("'id'", "id"),
        ("o'id x", "o'id"),
        ("id'", "id"),
        ("user_id", "id"),
        ("x-id-y", "id"),
        ("a''id", "id"),
        ("'id", "id"),
    ],
)
def test_words_end_at_punctuation_but_keep_inner_apostrophes(text: str, word: str) -> None:
    assert only(text, "id").word == word


def test_a_phrase_that_runs_into_the_next_field_is_listed_where_it_begins() -> None:
    fields = {"title": "so do I", "key": "think:42", "content": "", "tags": None}
    (hit,) = find_keyword_hits(fields, HEDGE)
    assert (hit.field, hit.start, hit.end, hit.word) == ("title", 6, 7, "I")


def test_a_match_on_the_joining_space_alone_has_no_place() -> None:
    assert find_keyword_hits({"title": "a", "key": "b"}, [" b"]) == []


def test_a_long_word_is_shown_in_part() -> None:
    hit = only("x" * 100 + "exact" + "y" * 100)
    assert hit.word == "x" * 40 + "exact" + "y" * 40


def test_many_hits_in_a_huge_word_are_found_quickly() -> None:
    start = time.perf_counter()
    assert len(hits_in("id" * 5_000, "id")) == 5_000
    assert time.perf_counter() - start < 10  # a quadratic search would take minutes


_fields = st.dictionaries(
    st.sampled_from(TEXT_FIELDS),
    st.none()
    | st.lists(st.sampled_from([*CERTAINTY, "İ", "Σ", "un", " ", "'", "🚀", "I", " think"])).map(
        "".join
    )
    | st.text(max_size=20),
)


@given(_fields)
def test_exactly_the_keywords_that_score_have_hits(fields: dict[str, str | None]) -> None:
    keywords = (*CERTAINTY, *HEDGE)
    text = text_of(*(fields.get(name) for name in TEXT_FIELDS))
    hits = find_keyword_hits(fields, keywords)
    assert {hit.keyword for hit in hits} == {word for word in keywords if word in text}
    for hit in hits:
        original = fields[hit.field] or ""
        assert original[hit.start : hit.end]
        assert original[hit.start : hit.end] in hit.word
