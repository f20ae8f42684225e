"""The graph of files that no careful program wrote, and the panel opened many times."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import psutil
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QMenu

from mvdesk.ui.panels.graph_paths import find_strongest_path
from mvdesk.ui.panels.neighbours import MOST_SHOWN

from .conftest import find, view_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mvdesk.ui.panels.graph import GraphPanel

    from .conftest import Desk

pytestmark = pytest.mark.usefixtures("lasting_graph")

NOW = 1_800_000_000
HUB_SIZE = 10_000


def _press(desk: Desk, panel: GraphPanel, key: Qt.Key) -> None:
    desk.qtbot.keyClick(view_of(panel), key)
    desk.settle_all()


def _write(desk: Desk, memories: Iterable[str], links: Iterable[tuple[str, str, str]]) -> None:
    """What another program writes: the brain holds these memories and links alone."""
    session = desk.session
    brain = session.vault.brain.id
    rows = [(key, brain, f"Title {key}", NOW, NOW) for key in memories]
    ties = [(f"l{n}", brain, *link, NOW) for n, link in enumerate(links)]
    insert = (
        "INSERT INTO memories (id, brain_id, type, title, content, created_at, updated_at)"
        " VALUES (?, ?, 'note', ?, 'x', ?, ?)"
    )
    with closing(sqlite3.connect(session.vault.path)) as other, other:
        other.execute("DELETE FROM memory_links")
        other.execute("DELETE FROM memories")
        other.executemany(insert, rows)
        other.executemany("INSERT INTO memory_links VALUES (?, ?, ?, ?, ?, NULL, ?)", ties)
    with desk.qtbot.waitSignal(session.vault_changed, timeout=20_000):
        pass
    desk.settle_all()


def test_a_hub_of_ten_thousand_links_is_a_picture_that_can_be_read(
    desk: Desk, graph: GraphPanel
) -> None:
    leaves = [f"leaf{n}" for n in range(HUB_SIZE)]
    links = [("hub", leaf, "related") for leaf in leaves] + [("hub", "near", "supports")]
    _write(desk, ["hub", "near", *leaves], links)
    desk.select("hub")
    picture = view_of(graph).picture
    assert len(picture) == MOST_SHOWN
    assert picture.hidden == HUB_SIZE + 2 - MOST_SHOWN
    assert "near" in picture.ids
    desk.select("near")
    _press(desk, graph, Qt.Key.Key_3)
    picture = view_of(graph).picture
    assert picture.ids == ("near", "hub")
    assert [badge.text for badge in view_of(graph).badges] == [f"+{HUB_SIZE:,}"]
    _press(desk, graph, Qt.Key.Key_0)
    view = view_of(graph)
    assert "hub" in view.picture.ids
    assert len(view.picture) < 10
    assert len(view.badges) == 1


def test_self_links_and_doubled_pairs_are_drawn_apart_or_not_at_all(
    desk: Desk, graph: GraphPanel
) -> None:
    links = [
        ("a", "a", "related"),
        ("a", "b", "supports"),
        ("a", "b", "supports"),
        ("b", "a", "supports"),
        ("b", "b", "contradicts"),
    ]
    _write(desk, ["a", "b"], links)
    desk.select("a")
    view = view_of(graph)
    assert sorted(view.picture.ids) == ["a", "b"]
    assert len(view.picture.edges) == 3
    _press(desk, graph, Qt.Key.Key_Period)
    assert view.chosen_link is not None
    assert view.link_point(view.chosen_link) is not None
    _press(desk, graph, Qt.Key.Key_0)
    assert sorted(view.picture.ids) == ["a", "b"]
    assert not (view.picture.edges[:, 0] == view.picture.edges[:, 1]).any()
    assert np.isfinite(view.picture.positions).all()


def test_links_to_memories_that_are_gone_are_passed_over(desk: Desk, graph: GraphPanel) -> None:
    _write(desk, ["a", "b"], [("a", "gone", "related"), ("lost", "b", "causes")])
    desk.select("a")
    view = view_of(graph)
    assert view.picture.ids == ("a",)
    assert view.notice == "No links yet. This memory stands alone."
    _press(desk, graph, Qt.Key.Key_Period)
    assert desk.notices[-1] == "This memory has no links here."
    _press(desk, graph, Qt.Key.Key_0)
    assert sorted(view.picture.ids) == ["a", "b"]
    assert len(view.picture.edges) == 0


def test_a_circle_of_superseding_memories_has_an_end(desk: Desk, graph: GraphPanel) -> None:
    circle = [("a", "b", "supersedes"), ("b", "c", "supersedes"), ("c", "a", "supersedes")]
    _write(desk, ["a", "b", "c"], circle)
    desk.select("a")
    for key in (Qt.Key.Key_3, Qt.Key.Key_0):
        _press(desk, graph, key)
        assert sorted(view_of(graph).picture.ids) == ["a", "b", "c"]
        assert len(view_of(graph).picture.edges) == 3
    snapshot = desk.session.snapshot
    rows = [snapshot.row_of(key) for key in ("a", "c")]
    assert rows[0] is not None
    assert rows[1] is not None
    assert find_strongest_path(snapshot, rows[0], rows[1]).links


def test_one_memory_or_none_is_a_sentence(desk: Desk, graph: GraphPanel) -> None:
    _write(desk, ["only"], [])
    desk.select("only")
    view = view_of(graph)
    assert view.notice == "No links yet. This memory stands alone."
    _press(desk, graph, Qt.Key.Key_0)
    assert view.picture.ids == ("only",)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Period, Qt.Key.Key_F):
        _press(desk, graph, key)
    _write(desk, [], [])
    assert len(view.picture) == 0
    assert view.notice == "No memories to show: the list is empty."
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_L, Qt.Key.Key_Slash):
        _press(desk, graph, key)
    _press(desk, graph, Qt.Key.Key_1)
    assert view.notice == "Select a memory to see what it is linked with."


def test_a_picture_of_which_all_is_hidden_says_so(desk: Desk, graph: GraphPanel) -> None:
    _write(desk, ["a", "b"], [("a", "b", "related")])
    desk.select("a")
    _press(desk, graph, Qt.Key.Key_0)
    view = view_of(graph)
    _press(desk, graph, Qt.Key.Key_H)
    assert view.notice == "Everything else is hidden or left out here."
    _press(desk, graph, Qt.Key.Key_Right)
    view.go_to("b")
    _press(desk, graph, Qt.Key.Key_H)
    assert view.notice == "Everything is hidden or left out here."
    assert view.accessibleDescription() == view.notice


def test_opening_and_closing_it_fifty_times_leaves_nothing_behind(
    desk: Desk, graph: GraphPanel
) -> None:
    view, menu = view_of(graph), find(graph, QMenu, "graphMenu")
    ids = [desk.memory_id(place) for place in range(4)]
    process = psutil.Process()

    def open_and_close(times: int) -> None:
        for number in range(times):
            desk.session.select(ids[number % 4])
            graph.show()
            desk.qtbot.waitUntil(desk.session.jobs.is_idle)
            if number % 25 == 0:
                for key in (Qt.Key.Key_0, Qt.Key.Key_1):
                    _press(desk, graph, key)
            view.viewport().repaint()
            menu.aboutToShow.emit()
            desk.qtbot.keyClick(view, Qt.Key.Key_Period)
            desk.qtbot.keyClick(view, Qt.Key.Key_Slash)
            graph.hide()

    def count() -> tuple[dict[str, int], int]:
        graph.show()
        desk.session.select(ids[0])  # the menu has an entry for each type and relation shown
        desk.settle_all()
        menu.aboutToShow.emit()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        kinds = Counter(type(one).__name__ for one in graph.findChildren(QObject))
        graph.hide()
        return dict(kinds), len(view.scene().items())

    open_and_close(5)
    objects, held = count(), process.memory_info().rss
    open_and_close(50)
    assert count() == objects
    assert process.memory_info().rss - held < 20_000_000
