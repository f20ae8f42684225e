"""Layouts of large graphs: apart, packed, steady."""

from __future__ import annotations

import numpy as np
import pytest

from mvdesk.graphs.bulk_layout import (
    LEAST_DISTANCE,
    arrange_plainly,
    compute_bulk_layout,
)
from mvdesk.graphs.packing import make_block, pack_rows
from mvdesk.graphs.pivots import draw_in, even_out
from mvdesk.graphs.spacing import find_near_pairs, push_apart


def _edges(nodes: int, links: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, nodes, (links, 2))


def test_equal_arguments_give_equal_positions() -> None:
    edges = _edges(300, 500)
    first = compute_bulk_layout(300, edges, seed=7)
    np.testing.assert_array_equal(first, compute_bulk_layout(300, edges, seed=7))


def test_nodes_are_apart() -> None:
    positions = compute_bulk_layout(1500, _edges(1500, 4500), seed=7)
    assert len(find_near_pairs(positions, LEAST_DISTANCE * 0.8)) < 15


def test_near_pairs_are_those_that_every_pair_looked_at_would_find() -> None:
    positions = np.random.default_rng(4).uniform(-300, 300, (200, 2))
    away = np.hypot(*(positions[:, None] - positions).transpose(2, 0, 1))
    expected = {(a, b) for a, b in np.argwhere(away < 40).tolist() if a < b}
    found = {(min(pair), max(pair)) for pair in find_near_pairs(positions, 40.0).tolist()}
    assert found == expected
    assert len(find_near_pairs(np.empty((0, 2)), 40.0)) == 0


def test_what_hangs_together_is_nearer_than_strangers() -> None:
    chain = [(n, n + 1) for n in range(19)]
    other = [(n, n + 1) for n in range(20, 24)]
    positions = compute_bulk_layout(26, np.array(chain + other), seed=7)
    reach = np.hypot(*(positions - positions[:20].mean(axis=0)).T)
    assert reach[20:].min() > 100
    # The strangers are beside, none flew away.
    assert reach.max() < 3 * reach[:20].max()


def test_memories_without_links_stand_in_rows_below() -> None:
    positions = compute_bulk_layout(40, np.array([(0, 1), (1, 2)]), seed=7)
    assert positions[3:, 1].min() > positions[:3, 1].max()
    assert len(np.unique(positions[3:, 1])) < 8


def test_nothing_and_one_and_a_link_to_itself() -> None:
    assert compute_bulk_layout(0, np.empty((0, 2)), seed=7).shape == (0, 2)
    np.testing.assert_array_equal(compute_bulk_layout(1, np.array([(0, 0)]), seed=7), [[0, 0]])
    assert arrange_plainly(0, np.empty((0, 2))).shape == (0, 2)


def test_a_hub_of_ten_thousand_links_is_laid_out() -> None:
    edges = np.array([(0, n) for n in range(1, 10_001)])
    positions = compute_bulk_layout(10_001, np.concatenate((edges, edges)), seed=7)
    assert np.isfinite(positions).all()


def test_known_nodes_stay_and_newcomers_come_in_near_their_neighbours() -> None:
    edges = _edges(500, 1200)
    before = compute_bulk_layout(500, edges, seed=7)
    newcomers = [(500 + n, n * 7) for n in range(20)]
    more = np.concatenate((edges, newcomers, [(520, 500)]))
    known = np.concatenate((before, np.full((23, 2), np.nan)))
    after = compute_bulk_layout(523, more, seed=7, known=known)
    np.testing.assert_array_equal(after[:500], before)
    for new, old in newcomers:
        assert np.hypot(*(after[new] - before[old])) < 4 * LEAST_DISTANCE
    assert after[521:, 1].min() > before[:, 1].max()  # without links: below
    np.testing.assert_array_equal(compute_bulk_layout(500, edges, seed=7, known=before), before)


def test_pins_stay_when_all_else_is_laid_out_afresh() -> None:
    known = np.full((50, 2), np.nan)
    known[3], known[4] = (900.0, 0.0), (0.0, 0.0)
    pinned = np.zeros(50, dtype=np.bool_)
    pinned[3] = True
    positions = compute_bulk_layout(50, _edges(50, 90), seed=7, known=known, pinned=pinned)
    np.testing.assert_array_equal(positions[3], (900.0, 0.0))


def test_the_plain_arrangement_keeps_what_is_known() -> None:
    known = np.full((9, 2), np.nan)
    known[:6] = (5.0, 6.0)
    positions = arrange_plainly(9, np.array([(0, 1)]), known)
    np.testing.assert_array_equal(positions[:6], known[:6])
    assert np.isfinite(positions).all()


def test_a_few_known_ones_join_the_plain_arrangement() -> None:
    known = np.full((9, 2), np.nan)
    known[:2] = (5.0, 6.0)
    positions = arrange_plainly(9, np.array([(0, 1)]), known)
    np.testing.assert_array_equal(positions, arrange_plainly(9, np.array([(0, 1)])))


@pytest.mark.parametrize("held", [None, np.array([True, True])])
def test_nodes_on_one_another_part_unless_held(held: np.ndarray | None) -> None:
    after = push_apart(np.zeros((2, 2)), 10.0, held)
    assert (np.hypot(*(after[0] - after[1])) > 9.9) == (held is None)
    assert len(push_apart(np.zeros((1, 2)), 10.0)) == 1


def test_parts_in_rows_keep_off_one_another() -> None:
    rng = np.random.default_rng(2)
    parts = [rng.uniform(-size, size, (9, 2)) for size in sorted(range(5, 125), reverse=True)]
    placed = pack_rows(parts, 20.0)
    low = np.array([part.min(axis=0) for part in placed])
    high = np.array([part.max(axis=0) for part in placed])
    gaps = np.maximum(low[:, None] - high, low - high[:, None]).max(axis=2)
    np.fill_diagonal(gaps, np.inf)
    assert gaps.min() > 19.9
    width, height = high.max(axis=0) - low.min(axis=0)
    assert 0.7 < width / height < 2.5
    np.testing.assert_allclose((low[0] + high[0]) / 2, 0.0, atol=1e-9)
    assert pack_rows([], 20.0) == []


def test_the_outermost_are_drawn_in_and_keep_their_order() -> None:
    far = np.append(np.arange(100.0), [1_000.0, 9_000.0])
    after = draw_in(np.column_stack((far, np.zeros(102))))[:, 0]
    assert (np.diff(after) > 0).all()
    assert after[-1] < 500
    np.testing.assert_allclose(after[10:80], far[10:80])


def test_a_crowd_in_the_middle_takes_more_room_and_nobody_overtakes() -> None:
    rng = np.random.default_rng(1)
    crowded = rng.normal(size=(600, 2)) ** 3

    def reaches(positions: np.ndarray) -> np.ndarray:
        return np.hypot(*(positions - np.median(crowded, axis=0)).T)

    before, after = reaches(crowded), reaches(even_out(crowded, 0.5))
    assert np.array_equal(np.argsort(before), np.argsort(after))
    assert np.median(after) / after.max() > 2 * np.median(before) / before.max()
    assert np.allclose(even_out(crowded, 0.0), crowded)


def test_a_block_is_wider_than_high() -> None:
    width, height = np.ptp(make_block(300, 10.0), axis=0)
    assert width > 2 * height
    assert make_block(0, 10.0).shape == (0, 2)
