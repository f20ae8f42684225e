"""Finding words in the text of the shown memory, as it is written or as it reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QTextCursor, QTextDocument

from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPlainTextEdit, QTextBrowser

    from mvdesk.ui.panels.editor_view import EditorView

_MOST_COUNTED: Final = 9_999


class EditorFinding(QObject):
    """Selects one place after the other; at the end it goes on from the beginning."""

    def __init__(self, view: EditorView, parent: QObject) -> None:
        super().__init__(parent)
        self._view, self._bar = view, view.find_bar
        self._bar.typed.connect(self._on_typed)
        self._bar.step_requested.connect(self.step)
        self._bar.closed.connect(self._on_closed)

    @Slot()
    def start(self) -> None:
        """Ask what to find; what is selected, to begin with."""
        selected = self._text.textCursor().selectedText()
        self._bar.start("" if "\u2029" in selected else selected)

    @Slot(bool)
    def step(self, backwards: bool) -> None:
        """Go to the next place, or the one before."""
        if self._bar.isHidden() or not self._bar.text:
            self.start()
            return
        self._go(self._text.textCursor(), backwards)

    @property
    def _text(self) -> QPlainTextEdit | QTextBrowser:
        view = self._view
        return view.reading.text if view.is_reading else view.form.text_field

    @Slot(str)
    def _on_typed(self, _text: str) -> None:
        cursor = self._text.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._go(cursor, backwards=False)

    def _go(self, start: QTextCursor, backwards: bool) -> None:
        text, wanted = self._text, self._bar.text
        if not wanted:
            self._bar.set_said("")
            return
        document = text.document()
        flags = QTextDocument.FindFlag(0)
        if backwards:
            flags |= QTextDocument.FindFlag.FindBackward
        found = document.find(wanted, start, flags)
        if found.isNull():
            again = QTextCursor(document)
            if backwards:
                again.movePosition(QTextCursor.MoveOperation.End)
            found = document.find(wanted, again, flags)
        if found.isNull():
            self._bar.set_said(tr("not found"))
            return
        text.setTextCursor(found)
        text.ensureCursorVisible()
        self._view.show_place(text.cursorRect())
        self._bar.set_said(_count(document, wanted))

    @Slot()
    def _on_closed(self) -> None:
        self._text.setFocus()


def _count(document: QTextDocument, wanted: str) -> str:
    raw = document.toRawText()
    count = 0
    for count, _ in enumerate(re.finditer(re.escape(wanted), raw, re.IGNORECASE), start=1):
        if count == _MOST_COUNTED:
            return tr("{count:,} or more places", count=count)
    return tr_n("1 place", "{count:,} places", count, count=count)
