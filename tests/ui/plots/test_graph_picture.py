from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.ui.plots.graph_fit import LARGEST_FIT_ZOOM, compute_fit
from mvdesk.ui.plots.graph_labels import LabelBox, LabelPlacer, flow_entries
from mvdesk.ui.plots.graph_picture import (
    LANE_PX,
    GraphPicture,
    compute_edge_lines,
    find_lanes,
    find_next_node,
    find_node_at,
    find_radii,
    find_ramp_steps,
)

if TYPE_CHECKING:
    from collections.abc import Callable

AREA = LabelBox(0.0, 0.0, 500.0, 300.0)


def test_area_grows_with_importance_from_radius_8_to_24() -> None:
    radii = find_radii(np.array([0.0, 0.5, 1.0, 2.0, np.nan]))
    assert radii[[0, 2, 3, 4]].tolist() == [8.0, 24.0, 24.0, 8.0]
    assert radii[1] ** 2 == pytest.approx((8.0**2 + 24.0**2) / 2)


def test_confidence_falls_into_five_steps() -> None:
    steps = find_ramp_steps(np.array([0.0, 0.19, 0.2, 0.5, 0.81, 1.0, -1.0, 3.0, np.nan]))
    assert steps.tolist() == [0, 0, 1, 2, 4, 4, 0, 4, 0]


def test_links_of_the_same_two_memories_run_side_by_side() -> None:
    edges = np.array([[0, 1], [1, 0], [1, 2]])
    lanes = find_lanes(edges)
    assert lanes[:2].tolist() == [-LANE_PX / 2, LANE_PX / 2]
    assert lanes[2] == 0.0
    places = np.array([[0.0, 0.0], [200.0, 0.0], [200.0, 90.0]])
    lines = compute_edge_lines(places, np.full(3, 10.0), edges, lanes)
    there, back = lines.starts[0, 1], lines.starts[1, 1]
    assert {there, back} == {-LANE_PX / 2, LANE_PX / 2}
    assert find_lanes(np.empty((0, 2), dtype=np.intp)).tolist() == []


def test_edges_run_from_border_to_border() -> None:
    places = np.array([[0.0, 0.0], [100.0, 0.0]])
    lines = compute_edge_lines(
        places, np.array([10.0, 20.0]), np.array([[1, 0]]), np.zeros(1), gap=3.0
    )
    assert lines.starts.tolist() == [[77.0, 0.0]]
    assert lines.ends.tolist() == [[13.0, 0.0]]
    assert lines.headings.tolist() == [[-1.0, 0.0]]
    assert lines.shown.tolist() == [True]


def test_an_edge_between_touching_nodes_is_not_drawn() -> None:
    places = np.array([[0.0, 0.0], [20.0, 0.0]])
    lines = compute_edge_lines(places, np.full(2, 10.0), np.array([[0, 1]]), np.zeros(1))
    assert lines.shown.tolist() == [False]


def test_a_small_node_can_be_hit_a_little_beside() -> None:
    places, radii = np.array([[50.0, 50.0], [90.0, 50.0]]), np.array([4.0, 20.0])
    assert find_node_at(places, radii, 60.0, 50.0) == 0
    assert find_node_at(places, radii, 72.0, 50.0) == 1
    assert find_node_at(places, radii, 50.0, 80.0) is None
    assert find_node_at(np.empty((0, 2)), np.empty(0), 1.0, 1.0) is None


def test_arrow_keys_prefer_a_linked_node_and_reach_every_other(
    drawn_graph: Callable[..., GraphPicture],
) -> None:
    spots = np.array([[0.0, 0.0], [200.0, 0.0], [90.0, 10.0], [0.0, -80.0]])
    picture = drawn_graph(4, [(0, 1)], positions=spots)
    assert find_next_node(picture, 0, (1.0, 0.0)) == 1
    assert find_next_node(picture, 0, (0.0, -1.0)) == 3
    assert find_next_node(picture, 0, (0.0, 1.0)) is None
    assert find_next_node(picture, 0, (-1.0, 0.0)) is None


def test_neighbours_are_found_in_both_directions_once(
    drawn_graph: Callable[..., GraphPicture],
) -> None:
    picture = drawn_graph(4, [(2, 0), (0, 1), (1, 0), (0, 0)])
    assert picture.neighbours_of(0).tolist() == [1, 2]
    assert picture.neighbours_of(3).tolist() == []


def test_the_table_has_a_row_for_every_node(drawn_graph: Callable[..., GraphPicture]) -> None:
    picture = drawn_graph(3)
    assert picture.table() == [
        ("Memory number 0", "note", "0.000", "1.000", 2),
        ("Memory number 1", "fact", "0.500", "0.500", 1),
        ("Memory number 2", "journal", "1.000", "0.000", 1),
    ]
    assert picture.describe() == "3 memories, 2 links."
    said = "Memory number 1, fact, confidence 0.500, importance 0.500, 1 link, archived"
    assert picture.describe_node(1) == said
    assert GraphPicture.empty().table() == []


