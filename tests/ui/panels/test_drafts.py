"""Drafts as plain values: what is kept, what counts as changed, what a save leaves over."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from mvdesk.records import Memory
from mvdesk.ui.panels.drafts import (
    NEW_MEMORY,
    Draft,
    find_problems,
    format_share,
    parse_share,
    shown_as_new,
    start_draft,
    texts_of,
    values_of,
)

MEMORY = Memory(
    id="m-1",
    brain_id="b",
    type="fact",
    title="Rent",
    key=None,
    content="Rises in May.",
    tags="home",
    source="letter",
    confidence=0.7,
    importance=0.5,
    archived_at=None,
    access_count=0,
    last_accessed_at=None,
    last_decayed_at=None,
    created_at=1,
    updated_at=2,
)


def _typed(**texts: str) -> Draft:
    draft = start_draft(MEMORY).with_texts(texts)
    assert draft is not None
    return draft


def test_typing_back_what_is_stored_leaves_no_draft() -> None:
    assert _typed(title="Rent!").with_text("title", "Rent") is None


def test_a_new_memory_starts_with_the_defaults() -> None:
    texts = texts_of(None)
    assert (texts["type"], texts["confidence"], texts["importance"]) == ("note", "0.7", "0.5")
    assert texts["content"] == ""


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 0.123456789012345678, 1e-7])
def test_a_base_value_survives_being_shown(value: float) -> None:
    assert parse_share(format_share(value)) == value


@pytest.mark.parametrize("text", ["", "much", "1.01", "-0.1", "nan", "inf", "0,5,5"])
def test_what_is_no_share_is_refused_with_a_sentence(text: str) -> None:
    assert parse_share(text) is None
    assert find_problems({"confidence": text})["confidence"].endswith(".")


def test_a_comma_counts_as_a_point() -> None:
    assert parse_share(" 0,25 ") == 0.25
    assert values_of({"importance": "0,25"}) == {"importance": 0.25}


def test_a_foreign_files_base_is_shown_as_it_is() -> None:
    assert texts_of(replace(MEMORY, confidence=math.nan))["confidence"] == "nan"
    assert texts_of(replace(MEMORY, confidence=7.0))["confidence"] == "7"


def test_blank_content_is_a_problem() -> None:
    assert "content" in find_problems({"content": " \n"})
    assert not find_problems({"title": ""})


def test_fields_left_alone_follow_the_vault() -> None:
    stored = replace(MEMORY, tags="home, money", updated_at=9)
    draft = _typed(title="Rent rises").following(stored, is_own=False)
    assert draft is not None
    assert draft.shown_texts()["tags"] == "home, money"
    assert draft.shown_texts()["title"] == "Rent rises"
    assert draft.changed_meanwhile() == ("tags",)


def test_keeping_mine_saves_upon_what_is_stored_now() -> None:
    stored = replace(MEMORY, title="Theirs", updated_at=9)
    draft = _typed(title="Mine").following(stored, is_own=False)
    assert draft is not None
    kept = draft.keeping_mine()
    assert kept.seen == stored
    assert kept.texts == {"title": "Mine"}
    assert kept.changed_meanwhile() == ()


def test_a_recall_in_between_is_no_change() -> None:
    stored = replace(MEMORY, access_count=4, last_accessed_at=8)
    draft = _typed(title="Mine").following(stored, is_own=False)
    assert draft is not None
    assert draft.changed_meanwhile() == ()
    assert draft.seen == stored


def test_our_own_save_never_asks_to_choose() -> None:
    stored = replace(MEMORY, title="Mine", updated_at=9)
    assert _typed(title="Mine").following(stored, is_own=True) is None
    later = _typed(title="Mine, and more").following(stored, is_own=True)
    assert later is not None
    assert later.changed_meanwhile() == ()
    assert later.seen == stored


def test_a_second_change_elsewhere_still_compares_with_what_was_seen() -> None:
    first = _typed(title="Mine").following(replace(MEMORY, tags="a", updated_at=5), is_own=False)
    assert first is not None
    second = first.following(replace(MEMORY, updated_at=6), is_own=False)
    assert second is not None
    assert second.changed_meanwhile() == ()


def test_what_was_typed_during_a_save_is_left_over() -> None:
    draft = _typed(title="Mine", tags="a")
    assert draft.without({"title": "Mine", "tags": "a"}) is None
    left = draft.without({"title": "Min", "tags": "a"})
    assert left is not None
    assert left.texts == {"title": "Mine"}


def test_a_draft_survives_storing() -> None:
    draft = _typed(title="Mine 🚫", content="a\r\nb")
    stored = json.loads(json.dumps(draft.to_json()))
    assert Draft.from_json(stored) == draft


@pytest.mark.parametrize(
    "data", [None, {}, {"memory_id": "x", "seen": {"id": 1}, "texts": {}}, {"texts": 3}]
)
def test_what_is_no_draft_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="not a draft"):
        Draft.from_json(data)


def test_a_draft_with_a_field_that_is_no_text_is_refused() -> None:
    data = _typed(title="x").to_json() | {"texts": {"title": 4}}
    with pytest.raises(ValueError, match="no text"):
        Draft.from_json(data)


def test_a_draft_whose_memory_is_gone_becomes_a_whole_new_one() -> None:
    draft = shown_as_new(_typed(title="Mine"))
    assert draft.memory_id == NEW_MEMORY
    shown = draft.shown_texts()
    assert (shown["title"], shown["content"], shown["type"]) == ("Mine", MEMORY.content, "fact")
