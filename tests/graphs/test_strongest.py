"""Which memories a capped picture holds."""

from __future__ import annotations

import numpy as np

from mvdesk.graphs.strongest import Strongest, find_strongest

FROM = np.array([0, 0, 1, 3, 4, 4, -1, 2])
TO = np.array([1, 2, 2, 4, 3, 4, 0, -1])
WEIGHTS = np.array([0.9, 0.8, -0.7, 0.1, 0.1, 1.0, 1.0, 1.0])
IMPORTANCE = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.9])


def _find(limit: int, allowed: range = range(6)) -> Strongest:
    return find_strongest(FROM, TO, WEIGHTS, IMPORTANCE, np.array(allowed, dtype=int), limit)


def test_the_strongest_links_come_first_whatever_their_sign() -> None:
    found = _find(3)
    assert found.rows.tolist() == [0, 1, 2]
    assert found.edges.tolist() == [0, 1, 2]
    assert found.ends.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert found.total == 6


def test_without_a_limit_all_are_there_and_links_that_lead_nowhere_are_not() -> None:
    found = _find(100)
    assert found.rows.tolist() == list(range(6))
    assert found.edges.tolist() == [0, 1, 2, 3, 4]


def test_among_equals_the_more_important_ones_come_first() -> None:
    assert _find(4).rows.tolist() == [0, 1, 2, 4]


def test_only_allowed_memories_and_links_among_them_count() -> None:
    found = _find(2, range(2, 6))
    assert found.rows.tolist() == [3, 4]
    assert found.total == 4
    assert _find(5, range(0)).rows.tolist() == []
