"""What lies how far off, what hangs together, and what a signal reaches."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mvdesk.graphs.components import find_components
from mvdesk.graphs.reach import find_reached
from mvdesk.graphs.spread import spread_signal

Pairs = list[tuple[int, int]]

COUNT = 9
pairs = st.lists(st.tuples(st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)), max_size=14)


def columns(links: Pairs) -> tuple[np.ndarray, np.ndarray]:
    ends = list(zip(*links, strict=True)) or [(), ()]
    return np.array(ends[0], dtype=np.int32), np.array(ends[1], dtype=np.int32)


def distances(links: Pairs, seeds: list[int]) -> dict[int, int]:
    found = dict.fromkeys(seeds, 0)
    queue = list(found)
    for here in queue:
        for one, other in links:
            for start, end in ((one, other), (other, one)):
                if start == here and end not in found:
                    found[end] = found[here] + 1
                    queue.append(end)
    return found


@given(links=pairs, seeds=st.lists(st.integers(0, COUNT - 1), min_size=1), depth=st.integers(0, 4))
def test_everything_within_reach_is_found_at_its_distance(
    links: Pairs, seeds: list[int], depth: int
) -> None:
    rows, hops = find_reached(*columns(links), seeds, depth=depth, limit=100)
    found = dict(zip(rows.tolist(), hops.tolist(), strict=True))
    near = {row: hop for row, hop in distances(links, seeds).items() if hop <= depth}
    assert found == near
    assert sorted(hops.tolist()) == hops.tolist()


def test_the_limit_keeps_those_come_upon_first() -> None:
    links = [(0, 5), (7, 0), (0, 3), (5, 1)]
    rows, hops = find_reached(*columns(links), [0], depth=3, limit=3)
    assert rows.tolist() == [0, 5, 7]
    assert hops.tolist() == [0, 1, 1]
    rows, _ = find_reached(*columns(links), [0, 5, 7], depth=3, limit=2)
    assert rows.tolist() == [0, 5, 7]  # seeds are never cut


@given(links=pairs)
def test_components_are_what_is_linked_over_any_number_of_links(links: Pairs) -> None:
    roots = find_components(*columns(links), COUNT)
    for row in range(COUNT):
        assert roots[row] == min(distances(links, [row]))


def test_a_long_thin_component_is_one() -> None:
    order = np.random.default_rng(5).permutation(5000)
    roots = find_components(order[:-1], order[1:], 5000)
    assert not roots.any()


def test_links_to_nowhere_join_nothing() -> None:
    roots = find_components(np.array([0, -1]), np.array([-1, 1]), 2)
    assert roots.tolist() == [0, 1]


def test_signals_multiply_by_link_add_up_by_memory_and_fade_by_hop() -> None:
    starts, ends = columns([(0, 1), (0, 2), (1, 3), (2, 3)])
    first, second = spread_signal(starts, ends, np.array([1.0, 0.5, 0.9, 0.8]), 0, hops=2)
    assert dict(zip(*map(list, first), strict=True)) == {1: 1.0, 2: 0.5}
    reached = dict(zip(second.rows.tolist(), second.signals.tolist(), strict=True))
    assert math.isclose(reached[3], (0.9 + 0.4) * 0.62)
    assert math.isclose(reached[0], (1.0 + 0.25) * 0.62)


def test_signals_that_are_too_weak_are_dropped() -> None:
    starts, ends = columns([(0, 1), (0, 2), (0, 2), (3, 0)])
    (arrived,) = spread_signal(starts, ends, np.array([0.03, 0.05, -0.05, 0.04]), 0, hops=1)
    # Too weak a product, and two that cancel out; exactly 0.04 is enough.
    assert arrived.rows.tolist() == [3]


def test_no_hops_reach_nothing() -> None:
    assert spread_signal(*columns([(0, 1)]), np.ones(1), 0, hops=0) == []
    (arrived,) = spread_signal(*columns([]), np.empty(0), 0, hops=1)
    assert arrived.rows.tolist() == []
