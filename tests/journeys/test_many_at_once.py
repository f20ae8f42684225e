"""Many memories at once, by keyboard: select, see what a change does, write it, take it back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)

from mvdesk.ui.models.list_columns import Column
from mvdesk.ui.models.memory_table import MemoryTableModel
from mvdesk.ui.panels.memories import MemoriesPanel
from mvdesk.ui.plots.graph_scene import GraphView
from mvdesk.ui.widgets.selecting_table import SelectingTable, make_dragged
from mvdesk.vault.tags import parse_tags

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from tests.fakes import FakeFileDialogs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # popups

AnyWidget = TypeVar("AnyWidget", bound=QWidget)
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class Work:
    """The window's list and the dialog over it."""

    def __init__(self, qtbot: QtBot, desk: Desk) -> None:
        self.qtbot, self.desk, self.session = qtbot, desk, desk.session
        table = desk.window.findChild(SelectingTable, "memoryList")
        assert table is not None
        self.table = table

    @property
    def model(self) -> MemoryTableModel:
        model = self.table.model()
        assert isinstance(model, MemoryTableModel)
        return model

    def settle(self) -> None:
        self.qtbot.waitUntil(self.session.jobs.is_idle)

    def trigger(self, name: str) -> None:
        action = self.desk.window.findChild(QAction, f"{name}Action")
        assert isinstance(action, QAction)
        assert action.isEnabled(), name
        action.trigger()
        self.settle()

    def find(self, kind: type[AnyWidget], name: str) -> AnyWidget:
        found = [one for one in self.desk.window.findChildren(kind, name) if one.isVisible()]
        assert found, name
        return found[-1]

    def select(self, count: int, first: int = 0) -> list[str]:
        """Select some rows with the keyboard; gives back their ids."""
        self.table.setFocus()
        self.session.select(self.model.memory_id(first))
        for _ in range(count - 1):
            self.qtbot.keyClick(self.table, Qt.Key.Key_Down, SHIFT)
        self.settle()
        assert self.session.selection.count == count
        return self.session.selection.ids

    def apply(self) -> None:
        button = self.find(QPushButton, "bulkApply")
        assert button.isEnabled()
        with self.qtbot.waitSignal(self.session.write_finished, timeout=10_000):
            self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        self.settle()

    def undo(self) -> None:
        with self.qtbot.waitSignal(self.session.write_finished, timeout=10_000):
            self.trigger("undo")
        self.settle()

    def cells(self) -> list[tuple[object, ...]]:
        """Every memory and link as the file has them."""
        with closing(sqlite3.connect(self.session.vault.path)) as conn:
            rows = conn.execute("SELECT * FROM memories ORDER BY id").fetchall()
            return rows + conn.execute("SELECT * FROM memory_links ORDER BY id").fetchall()


@pytest.fixture
def work(qtbot: QtBot, open_desk: Desk) -> Work:
    return Work(qtbot, open_desk)


def test_tagging_three_and_taking_it_back_by_keyboard(work: Work) -> None:
    before = work.cells()
    ids = work.select(3)
    assert work.find(QLabel, "selectionCount").text() == "3 selected"
    work.trigger("tagSelected")
    add = work.find(QLineEdit, "bulkAdd")
    work.qtbot.waitUntil(add.hasFocus)
    work.qtbot.keyClicks(add, "checked, Ops")
    work.settle()
    assert "3 of 3 memories change." in work.find(QLabel, "bulkCounts").text()
    assert work.find(QLabel, "bulkEffect").text().startswith("Their age starts anew.")
    with work.qtbot.waitSignal(work.session.write_finished, timeout=10_000):
        work.qtbot.keyClick(add, Qt.Key.Key_Return)
    work.settle()
    for memory_id in ids:
        assert {"checked", "ops"} <= set(parse_tags(work.session.vault.read_memory(memory_id).tags))
    assert work.session.selection.ids == ids
    assert work.session.undo_label == "Tag 3 memories"
    work.undo()
    assert work.cells() == before
    assert work.session.selection.ids == ids


