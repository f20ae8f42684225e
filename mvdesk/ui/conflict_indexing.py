"""Looks up once which pairs of a vault may conflict, for everybody who counts or lists them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.vault.questions.conflict_changes import ConflictIndex
from mvdesk.vault.rules import read_resolutions

if TYPE_CHECKING:
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_JOB: Final = "conflictIndex"


class ConflictIndexing(QObject):
    """The index of the session's snapshot, made in a job when somebody asks for it.

    Texts, links and decisions are in it: it is forgotten whenever the vault changes.
    """

    indexed = Signal()  # the one that was asked for is there

    def __init__(self, session: VaultSession) -> None:
        super().__init__(session)
        self._session = session
        self._kept: tuple[Snapshot, ConflictIndex] | None = None
        self._before: ConflictIndex | None = None  # perhaps still good
        session.vault_changed.connect(self.forget)
        session.outside_changed.connect(self.forget)
        session.vault_closing.connect(self._on_vault_closing)

    @property
    def index(self) -> ConflictIndex | None:
        """That of the snapshot which is shown; None while there is none."""
        kept, session = self._kept, self._session
        return kept[1] if kept and session.is_open and kept[0] is session.snapshot else None

    @property
    def is_running(self) -> bool:
        return self._session.jobs.is_running(_JOB)

    def request(self) -> None:
        """Have it made, unless it is there or under way; `indexed` tells when it is there."""
        session = self._session
        if session.is_open and self.index is None and not self.is_running:
            snapshot = session.snapshot
            work = partial(_index, session.vault, snapshot, self._before)
            session.jobs.run(_JOB, work, partial(self._on_indexed, snapshot))

    @Slot()
    def forget(self, _changes: object = None) -> None:
        """Texts, links or decisions may not be what they were."""
        self._kept = None
        if self.is_running:
            self._session.jobs.cancel(_JOB)
            self.request()

    def _on_indexed(self, snapshot: Snapshot, index: ConflictIndex) -> None:
        self._kept, self._before = (snapshot, index), index
        if self.index is None:
            self.request()  # the vault changed just now
        else:
            self.indexed.emit()

    @Slot()
    def _on_vault_closing(self) -> None:
        self._session.jobs.cancel(_JOB)
        self._kept = self._before = None


def share_conflict_index(session: VaultSession) -> ConflictIndexing:
    """The one of a session, made when it is first asked for.

    To be asked for before connecting to the session: it forgets first, then others look.
    """
    found = session.findChild(ConflictIndexing)
    return found if isinstance(found, ConflictIndexing) else ConflictIndexing(session)


def _index(
    vault: Vault, snapshot: Snapshot, before: ConflictIndex | None, _token: CancelToken
) -> ConflictIndex:
    """Reads texts, so it takes a moment in a large vault; not where trust alone was set."""
    resolutions = read_resolutions(vault)
    if before is not None and before.is_good_for(snapshot, resolutions):
        return before
    return ConflictIndex(snapshot, resolutions, vault.read_memories)
