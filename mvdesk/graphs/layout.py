"""Where the nodes of a graph picture go: stress majorisation, then overlaps pushed apart.

Stress (distance on paper close to distance in links) keeps neighbours near and hubs round,
and starts from a fixed seed, so the same graph always looks the same. It costs n² a step,
which is right for a picture of some hundred nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.graphs.stress import find_lengths, relax_stress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import BoolArray, FloatArray, IntArray

EDGE_LENGTH: Final = 112.0
"""The distance of two linked nodes that the layout aims at, in px at zoom 1."""
MIN_DISTANCE: Final = 60.0
"""No two free nodes end up nearer, in px at zoom 1: the largest node's diameter and air."""

_STRESS_STEPS: Final = 30
_PUSH_STEPS: Final = 90
_SPOTS: Final = 32  # looked at together; most nodes find room among the first
_SETTLED_PX: Final = 0.8
_FAR_COMPONENT: Final = 1.3  # how much further than the longest path strangers stand apart


def compute_layout(
    node_count: int,
    edges: IntArray,
    *,
    seed: int,
    fixed: Mapping[int, tuple[float, float]] | None = None,
    centre: int | None = None,
    aspect: float = 1.5,
) -> FloatArray:
    """Positions of `node_count` nodes, shape (n, 2), in px at zoom 1, y downwards.

    `edges` are pairs of node numbers, shape (m, 2). Nodes in `fixed` stay exactly where they
    are; the others settle around them. The `centre` node lies at (0, 0) unless it is fixed
    elsewhere; without one the picture is centred there. `aspect` is how much wider than high
    the picture may grow. Equal arguments give equal positions.
    """
    positions = np.zeros((node_count, 2))
    if node_count == 0:
        return positions
    anchors = dict(fixed or {})
    if centre is not None and anchors:
        anchors.setdefault(centre, (0.0, 0.0))
    distances = _link_distances(node_count, edges)
    held = np.zeros(node_count, dtype=np.bool_)
    held[list(anchors)] = True
    positions = _first_guess(node_count, distances, centre, seed)
    positions = _place_near_anchors(positions, distances, anchors)
    positions = relax_stress(
        positions, distances, steps=_STRESS_STEPS, settled=_SETTLED_PX, held=held
    )
    if not anchors:
        positions *= np.array([aspect**0.5, aspect**-0.5])
        positions *= _density(positions)
    positions = _push_apart(positions, held)
    if not anchors:
        middle = positions.mean(axis=0) if centre is None else positions[centre]
        positions = positions - middle
    return positions


def _link_distances(node_count: int, edges: IntArray) -> FloatArray:
    """Ideal distances in px of every pair: links between them times the edge length."""
    pairs = np.asarray(edges, dtype=np.intp).reshape(-1, 2)
    both = np.concatenate((pairs, pairs[:, ::-1]))
    both = both[np.argsort(both[:, 0], kind="stable")]
    linked, firsts = np.unique(both[:, 0], return_index=True)
    reached = np.eye(node_count, dtype=np.bool_)
    hops = np.where(reached, 0.0, np.inf)
    # Not as a product of matrices: for so few nodes its threads wait for one another longest.
    for distance in range(1, node_count if len(both) else 0):
        fresh = np.zeros_like(reached)
        fresh[linked] = np.logical_or.reduceat(reached[both[:, 1]], firsts)
        fresh &= ~reached
        if not fresh.any():
            break
        hops[fresh] = distance
        reached |= fresh
    longest = float(hops[reached].max())
    hops[~reached] = max(1.5, longest * _FAR_COMPONENT)
    ideal: FloatArray = hops * EDGE_LENGTH
    return ideal


