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


def compute_pivot_layout(graph: igraph.Graph, seed: int) -> FloatArray:
    """Positions of a connected graph's nodes, shape (n, 2), about √n wide on the whole.

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
    positions /= max(float(np.sqrt((positions**2).mean())), 1e-9)
    chance = np.random.default_rng(seed).normal(size=positions.shape)
    rough: FloatArray = 0.5 * (positions * np.sqrt(size) + chance)
    return rough
