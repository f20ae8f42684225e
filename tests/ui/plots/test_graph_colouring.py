"""What colours say, told without colour as well; the map in the corner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from mvdesk.ui.plots.graph_colouring import (
    MOST_NAMED,
    Colouring,
    colour_by_community,
    colour_by_component,
    colour_by_score,
    colour_by_source,
    name_communities,
)
from mvdesk.ui.plots.graph_filter import NO_FILTER, GraphFilter, find_kept, take_part
from mvdesk.ui.tokens import DARK, LIGHT, PALETTES, find_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.plots.graph_scene import GraphView


def test_the_most_frequent_sources_have_letters_and_the_rest_is_one() -> None:
    sources = [f"s{number:02}" for number in range(12) for _ in range(12 - number)] + [""] * 40
    colouring = colour_by_source(sources)
    assert [one.name for one in colouring.classes[:3]] == ["s00", "s01", "s02"]
    assert [one.mark for one in colouring.classes] == [*"ABCDEFGH", ""]
    assert colouring.codes[0] == 0
    assert colouring.codes[-1] == MOST_NAMED
    assert colouring.values[-1] == "no source"
    assert [one.name for one in colour_by_source(["a", ""]).classes] == [
        "a",
        "other sources or none",
    ]


def test_communities_are_numbered_and_named_after_their_most_linked_memory() -> None:
    members = np.array([0, 0, 1, -1, *range(2, 12)])
    names = name_communities(members, np.arange(14), [f"M{n}" for n in range(14)])
    assert names[:2] == ["M1", "M2"]
    colouring = colour_by_community(members, names)
    assert len(colouring.classes) == MOST_NAMED + 1
    assert colouring.codes[3] == colouring.codes[-1] == MOST_NAMED
    assert colouring.values[3] == "in no community"
    assert len(colour_by_community(np.array([-1]), []).classes) == 1


def test_a_component_is_told_by_sign_and_hatch() -> None:
    colouring = colour_by_component("Staleness", np.array([-0.2, -0.01, 0.0, 0.0001, 0.1]))
    assert colouring.codes.tolist() == [0, 2, 3, 3, 5]
    assert colouring.ends == ("−0.200", "+0.200")
    assert colouring.values == (
        "Staleness −0.200",
        "Staleness −0.010",
        "Staleness 0.000",
        "Staleness 0.000",
        "Staleness +0.100",
    )


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_fills_differ_in_every_palette(theme: str, palette: str) -> None:
    tokens = find_tokens(theme, palette)  # type: ignore[arg-type]
    colourings = [
        colour_by_source([f"s{number}" for number in range(9)]),
        colour_by_component("x", np.array([-1.0, 1.0])),
        colour_by_score("importance", np.array([0.1, 0.9])),
    ]
    for colouring in colourings:
        fills = colouring.fills(tokens)
        assert len(fills) == len(colouring.classes)
        assert len({fill.color for fill in fills}) == len(fills)
    signed = colourings[1].fills(tokens)
    lightness = [QColor(fill.color).lightnessF() for fill in signed]
    for side in (lightness[:4], lightness[3:][::-1]):
        towards_nothing = side if theme == "light" else [-one for one in side]
        assert towards_nothing == sorted(towards_nothing)


def test_a_filter_of_scores_sources_and_suggested_links(
    drawn_graph: Callable[..., GraphPicture],
) -> None:
    picture = drawn_graph(
        6,
        confidence=np.array([0.2, 0.3, 0.5, 0.7, 0.9, 1.0]),
        sources=("a", "b", "a", "", "b", "b"),
        centre=None,
        inferred=np.array([(1, 2), (4, 5)]),
        inferred_labels=("1 shared tag", "2 shared tags"),
    )
    ranged = GraphFilter(low=0.3, high=0.9)
    assert find_kept(picture, ranged)[0].tolist() == [1, 2, 3, 4]
    without_b = NO_FILTER.toggled("source", "b")
    assert find_kept(picture, without_b)[0].tolist() == [0, 2, 3]
    important = GraphFilter(score="importance", low=0.5)
    assert find_kept(picture, important)[0].tolist() == [0, 1, 2]
    part = take_part(picture, *find_kept(picture, GraphFilter(low=0.9)), inferred=True)
    assert part.ids == ("m4", "m5")
    assert part.inferred.tolist() == [[0, 1]]
    assert part.inferred_labels == ("2 shared tags",)
    none = take_part(picture, *find_kept(picture, NO_FILTER), inferred=False)
    assert none.inferred.shape == (0, 2)
    assert NO_FILTER.toggled("inferred", "").inferred


def _shot(view: GraphView) -> QImage:
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    view.render(painter)
    painter.end()
    return image


@pytest.mark.parametrize("nodes", [12, 260])
@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_classes_are_painted_and_one_for_other_nodes_is_passed_over(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture], nodes: int, tokens: object
) -> None:
    graph.set_tokens(tokens)  # type: ignore[arg-type]
    graph.set_graph(drawn_graph(nodes, centre=None, archived=np.zeros(nodes, dtype=np.bool_)))
    before = _shot(graph)
    members = np.arange(nodes) % 3
    colouring = colour_by_community(members, ["one", "two", "three"])
    graph.set_colouring(colouring)
    assert _shot(graph) != before
    entries = [entry.text for entry in graph.legend_entries if entry.code >= 0]
    assert entries[0] == f"one {int((members == 0).sum())}"
    graph.set_colouring(Colouring("source", "source", np.zeros(2, dtype=np.intp), ()))
    assert graph.colouring is not None
    assert graph.colouring.kind == "community"
    graph.set_graph(drawn_graph(5))
    assert graph.colouring is None


def test_the_map_is_there_while_a_part_is_seen_and_goes_where_it_is_dragged(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    picture = drawn_graph(60)
    graph.set_graph(picture)
    assert graph.overview_box.isEmpty()
    graph.zoom_by(0.2)
    box = graph.overview_box.toAlignedRect()
    assert graph.rect().contains(box)
    qtbot.waitUntil(
        lambda: all(
            label.box.left + label.box.width <= box.left()
            or label.box.top + label.box.height <= box.top()
            for label in graph.placed_labels
        )
    )
    before = graph.node_point("m0")
    qtbot.mousePress(graph.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    qtbot.mouseMove(graph.viewport(), box.topLeft() + QPoint(12, 12))
    qtbot.mouseRelease(graph.viewport(), Qt.MouseButton.LeftButton, pos=box.topLeft())
    after = graph.node_point("m0")
    assert after.x() > before.x()
    assert after.y() > before.y()
    graph.set_overview(False)
    assert graph.overview_box.isEmpty()
    graph.set_overview(True)
    graph.fit()
    assert graph.overview_box.isEmpty()
    graph.resize(260, 180)
    graph.zoom_by(0.2)
    assert graph.overview_box.isEmpty()  # no room for it


def test_suggested_links_are_said_on_them_and_are_no_links(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    picture = drawn_graph(
        4, [(0, 1)], inferred=np.array([(2, 3)]), inferred_labels=("2 shared tags",)
    )
    graph.set_filter(GraphFilter(inferred=True))
    graph.set_graph(
        picture.with_positions(np.array([(-300.0, -200), (300, -200), (-300, 200), (300, 200)]))
    )
    assert "2 shared tags" in [label.text for label in graph.placed_labels]
    assert picture.neighbours_of(2).tolist() == []
    assert picture.table()[2][4] == 0
    assert "1 suggested by shared tags" in picture.describe()
    graph.set_inferred(np.empty((0, 2), dtype=np.intp), ())
    assert not len(graph.picture.inferred)
