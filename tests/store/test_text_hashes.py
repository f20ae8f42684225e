"""Hashes in bulk equal those of one text, and a sum stands for a set of rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.arrays import StringColumn
from mvdesk.store.text_hashes import hash_text, hash_texts, sum_of_rows, wrapped

UUIDS = [f"{n * 7**20 % 2**32:08x}-0000-4000-8000-{n:012x}" for n in range(50)]


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["a"], UUIDS, ["a", "", "日本", "x" * 99]])
@pytest.mark.parametrize("rows", [3, 1_000])
def test_each_text_has_the_hash_that_it_has_alone(
    texts: list[str], rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.store.text_hashes._CHUNK_ROWS", rows)
    alone = [hash_text(text.encode()) for text in texts]
    assert hash_texts(*StringColumn.of(texts).block).tolist() == alone


def total(rows: list[tuple[str, int]]) -> int:
    hashes = hash_texts(*StringColumn.of(text for text, _ in rows).block)
    return sum_of_rows(hashes, np.array([checksum for _, checksum in rows], dtype=np.int64))


@given(st.lists(st.tuples(st.text(max_size=5), st.integers(-(2**63), 2**63 - 1))), st.randoms())
def test_a_sum_knows_no_order_and_grows_by_what_is_added(
    rows: list[tuple[str, int]], random: np.random.Generator
) -> None:
    mixed = list(rows)
    random.shuffle(mixed)
    assert total(mixed) == total(rows)
    assert wrapped(total(rows[:3]) + total(rows[3:])) == total(rows)
    assert -(2**63) <= total(rows) < 2**63


def test_checksums_that_change_places_change_the_sum() -> None:
    assert total([("a", 1), ("b", 2)]) != total([("a", 2), ("b", 1)])
    assert total([("a", 1)]) != total([("a", 2)])
