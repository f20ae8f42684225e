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
    size = 1 + max(centre, int(from_rows.max(initial=0)), int(to_rows.max(initial=0)))
    follows, always = _find_open(size, centre, barred, opened)
    kept = np.zeros(size + 1, dtype=np.bool_)  # the last for rows of −1
    kept[centre] = True
    rows, hops = [np.array([centre], dtype=np.intp)], [np.zeros(1, dtype=np.intp)]
    room = max(limit, 1) - 1
    hop, is_full = 0, False
    while True:
        hop += 1
        sources = kept & (follows if hop <= depth else always)
        links = _links_from(from_rows, to_rows, sources)
        weights = np.ones(len(links)) if strength is None else np.abs(strength[links])
        starts, ends = from_rows[links].astype(np.intp), to_rows[links].astype(np.intp)
        found = _strongest_first(starts, ends, weights, kept, sources)
        is_full |= len(found) > room
        found = found[:room]
        if not len(found):
            if hop > depth:
                break
            continue
        kept[found] = True
        room -= len(found)
        rows.append(found)
        hops.append(np.full(len(found), hop, dtype=np.intp))

    shown = np.concatenate(rows)
    inside = np.flatnonzero(kept[from_rows] & kept[to_rows])
    inside = inside[from_rows[inside] != to_rows[inside]]
    place = np.empty(size, dtype=np.intp)
    place[shown] = np.arange(len(shown))
    left_out = 0
    if is_full:
        reached = _count_reached(from_rows, to_rows, centre, depth, follows, always)
        left_out = reached - len(shown)
    return Neighbourhood(
        rows=shown,
        hops=np.concatenate(hops),
        edges=inside,
        ends=np.column_stack((place[from_rows[inside]], place[to_rows[inside]])),
        truncated=left_out,
    )


def _links_from(from_rows: Rows, to_rows: Rows, sources: BoolArray) -> IntArray:
    """The links between two memories that are there, one of them a source.

    Two passes over all ends, whatever their number, and no copies of them.
    """
    if not sources.any():
        return np.empty(0, dtype=np.intp)
    links = np.flatnonzero(sources[from_rows] | sources[to_rows])
    starts, ends = from_rows[links], to_rows[links]
    usable: IntArray = links[(starts >= 0) & (ends >= 0) & (starts != ends)]
    return usable


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
    """The rows whose links are followed within the depth, and those where it is always so.

    Both with a place at the end for rows of −1, which lead nowhere.
    """
    follows, always = np.ones(size + 1, dtype=np.bool_), np.zeros(size + 1, dtype=np.bool_)
    if barred is not None:
        # Rows past the last linked one have no links to follow.
        count = min(len(barred), size)
        follows[:count] = ~barred[:count]
    if opened is not None:
        always[opened[opened < size]] = True
    follows |= always
    follows[centre] = True
    follows[size] = False
    return follows, always


def _count_reached(
    from_rows: Rows,
    to_rows: Rows,
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
        links = _links_from(from_rows, to_rows, reached & (follows if hop < depth else always))
        reached[from_rows[links]] = reached[to_rows[links]] = True
        hop += 1
    return int(reached.sum())


def count_beyond(from_rows: Rows, to_rows: Rows, rows: IntArray) -> IntArray:
    """How many memories are linked with each of some rows and aren't among them.

    Each counts once, however many links lead there; links as in `find_neighbourhood`.
    """
    size = 1 + max(
        int(rows.max(initial=0)), int(from_rows.max(initial=0)), int(to_rows.max(initial=0))
    )
    is_one = np.zeros(size + 1, dtype=np.bool_)  # the last for rows of −1
    is_one[rows] = True
    links = np.flatnonzero(is_one[from_rows] != is_one[to_rows])
    links = links[(from_rows[links] >= 0) & (to_rows[links] >= 0)]
    starts, ends = from_rows[links].astype(np.intp), to_rows[links].astype(np.intp)
    is_out = is_one[starts]
    place = np.empty(size, dtype=np.intp)
    place[rows] = np.arange(len(rows))
    inside, outside = np.where(is_out, starts, ends), np.where(is_out, ends, starts)
    pairs = np.unique(place[inside] * size + outside)
    counts: IntArray = np.bincount(pairs // size, minlength=len(rows))
    return counts
