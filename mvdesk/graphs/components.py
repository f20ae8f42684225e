"""Which memories hang together over links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from mvdesk.arrays import IntArray

Rows = npt.NDArray[np.integer[Any]]


def find_components(from_rows: Rows, to_rows: Rows, count: int) -> IntArray:
    """For each of `count` memories the smallest row that it is linked to, over any number of links.

    Memories with the same number hang together. Links to a memory that isn't there (−1) join
    nothing.
    """
    usable = (from_rows >= 0) & (to_rows >= 0)
    starts, ends = from_rows[usable].astype(np.intp), to_rows[usable].astype(np.intp)
    roots = np.arange(count)
    while True:
        low = np.minimum(roots[starts], roots[ends])
        before = roots.copy()
        # Both the ends and what they pointed at learn of the smaller root, then every chain
        # is cut short: a long thin graph takes a few rounds, not one per link.
        for at in (starts, ends, before[starts], before[ends]):
            np.minimum.at(roots, at, low)
        while not np.array_equal(jumped := roots[roots], roots):
            roots = jumped
        if np.array_equal(roots, before):
            return roots