def test_a_preview_promises_what_comes_about(work: Work) -> None:
    ids = work.select(6, first=4)
    rows = work.session.snapshot.rows_of(ids)
    work.trigger("basesSelected")
    work.find(QCheckBox, "bulkHasConfidence").setChecked(True)
    work.find(QDoubleSpinBox, "bulkConfidence").setValue(0.35)
    work.settle()
    table = work.find(QWidget, "bulkMovers")
    model = table.model()  # type: ignore[attr-defined]
    promised = {
        model.index(row, 0).data(): model.index(row, 1).data().rpartition(" ")[2]
        for row in range(model.rowCount())
    }
    assert promised
    work.apply()
    labels = work.session.snapshot.memories.labels
    for row in rows.tolist():
        if (title := labels.text(row)) in promised:
            assert promised[title] == f"{work.session.scores.confidence[row]:.3f}"


def test_a_type_and_a_source_for_many(work: Work) -> None:
    ids = work.select(4)
    work.trigger("typeSelected")
    kinds = work.find(QComboBox, "bulkType")
    kinds.setCurrentIndex(kinds.findData("journal"))
    kinds.activated.emit(kinds.currentIndex())
    work.settle()
    work.apply()
    assert {work.session.vault.read_memory(one).type for one in ids} == {"journal"}
    work.trigger("sourceSelected")
    work.find(QLineEdit, "bulkSource").setText("  Field notes ")
    work.settle()
    work.apply()
    assert {work.session.vault.read_memory(one).source for one in ids} == {"Field notes"}
    assert work.session.selection.ids == ids


def test_what_is_refused_is_said_and_can_not_be_applied(work: Work) -> None:
    work.select(2)
    work.trigger("tagSelected")
    assert not work.find(QPushButton, "bulkApply").isEnabled()
    work.find(QLineEdit, "bulkRemove").setText("no such tag")
    work.settle()
    assert work.find(QLabel, "bulkCounts").text() == "Nothing would change: it is so already."
    assert not work.find(QPushButton, "bulkApply").isEnabled()
    work.find(QDialog, "bulkDialog").reject()
    work.trigger("basesSelected")
    assert not work.find(QPushButton, "bulkApply").isEnabled()
    work.find(QDialog, "bulkDialog").reject()


def test_deleting_asks_and_undo_brings_all_back(work: Work) -> None:
    before = work.cells()
    ids = work.select(5)
    work.qtbot.keyClick(work.table, Qt.Key.Key_Delete)
    work.settle()
    work.qtbot.waitUntil(work.find(QPushButton, "bulkCancel").hasFocus)  # Enter deletes nothing
    said = work.find(QLabel, "bulkCounts").text()
    assert said.startswith("5 memories")
    work.apply()
    assert not any(work.session.vault.has_memory(one) for one in ids)
    assert work.session.selection.count == 0
    work.undo()
    assert work.cells() == before


def test_archive_and_restore_of_many_and_of_one(work: Work) -> None:
    ids = work.select(3)
    work.trigger("archiveSelected")
    work.apply()
    assert all(work.session.vault.read_memory(one).archived_at for one in ids)
    assert work.find(QLabel, "selectionCount").text() == "3 selected, 3 not listed"
    work.trigger("restoreSelected")
    assert work.find(QLabel, "bulkNote").text() == "3 of them are not in the filtered list."
    work.apply()
    assert not any(work.session.vault.read_memory(one).archived_at for one in ids)
    one = work.model.memory_id(10)
    work.session.select(one)
    work.settle()
    with work.qtbot.waitSignal(work.session.write_finished, timeout=10_000):
        work.trigger("archiveSelected")  # one alone isn't asked about
    assert one is not None
    assert work.session.vault.read_memory(one).archived_at


