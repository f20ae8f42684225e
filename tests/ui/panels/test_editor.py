"""The editor with real typing on a real vault."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollBar,
    QWidget,
)

from mvdesk.ui.panels.draft_store import KEPT_AFTER_MS
from mvdesk.ui.panels.editor import EditorPanel
from mvdesk.ui.panels.editor_links import EditorLinks
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.link_strip import LinkStrip

from .conftest import Desk, find

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController


def _line(panel: EditorPanel, name: str) -> QLineEdit:
    return find(panel, QLineEdit, name)


def _content(panel: EditorPanel) -> QPlainTextEdit:
    return find(panel, QPlainTextEdit, "editorContent")


def _is_unsaved(panel: EditorPanel) -> bool:
    return find(panel, QLabel, "editorUnsaved").isVisible()


def _press(desk: Desk, panel: QWidget, name: str) -> None:
    desk.qtbot.mouseClick(find(panel, QPushButton, name), Qt.MouseButton.LeftButton)


def _type(desk: Desk, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    desk.qtbot.keyClicks(line, text)


def _banner(panel: EditorPanel) -> QWidget:
    return find(panel, QWidget, "editorBanner")


def _problems(panel: EditorPanel) -> list[str]:
    return [
        label.text()
        for label in panel.findChildren(QLabel)
        if label.property("role") == "error" and label.isVisible()
    ]


def _save(desk: Desk, panel: EditorPanel) -> None:
    with desk.qtbot.waitSignal(desk.session.write_finished):
        panel.save()
    desk.settle()


# Showing


def test_the_selected_memory_is_shown_field_by_field(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(0)
    desk.select(memory_id)
    memory = desk.read(memory_id)
    assert _line(editor, "editorTitle").text() == (memory.title or "")
    assert _line(editor, "editorKey").text() == (memory.key or "")
    assert _line(editor, "editorTags").text() == (memory.tags or "")
    assert _line(editor, "editorSource").text() == (memory.source or "")
    assert float(_line(editor, "editorBaseConfidence").text()) == memory.confidence
    assert float(_line(editor, "editorBaseImportance").text()) == memory.importance
    assert find(editor, QComboBox, "editorType").currentData() == memory.type
    assert _content(editor).toPlainText() == memory.content
    assert not _is_unsaved(editor)


def test_without_a_selection_it_says_what_to_do(editor: EditorPanel) -> None:
    assert "Pick one in the list" in find(editor, QLabel, "emptyStateText").text()


def test_a_memory_whose_id_is_no_text_says_why_it_is_not_shown(
    desk: Desk, editor: EditorPanel
) -> None:
    before = desk.memory_id(0)
    desk.select(before)
    desk.edit_outside(
        "INSERT INTO memories (id, brain_id, type, content, confidence, importance, created_at, "
        "updated_at) SELECT CAST(X'ff61fe' AS TEXT), brain_id, type, ?, 0.5, 0.5, 1, 1 "
        "FROM memories LIMIT 1",
        "bytes",
    )
    desk.select("\ufffda\ufffd")
    said = " ".join(label.text() for label in editor.findChildren(QLabel) if label.isVisible())
    assert "isn't valid text (UTF-8)" in said
    assert not find(editor, QPlainTextEdit, "editorContent").isVisible()
    desk.select(before)
    assert find(editor, QPlainTextEdit, "editorContent").isVisible()


def test_looking_at_every_memory_leaves_none_unsaved(desk: Desk, editor: EditorPanel) -> None:
    for place in range(0, len(desk.session.order), 7):
        desk.select(desk.memory_id(place))
        assert not editor.has_unsaved


@pytest.mark.parametrize(("scale", "width"), [(1.0, 300), (1.5, 440), (1.5, 400)])
def test_the_unsaved_mark_is_whole_in_a_narrow_header(
    desk: Desk, editor: EditorPanel, scale: float, width: int
) -> None:
    desk.theme.set_scale(scale)
    header, mark = editor.header, find(editor, ElidedLabel, "editorUnsaved")
    editor.resize(width, 640)
    desk.select(desk.memory_id(3))
    title = find(header, QLabel, "panelTitle")
    assert title.isVisible()
    _type(desk, _line(editor, "editorTitle"), "Rent rises")
    desk.qtbot.waitUntil(lambda: mark.shown_text() in ("● Unsaved", "●"))
    assert (mark.shown_text() == "● Unsaved") == (not title.isVisible())
    editor.resize(900, 640)
    desk.qtbot.waitUntil(title.isVisible)
    assert mark.shown_text() == "● Unsaved"
    assert mark.accessibleName() == "● Unsaved"


# Saving


def test_after_the_first_save_of_a_new_memory_typing_goes_on_where_it_was(
    desk: Desk, editor: EditorPanel
) -> None:
    editor.start_new()
    desk.qtbot.keyClicks(_line(editor, "editorTitle"), "Gate")
    content = _content(editor)
    content.setFocus()
    desk.qtbot.keyClicks(content, "It sticks.")
    desk.qtbot.keyClick(content, Qt.Key.Key_Left)
    _save(desk, editor)
    desk.qtbot.keyClicks(content, " in rain")
    assert content.toPlainText() == "It sticks in rain."
    _save(desk, editor)
    desk.qtbot.keyClicks(content, " or snow")
    assert content.toPlainText() == "It sticks in rain or snow."


def test_typing_and_saving_writes_the_typed_fields_alone(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    before = desk.read(memory_id)
    _type(desk, _line(editor, "editorTitle"), "Rent rises")
    assert _is_unsaved(editor)
    assert desk.read(memory_id) == before
    with desk.qtbot.waitSignal(desk.session.write_finished):
        _press(desk, editor, "editorSave")
    desk.settle()
    after = desk.read(memory_id)
    assert after.title == "Rent rises"
    assert after.content == before.content
    assert not _is_unsaved(editor)
    assert not _banner(editor).isVisible()
    desk.session.undo()
    desk.settle()
    assert desk.read(memory_id) == before
    assert _line(editor, "editorTitle").text() == (before.title or "")


def test_every_field_is_saved(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    for name, text in (
        ("editorTitle", "A title"),
        ("editorKey", "a.key"),
        ("editorTags", "one, two"),
        ("editorSource", "a letter"),
        ("editorBaseConfidence", "0.25"),
        ("editorBaseImportance", "1"),
    ):
        _type(desk, _line(editor, name), text)
    box = find(editor, QComboBox, "editorType")
    box.setFocus()
    desk.qtbot.keyClick(box, Qt.Key.Key_Home)
    desk.qtbot.keyClick(box, Qt.Key.Key_End)
    _content(editor).selectAll()
    desk.qtbot.keyClicks(_content(editor), "New text")
    _save(desk, editor)
    memory = desk.read(memory_id)
    assert (memory.title, memory.key, memory.tags) == ("A title", "a.key", "one, two")
    assert (memory.source, memory.content) == ("a letter", "New text")
    assert (memory.confidence, memory.importance) == (0.25, 1.0)
    assert memory.type == box.currentData() == "journal"


def test_caret_and_focus_stay_through_a_save(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    content = _content(editor)
    content.setFocus()
    desk.qtbot.keyClicks(content, "Hi ")
    _save(desk, editor)
    assert content.hasFocus()
    assert content.textCursor().position() == 3


def test_what_was_saved_is_taken_back_in_the_vault_and_not_in_the_field(
    desk: Desk, editor: EditorPanel
) -> None:
    desk.select(desk.memory_id(3))
    title, content = _line(editor, "editorTitle"), _content(editor)
    _type(desk, title, "Another title")
    title.setSelection(2, 4)
    desk.qtbot.keyClicks(content, "Hi ")
    assert title.isUndoAvailable()
    _save(desk, editor)
    assert not title.isUndoAvailable()
    assert not content.document().isUndoAvailable()
    assert (title.text(), title.selectedText()) == ("Another title", "othe")
    desk.qtbot.keyClicks(content, "again ")
    assert content.document().isUndoAvailable()


def test_typing_that_came_after_a_save_can_still_be_taken_back(
    desk: Desk, editor: EditorPanel
) -> None:
    desk.select(desk.memory_id(3))
    title, content = _line(editor, "editorTitle"), _content(editor)
    _type(desk, title, "Another title")
    editor.save()
    desk.qtbot.keyClicks(content, "Later ")  # while it is being written
    desk.settle()
    assert not title.isUndoAvailable()
    assert content.document().isUndoAvailable()


def test_line_ends_and_special_spaces_survive_an_edit(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    text = "10\u00a0km\r\n🚫 maybe"
    desk.edit_outside("UPDATE memories SET content = ? WHERE id = ?", text, memory_id)
    desk.select(None)
    desk.select(memory_id)
    assert not editor.has_unsaved
    desk.qtbot.keyClicks(_content(editor), "x")
    _save(desk, editor)
    assert desk.read(memory_id).content == "x" + text


def test_revert_goes_back_to_what_is_stored(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    before = desk.read(memory_id)
    _type(desk, _line(editor, "editorTags"), "nonsense")
    _press(desk, editor, "editorRevert")
    assert _line(editor, "editorTags").text() == (before.tags or "")
    assert not _is_unsaved(editor)


# What can't be saved


def test_a_base_out_of_range_is_refused_beside_its_field(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    before = desk.read(memory_id)
    for text in ("1.5", "much", ""):
        line = _line(editor, "editorBaseConfidence")
        line.setFocus()
        line.selectAll()
        desk.qtbot.keyClick(line, Qt.Key.Key_Delete)
        desk.qtbot.keyClicks(line, text)
        editor.save()
        desk.settle()
        assert ["0 to 1" in sentence for sentence in _problems(editor)] == [True]
        assert line.text() == text
        assert line.hasFocus()
        assert desk.read(memory_id) == before
    _type(desk, _line(editor, "editorBaseConfidence"), "0.5")
    assert _problems(editor) == []


def test_an_empty_text_is_refused_and_the_rest_stays_typed(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    before = desk.read(memory_id)
    _type(desk, _line(editor, "editorTitle"), "Kept")
    _content(editor).selectAll()
    desk.qtbot.keyClick(_content(editor), Qt.Key.Key_Delete)
    editor.save()
    desk.settle()
    assert any("needs some text" in sentence for sentence in _problems(editor))
    assert _content(editor).hasFocus()
    assert _line(editor, "editorTitle").text() == "Kept"
    assert desk.read(memory_id) == before


# Typing is never lost


def test_typing_survives_another_selection(desk: Desk, editor: EditorPanel) -> None:
    first, second = desk.memory_id(3), desk.memory_id(4)
    desk.select(first)
    _type(desk, _line(editor, "editorTitle"), "Half a thought")
    desk.select(second)
    assert not _is_unsaved(editor)
    desk.select(first)
    assert _line(editor, "editorTitle").text() == "Half a thought"
    assert _is_unsaved(editor)


def test_typing_survives_a_restart_and_never_touches_the_vault(
    qtbot: QtBot,
    make_session: Callable[[], VaultSession],
    theme: ThemeController,
    brain_file: Path,
) -> None:
    before = brain_file.read_bytes()
    texts = []
    for _ in range(2):
        session = make_session()
        with qtbot.waitSignal(session.vault_opened):
            session.open_vault(brain_file)
        panel = EditorPanel(session, theme)
        qtbot.addWidget(panel)
        panel.show()
        memory_id = session.snapshot.memories.ids[0]
        session.select(memory_id)
        qtbot.waitUntil(session.jobs.is_idle)
        texts.append(_content(panel).toPlainText())
        qtbot.keyClicks(_content(panel), "Half a thought")
        session.close_vault()
        qtbot.waitUntil(session.jobs.is_idle)
    assert texts[1] == "Half a thought" + texts[0]
    assert brain_file.read_bytes() == before


def test_a_draft_is_in_the_companion_within_a_second(desk: Desk, editor: EditorPanel) -> None:
    assert KEPT_AFTER_MS <= 1_000
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    _type(desk, _line(editor, "editorTitle"), "Half a thought")
    name = f"drafts/{desk.session.vault.brain.id}"
    companion = desk.session.vault.companion
    desk.qtbot.waitUntil(lambda: bool(companion.read_setting(name)))
    desk.qtbot.waitUntil(lambda: "Half a thought" in str(companion.read_setting(name)))


def test_who_types_without_a_pause_is_kept_up_with(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    companion = desk.session.vault.companion
    name = f"drafts/{desk.session.vault.brain.id}"
    content = _content(editor)

    def is_kept_while_typing() -> bool:
        desk.qtbot.keyClicks(content, "x")
        return "xx" in str(companion.read_setting(name))

    desk.qtbot.waitUntil(is_kept_while_typing)


def test_a_change_elsewhere_without_typing_just_shows(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    desk.edit_outside(
        "UPDATE memories SET title = 'Theirs', updated_at = updated_at + 5 WHERE id = ?",
        memory_id,
    )
    assert _line(editor, "editorTitle").text() == "Theirs"
    assert not _banner(editor).isVisible()


# A new memory


def test_linking_without_a_stored_memory_says_what_is_missing(
    desk: Desk, editor: EditorPanel
) -> None:
    editor.start_link()
    assert any("Select a memory first" in notice for notice in desk.notices)
    editor.start_new()
    editor.start_link()
    assert any("Save the new memory first" in notice for notice in desk.notices)


def test_a_new_memory_has_the_defaults_and_is_selected_once_written(
    desk: Desk, editor: EditorPanel
) -> None:
    desk.select(desk.memory_id(3))
    editor.start_new()
    assert _line(editor, "editorTitle").hasFocus()
    assert desk.session.selected_id is None
    assert _line(editor, "editorBaseConfidence").text() == "0.7"
    assert _line(editor, "editorBaseImportance").text() == "0.5"
    editor.save()
    desk.settle()
    assert any("needs some text" in sentence for sentence in _problems(editor))
    desk.qtbot.keyClicks(_content(editor), "Bins go out on Tuesday")
    assert _problems(editor) == []
    with desk.qtbot.waitSignal(desk.session.write_finished):
        _press(desk, editor, "editorSave")
        _press(desk, editor, "editorSave")
    desk.settle()
    added = desk.session.selected_id
    assert added is not None
    memory = desk.read(added)
    assert (memory.type, memory.content) == ("note", "Bins go out on Tuesday")
    assert (memory.confidence, memory.importance) == (0.7, 0.5)
    assert not editor.has_unsaved
    assert len(desk.session.snapshot.memories) == 188 or len(desk.session.snapshot.memories) > 0


def test_a_begun_memory_waits_while_another_is_looked_at(desk: Desk, editor: EditorPanel) -> None:
    editor.start_new()
    desk.qtbot.keyClicks(_content(editor), "Begun")
    desk.select(desk.memory_id(3))
    assert _content(editor).toPlainText() != "Begun"
    editor.start_new()
    assert _content(editor).toPlainText() == "Begun"
    _press(desk, editor, "editorRevert")
    desk.settle()
    assert desk.session.selected_id == desk.memory_id(3)
    editor.start_new()
    assert _content(editor).toPlainText() == ""


# Links


def _links(panel: EditorPanel) -> EditorLinks:
    return panel.findChildren(EditorLinks)[0]


def _linked(desk: Desk) -> str:
    row = int(desk.session.snapshot.links.from_rows[0])
    memory_id = desk.session.snapshot.memories.ids[row]
    assert memory_id is not None
    return memory_id


def test_links_are_listed_with_direction_relation_and_title(
    desk: Desk, editor: EditorPanel
) -> None:
    memory_id = _linked(desk)
    desk.select(memory_id)
    stored = desk.session.vault.read_links_of(memory_id)
    assert len(_links(editor).texts()) == len(stored)
    strip = find(editor, LinkStrip, "editorLinks")
    other = {link.to_id if link.from_id == memory_id else link.from_id for link in stored}
    with desk.qtbot.waitSignal(desk.session.selection_changed) as changed:
        strip.link_activated.emit(next(iter(other)))
    assert changed.args is not None
    assert changed.args[0] in other


def test_a_link_is_removed_and_comes_back_with_undo(desk: Desk, editor: EditorPanel) -> None:
    memory_id = _linked(desk)
    desk.select(memory_id)
    before = _links(editor).texts()
    link = desk.session.vault.read_links_of(memory_id)[0]
    with desk.qtbot.waitSignal(desk.session.write_finished):
        find(editor, LinkStrip, "editorLinks").remove_requested.emit(link.id)
    desk.settle()
    assert len(_links(editor).texts()) == len(before) - 1
    desk.session.undo()
    desk.settle()
    assert sorted(_links(editor).texts()) == sorted(before)


def test_a_link_is_added_by_words_of_the_title(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    linked = {
        end
        for link in desk.session.vault.read_links_of(memory_id)
        for end in (link.from_id, link.to_id)
    }
    memories = desk.session.snapshot.memories
    other = next(
        row
        for row in desk.session.order.tolist()
        if memories.ids[row] not in linked | {memory_id} and len(memories.labels.text(row)) > 20
    )
    count = len(_links(editor).texts())
    editor.start_link()
    search = find(editor, QLineEdit, "linkSearch")
    assert search.hasFocus()
    desk.qtbot.keyClicks(search, memories.labels.text(other))
    desk.settle()
    found = find(editor, QListWidget, "linkFound")
    assert found.item(0).text() == memories.labels.text(other)
    box = find(editor, QComboBox, "linkRelation")
    box.setCurrentIndex(box.findData("supports"))
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.qtbot.keyClick(search, Qt.Key.Key_Return)
    desk.settle()
    assert len(_links(editor).texts()) == count + 1
    assert f"supports {memories.labels.text(other)}" in _links(editor).texts()


def test_a_link_to_a_memory_that_is_gone_leads_nowhere(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    desk.edit_outside(
        "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, created_at) "
        "VALUES ('orphan', (SELECT brain_id FROM memories WHERE id = ?1), ?1, 'gone', "
        "'supports', 1)",
        memory_id,
    )
    assert "supports a memory that is gone" in _links(editor).texts()
    find(editor, LinkStrip, "editorLinks").link_activated.emit("")
    assert desk.session.selected_id == memory_id
    assert any("is gone" in notice for notice in desk.notices)


def test_a_link_is_added_by_id(desk: Desk, editor: EditorPanel) -> None:
    memory_id, other = desk.memory_id(3), desk.memory_id(100)
    desk.select(memory_id)
    editor.start_link()
    search = find(editor, QLineEdit, "linkSearch")
    search.setText(other)
    desk.settle()
    assert find(editor, QListWidget, "linkFound").count() == 1
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.qtbot.keyClick(search, Qt.Key.Key_Return)
    desk.settle()
    ends = {(link.from_id, link.to_id) for link in desk.session.vault.read_links_of(memory_id)}
    assert (memory_id, other) in ends or (other, memory_id) in ends


def test_escape_leaves_the_link_line_and_returns_the_focus(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    editor.start_link()
    search = find(editor, QLineEdit, "linkSearch")
    desk.qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert not search.isVisible()
    assert find(editor, QPushButton, "linkStart").hasFocus()


# A vault that can't be written


@pytest.fixture
def locked(
    qtbot: QtBot,
    make_session: Callable[[], VaultSession],
    theme: ThemeController,
    brain_file: Path,
) -> Desk:
    """A desk on a vault that opens read-only, for a column that we couldn't fill."""
    with closing(sqlite3.connect(brain_file)) as other, other:
        other.execute("DROP TABLE brain_policies")
        other.execute("CREATE TABLE brain_policies (policy_json TEXT, mood TEXT NOT NULL)")
    session = make_session()
    with qtbot.waitSignal(session.vault_opened):
        session.open_vault(brain_file)
    qtbot.waitUntil(session.jobs.is_idle)
    return Desk(qtbot, session, theme)


