"""Dry runs of a decay: made off the GUI thread, kept while they hold, written as they are shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.vault import rules
from mvdesk.vault.operations.decay import plan_decay
from mvdesk.vault.operations.policy import policy_of
from mvdesk.vault.plan import LINKS, MEMORIES, POLICIES
from mvdesk.vault.questions.fading import run_fading
from mvdesk.vault.questions.fading_ahead import look_ahead
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.arrays import BoolArray
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.operations.decay import DecaySettings
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.fading import FadingRun
    from mvdesk.vault.questions.fading_ahead import Outlook
    from mvdesk.vault.vault import Vault

ACTION: Final = "decay"
_RUN: Final = "fading"
_AHEAD: Final = "fadingAhead"
_AGAIN: Final = "fadingAgain"
_POLICY: Final = "fadingPolicy"
_CHANGED: Final = tr("The vault changed since this dry run; run it again before applying.")


class FadingWatch(QObject):
    """Session and dry runs, joined."""

    run_changed = Signal()  # another run, none, or one that doesn't hold any more
    rescored = Signal()  # the same run, scored by another model or for a later moment
    outlook_changed = Signal()
    counted = Signal(int, int)  # due again: of the ticked, others
    days_changed = Signal(float)  # the policy's days of a period
    written = Signal(int)  # so many memories decayed

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._run: FadingRun | None = None
        self._model: ScoreModel | None = None
        self._outlook: list[Outlook] | None = None
        self._outdated = ""
        self._writing = 0
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closing.connect(self._on_vault_closing)
        session.vault_changed.connect(self._on_vault_changed)
        session.scores_changed.connect(self._on_scores_changed)
        session.write_finished.connect(self._on_write_finished)
        if session.is_open:
            self._read_policy()

    # Out

    @property
    def run(self) -> FadingRun | None:
        """The dry run that is on screen."""
        return self._run

    @property
    def outlook(self) -> list[Outlook] | None:
        """The year ahead, None while nobody asked for it under these settings."""
        return self._outlook

    @property
    def outdated(self) -> str:
        """Why the run can't be written any more, "" while it can."""
        return self._outdated

    @property
    def is_running(self) -> bool:
        """Whether a dry run is under way."""
        return self._session.jobs.is_running(_RUN)

    @property
    def is_looking_ahead(self) -> bool:
        return self._session.jobs.is_running(_AHEAD)

    # In

    def start(self, settings: DecaySettings) -> None:
        """Make another dry run."""
        session = self._session
        session.jobs.cancel(_AGAIN)
        now = session.current_time()
        self._submit(settings, now, self._on_run)
        self._forget_outlook()

    def look_ahead(self, settings: DecaySettings) -> None:
        """See what a decay every week would make of the vault."""
        session = self._session
        work = partial(
            _look_ahead,
            partial(
                look_ahead,
                session.snapshot,
                session.model,
                settings,
                now=session.current_time(),
                scored_at=session.now,
                pinned=self._pinned(),
            ),
        )
        session.jobs.run(_AHEAD, work, self._on_outlook)
        self.outlook_changed.emit()

    def forget_outlook(self) -> None:
        """The settings are others now."""
        self._forget_outlook()

    def count_again(self, ticked: BoolArray) -> None:
        """Find out what would be due once the ticked memories were written."""
        run = self._run
        if run is not None:
            work = partial(_count_again, run, ticked)
            self._session.jobs.run(_AGAIN, work, self._on_counted)

    def apply(self, ticked: BoolArray) -> None:
        """Write the ticked memories of the run that is on screen, as one step."""
        run = self._run
        if run is None or self._outdated or not ticked.any():
            return
        self._writing = int(ticked.sum())
        self._session.write(ACTION, partial(_plan, run, ticked))

    # What happens.

    def _submit(self, settings: DecaySettings, now: int, done: Callable[[FadingRun], None]) -> None:
        session = self._session
        self._model = session.model
        work = partial(
            _run_fading,
            partial(
                run_fading,
                session.snapshot,
                session.committed_scores,
                session.model,
                settings,
                now=now,
                scored_at=session.now,
                pinned=self._pinned(),
            ),
        )
        session.jobs.run(_RUN, work, done)

    def _pinned(self) -> tuple[str, ...]:
        pinned = self._session.looking.pinned_id
        return () if pinned is None else (pinned,)

    def _on_run(self, run: FadingRun) -> None:
        self._run = run
        is_old = run.snapshot is not self._session.snapshot
        self._outdated = _CHANGED if is_old else ""
        self.run_changed.emit()

    def _on_rescored(self, run: FadingRun) -> None:
        if self._run is not None and run.snapshot is self._run.snapshot:
            self._run = run
            self.rescored.emit()

    def _on_outlook(self, outlook: list[Outlook]) -> None:
        self._outlook = outlook
        self.outlook_changed.emit()

    def _on_counted(self, counts: tuple[int, int]) -> None:
        self.counted.emit(*counts)

    @Slot()
    def _on_vault_opened(self) -> None:
        self._read_policy()
        self.run_changed.emit()

    @Slot()
    def _on_vault_closing(self) -> None:
        for key in (_RUN, _AHEAD, _AGAIN, _POLICY):
            self._session.jobs.cancel(key)
        self._run, self._outlook, self._outdated = None, None, ""
        self.run_changed.emit()
        self.outlook_changed.emit()

    @Slot(object)
    def _on_vault_changed(self, changes: ChangeSet) -> None:
        if changes.touches(POLICIES):
            self._read_policy()
        if not (changes.touches(MEMORIES) or changes.touches(LINKS)):
            return
        self._forget_outlook()
        if self._run is not None and not self._outdated:
            self._outdated = _CHANGED
            self.run_changed.emit()

    @Slot()
    def _on_scores_changed(self) -> None:
        session, run = self._session, self._run
        if run is None or self._outdated or run.snapshot is not session.snapshot:
            return
        if run.scored_at != session.now or self._model is not session.model:
            self._submit(run.decay.settings, run.now, self._on_rescored)
            self._forget_outlook()

    @Slot(str, bool)
    def _on_write_finished(self, action: str, is_written: bool) -> None:
        if action == ACTION and is_written:
            self._run, self._outdated = None, ""
            self.run_changed.emit()
            self.written.emit(self._writing)

    def _forget_outlook(self) -> None:
        self._session.jobs.cancel(_AHEAD)
        self._outlook = None
        self.outlook_changed.emit()

    def _read_policy(self) -> None:
        work = partial(_read_days, self._session.vault)
        self._session.jobs.run(_POLICY, work, self._on_days)

    def _on_days(self, days: float) -> None:
        self.days_changed.emit(days)


def _run_fading(work: partial[FadingRun], _token: CancelToken) -> FadingRun:
    return work()


def _look_ahead(work: partial[list[Outlook]], token: CancelToken) -> list[Outlook]:
    return work(cancelled=token.is_cancelled)


def _count_again(run: FadingRun, ticked: BoolArray, _token: CancelToken) -> tuple[int, int]:
    return run.count_due_again(ticked)


def _read_days(vault: Vault, _token: CancelToken) -> float:
    return float(policy_of(rules.read_policy(vault)).decay_days)


def _plan(run: FadingRun, ticked: BoolArray, _vault: Vault) -> Plan:
    """What is on screen, whatever the vault holds by now: a guard says when that moved."""
    return plan_decay(run.snapshot, run.taken(ticked), now=run.now)