def test_linking_all_to_one(work: Work) -> None:
    ids = work.select(3)
    target = work.model.memory_id(20)
    assert target is not None
    work.trigger("linkSelected")
    assert not work.find(QPushButton, "bulkApply").isEnabled()
    work.find(QLineEdit, "pickerField").setText(target)
    work.settle()
    relation = work.find(QComboBox, "bulkRelation")
    relation.setCurrentIndex(relation.findData("supports"))
    relation.activated.emit(relation.currentIndex())
    work.settle()
    work.apply()
    links = work.session.vault.read_links_of(target)
    joined = {link.from_id for link in links if link.relation_type == "supports"}
    assert set(ids) <= joined | {link.to_id for link in links}


def test_a_vault_that_changes_meanwhile_is_looked_at_again(work: Work) -> None:
    ids = work.select(2)
    work.trigger("typeSelected")
    with closing(sqlite3.connect(work.session.vault.path)) as conn, conn:
        conn.execute(
            "UPDATE memories SET importance = 0.9, updated_at = updated_at + 1 WHERE id = ?",
            (ids[0],),
        )
    with work.qtbot.waitSignal(work.session.vault_changed, timeout=10_000):
        pass
    work.settle()
    kinds = work.find(QComboBox, "bulkType")
    kinds.setCurrentIndex(kinds.findData("journal"))
    kinds.activated.emit(kinds.currentIndex())
    work.settle()
    work.apply()
    assert {work.session.vault.read_memory(one).type for one in ids} == {"journal"}


def test_escape_selects_one_again(work: Work) -> None:
    work.select(4)
    work.qtbot.keyClick(work.table, Qt.Key.Key_Escape)
    assert work.session.selection.count == 1
    work.select(3)
    work.qtbot.mouseClick(work.find(QWidget, "selectionClear"), Qt.MouseButton.LeftButton)
    assert work.session.selection.count == 1
    assert not work.desk.window.findChild(QWidget, "selectionBar").isVisible()  # type: ignore[union-attr]


@pytest.mark.parametrize(("key", "place"), [(Qt.Key.Key_Down, 5), (Qt.Key.Key_Up, 4)])
def test_from_a_row_that_was_archived_the_keys_go_on_where_it_was(
    work: Work, key: Qt.Key, place: int
) -> None:
    rows = [work.model.memory_id(row) for row in range(8)]
    work.table.select_row(5)
    work.settle()
    work.trigger("archiveSelected")
    work.qtbot.waitUntil(lambda: work.model.memory_id(5) == rows[6])
    work.settle()
    work.qtbot.keyClick(work.table, key)
    work.settle()
    assert work.session.selected_id == work.model.memory_id(place)
    assert work.model.memory_id(place) in (rows[6], rows[4])


def test_the_underlined_letter_of_a_dialog_s_button_presses_it(work: Work) -> None:
    memory_id = work.model.memory_id(4)
    work.table.select_row(4)
    work.settle()
    work.trigger("deleteSelected")
    button = work.find(QPushButton, "bulkApply")
    work.qtbot.waitUntil(button.isEnabled)
    assert button.text() == "&Delete"
    with work.qtbot.waitSignal(work.session.write_finished, timeout=10_000):
        work.qtbot.keyClick(button.window(), Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier)
    work.settle()
    assert not work.session.vault.has_memory(memory_id or "")


def test_a_deleted_memory_is_selected_again_when_undo_brings_it_back(work: Work) -> None:
    memory_id = work.model.memory_id(4)
    work.table.select_row(4)
    work.settle()
    work.trigger("deleteSelected")
    button = work.find(QPushButton, "bulkApply")
    work.qtbot.waitUntil(button.isEnabled)
    with work.qtbot.waitSignal(work.session.write_finished, timeout=10_000):
        button.click()
    work.settle()
    assert work.session.selected_id is None
    work.session.undo()
    work.qtbot.waitUntil(lambda: work.session.selected_id == memory_id)
    work.settle()
    assert work.table.currentIndex().row() == 4


# Dragging.


