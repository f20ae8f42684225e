"""Fields that help: tags and sources completed, the source's trust, a text kept from slips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from mvdesk.ui.widgets.completing_line import CompletingLine
from mvdesk.ui.widgets.elided_label import ElidedLabel

from .conftest import Desk, find

if TYPE_CHECKING:
    from mvdesk.ui.panels.editor import EditorPanel


def start_typing(desk: Desk, panel: EditorPanel, name: str, text: str) -> CompletingLine:
    line = find(panel, CompletingLine, name)
    line.setFocus()
    desk.settle()
    line.clear()
    desk.qtbot.keyClicks(line, text)
    return line


def press(desk: Desk, line: CompletingLine, *keys: Qt.Key) -> None:
    for key in keys:
        desk.qtbot.keyClick(line, key)


def content_of(panel: EditorPanel) -> QPlainTextEdit:
    return find(panel, QPlainTextEdit, "editorContent")


def trust_of(panel: EditorPanel) -> str:
    return find(panel, ElidedLabel, "editorTrust").text()


def test_a_tag_is_completed_by_keyboard(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    line = start_typing(desk, editor, "editorTags", "mine, wo")
    assert "work" in line.offers()
    place = line.offers().index("work")
    press(desk, line, *[Qt.Key.Key_Down] * (place + 1), Qt.Key.Key_Return)
    assert line.text() == "mine, work, "
    assert line.offers() == []
    assert editor.has_unsaved
    line.undo()
    assert line.text() == "mine, wo"


def test_tags_are_typed_on_after_a_choice_with_a_comma_or_without(
    desk: Desk, editor: EditorPanel
) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    line = start_typing(desk, editor, "editorTags", "wo")
    press(desk, line, Qt.Key.Key_Down, Qt.Key.Key_Return)
    (first, _rest) = line.text().split(",")
    QTest.keyClicks(line, "mine")
    assert line.text() == f"{first}, mine"
    QTest.keyClicks(line, ",")
    assert line.text() == f"{first}, mine,"
    QTest.keyClicks(line, ",yours, ")
    assert [part.strip() for part in line.text().split(",")] == [first, "mine", "yours", ""]
    editor.save()
    desk.settle()
    assert desk.read(memory_id).tags == f"{first}, mine, yours"


def test_tab_takes_a_choice_and_goes_on_without_one(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    line = start_typing(desk, editor, "editorTags", "wo")
    press(desk, line, Qt.Key.Key_Up, Qt.Key.Key_Tab)
    assert line.hasFocus()
    assert line.text() not in ("", "wo")
    press(desk, line, Qt.Key.Key_Tab)
    assert not line.hasFocus()


def test_escape_closes_the_list_and_keeps_what_was_typed(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    line = start_typing(desk, editor, "editorTags", "wo")
    press(desk, line, Qt.Key.Key_Escape)
    assert line.offers() == []
    assert line.text() == "wo"
    assert line.hasFocus()


def test_a_source_is_completed_and_says_its_trust(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    trust = desk.session.trust_of("official docs")
    assert trust is not None
    line = start_typing(desk, editor, "editorSource", "OFFICIAL")
    assert "official docs" in line.offers()
    assert trust_of(editor) == "trust not set"
    press(desk, line, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert line.text() == "official docs"
    assert trust_of(editor) == f"trust {trust:.2f}"
    desk.session.preview_trust("official docs", 0.25)
    assert trust_of(editor) == "trust 0.25"
    line.clear()
    assert trust_of(editor) == ""


def test_the_trust_follows_the_selection(desk: Desk, editor: EditorPanel) -> None:
    for place in range(0, len(desk.session.order), 11):
        memory_id = desk.memory_id(place)
        desk.select(memory_id)
        row = desk.session.snapshot.row_of(memory_id)
        assert row is not None
        key = desk.session.snapshot.source_key_of_row(row)
        trust = None if key is None else desk.session.trust_of(key)
        said = "" if not key else "trust not set" if trust is None else f"trust {trust:.2f}"
        assert trust_of(editor) == said


def test_what_an_input_method_enters_is_completed_too(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.edit_outside("UPDATE memories SET tags = '東京, Café' WHERE id = ?", desk.memory_id(4))
    desk.select(memory_id)
    line = start_typing(desk, editor, "editorTags", "")
    for entered, offered in (("京", "東京"), ("cafe", "café")):
        event = QInputMethodEvent()
        event.setCommitString(entered)
        QApplication.sendEvent(line, event)
        assert line.offers() == [offered]
        press(desk, line, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert [part.strip() for part in line.text().split(",")] == ["東京", "café", ""]


def test_showing_another_memory_opens_no_list(desk: Desk, editor: EditorPanel) -> None:
    line = find(editor, CompletingLine, "editorTags")
    line.setFocus()
    desk.settle()
    for place in range(0, 20, 5):
        desk.select(desk.memory_id(place))
        assert line.offers() == []


def test_a_text_that_one_key_emptied_comes_back_by_the_offer(
    desk: Desk, editor: EditorPanel
) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    before = desk.read(memory_id).content
    content = content_of(editor)
    content.setFocus()
    content.selectAll()
    with desk.qtbot.waitSignal(desk.session.messages.offered) as offered:
        desk.qtbot.keyClicks(content, "x")
    desk.qtbot.keyClicks(content, "yz")
    assert offered.args is not None
    assert "old text is kept" in offered.args[0]
    offered.args[2]()
    assert content.toPlainText() == before
    assert not editor.has_unsaved
    content.undo()
    assert content.toPlainText() == "xyz"


def test_a_text_that_was_emptied_comes_back_while_another_memory_is_shown(
    desk: Desk, editor: EditorPanel
) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    before = desk.read(memory_id).content
    content_of(editor).selectAll()
    with desk.qtbot.waitSignal(desk.session.messages.offered) as offered:
        desk.qtbot.keyClick(content_of(editor), Qt.Key.Key_Delete)
    desk.select(desk.memory_id(4))
    assert offered.args is not None
    offered.args[2]()
    desk.select(memory_id)
    assert content_of(editor).toPlainText() == before
    assert not editor.has_unsaved


def test_removing_less_or_from_a_short_text_is_no_slip(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    content = content_of(editor)
    cursor = content.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    cursor.setPosition(len(content.toPlainText()) // 3, cursor.MoveMode.KeepAnchor)
    content.setTextCursor(cursor)
    with desk.qtbot.assertNotEmitted(desk.session.messages.offered):
        desk.qtbot.keyClick(content, Qt.Key.Key_Delete)
        content.setPlainText("About twenty letters")
        content.selectAll()
        desk.qtbot.keyClick(content, Qt.Key.Key_Delete)
