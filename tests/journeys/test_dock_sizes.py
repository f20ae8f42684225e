"""Docks keep the sizes that the person set, and never run over the edge of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QLineEdit

from mvdesk.ui.workspaces import DOCKS as ALL_DOCKS
from mvdesk.ui.workspaces import WORKSPACES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

DOCKS = [spec for spec in ALL_DOCKS if spec.name in WORKSPACES[0].docks]


def _dock(desk: Desk, name: str) -> QDockWidget:
    found = desk.window.findChild(QDockWidget, f"{name}Dock")
    assert isinstance(found, QDockWidget)
    return found


def _trigger(qtbot: QtBot, desk: Desk, name: str) -> None:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    action.trigger()
    qtbot.wait(30)


def _widths(desk: Desk) -> dict[str, int]:
    return {name: _dock(desk, name).width() for name in ("memories", "editor", "explain")}


def _rest(qtbot: QtBot, desk: Desk) -> None:
    """Until nothing is laid out any more."""
    calm, seen = 0, _widths(desk)
    while calm < 4:
        qtbot.wait(40)
        now = _widths(desk)
        calm, seen = (calm + 1 if now == seen else 0), now


def _drag_line_right_of(qtbot: QtBot, desk: Desk, name: str, by: int) -> None:
    window, dock = desk.window, _dock(desk, name)
    start = QPoint(dock.geometry().right() + 1, dock.geometry().center().y())
    qtbot.mousePress(window, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(window, start + QPoint(by // 2, 0))
    qtbot.wait(20)
    qtbot.mouseMove(window, start + QPoint(by, 0))
    qtbot.wait(20)
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=start + QPoint(by, 0))
    qtbot.wait(30)


def _assert_all_fits(desk: Desk) -> None:
    for spec in DOCKS:
        dock = _dock(desk, spec.name)
        if dock.isVisible() and not dock.visibleRegion().isEmpty():
            assert dock.geometry().right() < desk.window.width(), spec.name
            widget = dock.widget()
            assert widget is not None
            assert widget.width() == dock.width(), spec.name


def test_the_usual_text_size_again_leaves_nothing_cut_off(qtbot: QtBot, open_desk: Desk) -> None:
    open_desk.window.resize(1024, 680)
    _rest(qtbot, open_desk)
    before = _widths(open_desk)
    for _ in range(5):
        _trigger(qtbot, open_desk, "largerText")
        _assert_all_fits(open_desk)
    _trigger(qtbot, open_desk, "usualText")
    qtbot.waitUntil(lambda: _widths(open_desk) == before)
    _assert_all_fits(open_desk)
    open_desk.window.resize(1200, 800)
    _rest(qtbot, open_desk)
    _assert_all_fits(open_desk)


def test_widths_that_were_set_come_back(qtbot: QtBot, open_desk: Desk) -> None:
    _drag_line_right_of(qtbot, open_desk, "memories", 90)
    _drag_line_right_of(qtbot, open_desk, "editor", -50)
    widths = _widths(open_desk)
    assert widths["memories"] > 540
    assert widths["explain"] > 490
    for name in ("largerText", "usualText", "smallerText", "usualText"):
        _trigger(qtbot, open_desk, name)
    assert _widths(open_desk) == widths
    for size in ((1100, 700), (1024, 680), (1440, 900)):
        open_desk.window.resize(*size)
        _rest(qtbot, open_desk)
        _assert_all_fits(open_desk)
    qtbot.waitUntil(lambda: _widths(open_desk) == widths)


def test_widths_stay_while_working(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    open_desk.window.resize(1200, 760)  # the editor has little more than its smallest width
    _rest(qtbot, open_desk)
    _drag_line_right_of(qtbot, open_desk, "memories", 200)
    widths = _widths(open_desk)
    title = open_desk.window.findChild(QLineEdit, "editorTitle")
    assert isinstance(title, QLineEdit)
    for place in (3, 11, 30):
        with qtbot.waitSignal(session.memory_loaded):
            session.select(session.snapshot.memories.ids[int(session.order[place])])
        title.setFocus()
        qtbot.keyClicks(title, "!")
        qtbot.wait(20)
        assert _widths(open_desk) == widths
        with qtbot.waitSignal(session.write_finished):
            qtbot.keyClick(title, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        session.preview_trust("slack #design", 0.2 + place / 100)
        qtbot.wait(20)
        session.discard_preview()
        _trigger(qtbot, open_desk, "newMemory")
        assert _widths(open_desk) == widths
        _dock(open_desk, "graph").close()
        _dock(open_desk, "graph").show()
    _rest(qtbot, open_desk)
    assert _widths(open_desk) == widths


def test_sizes_outlive_the_program(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    _drag_line_right_of(qtbot, open_desk, "memories", 90)
    widths = _widths(open_desk)
    open_desk.window.resize(1024, 680)
    qtbot.wait(30)
    open_desk.window.close()
    second = make_window()
    with qtbot.waitSignal(second.window.panels_ready, timeout=15_000):
        second.window.open_vault(brain_file)
    qtbot.waitUntil(lambda: _widths(second) == widths)


def test_the_default_size_fits_the_screen(qtbot: QtBot, desk: Desk) -> None:
    room = desk.window.screen().availableGeometry()
    desk.window.workspace.reset()
    qtbot.wait(20)
    assert desk.window.width() <= max(room.width(), desk.window.minimumWidth())
    assert desk.window.height() <= max(room.height(), desk.window.minimumHeight())


def test_a_column_of_tabs_has_its_width_again(qtbot: QtBot, open_desk: Desk) -> None:
    window = open_desk.window
    window.workspace.show("graph")
    _rest(qtbot, open_desk)
    usual = {name: _dock(open_desk, name).width() for name in ("memories", "graph", "editor")}
    assert usual["graph"] > usual["memories"] + usual["editor"] - 20
    for size, scale in (((1024, 680), 1.5), ((1024, 680), 1.0), ((1440, 900), 1.0)):
        window.resize(*size)
        open_desk.theme.set_scale(scale)
        _rest(qtbot, open_desk)
        for name in ("graph", "editor", "explain", "memories"):
            dock = _dock(open_desk, name)
            if not dock.visibleRegion().isEmpty():
                assert dock.geometry().right() < window.width(), name
    qtbot.waitUntil(lambda: {name: _dock(open_desk, name).width() for name in usual} == usual)
