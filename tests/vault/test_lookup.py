"""Ids of every kind find their row."""

from __future__ import annotations

import uuid

import pytest

from mvdesk.arrays import StringColumn
from mvdesk.vault.lookup import IdIndex


@pytest.mark.parametrize(
    "ids",
    [
        [],
        ["a"],
        [str(uuid.uuid4()) for _ in range(500)],
        ["", "a", "aa", "aaa", "b" * 5000, "x'y\"; DROP TABLE memories", "日本", "a\0", "\udc80"],
    ],
)
def test_every_id_finds_its_row_and_others_find_none(ids: list[str]) -> None:
    index = IdIndex(StringColumn.of(ids))
    assert [index.row_of(memory_id) for memory_id in ids] == list(range(len(ids)))
    assert index.row_of("not there") is None


def test_the_first_row_wins_where_an_id_occurs_twice() -> None:
    assert IdIndex(StringColumn.of(["b", "a", "a"])).row_of("a") == 1


def test_a_null_id_is_no_empty_one() -> None:
    assert IdIndex(StringColumn.of([None, "a"])).row_of("") is None


def test_ids_of_equal_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    # With the factor 1 the hash is a sum of bytes: every anagram collides.
    monkeypatch.setattr("mvdesk.vault.lookup._FACTOR", 1)
    index = IdIndex(StringColumn.of(["abc", "cab", "bca"]))
    assert [index.row_of(text) for text in ("abc", "cab", "bca", "cba")] == [0, 1, 2, None]


def test_more_ids_than_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvdesk.vault.lookup._CHUNK_ROWS", 3)
    ids = [f"id{n}" for n in range(10)]
    index = IdIndex(StringColumn.of(ids))
    assert [index.row_of(text) for text in ids] == list(range(10))
