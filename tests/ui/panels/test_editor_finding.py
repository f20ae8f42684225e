"""Finding words in the text: next, before, around the end, while writing and while reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit

from mvdesk.ui.widgets.reading_view import ReadingView

from .conftest import Desk, find

if TYPE_CHECKING:
    from mvdesk.ui.panels.editor import EditorPanel

TEXT = "One probe.\nTwo 🚫 Probes.\nA third PROBE, 東京.\n" + "line\n" * 200 + "last probe"


@pytest.fixture
def content(desk: Desk, editor: EditorPanel) -> QPlainTextEdit:
    desk.select(desk.memory_id(3))
    field = find(editor, QPlainTextEdit, "editorContent")
    field.setPlainText(TEXT)
    field.setFocus()
    return field


def said(panel: EditorPanel) -> str:
    return find(panel, QLabel, "findSaid").text()


def entry_of(panel: EditorPanel) -> QLineEdit:
    return find(panel, QLineEdit, "findText")


def places(field: QPlainTextEdit) -> tuple[int, str]:
    cursor = field.textCursor()
    return cursor.blockNumber(), cursor.selectedText()


def test_places_are_gone_through_both_ways_and_around(
    desk: Desk, editor: EditorPanel, content: QPlainTextEdit
) -> None:
    editor.find_in_text()
    entry = entry_of(editor)
    assert entry.hasFocus()
    desk.qtbot.keyClicks(entry, "probe")
    assert places(content) == (0, "probe")
    assert said(editor) == "4 places"
    seen = []
    for _ in range(4):
        desk.qtbot.keyClick(entry, Qt.Key.Key_Return)
        seen.append(places(content))
    assert seen == [(1, "Probe"), (2, "PROBE"), (203, "probe"), (0, "probe")]
    desk.qtbot.keyClick(entry, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert places(content) == (203, "probe")
    editor.find_in_text(backwards=True)
    assert places(content) == (2, "PROBE")
    assert entry.hasFocus()
    assert content.toPlainText() == TEXT


def test_typing_more_stays_at_the_place_that_fits(
    desk: Desk, editor: EditorPanel, content: QPlainTextEdit
) -> None:
    editor.find_in_text()
    desk.qtbot.keyClicks(entry_of(editor), "Probes")
    assert places(content) == (1, "Probes")
    assert said(editor) == "1 place"
    desk.qtbot.keyClicks(entry_of(editor), "x")
    assert said(editor) == "not found"
    assert places(content) == (1, "Probes")
    entry_of(editor).setText("京")
    assert places(content) == (2, "京")


def test_what_is_selected_is_looked_for_and_escape_goes_back(
    desk: Desk, editor: EditorPanel, content: QPlainTextEdit
) -> None:
    cursor = content.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(3, cursor.MoveMode.KeepAnchor)
    content.setTextCursor(cursor)
    editor.find_in_text()
    entry = entry_of(editor)
    assert entry.text() == "One"
    desk.qtbot.keyClick(entry, Qt.Key.Key_Escape)
    assert not entry.isVisible()
    assert content.hasFocus()
    assert content.textCursor().selectedText() == "One"
    editor.find_in_text(backwards=False)  # without a bar the next place asks what for
    assert entry.isVisible()


def test_the_text_as_it_reads_is_searched_while_reading(
    desk: Desk, editor: EditorPanel, content: QPlainTextEdit
) -> None:
    content.setPlainText("**One** two")
    editor.set_reading(True)
    editor.find_in_text()
    desk.qtbot.keyClicks(entry_of(editor), "one two")
    view = find(editor, ReadingView, "readingText")
    assert view.textCursor().selectedText() == "One two"


def test_without_a_memory_there_is_nothing_to_find_in(editor: EditorPanel) -> None:
    editor.find_in_text()
    assert not entry_of(editor).isVisible()
