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
    each one's distance from the centre, past the depth where opened memories led on. `edges`
    are rows of the link table, `ends` the same links as positions in `rows`, shape (m, 2), from
    and to. `truncated` counts the memories within reach that were left out.
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
    *,
    barred: BoolArray | None = None,
    opened: IntArray | None = None,
) -> Neighbourhood:
    """The memories at most `depth` links away from `centre`, at most `limit` of them.

    Links count in both directions; a link to a memory that isn't there (-1) or to itself is
    passed over. Where a hop doesn't fit, the memories with the strongest links to those
    already in come first: `strength` is one number per link, its sign ignored, and all links
    are alike when it is `None`. Equal strengths go by row.

    Links of `barred` rows (one flag a memory) lead no further, except those of the centre;
    those of `opened` rows do, barred or not, and even past the depth.
    """
    usable = (from_rows >= 0) & (to_rows >= 0) & (from_rows != to_rows)
    links = np.flatnonzero(usable)
    starts, ends = from_rows[links].astype(np.intp), to_rows[links].astype(np.intp)
    size = 1 + max(centre, int(starts.max(initial=0)), int(ends.max(initial=0)))
    weights = np.ones(len(links)) if strength is None else np.abs(strength[links])

    follows, always = _find_open(size, centre, barred, opened)
    kept = np.zeros(size, dtype=np.bool_)
    kept[centre] = True
    rows, hops = [np.array([centre], dtype=np.intp)], [np.zeros(1, dtype=np.intp)]
    room = max(limit, 1) - 1
    hop = 0
    while True:
        hop += 1
        sources = kept & (follows if hop <= depth else always)
        found = _strongest_first(starts, ends, weights, kept, sources)[: max(room, 0)]
        if not len(found):
            if hop > depth:
                break
            continue
        kept[found] = True
        room -= len(found)
        rows.append(found)
        hops.append(np.full(len(found), hop, dtype=np.intp))

    shown = np.concatenate(rows)
    inside = kept[starts] & kept[ends]
    place = np.empty(size, dtype=np.intp)
    place[shown] = np.arange(len(shown))
    reached = _count_reached(starts, ends, centre, depth, follows, always)
    return Neighbourhood(
        rows=shown,
        hops=np.concatenate(hops),
        edges=links[inside].astype(np.intp),
        ends=np.column_stack((place[starts[inside]], place[ends[inside]])),
        truncated=reached - len(shown),
    )


def _strongest_first(
    starts: IntArray, ends: IntArray, weights: FloatArray, kept: BoolArray, sources: BoolArray
) -> IntArray:
    """Rows one link away from `sources` that aren't kept yet, the strongest link first."""
    outward = sources[starts] & ~kept[ends]
    inward = sources[ends] & ~kept[starts]
    rows = np.concatenate((ends[outward], starts[inward]))
    strengths = np.concatenate((weights[outward], weights[inward]))
    order = np.lexsort((rows, -strengths))
    _, first = np.unique(rows[order], return_index=True)
    return rows[order][np.sort(first)]


def _find_open(
    size: int, centre: int, barred: BoolArray | None, opened: IntArray | None
) -> tuple[BoolArray, BoolArray]:
    """The rows whose links are followed within the depth, and those where it is always so."""
    follows, always = np.ones(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    if barred is not None:
        # Rows past the last linked one have no links to follow.
        follows[: len(barred)] = ~barred[:size]
    if opened is not None:
        always[opened[opened < size]] = True
    follows |= always
    follows[centre] = True
    return follows, always


def _count_reached(
    starts: IntArray,
    ends: IntArray,
    centre: int,
    depth: int,
    follows: BoolArray,
    always: BoolArray,
) -> int:
    """How many memories can be reached with all the room there is, the centre included."""
    reached = np.zeros(len(follows), dtype=np.bool_)
    reached[centre] = True
    hop, before = 0, 0
    while hop < depth or int(reached.sum()) > before:
        before = int(reached.sum())
        sources = reached & (follows if hop < depth else always)
        fresh = np.concatenate((ends[sources[starts]], starts[sources[ends]]))
        reached[fresh] = True
        hop += 1
    return int(reached.sum())


def count_beyond(from_rows: Rows, to_rows: Rows, rows: IntArray) -> IntArray:
    """How many memories are linked with each of some rows and aren't among them.

    Each counts once, however many links lead there; links as in `find_neighbourhood`.
    """
    usable = (from_rows >= 0) & (to_rows >= 0)
    starts, ends = from_rows[usable].astype(np.intp), to_rows[usable].astype(np.intp)
    size = 1 + max(int(rows.max(initial=0)), int(starts.max(initial=0)), int(ends.max(initial=0)))
    place = np.full(size, -1, dtype=np.intp)
    place[rows] = np.arange(len(rows))
    outward = (place[starts] >= 0) & (place[ends] < 0)
    inward = (place[ends] >= 0) & (place[starts] < 0)
    inside = np.concatenate((place[starts[outward]], place[ends[inward]]))
    outside = np.concatenate((ends[outward], starts[inward]))
    pairs = np.unique(inside * size + outside)
    counts: IntArray = np.bincount(pairs // size, minlength=len(rows))
    return counts
