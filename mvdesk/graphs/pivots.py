"""A rough layout of a large graph at once: distances to some far-apart nodes, seen from the side.

Pivot multidimensional scaling (Brandes and Pich, 2007). Good at the whole, coarse in detail, so
a force layout that starts from it needs a fraction of its steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import igraph

    from mvdesk.arrays import FloatArray

_PIVOTS: Final = 50
_USUAL: Final = 0.9
_NEARLY_ALL: Final = 0.97


def compute_pivot_layout(graph: igraph.Graph, seed: int) -> FloatArray:
    """Positions of a connected graph's nodes, shape (n, 2), in a disc about √n wide.

    Nodes at equal distances from all pivots would lie on one another: a little chance, from
    the `seed`, parts them.
    """
    size = graph.vcount()
    nearest = np.full(size, np.inf)
    pivot, columns = 0, []
    for _ in range(min(_PIVOTS, size)):
        away = np.array(graph.distances(source=[pivot])[0], dtype=np.float64)
        columns.append(away)
        nearest = np.minimum(nearest, away)
        pivot = int(nearest.argmax())  # the one that is furthest from all so far
    squares = np.column_stack(columns) ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    positions = centred @ vectors[:, -2:]
    positions = spread_evenly(positions) * np.sqrt(size)
    chance = np.random.default_rng(seed).normal(size=positions.shape)
    rough: FloatArray = 0.5 * (positions + chance)
    return rough


def spread_evenly(positions: FloatArray) -> FloatArray:
    """Positions as evenly dense as in a disc of radius 1, each in its direction from the middle.

    Long chains reach far out and leave the many no room: only the order of distances counts.
    """
    away = positions - np.median(positions, axis=0)
    reach = np.hypot(away[:, 0], away[:, 1])
    rank = np.empty(len(reach))
    rank[np.argsort(reach, kind="stable")] = np.sqrt((np.arange(len(reach)) + 0.5) / len(reach))
    even: FloatArray = away / np.maximum(reach, 1e-9)[:, None] * rank[:, None]
    return even


def draw_in(positions: FloatArray) -> FloatArray:
    """Positions whose outermost tenth is drawn in: further away, but by ever less."""
    middle = np.median(positions, axis=0)
    away = positions - middle
    reach = np.maximum(np.hypot(away[:, 0], away[:, 1]), 1e-9)
    usual = float(np.quantile(reach, _USUAL))
    drawn = np.where(reach > usual, usual * (1.0 + np.log(reach / max(usual, 1e-9))), reach)
    nearer: FloatArray = middle + away * (drawn / reach)[:, None]
    return nearer


def even_out(positions: FloatArray, share: float) -> FloatArray:
    """Positions on their way to an even density: where a crowd is, it takes more room.

    Each stays in its direction from the middle, and none overtakes another; a `share` of 0
    changes nothing, one of 1 makes a disc.
    """
    middle = np.median(positions, axis=0)
    away = positions - middle
    reach = float(np.quantile(np.hypot(away[:, 0], away[:, 1]), _NEARLY_ALL))
    moved: FloatArray = middle + away * (1 - share) + spread_evenly(positions) * (reach * share)
    return moved
