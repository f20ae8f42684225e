"""Bytes that are no text: the editor shows them as signs, and asks before it saves those."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mvdesk.ui.panels.drafts import FIELD_NAMES, TEXT_FIELDS, list_names
from mvdesk.ui.panels.editor_marks import stored_text
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.records import Memory
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession

_SIGN = "\ufffd"
_JOB = "broken texts"


class EditorBytes(QObject):
    """Knows what was asked and answered for the save at hand."""

    cleared = Signal(str)  # the memory's id: nothing stands in the way of its save

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._allowed: tuple[Memory, frozenset[str]] | None = None

    def asks(self, seen: Memory | None, sent: Mapping[str, str]) -> bool:
        """Whether a save of these fields has to wait: `cleared` says when it need not."""
        names = frozenset(
            name
            for name in TEXT_FIELDS
            if _SIGN in (stored := stored_text(seen, name)) and sent.get(name, stored) != stored
        )
        if seen is None or not names or self._allowed == (seen, names):
            self._allowed = None
            return False
        # The sign may be what was stored: only the file knows.
        vault = self._session.vault

        def work(_token: CancelToken) -> frozenset[str]:
            return vault.find_broken_texts(seen.id)

        self._session.jobs.run(_JOB, work, partial(self._on_found, seen, names))
        return True

    def _on_found(self, seen: Memory, names: frozenset[str], broken: frozenset[str]) -> None:
        lost = [name for name in TEXT_FIELDS if name in names & broken]
        go_on = partial(self._go_on, seen, names)
        if not lost:
            go_on()
            return
        said = tr(
            "Not all of the {what} is valid text (UTF-8): such bytes are shown as "
            "{sign}. Saving writes {sign} in their place; undo brings them back.",
            what=list_names([FIELD_NAMES[name] for name in lost]),
            sign=_SIGN,
        )
        self._session.messages.offer(said, tr("Save all the same"), go_on)

    def _go_on(self, seen: Memory, names: frozenset[str]) -> None:
        self._allowed = (seen, names)
        self.cleared.emit(seen.id)
