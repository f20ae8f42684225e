"""The scores beside the text: as stored, and what they would be if it were saved now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

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
        session.scores_changed.connect(self.show)
        session.vault_changed.connect(self._on_vault_changed)
        session.model_changed.connect(self._on_model_changed)
        self._on_model_changed(session.model)

    @Slot()
    def show(self) -> None:
        """Show the scores for what is in the form now."""
        session = self._session
        if not session.is_open:
            self._form.set_scores(None, None)
            return
        memory_id, texts = self._typed()
        row = session.snapshot.row_of(memory_id) if memory_id else None
        before, stored = None, None
        if row is not None:
            before = float(session.scores.confidence[row]), float(session.scores.importance[row])
            stored = session.snapshot.inputs(session.model).taken([row])
        if texts is None:
            session.jobs.cancel(_JOB)
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

        def shown(pair: ScorePair) -> None:
            self._form.set_scores(before, (pair.confidence, pair.importance))

        if len(texts["content"]) <= _LONGEST_AT_ONCE:
            session.jobs.cancel(_JOB)
            shown(score_typed(texts, stored, model, trust, now))
        else:
            session.jobs.run(_JOB, work, shown)

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        self.show()

    @Slot(object)
    def _on_model_changed(self, model: ScoreModel) -> None:
        words = model.keywords
        self._form.text_field.styler.set_words((*words.certainty, *words.importance), words.hedge)
        self.show()
