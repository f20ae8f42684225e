"""Typing that was not saved: kept, said whose it is, marked in the list; and refused saves."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from mvdesk.ui.models.memory_table import Column
from mvdesk.ui.widgets.table_view import TableView
from tests.store.vault_files import start_program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

W = TypeVar("W", bound=QWidget)

TYPE_AND_WAIT = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from mvdesk.ui.app import make_desk
from mvdesk.ui.settings import Settings
from mvdesk.ui.theme import ThemeController
path, memory_id = Path(sys.argv[1]), sys.argv[2]
app = QApplication([])
theme = ThemeController(app)
theme.apply(app)
settings = Settings(QSettings(str(path.parent / "other.ini"), QSettings.Format.IniFormat))
desk = make_desk(app, settings, path.parent / "data", theme=theme)
desk.window.show()
desk.window.open_vault(path)
while not desk.session.is_open:
    QTest.qWait(20)
desk.session.select(memory_id)
while desk.session.selected_memory is None:
    QTest.qWait(20)
field = desk.window.findChild(QPlainTextEdit, "editorContent")
field.setFocus()
QTest.keyClicks(field, "Half a thought. ")
def is_kept():
    kept = [file for file in path.parent.glob(path.name + ".mvdesk*") if file.is_file()]
    return any(b"Half a thought. " in file.read_bytes() for file in kept)
while not is_kept():
    QTest.qWait(20)
print("ready", flush=True)
while True:
    QTest.qWait(50)
"""


def _find(desk: Desk, kind: type[W], name: str) -> W:
    found = desk.window.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def _tips(desk: Desk) -> list[str]:
    model = _find(desk, TableView, "memoryList").model()
    role = Qt.ItemDataRole.ToolTipRole
    return [str(model.index(row, Column.TITLE).data(role)) for row in range(model.rowCount())]


def _select(qtbot: QtBot, desk: Desk, place: int) -> str:
    session = desk.session
    row = int(session.order[place])
    if session.selected_row != row:
        with qtbot.waitSignal(session.memory_loaded):
            session.select(session.snapshot.memories.ids[row])
    return session.snapshot.memories.labels[row] or ""


def _type_into_title(qtbot: QtBot, desk: Desk, text: str) -> None:
    title = _find(desk, QLineEdit, "editorTitle")
    title.setFocus()
    title.end(False)
    qtbot.keyClicks(title, text)


def _start_again(qtbot: QtBot, make_window: Callable[[], Desk], path: Path) -> Desk:
    desk = make_window()
    with qtbot.waitSignal(desk.window.panels_ready, timeout=15_000):
        desk.window.open_vault(path)
    qtbot.waitUntil(desk.session.jobs.is_idle)
    return desk


def test_a_memory_with_a_draft_is_marked_in_the_list(qtbot: QtBot, open_desk: Desk) -> None:
    _select(qtbot, open_desk, 4)
    assert not any("unsaved" in tip for tip in _tips(open_desk))
    _type_into_title(qtbot, open_desk, "!")
    assert [place for place, tip in enumerate(_tips(open_desk)) if "unsaved" in tip] == [4]
    _select(qtbot, open_desk, 0)
    assert [place for place, tip in enumerate(_tips(open_desk)) if "unsaved" in tip] == [4]
    _select(qtbot, open_desk, 4)
    qtbot.mouseClick(_find(open_desk, QPushButton, "editorRevert"), Qt.MouseButton.LeftButton)
    assert not any("unsaved" in tip for tip in _tips(open_desk))


def test_after_a_restart_it_says_whose_typing_was_kept(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    label = _select(qtbot, open_desk, 6)
    _type_into_title(qtbot, open_desk, " and more")
    open_desk.window.close()
    again = _start_again(qtbot, make_window, brain_file)
    toast = _find(again, QLabel, "toastText")
    assert toast.text() == f"Unsaved typing in “{label}” was kept."
    assert any("unsaved" in tip for tip in _tips(again))
    with qtbot.waitSignal(again.session.memory_loaded):
        qtbot.mouseClick(_find(again, QPushButton, "toastAction"), Qt.MouseButton.LeftButton)
    assert _find(again, QLineEdit, "editorTitle").text() == f"{label} and more"
    assert _find(again, QLabel, "savedState").text() == "Unsaved typing in 1 memory"


def test_a_kept_new_memory_is_shown_too(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    action = open_desk.window.findChild(QAction, "newMemoryAction")
    assert isinstance(action, QAction)
    action.trigger()
    _type_into_title(qtbot, open_desk, "Begun")
    open_desk.window.close()
    again = _start_again(qtbot, make_window, brain_file)
    assert _find(again, QLabel, "toastText").text() == "Unsaved typing in a new memory was kept."
    qtbot.mouseClick(_find(again, QPushButton, "toastAction"), Qt.MouseButton.LeftButton)
    assert _find(again, QLineEdit, "editorTitle").text() == "Begun"


def test_typing_that_was_kept_by_itself_survives_a_kill(
    qtbot: QtBot, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    before = brain_file.read_bytes()
    with closing(sqlite3.connect(brain_file)) as file:
        memory_id, content = file.execute("SELECT id, content FROM memories LIMIT 1").fetchone()
    with start_program(TYPE_AND_WAIT, brain_file, memory_id) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        program.kill()
    desk = _start_again(qtbot, make_window, brain_file)
    assert "Unsaved typing in" in _find(desk, QLabel, "toastText").text()
    with qtbot.waitSignal(desk.session.memory_loaded):
        qtbot.mouseClick(_find(desk, QPushButton, "toastAction"), Qt.MouseButton.LeftButton)
    assert desk.session.selected_id == memory_id
    content_field = _find(desk, QPlainTextEdit, "editorContent")
    assert content_field.toPlainText() == f"Half a thought. {content}"
    assert brain_file.read_bytes() == before


@pytest.mark.parametrize("field", ["editorBaseImportance", "editorContent"])
def test_a_refused_save_shows_its_sentence_and_the_field(
    qtbot: QtBot, open_desk: Desk, field: str
) -> None:
    open_desk.window.resize(1024, 680)
    open_desk.theme.set_scale(1.5)
    qtbot.wait(50)
    if field == "editorContent":
        content = _find(open_desk, QPlainTextEdit, field)
        content.setFocus()
        content.selectAll()
        qtbot.keyClick(content, Qt.Key.Key_Delete)
    else:
        line = _find(open_desk, QLineEdit, field)
        line.setFocus()
        line.selectAll()
        qtbot.keyClicks(line, "7")
    title = _find(open_desk, QLineEdit, "editorTitle")
    title.setFocus()
    qtbot.keyClick(title, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.wait(50)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert focus.objectName() == field
    editor = _find(open_desk, QWidget, "editor")
    said = [
        label
        for label in editor.findChildren(QLabel)
        if label.property("role") == "error" and not label.isHidden()
    ]
    assert len(said) == 1
    assert said[0].visibleRegion().boundingRect() == QRect(QPoint(), said[0].size())
