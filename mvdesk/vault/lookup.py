"""From an id to its row, without an object per row.

A dictionary of a million ids would take a fifth of the whole memory budget. A few look-ups
search the column's bytes; more of them are worth a sorted array of hashes, eight bytes each.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import StringColumn
from mvdesk.store.text_hashes import hash_text, hash_texts, sum_of_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from mvdesk.arrays import BoolArray, Int32Array, Int64Array, IntArray
    from mvdesk.store.text_hashes import UInt64Array

_SEARCHES: Final = 32
"""Look-ups by search before hashes are made: 1 ms each at 100,000 ids, the hashes take 30."""
_FALSE_HITS: Final = 64
_MOST_LATE: Final = 4_096


class IdIndex:
    """Finds the row of an id in a column of ids; the first one where it occurs twice."""

    def __init__(self, ids: StringColumn) -> None:
        """`ids` may hold anything. Costs next to nothing before the first look-up."""
        self._ids = ids
        self._data, self._offsets = ids.block
        self._searches_left = _SEARCHES
        self._hashed: tuple[Int32Array, UInt64Array] | None = None  # rows by hash, their hashes
        self._late: dict[str, int] = {}  # rows added after the hashes were made

    def extended(self, ids: StringColumn) -> IdIndex:
        """The index of a column that begins with all the ids of this one."""
        index = IdIndex(ids)
        late = range(len(self._ids), len(ids))
        if self._hashed is not None and len(self._late) + len(late) <= _MOST_LATE:
            index._hashed = self._hashed
            index._late = {ids.text(row): row for row in reversed(late)} | self._late
        return index

    def prepare(self) -> None:
        """Make the hashes now, where nobody waits: a second for a million ids."""
        if self._hashed is None and len(self._ids):
            self._make_hashes()

    def sum_with(self, checksums: Int64Array) -> int:
        """`sum_of_rows` of all ids, each with a checksum."""
        if self._late or self._hashed is None:
            return sum_of_rows(hash_texts(self._data, self._offsets), checksums)
        order, hashes = self._hashed
        return sum_of_rows(hashes, checksums[order])

    def row_of(self, row_id: str) -> int | None:
        """The row of an id, None when it is not there."""
        wanted = row_id.encode("utf-8", "surrogatepass")
        if not wanted:
            return self._find_empty()
        if self._hashed is None and self._searches_left > 0:
            self._searches_left -= 1
            found = self._search(wanted)
            if found is not None:
                return found if found >= 0 else None
        return self._look_up(wanted)

    def rows_of(self, row_ids: Sequence[str]) -> IntArray:
        """The rows of many ids, −1 for those that are not there."""
        if len(row_ids) <= _SEARCHES or not len(self._ids):
            found = (self.row_of(row_id) for row_id in row_ids)
            return np.array([-1 if row is None else row for row in found], dtype=np.intp)
        column = StringColumn.of(row_ids)
        order, hashes = self._hashed or self._make_hashes()
        wanted = hash_texts(*column.block)
        places = np.minimum(np.searchsorted(hashes, wanted), len(hashes) - 1)
        rows: IntArray = np.where(hashes[places] == wanted, order[places], -1).astype(np.intp)
        for number in np.flatnonzero(~self._are_surely(rows, column)).tolist():
            row = int(rows[number])
            if row < 0:
                rows[number] = self._late.get(row_ids[number], -1)
            # Texts may share a hash, and an empty one may be a missing one.
            elif self._ids[row] != row_ids[number]:
                one = self.row_of(row_ids[number])
                rows[number] = -1 if one is None else one
        return rows

    def _are_surely(self, rows: IntArray, wanted: StringColumn) -> BoolArray:
        """Marks those of `rows` (−1 for none) that hold the wanted texts, told for all at once.

        Where texts are of several lengths nothing is told.
        """
        mine, others = self._even, wanted.even
        if mine is None or others is None or mine.dtype != others.dtype:
            return np.zeros(len(rows), dtype=np.bool_)
        same: BoolArray = (rows >= 0) & (mine[rows] == others)
        return same

    @cached_property
    def _even(self) -> npt.NDArray[np.bytes_] | None:
        return self._ids.even

    def _find_empty(self) -> int | None:
        lengths = np.diff(self._offsets)
        rows = (int(row) for row in np.flatnonzero(lengths == 0))
        return next((row for row in rows if self._ids[row] is not None), None)

    def _search(self, wanted: bytes) -> int | None:
        """The row, −1 for none; None when ids that hold `wanted` inside got in the way."""
        at = -1
        for _ in range(_FALSE_HITS):
            at = self._data.find(wanted, at + 1)
            if at < 0:
                return -1
            place = self._offsets.dtype.type(at)  # another type would have all of them converted
            row = int(np.searchsorted(self._offsets, place, side="right")) - 1
            if self._offsets[row] == at and self._offsets[row + 1] == at + len(wanted):
                return row
        return None

    def _look_up(self, wanted: bytes) -> int | None:
        order, hashes = self._hashed or self._make_hashes()
        key = np.uint64(hash_text(wanted))
        place = int(np.searchsorted(hashes, key))
        while place < len(hashes) and hashes[place] == key:
            row = int(order[place])
            if self._data[self._offsets[row] : self._offsets[row + 1]] == wanted:
                return row
            place += 1
        return self._late.get(wanted.decode("utf-8", "surrogatepass"))

    def _make_hashes(self) -> tuple[Int32Array, UInt64Array]:
        hashes = hash_texts(self._data, self._offsets)
        # Stable, so that equal hashes keep the order of rows.
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        self._hashed = order, hashes[order]
        return self._hashed
