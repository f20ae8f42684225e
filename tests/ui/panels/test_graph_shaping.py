"""Working on the view of the graph: expand, fold, hide, stop, pin, and taking it back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from mvdesk.ui.panels.graph_pins import read_around, write_around
from mvdesk.ui.panels.graph_shape import GraphShape, read_shape, write_shape
from mvdesk.ui.panels.graph_steps import GraphSteps, ViewStep
from mvdesk.ui.plots.graph_fold import HUB_LINKS
from mvdesk.ui.plots.graph_picture import find_next_node

from .conftest import find, view_of

if TYPE_CHECKING:
    from mvdesk.ui.panels.graph import GraphPanel
    from mvdesk.ui.plots.graph_scene import GraphView

    from .conftest import Desk

pytestmark = pytest.mark.usefixtures("lasting_graph")

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
NOW = 1_800_000_000


def _press(
    desk: Desk, panel: GraphPanel, key: Qt.Key, mod: Qt.KeyboardModifier | None = None
) -> None:
    desk.qtbot.keyClick(view_of(panel), key, mod or Qt.KeyboardModifier.NoModifier)
    desk.settle_all()


def _go_to(desk: Desk, panel: GraphPanel, memory_id: str) -> None:
    """Walk to a node with the keyboard, link by link: a search through what arrows reach."""
    view = view_of(panel)
    keys = {
        Qt.Key.Key_Left: (-1.0, 0.0),
        Qt.Key.Key_Right: (1.0, 0.0),
        Qt.Key.Key_Up: (0.0, -1.0),
        Qt.Key.Key_Down: (0.0, 1.0),
    }
    picture, goal = view.picture, view.picture.ids.index(memory_id)
    start = view.picture.ids.index(view.current_id or view.picture.ids[0])
    ways: dict[int, list[Qt.Key]] = {start: []}
    line = [start]
    while goal not in ways:
        node = line.pop(0)
        for key, heading in keys.items():
            reached = find_next_node(picture, node, heading)
            if reached is not None and reached not in ways:
                ways[reached] = [*ways[node], key]
                line.append(reached)
    for key in ways[goal]:
        desk.qtbot.keyClick(view, key)
    assert view.current_id == memory_id


def _add_hub(desk: Desk, size: int) -> tuple[str, str]:
    """A hub with so many memories that hang on it alone, and a memory linked with it."""
    rows = desk.session.snapshot.link_counts[:, 0].argsort().tolist()
    ids = desk.session.snapshot.memories.ids
    near, hub = ids.text(int(rows[0])), ids.text(int(rows[1]))
    path = desk.session.vault.path
    brain = desk.session.vault.brain.id
    with closing(sqlite3.connect(path)) as other, other:
        for number in range(size):
            other.execute(
                "INSERT INTO memories (id, brain_id, type, title, content, created_at, updated_at)"
                " VALUES (?, ?, 'note', ?, 'x', ?, ?)",
                (f"leaf-{number}", brain, f"Leaf {number}", NOW, NOW),
            )
        pairs = [(hub, f"leaf-{number}") for number in range(size)] + [(near, hub)]
        for number, (one, two) in enumerate(pairs):
            other.execute(
                "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type,"
                " created_at) VALUES (?, ?, ?, ?, 'related', ?)",
                (f"hub-{number}", brain, one, two, NOW),
            )
    with desk.qtbot.waitSignal(desk.session.vault_changed, timeout=10_000):
        pass
    desk.settle_all()
    return near, hub


def _leaves(panel: GraphPanel) -> int:
    return sum(key.startswith("leaf-") for key in view_of(panel).picture.ids)


def _beyond(panel: GraphPanel, memory_id: str) -> int:
    picture = view_of(panel).picture
    return int(picture.beyond[picture.ids.index(memory_id)])


def test_a_hub_is_a_counter_until_it_is_opened(desk: Desk, graph: GraphPanel) -> None:
    near, hub = _add_hub(desk, HUB_LINKS + 5)
    desk.select(near)
    _press(desk, graph, Qt.Key.Key_2)
    assert _leaves(graph) == 0
    assert _beyond(graph, hub) >= HUB_LINKS + 5
    view = view_of(graph)
    assert f"+{_beyond(graph, hub)}" in [badge.text for badge in view.badges]
    assert "more behind it" in view.picture.describe_node(view.picture.ids.index(hub))
    where = view.badge_point(hub)
    assert where is not None
    desk.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    desk.settle_all()
    assert _leaves(graph) == HUB_LINKS + 5
    assert _beyond(graph, hub) == 0
    _press(desk, graph, Qt.Key.Key_Z, CTRL)
    assert _leaves(graph) == 0
    _press(desk, graph, Qt.Key.Key_Y, CTRL)
    assert _leaves(graph) == HUB_LINKS + 5


def test_space_expands_and_folds_by_keyboard(desk: Desk, graph: GraphPanel) -> None:
    near, hub = _add_hub(desk, 4)
    desk.select(near)
    assert _leaves(graph) == 0
    _go_to(desk, graph, hub)
    _press(desk, graph, Qt.Key.Key_Space)
    assert _leaves(graph) == 4
    _press(desk, graph, Qt.Key.Key_Space)
    assert _leaves(graph) == 0
    assert _beyond(graph, hub) >= 4
    _press(desk, graph, Qt.Key.Key_Z, CTRL)
    assert _leaves(graph) == 4
    _press(desk, graph, Qt.Key.Key_Home)
    _press(desk, graph, Qt.Key.Key_Space)
    assert desk.notices[-1] == "The memory in the middle is always expanded."


def test_in_the_whole_graph_what_hangs_on_a_hub_alone_is_folded(
    desk: Desk, graph: GraphPanel
) -> None:
    _near, hub = _add_hub(desk, HUB_LINKS + 1)
    _press(desk, graph, Qt.Key.Key_0)
    assert _leaves(graph) == 0
    assert _beyond(graph, hub) == HUB_LINKS + 2
    desk.select(hub)
    before = view_of(graph).picture.positions[view_of(graph).picture.ids.index(hub)].tolist()
    _press(desk, graph, Qt.Key.Key_Space)
    assert _leaves(graph) == HUB_LINKS + 1
    after = view_of(graph).picture.positions[view_of(graph).picture.ids.index(hub)].tolist()
    assert after == before
    _press(desk, graph, Qt.Key.Key_Z, CTRL)
    assert _leaves(graph) == 0


def test_what_is_stopped_or_hidden_stays_so_for_the_vault(desk: Desk, graph: GraphPanel) -> None:
    near, hub = _add_hub(desk, 4)
    desk.select(near)
    _press(desk, graph, Qt.Key.Key_2)
    assert _leaves(graph) == 4
    _go_to(desk, graph, hub)
    _press(desk, graph, Qt.Key.Key_E, SHIFT)
    assert _leaves(graph) == 0
    assert read_shape(desk.session.vault) == GraphShape(stopped=frozenset({hub}))
    _press(desk, graph, Qt.Key.Key_H)
    assert hub not in view_of(graph).picture.ids
    path = desk.session.vault.path
    desk.session.close_vault()
    with desk.qtbot.waitSignal(desk.session.vault_opened):
        desk.session.open_vault(path)
    desk.settle_all()
    desk.select(near)
    assert hub not in view_of(graph).picture.ids
    _press(desk, graph, Qt.Key.Key_H, SHIFT)
    assert hub in view_of(graph).picture.ids
    assert _leaves(graph) == 0
    _go_to(desk, graph, hub)
    _press(desk, graph, Qt.Key.Key_E, SHIFT)
    assert _leaves(graph) == 4
    assert read_shape(desk.session.vault) == GraphShape()


def test_who_is_hidden_takes_along_what_hangs_on_it_alone(desk: Desk, graph: GraphPanel) -> None:
    near, hub = _add_hub(desk, 3)
    desk.select(near)
    _press(desk, graph, Qt.Key.Key_2)
    _go_to(desk, graph, hub)
    _press(desk, graph, Qt.Key.Key_H)
    assert hub not in view_of(graph).picture.ids
    assert _leaves(graph) == 0
    _press(desk, graph, Qt.Key.Key_H)
    assert desk.notices[-1] == "The memory in the middle can't be hidden."
    _press(desk, graph, Qt.Key.Key_Z, CTRL)
    assert _leaves(graph) == 3


def _place(view: GraphView, memory_id: str) -> list[float]:
    return view.picture.positions[view.picture.ids.index(memory_id)].tolist()


def _drag(desk: Desk, view: GraphView, memory_id: str, by: QPoint) -> None:
    start = view.node_point(memory_id)
    port, left = view.viewport(), Qt.MouseButton.LeftButton
    desk.qtbot.mousePress(port, left, pos=start)
    desk.qtbot.mouseMove(port, start + by / 2)
    desk.qtbot.mouseMove(port, start + by)
    desk.qtbot.mouseRelease(port, left, pos=start + by)
    desk.settle_all()


def test_pins_go_back_step_by_step(desk: Desk, graph: GraphPanel) -> None:
    _press(desk, graph, Qt.Key.Key_0)
    view = view_of(graph)
    target = view.picture.ids[-1]
    desk.select(target)
    places = []

    def place() -> list[float]:
        return _place(view, target)

    places.append(place())
    for by in (QPoint(40, 10), QPoint(-30, 25)):
        _drag(desk, view, target, by)
        places.append(place())
    _press(desk, graph, Qt.Key.Key_U)
    assert place() == places[0]
    seen = []
    for _ in range(3):
        _press(desk, graph, Qt.Key.Key_Z, CTRL)
        seen.append(place())
    assert seen == [places[2], places[1], places[0]]
    kept = desk.session.vault.companion.read_positions(desk.session.vault.brain.id)
    assert list(kept[target]) == places[0]
    for expected in (places[1], places[2], places[0]):
        _press(desk, graph, Qt.Key.Key_Z, CTRL | SHIFT)
        assert place() == expected


def test_steps_of_the_view_and_of_the_vault_go_back_in_their_order(
    desk: Desk, graph: GraphPanel
) -> None:
    near, hub = _add_hub(desk, 3)
    desk.select(near)
    _press(desk, graph, Qt.Key.Key_2)
    desk.session.add_link(near, "leaf-1", "supports")
    desk.settle_all()
    _go_to(desk, graph, hub)
    _press(desk, graph, Qt.Key.Key_H)
    desk.session.add_link(near, "leaf-2", "causes")
    desk.settle_all()
    labels = []
    menu = find(graph, QMenu, "graphMenu")
    for _ in range(3):
        menu.aboutToShow.emit()
        labels.append(menu.actions()[0].text().split("\t")[0].replace("&", "")[:12])
        _press(desk, graph, Qt.Key.Key_Z, CTRL)
    assert [label[:10] for label in labels] == ["Undo: Link", "Undo: Hide", "Undo: Link"]
    assert hub in view_of(graph).picture.ids
    assert len(desk.session.vault.read_links_of("leaf-1")) == 1
    assert len(desk.session.vault.read_links_of("leaf-2")) == 1
    for _ in range(3):
        _press(desk, graph, Qt.Key.Key_Y, CTRL)
    assert hub not in view_of(graph).picture.ids
    assert len(desk.session.vault.read_links_of("leaf-2")) == 2
    _press(desk, graph, Qt.Key.Key_Y, CTRL)
    assert desk.notices[-1] == "There is nothing to do again."


def test_a_newer_step_of_the_vault_ends_what_could_be_done_again() -> None:
    steps, seen = GraphSteps(), []
    steps.push(ViewStep("one", 4, lambda: seen.append("back"), lambda: seen.append("again")))
    assert (steps.undo_label(5), steps.undo_label(4), steps.undo_label(2)) == ("", "one", "one")
    steps.undo()
    assert (steps.redo_label(4), steps.redo_label(5), steps.undo_label(4)) == ("one", "", "")
    steps.redo()
    assert seen == ["back", "again"]


def test_a_shape_that_makes_no_sense_is_none(desk: Desk) -> None:
    vault = desk.session.vault
    write_shape(vault, GraphShape(hidden=frozenset({"a"})))
    name = next(iter(vault.companion.read_settings("graph/shape/")))
    for nonsense in ([1], {"hidden": 3, "stopped": [4]}):
        vault.companion.write_setting(name, nonsense)
        assert read_shape(vault) == GraphShape()


def test_a_memory_dragged_around_another_stays_there_until_u(desk: Desk, graph: GraphPanel) -> None:
    snapshot = desk.session.snapshot
    most = int(snapshot.link_counts[:, 0].argmax())
    desk.select(snapshot.memories.ids.text(most))
    desk.settle_all()
    view = view_of(graph)
    centre, other = view.picture.ids[0], view.picture.ids[1]
    stood = _place(view, other)
    _drag(desk, view, other, QPoint(40, 30))
    moved = _place(view, other)
    assert moved != stood
    assert view.picture.ids[0] == centre  # a drag is no click

    desk.qtbot.keyClick(view, Qt.Key.Key_2)
    desk.settle_all()
    assert _place(view, other) == moved

    # Seen from elsewhere it stands where it belongs there; back here it is where it was put.
    desk.select(other)
    desk.settle_all()
    desk.select(centre)
    desk.settle_all()
    assert _place(view, other) == moved

    view.go_to(other)
    desk.qtbot.keyClick(view, Qt.Key.Key_U)
    assert _place(view, other) == stood
    desk.qtbot.keyClick(view, Qt.Key.Key_Z, CTRL)
    assert _place(view, other) == moved
    desk.qtbot.keyClick(view, Qt.Key.Key_Z, CTRL)
    assert _place(view, other) == stood


def test_pins_around_a_memory_are_there_when_the_vault_is_opened_again(
    desk: Desk, graph: GraphPanel
) -> None:
    session, view = desk.session, view_of(graph)
    most = int(session.snapshot.link_counts[:, 0].argmax())
    desk.select(session.snapshot.memories.ids.text(most))
    desk.settle_all()
    centre, other, third = view.picture.ids[:3]
    stood = _place(view, other)
    for memory_id in (other, third):
        _drag(desk, view, memory_id, QPoint(40, 30))
    moved = _place(view, other)
    path = session.vault.path
    session.close_vault()
    with desk.qtbot.waitSignal(session.vault_opened):
        session.open_vault(path)
    desk.settle_all()
    desk.select(centre)
    desk.settle_all()
    assert _place(view, other) == moved

    view.go_to(other)
    desk.qtbot.keyClick(view, Qt.Key.Key_U)
    assert _place(view, other) == stood
    desk.settle_all()
    assert list(read_around(session.vault)[centre]) == [third]
    view.go_to(third)
    desk.qtbot.keyClick(view, Qt.Key.Key_U)
    desk.settle_all()
    assert read_around(session.vault) == {}


def test_pins_around_a_memory_that_make_no_sense_are_none(desk: Desk) -> None:
    vault = desk.session.vault
    write_around(vault, "a/b", {"m": ((1.0, 2.0), (3.0, 4.0)), "n": (None, (0.0, 0.0))})
    assert read_around(vault) == {"a/b": {"m": ((1.0, 2.0), (3.0, 4.0))}}
    name = next(iter(vault.companion.read_settings("graph/around/")))
    for nonsense in ([1], {"m": [1, 2, 3]}, {"m": ["1", 2, 3, 4]}):
        vault.companion.write_setting(name, nonsense)
        assert read_around(vault) == {}


def test_after_hiding_the_keyboard_is_at_what_stands_nearest(desk: Desk, graph: GraphPanel) -> None:
    _press(desk, graph, Qt.Key.Key_0)
    view = view_of(graph)
    hidden = view.picture.ids[len(view.picture) // 2]
    view.go_to(hidden)
    x, y = _place(view, hidden)
    _press(desk, graph, Qt.Key.Key_H)
    assert hidden not in view.picture.ids
    away = [(px - x) ** 2 + (py - y) ** 2 for px, py in view.picture.positions.tolist()]
    assert view.current_id == view.picture.ids[away.index(min(away))]
    assert view.picture.labels[view.picture.ids.index(view.current_id)] in (
        view.accessibleDescription()
    )
