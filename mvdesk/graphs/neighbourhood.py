"""The part of the link graph around one memory, as far as a picture can hold it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray, IntArray

Rows = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """Memories around a centre and the links among them.

    `rows` are rows of the memory table, centre first, then by hops and strength; `hops` is
    each one's distance from the centre. `edges` are rows of the link table, `ends` the same
    links as positions in `rows`, shape (m, 2), from and to. `truncated` counts the memories
    within reach that were left out.
    """

    rows: IntArray
    hops: IntArray
    edges: IntArray
    ends: IntArray
    truncated: int


def find_neighbourhood(
    from_rows: Rows,
    to_rows: Rows,
    centre: int,
    depth: int,
    limit: int = 150,
    strength: FloatArray | None = None,
) -> Neighbourhood:
    """The memories at most `depth` links away from `centre`, at most `limit` of them.

    Links count in both directions; a link to a memory that isn't there (-1) or to itself is
    passed over. Where a hop doesn't fit, the memories with the strongest links to those
    already in come first: `strength` is one number per link, its sign ignored, and all links
    are alike when it is `None`. Equal strengths go by row.
    """
    usable = (from_rows >= 0) & (to_rows >= 0) & (from_rows != to_rows)
    links = np.flatnonzero(usable)
    starts, ends = from_rows[links].astype(np.intp), to_rows[links].astype(np.intp)
    size = 1 + max(centre, int(starts.max(initial=0)), int(ends.max(initial=0)))
    weights = np.ones(len(links)) if strength is None else np.abs(strength[links])

    kept = np.zeros(size, dtype=np.bool_)
    kept[centre] = True
    rows, hops = [np.array([centre], dtype=np.intp)], [np.zeros(1, dtype=np.intp)]
    room = max(limit, 1) - 1
    for hop in range(1, depth + 1):
        found = _strongest_first(starts, ends, weights, kept)[: max(room, 0)]
        if not len(found):
            break
        kept[found] = True
        room -= len(found)
        rows.append(found)
        hops.append(np.full(len(found), hop, dtype=np.intp))

    shown = np.concatenate(rows)
    inside = kept[starts] & kept[ends]
    place = np.empty(size, dtype=np.intp)
    place[shown] = np.arange(len(shown))
    reached = _count_reached(starts, ends, centre, depth, size)
    return Neighbourhood(
        rows=shown,
        hops=np.concatenate(hops),
        edges=links[inside].astype(np.intp),
        ends=np.column_stack((place[starts[inside]], place[ends[inside]])),
        truncated=reached - len(shown),
    )


def _strongest_first(
    starts: IntArray, ends: IntArray, weights: FloatArray, kept: BoolArray
) -> IntArray:
    """Rows one link away from the kept ones, the strongest link first."""
    outward = kept[starts] & ~kept[ends]
    inward = kept[ends] & ~kept[starts]
    rows = np.concatenate((ends[outward], starts[inward]))
    strengths = np.concatenate((weights[outward], weights[inward]))
    order = np.lexsort((rows, -strengths))
    _, first = np.unique(rows[order], return_index=True)
    return rows[order][np.sort(first)]


def _count_reached(starts: IntArray, ends: IntArray, centre: int, depth: int, size: int) -> int:
    """How many memories lie within `depth` links, the centre included."""
    reached = np.zeros(size, dtype=np.bool_)
    reached[centre] = True
    for _ in range(depth):
        fresh = np.concatenate((ends[reached[starts]], starts[reached[ends]]))
        reached[fresh] = True
    return int(reached.sum())