def test_a_read_only_vault_is_shown_with_the_reason_and_takes_no_typing(locked: Desk) -> None:
    panel = locked.show(EditorPanel)
    reason = locked.session.read_only_reason
    assert reason
    locked.select(locked.memory_id(0))
    assert reason in [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    before = _content(panel).toPlainText()
    locked.qtbot.keyClicks(_content(panel), "x")
    locked.qtbot.keyClicks(_line(panel, "editorTitle"), "x")
    assert _content(panel).toPlainText() == before
    assert not panel.has_unsaved
    assert not find(panel, QPushButton, "editorSave").isVisible()
    assert not find(panel, QPushButton, "linkStart").isVisible()
    panel.start_new()
    panel.start_link()
    assert locked.session.selected_id == locked.memory_id(0)


# Rules of the house


def test_the_wheel_changes_no_field(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    for name in ("editorType", "editorBaseConfidence", "editorBaseImportance"):
        widget = find(editor, QWidget, name)
        for focused in (False, True):
            if focused:
                widget.setFocus()
            for _ in range(10):
                middle = QPointF(widget.rect().center())
                event = QWheelEvent(
                    middle,
                    widget.mapToGlobal(middle),
                    QPoint(0, 0),
                    QPoint(0, 120),
                    Qt.MouseButton.NoButton,
                    Qt.KeyboardModifier.NoModifier,
                    Qt.ScrollPhase.NoScrollPhase,
                    False,
                )
                QApplication.sendEvent(widget, event)
    assert not editor.has_unsaved


def test_every_field_has_a_name_and_is_reached_by_tab(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    _line(editor, "editorTitle").setFocus()
    names = []
    for _ in range(8):
        focused = QApplication.focusWidget()
        assert focused is not None
        assert focused.accessibleName(), focused.objectName()
        names.append(focused.objectName())
        desk.qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert names == [
        "editorTitle",
        "editorType",
        "editorKey",
        "editorSource",
        "editorTags",
        "editorBaseConfidence",
        "editorBaseImportance",
        "editorContent",
    ]


def test_the_editor_fits_its_smallest_dock(desk: Desk) -> None:
    panel = desk.show(EditorPanel, width=288, height=480)
    desk.select(_linked(desk))
    assert panel.minimumSizeHint().width() <= 288
    assert panel.width() == 288


@pytest.mark.parametrize("lines", [2, 60])
@pytest.mark.parametrize("links", [0, 14])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_one_thing_scrolls_at_a_time(
    desk: Desk, editor: EditorPanel, lines: int, links: int, scale: float
) -> None:
    desk.theme.set_scale(scale)
    editor.resize(498, 460)
    memory_id = desk.memory_id(0)
    others = [desk.memory_id(place) for place in range(1, links + 1)]
    with closing(sqlite3.connect(desk.session.vault.path)) as other, other:
        text = "A line of the text of this memory, some of which are longer than others.\n" * lines
        other.execute("DELETE FROM memory_links")
        other.execute("UPDATE memories SET content = ? WHERE id = ?", (text, memory_id))
    desk.qtbot.wait(20)
    with desk.qtbot.waitSignal(desk.session.vault_changed, timeout=10_000):
        pass
    desk.select(memory_id)
    for end in others:
        with desk.qtbot.waitSignal(desk.session.write_finished):
            desk.session.add_link(memory_id, end, "supports")
    desk.settle()
    desk.qtbot.wait(60)
    bars = [bar for bar in editor.findChildren(QScrollBar) if bar.isVisible()]
    assert len(bars) <= 1, [bar.parent() for bar in bars]
    assert bool(bars) == (lines > 2 or links > 0 or scale > 1.0)
    content = _content(editor)
    content.setFocus()
    content.moveCursor(QTextCursor.MoveOperation.End)
    desk.qtbot.wait(20)
    caret = content.cursorRect().center()
    assert content.viewport().visibleRegion().contains(caret)
