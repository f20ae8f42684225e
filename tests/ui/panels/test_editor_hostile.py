"""What nobody expects in a text field: kept as it is, or refused with a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from mvdesk.ui.panels.editor_facts import describe_history

from .conftest import Desk, find

if TYPE_CHECKING:
    from mvdesk.ui.panels.editor import EditorPanel

MEGABYTES = "A line of the long protocol, maybe verified. 東京\n" * 100_000


def content_of(panel: EditorPanel) -> QPlainTextEdit:
    return find(panel, QPlainTextEdit, "editorContent")


def paste(panel: EditorPanel, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    content_of(panel).selectAll()
    content_of(panel).paste()


def save(desk: Desk, panel: EditorPanel) -> None:
    with desk.qtbot.waitSignal(desk.session.write_finished, timeout=20_000):
        panel.save()
    desk.settle()


@pytest.mark.parametrize(
    "text",
    [
        "mixed עברית and العربية and english \u202e\u2066 marks",
        "👩‍👩‍👧‍👦🏳️‍🌈👍🏽 e\u0301 ﷽",
        "a\ttab, a\u00a0space, a\u200bzero width",
        "'; DROP TABLE memories; --",
        "<b>html</b> & entities &amp;",
        "# " + "x" * 50_000,
    ],
)
def test_a_text_is_saved_as_it_was_pasted(desk: Desk, editor: EditorPanel, text: str) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    paste(editor, text)
    save(desk, editor)
    assert desk.read(memory_id).content == text


@pytest.mark.parametrize("moment", [1_796_000_000_000, 2**62, -(2**62)])
def test_a_time_that_no_calendar_has_leaves_the_fields_usable(
    desk: Desk, editor: EditorPanel, moment: int
) -> None:
    memory_id = desk.memory_id(3)
    desk.edit_outside("UPDATE memories SET updated_at = ? WHERE id = ?", moment, memory_id)
    desk.select(memory_id)
    assert describe_history(desk.read(memory_id)).startswith("no date")
    assert content_of(editor).toPlainText() == desk.read(memory_id).content


def test_half_a_character_never_gets_in(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    content_of(editor).setPlainText("half \ud83d of one")
    save(desk, editor)
    assert desk.read(memory_id).content == "half  of one"


def test_bytes_on_the_clipboard_paste_nothing(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    before = content_of(editor).toPlainText()
    data = QMimeData()
    data.setData("application/octet-stream", bytes(range(256)))
    QGuiApplication.clipboard().setMimeData(data)
    content_of(editor).paste()
    assert content_of(editor).toPlainText() == before
    assert not editor.has_unsaved


def test_pasted_rich_text_is_plain(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    data = QMimeData()
    data.setHtml("<h1>Title</h1><img src='http://example.org/x.png'>")
    data.setText("Title")
    QGuiApplication.clipboard().setMimeData(data)
    content_of(editor).selectAll()
    content_of(editor).paste()
    assert content_of(editor).toPlainText() == "Title"


def test_two_hundred_tags_and_odd_commas_are_kept_as_typed(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    tags = ", ".join(f"tag{number}" for number in range(200)) + ",, ,last,"
    find(editor, QLineEdit, "editorTags").setText(tags)
    save(desk, editor)
    assert desk.read(memory_id).tags == tags


def test_megabytes_are_pasted_typed_in_and_saved(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    paste(editor, MEGABYTES)
    field = content_of(editor)
    field.setFocus()
    desk.qtbot.keyClicks(field, "End.")
    desk.settle()
    save(desk, editor)
    assert desk.read(memory_id).content == f"{MEGABYTES}End."
    editor.set_reading(True)
    editor.find_in_text()
    desk.select(desk.memory_id(4))
    desk.select(memory_id)
    assert not editor.has_unsaved
