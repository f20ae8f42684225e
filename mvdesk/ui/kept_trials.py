"""The trials of the open brain: read and written behind the scenes, never the vault itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.ui import plans
from mvdesk.vault.trials import Trial, Trials, fit_trial
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.vault import Vault


class KeptTrials(QObject):
    """Knows the trials and changes them. What can't be done is said, and nothing is changed.

    Loading a trial makes a preview of it. A deleted one and a preview that a trial took the
    place of can be brought back.
    """

    changed = Signal()
    saved = Signal(object)  # Trial

    def __init__(self, session: VaultSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._trials: tuple[Trial, ...] = ()
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_vault_closed)
        if session.is_open:
            self._on_vault_opened()

    @property
    def trials(self) -> tuple[Trial, ...]:
        """The one changed last first."""
        return self._trials

    def get(self, trial_id: str) -> Trial | None:
        """A trial by its id."""
        return next((trial for trial in self._trials if trial.id == trial_id), None)

    def save(self, name: str) -> None:
        """Keep what is tried now under a name."""
        trust, now = dict(self._session.preview.trust), self._session.current_time()
        self._do(lambda trials: trials.save(name, trust, now=now), self.saved.emit)

    def replace(self, trial_id: str) -> None:
        """Keep what is tried now in place of a trial's values."""
        trust, now = dict(self._session.preview.trust), self._session.current_time()
        self._do(lambda trials: trials.replace(trial_id, trust, now=now), self.saved.emit)

    def rename(self, trial_id: str, name: str) -> None:
        now = self._session.current_time()
        self._do(lambda trials: trials.rename(trial_id, name, now=now), self.saved.emit)

    def delete(self, trial_id: str) -> None:
        """Forget a trial; the message about it brings it back."""
        self._do(lambda trials: trials.delete(trial_id), self._on_deleted)

    def load(self, trial_id: str) -> None:
        """Make a preview of a trial, in place of what is tried now."""
        session, trial = self._session, self.get(trial_id)
        if trial is None or not session.is_open:
            return
        fitted, before = fit_trial(trial, session.snapshot), dict(session.preview.trust)
        session.set_preview(fitted.trust)
        said = tr("Trial “{name}” is previewed.", name=trial.name)
        if not fitted.trust:
            said = tr(
                "Trial “{name}” changes nothing: the vault has its values already.", name=trial.name
            )
        said = " ".join(part for part in (said, fitted.text()) if part)
        if before and before != dict(fitted.trust):
            back = partial(_bring_back, session, session.vault, before)
            session.messages.offer(said, tr("Back to the former preview"), back)
        else:
            session.messages.notice(said)

    def apply(self, trial_id: str) -> None:
        """Write a trial's values to the vault, as one undo step. A preview of others stays."""
        session, trial = self._session, self.get(trial_id)
        if trial is None or not session.is_open:
            return
        fitted = fit_trial(trial, session.snapshot)
        if fitted.trust:
            session.write("trust", plans.trial_plan(fitted.trust, session.current_time()))
        else:
            said = tr(
                "Trial “{name}” changes nothing: the vault has its values already.", name=trial.name
            )
            session.messages.notice(f"{said} {fitted.text()}".strip())

    def _do(self, change: Callable[[Trials], Trial], done: Callable[[Trial], None]) -> None:
        session = self._session
        if not session.is_open:
            return
        vault = session.vault
        session.jobs.write(
            partial(_change, vault, change),
            partial(self._on_done, vault, done),
            failed=session.messages.report,
        )

    def _on_done(
        self,
        vault: Vault,
        done: Callable[[Trial], None],
        outcome: tuple[Trial, tuple[Trial, ...]],
    ) -> None:
        if self._session.is_open and self._session.vault is vault:
            self._set(outcome[1])
            done(outcome[0])

    def _on_deleted(self, trial: Trial) -> None:
        back = partial(self._put_back, self._session.vault, trial)
        self._session.messages.offer(
            tr("Trial “{name}” is deleted.", name=trial.name), tr("Undo"), back
        )

    def _put_back(self, vault: Vault, trial: Trial) -> None:
        if self._session.is_open and self._session.vault is vault:
            self._do(lambda trials: trials.put(trial), self.saved.emit)

    @Slot()
    def _on_vault_opened(self) -> None:
        vault = self._session.vault
        self._session.jobs.write(partial(_read, vault), partial(self._on_read, vault))

    def _on_read(self, vault: Vault, trials: tuple[Trial, ...]) -> None:
        if self._session.is_open and self._session.vault is vault:
            self._set(trials)

    @Slot()
    def _on_vault_closed(self) -> None:
        self._set(())

    def _set(self, trials: tuple[Trial, ...]) -> None:
        if trials != self._trials:
            self._trials = trials
            self.changed.emit()


def _trials_of(vault: Vault) -> Trials:
    return Trials(vault.companion, vault.brain.id, lambda: str(uuid4()))


def _read(vault: Vault) -> tuple[Trial, ...]:
    return tuple(_trials_of(vault).read())


def _change(vault: Vault, change: Callable[[Trials], Trial]) -> tuple[Trial, tuple[Trial, ...]]:
    trials = _trials_of(vault)
    return change(trials), tuple(trials.read())


def _bring_back(session: VaultSession, vault: Vault, trust: Mapping[str, float | None]) -> None:
    if session.is_open and session.vault is vault:
        session.set_preview(trust)
