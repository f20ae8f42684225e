"""Keeps the reasons of the selected memory, and what would change its scores, up to date."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from mvdesk.ui.pacing import rest_before
from mvdesk.ui.reasons import Asked, Question, Reasons, compute_reasons
from mvdesk.vault.questions.base_history import UpkeepLog

if TYPE_CHECKING:
    from mvdesk.scoring.levers import WhatIf
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession

_SELECTED_WAIT_MS: Final = 25
"""Another memory: time for its scores to be painted first."""
_MOVED_WAIT_MS: Final = 60
"""The same memory with other scores: time for a slider to come to rest."""
_REASONS_JOB: Final = "reasons"
_LEVERS_JOB: Final = "levers"


class ReasonsWatch(QObject):
    """Computes in jobs, the newest wins; results arrive as signals."""

    reasons_changed = Signal(object)  # Reasons | None
    answer_changed = Signal(object)  # WhatIf | None

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._question = Question()
        self._reasons: Reasons | None = None
        self._answer: WhatIf | None = None
        self._upkeep = UpkeepLog()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_quiet)
        session.vault_closing.connect(self._on_vault_closing)

    @property
    def reasons(self) -> Reasons | None:
        """Those of the selected memory as far as they are known."""
        return self._reasons

    @property
    def answer(self) -> WhatIf | None:
        return self._answer

    @property
    def question(self) -> Question:
        return self._question

    @property
    def is_settled(self) -> bool:
        """Whether nothing is about to change."""
        jobs = self._session.jobs
        running = jobs.is_running(_REASONS_JOB) or jobs.is_running(_LEVERS_JOB)
        return not running and not self._timer.isActive()

    def set_question(self, question: Question) -> None:
        """Ask for something else of the scores."""
        if question != self._question:
            self._question = question
            self._ask_levers()

    @Slot()
    def refresh(self) -> None:
        """Something moved. What was known of another memory is forgotten at once."""
        jobs = self._session.jobs
        jobs.cancel(_REASONS_JOB)
        jobs.cancel(_LEVERS_JOB)
        selected = self._session.selected_id if self._session.is_open else None
        if self._reasons is not None and self._reasons.memory_id != selected:
            self._set(None)
        if selected is None:
            self._timer.stop()
        else:
            memories = len(self._session.snapshot.memories)
            rest = rest_before(_MOVED_WAIT_MS, memories)
            self._timer.start(_SELECTED_WAIT_MS if self._reasons is None else rest)

    @Slot()
    def _on_vault_closing(self) -> None:
        """Nothing is to be read of the vault any more."""
        self._upkeep = UpkeepLog()
        self._timer.stop()
        self._session.jobs.cancel(_REASONS_JOB)
        self._session.jobs.cancel(_LEVERS_JOB)

    @Slot()
    def _on_quiet(self) -> None:
        asked = Asked.of(self._session, self._upkeep)
        if asked is not None:  # else it is asked again once the memory was read
            work = partial(compute_reasons, asked)
            self._session.jobs.run(_REASONS_JOB, work, self._on_computed)

    def _on_computed(self, reasons: Reasons | None) -> None:
        if reasons is not None and reasons.memory_id == self._session.selected_id:
            self._upkeep = reasons.upkeep
            self._set(reasons)

    def _set(self, reasons: Reasons | None) -> None:
        self._reasons = reasons
        self.reasons_changed.emit(reasons)
        self._ask_levers()

    def _ask_levers(self) -> None:
        reasons, question = self._reasons, self._question
        if reasons is None:
            self._on_answered(None)
            return

        def work(_token: CancelToken) -> WhatIf:
            return question.answer(reasons)

        self._session.jobs.run(_LEVERS_JOB, work, self._on_answered)

    def _on_answered(self, answer: WhatIf | None) -> None:
        self._answer = answer
        self.answer_changed.emit(answer)
