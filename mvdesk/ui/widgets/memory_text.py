"""The field for the text of a memory: what nobody touched comes out as it went in."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QTextCursor

from mvdesk.ui.line_ends import LineEnds, Pieces, find_longest_line, is_overlong
from mvdesk.ui.pasted import read_pasted
from mvdesk.ui.text_spans import to_utf16
from mvdesk.ui.widgets.marked_text import MarkedText, has_long_word
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QContextMenuEvent

_LONG: Final = 100_000


class MemoryText(MarkedText):
    """Keeps line ends of all kinds, takes text alone, and shows overlong lines in pieces.

    In pieces nothing can be typed until they are made lines. Setters never emit.
    """

    edited = Signal()
    pieces_changed = Signal(bool)
    told = Signal(str)  # what became of something pasted
    offered = Signal(str, str, object)  # a sentence, what can be done about it, doing it

    def __init__(self) -> None:
        super().__init__()
        self._ends = LineEnds("")
        self._pieces: Pieces | None = None
        self._is_locked = False
        self._has_told_usual = False
        self.textChanged.connect(self.edited)

    # In

    def set_content(self, text: str, *, keep_place: bool) -> None:
        """Show a text; `keep_place` leaves caret and scrolling where they are."""
        place, scrolled = self.textCursor().position(), self.verticalScrollBar().value()
        with QSignalBlocker(self):
            self.setPlainText(self._prepare(text))
        self._tell_pieces()
        if keep_place:
            cursor = self.textCursor()
            cursor.setPosition(min(place, self.document().characterCount() - 1))
            self.setTextCursor(cursor)
            self.verticalScrollBar().setValue(scrolled)

    def bring_in(self, text: str) -> None:
        """Show a text as if it were typed: Ctrl+Z takes it back."""
        cursor, were_pieces = QTextCursor(self.document()), self.is_in_pieces
        with QSignalBlocker(self):
            cursor.beginEditBlock()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(self._prepare(text))
            cursor.endEditBlock()
        if were_pieces or self.is_in_pieces:
            self.document().clearUndoRedoStacks()  # pieces taken back would be lines
        self._tell_pieces()

    def set_locked(self, locked: bool) -> None:
        """Let nothing be typed."""
        self._is_locked = locked
        self.setReadOnly(locked or self._pieces is not None)

    def break_into_lines(self) -> None:
        """Make the pieces lines, as if that were typed."""
        if self._pieces is None or self._is_locked:
            return
        self._ends = LineEnds(self._pieces.text)
        self._pieces = None
        self._tell_pieces()
        self.edited.emit()

    def set_spans(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark places, in code points of `content()`."""
        self.set_marks(self._shown_places(spans))

    def select_span(self, span: tuple[int, int]) -> None:
        """Select a place, in code points of `content()`."""
        self.select(*self._shown_places([span])[0])

    # Out

    @property
    def is_in_pieces(self) -> bool:
        """Whether a line is too long to be typed in, and shown in pieces."""
        return self._pieces is not None

    def content(self) -> str:
        """The text as typed, with the line ends that it had."""
        if self._pieces is not None:
            return self._pieces.text
        # toPlainText() would turn no-break spaces into plain ones.
        text = self.document().toRawText()
        return self._ends.restored(text.replace("\u2029", "\n").replace("\u2028", "\n"))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Qt's own menu, then what else can be done with the memory: the widget's actions."""
        menu = self.createStandardContextMenu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.actions():
            menu.addSeparator()
            menu.addActions(self.actions())
        menu.popup(event.globalPos())

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        # Qt's own menu greys Paste out for formatted text that brings no plain one.
        return super().canInsertFromMimeData(source) or source.hasHtml()

    def insertFromMimeData(self, source: QMimeData) -> None:
        pasted = read_pasted(source)
        if is_overlong(pasted.text):
            said = tr(
                "Not pasted: it has a line of {longest_line:,} characters.",
                longest_line=find_longest_line(pasted.text),
            )
            broken = partial(self._insert, Pieces(pasted.text).shown)
            self.offered.emit(said, tr("Paste in lines"), broken)
            return
        if pasted.said and not (pasted.is_usual and self._has_told_usual):
            self._has_told_usual |= pasted.is_usual
            self.told.emit(pasted.said)
        if pasted.text:
            self._insert(pasted.text)

    def _insert(self, text: str) -> None:
        if self.isReadOnly():
            return
        data = QMimeData()
        data.setText(text)
        if len(text) < _LONG:
            super().insertFromMimeData(data)
            return
        # Looked at here, once: to read it out of the document again takes longer.
        if has_long_word(text):
            self._wrap(anywhere=True)
        self._keeps_wrapping = True
        super().insertFromMimeData(data)
        self._keeps_wrapping = False

    def _prepare(self, text: str) -> str:
        """What to show of a text."""
        self._pieces = Pieces(text) if is_overlong(text) else None
        self._ends = LineEnds("" if self._pieces else text)
        return self._pieces.shown if self._pieces else text

    def _tell_pieces(self) -> None:
        self.set_locked(self._is_locked)
        self.pieces_changed.emit(self.is_in_pieces)

    def _shown_places(self, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        if self._pieces is None:
            return to_utf16(self.content(), spans, joins_line_ends=True)
        shown = [self._pieces.place(span) for span in spans]
        return to_utf16(self._pieces.shown, shown, joins_line_ends=True)
