"""The line at the bottom is true, and nothing moves when a preview takes its place."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QStatusTipEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QWidget,
)

from mvdesk.ui.widgets.preview_bar import PreviewBar
from mvdesk.ui.workspaces import DOCKS as ALL_DOCKS
from mvdesk.ui.workspaces import WORKSPACES

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

DOCKS = [spec for spec in ALL_DOCKS if spec.name in WORKSPACES[0].docks]
SOURCE = "slack #design"
W = TypeVar("W", bound=QWidget)


def _find(desk: Desk, kind: type[W], name: str) -> W:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def _select_memory_of(qtbot: QtBot, desk: Desk, source: str) -> None:
    row = int(desk.session.snapshot.rows_of_source(source)[0])
    desk.session.select(desk.session.snapshot.memories.ids[row])
    qtbot.waitUntil(desk.session.jobs.is_idle)


def _places(desk: Desk) -> dict[str, object]:
    places: dict[str, object] = {
        spec.name: _find(desk, QDockWidget, f"{spec.name}Dock").geometry() for spec in DOCKS
    }
    slider = _find(desk, QSlider, "trustSlider")
    places["slider"] = slider.mapTo(desk.window, QPoint())
    return places


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_nothing_moves_when_a_preview_begins_or_ends(
    qtbot: QtBot, open_desk: Desk, scale: float
) -> None:
    desk = open_desk
    desk.theme.set_scale(scale)
    _select_memory_of(qtbot, desk, SOURCE)
    qtbot.wait(50)
    before = _places(desk)
    slider = _find(desk, QSlider, "trustSlider")
    spot = QPoint(slider.width() // 4, slider.height() // 2)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=spot)
    qtbot.waitUntil(lambda: _find(desk, QWidget, "previewBar").isVisible())
    first = desk.session.trust_of(SOURCE)
    qtbot.wait(50)
    assert _places(desk) == before
    # A second click on the same place of the screen reaches the slider again.
    at = slider.mapTo(desk.window, spot)
    assert desk.window.childAt(at) is slider
    assert desk.session.trust_of(SOURCE) == first
    desk.session.discard_preview()
    qtbot.wait(50)
    assert _places(desk) == before
    assert not _find(desk, QWidget, "previewBar").isVisible()


def test_the_state_says_what_is_not_saved(qtbot: QtBot, open_desk: Desk) -> None:
    state = _find(open_desk, QLabel, "savedState")
    assert state.text() == "Saved"
    title = _find(open_desk, QLineEdit, "editorTitle")
    title.setFocus()
    qtbot.keyClicks(title, "!")
    assert state.text() == "Unsaved typing in 1 memory"
    with qtbot.waitSignal(open_desk.session.write_finished):
        qtbot.keyClick(title, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: state.text() == "Saved")


def test_a_refused_save_is_not_called_saved(qtbot: QtBot, open_desk: Desk) -> None:
    content = _find(open_desk, QPlainTextEdit, "editorContent")
    content.setFocus()
    content.selectAll()
    qtbot.keyClick(content, Qt.Key.Key_Delete)
    qtbot.keyClick(content, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert _find(open_desk, QLabel, "savedState").text() == "Unsaved typing in 1 memory"


def test_a_save_that_timed_out_is_not_called_saved(
    qtbot: QtBot, open_desk: Desk, brain_file: Path
) -> None:
    title = _find(open_desk, QLineEdit, "editorTitle")
    title.setFocus()
    qtbot.keyClicks(title, "!")
    with closing(sqlite3.connect(brain_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with qtbot.waitSignal(open_desk.session.write_finished, timeout=15_000):
            qtbot.keyClick(title, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        other.execute("ROLLBACK")
    assert _find(open_desk, QLabel, "savedState").text() == "Unsaved typing in 1 memory"
    for dialog in open_desk.window.findChildren(QDialog):
        dialog.reject()


def test_a_hint_about_a_button_leaves_the_state_where_it_is(qtbot: QtBot, open_desk: Desk) -> None:
    state, path = _find(open_desk, QLabel, "savedState"), _find(open_desk, QLabel, "vaultPath")
    # The pointer may rest on a button since the test before.
    QApplication.sendEvent(open_desk.window, QStatusTipEvent(""))
    where = (state.geometry(), path.geometry(), path.text())
    QApplication.sendEvent(open_desk.window, QStatusTipEvent("Save to the vault."))
    assert state.isVisible()
    assert state.text() == "Saved"
    assert path.text() == "Save to the vault."
    assert (state.geometry(), path.geometry()) == where[:2]
    QApplication.sendEvent(open_desk.window, QStatusTipEvent(""))
    assert path.text() == where[2]


def test_apply_says_that_it_is_saving(qtbot: QtBot, open_desk: Desk) -> None:
    _select_memory_of(qtbot, open_desk, SOURCE)
    open_desk.session.preview_trust(SOURCE, 0.31)
    texts: list[str] = []
    bar = open_desk.window.statusBar().findChild(QWidget, "previewBar")
    assert bar is not None
    open_desk.session.writing_changed.connect(
        lambda _writing: texts.append(bar.text())  # type: ignore[attr-defined]
    )
    with qtbot.waitSignal(open_desk.session.write_finished):
        qtbot.mouseClick(_find(open_desk, QPushButton, "applyPreview"), Qt.MouseButton.LeftButton)
    assert texts[0] == "Saving…"


def test_what_goes_on_behind_the_scenes_leaves_the_counts_of_a_preview(
    qtbot: QtBot, open_desk: Desk
) -> None:
    session = open_desk.session
    session.preview_trust(SOURCE, 0.31)
    qtbot.waitUntil(session.jobs.is_idle)
    bar = open_desk.window.statusBar().findChild(PreviewBar)
    assert isinstance(bar, PreviewBar)
    counts = bar.text()
    assert "affected" in counts
    note = _find(open_desk, QLabel, "previewNote")
    assert note.text() == "Nothing is written yet"
    session.loading_changed.emit("Indexing texts: 2 of 9")
    assert bar.text() == counts
    assert note.text() == "Indexing texts: 2 of 9"
    session.preview_trust(SOURCE, 0.11)
    qtbot.waitUntil(lambda: bar.text() != counts or session.preview.affected > 0)
    assert bar.text().startswith("Previewing 1 trust change · ")
    session.loading_changed.emit("")
    assert note.text() == "Nothing is written yet"


def test_a_refused_empty_memory_is_not_called_saved(qtbot: QtBot, open_desk: Desk) -> None:
    state = _find(open_desk, QLabel, "savedState")
    table = _find(open_desk, QWidget, "memoryList")
    qtbot.keyClick(table, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    content = _find(open_desk, QPlainTextEdit, "editorContent")
    qtbot.keyClick(content, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert state.text() == "Unsaved typing in 1 memory"
    qtbot.mouseClick(_find(open_desk, QPushButton, "editorRevert"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: state.text() == "Saved")