def _drop(work: Work, ids: list[str], row: int) -> None:
    place = QPointF(work.table.visualRect(work.model.index(row, Column.TITLE)).center())
    data = make_dragged(ids)
    event = QDropEvent(
        place,
        Qt.DropAction.LinkAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    work.table.dropEvent(event)


def test_a_row_dropped_on_another_is_linked_once_a_relation_is_chosen(work: Work) -> None:
    one, other = work.model.memory_id(2), work.model.memory_id(9)
    assert one is not None
    assert other is not None
    _drop(work, [one], 9)
    menu = work.find(QMenu, "relationMenu")
    # A line of its own: a section of Qt's would be drawn as a thin line, its text hidden.
    heading = menu.actions()[0]
    assert heading.text().startswith("Link “")
    assert not heading.isSeparator()
    with work.qtbot.waitSignal(work.session.write_finished, timeout=10_000):
        work.qtbot.keyClick(menu, Qt.Key.Key_C)  # contradicts
    work.settle()
    links = work.session.vault.read_links_of(one)
    assert any({l.from_id, l.to_id} == {one, other} for l in links)  # noqa: E741
    assert any(link.relation_type == "contradicts" for link in links)


def test_escape_leaves_a_drop_without_a_link(work: Work) -> None:
    before = work.cells()
    one = work.model.memory_id(2)
    assert one is not None
    _drop(work, [one], 9)
    work.qtbot.keyClick(work.find(QMenu, "relationMenu"), Qt.Key.Key_Escape)
    _drop(work, [one], 2)  # onto itself
    assert not [m for m in work.desk.window.findChildren(QMenu, "relationMenu") if m.isVisible()]
    work.settle()
    assert work.cells() == before


def test_a_row_dropped_where_it_can_not_be_linked_says_why(work: Work) -> None:
    said: list[str] = []
    work.session.messages.shown.connect(lambda _kind, text: said.append(text))
    one = work.model.memory_id(2)
    assert one is not None
    _drop(work, [one], 2)
    assert said == ["A memory can't be linked to itself."]
    viewport, data = work.find(GraphView, "graphView").viewport(), make_dragged([one])
    place, action = QPoint(1, viewport.height() - 1), Qt.DropAction.LinkAction
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place, action, data, button, keys)
    QApplication.sendEvent(viewport, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(viewport, QDropEvent(QPointF(place), action, data, button, keys))
    assert said[1:] == ["To link, drop onto a memory of the graph."]
    assert not [m for m in work.desk.window.findChildren(QMenu, "relationMenu") if m.isVisible()]


def test_other_things_are_not_taken(work: Work) -> None:
    data = QMimeData()
    data.setText("x")
    place = QPointF(20, 20)
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    work.table.dropEvent(QDropEvent(place, Qt.DropAction.CopyAction, data, buttons, keys))
    assert not work.desk.window.findChildren(QMenu, "relationMenu")


# The menu of a row.


def test_the_menu_of_a_row_is_about_all_that_is_selected(work: Work) -> None:
    ids = work.select(3)
    place = work.table.visualRect(work.model.index(1, Column.TITLE)).center()
    work.qtbot.mouseClick(work.table.viewport(), Qt.MouseButton.RightButton, pos=place)
    assert work.session.selection.ids == ids
    work.table.customContextMenuRequested.emit(place)
    menu = work.find(QMenu, "memoryMenu")
    names = [action.text().replace("&", "") for action in menu.actions()]
    for name in ("Pin for comparison", "Link to…", "Tags…", "Archive…", "Delete…", "Copy id"):
        assert name in names
    assert names.index("Tags…") < names.index("Copy title")
    assert "Copy a link to it" in names
    menu.close()
    outside = work.table.visualRect(work.model.index(6, Column.TITLE)).center()
    work.qtbot.mouseClick(work.table.viewport(), Qt.MouseButton.RightButton, pos=outside)
    assert work.session.selection.ids == [work.model.memory_id(6)]


def test_letters_in_the_list_search_nothing(work: Work) -> None:
    work.session.select(work.model.memory_id(3))
    work.table.setFocus()
    work.qtbot.keyClick(work.table, Qt.Key.Key_Q)
    assert work.session.selected_id == work.model.memory_id(3)


# Copies and exports.


def test_copied_rows_are_as_the_list_shows_them(work: Work) -> None:
    work.select(2)
    work.qtbot.keyClick(work.table, Qt.Key.Key_C, CTRL)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 3
    assert lines[0].split("\t")[0] == "Title"
    assert lines[1].split("\t")[0].lstrip("'") == work.model.index(0, 0).data()
    work.trigger("copyRowsCsv")
    assert QGuiApplication.clipboard().text().startswith("Title,")


def test_many_copied_rows_are_made_in_the_background_and_counted(work: Work) -> None:
    said: list[str] = []
    work.session.messages.shown.connect(lambda _kind, text: said.append(text))
    QGuiApplication.clipboard().setText("before")
    work.table.setFocus()
    work.qtbot.keyClick(work.table, Qt.Key.Key_A, CTRL)
    count = work.session.selection.count
    assert count > 100
    work.qtbot.keyClick(work.table, Qt.Key.Key_C, CTRL)
    work.settle()
    assert len(QGuiApplication.clipboard().text().splitlines()) == count + 1
    assert said == [f"{count:,} memories are copied."]


def test_the_list_is_exported_in_its_order_with_scores(
    work: Work, files: FakeFileDialogs, tmp_path: Path
) -> None:
    work.session.set_filter("type:fact")
    work.settle()
    work.qtbot.waitUntil(lambda: work.session.filter_text != "")
    work.settle()
    files.answer = tmp_path / "list.csv"
    work.trigger("exportList")
    lines = (tmp_path / "list.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("Title,")
    assert "Confidence" in lines[0]
    assert len(lines) == len(work.session.order) + 1
    assert [path.name for path in tmp_path.iterdir() if "list.csv" in path.name] == ["list.csv"]
    files.answer = None
    work.trigger("exportList")
    files.answer = tmp_path / "nowhere" / "list.csv"
    work.trigger("exportList")
    what = work.find(QLabel, "problemWhat")
    assert "could not be written" in what.text()
    work.find(QDialog, "problemDialog").reject()


# Groups, and going back.


def test_groups_are_chosen_folded_and_remembered(work: Work) -> None:
    work.trigger("groupSource")
    groups = work.session.groups
    assert groups is not None
    work.trigger("collapseGroups")
    assert work.model.rowCount() == len(groups)
    work.trigger("expandGroups")
    assert work.model.rowCount() == len(groups) + len(work.session.order)
    with work.qtbot.waitSignal(work.session.vault_opened, timeout=10_000):
        path = work.session.vault.path
        work.session.close_vault()
        work.desk.window.open_vault(path)
    work.settle()
    assert work.session.group == "source"
    work.trigger("groupNone")
    assert work.session.groups is None


def test_going_to_a_memory_and_back(work: Work) -> None:
    work.session.select(work.model.memory_id(0))
    work.settle()
    first = work.session.selected_id
    wanted = work.model.memory_id(30)
    title = str(work.model.index(30, 0).data())
    work.trigger("goToMemory")
    field = work.find(QLineEdit, "pickerField")
    work.qtbot.waitUntil(field.hasFocus)
    work.qtbot.keyClicks(field, title)
    work.settle()
    work.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert work.session.selected_id == wanted
    work.trigger("goBack")
    assert work.session.selected_id == first
    work.trigger("goForward")
    assert work.session.selected_id == wanted
    work.qtbot.mouseClick(work.desk.window, Qt.MouseButton.BackButton)
    assert work.session.selected_id == first


def test_the_switcher_starts_with_what_was_recent_and_arrows_go_through_it(work: Work) -> None:
    ids = [work.model.memory_id(row) for row in (3, 5, 7)]
    for memory_id in ids:
        work.session.select(memory_id)
    work.settle()
    work.trigger("goToMemory")
    assert work.find(QLabel, "pickerSaid").text() == "Recent"
    field = work.find(QLineEdit, "pickerField")
    work.qtbot.keyClick(field, Qt.Key.Key_Down)
    work.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert work.session.selected_id == ids[0]
    work.trigger("goToMemory")
    field = work.find(QLineEdit, "pickerField")
    field.setText("zzqyx zz")
    work.settle()
    assert "No memory matches" in work.find(QLabel, "pickerSaid").text()
    work.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert work.find(QDialog, "memorySwitcher").isVisible()
    work.find(QDialog, "memorySwitcher").reject()


def test_a_link_is_copied_and_followed(work: Work) -> None:
    wanted = work.model.memory_id(12)
    work.session.select(wanted)
    work.settle()
    work.trigger("copyMemoryLink")
    link = QGuiApplication.clipboard().text()
    assert link.startswith("mvdesk://memory/")
    work.session.select(work.model.memory_id(0))
    work.session.looking.follow_link(link)
    work.settle()
    assert work.session.selected_id == wanted


def test_a_link_opens_the_vault_of_late_that_has_it(work: Work, tmp_path: Path) -> None:
    wanted = work.model.memory_id(12)
    work.session.select(wanted)
    work.trigger("copyMemoryLink")
    link = QGuiApplication.clipboard().text()
    with work.qtbot.waitSignal(work.session.vault_opened, timeout=10_000):
        work.session.create_vault(tmp_path / "other.sqlite")
    work.settle()
    with work.qtbot.waitSignal(work.session.vault_opened, timeout=10_000):
        work.session.looking.follow_link(link)
    work.settle()
    assert work.session.selected_id == wanted
    for text in ("mvdesk://memory/nowhere", "https://example.org"):
        work.session.looking.follow_link(text)
        work.settle()
        work.find(QDialog, "problemDialog").reject()


def test_all_of_a_thousand_rows_change_in_one_step(work: Work) -> None:
    work.table.setFocus()
    work.qtbot.keyClick(work.table, Qt.Key.Key_A, CTRL)
    count = work.session.selection.count
    assert count == len(work.session.order)
    work.trigger("tagSelected")
    work.find(QLineEdit, "bulkAdd").setText("all")
    work.settle()
    work.apply()
    tags = work.session.snapshot.memories.tags
    rows = work.session.selection.rows
    assert all("all" in parse_tags(tags[row]) for row in rows.tolist())
    assert np.count_nonzero(work.session.selection.marks) == count
    work.undo()
    assert work.session.undo_label == ""


def test_recent_memories_are_kept_with_the_vault(work: Work) -> None:
    wanted = work.model.memory_id(11)
    work.session.select(wanted)
    work.settle()
    path = work.session.vault.path
    with work.qtbot.waitSignal(work.session.vault_opened, timeout=10_000):
        work.session.close_vault()
        work.desk.window.open_vault(path)
    work.settle()
    work.trigger("goToMemory")
    work.qtbot.keyClick(work.find(QLineEdit, "pickerField"), Qt.Key.Key_Return)
    assert work.session.selected_id == wanted


def test_with_several_selected_their_link_key_links_them_all(work: Work) -> None:
    work.select(3)
    work.trigger("linkTo")
    assert work.find(QLabel, "bulkTitle").text() == "Link 3 memories to one"
    work.find(QDialog, "bulkDialog").reject()


def test_columns_and_rows_are_as_they_were_left(
    qtbot: QtBot, open_desk: Desk, make_window: Callable[[], Desk], brain_file: Path
) -> None:
    first = Work(qtbot, open_desk)
    first.trigger("compactRows")
    panel = open_desk.window.findChild(MemoriesPanel)
    assert panel is not None
    menu = panel.columns.make_menu(Column.TYPE)
    next(action for action in menu.actions() if action.text() == "Links").trigger()
    menu.close()
    shown = panel.columns.shown
    open_desk.window.close()
    second = make_window()
    with qtbot.waitSignal(second.window.panels_ready, timeout=15_000):
        second.window.open_vault(brain_file)
    again = second.window.findChild(MemoriesPanel)
    assert again is not None
    assert again.columns.shown == shown
    assert shown[-1] == Column.LINKS
    table = second.window.findChild(SelectingTable, "memoryList")
    assert table is not None
    assert table.rowHeight(0) == 26
