"""What is offered while a tag or a source is typed."""

from __future__ import annotations

import pytest

from mvdesk.ui.completions import Known, find_known, other_parts, part_at, rank_fitting
from tests.vault.made import memory, snapshot_of


def test_the_most_used_come_first_and_spellings_of_a_source_are_one() -> None:
    memories = [
        memory("a", tags="soil, Roots", source="Soil handbook"),
        memory("b", tags="ROOTS", source="soil  handbook"),
        memory("c", tags="roots,roots,water", source="Soil handbook"),
        memory("d", tags=None, source="blog"),
        memory("e", tags="water", source=None),
    ]
    known = find_known(snapshot_of(memories))
    assert known == Known(("roots", "water", "soil"), ("Soil handbook", "blog"))


@pytest.mark.parametrize(
    ("typed", "fitting"),
    [
        ("", []),
        ("  ", []),
        ("ro", ["roots", "deep roots", "zero"]),
        ("RO", ["roots", "deep roots", "zero"]),
        ("roots", ["deep roots"]),
        ("京", ["東京"]),
        ("東", ["東京"]),
        ("ß", ["Straße"]),
        ("cafe", ["Café", "cafe noir"]),
        ("CAFÉ N", ["cafe noir"]),
        ("café", ["cafe noir"]),
        ("하", ["한국"]),
        ("nothing", []),
    ],
)
def test_what_begins_so_comes_before_what_only_has_it(typed: str, fitting: list[str]) -> None:
    known = ("zero", "deep roots", "roots", "東京", "Straße", "Café", "cafe noir", "한국")
    assert rank_fitting(known, typed) == fitting


def test_tags_that_are_there_are_not_offered_again() -> None:
    assert rank_fitting(("soil", "solid"), "so", {"soil"}) == ["solid"]


def test_a_few_are_offered() -> None:
    assert len(rank_fitting([f"tag{number}" for number in range(100)], "tag")) == 8


@pytest.mark.parametrize(
    ("text", "place", "part", "others"),
    [
        ("", 0, "", set()),
        ("so", 2, "so", set()),
        ("soil, ro", 8, " ro", {"soil"}),
        ("soil, ro, Water", 7, " ro", {"soil", "water"}),
        ("so,il", 2, "so", {"il"}),
    ],
)
def test_the_part_around_the_caret_is_completed(
    text: str, place: int, part: str, others: set[str]
) -> None:
    start, end = part_at(text, place)
    assert text[start:end] == part
    assert other_parts(text, start) == others
