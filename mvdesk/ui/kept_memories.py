"""Memories that a person keeps in mind while tuning trust; per brain, in the companion."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

if TYPE_CHECKING:
    from mvdesk.store.companion import Companion
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault

MOST: Final = 100


class KeptMemories(QObject):
    """Their ids, in the order in which they were added. The vault itself is not touched."""

    changed = Signal()

    def __init__(self, session: VaultSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._ids: tuple[str, ...] = ()
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_vault_closed)
        if session.is_open:
            self._on_vault_opened()

    @property
    def ids(self) -> tuple[str, ...]:
        """Those that are in the vault or were once."""
        return self._ids

    def add(self, memory_id: str) -> None:
        """Keep one more; the oldest goes when there are too many."""
        if memory_id not in self._ids:
            self._write((*self._ids, memory_id)[-MOST:])

    def remove(self, memory_id: str) -> None:
        self._write(tuple(one for one in self._ids if one != memory_id))

    def _write(self, ids: tuple[str, ...]) -> None:
        session = self._session
        if not session.is_open or ids == self._ids:
            return
        vault = session.vault
        work = partial(_write_kept, vault.companion, vault.brain.id, ids)
        session.jobs.write(work, _ignore, failed=session.messages.report)
        self._set(ids)

    @Slot()
    def _on_vault_opened(self) -> None:
        vault = self._session.vault
        work = partial(_read_kept, vault.companion, vault.brain.id)
        self._session.jobs.write(work, partial(self._on_read, vault))

    def _on_read(self, vault: Vault, ids: tuple[str, ...]) -> None:
        if self._session.is_open and self._session.vault is vault:
            self._set(ids)

    @Slot()
    def _on_vault_closed(self) -> None:
        self._set(())

    def _set(self, ids: tuple[str, ...]) -> None:
        if ids != self._ids:
            self._ids = ids
            self.changed.emit()


def _setting(brain_id: str) -> str:
    return f"keptInMind/{brain_id}"


def _read_kept(companion: Companion, brain_id: str) -> tuple[str, ...]:
    stored = companion.read_setting(_setting(brain_id))
    if not isinstance(stored, list):
        return ()
    return tuple(dict.fromkeys(one for one in stored if isinstance(one, str)))[-MOST:]


def _write_kept(companion: Companion, brain_id: str, ids: tuple[str, ...]) -> None:
    companion.write_setting(_setting(brain_id), list(ids) or None)


def _ignore(_: object) -> None:
    """For work whose outcome nobody waits for."""
