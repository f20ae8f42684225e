"""What differs between two texts, to read: struck through, underlined, the rest shortened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from mvdesk.textdiff import Piece
from mvdesk.ui.theme import applied, is_look_change
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

DiffStyle = Literal["change", "sides", "pinned"]

_AROUND: Final = 160
_LONGEST_PIECE: Final = 20_000
_MOST_PIECES: Final = 2_000
_SAID: Final = {
    "change": (tr("removed"), tr("added")),
    "sides": (tr("only yours"), tr("only theirs")),
    "pinned": (tr("only pinned"), tr("only selected")),
}


@dataclass(frozen=True, slots=True)
class DiffPart:
    """One field: what it is called, and its pieces."""

    caption: str
    pieces: Sequence[Piece]


class DiffView(QTextEdit):
    """Shows pieces of texts read-only.

    In the style "change" what was removed is struck through and what came is underlined; in
    "sides" and "pinned" the first side's words are underlined and the other's dotted. What is
    the same is shortened around the changes.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[DiffPart, ...] = ()
        self._style: DiffStyle = "change"
        self._is_whole = False
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.document().setDocumentMargin(10)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )

    def set_parts(
        self, parts: Sequence[DiffPart], *, style: DiffStyle = "change", whole: bool = False
    ) -> None:
        """Show other differences; `whole` leaves nothing out of what is the same."""
        self._parts, self._style, self._is_whole = tuple(parts), style, whole
        self._show()

    def sentences(self) -> list[str]:
        """The differences in words, a line each: what a screen reader says."""
        removed, added = _SAID[self._style]
        said = {"removed": removed, "added": added}
        return [
            f"{part.caption}, {said[piece.kind]}: {' '.join(piece.text.split())[:200]}"
            for part in self._parts
            for piece in part.pieces
            if piece.kind != "same"
        ]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and getattr(self, "_parts", None):
            self._show()

    def _show(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        formats = self._formats()
        caption = QTextCharFormat()
        caption.setFontWeight(QFont.Weight.DemiBold)
        caption.setForeground(applied().color("text_secondary"))
        for number, part in enumerate(self._parts):
            if number:
                cursor.insertBlock()
            if part.caption:
                cursor.insertText(part.caption, caption)
                cursor.insertBlock()
            for piece in self._shortened(part.pieces):
                cursor.insertText(_shown(piece), formats[piece.kind])
        cursor.endEditBlock()
        self.document().clearUndoRedoStacks()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.setAccessibleDescription("\n".join(self.sentences()[:50]))

    def _formats(self) -> dict[str, QTextCharFormat]:
        look = applied()
        same, removed, added = (QTextCharFormat() for _ in range(3))
        same.setForeground(look.color("text"))
        for style in (removed, added):
            style.setBackground(look.color("selection_tint"))
            style.setForeground(look.color("text"))
        lines = QTextCharFormat.UnderlineStyle
        if self._style == "change":
            removed.setFontStrikeOut(True)
            removed.setForeground(look.color("text_secondary"))
            added.setUnderlineStyle(lines.SingleUnderline)
            added.setUnderlineColor(look.color("positive"))
        else:
            removed.setUnderlineStyle(lines.SingleUnderline)
            removed.setUnderlineColor(look.color("positive"))
            added.setUnderlineStyle(lines.DotLine)
            added.setUnderlineColor(look.color("negative"))
        return {"same": same, "removed": removed, "added": added}

    def _shortened(self, pieces: Sequence[Piece]) -> list[Piece]:
        shown = []
        for number, piece in enumerate(pieces[:_MOST_PIECES]):
            text = piece.text
            if piece.kind == "same" and not self._is_whole:
                text = _around(text, is_first=number == 0, is_last=number == len(pieces) - 1)
            if len(text) > _LONGEST_PIECE:
                rest = len(text) - _LONGEST_PIECE
                text = tr(
                    "{text} … ({rest:,} more characters)", text=text[:_LONGEST_PIECE], rest=rest
                )
            shown.append(Piece(piece.kind, text))
        if len(pieces) > _MOST_PIECES:
            shown.append(
                Piece(
                    "same",
                    tr("\n… and {pieces:,} more stretches", pieces=len(pieces) - _MOST_PIECES),
                )
            )
        return shown


def _around(text: str, *, is_first: bool, is_last: bool) -> str:
    """The ends of a stretch that lie beside changes."""
    head = "" if is_first else text[:_AROUND]
    tail = "" if is_last else text[-_AROUND:]
    return text if len(text) <= len(head) + len(tail) + _AROUND else f"{head} … {tail}"


def _shown(piece: Piece) -> str:
    """Line ends that came or went alone are seen as signs."""
    text = piece.text.replace("\r\n", "\n").replace("\0", "␀")
    if piece.kind != "same" and not text.strip():
        return text.replace("\n", "¶\n").replace(" ", "·").replace("\t", "→")
    return text
