"""Marks in text fields: where they are, and that they change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption

from mvdesk.ui.theme import DARK, LIGHT
from mvdesk.ui.widgets.marked_text import MarkedLine, MarkedText

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

TEXT = "🚫 maybe it did"
BETWEEN_WORDS = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
ANYWHERE = QTextOption.WrapMode.WrapAnywhere


@pytest.fixture
def line(qtbot: QtBot) -> MarkedLine:
    made = MarkedLine()
    qtbot.addWidget(made)
    made.resize(240, 32)
    made.setText(TEXT)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def text(qtbot: QtBot) -> MarkedText:
    made = MarkedText()
    qtbot.addWidget(made)
    made.resize(240, 120)
    made.setPlainText(TEXT)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_a_marked_line_stays_as_it_is(qtbot: QtBot, line: MarkedLine) -> None:
    line.setCursorPosition(5)
    with qtbot.assertNotEmitted(line.textChanged):
        before = line.grab().toImage()
        line.set_marks([(3, 8)])
        assert line.grab().toImage() != before
        line.set_marks([])
        assert line.grab().toImage() == before
    assert line.text() == TEXT
    assert line.cursorPosition() == 5
    assert not line.isUndoAvailable()


def test_a_locked_line_is_marked_too(line: MarkedLine) -> None:
    line.setReadOnly(True)
    before = line.grab().toImage()
    line.set_marks([(3, 8)])
    assert line.isReadOnly()
    assert line.grab().toImage() != before


def test_typing_takes_the_marks_away(qtbot: QtBot, line: MarkedLine, text: MarkedText) -> None:
    for field in (line, text):
        field.set_marks([(3, 8)])
        qtbot.keyClick(field, Qt.Key.Key_X)
        assert field.marks == []


def test_the_marks_of_a_text_hold_exactly_its_letters(qtbot: QtBot, text: MarkedText) -> None:
    with qtbot.assertNotEmitted(text.textChanged):
        text.set_marks([(3, 8), (13, 15)])
    marked = [selection.cursor.selectedText() for selection in text.extraSelections()]
    assert marked == ["maybe", "id"]
    assert text.textCursor().position() == 0


def test_a_mark_out_of_sight_is_scrolled_to(text: MarkedText) -> None:
    text.setPlainText("line\n" * 200 + "maybe")
    text.set_marks([(1000, 1005)])
    first = text.firstVisibleBlock().blockNumber()
    assert first > 150
    assert text.textCursor().position() == 0


def test_marks_follow_the_theme(text: MarkedText, theme: ThemeController) -> None:
    text.set_marks([(3, 8)])
    for name, tokens in (("dark", DARK), ("light", LIGHT)):
        theme.set_theme(name)  # type: ignore[arg-type]
        [selection] = text.extraSelections()
        assert selection.format.background().color().name().upper() == tokens.selection_tint


def test_a_word_of_many_screens_breaks_anywhere_so_that_qt_need_not_look_for_its_end(
    text: MarkedText,
) -> None:
    assert text.wordWrapMode() == BETWEEN_WORDS
    text.insertPlainText("x" * 1_500)
    assert text.wordWrapMode() == BETWEEN_WORDS
    text.insertPlainText("x" * 1_500)
    assert text.wordWrapMode() == ANYWHERE
    text.undo()
    text.undo()
    assert text.toPlainText() == TEXT
    assert text.wordWrapMode() == BETWEEN_WORDS


def test_megabytes_that_have_places_to_break_keep_their_words(text: MarkedText) -> None:
    for long in ("word " * 20_000, "重" * 20_000):
        text.setPlainText(long)
        assert text.wordWrapMode() == BETWEEN_WORDS
    text.setPlainText("A" * 20_000)
    assert text.wordWrapMode() == ANYWHERE
    text.setPlainText(TEXT)
    assert text.wordWrapMode() == BETWEEN_WORDS
