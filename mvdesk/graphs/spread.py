"""A signal that travels from one memory over links and gets weaker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, IntArray

Rows = npt.NDArray[np.integer[Any]]

LEAST_SIGNAL: Final = 0.04
DAMPING: Final = 0.62


class Arrivals(NamedTuple):
    """What arrived in one hop: memories, each once, and the damped signal each got."""

    rows: IntArray
    signals: FloatArray


def spread_signal(
    from_rows: Rows, to_rows: Rows, weights: FloatArray, seed: int, *, hops: int
) -> list[Arrivals]:
    """What arrives per hop when a signal of 1 starts at `seed`, hop 1 first.

    Links count in both directions and multiply the signal by their weight. Products below 0.04
    in size are dropped, what meets at a memory adds up, hop d damps the sum by 0.62^(d−1),
    again dropping below 0.04, and goes on from there, from the seed too when it comes back.
    Follows vault.md, "Reinforce".
    """
    frontier = Arrivals(np.array([seed], dtype=np.intp), np.ones(1))
    arrivals: list[Arrivals] = []
    for hop in range(1, hops + 1):
        frontier = _one_hop(from_rows, to_rows, weights, frontier, DAMPING ** (hop - 1))
        arrivals.append(frontier)
    return arrivals


def _one_hop(
    from_rows: Rows, to_rows: Rows, weights: FloatArray, frontier: Arrivals, damping: float
) -> Arrivals:
    size = 1 + max(int(rows.max(initial=0)) for rows in (from_rows, to_rows, frontier.rows))
    place = np.full(size, -1, dtype=np.intp)
    place[frontier.rows] = np.arange(len(frontier.rows))
    outward = np.flatnonzero(place[from_rows] >= 0)
    inward = np.flatnonzero(place[to_rows] >= 0)
    links = np.concatenate((outward, inward))
    sources = np.concatenate((place[from_rows[outward]], place[to_rows[inward]]))
    targets = np.concatenate((to_rows[outward], from_rows[inward])).astype(np.intp)
    # Memory after memory, link after link, as the server adds them up: sums of three or more
    # may differ in the last bit otherwise, and so may the third decimal.
    order = np.lexsort((links, sources))
    signals = frontier.signals[sources[order]] * weights[links[order]]
    kept = np.abs(signals) >= LEAST_SIGNAL
    signals, targets = signals[kept], targets[order][kept]
    rows, first, group = np.unique(targets, return_index=True, return_inverse=True)
    sums = np.bincount(group, weights=signals, minlength=len(rows)) * damping
    by_arrival = np.argsort(first)
    rows, sums = rows[by_arrival], sums[by_arrival]
    strong = np.abs(sums) >= LEAST_SIGNAL
    return Arrivals(rows[strong], sums[strong])
