from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import psutil
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip

from mvdesk.records import RELATIONS
from mvdesk.ui.plots.graph_legend import list_entries
from mvdesk.ui.plots.graph_scene import EMPTY_TEXT, GraphPicture, GraphView
from mvdesk.ui.theme import DARK, LIGHT, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController


def count_pixels(graph: GraphView, *colors: str) -> int:
    image = graph.grab().toImage()
    wanted = {QColor(color).rgb() for color in colors}
    return sum(
        image.pixel(x, y) in wanted for x in range(image.width()) for y in range(image.height())
    )


def click(qtbot: QtBot, graph: GraphView, memory_id: str) -> None:
    where = graph.node_point(memory_id)
    qtbot.mouseClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=where)


def turn_wheel(graph: GraphView, where: QPoint) -> QWheelEvent:
    event = QWheelEvent(
        QPointF(where),
        QPointF(graph.mapToGlobal(where)),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(graph.viewport(), event)
    return event


def test_a_click_selects_and_a_double_click_opens(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    graph.set_graph(drawn_graph(6))
    with qtbot.waitSignal(graph.node_clicked) as clicked:
        click(qtbot, graph, "m3")
    assert clicked.args == ["m3"]
    assert graph.current_id == "m3"
    with qtbot.waitSignal(graph.node_activated) as activated:
        where = graph.node_point("m4")
        qtbot.mouseDClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert activated.args == ["m4"]


def test_a_click_beside_the_nodes_or_with_another_button_selects_nothing(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    graph.set_graph(drawn_graph(6))
    with (
        qtbot.assertNotEmitted(graph.node_clicked),
        qtbot.assertNotEmitted(graph.node_activated),
    ):
        qtbot.mouseClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
        qtbot.mouseDClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
        where = graph.node_point("m2")
        qtbot.mouseClick(graph.viewport(), Qt.MouseButton.RightButton, pos=where)


def test_setters_never_emit(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    with (
        qtbot.assertNotEmitted(graph.node_clicked),
        qtbot.assertNotEmitted(graph.node_activated),
    ):
        graph.set_graph(drawn_graph(6))
        graph.set_selected("m2")
        graph.set_selected("unknown")
        graph.set_scores(np.zeros(6), np.zeros(6))
        graph.set_graph(None)


def test_arrow_keys_walk_along_links_and_enter_opens(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    spots = np.array([[0.0, 0.0], [100.0, 0.0], [200.0, 0.0], [200.0, 90.0]])
    graph.set_graph(drawn_graph(4, [(0, 1), (1, 2), (2, 3)], positions=spots))
    for key, reached in (
        (Qt.Key.Key_Right, "m1"),
        (Qt.Key.Key_Right, "m2"),
        (Qt.Key.Key_Down, "m3"),
        (Qt.Key.Key_Down, "m3"),
        (Qt.Key.Key_Home, "m0"),
    ):
        qtbot.keyClick(graph, key)
        assert graph.current_id == reached
    qtbot.keyClick(graph, Qt.Key.Key_Right)
    assert graph.accessibleDescription().startswith("Memory number 1, fact, confidence 0.333")
    with qtbot.waitSignal(graph.node_activated) as activated:
        qtbot.keyClick(graph, Qt.Key.Key_Return)
    with qtbot.waitSignal(graph.node_clicked) as clicked:
        qtbot.keyClick(graph, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    with qtbot.waitSignal(graph.fold_toggled) as folded:
        qtbot.keyClick(graph, Qt.Key.Key_Space)
    assert activated.args == clicked.args == folded.args == ["m1"]


def test_walking_brings_a_node_into_view(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    spots = np.array([[0.0, 0.0], [300.0, 0.0]])
    graph.set_graph(drawn_graph(2, positions=spots))
    for _ in range(12):
        qtbot.keyClick(graph, Qt.Key.Key_Plus)
    qtbot.keyClick(graph, Qt.Key.Key_Right)
    assert graph.viewport().rect().contains(graph.node_point("m1"))
    qtbot.keyClick(graph, Qt.Key.Key_F)
    assert graph.viewport().rect().contains(graph.node_point("m0"))


def test_keys_of_the_window_pass_through(qtbot: QtBot, graph: GraphView) -> None:
    seen: list[bool] = []
    original = graph.keyPressEvent

    def watch(event: object) -> None:
        original(event)
        seen.append(event.isAccepted())

    graph.keyPressEvent = watch
    qtbot.keyClick(graph, Qt.Key.Key_Down)
    qtbot.keyClick(graph, Qt.Key.Key_P)
    assert seen == [False, False]


def test_wheel_zooms_dragging_pans_and_f_fits_again(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    graph.set_graph(drawn_graph(12))
    fitted, place = graph.zoom, graph.node_point("m3")
    turn_wheel(graph, QPoint(350, 150))
    assert graph.zoom > fitted
    start = QPoint(20, 20)
    qtbot.mousePress(graph.viewport(), Qt.MouseButton.LeftButton, pos=start)
    before = graph.node_point("m3")
    for step in range(1, 8):
        qtbot.mouseMove(graph.viewport(), start + QPoint(10 * step, 5 * step))
    qtbot.mouseRelease(graph.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(70, 35))
    assert graph.node_point("m3").x() > before.x() + 30
    qtbot.keyClick(graph, Qt.Key.Key_F)
    assert graph.zoom == pytest.approx(fitted)
    assert graph.node_point("m3") == place


def test_dragging_from_a_node_is_no_click(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    graph.set_graph(drawn_graph(6))
    start = graph.node_point("m2")
    with qtbot.assertNotEmitted(graph.node_clicked):
        qtbot.mousePress(graph.viewport(), Qt.MouseButton.LeftButton, pos=start)
        qtbot.mouseMove(graph.viewport(), start + QPoint(40, 0))
        end = start + QPoint(60, 0)
        qtbot.mouseRelease(graph.viewport(), Qt.MouseButton.LeftButton, pos=end)


def test_a_preview_recolours_and_moves_nothing(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    picture = drawn_graph(5, confidence=np.zeros(5), archived=np.zeros(5, dtype=np.bool_))
    graph.set_graph(picture)
    places = [graph.node_point(name) for name in picture.ids]
    assert count_pixels(graph, LIGHT.confidence_ramp[0]) > 1_000
    high = count_pixels(graph, LIGHT.confidence_ramp[4])
    graph.set_scores(np.ones(5), np.full(5, 0.25))
    assert count_pixels(graph, LIGHT.confidence_ramp[4]) > high + 1_000
    assert [graph.node_point(name) for name in picture.ids] == places
    assert graph.table()[0][2:4] == ("1.000", "0.250")
    with pytest.raises(ValueError, match="every node"):
        graph.set_scores(np.ones(5), np.ones(4))


def test_pointing_at_a_node_dims_what_it_is_not_linked_with(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    picture = drawn_graph(5, [(0, 1), (2, 3), (3, 4)], confidence=np.ones(5))
    graph.set_graph(picture)
    bright = count_pixels(graph, LIGHT.confidence_ramp[4])
    qtbot.mouseMove(graph.viewport(), graph.node_point("m0"))
    qtbot.waitUntil(lambda: count_pixels(graph, LIGHT.confidence_ramp[4]) < bright)
    texts = [label.text for label in graph.placed_labels]
    assert "related" in texts
    assert "Memory number 1" in texts
    assert "Memory number 4" not in texts
    QApplication.sendEvent(graph, QEvent(QEvent.Type.Leave))
    assert count_pixels(graph, LIGHT.confidence_ramp[4]) == bright


@pytest.mark.parametrize("nodes", [2, 7, 14, 40, 150])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_labels_never_overlap_each_other(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture], nodes: int, scale: float
) -> None:
    graph.set_tokens(LIGHT, scale)
    titles = ("Short", "A title of middling length", "A very long title that hardly fits " * 2)
    labels = tuple(titles[node % 3] for node in range(nodes))
    graph.set_graph(drawn_graph(nodes, labels=labels, worths=("+0.065",) * (nodes - 1)))
    boxes = [label.box for label in graph.placed_labels]
    assert len(boxes) >= 2
    for one, other in itertools.combinations(boxes, 2):
        apart_x = one.left + one.width <= other.left or other.left + other.width <= one.left
        apart_y = one.top + one.height <= other.top or other.top + other.height <= one.top
        assert apart_x or apart_y


def test_a_title_is_shortened_only_as_far_as_room_is_short(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    title = "Loam holds about 17 % water for plants"
    graph.set_graph(drawn_graph(3, labels=(title,) * 3))
    assert [label.text for label in graph.placed_labels] == [title] * 3
    graph.set_graph(drawn_graph(60, labels=(title,) * 60))
    assert {label.text for label in graph.placed_labels if label.node} != {title}


def test_links_of_the_centre_say_what_they_are_worth(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    graph.set_graph(drawn_graph(3, worths=("+0.065", None)))
    assert [label.text for label in graph.placed_labels if label.node is None] == ["+0.065"]


def test_the_legend_lists_what_is_there(drawn_graph: Callable[..., GraphPicture]) -> None:
    picture = drawn_graph(2, relations=("contradicts",))
    kinds = [(entry.kind, entry.text) for entry in list_entries(picture)]
    assert kinds == [
        ("relation", "contradicts 1"),
        ("type", "note 1"),
        ("type", "fact 1"),
        ("ramp", "confidence"),
    ]
    assert list_entries(GraphPicture.empty()) == []
    odd = drawn_graph(3, relations=("example_of", "likes"), types=("dream", "dream", "dream"))
    assert [entry.text for entry in list_entries(odd)] == ["example of 1", "likes 1", "confidence"]


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_every_relation_is_drawn_in_its_own_hue(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture], tokens: Tokens
) -> None:
    graph.set_tokens(tokens)
    graph.set_graph(drawn_graph(7))
    assert set(graph.picture.relations) == set(RELATIONS)
    for name, style in tokens.relations.items():
        assert count_pixels(graph, style.color) > 10, name


def test_nothing_to_see_is_said_in_a_sentence(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    assert graph.notice == EMPTY_TEXT
    assert graph.accessibleDescription() == EMPTY_TEXT
    graph.set_empty_text("Open a vault first.")
    assert graph.notice == "Open a vault first."
    graph.set_graph(drawn_graph(1))
    assert graph.notice == "No links yet. This memory stands alone."
    graph.set_graph(drawn_graph(4, hidden=12))
    assert graph.notice == ""
    assert count_pixels(graph, LIGHT.text_muted) > 0
    graph.set_graph(None)
    assert graph.placed_labels == []
    assert not turn_wheel(graph, QPoint(100, 100)).isAccepted()


def test_the_same_picture_again_keeps_the_persons_view(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    picture = drawn_graph(12)
    graph.set_graph(picture)
    turn_wheel(graph, QPoint(350, 150))
    zoomed = graph.zoom
    graph.set_graph(drawn_graph(12, confidence=np.ones(12)))
    assert graph.zoom == pytest.approx(zoomed)
    graph.set_graph(drawn_graph(11))
    assert graph.zoom != pytest.approx(zoomed)


def test_the_keyboards_place_survives_a_new_picture(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    graph.set_graph(drawn_graph(6))
    click(qtbot, graph, "m3")
    graph.set_graph(drawn_graph(5))
    assert graph.current_id == "m3"
    graph.set_graph(drawn_graph(2))
    assert graph.current_id == "m0"


def test_the_focus_ring_comes_with_the_keyboard(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    graph.set_graph(drawn_graph(4))
    graph.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(graph.hasFocus)
    click(qtbot, graph, "m1")
    plain = count_pixels(graph, LIGHT.accent)
    qtbot.keyClick(graph, Qt.Key.Key_Home)
    assert count_pixels(graph, LIGHT.accent) > plain
    graph.clearFocus()
    assert count_pixels(graph, LIGHT.accent) == plain
    graph.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: count_pixels(graph, LIGHT.accent) > plain)


@pytest.mark.qt_log_ignore(r"This plugin does not support raise")  # the tip's window
def test_the_tool_tip_names_the_memory_with_both_scores(
    qtbot: QtBot, graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    graph.set_graph(drawn_graph(3))
    where = graph.node_point("m2")
    event = QHelpEvent(QEvent.Type.ToolTip, where, graph.mapToGlobal(where))
    QApplication.sendEvent(graph.viewport(), event)
    qtbot.waitUntil(lambda: QToolTip.text().startswith("Memory number 2\njournal, confidence"))
    QToolTip.hideText()


def test_it_follows_the_theme_and_the_size_by_itself(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture], theme: ThemeController
) -> None:
    graph.set_graph(drawn_graph(6))
    theme.set_theme("dark")
    assert count_pixels(graph, DARK.surface) > 100_000
    for size in ((288, 300), (240, 90), (900, 500)):
        graph.resize(*size)
        for name in graph.picture.ids:
            assert graph.rect().contains(graph.node_point(name))


def test_hundreds_of_selections_leave_nothing_behind(
    graph: GraphView, drawn_graph: Callable[..., GraphPicture]
) -> None:
    pictures = [drawn_graph(12), drawn_graph(20), drawn_graph(1)]
    process = psutil.Process()

    def select(times: int) -> None:
        for number in range(times):
            graph.set_graph(pictures[number % 3])
            if number % 10 == 0:
                graph.viewport().repaint()

    select(60)
    items, held = len(graph.scene().items()), process.memory_info().rss
    select(300)
    assert len(graph.scene().items()) == items
    assert process.memory_info().rss - held < 8_000_000


@pytest.mark.parametrize("neighbours", [1, 3, 5, 8])
@pytest.mark.parametrize("size", [(480, 300), (288, 232)])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_up_to_eight_neighbours_are_all_named_beside_the_nodes(
    graph: GraphView,
    drawn_graph: Callable[..., GraphPicture],
    neighbours: int,
    size: tuple[int, int],
    scale: float,
) -> None:
    graph.resize(round(size[0] * scale), round(size[1] * scale))
    graph.set_tokens(LIGHT, scale)
    titles = ("Short", "A title of middling length", "A very long title that hardly fits " * 2)
    links = [(0, node) for node in range(1, neighbours + 1)]
    graph.set_graph(
        drawn_graph(
            neighbours + 1,
            links,
            labels=tuple(titles[node % 3] for node in range(neighbours + 1)),
            worths=("+0.065",) * neighbours,
        )
    )
    names = [label for label in graph.placed_labels if label.node is not None]
    assert {label.node for label in names} == set(range(neighbours + 1))
    for label in names:
        box = label.box
        for node in range(neighbours + 1):
            point = graph.node_point(f"m{node}")
            inside_x = box.left < point.x() < box.left + box.width
            assert not (inside_x and box.top < point.y() < box.top + box.height)
