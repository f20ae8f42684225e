"""What nobody expects in a text field: kept as it is, or refused with a sentence."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from mvdesk.ui.looking import Place
from mvdesk.ui.panels.editor_facts import describe_history

from .conftest import Desk, find

if TYPE_CHECKING:
    from collections.abc import Callable

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
        "lines\nand \x0b\x0c others",
        "a nul \0 in between",
        "a\ttab, a\u00a0space, a\u200bzero width",
        "'; DROP TABLE memories; --",
        "<b>html</b> & entities &amp;",
        "# " + "x" * 39_000,
    ],
)
def test_a_text_is_saved_as_it_was_pasted(desk: Desk, editor: EditorPanel, text: str) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    paste(editor, text)
    save(desk, editor)
    assert desk.read(memory_id).content == text


def test_line_ends_of_all_kinds_stay_where_nobody_typed(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    text = "unix\nwindows\r\nold\rseparators\u2028and\u2029"
    desk.edit_outside("UPDATE memories SET content = ? WHERE id = ?", text, memory_id)
    desk.select(memory_id)
    assert not editor.has_unsaved
    content_of(editor).setFocus()
    desk.qtbot.keyClicks(content_of(editor), "Some ")
    save(desk, editor)
    assert desk.read(memory_id).content == f"Some {text}"


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


def copied(**kinds: bytes) -> QMimeData:
    """What another program puts on the clipboard, by the name of its kind."""
    data = QMimeData()
    for kind, value in kinds.items():
        data.setData(kind.replace("_", "/"), value)
    return data


def put_on_clipboard(data: QMimeData) -> None:
    QGuiApplication.clipboard().setMimeData(data)


def picture() -> QMimeData:
    data = QMimeData()
    data.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    return data


@pytest.mark.parametrize("field", ["editorContent", "editorTitle", "editorTags"])
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (picture, "A picture can't be pasted: a memory holds text."),
        (
            lambda: copied(application_zip=bytes(range(256))),
            "Nothing was pasted: there is no text in it, but application/zip.",
        ),
        (
            lambda: copied(text_html=b"<p><img src='file:///etc/passwd'></p>"),
            "A picture can't be pasted: a memory holds text.",
        ),
    ],
)
def test_what_is_no_text_is_refused_with_a_sentence(
    desk: Desk, editor: EditorPanel, field: str, make: Callable[[], QMimeData], said: str
) -> None:
    desk.select(desk.memory_id(3))
    put_on_clipboard(make())
    entry = find(editor, QWidget, field)
    entry.setFocus()
    desk.qtbot.keyClick(entry, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert not editor.has_unsaved
    assert desk.notices == [said]


def test_of_formatted_text_the_text_is_kept_and_that_is_said_once(
    desk: Desk, editor: EditorPanel
) -> None:
    desk.select(desk.memory_id(3))
    data = copied(text_html=b"<h1>Title</h1><p>and <b>more</b></p>")
    for expected in ("Title\nand more", "Title\nand moreTitle\nand more"):
        put_on_clipboard(data := copied(text_html=data.data("text/html").data()))
        if expected == "Title\nand more":
            content_of(editor).selectAll()
        content_of(editor).paste()
        assert content_of(editor).toPlainText() == expected
    assert desk.notices == ["Pasted as plain text, without its formatting."]
    put_on_clipboard(copied(text_html=b"<b>one</b><img src='http://example.org/x.png'>"))
    content_of(editor).selectAll()
    content_of(editor).paste()
    assert content_of(editor).toPlainText() == "one"
    assert desk.notices[1:] == ["The text was pasted; pictures can't be kept in a memory."]


def test_a_book_pasted_into_a_line_is_refused(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    QGuiApplication.clipboard().setText("x" * 200_000)
    title = find(editor, QLineEdit, "editorTitle")
    title.setFocus()
    desk.qtbot.keyClick(title, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert not editor.has_unsaved
    assert desk.notices == ["Not pasted: 200,000 characters are too many for a line."]


def test_more_than_the_editor_can_hold_is_refused(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    paste(editor, "line\n" * 2_000_001)
    assert not editor.has_unsaved
    assert desk.notices[-1].startswith("Nothing was pasted: 10,000,005 characters are more than")


def test_an_overlong_line_is_pasted_in_lines_or_not(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    offers: list[Callable[[], None]] = []
    desk.session.messages.offered.connect(lambda _said, _action, do: offers.append(do))
    text = "word and word " * 20_000
    paste(editor, text)
    assert not editor.has_unsaved
    assert desk.notices == ["Not pasted: it has a line of 280,000 characters."]
    offers[0]()
    content = content_of(editor).toPlainText()
    assert content.replace("\n", "") == text
    assert max(map(len, content.split("\n"))) < 3_000
    save(desk, editor)
    assert desk.read(memory_id).content == content


def test_a_stored_overlong_line_is_shown_in_pieces_and_left_as_it_is(
    desk: Desk, editor: EditorPanel
) -> None:
    memory_id = desk.memory_id(3)
    text = "word and word " * 20_000 + "\r\nlast needle"
    desk.edit_outside("UPDATE memories SET content = ? WHERE id = ?", text, memory_id)
    desk.select(memory_id)
    field, note = content_of(editor), find(editor, QWidget, "editorPieces")
    assert note.isVisible()
    assert field.isReadOnly()
    assert field.toPlainText().replace("\n", "") == text.replace("\r\n", "")
    find(editor, QLineEdit, "editorTitle").setText("Renamed")
    save(desk, editor)
    assert (desk.read(memory_id).title, desk.read(memory_id).content) == ("Renamed", text)
    editor.go_to(Place("editor", "content", (len(text) - 6, len(text))))
    assert field.textCursor().selectedText() == "needle"
    find(editor, QPushButton, "editorBreak").click()
    assert editor.has_unsaved
    assert not note.isVisible()
    desk.qtbot.keyClicks(field, "thread")
    save(desk, editor)
    stored = desk.read(memory_id).content
    assert stored.endswith("\r\nlast thread")
    assert stored.replace("\r\n", "") == text.replace("\r\n", "").replace("needle", "thread")


def test_two_hundred_tags_are_kept_counted_and_leave_the_layout_alone(
    desk: Desk, editor: EditorPanel
) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    line = find(editor, QLineEdit, "editorTags")
    width = line.width()
    tags = ", ".join(f"tag{number}" for number in range(200))
    line.setText(tags)
    save(desk, editor)
    assert desk.read(memory_id).tags == tags
    said = find(editor, QLabel, "editorTagCount").accessibleDescription()
    assert said == "200 tags, the first 64 count"
    assert line.width() == width


def test_empty_tags_between_commas_are_left_out_and_that_is_said(
    desk: Desk, editor: EditorPanel
) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    for typed, kept in (("one,, ,two words,👩‍👩‍👧‍👦,", "one, two words, 👩‍👩‍👧‍👦"), (",,,", None)):
        find(editor, QLineEdit, "editorTags").setText(typed)
        save(desk, editor)
        assert desk.read(memory_id).tags == kept
        assert find(editor, QLineEdit, "editorTags").text() == (kept or "")
        assert not editor.has_unsaved
        assert desk.notices.pop() == "Empty tags between commas were left out."


@pytest.mark.parametrize("end", ["\n", "\r\n", "\u2028"])
def test_a_pasted_column_of_tags_is_a_tag_a_line_and_that_is_said(
    desk: Desk, editor: EditorPanel, end: str
) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    find(editor, QLineEdit, "editorTags").setText(f"one{end}two words,three{end}")
    save(desk, editor)
    assert desk.read(memory_id).tags == "one, two words, three"
    assert desk.notices.pop() == "Each line of the tags became a tag of its own."


def test_a_tag_with_nul_is_refused_beside_its_field(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    tags = find(editor, QLineEdit, "editorTags")
    tags.setText("one\0two")
    with desk.qtbot.assertNotEmitted(desk.session.write_finished, wait=50):
        editor.save()
    said = "A tag can't hold the character NUL. Take it out."
    assert said in [label.text() for label in editor.findChildren(QLabel) if label.isVisible()]
    tags.setText("onetwo")
    save(desk, editor)
    assert desk.read(desk.session.selected_id or "").tags == "onetwo"


def test_megabytes_are_pasted_typed_in_and_saved(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    paste(editor, MEGABYTES)
    assert desk.notices == [f"{len(MEGABYTES):,} characters were pasted. So long a text is slow."]
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


def bytes_of(desk: Desk, memory_id: str) -> tuple[object, ...]:
    with closing(sqlite3.connect(desk.session.vault.path)) as reading:
        sql = "SELECT CAST(title AS BLOB), CAST(content AS BLOB), updated_at FROM memories"
        row: tuple[object, ...] = reading.execute(f"{sql} WHERE id = ?", (memory_id,)).fetchone()
        return row


def test_bytes_that_are_no_text_are_asked_about_before_they_are_saved_over(
    desk: Desk, editor: EditorPanel
) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    sql = "UPDATE memories SET title = 'A', content = CAST(X'6f6eff65' AS TEXT) WHERE id = ?"
    desk.edit_outside(sql, memory_id)
    before = bytes_of(desk, memory_id)
    assert content_of(editor).toPlainText() == "on\ufffde"
    title = find(editor, QLineEdit, "editorTitle")
    title.setFocus()
    desk.qtbot.keyClicks(title, "B")
    save(desk, editor)  # the text isn't touched
    assert bytes_of(desk, memory_id)[:2] == (b"BA", b"on\xffe")
    desk.session.undo()
    desk.settle()
    assert bytes_of(desk, memory_id) == before
    offers: list[Callable[[], None]] = []
    desk.session.messages.offered.connect(lambda _said, _action, do: offers.append(do))
    content_of(editor).setFocus()
    desk.qtbot.keyClicks(content_of(editor), "N")
    with desk.qtbot.assertNotEmitted(desk.session.write_finished, wait=50):
        editor.save()
        desk.settle()
    assert "Not all of the text is valid text (UTF-8)" in desk.notices[-1]
    assert bytes_of(desk, memory_id) == before
    with desk.qtbot.waitSignal(desk.session.write_finished, timeout=15_000):
        offers[0]()
    desk.settle()
    assert bytes_of(desk, memory_id)[1] == "Non\ufffde".encode()
    desk.session.undo()
    desk.settle()
    assert bytes_of(desk, memory_id) == before


def test_the_sign_itself_is_text_like_any_other(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    desk.edit_outside("UPDATE memories SET content = 'a \ufffd' WHERE id = ?", memory_id)
    content_of(editor).setFocus()
    desk.qtbot.keyClicks(content_of(editor), "Not ")
    save(desk, editor)
    assert desk.read(memory_id).content == "Not a \ufffd"
