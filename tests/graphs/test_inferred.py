"""Links that shared tags suggest."""

from __future__ import annotations

import math

from mvdesk.graphs.inferred import InferredEdge, find_inferred
from mvdesk.scoring.rounding import round3


def test_a_tag_that_two_share_is_not_enough_but_two_tags_are() -> None:
    assert find_inferred([["a"], ["a"]], limit=10) == []
    (edge,) = find_inferred([["a", "b"], ["b", "x", "a"]], limit=10)
    assert edge == InferredEdge(0, 1, round3(2 / math.sqrt(2)), ("a", "b"))


def test_common_tags_say_less() -> None:
    lists = [["a", "b"], ["a", "b"], ["b"], ["b"]]
    (edge,) = find_inferred(lists, limit=10)
    assert edge.score == round3(1 / math.sqrt(2) + 1 / math.sqrt(4))


def test_of_a_very_common_tag_the_first_thirty_count() -> None:
    lists = [["a", "b", "c", "d", "e"]] * 31
    edges = find_inferred(lists, limit=1000)
    assert len(edges) == 30 * 29 // 2
    assert {edge.other for edge in edges} == set(range(1, 30))


def test_the_best_are_kept() -> None:
    lists = [["x", "y"], ["x", "y"], ["a", "b", "c"], ["a", "b", "c"]]
    best, second = find_inferred(lists, limit=2)
    assert (best.one, best.other) == (2, 3)
    assert (second.one, second.other) == (0, 1)
    assert find_inferred(lists, limit=1) == [best]
