"""Paths as a MemoryVault server finds them, for comparing with its answers.

It looks at the 18 strongest links of each memory only, and gives up after 50,000 steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from mvdesk.graphs.paths import LinkPath, Paths
from mvdesk.scoring.rounding import round3

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray

Rows = npt.NDArray[np.integer[Any]]

STRONGEST_LINKS: Final = 18
MOST_STEPS: Final = 50_000


def find_server_paths(
    from_rows: Rows,
    to_rows: Rows,
    weights: FloatArray,
    start: int,
    goal: int,
    *,
    max_hops: int,
    limit: int,
) -> Paths:
    """As `paths.find_paths` within the server's limits.

    `is_complete` is False when the steps ran out. Of links equally strong the first in the
    arrays are taken.
    """
    if start == goal:
        return Paths((LinkPath((start,), (), 0.0, 1.0),), True, 1, 0)
    walk = _Walk(from_rows, to_rows, weights, goal, max_hops)
    walk.go_on(start, (start,), (), 0.0)
    found = sorted(walk.found, key=lambda path: (-path.mean, len(path.links)))
    return Paths(tuple(found[:limit]), walk.steps < MOST_STEPS, len(found), walk.steps)


class _Walk:
    def __init__(
        self, from_rows: Rows, to_rows: Rows, weights: FloatArray, goal: int, max_hops: int
    ) -> None:
        self._from, self._to, self._weights = from_rows, to_rows, weights
        self._goal, self._max_hops = goal, max_hops
        self._strongest: dict[int, list[tuple[int, int]]] = {}
        self.found: list[LinkPath] = []
        self.steps = 0

    def go_on(self, row: int, rows: tuple[int, ...], links: tuple[int, ...], total: float) -> None:
        """Follow the strongest links of the last memory of a path, deeper first."""
        if len(links) >= self._max_hops:
            return
        for link, other in self._links_of(row):
            if self.steps >= MOST_STEPS:
                return
            if other in rows:
                continue
            self.steps += 1
            longer, sum_ = (*links, link), total + float(self._weights[link])
            if other == self._goal:
                mean = round3(sum_ / len(longer))
                self.found.append(LinkPath((*rows, other), longer, round3(sum_), mean))
            else:
                self.go_on(other, (*rows, other), longer, sum_)

    def _links_of(self, row: int) -> list[tuple[int, int]]:
        """The links of a memory with the memory at the other end, the strongest first."""
        kept = self._strongest.get(row)
        if kept is None:
            touching = np.flatnonzero((self._from == row) | (self._to == row))
            touching = touching[np.argsort(-self._weights[touching], kind="stable")]
            ends = [
                (int(link), int(self._to[link] if self._from[link] == row else self._from[link]))
                for link in touching[:STRONGEST_LINKS]
            ]
            kept = self._strongest[row] = [(link, other) for link, other in ends if other >= 0]
        return kept
