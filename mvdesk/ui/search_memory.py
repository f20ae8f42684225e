"""What is remembered of searching in a vault: the last searches, and how the list was left."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.ui.list_state import MOST_CHARACTERS, write_list_state
from mvdesk.vault.saved_searches import read_names, read_searches, remove_search, save_search

if TYPE_CHECKING:
    from mvdesk.ui.arrange import Arrangement
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault

KEPT_HISTORY: Final = 20
_JOB: Final = "searches"


@dataclass(frozen=True, slots=True)
class Searches:
    """Saved searches as (name, text), with the text where there is no name, and the last ones."""

    saved: tuple[tuple[str, str], ...] = ()
    history: tuple[str, ...] = ()


class SearchMemory(QObject):
    """Keeps searches of the open vault in its companion; nothing of it touches the vault."""

    changed = Signal()

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._searches = Searches()
        session.vault_opened.connect(self.refresh)
        session.vault_closing.connect(self._on_vault_closing)
        if session.is_open:
            self.refresh()

    @property
    def saved(self) -> tuple[tuple[str, str], ...]:
        """Names and texts of the saved searches."""
        return self._searches.saved

    @property
    def history(self) -> tuple[str, ...]:
        """The last searches, newest first."""
        return self._searches.history

    @Slot()
    def refresh(self) -> None:
        """Read what is kept: another panel may have saved one."""
        if self._session.is_open:
            work = partial(_read, self._session.vault)
            self._session.jobs.run(_JOB, work, self._on_read, failed=self._on_failed)

    def note(self, text: str) -> None:
        """Remember that this was searched for."""
        text = " ".join(text.split())
        if not text or len(text) > MOST_CHARACTERS or self.history[:1] == (text,):
            return
        others = [one for one in self.history if one != text]
        self._searches = Searches(self.saved, (text, *others)[:KEPT_HISTORY])

    def save(self, text: str, name: str) -> None:
        """Keep a search under a name, or rename it."""
        self._write(partial(save_search, text=text, name=name))

    def remove(self, text: str) -> None:
        """Forget a saved search."""
        self._write(partial(remove_search, text=text))

    def _write(self, change: partial[None]) -> None:
        session = self._session
        work = partial(change, session.vault.companion, session.vault.brain.id)
        session.jobs.write(work, self._on_written, failed=session.messages.report)

    def _on_written(self, _: None) -> None:
        self.refresh()

    def _on_read(self, searches: Searches) -> None:
        history = self.history or searches.history
        self._searches = Searches(searches.saved, history)
        self.changed.emit()

    def _on_failed(self, _error: BaseException) -> None:
        """A companion that can't be read: opening said so."""

    @Slot()
    def _on_vault_closing(self) -> None:
        session, vault = self._session, self._session.vault
        work = partial(_write_state, vault, session.arrangement, self.history)
        session.jobs.write(work, self._on_left, failed=self._on_failed)
        self._searches = Searches()

    def _on_left(self, _: None) -> None:
        """Nobody waits for it."""


def _read(vault: Vault, _token: CancelToken) -> Searches:
    companion, brain_id = vault.companion, vault.brain.id
    names = read_names(companion, brain_id)
    saved = tuple((names.get(text, text), text) for text in read_searches(companion, brain_id))
    stored = companion.read_setting(_history(brain_id))
    history = [text for text in stored if isinstance(text, str)] if isinstance(stored, list) else []
    return Searches(saved, tuple(history[:KEPT_HISTORY]))


def _write_state(vault: Vault, arrangement: Arrangement, history: tuple[str, ...]) -> None:
    companion, brain_id = vault.companion, vault.brain.id
    write_list_state(companion, brain_id, arrangement)
    if history and companion.read_setting(_history(brain_id)) != list(history):
        companion.write_setting(_history(brain_id), list(history))


def _history(brain_id: str) -> str:
    return f"search-history/{brain_id}"
