"""A note changed in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from mvdesk.ui.widgets.note_line import LONGEST, NoteLine

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController


@pytest.fixture
def line(qtbot: QtBot, theme: ThemeController) -> NoteLine:
    made = NoteLine()
    qtbot.addWidget(made)
    made.resize(400, 60)
    made.show()
    made.activateWindow()
    made.set_note("slack", "chat", refusal="", writable=True)
    return made


def _edit(qtbot: QtBot, line: NoteLine) -> None:
    qtbot.mouseClick(_button(line), Qt.MouseButton.LeftButton)


def _button(line: NoteLine) -> QPushButton:
    found = line.findChild(QPushButton, "sourceNoteEdit")
    assert isinstance(found, QPushButton)
    return found


def _said(line: NoteLine) -> str:
    found = line.findChild(QLabel, "sourceNote")
    assert isinstance(found, QLabel)
    return found.text()


def test_enter_keeps_what_was_typed(qtbot: QtBot, line: NoteLine) -> None:
    assert _said(line) == "Note: chat"
    _edit(qtbot, line)
    assert line.field.text() == "chat"
    with qtbot.waitSignal(line.note_edited) as heard:
        qtbot.keyClicks(line.field, "  quickly   written ")
        qtbot.keyClick(line.field, Qt.Key.Key_Return)
    assert heard.args == ["slack", "quickly written"]
    assert _said(line) == "Note: quickly written"
    assert not line.field.isVisible()


def test_escape_leaves_it_as_it_was(qtbot: QtBot, line: NoteLine) -> None:
    _edit(qtbot, line)
    with qtbot.assertNotEmitted(line.note_edited):
        qtbot.keyClicks(line.field, "nonsense")
        qtbot.keyClick(line.field, Qt.Key.Key_Escape)
    assert _said(line) == "Note: chat"


def test_an_untouched_or_equal_note_is_not_written(qtbot: QtBot, line: NoteLine) -> None:
    with qtbot.assertNotEmitted(line.note_edited):
        _edit(qtbot, line)
        qtbot.keyClick(line.field, Qt.Key.Key_Return)
        _edit(qtbot, line)
        qtbot.keyClicks(line.field, "chat")
        qtbot.keyClick(line.field, Qt.Key.Key_Return)


def test_typing_for_one_source_is_kept_when_another_is_shown(qtbot: QtBot, line: NoteLine) -> None:
    _edit(qtbot, line)
    qtbot.keyClicks(line.field, "of slack")
    with qtbot.waitSignal(line.note_edited) as heard:
        line.set_note("blog", "", refusal="", writable=True)
    assert heard.args == ["slack", "of slack"]
    assert _said(line) == ""
    assert _button(line).text() == "Add a note"


def test_a_refusal_says_why(line: NoteLine) -> None:
    line.set_note("slack", "", refusal="Set a trust first.", writable=True)
    assert not _button(line).isEnabled()
    assert _button(line).toolTip() == "Set a trust first."
    line.set_note("slack", "", refusal="read-only", writable=False)
    assert not _button(line).isVisible()


def test_a_note_has_an_end(line: NoteLine) -> None:
    assert line.field.maxLength() == LONGEST