@pytest.mark.parametrize("view", [(520, 300), (288, 300), (900, 240), (200, 700)])
@pytest.mark.parametrize("nodes", [1, 2, 9, 60])
def test_all_nodes_fit_and_none_come_nearer(
    drawn_graph: Callable[..., GraphPicture], nodes: int, view: tuple[int, int]
) -> None:
    picture = drawn_graph(nodes)
    radii = find_radii(picture.importance)
    fit = compute_fit(picture.positions, radii, *view, scale=1.0)
    places = (picture.positions * fit.stretch - np.array([fit.left, fit.top])) * fit.zoom
    assert (places > 0).all()
    assert (places < np.array(view)).all()
    assert fit.zoom <= LARGEST_FIT_ZOOM
    assert (fit.stretch >= 1.0).all()
    assert fit.stretch.min() == 1.0


def test_labels_go_below_their_node_and_elsewhere_when_that_is_taken() -> None:
    places = np.array([[100.0, 100.0], [100.0, 125.0]])
    placer = LabelPlacer(places, np.array([10.0, 10.0]), AREA, 4)
    assert placer.place_by_node(1, 60.0, 14.0) == LabelBox(70.0, 138.0, 60.0, 14.0)
    assert placer.place_by_node(0, 60.0, 14.0) == LabelBox(70.0, 73.0, 60.0, 14.0)


def test_a_crowded_label_is_left_out_unless_it_must_be_there() -> None:
    placer = LabelPlacer(np.array([[30.0, 30.0]]), np.array([10.0]), LabelBox(0, 0, 60, 60), 4)
    assert placer.place_by_node(0, 58.0, 30.0) is None
    forced = placer.place_by_node(0, 58.0, 30.0, must=True)
    assert forced == LabelBox(1.0, 30.0, 58.0, 30.0)


def test_a_label_is_replaced_by_a_longer_one_only_where_that_fits() -> None:
    placer = LabelPlacer(np.array([[100.0, 100.0], [200.0, 100.0]]), np.full(2, 10.0), AREA, 2)
    one = placer.place_by_node(0, 60.0, 14.0)
    other = placer.place_by_node(1, 60.0, 14.0)
    assert one is not None
    assert other is not None
    longer = placer.replace_by_node(one, 0, 120.0, 14.0)
    assert longer == LabelBox(40.0, 113.0, 120.0, 14.0)
    assert placer.replace_by_node(longer, 0, 480.0, 14.0) is None
    again = placer.replace_by_node(longer, 0, 118.0, 14.0)
    assert again == LabelBox(41.0, 113.0, 118.0, 14.0)


def test_labels_stay_out_of_blocked_boxes() -> None:
    placer = LabelPlacer(np.array([[100.0, 100.0]]), np.array([10.0]), AREA, 4)
    placer.block(LabelBox(0.0, 110.0, 500.0, 40.0))
    box = placer.place_by_node(0, 60.0, 14.0)
    assert box is not None
    assert box.top < 100.0


def test_a_label_that_must_be_there_is_not_hidden_by_a_blocked_box() -> None:
    places = np.array([[100.0, 100.0], [100.0, 74.0], [135.0, 92.0], [65.0, 92.0]])
    placer = LabelPlacer(places, np.full(4, 14.0), AREA, 4)
    map_box = LabelBox(0.0, 112.0, 500.0, 200.0)
    placer.block(map_box)
    assert placer.place_by_node(0, 60.0, 14.0) is None
    forced = placer.place_by_node(0, 60.0, 14.0, must=True)
    assert forced is not None
    assert forced.top + forced.height <= map_box.top


def test_a_label_keeps_off_the_links_where_it_can() -> None:
    place, radius = np.array([[100.0, 100.0]]), np.array([10.0])
    below = np.array([[100.0, 112.0, 100.0, 190.0]])
    assert LabelPlacer(place, radius, AREA, 1).place_by_node(0, 60.0, 14.0) == LabelBox(
        70.0, 113.0, 60.0, 14.0
    )
    placer = LabelPlacer(place, radius, AREA, 1, below)
    assert placer.place_by_node(0, 60.0, 14.0) == LabelBox(70.0, 73.0, 60.0, 14.0)
    around = np.array(
        [[100.0, 100.0, x, y] for x, y in ((100, 400), (100, 0), (400, 100), (0, 100))]
    )
    crowded = LabelPlacer(place, radius, AREA, 1, around)
    assert crowded.place_by_node(0, 60.0, 14.0) is not None


def test_an_edge_too_short_for_its_text_has_none() -> None:
    placer = LabelPlacer(np.empty((0, 2)), np.empty(0), AREA, 4)
    start = np.array([100.0, 100.0])
    assert placer.place_on_line(start, np.array([150.0, 110.0]), 40.0, 14.0) is None
    middle = placer.place_on_line(start, np.array([200.0, 100.0]), 40.0, 14.0)
    assert middle == LabelBox(130.0, 93.0, 40.0, 14.0)
    beside = placer.place_on_line(start, np.array([300.0, 100.0]), 40.0, 14.0)
    assert beside is not None
    assert beside.left >= 172.0


def test_legend_entries_wrap_like_words() -> None:
    boxes, height = flow_entries([50, 60, 40], available=120, line=20, gap=10)
    assert [(box.left, box.top) for box in boxes] == [(0, 0), (60, 0), (0, 20)]
    assert height == 40
    assert flow_entries([], available=120, line=20, gap=10) == ([], 0.0)
