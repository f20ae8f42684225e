"""From an id to its row, without an object per row.

A dictionary of a million ids would take a fifth of the whole memory budget. A few look-ups
search the column's bytes; more of them are worth a sorted array of hashes, eight bytes each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mvdesk.arrays import StringColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import Int64Array, IntArray

_SEARCHES: Final = 32
"""Look-ups by search before hashes are made: 1 ms each at 100,000 ids, the hashes take 30."""
_FALSE_HITS: Final = 64
_MOST_LATE: Final = 4_096
_FACTOR: Final = 0x9E3779B97F4A7C15  # odd, so that powers never fade to 0
_CHUNK_ROWS: Final = 8_192  # some 300 bytes a row while it is worked on
_UINT64: Final = (1 << 64) - 1

UInt64Array = npt.NDArray[np.uint64]


class IdIndex:
    """Finds the row of an id in a column of ids; the first one where it occurs twice."""

    def __init__(self, ids: StringColumn) -> None:
        """`ids` may hold anything. Costs next to nothing before the first look-up."""
        self._ids = ids
        self._data, self._offsets = ids.block
        self._searches_left = _SEARCHES
        self._hashed: tuple[IntArray, UInt64Array] | None = None  # rows by hash, their hashes
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
        data, offsets = StringColumn.of(row_ids).block
        order, hashes = self._hashed or self._make_hashes()
        wanted = hash_texts(data, offsets)
        places = np.minimum(np.searchsorted(hashes, wanted), len(hashes) - 1)
        rows: IntArray = np.where(hashes[places] == wanted, order[places], -1)
        for number, row in enumerate(rows.tolist()):
            if row < 0:
                rows[number] = self._late.get(row_ids[number], -1)
            # Texts may share a hash, and an empty one may be a missing one.
            elif self._ids[row] != row_ids[number]:
                one = self.row_of(row_ids[number])
                rows[number] = -1 if one is None else one
        return rows

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
            row = int(np.searchsorted(self._offsets, at, side="right")) - 1
            if self._offsets[row] == at and self._offsets[row + 1] == at + len(wanted):
                return row
        return None

    def _look_up(self, wanted: bytes) -> int | None:
        order, hashes = self._hashed or self._make_hashes()
        key = np.uint64(_hash(wanted))
        place = int(np.searchsorted(hashes, key))
        while place < len(hashes) and hashes[place] == key:
            row = int(order[place])
            if self._data[self._offsets[row] : self._offsets[row + 1]] == wanted:
                return row
            place += 1
        return self._late.get(wanted.decode("utf-8", "surrogatepass"))

    def _make_hashes(self) -> tuple[IntArray, UInt64Array]:
        hashes = hash_texts(self._data, self._offsets)
        # Stable, so that equal hashes keep the order of rows.
        order: IntArray = np.argsort(hashes, kind="stable")
        self._hashed = order, hashes[order]
        return self._hashed


def _hash(text: bytes) -> int:
    """A polynomial over bytes + 1, modulo 2⁶⁴: sums of parts, so numpy can do it in bulk."""
    total, weight = 0, 1
    for byte in text:
        total += (byte + 1) * weight
        weight = weight * _FACTOR & _UINT64
    return total & _UINT64


def hash_texts(data: bytes, offsets: Int64Array) -> UInt64Array:
    """A hash of each text in a block of UTF-8; `offsets` has the end as one more."""
    units = np.frombuffer(data, dtype=np.uint8)
    count = len(offsets) - 1
    hashes = np.zeros(count, dtype=np.uint64)
    weights = _weights(int(np.diff(offsets).max(initial=0)))
    for first in range(0, count, _CHUNK_ROWS):
        ends = offsets[first : first + _CHUNK_ROWS + 1]
        lengths = np.diff(ends)
        places = np.arange(ends[0], ends[-1]) - np.repeat(ends[:-1], lengths)
        terms = (units[ends[0] : ends[-1]].astype(np.uint64) + np.uint64(1)) * weights[places]
        # Running sums wrap around, and so do their differences: both modulo 2⁶⁴.
        sums = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(terms, dtype=np.uint64)))
        hashes[first : first + len(lengths)] = sums[ends[1:] - ends[0]] - sums[ends[:-1] - ends[0]]
    return hashes


def _weights(length: int) -> UInt64Array:
    factors = np.full(max(length, 1), _FACTOR, dtype=np.uint64)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint64)
