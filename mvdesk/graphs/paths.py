"""The best paths between two memories: complete, by looking at the most promising first.

A path is worth the mean weight of its links, so paths of different lengths can't be compared
link by link. For every number of links that may remain, a backward pass finds the best that a
walk from a memory to the goal can still add; walks may turn back where paths may not, so that
is never too little, and the first whole path that comes up is the best there is.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mvdesk.scoring.rounding import round3

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray, IntArray

Rows = npt.NDArray[np.integer[Any]]

MAX_STEPS: Final = 400_000
"""Steps after which a search that found no end says so: a few seconds."""

_SLACK: Final = 1e-9  # sums made in another order may differ in the last bits


class LinkPath(NamedTuple):
    """A way from one memory to another.

    `rows` are the memories passed, both ends included, `links` the links between them. `total`
    is the sum of their weights, `mean` that sum by link; both rounded to three decimals.
    """

    rows: tuple[int, ...]
    links: tuple[int, ...]
    total: float
    mean: float


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths, the best first. `is_complete`: there is none that is better and missing.

    `explored` counts the paths that were come upon, `steps` the links that were followed.
    """

    paths: tuple[LinkPath, ...]
    is_complete: bool
    explored: int
    steps: int


def find_paths(
    from_rows: Rows,
    to_rows: Rows,
    weights: FloatArray,
    start: int,
    goal: int,
    *,
    max_hops: int,
    limit: int,
    max_steps: int = MAX_STEPS,
) -> Paths:
    """The best `limit` paths of at most `max_hops` links that visit no memory twice.

    Links count in both directions; those to a memory that isn't there (−1) or to itself are
    passed over, and each of several links between two memories makes a path of its own. The
    best mean weight (to three decimals) comes first, then fewer links.
    Follows vault.md, "Paths".
    """
    if start == goal:
        return Paths((LinkPath((start,), (), 0.0, 1.0),), True, 1, 0)
    levels = _look_back(from_rows, to_rows, weights, start, goal, max_hops)
    return _search(levels, start, goal, limit, max_steps)


class _Level:
    """The links that can begin a walk of so many links to the goal, by the memory they leave."""

    __slots__ = ("bounds", "firsts", "links", "nexts", "nodes", "weights")

    def __init__(
        self, at: IntArray, nexts: IntArray, weights: FloatArray, rest: FloatArray, links: IntArray
    ) -> None:
        bounds = weights + rest
        order = np.lexsort((links, -bounds, at))  # per memory, the most promising link first
        self.nexts, self.weights, self.links = nexts[order], weights[order], links[order]
        self.bounds: FloatArray = bounds[order]
        self.nodes, firsts = np.unique(at[order], return_index=True)
        self.firsts: IntArray = np.append(firsts, len(order))

    def span(self, node: int) -> tuple[int, int]:
        """Where the links that leave `node` are, from and to."""
        place = int(np.searchsorted(self.nodes, node))
        if place == len(self.nodes) or self.nodes[place] != node:
            return 0, 0
        return int(self.firsts[place]), int(self.firsts[place + 1])


def _look_back(
    from_rows: Rows, to_rows: Rows, weights: FloatArray, start: int, goal: int, max_hops: int
) -> list[_Level]:
    """One level per number of links that remain, 1 first; memories too far off left out."""
    usable = np.flatnonzero((from_rows >= 0) & (to_rows >= 0) & (from_rows != to_rows))
    starts, ends = from_rows[usable].astype(np.intp), to_rows[usable].astype(np.intp)
    worth = weights[usable]
    size = 1 + max(start, goal, int(starts.max(initial=0)), int(ends.max(initial=0)))
    distance = _distances(starts, ends, start, size, max_hops - 1)
    best = np.full(size, -np.inf)
    best[goal] = 0.0
    levels: list[_Level] = []
    for remaining in range(1, max_hops + 1):
        near = distance <= max_hops - remaining
        near[goal] = False  # a path that gets there has ended
        reaching = np.isfinite(best)
        outward = np.flatnonzero(near[starts] & reaching[ends])
        inward = np.flatnonzero(near[ends] & reaching[starts])
        at = np.concatenate((starts[outward], ends[inward]))
        nexts = np.concatenate((ends[outward], starts[inward]))
        links = np.concatenate((outward, inward))
        level = _Level(at, nexts, worth[links], best[nexts], usable[links])
        levels.append(level)
        best = np.full(size, -np.inf)
        best[level.nodes] = level.bounds[level.firsts[:-1]]
    return levels


def _distances(starts: IntArray, ends: IntArray, start: int, size: int, most: int) -> IntArray:
    """Links from `start` to every memory, as far as `most`; more than that is much."""
    distance = np.full(size, size + most, dtype=np.intp)
    distance[start] = 0
    fresh: BoolArray = np.zeros(size, dtype=np.bool_)
    fresh[start] = True
    for hop in range(1, most + 1):
        rows = np.concatenate((ends[fresh[starts]], starts[fresh[ends]]))
        rows = rows[distance[rows] > hop]
        distance[rows] = hop
        fresh = np.zeros(size, dtype=np.bool_)
        fresh[rows] = True
    return distance


class _Part(NamedTuple):
    """The beginning of a path, and where the next link to try is in its level."""

    rows: tuple[int, ...]
    links: tuple[int, ...]
    total: float
    at: int
    end: int


def _search(levels: list[_Level], start: int, goal: int, limit: int, max_steps: int) -> Paths:
    ticket = count()
    heap: list[tuple[float, int, bool, int, _Part | LinkPath]] = []

    def offer(part: _Part, hops: int) -> None:
        """Queue the next link of a part that doesn't lead back, under the best it can become."""
        level = levels[hops - len(part.links) - 1]
        at = part.at
        while at < part.end and int(level.nexts[at]) in part.rows:
            at += 1
        if at < part.end:
            mean = (part.total + float(level.bounds[at])) / hops
            key = -round3(mean + _SLACK)
            heapq.heappush(heap, (key, hops, True, next(ticket), part._replace(at=at)))

    for hops in range(1, len(levels) + 1):
        offer(_Part((start,), (), 0.0, *levels[hops - 1].span(start)), hops)
    found: list[LinkPath] = []
    steps = 0
    while heap and len(found) < limit and steps < max_steps:
        _, hops, _, _, part = heapq.heappop(heap)
        if isinstance(part, LinkPath):
            found.append(part)
            continue
        steps += 1
        offer(part._replace(at=part.at + 1), hops)
        level = levels[hops - len(part.links) - 1]
        row = int(level.nexts[part.at])
        rows = (*part.rows, row)
        links = (*part.links, int(level.links[part.at]))
        total = part.total + float(level.weights[part.at])
        if row == goal:
            path = LinkPath(rows, links, round3(total), round3(total / hops))
            heapq.heappush(heap, (-path.mean, hops, False, next(ticket), path))
        else:
            span = levels[hops - len(links) - 1].span(row)
            offer(_Part(rows, links, total, *span), hops)
    return Paths(tuple(found), steps < max_steps or len(found) == limit, len(found), steps)
