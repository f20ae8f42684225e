"""Who gains around a seed: places, labels, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt

from mvdesk.ui.plots.heat_chart import HeatChart
from mvdesk.ui.plots.heat_layout import (
    HeatNode,
    HeatPlace,
    compute_heat_layout,
    describe_node,
    node_at,
)
from mvdesk.ui.theme import DARK

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

NODES = (
    HeatNode("seed", "The seed", 0.04, 0.06),
    HeatNode("near", "Gains", 0.014, 0.021, 0, "supports"),
    HeatNode("against", "Loses", -0.009, -0.014, 0, "contradicts", turned=True),
    HeatNode("far", "Gains a little", 0.004, 0.006, 1, "causes"),
)


@st.composite
def trees(draw: st.DrawFn) -> list[HeatNode]:
    count = draw(st.integers(1, 40))
    gain = st.floats(-0.5, 0.5)
    nodes = [HeatNode("0", "0", 0.04, 0.06)]
    for number in range(1, count):
        before = draw(st.integers(0, number - 1))
        nodes.append(HeatNode(str(number), str(number), draw(gain), draw(gain), before, "supports"))
    return nodes


def rectangle(place: HeatPlace) -> tuple[float, float, float, float]:
    side = 2 * place.radius
    return place.x - place.radius, place.y - place.radius, side, side


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(
        one[axis] < other[axis] + other[axis + 2] and other[axis] < one[axis] + one[axis + 2]
        for axis in (0, 1)
    )


@given(nodes=trees(), width=st.floats(240, 1400), height=st.floats(160, 900))
@settings(max_examples=60, deadline=None)
def test_labels_stay_inside_and_overlap_neither_one_another_nor_a_disc(
    nodes: list[HeatNode], width: float, height: float
) -> None:
    places = compute_heat_layout(nodes, (width, height), 15.0, [120.0] * len(nodes))
    assert len(places) == len(nodes)
    labels = [(number, place.label) for number, place in enumerate(places) if place.label]
    for number, label in labels:
        assert label[0] >= 0
        assert label[0] + label[2] <= width
        assert 0 <= label[1] <= height - label[3]
        for other, another in labels:
            assert number == other or not overlap(label, another)
        for other, place in enumerate(places):
            assert number == other or not overlap(label, rectangle(place))
    for place in places:
        assert 0 <= place.x <= width
        assert 0 <= place.y <= height


def test_who_changes_more_is_larger_and_each_ring_is_further_out() -> None:
    places = compute_heat_layout(NODES, (800.0, 400.0), 15.0, [100.0] * 4)
    assert (places[0].x, places[0].y) == (400.0, 200.0)
    assert places[1].radius > places[2].radius > places[3].radius
    far = [((p.x - 400) / 400) ** 2 + ((p.y - 200) / 200) ** 2 for p in places]
    assert far[0] < far[1] < far[3]
    assert node_at(places, places[2].x, places[2].y, 1.0) == 2
    assert node_at(places, 1.0, 1.0, 4.0) is None
    assert compute_heat_layout((), (10.0, 10.0), 15.0, ()) == ()


def test_the_keyboard_goes_by_the_size_of_the_change_and_the_mouse_to_any(
    qtbot: QtBot, theme: ThemeController
) -> None:
    chart = HeatChart()
    chart.resize(700, 400)
    qtbot.addWidget(chart)
    with qtbot.waitExposed(chart):
        chart.show()
    chart.set_nodes(NODES, left_out=3)
    chosen: list[str] = []
    gone: list[str] = []
    chart.memory_chosen.connect(chosen.append)
    chart.memory_activated.connect(gone.append)
    chart.set_current("seed")
    for _ in NODES:
        qtbot.keyClick(chart, Qt.Key.Key_Down)
    assert chosen == ["near", "against", "far", "far"]
    assert chart.accessibleDescription().startswith(describe_node(NODES[3]))
    assert "3 that change less are left out" in chart.accessibleDescription()
    place = chart.places[2]
    at = QPoint(round(place.x), round(place.y))
    qtbot.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chart.current_id == "against"
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert gone == ["against"]
    theme.set_theme("dark")
    twin = chart.twin()
    qtbot.addWidget(twin)
    twin.set_tokens(DARK, 1.5)
    assert twin.nodes == chart.nodes
    assert twin.picture_text == chart.picture_text
    assert not chart.grab().isNull()
