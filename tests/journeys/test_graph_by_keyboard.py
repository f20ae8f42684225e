"""Along a path of three memories, from the list into the graph, with the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTableView

from mvdesk.ui.panels.graph_table import GraphTable
from mvdesk.ui.plots.graph_picture import find_next_node
from mvdesk.ui.plots.graph_scene import GraphView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
HEADINGS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}


class Keyboard:
    """A person who has no mouse."""

    def __init__(self, qtbot: QtBot, desk: Desk) -> None:
        self.qtbot, self.desk = qtbot, desk

    def settle(self) -> None:
        session = self.desk.session
        for _ in range(2):
            self.qtbot.waitUntil(
                lambda: session.jobs.is_idle() and session.lane.is_idle(), timeout=30_000
            )

    def press(self, *keys: Qt.Key, mod: Qt.KeyboardModifier = NONE) -> None:
        for key in keys:
            self.qtbot.keyClick(QApplication.focusWidget() or self.desk.window, key, mod)
            self.settle()

    def type(self, text: str) -> None:
        self.qtbot.keyClicks(QApplication.focusWidget(), text)

    def walk(self, view: GraphView, memory_id: str) -> None:
        """Arrow keys along links to a memory, by the fewest."""
        picture = view.picture
        start = picture.ids.index(view.current_id or picture.ids[0])
        ways: dict[int, list[Qt.Key]] = {start: []}
        line = [start]
        while picture.ids.index(memory_id) not in ways:
            node = line.pop(0)
            for key, heading in HEADINGS.items():
                reached = find_next_node(picture, node, heading)
                if reached is not None and reached not in ways:
                    ways[reached] = [*ways[node], key]
                    line.append(reached)
        self.press(*ways[picture.ids.index(memory_id)])
        assert view.current_id == memory_id
        title = picture.labels[picture.ids.index(memory_id)]
        assert (
            view.accessibleDescription().startswith(title) or title in view.accessibleDescription()
        )


def _find_path_of_three(desk: Desk) -> tuple[str, str, str]:
    """A listed memory near the top, one it is linked with, and one further that it isn't."""
    snapshot, order = desk.session.snapshot, desk.session.order.tolist()
    links = snapshot.links
    ties: dict[int, set[int]] = {}
    for start, end in zip(links.from_rows.tolist(), links.to_rows.tolist(), strict=True):
        if start >= 0 and end >= 0 and start != end:
            ties.setdefault(start, set()).add(end)
            ties.setdefault(end, set()).add(start)
    for first in order:
        for middle in sorted(ties.get(first, ())):
            small = all(len(ties.get(row, ())) <= 6 for row in (first, middle))
            for last in sorted(ties.get(middle, set()) - ties.get(first, set()) - {first}):
                if small and last in order:
                    ids = snapshot.memories.ids
                    return ids.text(first), ids.text(middle), ids.text(last)
    raise AssertionError("no path of three memories")


