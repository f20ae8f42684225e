"""Places in a table's order, looked for one by one and in bulk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.arrays import LinkTable, StringColumn
from mvdesk.vault.refreshing import find_places

EVEN = st.text("abc", min_size=3, max_size=3)
UNEVEN = st.text("ab\0é", max_size=3)
KEYS = st.tuples(st.integers(0, 2), EVEN) | st.tuples(st.integers(0, 2), UNEVEN)


@given(
    st.sets(st.tuples(st.integers(0, 2), EVEN)) | st.sets(KEYS),
    st.lists(KEYS) | st.lists(st.tuples(st.integers(-1, 3), st.text("abcd", min_size=1))),
)
def test_many_places_are_found_as_each_alone(
    rows: set[tuple[int, str]], keys: list[tuple[int, str]]
) -> None:
    ordered = sorted(rows, key=lambda row: (row[0], row[1].encode()))
    table = replace(
        LinkTable.empty(),
        ids=StringColumn.of(row_id for _, row_id in ordered),
        created_at=np.array([created_at for created_at, _ in ordered], dtype=np.int64),
    )
    one_by_one = find_places(table, keys)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mvdesk.vault.refreshing._FEW_KEYS", 0)
        assert find_places(table, keys) == one_by_one
    for key, (place, is_there) in zip(keys, one_by_one, strict=True):
        assert is_there == (key in rows)
        assert ordered[place : place + 1] == [key] or not is_there
