"""Links by keyboard: made in both directions, labelled, changed, of several the right one."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
)

from mvdesk.ui.panels.editor_links import EditorLinks
from mvdesk.ui.widgets.link_strip import LinkStrip

from .conftest import Desk, find

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.records import Link
    from mvdesk.ui.panels.editor import EditorPanel


def links_of(desk: Desk, memory_id: str) -> list[Link]:
    return desk.session.vault.read_links_of(memory_id)


def texts(panel: EditorPanel) -> list[str]:
    return panel.findChildren(EditorLinks)[0].texts()


def unlinked(desk: Desk, memory_id: str) -> str:
    ends = {end for link in links_of(desk, memory_id) for end in (link.from_id, link.to_id)}
    ids = desk.session.snapshot.memories.ids
    return next(ids.text(row) for row in desk.session.order.tolist() if ids[row] not in ends)


def look_for(desk: Desk, panel: EditorPanel, text: str) -> QListWidget:
    panel.start_link()
    search = find(panel, QLineEdit, "linkSearch")
    search.setText(text)
    desk.settle()
    desk.qtbot.keyClick(search, Qt.Key.Key_Down)
    found = find(panel, QListWidget, "linkFound")
    assert found.hasFocus()
    return found


def press_and_wait(desk: Desk, where: QWidget, key: Qt.Key) -> None:
    with desk.qtbot.waitSignal(desk.session.write_finished):
        desk.qtbot.keyClick(where, key)
    desk.settle()


def chip_button(panel: EditorPanel, text: str) -> QWidget:
    strip = find(panel, LinkStrip, "editorLinks")
    return next(
        chip.button  # type: ignore[attr-defined]
        for chip in strip.chips
        if text in chip.item.sentence  # type: ignore[attr-defined]
    )


@pytest.mark.parametrize(
    ("key", "relation"),
    [
        (Qt.Key.Key_R, "related"),
        (Qt.Key.Key_S, "supports"),
        (Qt.Key.Key_C, "contradicts"),
        (Qt.Key.Key_U, "supersedes"),
        (Qt.Key.Key_A, "causes"),
        (Qt.Key.Key_E, "example_of"),
    ],
)
def test_a_letter_in_the_list_links_at_once(
    desk: Desk, editor: EditorPanel, key: Qt.Key, relation: str
) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    other = unlinked(desk, memory_id)
    press_and_wait(desk, look_for(desk, editor, other), key)
    (made,) = [link for link in links_of(desk, memory_id) if other in (link.from_id, link.to_id)]
    assert (made.from_id, made.to_id, made.relation_type) == (memory_id, other, relation)
    assert (
        find(editor, QLineEdit, "linkSearch").isHidden()
        or not find(editor, QLineEdit, "linkSearch").isVisible()
    )


def test_a_link_from_the_other_memory_with_a_label(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    other = unlinked(desk, memory_id)
    found = look_for(desk, editor, other)
    box = find(editor, QComboBox, "linkRelation")
    box.setCurrentIndex(box.findText("supported by"))
    label = find(editor, QLineEdit, "linkLabel")
    desk.qtbot.keyClicks(label, "see page 3")
    assert found.count() == 1
    press_and_wait(desk, label, Qt.Key.Key_Return)
    (made,) = [link for link in links_of(desk, memory_id) if other in (link.from_id, link.to_id)]
    assert (made.from_id, made.to_id) == (other, memory_id)
    assert (made.relation_type, made.label) == ("supports", "see page 3")
    assert any("supported by" in text and "(see page 3)" in text for text in texts(editor))


def test_a_link_gets_another_relation_and_label_by_f2(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    other = unlinked(desk, memory_id)
    press_and_wait(desk, look_for(desk, editor, other), Qt.Key.Key_S)
    title = desk.session.snapshot.memories.labels.text(desk.session.snapshot.row_of(other) or 0)
    button = chip_button(editor, title)
    button.setFocus()
    desk.qtbot.keyClick(button, Qt.Key.Key_F2)
    box = find(editor, QComboBox, "linkRelation")
    assert box.hasFocus()
    assert box.currentData() == "supports"
    desk.qtbot.keyClick(box, Qt.Key.Key_Home)
    label = find(editor, QLineEdit, "linkLabel")
    desk.qtbot.keyClicks(label, "loosely")
    press_and_wait(desk, label, Qt.Key.Key_Return)
    (made,) = [link for link in links_of(desk, memory_id) if other in (link.from_id, link.to_id)]
    assert (made.relation_type, made.label) == ("related", "loosely")
    desk.session.undo()
    desk.settle()
    assert f"supports {title}" in texts(editor)


def test_the_keyboard_returns_to_the_chip_that_f2_was_pressed_on(
    desk: Desk, editor: EditorPanel
) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    other = unlinked(desk, memory_id)
    press_and_wait(desk, look_for(desk, editor, other), Qt.Key.Key_S)
    title = desk.session.snapshot.memories.labels.text(desk.session.snapshot.row_of(other) or 0)
    button = chip_button(editor, title)
    button.setFocus()
    desk.qtbot.keyClick(button, Qt.Key.Key_F2)
    desk.qtbot.keyClick(find(editor, QComboBox, "linkRelation"), Qt.Key.Key_Escape)
    assert chip_button(editor, title).hasFocus()
    desk.qtbot.keyClick(button, Qt.Key.Key_F2)
    label = find(editor, QLineEdit, "linkLabel")
    desk.qtbot.keyClicks(label, "loosely")
    press_and_wait(desk, label, Qt.Key.Key_Return)
    assert chip_button(editor, title).hasFocus()


def test_of_several_links_of_a_pair_the_person_picks(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    other = unlinked(desk, memory_id)
    desk.edit_outside(
        "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, created_at) "
        "SELECT value, (SELECT brain_id FROM memories WHERE id = ?1), ?1, ?2, "
        "iif(value = 'one', 'supports', 'causes'), 1 FROM json_each('[\"one\", \"two\"]')",
        memory_id,
        other,
    )
    found = look_for(desk, editor, other)
    said = find(editor, QLabel, "linkSaid").text()
    assert "Linked already" in said
    which = find(editor, QComboBox, "linkWhich")
    assert which.isVisible()
    which.setCurrentIndex(which.findData("two"))
    press_and_wait(desk, found, Qt.Key.Key_C)
    relations = {link.id: link.relation_type for link in links_of(desk, memory_id)}
    assert (relations["one"], relations["two"]) == ("supports", "contradicts")


@pytest.mark.qt_log_ignore("This plugin does not support")  # popups, on a display of none
def test_the_menu_of_a_link_offers_what_its_keys_do(desk: Desk, editor: EditorPanel) -> None:
    row = int(desk.session.snapshot.links.from_rows[0])
    desk.select(desk.session.snapshot.memories.ids.text(row))
    strip = find(editor, LinkStrip, "editorLinks")
    chip, count = strip.chips[0], len(texts(editor))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(4, 4), QPoint(40, 40))
    QApplication.sendEvent(chip, event)
    menu = chip.findChild(QMenu, "linkMenu")
    assert isinstance(menu, QMenu)
    said = [action.text().replace("&", "").split("\t")[0] for action in menu.actions()]
    assert said == [
        "Go to the other memory",
        "Change relation or label…",
        "Remove the link",
    ]
    with desk.qtbot.waitSignal(desk.session.write_finished):
        menu.actions()[2].trigger()
    menu.close()
    desk.settle()
    assert len(texts(editor)) == count - 1


def test_up_from_the_first_found_goes_back_to_the_search(desk: Desk, editor: EditorPanel) -> None:
    desk.select(desk.memory_id(3))
    found = look_for(desk, editor, unlinked(desk, desk.memory_id(3)))
    desk.qtbot.keyClick(found, Qt.Key.Key_Up)
    assert find(editor, QLineEdit, "linkSearch").hasFocus()


def test_an_archived_end_is_said(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    other = unlinked(desk, memory_id)
    press_and_wait(desk, look_for(desk, editor, other), Qt.Key.Key_S)
    desk.edit_outside("UPDATE memories SET archived_at = 5 WHERE id = ?", other)
    assert any(text.endswith(", archived") for text in texts(editor))


class Heights(QObject):
    """Notes how high the content of a scroll area is whenever it is painted."""

    def __init__(self, area: QScrollArea) -> None:
        super().__init__(area)
        self._area = area
        self.seen: list[tuple[int, int]] = []  # its height, and the least it needs
        area.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        content = self._area.widget()
        if event.type() == QEvent.Type.Paint and content is not None:
            layout = content.layout()
            assert layout is not None
            self.seen.append((content.height(), layout.totalMinimumSize().height()))
        return super().eventFilter(watched, event)


def test_the_form_is_not_left_squeezed_while_links_come(desk: Desk, editor: EditorPanel) -> None:
    memory_id = desk.memory_id(3)
    desk.select(memory_id)
    area = find(editor, QPlainTextEdit, "editorContent").parentWidget()
    while not isinstance(area, QScrollArea):
        assert area is not None
        area = area.parentWidget()
    heights = Heights(area)
    for key in (Qt.Key.Key_S, Qt.Key.Key_C, Qt.Key.Key_R, Qt.Key.Key_A):
        before = len(texts(editor))
        press_and_wait(desk, look_for(desk, editor, unlinked(desk, memory_id)), key)
        desk.qtbot.waitUntil(lambda before=before: len(texts(editor)) > before)
    area.viewport().removeEventFilter(heights)
    assert len(heights.seen) > 4
    squeezed = [height < least for height, least in heights.seen]
    # Once, before Qt has laid out what a bar that comes takes away; never twice in a row.
    assert (True, True) not in pairwise(squeezed)