def _first_guess(
    node_count: int, distances: FloatArray, centre: int | None, seed: int
) -> FloatArray:
    """Rings around the centre, a ring per hop; golden angles so that none coincide."""
    generator = np.random.default_rng(seed)
    hub = int(distances.sum(axis=1).argmin()) if centre is None else centre
    order = np.lexsort((np.arange(node_count), distances[hub]))
    turn = np.empty(node_count)
    turn[order] = np.arange(node_count) * (np.pi * (3.0 - 5.0**0.5))
    turn += generator.uniform(0.0, 0.3, node_count)
    rings: FloatArray = distances[hub][:, None] * np.column_stack((np.cos(turn), np.sin(turn)))
    return rings


def _place_near_anchors(
    positions: FloatArray, distances: FloatArray, anchors: Mapping[int, tuple[float, float]]
) -> FloatArray:
    """The first guess moved to what is fixed: every node starts by its nearest anchor."""
    if not anchors:
        return positions
    places = np.array(list(anchors.values()), dtype=np.float64)
    rows = np.array(list(anchors), dtype=np.intp)
    nearest = distances[:, rows].argmin(axis=1)
    heading = positions - positions[rows[nearest]]
    length = np.hypot(heading[:, 0], heading[:, 1])[:, None]
    away = distances[np.arange(len(positions)), rows[nearest]][:, None]
    moved: FloatArray = places[nearest] + heading / np.maximum(length, 1e-9) * away
    moved[rows] = places
    return moved


def _density(positions: FloatArray) -> float:
    """How much the picture should grow so that most nodes have air, and no more than that."""
    if len(positions) < 2:
        return 1.0
    nearest = np.sort(find_lengths(positions).min(axis=1))
    crowded = float(nearest[len(nearest) // 4])
    wanted = MIN_DISTANCE * (1.1 + 7.0 / (8.0 + len(positions)))
    return min(max(wanted / max(crowded, 1.0), 0.45), 2.5)


def _push_apart(positions: FloatArray, held: BoolArray) -> FloatArray:
    """Nodes that are too near move away from each other until none is."""
    positions = positions.copy()
    wanted = MIN_DISTANCE * 1.04
    for _ in range(_PUSH_STEPS):
        lengths = find_lengths(positions)
        near = lengths < MIN_DISTANCE
        near &= ~(held[:, None] & held[None, :])
        if not near.any():
            return positions
        first, second = np.nonzero(near)
        heading = positions[first] - positions[second]
        length = lengths[first, second]
        # Exactly on one another: any direction will do, as long as it is always the same.
        same = length < 1e-6
        turn = (first[same] * 7 + second[same] * 7) * 1.0
        side = np.where(first[same] < second[same], 1.0, -1.0)
        heading[same] = np.column_stack((np.cos(turn), np.sin(turn))) * side[:, None]
        length = np.where(same, 1.0, length)
        gap = np.where(same, wanted, wanted - length)
        share = np.where(held[second], 1.0, 0.5)
        push = heading / length[:, None] * (gap * share)[:, None]
        moves = np.zeros_like(positions)
        np.add.at(moves, first, push)
        moves[held] = 0.0
        positions += moves
    return _find_room(positions, held)


def _find_room(positions: FloatArray, held: BoolArray) -> FloatArray:
    """The last resort for a crowd that pushing didn't part, as between pinned nodes.

    Each free node that is too near another goes to the nearest free spot on a spiral.
    """
    for node in np.flatnonzero(~held):
        others = np.delete(positions, node, axis=0)
        first = 0
        while True:  # the spiral grows past everything that can block it
            spots = positions[node] + _spiral(first, first + _SPOTS)
            away = spots[:, None, :] - others
            free = ((away**2).sum(axis=2) >= MIN_DISTANCE**2).all(axis=1)
            if free.any():
                positions[node] = spots[free.argmax()]
                break
            first += _SPOTS
    return positions


def _spiral(first: int, last: int) -> FloatArray:
    """Points of a spiral round the origin that cover the plane evenly, from the inside out."""
    step = np.arange(first, last)
    turn, reach = step * (np.pi * (3.0 - 5.0**0.5)), MIN_DISTANCE * 0.35 * np.sqrt(step)
    points: FloatArray = np.column_stack((np.cos(turn), np.sin(turn))) * reach[:, None]
    return points
