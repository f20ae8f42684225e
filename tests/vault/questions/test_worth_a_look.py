"""Sources that a person should look at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.vault.questions.source_facts import find_source_facts
from mvdesk.vault.questions.source_names import (
    MOST_COMPARED,
    group_names,
    is_slip,
    skeleton_of,
    words_of,
)
from mvdesk.vault.questions.worth_a_look import (
    OftenContradicted,
    WorthALook,
    find_worth_a_look,
    wilson_bounds,
)
from tests.vault.made import link, memory, scores_of, snapshot_of, trusted


def look_at(sources: dict[str, tuple[int, int]], **trust: float) -> WorthALook:
    """What stands out among sources given as memories and contradicted ones of them."""
    memories = [memory("note", type="note")]
    links = []
    for source, (count, contradicted) in sources.items():
        for n in range(count):
            memories.append(memory(f"{source}-{n}", source=source))
            if n < contradicted:
                links.append(link(f"{source}-{n}", "note", "contradicts"))
    rows = [trusted(key, value) for key, value in trust.items()]
    snapshot = snapshot_of(memories, links, rows)
    return find_worth_a_look(snapshot, find_source_facts(snapshot, scores_of(snapshot), SERVER_V2))


def test_a_source_contradicted_beyond_chance_stands_out() -> None:
    found = look_at({"blog": (20, 12), "log": (200, 10)}, blog=0.5, log=0.5)
    assert found.contradicted == (OftenContradicted("blog", 12, 20, 0.05),)
    assert found.contradicted[0].share == 0.6
    assert not found.is_empty


def test_four_of_six_stand_out_from_a_fifth() -> None:
    found = look_at({"blog": (6, 4), "log": (79, 16)}, blog=0.5, log=0.5)
    assert [one.key for one in found.contradicted] == ["blog"]


@pytest.mark.parametrize(
    "sources",
    [
        {"blog": (4, 4), "log": (200, 10)},  # too few memories
        {"blog": (5, 2), "log": (400, 0)},  # too few contradictions
        {"blog": (10, 3), "log": (20, 6)},  # as the others
        {"blog": (10, 10)},  # no others
        {"blog": (900, 360), "log": (3000, 900)},  # beyond chance, but not by far
    ],
)
def test_chance_and_small_numbers_are_no_reason(sources: dict[str, tuple[int, int]]) -> None:
    assert look_at(sources, blog=0.5, log=0.5).contradicted == ()


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_wilson_interval_holds_the_share(successes: int, more: int) -> None:
    total = successes + more
    low, high = (float(end[0]) for end in wilson_bounds(np.array([successes]), np.array([total])))
    share = successes / total if total else 0.5
    assert -1e-12 <= low <= share <= high <= 1 + 1e-12
    assert (low, high) == (0, 1) or total


def test_big_sources_without_trust_stand_out_the_widest_reach_first() -> None:
    found = look_at({"blog": (5, 0), "log": (90, 0), "mail": (4, 0), "chat": (40, 0)}, log=0.5)
    assert [(one.key, one.active) for one in found.without_trust] == [("chat", 40), ("blog", 5)]
    assert found.without_trust[0].share == 40 / 139
    assert found.without_trust[0].leverage > found.without_trust[1].leverage
    assert look_at({"blog": (5, 0), "log": (300, 0)}, log=0.5).without_trust == ()


def test_spellings_of_one_source_are_offered_as_one() -> None:
    found = look_at({"Café  News": (1, 0), "cafe-news": (3, 0), "log": (2, 0)}, log=0.1)
    (split,) = found.split
    assert split.keys == ("cafe-news", "café news")
    assert (split.memories, split.trusts) == ((3, 1), (None, None))
    assert split.text == "cafe-news"
    one_key = look_at({"Blog": (1, 0), " blog": (1, 0)})
    assert one_key.split == ()  # white space and case make no other source


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("slack #design", "Slack design"),
        ("news-letter", "newsletter"),
        ("newsletter", "newsleter"),
        ("newsletter", "newslettre"),
        ("weekly newsletter", "weekly newsletters"),
        ("Überblick", "uberblick"),
        ("ｗｉｋｉ", "wiki"),
        ("meeting notes", "meetingnotes"),
    ],
)
def test_names_of_one_source_go_together(one: str, other: str) -> None:
    assert group_names([one, other]) == [[one, other]]
    assert group_names([other, one]) == [[other, one]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("vendor a docs", "vendor b docs"),
        ("slack", "slick"),
        ("c", "c#"),
        ("c", "c++"),
        ("version 1.2", "version 12"),
        ("version 1 2", "version 12"),
        ("source 12", "source 13"),
        ("report2025", "report2026"),
        ("reduction", "production"),
        ("affection", "inflection"),
        ("🔥", "💧"),
        ("team 🔥", "team 💧"),
        ("東京都第一中学校", "東京都第二中学校"),
        ("internal docs", "external docs"),
        ("newsletter today", "newsletter"),
        ("collection notes", "correction notes"),
        ("...", "???"),
        ("abcdefgh", "acbdfegh"),
    ],
)
def test_clearly_different_names_stay_apart(one: str, other: str) -> None:
    assert group_names([one, other]) == []


def test_only_names_that_fit_the_first_of_a_group_are_in_it() -> None:
    names = ["newsletter", "newsletters", "newsletterss", "news letter"]
    assert group_names(names) == [["newsletter", "newsletters", "news letter"]]


def test_very_long_names_are_compared_by_their_skeleton_alone() -> None:
    long = "newsletter of the society " * 5
    assert group_names([long, long.replace("society", "societies")]) == []
    assert group_names([long, long.upper()]) == [[long, long.upper()]]


def test_a_strange_vault_with_countless_sources_is_looked_through_in_part() -> None:
    names = [f"name{chr(0x4E00 + n)}" for n in range(MOST_COMPARED + 10)]
    late = ["newsletter", "newsleter", "news-letter"]
    assert group_names(names + late) == [["newsletter", "news-letter"]]


@given(st.text(max_size=30))
def test_a_skeleton_is_its_own_skeleton_and_knows_no_case(name: str) -> None:
    skeleton = skeleton_of(name)
    assert skeleton_of(skeleton) == skeleton
    assert skeleton_of(f" {name} ") == skeleton
    assert group_names([name, name + "!"]) in ([], [[name, name + "!"]])


def test_a_slip_is_one_letter_or_two_swapped() -> None:
    def slips(one: str, other: str) -> bool:
        return is_slip(words_of(one), words_of(other))

    assert slips("abcdefgh", "abcdefg")
    assert slips("abcdefgh", "abcdxfgh")
    assert slips("abcdefgh", "abcedfgh")
    assert not slips("abcdefgh", "abcdefgh")
    assert not slips("abcdefgh", "abcdef")
    assert not slips("abcdefgh", "abxdxfgh")
    assert not slips("abcdefgh two", "abcdefg three")
    assert not slips("abcdefgh", "abcdefg two")
    assert not slips("abcdefgh", "xbcdefgh")
    assert not slips("abcde", "abcdx")
    assert not slips("abcdefgh1", "abcdefgh2")
    assert not slips("東京都第一中学校", "東京都第二中学校")
