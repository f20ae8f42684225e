"""What was looked after today: counted, kept with the vault, and taken back with an undo."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.vault.review_progress import read_done, write_done

if TYPE_CHECKING:
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault


class ReviewDone(QObject):
    """The memories of today's review. A step that is undone gives its memory back."""

    changed = Signal()
    given_back = Signal(str)  # memory id, by an undo

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._day = ""
        self._ids: tuple[str, ...] = ()
        self._steps: dict[int, str] = {}
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_vault_closed)
        session.undo_changed.connect(self._on_undo_changed)
        if session.is_open:
            self._on_vault_opened()

    @property
    def ids(self) -> tuple[str, ...]:
        """Those of today."""
        return self._ids if self._day == self._today() else ()

    def note_step(self, memory_id: str) -> None:
        """A memory was looked after by the step that was written last."""
        self._steps[self._session.undo_id] = memory_id
        self._set((*self.ids, memory_id))

    def _set(self, ids: tuple[str, ...]) -> None:
        session = self._session
        self._day, self._ids = self._today(), tuple(dict.fromkeys(ids))
        vault = session.vault
        work = partial(write_done, vault.companion, vault.brain.id, self._day, self._ids)
        session.jobs.write(work, _ignore, failed=session.messages.report)
        self.changed.emit()

    def _today(self) -> str:
        return time.strftime("%Y-%m-%d", time.localtime(self._session.current_time()))

    @Slot(str, str)
    def _on_undo_changed(self, _undo: str, _redo: str) -> None:
        session, ids = self._session, self.ids
        undone = self._steps.get(session.redo_id)
        redone = self._steps.get(session.undo_id)
        if undone in ids and session.redo_id:
            self._set(tuple(one for one in ids if one != undone))
            self.given_back.emit(undone)
        elif redone is not None and redone not in ids:
            self._set((*ids, redone))

    @Slot()
    def _on_vault_opened(self) -> None:
        self._steps = {}
        vault, day = self._session.vault, self._today()
        work = partial(read_done, vault.companion, vault.brain.id, day)
        self._session.jobs.write(work, partial(self._on_read, vault, day))

    def _on_read(self, vault: Vault, day: str, ids: tuple[str, ...]) -> None:
        if self._session.is_open and self._session.vault is vault:
            self._day, self._ids = day, ids
            self.changed.emit()

    @Slot()
    def _on_vault_closed(self) -> None:
        self._ids, self._steps = (), {}
        self.changed.emit()


def _ignore(_: object) -> None:
    """For work whose outcome nobody waits for."""
