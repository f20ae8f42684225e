"""Where the nodes of a large graph go, by igraph's Fruchterman-Reingold.

Up to some hundred nodes hanging together are relaxed by their stress then, which evens out how
long links are and leaves the middle room; many more start from a rough layout.
Components are laid out one by one and packed, memories without links stand in a block below:
in one layout for all of them, strangers would fly away. igraph holds the interpreter's lock,
so this runs in a process of its own; `arrange_plainly` does without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.graphs.components import find_components
from mvdesk.graphs.draws import Draws
from mvdesk.graphs.packing import make_block, pack_rows
from mvdesk.graphs.pivots import compute_pivot_layout, draw_in, even_out
from mvdesk.graphs.spacing import push_apart
from mvdesk.graphs.stress import relax_stress

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray, IntArray

LEAST_DISTANCE: Final = 54.0
"""Nodes are pushed this far apart, in px at zoom 1: the largest node's diameter and air."""
EDGE_LENGTH: Final = 84.0

_SPREAD: Final = 0.62  # how much room a node has, in least distances
_KEPT_SHARE: Final = 0.6
"""With this share of the nodes placed before, those stay where they were."""
_STEPS: Final = 200
_FEW_STEPS: Final = 40
_EVENING: Final = 0.5
_LOOSENING: Final = (2.0, 1.5)  # in least distances
_RELAXING: Final = 60
_SETTLED: Final = 0.01  # in links
_MANY: Final = 500  # nodes from which the layout starts from a rough one
_MARGIN: Final = 90.0


def compute_bulk_layout(
    node_count: int,
    edges: IntArray,
    seed: int,
    known: FloatArray | None = None,
    pinned: BoolArray | None = None,
) -> FloatArray:
    """Positions of `node_count` nodes, shape (n, 2), in px at zoom 1, y downwards.

    `edges` are pairs of node numbers. `known` are the positions of before, NaN for newcomers:
    when most nodes have one they keep it to the last bit, and newcomers come in near their
    neighbours. Else all is laid out afresh, except for what is `pinned`. Equal arguments give
    equal positions.
    """
    pairs = _plain_pairs(edges)
    before = np.full((node_count, 2), np.nan) if known is None else known
    placed: BoolArray = np.isfinite(before[:, 0])
    if node_count and placed.mean() >= _KEPT_SHARE:
        return _bring_in(before, placed, pairs)
    positions = _lay_out_afresh(node_count, pairs, seed)
    held = placed & pinned if pinned is not None else np.zeros(node_count, dtype=np.bool_)
    positions[held] = before[held]
    return push_apart(positions, LEAST_DISTANCE, held) if held.any() else positions


def arrange_plainly(
    node_count: int, edges: IntArray, known: FloatArray | None = None
) -> FloatArray:
    """Positions on a spiral, what hangs together side by side: for when a layout fails.

    At once at any size. What has a place in `known` keeps it when most have one, as in
    `compute_bulk_layout`; a few among a spiral would only be in its way.
    """
    pairs = _plain_pairs(edges)
    roots = find_components(pairs[:, 0], pairs[:, 1], node_count)
    sizes = np.bincount(roots, minlength=node_count)[roots]
    order = np.lexsort((np.arange(node_count), roots, -sizes))
    positions = np.empty((node_count, 2))
    positions[order] = _spiral(node_count)
    if known is not None:
        placed = np.isfinite(known).all(axis=1)
        if node_count and placed.mean() >= _KEPT_SHARE:
            positions[placed] = known[placed]
    return positions


def _spiral(count: int) -> FloatArray:
    number = np.arange(count)
    turn, reach = number * (np.pi * (3.0 - 5.0**0.5)), LEAST_DISTANCE * 0.62 * np.sqrt(number)
    points: FloatArray = np.column_stack((np.cos(turn), np.sin(turn))) * reach[:, None]
    return points


def _plain_pairs(edges: IntArray) -> IntArray:
    """Each linked pair once, no node with itself."""
    pairs = np.sort(np.asarray(edges, dtype=np.intp).reshape(-1, 2), axis=1)
    unique: IntArray = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
    return unique


