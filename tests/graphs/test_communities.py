"""Communities: found, ranked by size, always the same."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from mvdesk.graphs.communities import compute_communities


def _clique(first: int, size: int) -> list[tuple[int, int]]:
    return list(combinations(range(first, first + size), 2))


def test_the_largest_comes_first_and_who_is_alone_is_in_none() -> None:
    edges = np.array([*_clique(0, 4), *_clique(4, 6), (3, 4), (11, 11)])
    found = compute_communities(12, edges, seed=7)
    assert found.tolist() == [1] * 4 + [0] * 6 + [-1, -1]


def test_of_equal_size_the_lower_memory_comes_first() -> None:
    edges = np.array([*_clique(5, 5), *_clique(0, 5)])
    assert compute_communities(10, edges, seed=7).tolist() == [0] * 5 + [1] * 5


def test_equal_arguments_give_equal_communities() -> None:
    edges = np.random.default_rng(3).integers(0, 400, (900, 2))
    first = compute_communities(400, edges, seed=7)
    np.testing.assert_array_equal(first, compute_communities(400, edges[:, ::-1], seed=7))
    assert first.max() > 3


def test_without_links_nobody_is_in_a_community() -> None:
    assert compute_communities(3, np.empty((0, 2)), seed=7).tolist() == [-1, -1, -1]
    assert len(compute_communities(0, np.empty((0, 2)), seed=7)) == 0
