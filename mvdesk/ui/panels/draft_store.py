"""Keeps drafts while other memories are looked at, and in the companion for the next start."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from mvdesk.ui.panels.drafts import NEW_MEMORY, Draft, shown_as_new
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mvdesk.store.companion import Companion
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.vault import Vault

KEPT_AFTER_MS: Final = 400
LONG_KEPT_AFTER_MS: Final = 900
"""After this for megabytes, which take as long to write as a few keys take to type."""

_LONG: Final = 500_000


class DraftStore(QObject):
    """The drafts of the open brain by memory id.

    Every change is written to the companion soon after, so that neither closing the window
    nor a crash loses typing. The vault itself is never touched.
    """

    restored = Signal()  # drafts of an earlier start are there
    orphaned = Signal(str)  # this memory is gone, its draft is now that of a new one
    returned = Signal(str)  # it is there again, and the draft is its own again

    def __init__(self, session: VaultSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._drafts: dict[str, Draft] = {}
        self._vault: Vault | None = None
        self._brain_id = ""
        self._is_dirty = False
        self._waiting: set[str] = set()  # gone while a new one is begun, and said so
        self.reviving = ""
        """The memory that is being made anew by a save: its coming is no news."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.flush)
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closing.connect(self._on_vault_closing)
        session.vault_changed.connect(self._on_vault_changed)
        if session.is_open:
            self._on_vault_opened()

    def __len__(self) -> int:
        return len(self._drafts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._drafts)

    def get(self, memory_id: str) -> Draft | None:
        """The draft of a memory, `None` when it is as stored."""
        return self._drafts.get(memory_id)

    def put(self, memory_id: str, draft: Draft | None) -> None:
        """Keep a draft; `None` forgets it."""
        if self._drafts.get(memory_id) == draft:
            return
        if draft is None:
            del self._drafts[memory_id]
        else:
            self._drafts[memory_id] = draft
        self._touch()

    @Slot()
    def flush(self) -> None:
        """Write what changed now instead of soon."""
        self._timer.stop()
        if self._vault is None or not self._is_dirty:
            return
        self._is_dirty = False
        data = [draft.to_json() for draft in self._drafts.values()]
        work = partial(self._vault.companion.write_setting, _setting(self._brain_id), data)
        self._session.jobs.write(work, _ignore)

    def _touch(self) -> None:
        self._session.unsaved.set_ids(self._drafts)
        self._is_dirty = True
        if not self._timer.isActive():  # who types without a pause is kept up with, too
            self._timer.start(LONG_KEPT_AFTER_MS if self._is_long() else KEPT_AFTER_MS)

    def _is_long(self) -> bool:
        return any(len(draft.texts.get("content", "")) > _LONG for draft in self._drafts.values())

    @Slot()
    def _on_vault_opened(self) -> None:
        self._drafts = {}
        self._session.unsaved.set_ids(())
        self._vault = self._session.vault
        self._brain_id = self._session.snapshot.brain_id
        work = partial(_read_drafts, self._vault.companion, self._brain_id)
        self._session.jobs.write(work, partial(self._on_read, self._vault))

    def _on_read(self, vault: Vault, drafts: list[Draft]) -> None:
        if vault is not self._vault:
            return
        if not drafts:
            self._session.unsaved.restored.emit()
            return
        for draft in drafts:
            self._drafts.setdefault(draft.memory_id, draft)  # what was typed since is newer
        self.adopt_orphans()
        self._session.unsaved.set_ids(self._drafts)
        self.restored.emit()
        self._session.unsaved.restored.emit()

    @Slot()
    def _on_vault_closing(self) -> None:
        self.flush()
        self._vault = None
        self._drafts = {}
        self._session.unsaved.set_ids(())

    @Slot(object)
    def _on_vault_changed(self, _changes: ChangeSet) -> None:
        self.adopt_orphans()

    def adopt_orphans(self) -> None:
        """Typing in a memory that is gone becomes a new memory, once none is begun."""
        snapshot = self._session.snapshot
        new = self._drafts.get(NEW_MEMORY)
        if new is not None and new.gone is not None:
            gone_id = new.gone.id
            if gone_id != self.reviving and snapshot.row_of(gone_id) is not None:
                self._give_back(new, gone_id)
        gone = [key for key in self._drafts if key and snapshot.row_of(key) is None]
        self._waiting &= set(gone)
        for memory_id in gone:
            if NEW_MEMORY not in self._drafts:
                draft = self._drafts.pop(memory_id)
                self._drafts[NEW_MEMORY] = shown_as_new(draft)
                self._session.messages.notice(
                    tr(
                        "A memory you were typing in was deleted. What you typed is kept "
                        "as a new one."
                    )
                )
                self._touch()
                self.orphaned.emit(memory_id)
            elif memory_id not in self._waiting:
                self._waiting.add(memory_id)
                self._session.messages.notice(
                    tr(
                        "A memory you were typing in was deleted. What you typed is kept: it "
                        "comes up once the new memory that you began is saved or let go."
                    )
                )

    def _give_back(self, new: Draft, memory_id: str) -> None:
        """A memory that was deleted is there again, by undo or out of a backup."""
        draft = new.come_back()
        if draft is not None:
            self._drafts.setdefault(memory_id, draft)
        del self._drafts[NEW_MEMORY]
        self._touch()
        self.returned.emit(memory_id)


def _setting(brain_id: str) -> str:
    return f"drafts/{brain_id}"


def _read_drafts(companion: Companion, brain_id: str) -> list[Draft]:
    stored = companion.read_setting(_setting(brain_id))
    drafts = []
    for data in stored if isinstance(stored, list) else []:
        try:
            drafts.append(Draft.from_json(data))
        except ValueError:
            continue
    return drafts


def _ignore(_: object) -> None:
    """For work whose outcome nobody waits for."""
