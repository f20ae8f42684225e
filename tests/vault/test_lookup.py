"""Ids of every kind find their row."""

from __future__ import annotations

import uuid

import pytest

from mvdesk.arrays import StringColumn
from mvdesk.vault.lookup import IdIndex

IDS = [
    [],
    ["a"],
    [str(uuid.UUID(int=n * 7**30)) for n in range(500)],
    ["aa", "a", "", "aaa", "b" * 5000, "x'y\"; DROP TABLE memories", "日本", "a\0", "\udc80"],
]


@pytest.mark.parametrize("searches", [0, 3, 1000])
@pytest.mark.parametrize("ids", IDS)
def test_every_id_finds_its_row_and_others_find_none(
    ids: list[str], searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.vault.lookup._SEARCHES", searches)
    index = IdIndex(StringColumn.of(ids))
    assert [index.row_of(memory_id) for memory_id in ids] == list(range(len(ids)))
    assert index.row_of("not there") is None


@pytest.mark.parametrize("searches", [0, 9])
def test_the_first_row_wins_where_an_id_occurs_twice(
    searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.vault.lookup._SEARCHES", searches)
    assert IdIndex(StringColumn.of(["b", "a", "a"])).row_of("a") == 1


def test_a_null_id_is_no_empty_one() -> None:
    assert IdIndex(StringColumn.of([None, "a"])).row_of("") is None
    assert IdIndex(StringColumn.of([None, "a", ""])).row_of("") == 2


def test_ids_inside_many_others_are_found_by_hash() -> None:
    ids = [f"xx{n}" for n in range(200)] + ["xx"]
    assert IdIndex(StringColumn.of(ids)).row_of("xx") == 200


def test_ids_of_equal_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    # With the factor 1 the hash is a sum of bytes: every anagram collides.
    monkeypatch.setattr("mvdesk.store.text_hashes._FACTOR", 1)
    monkeypatch.setattr("mvdesk.vault.lookup._SEARCHES", 0)
    index = IdIndex(StringColumn.of(["abc", "cab", "bca"]))
    assert [index.row_of(text) for text in ("abc", "cab", "bca", "cba")] == [0, 1, 2, None]


def test_more_ids_than_are_hashed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvdesk.store.text_hashes._CHUNK_ROWS", 3)
    monkeypatch.setattr("mvdesk.vault.lookup._SEARCHES", 0)
    ids = [f"id{n}" for n in range(10)]
    index = IdIndex(StringColumn.of(ids))
    assert [index.row_of(text) for text in ids] == list(range(10))


@pytest.mark.parametrize("searches", [0, 3, 1000])
@pytest.mark.parametrize("ids", IDS)
def test_many_ids_are_found_at_once(
    ids: list[str], searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.vault.lookup._SEARCHES", searches)
    index = IdIndex(StringColumn.of(ids))
    wanted = ["not there", *reversed(ids), "nor there"]
    found = [-1, *reversed(range(len(ids))), -1]
    assert index.rows_of(wanted).tolist() == found
    assert index.rows_of(ids).tolist() == list(range(len(ids)))
    assert index.rows_of([]).tolist() == []


def test_many_ids_of_equal_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvdesk.store.text_hashes._FACTOR", 1)
    monkeypatch.setattr("mvdesk.vault.lookup._SEARCHES", 0)
    index = IdIndex(StringColumn.of(["abc", "cab", "bca"]))
    assert index.rows_of(["cba", "cab", "bca", "abc"]).tolist() == [-1, 1, 2, 0]


@pytest.mark.parametrize("late", [0, 3, 100])
def test_a_column_that_grew_is_searched_whole(late: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvdesk.vault.lookup._SEARCHES", 0)
    monkeypatch.setattr("mvdesk.vault.lookup._MOST_LATE", late)
    ids = [f"id{n}" for n in range(4)]
    index = IdIndex(StringColumn.of(ids))
    index.row_of("id0")
    for more in (["late", "later", "", "id1"], ["last", "late"]):
        ids += more
        index = index.extended(StringColumn.of(ids))
        assert [index.row_of(one) for one in ids] == [ids.index(one) for one in ids]
        assert index.rows_of([*ids, "none"]).tolist() == [*(ids.index(one) for one in ids), -1]
        assert index.row_of("none") is None


def test_a_prepared_index_finds_what_an_unprepared_one_finds() -> None:
    ids = StringColumn.of(["a", "b", None, "", "b", "long one"])
    plain, prepared = IdIndex(ids), IdIndex(ids)
    prepared.prepare()
    for wanted in ("a", "b", "", "long one", "nowhere"):
        assert prepared.row_of(wanted) == plain.row_of(wanted)
    IdIndex(StringColumn.of([])).prepare()
