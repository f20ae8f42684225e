"""Fields for text in which places can be marked without changing the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QInputMethodEvent,
    QKeySequence,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit

from mvdesk.ui.pasted import read_pasted
from mvdesk.ui.theme import applied, is_look_change
from mvdesk.ui.widgets.text_styler import TextStyler
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent, QResizeEvent, QTextBlock

Places = list[tuple[int, int]]  # starts and ends in UTF-16 units
_LINES_ABOVE: Final = 2
_LONGEST_PASTED_LINE: Final = 100_000
_LONG_WORD: Final = 2_000
"""Qt looks for the end of a word at each of its lines: 25 s for a word of a megabyte."""
_BREAK: Final = re.compile(r"[\s\u2e80-\uffef]")
_ANYWHERE: Final = QTextOption.WrapMode.WrapAnywhere
_BETWEEN_WORDS: Final = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
_PASSING: Final = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)


def mark_format() -> QTextCharFormat:
    """How a marked place looks: the tint of selected rows, and underlined, not colour alone."""
    look = applied()
    marks = QTextCharFormat()
    marks.setBackground(look.color("selection_tint"))
    marks.setForeground(look.color("text"))
    marks.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
    marks.setUnderlineColor(look.color("accent"))
    return marks


class MarkedLine(QLineEdit):
    """A line whose marks go when it is edited or shows another text."""

    told = Signal(str)  # what became of something pasted

    def __init__(self) -> None:
        super().__init__()
        self._places: Places = []
        self.textChanged.connect(self._on_text_changed)

    @property
    def marks(self) -> Places:
        """The marked places."""
        return self._places

    def set_marks(self, places: Sequence[tuple[int, int]]) -> None:
        """Mark places; none takes the marks away."""
        if list(places) != self._places:
            self._places = list(places)
            self._show_marks()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste) and not self.isReadOnly():
            self._paste()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and getattr(self, "_places", None):
            self._show_marks()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # Not for a menu or another window: the caret is wanted again where it was.
        if event.reason() not in _PASSING:
            self.setCursorPosition(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.hasFocus():
            # Qt keeps the scrolled place of another width, the beginning out of sight.
            self.setCursorPosition(len(self.text()))
            self.setCursorPosition(0)

    def _paste(self) -> None:
        pasted = read_pasted(QGuiApplication.clipboard().mimeData())
        if len(pasted.text) > _LONGEST_PASTED_LINE:
            self.told.emit(
                tr(
                    "Not pasted: {text:,} characters are too many for a line.",
                    text=len(pasted.text),
                )
            )
        elif pasted.text:
            self.insert(pasted.text)
        elif pasted.said:
            self.told.emit(pasted.said)

    def _show_marks(self) -> None:
        # A line has no formats of its own; those of an input method that enters nothing
        # are drawn all the same, and neither text nor undo nor caret moves.
        kind = QInputMethodEvent.AttributeType.TextFormat
        caret = self.cursorPosition()
        style = mark_format()
        attributes = [
            QInputMethodEvent.Attribute(kind, start - caret, end - start, style)
            for start, end in self._places
        ]
        was_locked = self.isReadOnly()
        with QSignalBlocker(self):
            if was_locked:
                self.setReadOnly(False)  # a locked line listens to no input method
            QCoreApplication.sendEvent(self, QInputMethodEvent("", attributes))
            if was_locked:
                self.setReadOnly(True)
        self.update()

    def _on_text_changed(self, _text: str) -> None:
        self.set_marks(())


class MarkedText(QPlainTextEdit):
    """A text whose marks go when it is edited or shows another text."""

    place_shown = Signal(QRect)  # where the caret or a mark is now, for what scrolls around it

    def __init__(self) -> None:
        super().__init__()
        self._places: Places = []
        self._keeps_wrapping = False  # while what is put in has been looked at already
        self.cursorPositionChanged.connect(self._on_caret_moved)
        self.document().contentsChange.connect(self._on_contents_change)
        self.styler = TextStyler(self)

    @property
    def marks(self) -> Places:
        """The marked places."""
        return self._places

    def set_marks(self, places: Sequence[tuple[int, int]]) -> None:
        """Mark places and scroll to the first; none takes the marks away."""
        if list(places) != self._places:
            self._places = list(places)
            self._show_marks()
            if self._places:
                self._scroll_to(self._places[0][0])

    def seen_blocks(self) -> list[QTextBlock]:
        """The paragraphs that are on the screen, whatever scrolls."""
        seen = self.viewport().visibleRegion().boundingRect()
        block, blocks = self.firstVisibleBlock(), []
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= seen.bottom():
            top += self.blockBoundingRect(block).height()
            if top >= seen.top():
                blocks.append(block)
            block = block.next()
        return blocks

    def select(self, start: int, end: int) -> None:
        """Select a place, the caret at its end."""
        cursor = self._cursor(start, end)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def whole_height(self, most: int) -> int:
        """The height in px at which nothing has to be scrolled, up to `most`."""
        height = 0.0
        block = self.document().begin()
        while block.isValid() and height < most:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        edges = self.height() - self.viewport().height()
        return min(round(height + 2 * self.document().documentMargin()) + edges + 2, most)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "styler"):
            self._show_marks()
            self.styler.restyle()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.styler.look()

    def _on_caret_moved(self) -> None:
        if self.hasFocus():
            self.place_shown.emit(self.cursorRect())

    def _show_marks(self) -> None:
        style = mark_format()
        selections = []
        for start, end in self._places:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = self._cursor(start, end)
            selection.format = style
            selections.append(selection)
        self.setExtraSelections(selections)

    def _cursor(self, start: int, end: int) -> QTextCursor:
        last = self.document().characterCount() - 1
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _scroll_to(self, place: int) -> None:
        """Bring a place into view; the caret stays."""
        spot = self.cursorRect(self._cursor(place, place))
        if not self.viewport().rect().contains(spot):
            block = self.document().findBlock(place)
            line = block.firstLineNumber()
            if (layout := block.layout()) is not None:
                line += layout.lineForTextPosition(place - block.position()).lineNumber()
            self.verticalScrollBar().setValue(max(line - _LINES_ABOVE, 0))
        self.place_shown.emit(self.cursorRect(self._cursor(place, place)))

    def _on_contents_change(self, place: int, removed: int, added: int) -> None:
        if removed or added:
            self._choose_wrapping(place, removed, added)  # before Qt lays the change out
            self.set_marks(())

    def _choose_wrapping(self, place: int, removed: int, added: int) -> None:
        """Wrap between words, or anywhere while a word fills screens."""
        if self._keeps_wrapping:
            return
        is_anywhere = self.wordWrapMode() is _ANYWHERE
        if not is_anywhere:
            start, end = max(0, place - _LONG_WORD), place + added + _LONG_WORD
            text = self._cursor(start, end).selectedText()
        elif removed > added:
            text = self.toPlainText()
        else:
            return
        self._wrap(has_long_word(text))

    def _wrap(self, anywhere: bool) -> None:
        """Wrap anywhere, or between words."""
        mode = _ANYWHERE if anywhere else _BETWEEN_WORDS
        if mode is not self.wordWrapMode():
            self.setWordWrapMode(mode)


def has_long_word(text: str) -> bool:
    """Whether a word is so long that looking for its end takes Qt too long."""
    start = 0
    while start + _LONG_WORD <= len(text):
        last = _BREAK.search(text[start : start + _LONG_WORD][::-1])
        if last is None:
            return True
        start += _LONG_WORD - last.start()  # no word before it reaches that far
    return False
