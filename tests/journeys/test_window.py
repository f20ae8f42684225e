"""The window itself: start page, docks, layout, keyboard, themes, opening and closing."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import QByteArray, QPoint, QSettings, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QTabBar,
    QTableView,
    QTextEdit,
    QToolButton,
    QWidget,
)

from mvdesk.scoring.builtin import BUILTIN_MODELS, SERVER_V2
from mvdesk.ui.settings import LAYOUT_VERSION
from mvdesk.ui.widgets.model_choice import ModelChoice
from mvdesk.ui.workspaces import DOCKS as ALL_DOCKS
from mvdesk.ui.workspaces import WORKSPACES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from mvdesk.ui.settings import Settings
    from tests.fakes import FakeFileDialogs

DOCKS = [spec for spec in ALL_DOCKS if spec.name in WORKSPACES[0].docks]
W = TypeVar("W", bound=QWidget)


def _find(desk: Desk, kind: type[W], name: str) -> W:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def _trigger(desk: Desk, name: str) -> None:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    assert action.isEnabled()
    action.trigger()


def _dock(desk: Desk, name: str) -> QDockWidget:
    return _find(desk, QDockWidget, f"{name}Dock")


# Start page


def test_without_a_vault_there_are_three_cards(desk: Desk) -> None:
    page = _find(desk, QWidget, "startPage")
    assert page.isVisible()
    for name in ("openDemoCard", "openVaultCard", "newVaultCard"):
        assert _find(desk, QToolButton, name).isVisible()
    assert not any(_dock(desk, spec.name).isVisible() for spec in DOCKS)


def test_the_demo_card_opens_the_demo_vault(qtbot: QtBot, desk: Desk) -> None:
    with qtbot.waitSignal(desk.session.vault_opened, timeout=15_000):
        qtbot.mouseClick(_find(desk, QToolButton, "openDemoCard"), Qt.MouseButton.LeftButton)
    assert len(desk.session.snapshot.memories) >= 100
    assert not _find(desk, QWidget, "startPage").isVisible()
    assert all(_dock(desk, spec.name).isVisible() for spec in DOCKS)


def test_the_first_card_has_the_keyboard(qtbot: QtBot, desk: Desk) -> None:
    card = _find(desk, QToolButton, "openDemoCard")
    assert desk.window.focusWidget() is card
    with qtbot.waitSignal(desk.session.vault_opened, timeout=15_000):
        qtbot.keyClick(card, Qt.Key.Key_Space)


def test_the_open_card_asks_for_a_file(
    qtbot: QtBot, desk: Desk, files: FakeFileDialogs, brain_file: Path
) -> None:
    card = _find(desk, QToolButton, "openVaultCard")
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)  # they change their mind
    assert not desk.session.is_open
    files.answer = brain_file
    with qtbot.waitSignal(desk.session.vault_opened):
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert desk.window.windowTitle().startswith("brain")


def test_the_new_card_makes_an_empty_vault(
    qtbot: QtBot, desk: Desk, files: FakeFileDialogs, tmp_path: Path
) -> None:
    files.answer = tmp_path / "mine.sqlite"
    with qtbot.waitSignal(desk.session.vault_opened):
        qtbot.mouseClick(_find(desk, QToolButton, "newVaultCard"), Qt.MouseButton.LeftButton)
    assert files.answer.exists()
    assert len(desk.session.order) == 0


def test_a_vault_opened_before_is_offered(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk]
) -> None:
    open_desk.window.close()
    second = make_window()
    recent = _find(second, QPushButton, "recentVault")
    with qtbot.waitSignal(second.session.vault_opened):
        qtbot.mouseClick(recent, Qt.MouseButton.LeftButton)
    assert second.session.vault.name == "brain"


def test_a_file_that_is_no_vault_is_explained(qtbot: QtBot, desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear Ada, " * 200)
    desk.window.open_vault(path)
    qtbot.waitUntil(lambda: desk.session.messages.dialog is not None)
    dialog = desk.session.messages.dialog
    assert dialog is not None
    assert "Traceback" not in " ".join(label.text() for label in dialog.findChildren(QLabel))
    ok = dialog.findChild(QPushButton, "problemOk")
    assert isinstance(ok, QPushButton)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    assert _find(desk, QWidget, "startPage").isVisible()


# Docks and layout


def test_the_default_layout_is_that_of_the_design(open_desk: Desk) -> None:
    memories, editor = _dock(open_desk, "memories"), _dock(open_desk, "editor")
    graph, explain = _dock(open_desk, "graph"), _dock(open_desk, "explain")
    assert memories.x() < editor.x() < explain.x()
    assert abs(memories.width() - 480) <= 16
    assert abs(explain.width() - 460) <= 16
    assert graph.y() > editor.y()
    assert graph.x() == editor.x()
    assert abs(graph.height() - 300) <= 16


def test_no_panel_gets_smaller_than_its_minimum_at_1024(qtbot: QtBot, open_desk: Desk) -> None:
    open_desk.window.resize(1024, 680)
    qtbot.waitUntil(lambda: open_desk.window.width() == 1024)
    assert open_desk.window.height() == 680
    for spec in DOCKS:
        dock = _dock(open_desk, spec.name)
        if dock.isVisible() and not dock.visibleRegion().isEmpty():
            assert dock.width() >= spec.width, spec.name
            assert dock.height() >= spec.height, spec.name
            assert dock.geometry().right() <= open_desk.window.width(), spec.name


def test_a_narrow_window_puts_the_graph_behind_the_editor_and_back(
    qtbot: QtBot, open_desk: Desk
) -> None:
    window, editor = open_desk.window, _dock(open_desk, "editor")
    window.resize(1100, 800)
    qtbot.waitUntil(lambda: bool(window.tabifiedDockWidgets(editor)))
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: not window.tabifiedDockWidgets(editor))
    assert _dock(open_desk, "graph").y() > editor.y()


def test_large_text_in_the_smallest_window_pushes_nothing_out(
    qtbot: QtBot, open_desk: Desk
) -> None:
    window = open_desk.window
    window.resize(1024, 680)
    open_desk.theme.set_scale(1.6)
    qtbot.waitUntil(lambda: len(window.tabifiedDockWidgets(_dock(open_desk, "editor"))) == 2)
    open_desk.session.preview_trust("slack #design", 0.2)
    bar, status = _find(open_desk, QWidget, "previewBar"), window.statusBar()
    qtbot.waitUntil(bar.isVisible)
    qtbot.waitUntil(lambda: window.rect().contains(status.geometry()))
    bottom = bar.mapTo(window, bar.rect().topLeft()).y()
    for spec in DOCKS:
        dock = _dock(open_desk, spec.name)
        if not dock.visibleRegion().isEmpty():
            assert dock.geometry().bottom() <= bottom, spec.name
            assert dock.geometry().right() <= window.width(), spec.name
    assert _find(open_desk, QComboBox, "modelPicker").isVisible()


def test_tabs_leave_nothing_behind(qtbot: QtBot, open_desk: Desk) -> None:
    window = open_desk.window

    def tab_bars() -> int:
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        bars = window.findChildren(QTabBar, options=direct)
        return sum(bar.isVisible() for bar in bars)

    window.resize(1600, 1000)
    for _ in range(2):
        open_desk.theme.set_scale(1.6)
        qtbot.waitUntil(lambda: tab_bars() == 1)
        window.resize(1024, 680)
        qtbot.waitUntil(lambda: tab_bars() == 2)
        window.resize(1600, 1000)
        qtbot.waitUntil(lambda: tab_bars() == 1)
        open_desk.theme.set_scale(1.0)
        qtbot.waitUntil(lambda: tab_bars() == 0)
    open_desk.theme.set_scale(1.0)


@pytest.mark.parametrize("garbage", [b"", b"garbage", b"\x00" * 500, b"\xff\x00\x00\x00\xfd"])
def test_a_garbage_layout_becomes_the_default(
    qtbot: QtBot,
    make_window: Callable[[], Desk],
    settings: Settings,
    brain_file: Path,
    garbage: bytes,
) -> None:
    store = QSettings(str(settings.path), QSettings.Format.IniFormat)
    store.setValue("window/version", LAYOUT_VERSION)
    store.setValue("window/geometry", QByteArray(garbage))
    store.setValue("window/workspace", "attic")
    for spec in WORKSPACES:
        store.setValue(f"workspaces/{spec.name}/docks", spec.signature)
        store.setValue(f"workspaces/{spec.name}/state", QByteArray(garbage))
    store.sync()
    settings._store.sync()
    desk = make_window()
    with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
        desk.window.open_vault(brain_file)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    test_the_default_layout_is_that_of_the_design(desk)


def test_the_layout_comes_back_at_the_next_start(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    _dock(open_desk, "graph").close()
    open_desk.window.close()
    second = make_window()
    with qtbot.waitSignal(second.window.panels_ready, timeout=15_000):
        second.window.open_vault(brain_file)
    assert not _dock(second, "graph").isVisible()
    assert _dock(second, "explain").isVisible()
    _trigger(second, "resetLayout")
    assert _dock(second, "graph").isVisible()


def test_closing_a_dock_loses_nothing(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    memory_id = session.snapshot.memories.ids[int(session.order[7])]
    session.preview_trust("slack #design", 0.3)
    session.select(memory_id)
    dock = _dock(open_desk, "memories")
    dock.close()
    dock.show()
    assert session.selected_id == memory_id
    assert session.preview.trust == {"slack #design": 0.3}
    table = _find(open_desk, QTableView, "memoryList")
    assert table.selectionModel().hasSelection()


# Keyboard


def test_f6_visits_every_panel_and_comes_back(qtbot: QtBot, open_desk: Desk) -> None:
    window = open_desk.window
    seen = []
    for _ in DOCKS:
        qtbot.keyClick(window, Qt.Key.Key_F6)
        focus = QApplication.focusWidget()
        seen.append(next(s.name for s in DOCKS if _dock(open_desk, s.name).isAncestorOf(focus)))
    assert sorted(seen) == sorted(spec.name for spec in DOCKS)
    qtbot.keyClick(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    focus = QApplication.focusWidget()
    assert _dock(open_desk, seen[-2]).isAncestorOf(focus)


def test_f6_brings_up_what_is_in_a_tab_behind_another(qtbot: QtBot, open_desk: Desk) -> None:
    window = open_desk.window
    with qtbot.waitSignal(window.panels_ready, timeout=15_000):
        window.workspace.show("sources")
    qtbot.waitUntil(open_desk.session.jobs.is_idle)
    names = window.workspace.spec.docks
    seen = []
    for _ in names:
        qtbot.keyClick(window, Qt.Key.Key_F6)
        focus = QApplication.focusWidget()
        here = next(name for name in names if _dock(open_desk, name).isAncestorOf(focus))
        qtbot.waitUntil(lambda here=here: not _dock(open_desk, here).visibleRegion().isEmpty())
        seen.append(here)
    assert sorted(seen) == sorted(names)


def test_ctrl_f_and_slash_go_to_the_search_box(qtbot: QtBot, open_desk: Desk) -> None:
    box = _find(open_desk, QLineEdit, "searchBox")
    table = _find(open_desk, QTableView, "memoryList")
    for key, modifier in (
        (Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_Slash, Qt.KeyboardModifier.NoModifier),
    ):
        table.setFocus()
        qtbot.keyClick(table, key, modifier)
        assert QApplication.focusWidget() is box
    qtbot.keyClicks(box, "a/b")
    assert box.text() == "a/b"


def test_ctrl_z_in_a_text_field_takes_back_typing_first(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    session.preview_trust("slack #design", 0.3)
    with qtbot.waitSignal(session.vault_changed):
        session.apply_preview()
    with qtbot.waitSignal(session.memory_loaded):
        session.select(session.snapshot.memories.ids[int(session.order[9])])
    title = _find(open_desk, QLineEdit, "editorTitle")
    title.setFocus()
    text = title.text()
    title.end(False)
    qtbot.keyClicks(title, "!")
    qtbot.keyClick(title, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert title.text() == text
    assert session.trust_of("slack #design") == 0.3
    with qtbot.waitSignal(session.vault_changed):
        qtbot.keyClick(title, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.trust_of("slack #design") != 0.3


def test_every_widget_that_takes_the_keyboard_has_a_name(open_desk: Desk) -> None:
    unnamed = [
        f"{type(widget).__name__} {widget.objectName()!r}"
        for widget in open_desk.window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and isinstance(
            widget, QLineEdit | QPlainTextEdit | QTextEdit | QComboBox | QTableView | QToolButton
        )
        and not widget.accessibleName()
        and not (isinstance(widget, QToolButton) and widget.text())
    ]
    assert unnamed == []


@pytest.mark.parametrize("name", ["archivedToggle", "editorRead"])
def test_enter_presses_the_button_that_has_the_keyboard(
    qtbot: QtBot, open_desk: Desk, name: str
) -> None:
    button = open_desk.window.findChild(QAbstractButton, name)
    assert isinstance(button, QAbstractButton)
    assert button.isVisible()
    open_desk.window.activateWindow()
    button.setFocus()
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, Qt.Key.Key_Return)
    qtbot.waitUntil(open_desk.session.jobs.is_idle)


# Edit and save


def test_edit_save_and_undo(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    title = _find(open_desk, QLineEdit, "editorTitle")
    qtbot.waitUntil(lambda: session.selected_memory is not None)
    before = session.selected_memory
    title.setFocus()
    title.selectAll()
    qtbot.keyClicks(title, "A title typed by hand")
    with qtbot.waitSignal(session.memory_loaded):
        qtbot.keyClick(title, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert session.selected_memory is not None
    assert session.selected_memory.title == "A title typed by hand"
    assert _find(open_desk, QLabel, "savedState").text() == "Saved"
    with qtbot.waitSignal(session.memory_loaded):
        _trigger(open_desk, "undo")
    assert session.selected_memory == before


def test_a_new_memory_is_added_from_the_menu(qtbot: QtBot, open_desk: Desk) -> None:
    session = open_desk.session
    count = len(session.snapshot.memories)
    _trigger(open_desk, "newMemory")
    content = _find(open_desk, QPlainTextEdit, "editorContent")
    content.setFocus()
    qtbot.keyClicks(content, "Tea at five.")
    with qtbot.waitSignal(session.vault_changed):
        _trigger(open_desk, "save")
    assert len(session.snapshot.memories) == count + 1
    qtbot.waitUntil(lambda: session.selected_memory is not None)
    assert session.selected_memory is not None
    assert session.selected_memory.content == "Tea at five."


# Model and look


def test_the_model_picker_names_the_model_and_changes_it(qtbot: QtBot, open_desk: Desk) -> None:
    picker = _find(open_desk, QComboBox, "modelPicker")
    assert isinstance(picker, ModelChoice)
    assert picker.shown_text() == open_desk.session.model.id
    menu = _find(open_desk, QMenu, "modelMenu")
    names = [action.text() for action in menu.actions()]
    assert [picker.itemText(i).split(" (")[0] for i in range(picker.count())] == names
    assert names[0] == "memoryvault-dynamic-v1  ·  Dynamic v1, as published"
    assert [picker.itemData(i) for i in range(picker.count())] == list(BUILTIN_MODELS)
    with qtbot.waitSignal(open_desk.session.model_changed):
        picker.setCurrentIndex(picker.findData(SERVER_V2.id))
        picker.activated.emit(picker.currentIndex())
    assert SERVER_V2.id in _find(open_desk, QLabel, "modelName").text()


def test_the_wheel_over_the_model_picker_changes_nothing(qtbot: QtBot, open_desk: Desk) -> None:
    from PySide6.QtGui import QWheelEvent  # only this test scrolls

    picker = _find(open_desk, QComboBox, "modelPicker")
    picker.setFocus()
    for _ in range(100):
        event = QWheelEvent(
            QPoint(5, 5),
            picker.mapToGlobal(QPoint(5, 5)),
            QPoint(0, -120),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(picker, event)
    assert picker.currentData() == open_desk.session.model.id


def test_theme_and_text_size_are_remembered(
    open_desk: Desk, settings: Settings, theme: object
) -> None:
    _trigger(open_desk, "themeDark")
    assert open_desk.theme.tokens.name == "dark"
    switch = open_desk.window.findChild(QAction, "switchThemeAction")
    assert isinstance(switch, QAction)
    assert switch.toolTip() == "Switch to the light theme (Ctrl+Shift+T)"
    sun = switch.icon().pixmap(20).toImage()
    _trigger(open_desk, "switchTheme")
    assert open_desk.theme.tokens.name == "light"
    assert switch.toolTip() == "Switch to the dark theme (Ctrl+Shift+T)"
    assert switch.icon().pixmap(20).toImage() != sun
    _trigger(open_desk, "switchTheme")
    _trigger(open_desk, "largerText")
    appearance = settings.read_appearance()
    assert appearance.theme == "dark"
    assert appearance.scale == pytest.approx(1.1)


# Opening and closing


def test_fifty_windows_open_and_close_without_a_warning_or_a_thread(
    qtbot: QtBot, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    threads = threading.active_count()
    for number in range(50):
        desk = make_window()
        with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
            desk.window.open_vault(brain_file)
        if number % 2:
            desk.session.preview_trust("slack #design", number / 100)
            desk.session.discard_preview()
        desk.window.close()
        desk.window.deleteLater()
        assert threading.active_count() == threads
