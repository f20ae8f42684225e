"""A graph of many nodes: named as far as there is room, plain while it moves, filtered in place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from mvdesk.ui.plots.graph_filter import NO_FILTER, GraphFilter, find_kept, take_part
from mvdesk.ui.plots.graph_heads import HeadAtlas, paint_heads
from mvdesk.ui.plots.graph_item import paint_head
from mvdesk.ui.plots.graph_picture import LANE_PX, GraphPicture, find_lanes

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.plots.graph_scene import GraphView

NODES = 400


def _picture(nodes: int = NODES, links: int = 900) -> GraphPicture:
    rng = np.random.default_rng(3)
    kinds = ["note", "fact", "journal"]
    relations = ["related", "supports", "contradicts", "likes"]
    return GraphPicture(
        ids=tuple(f"m{n}" for n in range(nodes)),
        labels=tuple(f"Memory {n}" for n in range(nodes)),
        types=tuple(kinds[n % 3] for n in range(nodes)),
        confidence=rng.random(nodes),
        importance=rng.random(nodes),
        archived=np.arange(nodes) % 10 == 0,
        positions=rng.uniform(-900, 900, (nodes, 2)),
        edges=rng.integers(0, nodes, (links, 2)),
        relations=tuple(relations[n % 4] for n in range(links)),
    )


@pytest.fixture
def bulk(graph: GraphView, qtbot: QtBot) -> GraphView:
    graph.resize(900, 600)
    graph.set_graph(_picture())
    return graph


def _render(view: GraphView) -> QImage:
    image = QImage(view.size(), QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    view.render(painter)
    painter.end()
    return image


def test_titles_never_overlap_and_are_thinned(bulk: GraphView) -> None:
    boxes = [label.box for label in bulk.placed_labels]
    assert 5 < len(boxes) < 60
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            apart = one.left + one.width <= other.left or other.left + other.width <= one.left
            above = one.top + one.height <= other.top or other.top + other.height <= one.top
            assert apart or above


def test_the_weighty_ones_are_named(bulk: GraphView) -> None:
    picture = bulk.picture
    named = [label.node for label in bulk.placed_labels if label.node is not None]
    assert picture.importance[named].mean() > 0.8


def test_the_selected_node_is_always_named(bulk: GraphView) -> None:
    least = int(bulk.picture.importance.argmin())
    bulk.set_selected(f"m{least}")
    assert least in [label.node for label in bulk.placed_labels]


def test_a_selected_node_out_of_view_is_not_named(qtbot: QtBot, bulk: GraphView) -> None:
    bulk.set_selected("m0")
    assert 0 in [label.node for label in bulk.placed_labels]
    bulk.scroll_by(bulk.node_point("m0").x() + 60.0, 0.0)
    assert bulk.node_point("m0").x() < 0
    qtbot.waitUntil(lambda: 0 not in [label.node for label in bulk.placed_labels])


def test_something_is_painted_and_pointing_changes_it(qtbot: QtBot, bulk: GraphView) -> None:
    before = _render(bulk)
    ground = before.pixelColor(2, 2)
    middle = before.copy(200, 100, 500, 300)
    colors = {middle.pixelColor(x, y).rgb() for x in range(0, 500, 7) for y in range(0, 300, 7)}
    assert len(colors - {ground.rgb()}) > 10
    qtbot.mouseMove(bulk.viewport(), bulk.node_point("m5"))
    assert _render(bulk) != before


def test_labels_go_along_while_it_moves(qtbot: QtBot, bulk: GraphView) -> None:
    label = bulk.placed_labels[0]
    assert label.node is not None
    node_id = f"m{label.node}"
    before = bulk.node_point(node_id)
    bulk.scroll_by(40.0, 0.0)
    moved = next(one for one in bulk.placed_labels if one.node == label.node)
    shift = bulk.node_point(node_id).x() - before.x()
    assert shift == pytest.approx(-40, abs=1)
    assert moved.box.left - label.box.left == pytest.approx(shift, abs=1.5)


def test_a_preview_recolours_many_nodes(bulk: GraphView) -> None:
    before = _render(bulk)
    nothing = np.zeros(NODES)
    bulk.set_scores(nothing, bulk.picture.importance)
    assert _render(bulk) != before
    with pytest.raises(ValueError, match="every node"):
        bulk.set_scores(nothing[:5], nothing[:5])


@pytest.mark.parametrize(
    "wanted",
    [
        GraphFilter(relations_off=frozenset({"supports"})),
        GraphFilter(types_off=frozenset({"fact"})),
        GraphFilter(hidden=frozenset({"m1", "m2"})),
        GraphFilter(contradictions=True),
    ],
)
def test_a_filter_leaves_out_and_moves_nothing(bulk: GraphView, wanted: GraphFilter) -> None:
    whole = bulk.picture
    places = {key: bulk.node_point(key) for key in whole.ids}
    bulk.set_filter(wanted)
    part = bulk.picture
    assert len(part) < len(whole) or len(part.edges) < len(whole.edges)
    assert all(bulk.node_point(key) == places[key] for key in part.ids)
    assert not wanted.relations_off & set(part.relations)
    assert not wanted.types_off & set(part.types)
    assert not wanted.hidden & set(part.ids)
    bulk.set_filter(NO_FILTER)
    assert bulk.picture is whole


def test_the_centre_is_never_left_out(drawn_graph: Callable[..., GraphPicture]) -> None:
    picture = drawn_graph(4)
    wanted = GraphFilter(
        types_off=frozenset(picture.types), hidden=frozenset(picture.ids), contradictions=True
    )
    part = take_part(picture, *find_kept(picture, wanted))
    assert part.ids == (picture.ids[picture.centre or 0],)
    assert part.centre == 0


@pytest.mark.parametrize(
    ("relation", "has_gaps", "has_head"),
    [("related", False, False), ("supports", False, True), ("contradicts", True, True)],
)
def test_dash_and_head_tell_a_relation_among_thousands_of_links(
    bulk: GraphView, relation: str, has_gaps: bool, has_head: bool
) -> None:
    picture = _picture(links=5_000)
    positions = picture.positions.copy()
    positions[:, 0] -= 2_000  # all but two memories stand aside
    positions[-2:] = (-500.0, 0.0), (900.0, 0.0)
    edges = picture.edges % (NODES - 2)
    edges[0] = NODES - 2, NODES - 1
    relations = (relation, *picture.relations[1:])
    bulk.set_graph(replace(picture, positions=positions, edges=edges, relations=relations))
    start, end = bulk.node_point(f"m{NODES - 2}"), bulk.node_point(f"m{NODES - 1}")
    image = _render(bulk)
    ground = QColor(bulk.grab().toImage().pixel(3, 3)).rgb()

    def inked(x: int, reach: int) -> int:
        ys = range(start.y() - reach, start.y() + reach + 1)
        return sum(image.pixel(x, y) != ground for y in ys)

    along = [inked(x, 1) for x in range(start.x() + 40, end.x() - 40)]
    assert (0 in along) == has_gaps
    assert max(along) > 0
    tips = [inked(x, 4) for x in range(end.x() - 22, end.x() - 6)]
    assert (max(tips) > max(along) + 1) == has_head


def test_of_counters_that_would_lie_on_one_another_the_largest_is_seen(bulk: GraphView) -> None:
    beyond = np.zeros(NODES, dtype=np.intp)
    beyond[:40] = np.arange(40) + 1
    picture = replace(_picture(), beyond=beyond)
    bulk.set_graph(picture)
    bulk.zoom_by(4.0)
    seen = bulk.badges
    assert seen[0].text == "+40"
    assert 1 < len(seen) < 40
    boxes = [badge.box for badge in seen]
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            beside = one.left >= other.left + other.width or other.left >= one.left + one.width
            above = one.top >= other.top + other.height or other.top >= one.top + one.height
            assert beside or above
    assert bulk.badge_point("m39") is not None


def test_links_of_the_same_pair_run_side_by_side() -> None:
    lanes = find_lanes(np.array([(0, 1), (2, 3), (1, 0), (0, 1)]))
    assert lanes.tolist() == [-LANE_PX, 0.0, 0.0, LANE_PX]


@pytest.mark.parametrize("head", ["bar", "circle", "diamond", "triangle", "open_triangle", "none"])
@pytest.mark.parametrize("way", ["bulk", "stamped"])
def test_heads_in_bulk_look_as_one_by_one(qapp: object, head: str, way: str) -> None:
    def paint(in_bulk: bool) -> np.ndarray:
        image = QImage(120, 120, QImage.Format.Format_ARGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tips, headings = np.array([(40.0, 40.0), (90.0, 80.0)]), np.array([(1.0, 0.0), (0.6, 0.8)])
        color, ground = QColor("black"), QColor("white")
        if in_bulk and way == "stamped":
            atlas = HeadAtlas()
            atlas.prepare(ground, 1.0)
            atlas.stamp(painter, head, tips, headings, color, 1.0)
        elif in_bulk:
            paint_heads(painter, head, tips, headings, color, ground, 1.0)
        else:
            for tip, heading in zip(tips.tolist(), headings.tolist(), strict=True):
                paint_head(painter, head, tip, heading, color, ground, 1.0)
        painter.end()
        return np.frombuffer(image.constBits(), dtype=np.uint8).reshape(120, 120, 4)[..., 0].copy()

    one, many = paint(False).astype(float), paint(True).astype(float)
    dark = (255 - one).sum()
    assert (dark > 0) == (head != "none")
    # Stamps stand on whole pixels and in one of 64 directions.
    assert np.abs(one - many).sum() <= (0.4 if way == "bulk" else 0.7) * dark
    assert abs((255 - many).sum() - dark) <= 0.25 * dark
