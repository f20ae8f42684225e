"""Panels on a real session, shown in a window of their own size."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from mvdesk.ui.panels.editor import EditorPanel
from mvdesk.ui.panels.explain import ExplainPanel
from mvdesk.ui.panels.graph import GraphPanel
from mvdesk.ui.panels.graph_table import GraphTable
from mvdesk.ui.panels.memories import MemoriesPanel
from mvdesk.ui.panels.sources import SourcesPanel
from mvdesk.ui.plots.graph_scene import GraphView
from mvdesk.ui.session import VaultSession
from tests.conftest import NOW, THREAD_GRACE_S

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.records import Memory
    from mvdesk.ui.theme import ThemeController

AnyPanel = TypeVar("AnyPanel", bound=QWidget)
AnyWidget = TypeVar("AnyWidget", bound=QWidget)


class Desk:
    """A session with the recorded vault open, and what tests do with it all the time."""

    def __init__(self, qtbot: QtBot, session: VaultSession, theme: ThemeController) -> None:
        self.qtbot, self.session, self.theme = qtbot, session, theme
        self.notices: list[str] = []
        session.messages.shown.connect(self._on_shown)

    def show(self, kind: type[AnyPanel], width: int = 480, height: int = 640) -> AnyPanel:
        """A panel on screen, with the focus in its window."""
        panel: AnyPanel = kind(self.session, self.theme)  # type: ignore[call-arg, arg-type]
        self.qtbot.addWidget(panel)
        panel.resize(width, height)
        with self.qtbot.waitExposed(panel):
            panel.show()
        panel.activateWindow()
        self.settle()
        return panel

    def settle(self) -> None:
        """Wait until nothing runs in the background."""
        self.qtbot.waitUntil(self.session.jobs.is_idle)

    def settle_all(self) -> None:
        """Wait until nothing runs in other processes either."""
        for _ in range(2):  # what one of them brings may start the other
            self.qtbot.waitUntil(
                lambda: self.session.jobs.is_idle() and self.session.lane.is_idle(), timeout=60_000
            )

    def select(self, memory_id: str | None) -> None:
        self.session.select(memory_id)
        self.settle()

    def memory_id(self, place: int) -> str:
        """The id of the memory at a place of the list."""
        memory_id = self.session.snapshot.memories.ids[int(self.session.order[place])]
        assert memory_id is not None
        return memory_id

    def memory_of_source(self, key: str, number: int = 0) -> str:
        rows = self.session.snapshot.rows_of_source(key)
        memory_id = self.session.snapshot.memories.ids[int(rows[number])]
        assert memory_id is not None
        return memory_id

    def read(self, memory_id: str) -> Memory:
        """A memory as the file has it now."""
        return self.session.vault.read_memory(memory_id)

    def edit_outside(self, sql: str, *values: object) -> None:
        """What another program does, and the session's noticing it."""
        with closing(sqlite3.connect(self.session.vault.path)) as other, other:
            other.execute(sql, values)
        with self.qtbot.waitSignal(self.session.vault_changed, timeout=10_000):
            pass
        self.settle()

    def leave(self) -> None:
        """Listen to no more messages."""
        self.session.messages.shown.disconnect(self._on_shown)

    def _on_shown(self, _kind: str, text: str) -> None:
        self.notices.append(text)


def find(panel: QWidget, kind: type[AnyWidget], name: str) -> AnyWidget:
    """The widget of this name, which must be there."""
    found = panel.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def view_of(panel: GraphPanel) -> GraphView:
    """The picture of the graph's panel."""
    return find(panel, GraphView, "graphView")


@pytest.fixture
def desk(request: pytest.FixtureRequest, qtbot: QtBot) -> Desk:
    """A session of its own, or that of the whole file where `lasting_graph` is used."""
    if "lasting_graph" in request.fixturenames:
        lasting: Desk = request.getfixturevalue("lasting_desk")
        return lasting
    session, theme = request.getfixturevalue("session"), request.getfixturevalue("theme")
    return Desk(qtbot, session, theme)


@pytest.fixture
def memories(desk: Desk) -> MemoriesPanel:
    return desk.show(MemoriesPanel)


@pytest.fixture
def editor(desk: Desk) -> EditorPanel:
    return desk.show(EditorPanel)


@pytest.fixture
def explain(desk: Desk) -> ExplainPanel:
    return desk.show(ExplainPanel, width=460, height=900)


@pytest.fixture
def sources(desk: Desk) -> SourcesPanel:
    return desk.show(SourcesPanel, width=400, height=240)


@pytest.fixture
def graph(request: pytest.FixtureRequest, desk: Desk) -> GraphPanel:
    if "lasting_graph" in request.fixturenames:
        lasting: LastingGraph = request.getfixturevalue("lasting_graph")
        return lasting.panel
    return desk.show(GraphPanel, width=560, height=320)


class LastingGraph:
    """A graph panel with its session for all tests of a file: the layout's process starts once.

    Each test gets a vault of its own, in which nothing was done to the graph.
    """

    def __init__(self, theme: ThemeController, folder: Path) -> None:
        self._theme = theme
        self.session = VaultSession(data_folder=folder, clock=lambda: NOW)
        self.panel = GraphPanel(self.session, theme)
        self.panel.resize(560, 320)

    def begin(self, qtbot: QtBot, path: Path) -> Desk:
        session, panel = self.session, self.panel
        desk = Desk(qtbot, session, self._theme)
        with qtbot.waitSignal(session.vault_opened):
            session.open_vault(path)
        with qtbot.waitExposed(panel):
            panel.show()
        panel.activateWindow()
        if find(panel, GraphTable, "graphTable").isVisible():
            qtbot.keyClick(panel, Qt.Key.Key_T)
        qtbot.keyClick(panel, Qt.Key.Key_1)
        desk.settle()
        return desk

    def end(self, desk: Desk) -> None:
        desk.leave()
        self.panel.hide()
        self.session.close_vault()
        desk.qtbot.waitUntil(self.session.lane.is_idle, timeout=20_000)

    def close(self) -> None:
        self.panel.close()
        self.panel.deleteLater()
        self.session.shut_down()


@pytest.fixture(scope="module")
def lasting_graph(
    _dressed: ThemeController, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LastingGraph]:
    before = set(threading.enumerate())
    lasting = LastingGraph(_dressed, tmp_path_factory.mktemp("lasting"))
    yield lasting
    lasting.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(THREAD_GRACE_S)
        assert not thread.is_alive(), thread.name


@pytest.fixture
def lasting_desk(qtbot: QtBot, lasting_graph: LastingGraph, brain_file: Path) -> Iterator[Desk]:
    desk = lasting_graph.begin(qtbot, brain_file)
    yield desk
    lasting_graph.end(desk)