def _lay_out_afresh(node_count: int, pairs: IntArray, seed: int) -> FloatArray:
    positions = np.zeros((node_count, 2))
    roots = find_components(pairs[:, 0], pairs[:, 1], node_count)
    sizes = np.bincount(roots, minlength=node_count)[roots]
    alone = np.flatnonzero(sizes == 1)
    order = np.lexsort((np.arange(node_count), roots, -sizes))[: node_count - len(alone)]
    firsts = np.flatnonzero(np.diff(roots[order], prepend=-1))
    members = np.split(order, firsts[1:]) if len(order) else []
    place = np.empty(node_count, dtype=np.intp)
    place[order] = np.arange(len(order)) - np.repeat(firsts, [len(part) for part in members])
    by_root = np.argsort(roots[pairs[:, 0]], kind="stable")
    grouped = pairs[by_root]
    keys = roots[grouped[:, 0]]
    parts = []
    for rows in members:
        root = roots[rows[0]]
        low, high = np.searchsorted(keys, [root, root + 1])
        parts.append(_lay_out_part(len(rows), place[grouped[low:high]], seed))
    for rows, part in zip(members, pack_rows(parts, _MARGIN), strict=True):
        positions[rows] = part
    if len(alone):
        block = make_block(len(alone), LEAST_DISTANCE)
        lowest = positions[order, 1].max() + _MARGIN if len(order) else 0.0
        positions[alone] = block + np.array([0.0, lowest])
    return positions


def _lay_out_part(size: int, pairs: IntArray, seed: int) -> FloatArray:
    if size == 2:
        return np.array([[-EDGE_LENGTH / 2, 0.0], [EDGE_LENGTH / 2, 0.0]])
    # Here alone, for start-up time: the window refers to this module and never lays out.
    import igraph

    igraph.set_random_number_generator(Draws(seed))
    graph = igraph.Graph(size, pairs.tolist())
    if size > _MANY:
        drawn = graph.layout_fruchterman_reingold(
            seed=compute_pivot_layout(graph, seed).tolist(),
            niter=_FEW_STEPS,
            start_temp=np.sqrt(size) / 10,
            grid="grid",
        )
    else:
        drawn = graph.layout_fruchterman_reingold(niter=_STEPS, grid="nogrid")
    positions = np.array(drawn.coords, dtype=np.float64)
    if size > _MANY:
        positions = even_out(draw_in(positions), _EVENING)
    else:
        distances = np.array(graph.distances(), dtype=np.float64)
        positions = relax_stress(positions, distances, steps=_RELAXING, settled=_SETTLED)
    positions -= positions.mean(axis=0)
    way = positions[pairs[:, 0]] - positions[pairs[:, 1]]
    middle = float(np.median(np.hypot(way[:, 0], way[:, 1])))
    spread = float(np.sqrt((positions**2).sum(axis=1).mean()))
    wide = _SPREAD * LEAST_DISTANCE * np.sqrt(size)
    positions *= max(EDGE_LENGTH / max(middle, 1e-9), wide / max(spread, 1e-9))
    if size > _MANY:
        # Forces draw the many into the middle: it takes the room that is left around it.
        for wider in _LOOSENING:
            positions = push_apart(positions, LEAST_DISTANCE * wider)
    return push_apart(positions, LEAST_DISTANCE)


def _bring_in(before: FloatArray, placed: BoolArray, pairs: IntArray) -> FloatArray:
    """Newcomers beside their neighbours, hop by hop; those without any below everything."""
    positions, known = before.copy(), placed.copy()
    both = np.concatenate((pairs, pairs[:, ::-1]))
    while True:
        ways = both[~known[both[:, 0]] & known[both[:, 1]]]
        if not len(ways):
            break
        fresh, at, counts = np.unique(ways[:, 0], return_inverse=True, return_counts=True)
        sums = np.zeros((len(fresh), 2))
        np.add.at(sums, at.reshape(-1), positions[ways[:, 1]])
        turn = fresh * (np.pi * (3.0 - 5.0**0.5))
        aside = np.column_stack((np.cos(turn), np.sin(turn))) * EDGE_LENGTH
        positions[fresh] = sums / counts[:, None] + aside
        known[fresh] = True
    strangers = np.flatnonzero(~known)
    if len(strangers):
        middle = (before[placed, 0].min() + before[placed, 0].max()) / 2
        lowest = np.nanmax(positions[known, 1]) + LEAST_DISTANCE * 1.5
        below = make_block(len(strangers), LEAST_DISTANCE)
        positions[strangers] = below + np.array([middle, lowest])
    return push_apart(positions, LEAST_DISTANCE, placed) if not placed.all() else positions
