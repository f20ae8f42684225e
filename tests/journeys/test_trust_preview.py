"""Flow 2: list, select, move the slider, watch, apply, undo. With keys and clicks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton, QSlider, QTableView, QToolButton, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

W = TypeVar("W", bound=QWidget)


def _find(desk: Desk, kind: type[W], name: str) -> W:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def _stored_trust(path: Path) -> dict[str, float]:
    with closing(sqlite3.connect(path)) as db:
        return dict(db.execute("SELECT source_key, trust FROM brain_source_trust"))


def _select_memory_of(qtbot: QtBot, desk: Desk, source: str) -> int:
    """Click the first row of the list whose source is `source`; gives back its table row."""
    session = desk.session
    rows = set(session.snapshot.rows_of_source(source).tolist())
    place = next(i for i, row in enumerate(session.order.tolist()) if row in rows)
    table = _find(desk, QTableView, "memoryList")
    index = table.model().index(place, 0)
    table.scrollTo(index)
    spot = table.visualRect(index).center()
    with qtbot.waitSignal(session.memory_loaded):
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    return int(session.order[place])


def test_slider_preview_apply_undo(qtbot: QtBot, open_desk: Desk, brain_file: Path) -> None:
    desk, session = open_desk, open_desk.session
    row = _select_memory_of(qtbot, desk, "slack #design")
    assert session.selected_row == row
    before_file = brain_file.read_bytes()
    before = session.committed_scores.confidence.copy()
    slider = _find(desk, QSlider, "trustSlider")
    slider.setFocus()
    bar = _find(desk, QWidget, "previewBar")
    assert not bar.isVisible()

    for _ in range(3):
        qtbot.keyClick(slider, Qt.Key.Key_PageDown)
    assert bar.isVisible()
    assert session.scores.confidence[row] < before[row]
    table = _find(desk, QTableView, "memoryList")
    shown = [
        float(session.scores.confidence[int(r)]) for r in session.order[: table.model().rowCount()]
    ]
    assert shown == sorted(shown, reverse=True)
    assert brain_file.read_bytes() == before_file, "a preview writes nothing"

    trust = session.trust_of("slack #design")
    with qtbot.waitSignal(session.vault_changed):
        qtbot.mouseClick(_find(desk, QPushButton, "applyPreview"), Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    assert slider.hasFocus(), "the keyboard stays where it was"
    assert _stored_trust(brain_file)["slack #design"] == trust

    undo = _find(desk, QToolButton, "undoButton")
    with qtbot.waitSignal(session.vault_changed):
        qtbot.mouseClick(undo, Qt.MouseButton.LeftButton)
    assert np.array_equal(session.scores.confidence, before)


def test_escape_discards_the_preview(qtbot: QtBot, open_desk: Desk, brain_file: Path) -> None:
    desk, session = open_desk, open_desk.session
    _select_memory_of(qtbot, desk, "slack #design")
    slider = _find(desk, QSlider, "trustSlider")
    slider.setFocus()
    before = brain_file.read_bytes()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    assert not session.preview.is_empty
    _find(desk, QTableView, "memoryList").setFocus()
    qtbot.keyClick(_find(desk, QTableView, "memoryList"), Qt.Key.Key_Escape)
    assert session.preview.is_empty
    assert brain_file.read_bytes() == before


def test_ctrl_enter_applies_and_ctrl_z_takes_back(
    qtbot: QtBot, open_desk: Desk, brain_file: Path
) -> None:
    desk, session = open_desk, open_desk.session
    _select_memory_of(qtbot, desk, "slack #design")
    stored = _stored_trust(brain_file)
    slider = _find(desk, QSlider, "trustSlider")
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_End)
    table = _find(desk, QTableView, "memoryList")
    table.setFocus()
    with qtbot.waitSignal(session.vault_changed):
        qtbot.keyClick(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert _stored_trust(brain_file)["slack #design"] == 1.0
    with qtbot.waitSignal(session.vault_changed):
        qtbot.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert _stored_trust(brain_file) == stored


def test_closing_with_a_preview_asks_and_cancel_stays(qtbot: QtBot, open_desk: Desk) -> None:
    desk = open_desk
    desk.session.preview_trust("slack #design", 0.01)
    desk.window.close()
    box = _find(desk, QMessageBox, "previewQuestion")
    assert desk.window.isVisible()
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Cancel), Qt.MouseButton.LeftButton)
    assert desk.window.isVisible()
    assert not desk.session.preview.is_empty


def test_closing_with_a_preview_can_apply_it(
    qtbot: QtBot, open_desk: Desk, brain_file: Path
) -> None:
    desk = open_desk
    desk.session.preview_trust("slack #design", 0.01)
    desk.window.close()
    box = _find(desk, QMessageBox, "previewQuestion")
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Apply), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not desk.window.isVisible())
    assert _stored_trust(brain_file)["slack #design"] == 0.01


def test_closing_with_a_preview_can_discard_it(
    qtbot: QtBot, open_desk: Desk, brain_file: Path
) -> None:
    desk = open_desk
    stored = _stored_trust(brain_file)
    desk.session.preview_trust("slack #design", 0.01)
    desk.window.close()
    box = _find(desk, QMessageBox, "previewQuestion")
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Discard), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not desk.window.isVisible())
    assert _stored_trust(brain_file) == stored


def test_closing_with_a_preview_can_keep_it_for_next_time(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    desk = open_desk
    stored = _stored_trust(brain_file)
    desk.session.preview_trust("slack #design", 0.01)
    tried = desk.session.scores.confidence.copy()
    desk.window.close()
    qtbot.mouseClick(_find(desk, QPushButton, "keepPreview"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not desk.window.isVisible())
    assert _stored_trust(brain_file) == stored

    again = make_window()
    said: list[str] = []
    again.session.messages.shown.connect(lambda _kind, text: said.append(text))
    with qtbot.waitSignal(again.session.preview_changed):
        again.window.open_vault(brain_file)
    qtbot.waitUntil(again.session.jobs.is_idle)
    assert dict(again.session.preview.trust) == {"slack #design": 0.01}
    assert np.array_equal(again.session.scores.confidence, tried)
    assert any("Your preview of 1 trust change from last time is back" in text for text in said)
    assert _stored_trust(brain_file) == stored

    again.session.discard_preview()
    qtbot.waitUntil(again.session.jobs.is_idle)
    again.window.close()
    third = make_window()
    with qtbot.waitSignal(third.session.vault_opened):
        third.window.open_vault(brain_file)
    qtbot.waitUntil(third.session.jobs.is_idle)
    assert third.session.preview.is_empty
