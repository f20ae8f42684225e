"""Splicing and joining columns: what bringing a snapshot up to date stands on."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.arrays import StringColumn, spliced
from mvdesk.vault.refreshing import Splice

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = st.none() | st.text(st.characters(), max_size=4)


@st.composite
def edits(draw: st.DrawFn) -> tuple[list, list[int], list[int], list]:
    texts = draw(st.lists(TEXTS, max_size=8))
    rows = range(len(texts))
    removed = draw(st.lists(st.sampled_from(rows), unique=True).map(sorted)) if texts else []
    places = sorted(draw(st.lists(st.integers(0, len(texts)), max_size=5)))
    new = draw(st.lists(TEXTS, min_size=len(places), max_size=len(places)))
    return texts, removed, places, new


def by_hand(texts: list, removed: list[int], places: list[int], new: list) -> list:
    result = []
    for row in range(len(texts) + 1):
        result += [text for place, text in zip(places, new, strict=True) if place == row]
        if row < len(texts) and row not in removed:
            result.append(texts[row])
    return result


@pytest.fixture(params=[0, 64], autouse=True, scope="module")
def few_edits(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test once for few edits of a column and once for many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mvdesk.arrays._FEW_EDITS", request.param)
        yield


@pytest.fixture(params=[3, 2**31], autouse=True, scope="module")
def narrow_bytes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test with columns that are divided by 64-bit offsets, and with the usual ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mvdesk.arrays._NARROW_BYTES", request.param)
        yield


@given(edits())
def test_a_spliced_column_is_what_a_list_would_be(case: tuple) -> None:
    texts, removed, places, new = case
    column = StringColumn.of(texts).spliced(removed, places, new)
    assert list(column) == by_hand(*case)
    again = StringColumn.from_blobs(*column.blobs())
    assert list(again) == list(column)


@given(edits())
def test_rows_are_followed_through_a_splice(case: tuple) -> None:
    texts, removed, places, _ = case
    old = list(range(len(texts)))
    numbered = by_hand(old, removed, places, [-1 - n for n in range(len(places))])
    new = -np.arange(1, len(places) + 1)
    assert spliced(np.array(old, dtype=np.intp), removed, places, new).tolist() == numbered
    moved = Splice(removed, places, []).moved(len(texts)).tolist()
    assert moved == [numbered.index(row) if row not in removed else -1 for row in old]


@given(edits(), st.data())
def test_rows_that_come_back_are_followed_too(case: tuple, data: st.DataObject) -> None:
    texts, removed, places, _ = case
    replaced = sorted(data.draw(st.sets(st.sampled_from(removed)))) if removed else []
    old = list(range(len(texts)))
    # A row that comes back is the last at its place.
    put_in = sorted([(place, -1) for place in places] + [(row, row) for row in replaced])
    numbered = by_hand(old, removed, [place for place, _ in put_in], [row for _, row in put_in])
    moved = Splice(removed, [place for place, _ in put_in], replaced).moved(len(texts))
    there = {row: numbered.index(row) for row in old if row in numbered}
    assert moved.tolist() == [there.get(row, -1) for row in old]


@given(st.dictionaries(st.integers(0, 7), TEXTS), st.lists(TEXTS, min_size=8, max_size=8))
def test_replaced_texts_take_the_place_of_the_old_ones(new: dict, texts: list) -> None:
    rows = sorted(new)
    column = StringColumn.of(texts).replaced(rows, [new[row] for row in rows])
    assert list(column) == [new.get(row, text) for row, text in enumerate(texts)]


def test_rows_are_counted_from_the_end_too_and_taken_in_any_order() -> None:
    column = StringColumn.of(["a", None, "c"])
    assert (column[-1], column[-2]) == ("c", None)
    assert list(column.taken(np.array([2, 0, 0]))) == ["c", "a", "a"]


@pytest.mark.parametrize("offsets", [[], [0, 1], [0, 2, 1, 3], [1, 1, 2, 3], [0, 1, 2, 4]])
def test_parts_of_a_column_that_don_t_fit_are_refused(offsets: list[int]) -> None:
    data, _, null = StringColumn.of(["a", "b", "c"]).blobs()
    if len(offsets) < 4:
        null = b""
    kind = StringColumn.of(["a", "b", "c"]).block[1].dtype
    with pytest.raises(ValueError, match="stored column"):
        StringColumn.from_blobs(data, np.array(offsets, dtype=kind).tobytes(), null)


def test_what_is_the_same_in_every_row_takes_no_room() -> None:
    for texts in ([None] * 1_000, [""] * 1_000):
        column = StringColumn.of(texts)
        data, offsets, null = column.blobs()
        assert (len(data), len(offsets)) == (0, 8)
        assert column.block[1].base is not None
        assert list(StringColumn.from_blobs(data, offsets, null)) == texts
    for count in (-5, 7):
        with pytest.raises(ValueError, match=r"stored column|negative"):
            StringColumn.from_blobs(b"", np.array([count]).tobytes(), b"")


@given(st.lists(st.lists(TEXTS, max_size=4), max_size=4))
def test_joined_columns_follow_each_other(parts: list[list]) -> None:
    joined = StringColumn.joined([StringColumn.of(part) for part in parts])
    assert list(joined) == [text for part in parts for text in part]


def test_only_rows_put_back_in_place_keep_their_rows() -> None:
    assert Splice([], [], []).keeps_rows
    assert Splice([0, 1], [0, 1], [0, 1]).keeps_rows
    assert not Splice([0, 1], [0, 1, 2], [0, 1]).keeps_rows
    assert not Splice([0, 1], [0, 1], [0]).keeps_rows  # one deleted, another made in its place


@given(texts=st.lists(st.none() | st.text(max_size=6) | st.sampled_from(["Straße", "İ", "ẞx"])))
def test_folded_texts_are_those_folded_one_by_one(texts: list[str | None]) -> None:
    data, offsets = StringColumn.of(texts).folded()
    parts = [data[a:b] for a, b in pairwise(offsets)]
    expected = [(text or "").casefold() for text in texts]
    assert [part.decode("utf-8", "surrogatepass") for part in parts] == expected
