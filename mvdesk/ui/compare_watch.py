"""Keeps what the texts of the pinned and of the selected memory differ in, up to date."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.errors import VaultError
from mvdesk.textdiff import Piece, diff_words
from mvdesk.ui.widgets.diff_view import DiffPart
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.records import Memory
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault

_JOB: Final = "compare-texts"
_FIELDS: Final = (
    ("title", tr("Title")),
    ("key", tr("Key")),
    ("content", tr("Text")),
    ("tags", tr("Tags")),
    ("source", tr("Source")),
)
_ALIKE: Final = 0.3
"""With a smaller share in common two texts are told one after the other, not word by word."""


class CompareWatch(QObject):
    """Reads the pinned memory and compares in a job; the newest wins."""

    parts_changed = Signal(object)  # list[DiffPart] | None

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._asked: tuple[str, Memory] | None = None
        session.vault_closing.connect(self._on_vault_closing)

    @Slot()
    def refresh(self, *, afresh: bool = False) -> None:
        """The pin or the selection moved; `afresh` that texts may have."""
        session = self._session
        pinned, memory = session.looking.pinned_id, session.selected_memory
        asked = None
        if pinned is not None and memory is not None and pinned != memory.id:
            asked = (pinned, memory)
        if asked == self._asked and not afresh:
            return
        self._asked = asked
        session.jobs.cancel(_JOB)
        if asked is None:
            self.parts_changed.emit(None)
        else:
            work = partial(_compare, session.vault, *asked)
            session.jobs.run(_JOB, work, self.parts_changed.emit)

    @Slot()
    def _on_vault_closing(self) -> None:
        self._asked = None
        self._session.jobs.cancel(_JOB)


def _compare(
    vault: Vault, pinned_id: str, memory: Memory, _token: CancelToken
) -> list[DiffPart] | None:
    try:
        pinned = vault.read_memory(pinned_id)
    except VaultError:  # it is gone, which the session says
        return None
    return find_text_differences(pinned, memory)


def find_text_differences(pinned: Memory, selected: Memory) -> list[DiffPart]:
    """The fields that differ, in pieces: "removed" only pinned, "added" only selected."""
    parts = []
    for name, caption in _FIELDS:
        one, other = (getattr(memory, name) or "" for memory in (pinned, selected))
        if one != other:
            parts.append(DiffPart(caption, _pieces(one, other)))
    return parts


def _pieces(one: str, other: str) -> list[Piece]:
    pieces = diff_words(one, other)
    common = sum(len(piece.text) for piece in pieces if piece.kind == "same")
    if common < _ALIKE * max(len(one), len(other)):
        between = "\n" if one and other else ""
        apart = (Piece("removed", one), Piece("same", between), Piece("added", other))
        return [piece for piece in apart if piece.text]
    return pieces
