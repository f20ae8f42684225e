from __future__ import annotations

import numpy as np
import pytest

from mvdesk.graphs.layout import MIN_DISTANCE, compute_layout

NO_EDGES = np.empty((0, 2), dtype=np.intp)


def star(leaves: int) -> np.ndarray:
    return np.column_stack((np.zeros(leaves, dtype=np.intp), np.arange(1, leaves + 1)))


def random_edges(nodes: int, edges: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, nodes, (edges, 2))


def nearest_distance(positions: np.ndarray) -> float:
    gaps = positions[:, None, :] - positions[None, :, :]
    lengths = np.hypot(gaps[..., 0], gaps[..., 1])
    np.fill_diagonal(lengths, np.inf)
    return float(lengths.min())


PICTURES = {
    "star of 150": (150, star(149)),
    "star of 8": (8, star(7)),
    "random 150": (150, random_edges(150, 300, 3)),
    "150 strangers": (150, NO_EDGES),
    "chain": (40, np.column_stack((np.arange(39), np.arange(1, 40)))),
    "clique": (30, np.array([(i, j) for i in range(30) for j in range(i)])),
    "two islands": (6, np.array([[0, 1], [1, 2], [3, 4], [4, 5]])),
    "doubled links and one to itself": (3, np.array([[0, 1], [1, 0], [2, 2], [0, 1]])),
}


@pytest.mark.parametrize("name", PICTURES)
def test_no_two_nodes_overlap(name: str) -> None:
    nodes, edges = PICTURES[name]
    positions = compute_layout(nodes, edges, seed=7, centre=0)
    assert positions.shape == (nodes, 2)
    assert np.isfinite(positions).all()
    assert nearest_distance(positions) >= MIN_DISTANCE - 1e-6


def test_equal_arguments_give_equal_positions() -> None:
    edges = random_edges(60, 90, 5)
    first = compute_layout(60, edges, seed=11, centre=4)
    assert np.array_equal(first, compute_layout(60, edges, seed=11, centre=4))
    assert not np.array_equal(first, compute_layout(60, edges, seed=12, centre=4))


def test_the_centre_lies_in_the_middle() -> None:
    positions = compute_layout(20, star(19), seed=1, centre=0)
    assert positions[0].tolist() == [0.0, 0.0]
    assert np.abs(positions[1:].mean(axis=0)).max() < 60


def test_without_a_centre_the_picture_is_centred() -> None:
    positions = compute_layout(9, star(8), seed=1)
    assert np.abs(positions.mean(axis=0)).max() < 1e-9


def test_fixed_nodes_stay_and_a_new_one_enters_by_its_neighbour() -> None:
    edges = star(11)
    before = compute_layout(12, edges, seed=3, centre=0)
    fixed = {row: (float(x), float(y)) for row, (x, y) in enumerate(before)}
    after = compute_layout(13, np.vstack((edges, [[5, 12]])), seed=3, centre=0, fixed=fixed)
    assert np.array_equal(after[:12], before)
    assert nearest_distance(after) >= MIN_DISTANCE - 1e-6
    new_to_neighbour = np.hypot(*(after[12] - after[5]))
    assert new_to_neighbour == min(new_to_neighbour, np.hypot(*(after[12] - after[0])))


def test_only_pinning_some_leaves_the_centre_at_the_origin() -> None:
    positions = compute_layout(5, star(4), seed=3, centre=0, fixed={2: (300.0, -40.0)})
    assert positions[2].tolist() == [300.0, -40.0]
    assert positions[0].tolist() == [0.0, 0.0]


def test_pinned_on_one_another_is_the_persons_choice() -> None:
    fixed = {1: (90.0, 0.0), 2: (90.0, 0.0)}
    positions = compute_layout(4, star(3), seed=3, centre=0, fixed=fixed)
    assert positions[1].tolist() == positions[2].tolist() == [90.0, 0.0]
    assert np.hypot(*(positions[3] - positions[1])) >= MIN_DISTANCE - 1e-6


def test_a_newcomer_finds_room_among_pinned_nodes_that_leave_none() -> None:
    spots = [(70.0 * column, 70.0 * row) for column in range(11) for row in range(11)]
    lattice = dict(enumerate(spots, start=1))
    edges = np.array([[0, node] for node in lattice])
    positions = compute_layout(len(lattice) + 1, edges, seed=3, fixed=lattice)
    assert nearest_distance(positions) >= MIN_DISTANCE - 1e-6
    assert positions[1:].tolist() == [list(spot) for spot in spots]


def test_everything_pinned_stays_as_it_is() -> None:
    fixed = {0: (0.0, 0.0), 1: (80.0, 10.0)}
    assert compute_layout(2, star(1), seed=3, fixed=fixed).tolist() == [[0.0, 0.0], [80.0, 10.0]]


def test_the_picture_is_wider_than_high_when_asked() -> None:
    wide = np.ptp(compute_layout(40, star(39), seed=2, centre=0, aspect=2.0), axis=0)
    tall = np.ptp(compute_layout(40, star(39), seed=2, centre=0, aspect=0.5), axis=0)
    assert wide[0] > 1.3 * wide[1]
    assert tall[1] > 1.3 * tall[0]


@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_tiny_graphs(nodes: int) -> None:
    positions = compute_layout(nodes, NO_EDGES, seed=1, centre=0 if nodes else None)
    assert positions.shape == (nodes, 2)
