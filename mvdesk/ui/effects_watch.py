"""Keeps what a preview does up to date, while somebody looks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from mvdesk.ui.conflict_indexing import share_conflict_index
from mvdesk.ui.effects import (
    Effects,
    Retrieval,
    Tried,
    find_effects,
    find_retrieval,
)
from mvdesk.ui.pacing import pause_between, rest_before, while_moving

if TYPE_CHECKING:
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.session import VaultSession

_QUIET_MS: Final = 30
"""A slider that rests so long has come to a stop."""
_LATEST_MS: Final = 200
"""While it goes on moving, numbers come so often all the same."""
_EFFECTS_JOB: Final = "effects"
_RETRIEVAL_JOB: Final = "retrieval"


class EffectsWatch(QObject):
    """Computes in jobs. Each result is shown before the next one is begun, then the newest."""

    effects_changed = Signal()
    retrieval_changed = Signal()

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._kind: ScoreKind = "confidence"
        self._effects: Effects | None = None
        self._indexing = share_conflict_index(session)
        self._indexing.indexed.connect(self._on_time)
        self._retrieval: Retrieval | None = None
        self._is_active = self._looks_at_searches = False
        self._is_stale = {_EFFECTS_JOB: True, _RETRIEVAL_JOB: True}
        self._took = QElapsedTimer()
        self._pause_ms = 0
        self._quiet, self._latest = QTimer(self), QTimer(self)
        for timer, wait in ((self._quiet, _QUIET_MS), (self._latest, _LATEST_MS)):
            timer.setSingleShot(True)
            timer.setInterval(wait)
            timer.timeout.connect(self._on_time)
        for moved in (session.vault_opened, session.scores_changed, session.preview_changed):
            moved.connect(self.refresh)
        session.vault_changed.connect(self._on_vault_changed)
        session.vault_closing.connect(self._on_vault_closing)

    @property
    def effects(self) -> Effects | None:
        """Those of the preview; None without one, or while they aren't known."""
        return None if self._session.preview.is_empty else self._effects

    @property
    def retrieval(self) -> Retrieval | None:
        """What happens to the saved searches; None while it isn't known."""
        return self._retrieval

    @property
    def is_settled(self) -> bool:
        """Whether nothing is about to change."""
        running = any(self._session.jobs.is_running(key) for key in self._is_stale)
        return not (running or self._indexing.is_running or self._quiet.isActive())

    @property
    def kind(self) -> ScoreKind:
        """The score that memories are ranked by."""
        return self._kind

    def set_kind(self, kind: ScoreKind) -> None:
        """Rank by the other score."""
        if kind != self._kind:
            self._kind = kind
            self._is_stale[_EFFECTS_JOB] = True
            self._on_time()

    def set_active(self, is_active: bool, *, searches: bool = False) -> None:
        """Whether anybody looks, and whether at the searches; nothing is computed otherwise."""
        self._is_active, self._looks_at_searches = is_active, is_active and searches
        self._on_time()

    def refresh_searches(self) -> None:
        """Others are saved now."""
        self._is_stale[_RETRIEVAL_JOB] = True
        self._on_time()

    @Slot()
    def refresh(self, _what: object = None) -> None:
        """Something moved."""
        session = self._session
        known = self._effects
        if known is not None and session.is_open and known.tried.is_of(session, self._kind):
            return  # only the values of before are shown for a while, or not any more
        for key in self._is_stale:
            self._is_stale[key] = True
        if self._session.preview.is_empty and self._effects is not None:
            self._session.jobs.cancel(_EFFECTS_JOB)
            self._effects = None
            self.effects_changed.emit()
        if self._is_active:
            memories = len(session.snapshot.memories) if session.is_open else 0
            self._quiet.start(rest_before(_QUIET_MS, memories))
            if not self._latest.isActive():
                self._latest.start(max(self._pause_ms, while_moving(_LATEST_MS, memories)))

    @Slot()
    def _on_vault_changed(self, _changes: object) -> None:
        """What was looked up in the texts is to be looked up again."""
        self._forget()
        self.refresh()
        self.effects_changed.emit()
        self.retrieval_changed.emit()

    @Slot()
    def _on_vault_closing(self) -> None:
        self._quiet.stop()
        self._latest.stop()
        self._forget()

    def _forget(self) -> None:
        for key in self._is_stale:
            self._session.jobs.cancel(key)
        self._effects = self._retrieval = None

    @Slot()
    def _on_time(self) -> None:
        self._quiet.stop()
        self._latest.stop()
        session = self._session
        if not self._is_active or not session.is_open:
            return
        index = self._indexing.index
        if index is None:
            # Before anything is tried, too: the first move of a slider is as quick as the others.
            self._indexing.request()
        elif not session.preview.is_empty and self._may_start(_EFFECTS_JOB):
            work = partial(find_effects, Tried.of(session, self._kind), index)
            self._took.start()
            session.jobs.run(_EFFECTS_JOB, work, self._on_effects)
        if self._looks_at_searches and self._may_start(_RETRIEVAL_JOB):
            known = self._retrieval
            is_same = known is not None and known.tried.snapshot is session.snapshot
            find = known.find if known is not None and is_same else None
            searching = partial(find_retrieval, Tried.of(session, self._kind), find)
            session.jobs.run(_RETRIEVAL_JOB, searching, self._on_retrieval)

    def _may_start(self, key: str) -> bool:
        """Whether there is something to compute anew, and nothing of it under way."""
        if not self._is_stale[key] or self._session.jobs.is_running(key):
            return False
        self._is_stale[key] = False
        return True

    def _on_effects(self, effects: Effects) -> None:
        self._pause_ms = pause_between(self._took.elapsed(), _LATEST_MS)
        self._effects = effects
        self.effects_changed.emit()
        self._go_on()

    def _on_retrieval(self, retrieval: Retrieval) -> None:
        self._retrieval = retrieval
        self.retrieval_changed.emit()
        self._go_on()

    def _go_on(self) -> None:
        """What moved meanwhile comes next, unless a timer is about to see to it."""
        if not self._quiet.isActive():
            self._on_time()
