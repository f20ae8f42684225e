from __future__ import annotations

import numpy as np

from mvdesk.graphs.neighbourhood import count_beyond, find_neighbourhood


def rows(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def test_links_are_followed_in_both_directions_and_the_centre_comes_first() -> None:
    found = find_neighbourhood(rows(0, 2, 3), rows(1, 0, 2), centre=0, depth=1)
    assert found.rows.tolist() == [0, 1, 2]
    assert found.hops.tolist() == [0, 1, 1]
    assert found.edges.tolist() == [0, 1]
    assert found.ends.tolist() == [[0, 1], [2, 0]]
    assert found.truncated == 0


def test_depth_counts_links_from_the_centre() -> None:
    chain = rows(0, 1, 2), rows(1, 2, 3)
    assert find_neighbourhood(*chain, centre=0, depth=0).rows.tolist() == [0]
    deep = find_neighbourhood(*chain, centre=0, depth=3)
    assert deep.rows.tolist() == [0, 1, 2, 3]
    assert deep.hops.tolist() == [0, 1, 2, 3]


def test_the_strongest_links_get_the_room_and_what_is_left_out_is_counted() -> None:
    star = rows(0, 0, 0, 4), rows(1, 2, 3, 0)
    strength = np.array([0.01, -0.09, 0.05, 0.02])
    found = find_neighbourhood(*star, centre=0, depth=1, limit=3, strength=strength)
    assert found.rows.tolist() == [0, 2, 3]
    assert found.truncated == 2
    assert found.edges.tolist() == [1, 2]


def test_equal_strengths_go_by_row() -> None:
    found = find_neighbourhood(rows(9, 9, 9), rows(5, 3, 4), centre=9, depth=1, limit=3)
    assert found.rows.tolist() == [9, 3, 4]


def test_a_memory_linked_twice_counts_with_its_strongest_link() -> None:
    found = find_neighbourhood(
        rows(0, 0, 0),
        rows(1, 2, 1),
        centre=0,
        depth=1,
        limit=2,
        strength=np.array([0.1, 0.5, 0.9]),
    )
    assert found.rows.tolist() == [0, 1]
    assert found.edges.tolist() == [0, 2]


def test_orphan_links_and_links_to_oneself_are_passed_over() -> None:
    found = find_neighbourhood(rows(0, -1, 0, 0), rows(-1, 0, 0, 1), centre=0, depth=2)
    assert found.rows.tolist() == [0, 1]
    assert found.edges.tolist() == [3]


def test_a_memory_without_links_is_alone() -> None:
    found = find_neighbourhood(rows(), rows(), centre=7, depth=3)
    assert found.rows.tolist() == [7]
    assert found.ends.shape == (0, 2)


def test_links_among_the_neighbours_are_part_of_the_picture() -> None:
    found = find_neighbourhood(rows(0, 0, 1, 2), rows(1, 2, 2, 3), centre=0, depth=1)
    assert found.edges.tolist() == [0, 1, 2]


def test_a_full_first_hop_leaves_no_room_for_the_second() -> None:
    found = find_neighbourhood(rows(0, 0, 1), rows(1, 2, 3), centre=0, depth=2, limit=3)
    assert found.rows.tolist() == [0, 1, 2]
    assert found.truncated == 1


def test_barred_memories_lead_no_further_unless_they_are_opened() -> None:
    chain = rows(0, 1, 2, 3), rows(1, 2, 3, 4)
    barred = np.array([True, True, False, False, False])
    stopped = find_neighbourhood(*chain, centre=0, depth=3, barred=barred)
    assert stopped.rows.tolist() == [0, 1]
    assert stopped.truncated == 0
    opened = find_neighbourhood(*chain, centre=0, depth=3, barred=barred, opened=np.array([1]))
    assert opened.rows.tolist() == [0, 1, 2, 3]


def test_opened_memories_lead_on_past_the_depth() -> None:
    chain = rows(0, 1, 2, 3), rows(1, 2, 3, 4)
    found = find_neighbourhood(*chain, centre=0, depth=1, opened=np.array([1, 2, 77]))
    assert found.rows.tolist() == [0, 1, 2, 3]
    assert found.hops.tolist() == [0, 1, 2, 3]
    short = find_neighbourhood(*chain, centre=0, depth=1, limit=3, opened=np.array([1, 2]))
    assert short.rows.tolist() == [0, 1, 2]
    assert short.truncated == 1


def test_what_lies_beyond_counts_every_memory_once() -> None:
    starts, ends = rows(0, 5, 0, 0, 1, -1, 2), rows(5, 0, 6, 1, 6, 0, 2)
    assert count_beyond(starts, ends, np.array([0, 1, 2])).tolist() == [2, 1, 0]
    assert count_beyond(rows(), rows(), np.array([0])).tolist() == [0]
