"""Which memories might be linked, in which words they are alike, and where to start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mvdesk.vault.questions.seeds import (
    FOR_NEIGHBOURS,
    FOR_SUBGRAPH,
    FOR_SUGGESTIONS,
    find_seeds,
    newest_first,
    rows_with_tag,
)
from mvdesk.vault.questions.suggest import Suggestion, SuggestSettings, find_suggestions
from mvdesk.vault.questions.words import find_words, is_latin, similarity
from mvdesk.vault.tags import MAX_TAGS, join_tags, parse_tags
from tests.vault.made import DAY, NOW, link, memory, reader_of, snapshot_of

if TYPE_CHECKING:
    from mvdesk.records import Link, Memory


def suggest(
    memories: list[Memory],
    links: list[Link] | None = None,
    seeds: list[int] | None = None,
    **asked: object,
) -> list[Suggestion]:
    settings = SuggestSettings(**{"min_score": 0.0} | asked)
    snapshot = snapshot_of(memories, links or [])
    return find_suggestions(snapshot, seeds or [0], reader_of(memories), settings)


def test_every_likeness_adds_its_part() -> None:
    seed = memory("seed", tags="a,b,c,d", source="Slack", content="blue green red")
    twin = memory("twin", tags="D, C, B, A", source=" slack ", content="red green blue")
    (one,) = suggest([seed, twin])
    assert one == Suggestion(0, 1, 1.0, ("a", "b", "c", "d"), 1.0, True, 1.0, 1.0)
    far = memory("far", type="note", content="nothing alike", updated_at=NOW - 500 * DAY)
    (other,) = suggest([seed, far])
    assert other.score == round(0.05 * 0.08 + 0.05 * 0.45, 3)
    assert (other.shared_tags, other.same_source, other.type) == ((), False, 0.45)


@pytest.mark.parametrize(
    ("days", "closeness"), [(0, 1), (7, 0.65), (29.99, 0.65), (30, 0.3), (119.99, 0.3), (120, 0.08)]
)
def test_closeness_in_time_goes_in_steps(days: float, closeness: float) -> None:
    edited = NOW - 100 * DAY - round(days * DAY)
    (one,) = suggest([memory("seed"), memory("m", updated_at=edited)])
    assert one.time == closeness


def test_linked_and_archived_ones_are_left_out() -> None:
    memories = [
        memory("seed"),
        memory("to"),
        memory("from"),
        memory("gone", archived_at=NOW),
        memory("free"),
    ]
    links = [link("seed", "to"), link("from", "seed"), link("seed", "lost")]
    assert [one.to_row for one in suggest(memories, links)] == [4]
    told = suggest(memories, links, include_linked=True)
    assert sorted(one.to_row for one in told) == [1, 2, 4]


def test_two_memories_without_a_source_do_not_share_one() -> None:
    (one,) = suggest([memory("a", source=" "), memory("b", source="  ")])
    assert not one.same_source


def test_the_best_come_first_and_the_limit_keeps_them() -> None:
    memories = [memory("seed", content="alpha beta gamma delta")]
    memories += [
        memory(f"m{n}", content=" ".join(["alpha", "beta", "gamma", "delta"][: n % 5]) or "x")
        for n in range(900)
    ]
    every = suggest(memories, limit=None)
    assert len(every) == 900
    scores = [one.score for one in every]
    assert scores == sorted(scores, reverse=True)
    asked: list[int] = []
    read = reader_of(memories)

    def counting(ids: list[str]) -> list[Memory]:
        asked.extend([1] * len(ids))
        return read(ids)

    snapshot = snapshot_of(memories)
    few = find_suggestions(snapshot, [0], counting, SuggestSettings(0.0, 5))
    assert few == every[:5]
    assert [one.score for one in few] == scores[:5]


def test_texts_that_cannot_be_among_the_best_are_not_read() -> None:
    near = [memory(f"near{n}", tags="a,b,c", content="alpha beta") for n in range(30)]
    far = [memory(f"far{n}") for n in range(2000)]
    memories = [memory("seed", tags="a,b,c", content="alpha beta"), *near, *far]
    asked: list[str] = []
    read = reader_of(memories)

    def counting(ids: list[str]) -> list[Memory]:
        asked.extend(ids)
        return read(ids)

    snapshot = snapshot_of(memories)
    found = find_suggestions(snapshot, [0], counting, SuggestSettings(0.25, 20))
    assert len(found) == 20
    assert len(asked) < 600


def test_a_pair_of_two_seeds_is_told_once() -> None:
    memories = [memory("a"), memory("b"), memory("c")]
    found = suggest(memories, seeds=[1, 0, 1])
    pairs = [(one.from_row, one.to_row) for one in found]
    assert (0, 1) not in pairs
    assert (1, 0) in pairs
    assert len(pairs) == 3


def test_a_memory_that_went_meanwhile_has_no_words() -> None:
    memories = [memory("a", content="alpha"), memory("b", content="alpha")]
    snapshot = snapshot_of(memories)
    found = find_suggestions(snapshot, [0], reader_of(memories[:1]), SuggestSettings(0.0))
    assert [one.words for one in found] == [0.0]


def test_texts_in_other_scripts_are_compared_by_their_own_words() -> None:
    memories = [
        memory("a", content="Аренда квартиры растёт", source="slack"),
        memory("b", content="аренда квартиры упала", source="slack"),
        memory("c", content="Погода хорошая", source="slack"),
    ]
    words = {one.to_row: one.words for one in suggest(memories)}
    assert words[1] > words[2] > 0  # the source is a word they share


def test_settings_out_of_range_are_moved_into_it() -> None:
    assert SuggestSettings(4, 900).clamped() == SuggestSettings(1, 120)
    assert SuggestSettings(-4, 0).clamped() == SuggestSettings(0, 1)
    assert SuggestSettings(limit=None).clamped().limit is None


# Words and tags


def test_words_are_runs_of_two_or_more_without_the_commonest() -> None:
    assert find_words("The A-team's 2 plans, I think: v2_final", 10) == [
        "team", "plans", "think", "v2", "final",
    ]  # fmt: skip
    assert find_words("one two three four", 2) == ["one", "two"]
    assert find_words("打ち合わせ", 10) == []


def test_other_scripts_have_words_of_their_own() -> None:
    assert not is_latin("予定 the 1")
    assert is_latin("予定 plan")
    assert find_words("Réunion d’équipe, à 9", 10, latin=False) == ["réunion", "équipe"]
    assert find_words("予定メモ x", 10, latin=False) == ["予", "定", "メモ"]
    assert find_words("予定メモ", 2, latin=False) == ["予", "定"]


def test_likeness_is_the_share_of_common_words() -> None:
    assert similarity({"a", "b"}, {"b", "c"}) == 1 / 3
    assert similarity(set(), {"a"}) == similarity({"a"}, set()) == 0


def test_tags_are_trimmed_lower_cased_and_counted_once() -> None:
    assert parse_tags(" Home, rent,,HOME ,\ufeff ") == ("home", "rent")
    assert parse_tags(None) == parse_tags("") == ()
    assert len(parse_tags(",".join(f"t{n}" for n in range(100)))) == MAX_TAGS
    assert join_tags(["a", "b"]) == "a,b"
    assert join_tags([]) is None


# Where a question starts


def test_the_newest_come_first_without_the_archive() -> None:
    snapshot = snapshot_of(
        [
            memory("old", created_at=5),
            memory("new", created_at=9),
            memory("gone", created_at=10, archived_at=NOW),
        ]
    )
    assert newest_first(snapshot).tolist() == [1, 0]


def test_tags_pick_rows_however_they_are_written() -> None:
    snapshot = snapshot_of([memory("a", tags="Home,x"), memory("b", tags="homes"), memory("c")])
    assert rows_with_tag(snapshot, " HOME ", [0, 1, 2]) == [0]
    assert rows_with_tag(snapshot, " ", [0, 1, 2]) == []


@pytest.mark.parametrize("matching", [FOR_SUGGESTIONS, FOR_SUBGRAPH, FOR_NEIGHBOURS])
def test_what_holds_the_query_whole_comes_before_what_holds_its_words(matching: object) -> None:
    memories = [
        memory("words", content="red thing and blue thing"),
        memory("whole", content="Blue Red"),
        memory("none", content="green"),
        memory("newer", content="blue red", created_at=NOW),
    ]
    snapshot = snapshot_of(memories)
    found = find_seeds(snapshot, memories, " blue RED ", matching)
    assert found == [3, 1, 0]
    assert find_seeds(snapshot, memories, "blue red", matching, limit=1) == [3]
    assert find_seeds(snapshot, memories, "  ", matching) == []
    assert find_seeds(snapshot, [memory("stranger", content="blue red")], "blue", matching) == []


def test_a_query_of_common_words_only_finds_who_holds_it_whole() -> None:
    memories = [memory("a", content="It is what it is."), memory("b", content="It was.")]
    snapshot = snapshot_of(memories)
    assert find_seeds(snapshot, memories, "it is", FOR_SUGGESTIONS) == [0]


def test_tags_count_where_neighbours_are_asked_for() -> None:
    memories = [memory("a", tags="kitchen", content="tiles")]
    snapshot = snapshot_of(memories)
    assert find_seeds(snapshot, memories, "kitchen", FOR_NEIGHBOURS) == [0]
    assert find_seeds(snapshot, memories, "kitchen", FOR_SUBGRAPH) == []