def test_a_path_of_three_memories_by_keyboard(qtbot: QtBot, open_desk: Desk) -> None:
    desk, session = open_desk, open_desk.session
    first, middle, last = _find_path_of_three(desk)
    hands = Keyboard(qtbot, desk)
    view = desk.window.findChild(GraphView, "graphView")
    assert isinstance(view, GraphView)
    table = desk.window.findChild(QTableView, "memoryList")
    assert isinstance(table, QTableView)

    # From the list into the graph.
    hands.press(Qt.Key.Key_3, mod=CTRL)
    table.setFocus()
    hands.press(Qt.Key.Key_Home)
    for _ in range(len(session.order)):
        if session.selected_id == first:
            break
        hands.press(Qt.Key.Key_Down)
    assert session.selected_id == first
    for _ in range(8):
        if view.hasFocus():
            break
        hands.press(Qt.Key.Key_F6)
    assert view.hasFocus()
    hands.press(Qt.Key.Key_2)

    # Along the links, and the path said.
    hands.walk(view, middle)
    hands.walk(view, last)
    hands.press(Qt.Key.Key_Return, mod=SHIFT)
    said = desk.window.findChild(QLabel, "graphPathText")
    assert isinstance(said, QLabel)
    assert " links: " in said.text()
    hands.press(Qt.Key.Key_Escape)

    # A link, its label, and both undone.
    hands.press(Qt.Key.Key_L)
    hands.walk(view, first)
    hands.press(Qt.Key.Key_S, Qt.Key.Key_Return)

    def joining() -> list[tuple[str, str, str | None]]:
        links = session.vault.read_links_of(first)
        return [
            (one.from_id, one.relation_type, one.label)
            for one in links
            if {one.from_id, one.to_id} == {first, last}
        ]

    assert joining() == [(last, "supports", None)]
    hands.press(Qt.Key.Key_F2)
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    hands.type("seen on the way")
    hands.press(Qt.Key.Key_Return)
    assert joining() == [(last, "supports", "seen on the way")]
    assert view.hasFocus()
    hands.press(Qt.Key.Key_Z, mod=CTRL)
    assert joining() == [(last, "supports", None)]
    hands.press(Qt.Key.Key_Z, mod=CTRL)
    assert joining() == []

    # The same as a table and back; Enter opens what the keyboard is at, Backspace goes back.
    hands.press(Qt.Key.Key_T)
    assert isinstance(QApplication.focusWidget(), GraphTable)
    hands.press(Qt.Key.Key_T)
    assert view.hasFocus()
    hands.walk(view, last)
    hands.press(Qt.Key.Key_Return)
    assert session.selected_id == last
    for _ in range(8):
        if view.hasFocus():
            break
        hands.press(Qt.Key.Key_F6)
    hands.press(Qt.Key.Key_Backspace)
    assert session.selected_id == first


def _in_focus() -> str:
    widget = QApplication.focusWidget()
    return "" if widget is None else widget.objectName()


def test_ctrl_3_and_f6_go_to_the_graph_and_tab_through_its_panel(
    qtbot: QtBot, open_desk: Desk
) -> None:
    hands = Keyboard(qtbot, open_desk)
    hands.press(Qt.Key.Key_3, mod=CTRL)
    qtbot.waitUntil(lambda: open_desk.window.is_complete)
    assert _in_focus() == "graphView"
    hands.press(Qt.Key.Key_0)
    hands.press(Qt.Key.Key_F6)
    assert _in_focus() != "graphView"
    hands.press(Qt.Key.Key_F6, mod=SHIFT)
    assert _in_focus() == "graphView"
    hands.press(Qt.Key.Key_Tab)
    assert _in_focus() == "graphMore"
    hands.press(Qt.Key.Key_Backtab, mod=SHIFT)
    assert _in_focus() == "graphView"
    hands.press(Qt.Key.Key_Backtab, mod=SHIFT)
    assert _in_focus() == "graphFactDisputes"


def test_undo_in_menu_and_bar_does_what_ctrl_z_does_in_the_graph(
    qtbot: QtBot, open_desk: Desk
) -> None:
    hands = Keyboard(qtbot, open_desk)
    hands.press(Qt.Key.Key_3, mod=CTRL)
    view = open_desk.window.findChild(GraphView, "graphView")
    undo = open_desk.window.findChild(QAction, "undoAction")
    assert isinstance(view, GraphView)
    assert isinstance(undo, QAction)
    view.setFocus()
    hands.press(Qt.Key.Key_0)
    shown = len(view.picture)
    hands.press(Qt.Key.Key_H)
    assert len(view.picture) == shown - 1
    assert undo.isEnabled()
    assert undo.text().startswith("Undo: Hide")

    # Elsewhere the same action is about the vault alone.
    table = open_desk.window.findChild(QTableView, "memoryList")
    assert isinstance(table, QTableView)
    table.setFocus()
    assert undo.text() == "Undo"
    assert not undo.isEnabled()

    view.setFocus()
    undo.trigger()
    assert len(view.picture) == shown
    assert not undo.isEnabled()
    redo = open_desk.window.findChild(QAction, "redoAction")
    assert isinstance(redo, QAction)
    assert redo.text().startswith("Redo: Hide")
    redo.trigger()
    assert len(view.picture) == shown - 1
