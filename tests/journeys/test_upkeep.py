"""Upkeep from the keyboard alone: a decay with a look at the year, rules, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from mvdesk.arrays import NO_TIME
from mvdesk.ui.panels.upkeep import PAGES, UpkeepPanel
from mvdesk.ui.plots.heat_chart import HeatChart
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.ui.widgets.ticking_table import TickingTable

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

W = TypeVar("W", bound=QWidget)
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def press(qtbot: QtBot, desk: Desk, key: Qt.Key, mods: Qt.KeyboardModifier | None = None) -> None:
    target = QApplication.focusWidget() or desk.window
    qtbot.keyClick(target, key, mods or Qt.KeyboardModifier.NoModifier)
    qtbot.waitUntil(lambda: desk.session.jobs.is_idle() and desk.window.is_complete)


def find(desk: Desk, kind: type[W], name: str) -> W:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def test_a_decay_is_looked_at_ticked_written_and_taken_back(qtbot: QtBot, open_desk: Desk) -> None:
    before = open_desk.session.snapshot.memories
    press(qtbot, open_desk, Qt.Key.Key_U, CTRL | SHIFT)
    field = find(open_desk, QLineEdit, "decayDays")
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, "10")
    press(qtbot, open_desk, Qt.Key.Key_Return)
    table = find(open_desk, TickingTable, "decayTable")
    assert table.hasFocus()
    press(qtbot, open_desk, Qt.Key.Key_Space, SHIFT)
    press(qtbot, open_desk, Qt.Key.Key_Down)
    press(qtbot, open_desk, Qt.Key.Key_Space)
    apply = find(open_desk, QPushButton, "decayApply")
    assert apply.text() == "A&pply to 1 memory"
    press(qtbot, open_desk, Qt.Key.Key_Tab)
    assert apply.hasFocus()
    press(qtbot, open_desk, Qt.Key.Key_Space)
    after = open_desk.session.snapshot.memories
    changed = (before.last_decayed_at != after.last_decayed_at).nonzero()[0].tolist()
    assert changed == [open_desk.session.selected_row]
    said = find(open_desk, QLabel, "decaySummary")
    assert said.text() == "One memory decayed. Ctrl+Z takes all of it back."
    press(qtbot, open_desk, Qt.Key.Key_Z, CTRL)
    assert said.text() == "Nothing has been looked at yet."  # Ctrl+Z is for another step now
    back = open_desk.session.snapshot.memories
    for name in ("base_confidence", "base_importance", "last_decayed_at", "updated_at"):
        assert getattr(back, name).tolist() == getattr(before, name).tolist()


def test_tab_goes_through_a_decay_as_it_is_read_and_apply_is_always_seen(
    qtbot: QtBot, open_desk: Desk
) -> None:
    open_desk.window.resize(1024, 680)
    open_desk.theme.set_scale(1.5)
    press(qtbot, open_desk, Qt.Key.Key_U, CTRL | SHIFT)
    field = find(open_desk, QLineEdit, "decayDays")
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, "10")
    press(qtbot, open_desk, Qt.Key.Key_Return)
    field.setFocus()
    stops = []
    while (at := QApplication.focusWidget()) is not None and len(stops) < 14:
        name = at.objectName() or getattr(at, "text", str)()
        stops.append(name)
        if name == "decayApply":
            break
        press(qtbot, open_desk, Qt.Key.Key_Tab)
    assert stops == [
        *("decayDays", "decayLinks", "decayConfidence", "decayImportance"),
        *("decayRun", "decayDefaults", "Memories", "decayAll", "decayNone", "decayUsual"),
        *("decayTable", "decayApply"),
    ]
    for page, name in (("decay", "decayApply"), ("reinforce", "reinforceApply")):
        find(open_desk, UpkeepPanel, "upkeepView").show_page(page)
        qtbot.waitUntil(open_desk.session.jobs.is_idle)
        button = find(open_desk, QPushButton, name)
        assert button.visibleRegion().boundingRect() == button.rect()
    open_desk.theme.set_scale(1.0)


def test_a_memory_is_reinforced_looked_at_as_a_graph_and_taken_back(
    qtbot: QtBot, open_desk: Desk
) -> None:
    session = open_desk.session
    links, ids = session.snapshot.links, session.snapshot.memories.ids
    active = session.snapshot.memories.archived_at[links.from_rows] == NO_TIME
    seed = ids.text(int(links.from_rows[active][0]))
    session.select(seed)
    before = session.snapshot.memories
    press(qtbot, open_desk, Qt.Key.Key_I, CTRL | SHIFT)
    table = find(open_desk, KeyedTable, "reinforceTable")
    qtbot.waitUntil(table.hasFocus)
    assert seed in {row.key for row in table.rows}
    view = find(open_desk, SegmentedControl, "reinforceView")
    view.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, open_desk, Qt.Key.Key_Right)
    chart = find(open_desk, HeatChart, "reinforceChart")
    assert chart.isVisible()
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, open_desk, Qt.Key.Key_Down)
    press(qtbot, open_desk, Qt.Key.Key_Return)
    assert session.selected_id == chart.current_id
    title = session.snapshot.memories.labels.text(session.snapshot.row_of(seed) or 0)
    assert find(open_desk, QLabel, "reinforceSeed").text() == f"Reinforce: {title}"
    shown = {row.key for row in table.rows}
    find(open_desk, QPushButton, "reinforceApply").setFocus()
    press(qtbot, open_desk, Qt.Key.Key_Return)
    after = session.snapshot.memories
    moved = (before.base_confidence != after.base_confidence) | (
        before.base_importance != after.base_importance
    )
    assert {ids.text(row) for row in moved.nonzero()[0].tolist()} == shown
    press(qtbot, open_desk, Qt.Key.Key_Z, CTRL)
    assert session.snapshot.memories.base_importance.tolist() == before.base_importance.tolist()


def test_an_archived_memory_comes_back_and_the_history_takes_that_back(
    qtbot: QtBot, open_desk: Desk
) -> None:
    session = open_desk.session
    before = session.snapshot.memories.archived_at.tolist()
    press(qtbot, open_desk, Qt.Key.Key_X, CTRL | SHIFT)
    table = find(open_desk, TickingTable, "archiveTable")
    qtbot.waitUntil(lambda: find(open_desk, QLabel, "archiveWhy").text() != "")
    press(qtbot, open_desk, Qt.Key.Key_Down)
    qtbot.waitUntil(table.hasFocus)
    press(qtbot, open_desk, Qt.Key.Key_Space)
    find(open_desk, QPushButton, "archiveRestore").setFocus()
    press(qtbot, open_desk, Qt.Key.Key_Return)
    assert session.snapshot.memories.archived_at.tolist() != before
    press(qtbot, open_desk, Qt.Key.Key_Y, CTRL | SHIFT)
    lines = find(open_desk, TableView, "timelineTable")
    press(qtbot, open_desk, Qt.Key.Key_Home, CTRL)
    model = lines.model()
    assert model is not None
    qtbot.waitUntil(lambda: "archive" in str(model.index(0, 1).data()))
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    press(qtbot, open_desk, Qt.Key.Key_Return)  # to the memory
    assert session.selected_id is not None
    undo = find(open_desk, QPushButton, "timelineUndo")
    assert undo.isEnabled()
    undo.setFocus()
    press(qtbot, open_desk, Qt.Key.Key_Return)
    assert session.snapshot.memories.archived_at.tolist() == before


def assert_no_letter_twice(desk: Desk) -> None:
    """An underlined letter opens one thing: a menu, or what a button on screen does."""
    texts = [menu.text() for menu in desk.window.menuBar().actions()]
    buttons = desk.window.findChildren(QAbstractButton)
    texts += [one.text() for one in buttons if one.isVisible()]
    letters = [QKeySequence.mnemonic(text).toString() for text in texts]
    used = sorted(letter for letter in letters if letter)
    assert used == sorted(set(used)), texts


def test_every_page_has_a_key_and_is_shown_with_the_keyboard_in_it(
    qtbot: QtBot, open_desk: Desk
) -> None:
    alt = Qt.KeyboardModifier.AltModifier
    keys = {
        "decay": (Qt.Key.Key_U, CTRL | SHIFT),
        "reinforce": (Qt.Key.Key_I, CTRL | SHIFT),
        "duplicates": (Qt.Key.Key_W, CTRL | alt),
        "policy": (Qt.Key.Key_P, CTRL | SHIFT),
        "archive": (Qt.Key.Key_X, CTRL | SHIFT),
        "history": (Qt.Key.Key_Y, CTRL | SHIFT),
    }
    for page, _ in PAGES:
        press(qtbot, open_desk, *keys[page])
        assert find(open_desk, SegmentedControl, "upkeepPage").value == page
        assert_no_letter_twice(open_desk)
        panel = find(open_desk, UpkeepPanel, "upkeepView")
        focus = QApplication.focusWidget()
        assert focus is not None
        assert panel.isAncestorOf(focus)


def test_closing_the_vault_leaves_nothing_behind(qtbot: QtBot, open_desk: Desk) -> None:
    press(qtbot, open_desk, Qt.Key.Key_U, CTRL | SHIFT)
    press(qtbot, open_desk, Qt.Key.Key_Return)
    press(qtbot, open_desk, Qt.Key.Key_W, CTRL)
    qtbot.waitUntil(lambda: not open_desk.session.is_open)
    model = find(open_desk, TickingTable, "decayTable").model()
    assert model is not None
    assert model.rowCount() == 0
