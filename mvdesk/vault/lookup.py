"""From a memory's id to its row, without an object per memory.

A dictionary of a million ids would take a fifth of the whole memory budget; a sorted
array of hashes takes eight bytes each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from mvdesk.arrays import IntArray, StringColumn

_FACTOR: Final = 0x9E3779B97F4A7C15  # odd, so that powers never fade to 0
_CHUNK_ROWS: Final = 65_536
_UINT64: Final = (1 << 64) - 1

UInt64Array = npt.NDArray[np.uint64]


class IdIndex:
    """Finds the row of an id in a column of ids."""

    def __init__(self, ids: StringColumn) -> None:
        """`ids` may hold anything; the first row wins where one occurs twice."""
        self._ids = ids
        hashes = _hashes(ids)
        # Stable, so that equal hashes keep the order of rows.
        self._order: IntArray = np.argsort(hashes, kind="stable")
        self._sorted = hashes[self._order]

    def row_of(self, memory_id: str) -> int | None:
        """The row of an id, None when it is not there."""
        wanted = np.uint64(_hash(memory_id.encode("utf-8", "surrogatepass")))
        place = int(np.searchsorted(self._sorted, wanted))
        while place < len(self._sorted) and self._sorted[place] == wanted:
            row = int(self._order[place])
            if self._ids[row] == memory_id:
                return row
            place += 1
        return None


def _hash(text: bytes) -> int:
    """A polynomial over bytes + 1, modulo 2⁶⁴: sums of parts, so numpy can do it in bulk."""
    total, weight = 0, 1
    for byte in text:
        total += (byte + 1) * weight
        weight = weight * _FACTOR & _UINT64
    return total & _UINT64


def _hashes(ids: StringColumn) -> UInt64Array:
    data, offset_bytes, _ = ids.blobs()
    offsets = np.frombuffer(offset_bytes, dtype=np.int64)
    units = np.frombuffer(data, dtype=np.uint8)
    hashes = np.zeros(len(ids), dtype=np.uint64)
    weights = _weights(int(np.diff(offsets).max(initial=0)))
    for first in range(0, len(ids), _CHUNK_ROWS):
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
