"""Memories by the source they belong to, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, Int32Array, Int64Array, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class GroupedRows:
    """Rows of memories by the source they belong to: those of source n are ascending.

    `groups` names the source of each of `rows`.
    """

    rows: IntArray
    groups: IntArray
    counts: Int64Array
    starts: Int64Array

    @classmethod
    def of(cls, keys: Int32Array, rows: IntArray, count: int) -> GroupedRows:
        """Some rows, by `keys` (one per memory, each below `count`)."""
        packed = (keys[rows].astype(np.int64) << np.int64(32)) | rows
        packed.sort()
        return cls._of_sorted(packed & np.int64(0xFFFFFFFF), packed >> np.int64(32), count)

    @classmethod
    def _of_sorted(cls, rows: IntArray, groups: IntArray, count: int) -> GroupedRows:
        counts = np.bincount(groups, minlength=count)
        return cls(rows, groups, counts, np.cumsum(counts) - counts)

    def of_source(self, index: int) -> IntArray:
        """The rows of one source."""
        start = int(self.starts[index])
        return self.rows[start : start + int(self.counts[index])]

    def taken(self, indexes: IntArray) -> GroupedRows:
        """The rows of some sources, which count from 0 then."""
        parts = [np.empty(0, dtype=np.intp), *(self.of_source(n) for n in indexes.tolist())]
        groups = np.repeat(np.arange(len(indexes)), self.counts[indexes])
        return self._of_sorted(np.concatenate(parts), groups, len(indexes))

    def sums(self, values: np.ndarray) -> FloatArray:
        """The sum per source of values that belong to `rows`, added in the order of rows."""
        found = np.bincount(self.groups, weights=values, minlength=len(self.counts))
        return found.astype(np.float64)  # without a row they would be whole numbers

    def latest(self, times: Int64Array) -> Int64Array:
        """The latest time per source of `times` (one per memory), NO_TIME without a row."""
        found = np.full(len(self.counts), NO_TIME)
        used = np.flatnonzero(self.counts)
        if len(used):
            found[used] = np.maximum.reduceat(times[self.rows], self.starts[used])
        return found
