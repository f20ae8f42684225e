"""How far memories are from some others over links: breadth first, nearest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import IntArray

Rows = npt.NDArray[np.integer[Any]]


def find_reached(
    from_rows: Rows, to_rows: Rows, seeds: Sequence[int], *, depth: int, limit: int
) -> tuple[IntArray, IntArray]:
    """The memories at most `depth` links from a seed, seeds first, and each one's distance.

    Links count in both directions; leave out those that mustn't be walked. A hop visits the
    links of its memories one memory after the other, in the order of the link arrays, and
    stops when `limit` memories are reached (seeds are never cut).
    """
    starts, ends = from_rows.astype(np.intp), to_rows.astype(np.intp)
    first = np.array(list(dict.fromkeys(seeds)), dtype=np.intp)
    size = 1 + max(int(part.max(initial=0)) for part in (starts, ends, first))
    place = np.full(size, -1, dtype=np.intp)
    place[first] = np.arange(len(first))
    found, hops = [first], [np.zeros(len(first), dtype=np.intp)]
    count, frontier = len(first), first
    for hop in range(1, depth + 1):
        if count >= limit:
            break
        frontier = _next_hop(starts, ends, frontier, place)[: limit - count]
        place[frontier] = np.arange(count, count + len(frontier))
        count += len(frontier)
        found.append(frontier)
        hops.append(np.full(len(frontier), hop, dtype=np.intp))
    return np.concatenate(found), np.concatenate(hops)


def _next_hop(starts: IntArray, ends: IntArray, frontier: IntArray, place: IntArray) -> IntArray:
    """The rows not yet placed one link from the frontier, in the order they are come upon."""
    in_frontier = np.zeros(len(place), dtype=np.bool_)
    in_frontier[frontier] = True
    outward = np.flatnonzero(in_frontier[starts] & (place[ends] < 0))
    inward = np.flatnonzero(in_frontier[ends] & (place[starts] < 0))
    links = np.concatenate((outward, inward))
    parents = np.concatenate((starts[outward], ends[inward]))
    rows = np.concatenate((ends[outward], starts[inward]))
    rows = rows[np.lexsort((links, place[parents]))]
    _, first = np.unique(rows, return_index=True)
    return rows[np.sort(first)]
