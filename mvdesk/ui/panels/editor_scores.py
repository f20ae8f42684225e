"""The scores beside the text: as stored, and what they would be if it were saved now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot

from mvdesk.scoring.signals import normalise_source_key
from mvdesk.ui.live_score import score_typed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mvdesk.scoring.inputs import ScoreInputs
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScorePair
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.editor_form import EditorForm
    from mvdesk.ui.session import VaultSession

_JOB: Final = "live-score"
_LONGEST_AT_ONCE: Final = 400_000
"""Longer texts are scored in a job; up to here it takes less than 2 ms."""
_PAUSE_MS: Final = 300
"""Such a job waits for a pause in the typing: it would only be in its way."""


class EditorScores(QObject):
    """Shows both scores of what is in the form, before and after."""

    def __init__(
        self,
        session: VaultSession,
        form: EditorForm,
        typed: Callable[[], tuple[str, Mapping[str, str] | None]],
        parent: QObject,
    ) -> None:
        """`typed` gives the id of what is shown, "" for a new memory, and its fields as typed.

        They are None while they are as stored.
        """
        super().__init__(parent)
        self._session, self._form, self._typed = session, form, typed
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._on_pause)
        self._waiting: Callable[[CancelToken], ScorePair] | None = None
        self._before: tuple[float, float] | None = None
        session.scores_changed.connect(self.show)
        session.vault_changed.connect(self._on_vault_changed)
        session.model_changed.connect(self._on_model_changed)
        self._on_model_changed(session.model)

    @Slot()
    def show(self) -> None:
        """Show the scores for what is in the form now."""
        session = self._session
        if not session.is_open:
            self._wait_for(None)
            self._form.set_scores(None, None)
            return
        memory_id, texts = self._typed()
        row = session.snapshot.row_of(memory_id) if memory_id else None
        before, stored = None, None
        if row is not None:
            before = float(session.scores.confidence[row]), float(session.scores.importance[row])
            stored = session.snapshot.inputs(session.model).taken([row])
        if texts is None:
            self._wait_for(None)
            self._form.set_scores(before, None)
        else:
            self._score(texts, stored, before)

    def _score(
        self,
        texts: Mapping[str, str],
        stored: ScoreInputs | None,
        before: tuple[float, float] | None,
    ) -> None:
        session = self._session
        trust = session.trust_of(normalise_source_key(texts["source"]))
        model, now = session.model, session.now

        def work(_token: CancelToken) -> ScorePair:
            return score_typed(texts, stored, model, trust, now)

        self._before = before
        if len(texts["content"]) <= _LONGEST_AT_ONCE:
            self._wait_for(None)
            self._on_scored(score_typed(texts, stored, model, trust, now))
        else:
            self._wait_for(work)

    def _wait_for(self, work: Callable[[CancelToken], ScorePair] | None) -> None:
        """Have a job done after a pause, or none any more."""
        self._session.jobs.cancel(_JOB)
        self._waiting = work
        if work is None:
            self._pause.stop()
        else:
            self._pause.start()

    @Slot()
    def _on_pause(self) -> None:
        if self._waiting is not None:
            self._session.jobs.run(_JOB, self._waiting, self._on_scored)

    def _on_scored(self, pair: ScorePair) -> None:
        self._form.set_scores(self._before, (pair.confidence, pair.importance))

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        self.show()

    @Slot(object)
    def _on_model_changed(self, model: ScoreModel) -> None:
        words = model.keywords
        self._form.text_field.styler.set_words((*words.certainty, *words.importance), words.hedge)
        self.show()
