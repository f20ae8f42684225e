"""Ctrl+K: whatever can be done or gone to, by a few letters and Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QListView

from mvdesk.ui.action_list import SPECS
from mvdesk.ui.palette_commands import REASONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk


class Palette:
    """The palette of a window, by its keys."""

    def __init__(self, qtbot: QtBot, desk: Desk) -> None:
        self.qtbot, self.desk = qtbot, desk

    def open(self, text: str = "") -> None:
        window = self.desk.window
        window.activateWindow()
        self.qtbot.waitUntil(window.isActiveWindow)
        self.qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        self.qtbot.waitUntil(self.field.hasFocus)
        self.qtbot.keyClicks(self.field, text)
        self.settle()

    def settle(self) -> None:
        self.qtbot.waitUntil(self.desk.session.jobs.is_idle)

    @property
    def dialog(self) -> QDialog:
        found = [
            one
            for one in self.desk.window.findChildren(QDialog, "paletteDialog")
            if one.isVisible()
        ]
        assert found
        return found[-1]

    @property
    def field(self) -> QLineEdit:
        field = self.dialog.findChild(QLineEdit, "pickerField")
        assert isinstance(field, QLineEdit)
        return field

    @property
    def said(self) -> str:
        label = self.dialog.findChild(QLabel, "pickerSaid")
        assert isinstance(label, QLabel)
        return label.text()

    @property
    def titles(self) -> list[str]:
        found = self.dialog.findChild(QListView, "pickerList")
        assert isinstance(found, QListView)
        model = found.model()
        return [str(model.index(row, 0).data()) for row in range(model.rowCount())]

    def enter(self) -> None:
        self.qtbot.keyClick(self.field, Qt.Key.Key_Return)
        self.settle()

    def is_open(self) -> bool:
        found = self.desk.window.findChildren(QDialog, "paletteDialog")
        return any(one.isVisible() for one in found)


@pytest.fixture
def palette(qtbot: QtBot, open_desk: Desk) -> Palette:
    return Palette(qtbot, open_desk)


def _action(desk: Desk, name: str) -> QAction:
    action = desk.window.findChild(QAction, f"{name}Action")
    assert isinstance(action, QAction)
    return action


def test_every_action_but_the_palette_itself_is_in_it(palette: Palette) -> None:
    palette.open(">")
    names = {
        " ".join(spec.text.replace("&", "").split())
        for spec in SPECS
        if spec.name not in ("commandPalette", "switchTheme")  # whose text follows the theme
    }
    plain = {title.split(": ")[-1] for title in palette.titles}
    assert names <= plain
    palette.dialog.reject()


def test_enter_does_the_action_that_was_typed(palette: Palette) -> None:
    action = _action(palette.desk, "compactRows")
    before = action.isChecked()
    palette.open("compact ro")
    palette.enter()
    palette.qtbot.waitUntil(lambda: action.isChecked() != before)
    assert not palette.is_open()


def test_a_memory_is_gone_to_by_its_title(palette: Palette) -> None:
    session = palette.desk.session
    wanted = session.snapshot.memories.ids.text(int(session.order[-1]))
    palette.open(wanted)
    palette.enter()
    palette.qtbot.waitUntil(lambda: session.selected_id == wanted)


def test_a_source_is_shown_among_all_sources(palette: Palette) -> None:
    session = palette.desk.session
    wanted = next(key for key in session.snapshot.sources.keys if key)
    palette.open(f"@{wanted}")
    palette.enter()
    palette.qtbot.waitUntil(lambda: session.looking.source_key == wanted)
    assert palette.desk.window.workspace.spec.name == "sources"


def test_a_tag_becomes_the_search(palette: Palette) -> None:
    session = palette.desk.session
    palette.open("#")
    tag = palette.titles[0]
    palette.enter()
    palette.qtbot.waitUntil(lambda: session.filter_text == f'tag="{tag}"')
    palette.settle()
    assert len(session.order) > 0


def test_an_action_that_can_not_be_done_says_why_and_leaves_the_palette_open(
    palette: Palette,
) -> None:
    palette.open(">apply preview")
    palette.enter()
    assert palette.said == "Apply preview: nothing is being tried."
    assert palette.is_open()
    palette.qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.is_open()


def test_whatever_an_action_may_need_has_a_reason() -> None:
    assert {spec.needs for spec in SPECS} - {""} <= set(REASONS)


def test_enter_before_the_answer_chooses_from_the_answer(palette: Palette) -> None:
    action = _action(palette.desk, "showArchived")
    palette.open()
    palette.field.setText("show archived")
    palette.qtbot.keyClick(palette.field, Qt.Key.Key_Return)  # nothing was delivered yet
    palette.settle()
    palette.qtbot.waitUntil(action.isChecked)


def test_what_was_chosen_is_first_the_next_time_and_after_a_start(
    qtbot: QtBot, palette: Palette, make_window: Callable[[], Desk]
) -> None:
    palette.open("compact ro")
    palette.enter()
    qtbot.waitUntil(lambda: not palette.is_open())
    palette.open()
    assert palette.titles[0] == "Compact rows"
    palette.dialog.reject()
    again = Palette(qtbot, make_window())
    again.open()
    assert again.titles[0] == "Compact rows"
    again.dialog.reject()


def test_without_a_vault_it_says_what_needs_one(qtbot: QtBot, desk: Desk) -> None:
    palette = Palette(qtbot, desk)
    palette.open("@some")
    assert palette.said == "No vault is open: it has the memories, sources and tags."
    palette.field.setText(">save")
    palette.settle()
    palette.enter()
    assert palette.said == "Save: open a vault first."
    palette.field.setText(">zzqq")
    palette.settle()
    assert palette.said == "Nothing matches “zzqq”."
    palette.enter()
    assert palette.is_open()
    palette.dialog.reject()
