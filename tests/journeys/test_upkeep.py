"""Upkeep from the keyboard alone: a decay with a look at the year, rules, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from mvdesk.ui.panels.upkeep import PAGES, UpkeepPanel
from mvdesk.ui.widgets.segmented_control import SegmentedControl
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
    apply.setFocus()
    press(qtbot, open_desk, Qt.Key.Key_Space)
    after = open_desk.session.snapshot.memories
    changed = (before.last_decayed_at != after.last_decayed_at).nonzero()[0].tolist()
    assert changed == [open_desk.session.selected_row]
    press(qtbot, open_desk, Qt.Key.Key_Z, CTRL)
    back = open_desk.session.snapshot.memories
    for name in ("base_confidence", "base_importance", "last_decayed_at", "updated_at"):
        assert getattr(back, name).tolist() == getattr(before, name).tolist()


def test_every_page_has_a_key_and_is_shown_with_the_keyboard_in_it(
    qtbot: QtBot, open_desk: Desk
) -> None:
    keys = (Qt.Key.Key_U, Qt.Key.Key_I, Qt.Key.Key_P, Qt.Key.Key_X, Qt.Key.Key_Y)
    for key, (page, _) in zip(keys, PAGES, strict=True):
        press(qtbot, open_desk, key, CTRL | SHIFT)
        assert find(open_desk, SegmentedControl, "upkeepPage").value == page
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
