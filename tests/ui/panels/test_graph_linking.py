"""Links drawn, labelled, removed and found in the graph, by keyboard and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton

from mvdesk.ui.plots.graph_picture import find_next_node
from mvdesk.ui.plots.graph_scene import GraphView
from mvdesk.ui.widgets.link_line import LinkLine

from .conftest import find

if TYPE_CHECKING:
    from mvdesk.records import Link
    from mvdesk.ui.panels.graph import GraphPanel

    from .conftest import Desk

CTRL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier
HEADINGS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}


class Bench:
    """The panel around a memory with two links, at depth 2."""

    def __init__(self, desk: Desk, panel: GraphPanel) -> None:
        self.desk, self.panel = desk, panel
        self.view = find(panel, GraphView, "graphView")
        self.line = find(panel, LinkLine, "graphLink")
        session = desk.session
        order = session.snapshot.link_counts[:, 0].argsort().tolist()
        self.one, self.two, self.three = (
            session.snapshot.memories.ids.text(int(row)) for row in order[:3]
        )
        for other in (self.two, self.three):
            session.add_link(self.one, other, "related")
            desk.settle()
        desk.select(self.one)
        self.view.setFocus()

    def press(self, *keys: Qt.Key, mod: Qt.KeyboardModifier = NONE) -> None:
        for key in keys:
            self.desk.qtbot.keyClick(self.panel.window().focusWidget() or self.view, key, mod)
            self.desk.settle()

    def walk(self, memory_id: str) -> None:
        picture = self.view.picture
        at = picture.ids.index(self.view.current_id or self.one)
        goal = picture.ids.index(memory_id)
        ways: dict[int, list[Qt.Key]] = {at: []}
        line = [at]
        while goal not in ways:
            node = line.pop(0)
            for key, heading in HEADINGS.items():
                reached = find_next_node(picture, node, heading)
                if reached is not None and reached not in ways:
                    ways[reached] = [*ways[node], key]
                    line.append(reached)
        self.press(*ways[goal])
        assert self.view.current_id == memory_id

    def links(self, one: str, other: str) -> list[Link]:
        found = self.desk.session.vault.read_links_of(one)
        return [link for link in found if {link.from_id, link.to_id} == {one, other}]

    def mouse(self, kind: QEvent.Type, where: QPoint, mod: Qt.KeyboardModifier = NONE) -> None:
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        port = self.view.viewport()
        held = none if kind == QEvent.Type.MouseButtonRelease else left
        button = none if kind == QEvent.Type.MouseMove else left
        spot = QPointF(where)
        event = QMouseEvent(kind, spot, QPointF(port.mapToGlobal(where)), button, held, mod)
        QApplication.sendEvent(port, event)

    def type_label(self, text: str) -> None:
        field = find(self.panel, QLineEdit, "graphLinkLabel")
        self.desk.qtbot.keyClicks(field, text)


@pytest.fixture
def bench(desk: Desk, graph: GraphPanel) -> Bench:
    return Bench(desk, graph)


def test_a_link_is_drawn_labelled_and_undone_by_keyboard(bench: Bench) -> None:
    bench.walk(bench.two)
    bench.press(Qt.Key.Key_L)
    assert bench.line.isVisible()
    assert not find(bench.panel, QPushButton, "graphLinkYes").isEnabled()
    bench.press(Qt.Key.Key_Return)  # nowhere yet: nothing happens
    assert bench.links(bench.two, bench.three) == []
    bench.walk(bench.three)
    bench.press(Qt.Key.Key_S)
    assert "supports" in bench.view.accessibleDescription()
    bench.press(Qt.Key.Key_Tab)
    bench.type_label("seen twice")
    bench.press(Qt.Key.Key_Return)
    (link,) = bench.links(bench.two, bench.three)
    assert (link.from_id, link.relation_type, link.label) == (bench.two, "supports", "seen twice")
    assert bench.view.hasFocus()
    assert bench.view.chosen_link == (bench.two, bench.three, "supports")
    bench.press(Qt.Key.Key_Z, mod=CTRL)
    assert bench.links(bench.two, bench.three) == []
    assert bench.view.chosen_link is None
    assert not bench.line.isVisible()


@pytest.mark.parametrize(
    ("key", "relation"),
    [
        (Qt.Key.Key_C, "contradicts"),
        (Qt.Key.Key_U, "supersedes"),
        (Qt.Key.Key_A, "causes"),
        (Qt.Key.Key_E, "example_of"),
        (Qt.Key.Key_R, "related"),
    ],
)
def test_a_letter_chooses_the_relation(bench: Bench, key: Qt.Key, relation: str) -> None:
    bench.walk(bench.two)
    bench.press(Qt.Key.Key_L, key)
    bench.walk(bench.three)
    bench.press(Qt.Key.Key_Return)
    assert [one.relation_type for one in bench.links(bench.two, bench.three)] == [relation]


def test_a_pair_that_is_linked_has_its_link_changed(bench: Bench) -> None:
    bench.walk(bench.two)
    bench.press(Qt.Key.Key_L, Qt.Key.Key_C)
    bench.walk(bench.one)
    assert bench.line.text.startswith("Linked already (")
    bench.press(Qt.Key.Key_Return)
    (link,) = bench.links(bench.one, bench.two)
    assert (link.from_id, link.relation_type) == (bench.one, "contradicts")


def test_a_link_drawn_onto_a_linked_memory_starts_from_the_link_that_is_there(
    bench: Bench,
) -> None:
    bench.walk(bench.two)
    bench.press(Qt.Key.Key_L, Qt.Key.Key_C)
    bench.walk(bench.one)
    bench.press(Qt.Key.Key_Return)
    (before,) = bench.links(bench.one, bench.two)
    assert before.relation_type == "contradicts"
    bench.walk(bench.two)
    bench.press(Qt.Key.Key_L)
    bench.walk(bench.one)
    assert bench.line.relation == before.relation_type
    bench.press(Qt.Key.Key_Return)
    (after,) = bench.links(bench.one, bench.two)
    assert (after.from_id, after.relation_type) == (before.from_id, before.relation_type)

    # A memory further that isn't linked is offered the plainest one again.
    bench.walk(bench.two)
    bench.press(Qt.Key.Key_L)
    bench.walk(bench.one)
    bench.walk(bench.three)
    assert bench.line.relation == "related"


def test_links_are_walked_changed_and_removed_by_keyboard(bench: Bench) -> None:
    bench.press(Qt.Key.Key_Home, Qt.Key.Key_Period)
    first = bench.view.chosen_link
    assert bench.line.text.startswith("Link 1 of 2: ")
    bench.press(Qt.Key.Key_Period)
    second = bench.view.chosen_link
    assert first != second
    bench.press(Qt.Key.Key_Comma)
    assert bench.view.chosen_link == first
    assert first is not None
    bench.press(Qt.Key.Key_F2)
    bench.type_label("why")
    bench.press(Qt.Key.Key_Return)
    (link,) = bench.links(first[0], first[1])
    assert (link.relation_type, link.label) == ("related", "why")
    bench.press(Qt.Key.Key_Delete)
    assert bench.links(first[0], first[1]) == []
    bench.press(Qt.Key.Key_Z, mod=CTRL)
    assert [one.label for one in bench.links(first[0], first[1])] == ["why"]
    bench.press(Qt.Key.Key_Z, mod=CTRL)
    assert [one.label for one in bench.links(first[0], first[1])] == [None]


def test_escape_leaves_a_link_half_drawn(bench: Bench) -> None:
    bench.press(Qt.Key.Key_L)
    bench.walk(bench.two)
    bench.press(Qt.Key.Key_Escape)
    assert not bench.line.isVisible()
    bench.press(Qt.Key.Key_Period, Qt.Key.Key_F2, Qt.Key.Key_Escape)
    assert bench.view.chosen_link is None
    assert bench.view.hasFocus()


def test_a_click_chooses_a_link_and_one_beside_it_leaves_it(bench: Bench) -> None:
    link = (bench.one, bench.two, "related")
    where = bench.view.link_point(link)
    assert where is not None
    port, left = bench.view.viewport(), Qt.MouseButton.LeftButton
    bench.desk.qtbot.mouseClick(port, left, pos=where)
    assert bench.view.chosen_link == link
    bench.desk.qtbot.mouseClick(port, left, pos=QPoint(3, 3))
    assert bench.view.chosen_link is None
    bench.desk.qtbot.mouseClick(port, left, pos=where)
    bench.desk.qtbot.mouseClick(find(bench.panel, QPushButton, "graphLinkRemove"), left)
    bench.desk.settle()
    assert bench.links(bench.one, bench.two) == []


def test_dragging_with_ctrl_draws_a_link(bench: Bench) -> None:
    start, end = bench.view.node_point(bench.two), bench.view.node_point(bench.three)
    for target in (QPoint(4, 4), end):
        bench.mouse(QEvent.Type.MouseButtonPress, start, CTRL)
        bench.mouse(QEvent.Type.MouseMove, (start + target) / 2, CTRL)
        bench.mouse(QEvent.Type.MouseMove, target, CTRL)
        bench.mouse(QEvent.Type.MouseButtonRelease, target, CTRL)
        assert bench.line.isVisible() == (target == end)
    assert bench.desk.session.selected_id == bench.one
    bench.view.setFocus()
    bench.press(Qt.Key.Key_A, Qt.Key.Key_Return)
    (link,) = bench.links(bench.two, bench.three)
    assert (link.from_id, link.relation_type) == (bench.two, "causes")


def test_l_and_a_click_aim_without_selecting(bench: Bench) -> None:
    bench.walk(bench.two)
    bench.press(Qt.Key.Key_L)
    where = bench.view.node_point(bench.three)
    bench.desk.qtbot.mouseClick(bench.view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert bench.desk.session.selected_id == bench.one
    find(bench.panel, QPushButton, "graphLinkYes").click()
    bench.desk.settle()
    assert len(bench.links(bench.two, bench.three)) == 1


def test_what_another_program_removed_is_chosen_no_more(bench: Bench) -> None:
    bench.press(Qt.Key.Key_Home, Qt.Key.Key_Period)
    bench.desk.edit_outside("DELETE FROM memory_links WHERE from_id = ?", bench.one)
    assert bench.view.chosen_link is None
    assert not bench.line.isVisible()
    bench.press(Qt.Key.Key_Period)
    assert bench.desk.notices[-1] == "This memory has no links here."
    bench.press(Qt.Key.Key_L)
    bench.desk.edit_outside("DELETE FROM memories WHERE id = ?", bench.one)
    assert not bench.line.isVisible()


def test_searching_in_the_graph_dims_the_rest_and_enter_goes_through_the_hits(
    bench: Bench,
) -> None:
    picture = bench.view.picture
    title = picture.labels[picture.ids.index(bench.two)]
    bench.press(Qt.Key.Key_Slash)
    field = find(bench.panel, QLineEdit, "graphSearchField")
    assert field.hasFocus()
    bench.desk.qtbot.keyClicks(field, title)
    lit = bench.view.lit_nodes
    assert lit is not None
    assert [picture.ids[node] for node in lit.nonzero()[0].tolist()] == [bench.two]
    count = find(bench.panel, QLabel, "graphSearchCount")
    assert count.text() == "1 found"
    bench.press(Qt.Key.Key_Return)
    assert bench.view.current_id == bench.two
    assert count.text() == "1 of 1"
    field.setText("no such words")
    assert count.text() == "none found"
    bench.press(Qt.Key.Key_Escape, Qt.Key.Key_Escape)
    assert bench.view.hasFocus()
    assert bench.view.lit_nodes is None


def test_shift_enter_goes_back_through_the_hits(bench: Bench) -> None:
    bench.press(Qt.Key.Key_Slash)
    field = find(bench.panel, QLineEdit, "graphSearchField")
    field.setText(" ")
    shared = {"a", "e", "i", "o"}
    labels = [label.casefold() for label in bench.view.picture.labels]
    letter = next(one for one in shared if all(one in label for label in labels))
    field.setText(letter)
    seen = []
    for _ in range(3):
        bench.press(Qt.Key.Key_Return)
        seen.append(bench.view.current_id)
    assert len(set(seen)) == 3
    bench.press(Qt.Key.Key_Return, mod=Qt.KeyboardModifier.ShiftModifier)
    assert bench.view.current_id == seen[1]


def test_shift_f_shows_a_memory_and_its_links_larger(bench: Bench) -> None:
    bench.press(Qt.Key.Key_F)
    bench.walk(bench.two)
    before = bench.view.zoom
    bench.press(Qt.Key.Key_F, mod=Qt.KeyboardModifier.ShiftModifier)
    assert bench.view.zoom != before
    for memory_id in (bench.one, bench.two):
        assert bench.view.viewport().rect().contains(bench.view.node_point(memory_id))
