"""Finding memories by a few letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.ui.title_finder import TitleFinder
from tests.vault.made import memory, snapshot_of

if TYPE_CHECKING:
    from mvdesk.vault.snapshot import Snapshot

TITLES = {
    "a1": "Port 5432 is the database",
    "a2": "Report of the port authority",
    "a3": "Runbook for the router",
    "a4": "Ruin",
    "a5": "数据 and café",
    "a6": "Straße to the port",
    "a7": "portmanteau",
}


@pytest.fixture
def snapshot() -> Snapshot:
    made = [memory(key, title=title) for key, title in TITLES.items()]
    made.append(memory("deadbeef-0000", title="By its id", key="rent.amount"))
    made.append(memory("z9", title="Port of old", archived_at=5))
    return snapshot_of(made)


def _found(snapshot: Snapshot, text: str, **options: object) -> list[str]:
    finder = TitleFinder(snapshot)
    found = finder.find(text, **options)  # type: ignore[arg-type]
    return [snapshot.memories.ids.text(one.row) for one in found]


def test_titles_that_begin_so_come_first_then_words_then_letters_inside(
    snapshot: Snapshot,
) -> None:
    found = _found(snapshot, "port")
    assert found[:2] == ["a7", "a1"]
    assert set(found[2:4]) == {"a6", "a2"}
    assert found[-1] == "z9"  # archived ones come last


def test_every_word_must_be_there_in_whatever_order(snapshot: Snapshot) -> None:
    assert _found(snapshot, "database port") == ["a1"]
    assert _found(snapshot, "port zebra") == []


def test_letters_with_others_between_them_find_it(snapshot: Snapshot) -> None:
    assert _found(snapshot, "rnbk") == ["a3"]
    assert _found(snapshot, "xqj") == []


def test_other_scripts_and_case_are_found(snapshot: Snapshot) -> None:
    assert _found(snapshot, "数") == ["a5"]
    assert _found(snapshot, "CAFÉ") == ["a5"]
    assert _found(snapshot, "strasse") == ["a6"]


def test_keys_and_ids_are_found(snapshot: Snapshot) -> None:
    assert _found(snapshot, "rent.am") == ["deadbeef-0000"]
    assert _found(snapshot, "deadbeef-0000") == ["deadbeef-0000"]
    assert _found(snapshot, "dead") == ["deadbeef-0000"]
    assert _found(snapshot, "a4")[0] == "a4"


def test_recent_ones_come_first_among_equals(snapshot: Snapshot) -> None:
    a2, a6 = snapshot.row_of("a2"), snapshot.row_of("a6")
    assert a2 is not None
    assert a6 is not None
    for one, name in ((a2, "a2"), (a6, "a6")):
        found = _found(snapshot, "port", recent=[one])
        assert found[2] == name
    assert _found(snapshot, "", recent=[a6, a2]) == ["a6", "a2"]
    assert _found(snapshot, "  ") == []


def test_no_more_than_asked(snapshot: Snapshot) -> None:
    assert len(_found(snapshot, "o", limit=2)) == 2


@given(st.lists(st.text(max_size=8), max_size=8), st.text(max_size=6))
def test_what_contains_the_words_is_always_found(titles: list[str], text: str) -> None:
    snapshot = snapshot_of([memory(f"m{n}", title=title) for n, title in enumerate(titles)])
    words = text.casefold().split()
    found = {one.row for one in TitleFinder(snapshot).find(text)}
    for row, label in enumerate(snapshot.memories.labels):
        folded = f" {(label or '').casefold()} "
        if words and all(word in folded for word in words):
            assert row in found
