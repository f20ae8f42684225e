"""The graph panel: the neighbourhood of the selected memory, computed elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from mvdesk.scoring.engine import evaluate
from mvdesk.ui.panels.neighbours import MOST_SHOWN, compute_link_effects

from .conftest import find, view_of

if TYPE_CHECKING:
    from mvdesk.ui.panels.graph import GraphPanel

    from .conftest import Desk

pytestmark = pytest.mark.usefixtures("lasting_graph")


def _hub(desk: Desk) -> str:
    """The memory with the most links."""
    row = int(desk.session.snapshot.link_counts[:, 0].argmax())
    memory_id = desk.session.snapshot.memories.ids[row]
    assert memory_id is not None
    return memory_id


def _loner(desk: Desk) -> str:
    row = int(desk.session.snapshot.link_counts[:, 0].argmin())
    memory_id = desk.session.snapshot.memories.ids[row]
    assert memory_id is not None
    return memory_id


def _neighbours(desk: Desk, memory_id: str) -> set[str]:
    links = desk.session.vault.read_links_of(memory_id)
    return {end for link in links for end in (link.from_id, link.to_id)} - {memory_id}


def test_the_selected_memory_is_shown_among_its_neighbours(desk: Desk, graph: GraphPanel) -> None:
    hub = _hub(desk)
    desk.select(hub)
    picture = view_of(graph).picture
    assert picture.ids[0] == hub
    assert picture.centre == 0
    assert set(picture.ids) == _neighbours(desk, hub) | {hub}


def test_keys_change_how_far_it_reaches(desk: Desk, graph: GraphPanel) -> None:
    desk.select(_hub(desk))
    view = view_of(graph)
    sizes = []
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3):
        desk.qtbot.keyClick(view, key)
        desk.settle()
        sizes.append(len(view.picture))
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[1]
    assert max(sizes) <= MOST_SHOWN


def test_nodes_stay_where_they_are_when_it_reaches_further(desk: Desk, graph: GraphPanel) -> None:
    desk.select(_hub(desk))
    view = view_of(graph)
    near = dict(zip(view.picture.ids, view.picture.positions.tolist(), strict=True))
    desk.qtbot.keyClick(view, Qt.Key.Key_2)
    desk.settle()
    far = dict(zip(view.picture.ids, view.picture.positions.tolist(), strict=True))
    for memory_id, place in near.items():
        assert far[memory_id] == pytest.approx(place, abs=5)


def test_the_same_memory_is_always_drawn_the_same(desk: Desk, graph: GraphPanel) -> None:
    view, hub = view_of(graph), _hub(desk)
    places = []
    for _ in range(2):
        desk.select(None)
        desk.select(hub)
        places.append(view.picture.positions)
    assert np.array_equal(*places)


def test_a_click_on_a_node_selects_it(desk: Desk, graph: GraphPanel) -> None:
    hub = _hub(desk)
    desk.select(hub)
    view = view_of(graph)
    other = view.picture.ids[1]
    desk.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.node_point(other))
    desk.settle()
    assert desk.session.selected_id == other
    assert view.picture.ids[0] == other


def test_back_and_forward_go_through_what_was_selected(desk: Desk, graph: GraphPanel) -> None:
    first, second, third = (desk.memory_id(place) for place in (0, 5, 9))
    for memory_id in (first, second, third):
        desk.select(memory_id)
    back = find(graph, QToolButton, "graphBack")
    desk.qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert desk.session.selected_id == second
    desk.qtbot.keyClick(view_of(graph), Qt.Key.Key_Backspace)
    assert desk.session.selected_id == first
    assert not back.isEnabled()
    desk.qtbot.keyClick(view_of(graph), Qt.Key.Key_BracketRight)
    assert desk.session.selected_id == second


def test_colours_follow_the_preview(desk: Desk, graph: GraphPanel) -> None:
    key = desk.session.snapshot.sources.keys[0]
    desk.select(desk.memory_of_source(key))
    view = view_of(graph)
    desk.qtbot.waitUntil(lambda: len(view.picture) > 0)
    before = view.grab().toImage()
    desk.session.preview_trust(key, 0.0)
    desk.settle()
    assert view.grab().toImage() != before
    desk.session.discard_preview()
    desk.settle()
    assert view.grab().toImage() == before


def test_a_memory_without_links_says_so(desk: Desk, graph: GraphPanel) -> None:
    desk.select(_loner(desk))
    view = view_of(graph)
    assert len(view.picture) == 1
    assert view.picture.describe() == "1 memory, 0 links."
    assert graph.header.detail() == ""


def test_a_new_link_appears(desk: Desk, graph: GraphPanel) -> None:
    loner, hub = _loner(desk), _hub(desk)
    desk.select(loner)
    desk.session.add_link(loner, hub, "supports")
    desk.settle()
    assert set(view_of(graph).picture.ids) == {loner, hub}
    desk.session.undo()
    desk.settle()
    assert len(view_of(graph).picture) == 1


def test_while_the_first_graph_is_computed_it_says_so(desk: Desk, graph: GraphPanel) -> None:
    desk.select(None)
    assert view_of(graph).notice == "Select a memory to see what it is linked with."
    desk.session.select(_hub(desk))
    assert view_of(graph).notice == "Looking up its links…"
    desk.settle()
    assert view_of(graph).notice == ""


def test_a_hidden_graph_computes_nothing_until_it_is_seen(desk: Desk, graph: GraphPanel) -> None:
    graph.hide()
    desk.select(_hub(desk))
    assert len(view_of(graph).picture) == 0
    graph.show()
    desk.settle()
    assert view_of(graph).picture.ids[0] == _hub(desk)


def test_a_links_worth_is_what_leaving_it_out_would_cost(desk: Desk, graph: GraphPanel) -> None:
    session = desk.session
    row = int(session.snapshot.link_counts[:, 2].argmax())
    one_less = np.array([[-1, 0, -1, 0, 0, 0]], dtype=np.int32)
    effect = compute_link_effects(session.snapshot, session.model, session.now, row, one_less)
    inputs = session.snapshot.inputs(session.model).taken(np.array([row]))
    counts = inputs.link_counts.copy()
    counts += one_less
    without = evaluate(
        type(inputs)(
            **{  # the same memory with a link less
                name: counts if name == "link_counts" else getattr(inputs, name)
                for name in inputs.__dataclass_fields__
            }
        ),
        session.model,
        session.now,
    )
    expected = without.confidence[0] - session.committed_scores.confidence[row]
    assert effect[0] == pytest.approx(expected)
