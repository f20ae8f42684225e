"""Keeps the list of conflicts up to date, while trust is tuned and the vault changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from mvdesk.ui.conflict_indexing import share_conflict_index
from mvdesk.ui.pacing import pause_between, rest_before, while_moving
from mvdesk.vault.questions.conflict_choices import contradiction_costs

if TYPE_CHECKING:
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.questions.conflict_changes import ConflictIndex, DecidedPair
    from mvdesk.vault.questions.conflicts import Conflict
    from mvdesk.vault.snapshot import Snapshot

MOST_LISTED: Final = 500
"""So many pairs of a kind are listed; all are counted."""
_LIST_JOB: Final = "conflictInbox"
_QUIET_MS: Final = 45
_LATEST_MS: Final = 100
_FIRST_MS: Final = 400
"""The list of memories comes first when a vault is opened."""


@dataclass(frozen=True, slots=True, eq=False)
class Inbox:
    """The pairs of a vault under some scores.

    `costs` are what a contradicting link takes from the confidence of A and B, by link row.
    """

    index: ConflictIndex
    snapshot: Snapshot
    scores: Scores
    threshold: float
    open: tuple[Conflict, ...]
    open_total: int
    below: tuple[Conflict, ...]
    below_total: int
    decided: tuple[DecidedPair, ...]
    costs: dict[int, tuple[float, float]]


class ConflictWatch(QObject):
    """Computes in jobs; one for each session, shared by all who look.

    A result is shown before the next is begun, so that a moving slider shows numbers.
    """

    changed = Signal()

    def __init__(self, session: VaultSession) -> None:
        super().__init__(session)
        self._session = session
        self._indexing = share_conflict_index(session)
        self._indexing.indexed.connect(self._on_time)
        self._inbox: Inbox | None = None
        self._is_stale = True
        self._took = QElapsedTimer()
        self._pause_ms = 0
        self._soon, self._latest = QTimer(self), QTimer(self)
        for timer, wait in ((self._soon, _QUIET_MS), (self._latest, _LATEST_MS)):
            timer.setSingleShot(True)
            timer.setInterval(wait)
            timer.timeout.connect(self._on_time)
        session.vault_opened.connect(self._on_vault_opened)
        session.scores_changed.connect(self.refresh)
        session.preview_changed.connect(self.refresh)
        session.threshold_changed.connect(self.refresh)
        session.vault_changed.connect(self.refresh)
        session.outside_changed.connect(self.refresh)
        session.vault_closing.connect(self._on_vault_closing)
        session.vault_closed.connect(self.changed)
        if session.is_open:
            self.refresh()

    @property
    def inbox(self) -> Inbox | None:
        """What was found last; None before that, and without a vault."""
        return self._inbox

    @property
    def is_settled(self) -> bool:
        """Whether nothing is about to change."""
        running = self._indexing.is_running or self._session.jobs.is_running(_LIST_JOB)
        return not (running or self._soon.isActive() or self._latest.isActive())

    @Slot()
    def refresh(self, _what: object = None) -> None:
        """Something moved."""
        self._is_stale = True
        if self._session.is_open:
            memories = len(self._session.snapshot.memories)
            self._soon.start(rest_before(_QUIET_MS, memories))
            if not self._latest.isActive():
                self._latest.start(max(self._pause_ms, while_moving(_LATEST_MS, memories)))

    @Slot()
    def forget_index(self, _changes: object = None) -> None:
        """Look everything up anew: texts, links or decisions aren't what they were."""
        self._indexing.forget()
        self.refresh()

    @Slot()
    def _on_vault_opened(self) -> None:
        self._forget()
        self._soon.start(_FIRST_MS)
        self.changed.emit()

    @Slot()
    def _on_vault_closing(self) -> None:
        self._soon.stop()
        self._latest.stop()
        self._forget()

    def _forget(self) -> None:
        self._session.jobs.cancel(_LIST_JOB)
        self._inbox = None
        self._is_stale = True

    @Slot()
    def _on_time(self) -> None:
        self._soon.stop()
        self._latest.stop()
        session = self._session
        if not session.is_open or not self._is_stale:
            return
        index = self._indexing.index
        if index is None:
            self._indexing.request()
        elif not session.jobs.is_running(_LIST_JOB):
            self._is_stale = False
            work_list = partial(
                find_inbox,
                index,
                session.snapshot,
                session.scores,
                session.threshold,
                session.model,
                session.now,
            )
            self._took.start()
            session.jobs.run(_LIST_JOB, work_list, self._on_listed)

    def _on_listed(self, inbox: Inbox) -> None:
        self._pause_ms = pause_between(self._took.elapsed(), _LATEST_MS)
        if inbox.snapshot is self._session.snapshot:
            self._inbox = inbox
            self.changed.emit()
        if self._is_stale and not self._soon.isActive():
            self._on_time()


def watch_conflicts(session: VaultSession) -> ConflictWatch:
    """The watch of a session, made when it is first asked for."""
    found = session.findChild(ConflictWatch)
    return found if isinstance(found, ConflictWatch) else ConflictWatch(session)


def find_inbox(
    index: ConflictIndex,
    snapshot: Snapshot,
    scores: Scores,
    threshold: float,
    model: ScoreModel,
    now: int,
    _token: CancelToken,
) -> Inbox:
    """Every kind of pair under these scores."""
    confidence = scores.confidence
    found, total = index.find_open(confidence, threshold=threshold, limit=MOST_LISTED)
    below, below_total = index.find_below(confidence, threshold=threshold, limit=MOST_LISTED)
    decided = index.find_decided(confidence)
    listed: list[Conflict | DecidedPair] = [*found, *below, *decided]
    linked = [one for one in listed if one.link_row >= 0]
    pairs = [(one.a_row, one.b_row) for one in linked]
    costs = contradiction_costs(snapshot, pairs, model, now)
    by_link = {one.link_row: cost for one, cost in zip(linked, costs, strict=True)}
    return Inbox(
        index, snapshot, scores, threshold, found, total, below, below_total, decided, by_link
    )
