"""Workspaces: rail, keys, what each remembers, and that nothing of them is ever out of reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import QByteArray, QPoint, QSettings, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDockWidget, QSlider, QToolBar, QToolButton, QWidget

from mvdesk.ui.looking import Place
from mvdesk.ui.settings import LAYOUT_VERSION
from mvdesk.ui.workspaces import DOCKS, WORKSPACES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from mvdesk.ui.settings import Settings

W = TypeVar("W", bound=QWidget)
SPECS = {spec.name: spec for spec in DOCKS}


def _find(desk: Desk, kind: type[W], name: str) -> W:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def _dock(desk: Desk, name: str) -> QDockWidget:
    return _find(desk, QDockWidget, f"{name}Dock")


def _shown(desk: Desk) -> set[str]:
    return {name for name in SPECS if not _dock(desk, name).isHidden()}


def _press(qtbot: QtBot, desk: Desk, key: Qt.Key, *, ctrl: bool = True) -> None:
    modifier = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    qtbot.keyClick(desk.window, key, modifier)
    qtbot.waitUntil(lambda: desk.window.is_complete)
    qtbot.wait(30)


def _trigger(desk: Desk, name: str) -> None:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    action.trigger()


def _assert_all_fits(desk: Desk) -> None:
    window = desk.window
    for name, spec in SPECS.items():
        dock = _dock(desk, name)
        if dock.isVisible() and not dock.visibleRegion().isEmpty():
            assert dock.width() >= min(spec.width, 360), name
            assert dock.geometry().right() < window.width(), name
            assert dock.geometry().bottom() <= window.statusBar().y(), name


def test_every_workspace_names_known_docks_and_a_key_of_its_own() -> None:
    assert len({spec.key for spec in WORKSPACES}) == len(WORKSPACES)
    for spec in WORKSPACES:
        assert set(spec.docks) <= set(SPECS)
        assert len(set(spec.docks)) == len(spec.docks)
        assert sum(column.width is None for column in spec.columns) == 1
        assert {name for tab in spec.tabs for name in (tab.front, tab.behind)} <= set(spec.docks)
        assert spec.find in spec.docks
        for column in spec.columns:
            without = [name for name in column.docks if name not in column.heights]
            assert len(without) == 1, spec.name
    assert {name for spec in WORKSPACES for name in spec.docks} == set(SPECS)


def test_keys_and_rail_choose_the_workspace(qtbot: QtBot, open_desk: Desk) -> None:
    rail = _find(open_desk, QToolBar, "workspaceRail")
    assert rail.isVisible()
    for spec in WORKSPACES:
        _press(qtbot, open_desk, Qt.Key(Qt.Key.Key_0 + int(spec.key[-1])))
        assert _shown(open_desk) == set(spec.docks)
        button = _find(open_desk, QToolButton, f"{spec.name}WorkspaceButton")
        assert button.isChecked()
        assert button.accessibleName()
    first = _find(open_desk, QToolButton, f"{WORKSPACES[0].name}WorkspaceButton")
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert _shown(open_desk) == set(WORKSPACES[0].docks)


def test_without_a_vault_there_is_no_rail(qtbot: QtBot, open_desk: Desk) -> None:
    _press(qtbot, open_desk, Qt.Key.Key_2)
    _trigger(open_desk, "closeVault")
    qtbot.waitUntil(lambda: not open_desk.session.is_open)
    assert not _find(open_desk, QToolBar, "workspaceRail").isVisible()
    assert _shown(open_desk) == set()


def test_only_panels_of_the_workspace_have_their_key(qtbot: QtBot, open_desk: Desk) -> None:
    _press(qtbot, open_desk, Qt.Key.Key_2)
    for name in SPECS:
        switch = _dock(open_desk, name).toggleViewAction()
        assert switch.isVisible() == (name in WORKSPACES[1].docks), name
    before = _shown(open_desk)
    qtbot.keyClick(open_desk.window, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    assert _shown(open_desk) == before


def test_each_workspace_remembers_its_own_panels(qtbot: QtBot, open_desk: Desk) -> None:
    _dock(open_desk, "graph").close()
    _press(qtbot, open_desk, Qt.Key.Key_2)
    _dock(open_desk, "explain").close()
    _press(qtbot, open_desk, Qt.Key.Key_1)
    assert _shown(open_desk) == set(WORKSPACES[0].docks) - {"graph"}
    _press(qtbot, open_desk, Qt.Key.Key_2)
    assert _shown(open_desk) == set(WORKSPACES[1].docks) - {"explain"}
    _trigger(open_desk, "resetLayout")
    assert _shown(open_desk) == set(WORKSPACES[1].docks)
    _press(qtbot, open_desk, Qt.Key.Key_1)
    assert "graph" not in _shown(open_desk)


def test_workspaces_outlive_the_program(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    _dock(open_desk, "graph").close()
    _press(qtbot, open_desk, Qt.Key.Key_2)
    _dock(open_desk, "explain").close()
    open_desk.window.close()
    second = make_window()
    with qtbot.waitSignal(second.session.vault_opened):
        second.window.open_vault(brain_file)
    assert _shown(second) == set(WORKSPACES[1].docks) - {"explain"}
    _press(qtbot, second, Qt.Key.Key_1)
    assert _shown(second) == set(WORKSPACES[0].docks) - {"graph"}


def test_an_arrangement_outlives_closing_the_vault_and_the_program(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    _dock(open_desk, "graph").close()
    _trigger(open_desk, "closeVault")
    open_desk.window.close()
    second = make_window()
    with qtbot.waitSignal(second.session.vault_opened):
        second.window.open_vault(brain_file)
    assert _shown(second) == set(WORKSPACES[0].docks) - {"graph"}


@pytest.mark.parametrize("wrong", ["state", "docks"])
def test_one_workspace_of_garbage_leaves_the_others_alone(
    qtbot: QtBot,
    open_desk: Desk,
    make_window: Callable[[], Desk],
    settings: Settings,
    brain_file: Path,
    wrong: str,
) -> None:
    _dock(open_desk, "graph").close()
    _press(qtbot, open_desk, Qt.Key.Key_2)
    _dock(open_desk, "explain").close()
    open_desk.window.close()
    store = QSettings(str(settings.path), QSettings.Format.IniFormat)
    assert int(str(store.value("window/version"))) == LAYOUT_VERSION
    garbage = QByteArray(b"\x00garbage\xff") if wrong == "state" else "sources|attic"
    store.setValue(f"workspaces/sources/{wrong}", garbage)
    store.sync()
    settings._store.sync()
    second = make_window()
    with qtbot.waitSignal(second.session.vault_opened):
        second.window.open_vault(brain_file)
    assert _shown(second) == set(WORKSPACES[1].docks)
    _press(qtbot, second, Qt.Key.Key_1)
    assert _shown(second) == set(WORKSPACES[0].docks) - {"graph"}


@pytest.mark.parametrize("scale", [1.0, 1.5, 1.6])
def test_every_workspace_fits_the_smallest_window(
    qtbot: QtBot, open_desk: Desk, scale: float
) -> None:
    open_desk.window.resize(1024, 680)
    open_desk.theme.set_scale(scale)
    for spec in WORKSPACES:
        _press(qtbot, open_desk, Qt.Key(Qt.Key.Key_0 + int(spec.key[-1])))
        qtbot.wait(50)
        assert open_desk.window.size().width() == 1024
        _assert_all_fits(open_desk)
    _press(qtbot, open_desk, Qt.Key.Key_1)
    _assert_all_fits(open_desk)


def test_focus_mode_leaves_the_panel_with_the_keyboard(qtbot: QtBot, open_desk: Desk) -> None:
    editor = _find(open_desk, QWidget, "editorContent")
    editor.setFocus()
    before = {name: _dock(open_desk, name).geometry() for name in WORKSPACES[0].docks}
    _press(qtbot, open_desk, Qt.Key.Key_F11, ctrl=False)
    assert _shown(open_desk) == {"editor"}
    assert not _find(open_desk, QToolBar, "workspaceRail").isVisible()
    assert QApplication.focusWidget() is editor
    _press(qtbot, open_desk, Qt.Key.Key_F11, ctrl=False)
    assert _find(open_desk, QToolBar, "workspaceRail").isVisible()
    after = {name: _dock(open_desk, name).geometry() for name in WORKSPACES[0].docks}
    assert after == before
    assert QApplication.focusWidget() is editor


def test_focus_mode_gives_the_keyboard_back_to_the_text_that_is_read(
    qtbot: QtBot, open_desk: Desk
) -> None:
    _find(open_desk, QWidget, "editorContent").setFocus()
    _press(qtbot, open_desk, Qt.Key.Key_R)
    reading = QApplication.focusWidget()
    for _ in range(2):
        _press(qtbot, open_desk, Qt.Key.Key_F11, ctrl=False)
        assert QApplication.focusWidget() is reading
    qtbot.wait(50)
    assert QApplication.focusWidget() is reading


def test_focus_mode_ends_with_what_asks_for_another_panel(qtbot: QtBot, open_desk: Desk) -> None:
    for leave in ("find", "sourcesWorkspace", "resetLayout"):
        _press(qtbot, open_desk, Qt.Key.Key_1)
        _find(open_desk, QWidget, "editorContent").setFocus()
        _press(qtbot, open_desk, Qt.Key.Key_F11, ctrl=False)
        assert _shown(open_desk) == {"editor"}
        _trigger(open_desk, leave)
        assert _shown(open_desk) > {"sources"}, leave
        assert _find(open_desk, QToolBar, "workspaceRail").isVisible()


def test_quitting_in_focus_mode_keeps_the_arrangement(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    _press(qtbot, open_desk, Qt.Key.Key_F11, ctrl=False)
    open_desk.window.close()
    second = make_window()
    with qtbot.waitSignal(second.session.vault_opened):
        second.window.open_vault(brain_file)
    assert _shown(second) == set(WORKSPACES[0].docks)


def test_preview_and_selection_survive_the_workspace(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    session.select(session.snapshot.memories.ids[int(session.order[5])])
    selected = session.selected_id
    session.preview_trust("slack #design", 0.3)
    for key in (Qt.Key.Key_2, Qt.Key.Key_1, Qt.Key.Key_2):
        _press(qtbot, open_desk, key)
        assert session.selected_id == selected
        assert session.preview.trust == {"slack #design": 0.3}
        sliders = open_desk.window.findChildren(QSlider, "trustSlider")
        assert sum(slider.isVisible() for slider in sliders) == 1


def test_a_place_in_another_workspace_is_gone_to(qtbot: QtBot, open_desk: Desk) -> None:
    _press(qtbot, open_desk, Qt.Key.Key_2)
    open_desk.session.looking.go_to(Place("editor", "title"))
    assert _dock(open_desk, "editor").isVisible()
    assert _shown(open_desk) == set(WORKSPACES[0].docks)


def test_the_keyboard_is_in_the_workspace_that_comes(qtbot: QtBot, open_desk: Desk) -> None:
    for key in (Qt.Key.Key_2, Qt.Key.Key_1, Qt.Key.Key_2):
        _press(qtbot, open_desk, key)
        focus = QApplication.focusWidget()
        assert focus is not None
        assert focus.isVisible()
        assert any(_dock(open_desk, name).isAncestorOf(focus) for name in _shown(open_desk))


def test_the_keyboard_waits_for_a_panel_that_is_still_made(qtbot: QtBot, open_desk: Desk) -> None:
    for key, name in ((Qt.Key.Key_5, "upkeep"), (Qt.Key.Key_4, "conflicts")):
        _press(qtbot, open_desk, key)
        focus = QApplication.focusWidget()
        assert focus is not None
        assert _dock(open_desk, name).isAncestorOf(focus), focus.objectName()


def test_panels_come_when_the_list_is_in_no_workspace_shown_so_far(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    _press(qtbot, open_desk, Qt.Key.Key_4)
    open_desk.window.close()
    second = make_window()
    with qtbot.waitSignal(second.window.panels_ready, timeout=15_000):
        second.window.open_vault(brain_file)
    _press(qtbot, second, Qt.Key.Key_5)
    assert second.window.is_complete
    focus = QApplication.focusWidget()
    assert focus is not None
    assert _dock(second, "upkeep").isAncestorOf(focus)


def test_the_keyboard_is_in_the_panel_in_front(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    _trigger(open_desk, "reviewQueue")
    qtbot.waitUntil(lambda: open_desk.window.is_complete)
    qtbot.wait(50)
    _press(qtbot, open_desk, Qt.Key.Key_1)
    open_desk.window.close()
    second = make_window()
    with qtbot.waitSignal(second.window.panels_ready, timeout=15_000):
        second.window.open_vault(brain_file)
    for _ in range(2):
        _press(qtbot, second, Qt.Key.Key_4)
        focus = QApplication.focusWidget()
        assert focus is not None
        assert _dock(second, "review").isAncestorOf(focus), focus.objectName()
        assert not _dock(second, "review").visibleRegion().isEmpty()
        _press(qtbot, second, Qt.Key.Key_1)


def test_workspaces_leave_no_tab_bars_behind(qtbot: QtBot, open_desk: Desk) -> None:
    open_desk.window.resize(1024, 680)
    for _ in range(3):
        _press(qtbot, open_desk, Qt.Key.Key_2)
        _press(qtbot, open_desk, Qt.Key.Key_1)
    open_desk.window.resize(1440, 900)
    qtbot.waitUntil(lambda: open_desk.window.width() == 1440)
    qtbot.wait(50)
    for name in WORKSPACES[0].docks:
        dock = _dock(open_desk, name)
        assert not open_desk.window.tabifiedDockWidgets(dock)
        spot = dock.mapTo(open_desk.window, QPoint(20, 8))
        under = open_desk.window.childAt(spot)
        assert under is dock or dock.isAncestorOf(under), name


def test_the_rail_stays_when_a_window_that_opened_small_gets_larger(
    qtbot: QtBot, desk: Desk, brain_file: Path
) -> None:
    desk.window.resize(1024, 680)
    with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
        desk.window.open_vault(brain_file)
    rail = desk.window.findChild(QWidget, "workspaceRail")
    assert rail is not None
    assert rail.isVisible()
    desk.window.resize(1440, 900)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    assert rail.isVisible()
