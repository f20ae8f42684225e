"""Which trust puts the selected memory at a score, and how low it may go for those kept in mind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.effect_lines import title_of
from mvdesk.ui.kept_memories import KeptMemories
from mvdesk.ui.panels.questions_page import Answer, KeptLine, QuestionsPage
from mvdesk.ui.widgets.trust_slider import format_trust
from mvdesk.vault.questions.inverse_trust import LowestTrust, find_lowest_trusts, find_trust_for
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from mvdesk.scoring.inverse import GridAnswer
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.snapshot import Snapshot

_JOB: Final = "trustQuestions"
_QUIET_MS: Final = 60
"""A slider that rests so long has come to a stop."""
_NO_SOURCE: Final = tr(
    "It names no source, so no trust moves it. Name its source first, in the editor."
)
_SELECT: Final = tr("Select a memory, in the list or among the movers, to ask about it.")


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    snapshot: Snapshot
    model: ScoreModel
    now: int
    row: int | None
    kept: tuple[int, ...]
    target: float
    kind: ScoreKind


@dataclass(frozen=True, slots=True, eq=False)
class _Answered:
    asked: _Asked
    trust: GridAnswer | None
    lowest: tuple[LowestTrust, ...]


class QuestionsSection(QWidget):
    """Session and questions, joined. Try adds to the preview; nothing is written."""

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("questionsSection")
        self.setAccessibleName(tr("Questions"))
        self._session = session
        self._kept = KeptMemories(session, self)
        self._answered: _Answered | None = None
        self._page = QuestionsPage()
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._page)
        self.setFocusProxy(self._page)
        page = self._page
        page.asked_anew.connect(self._ask)
        page.try_requested.connect(self._on_try)
        page.try_lowest_requested.connect(self._on_try_lowest)
        page.add_requested.connect(self._on_add)
        page.remove_requested.connect(self._kept.remove)
        page.memory_selected.connect(session.select)
        self._kept.changed.connect(self._ask)
        session.selection_changed.connect(self._ask)
        session.scores_changed.connect(self._on_scores_changed)
        session.vault_changed.connect(self._ask)
        session.vault_opened.connect(self._ask)
        session.vault_closing.connect(self._on_vault_closing)

    # Asking.

    @Slot()
    def _on_scores_changed(self) -> None:
        if self.isVisible():
            self._quiet.start()

    @Slot()
    def _ask(self, _what: object = None) -> None:
        """In a job, since there may be a hundred memories of as many sources."""
        session = self._session
        if not self.isVisible() or not session.is_open:
            return
        rows = (session.snapshot.row_of(memory_id) for memory_id in self._kept.ids)
        asked = _Asked(
            session.snapshot,
            session.model,
            session.now,
            session.selected_row,
            tuple(row for row in rows if row is not None),
            self._page.target.value(),
            cast("ScoreKind", self._page.kind),
        )
        session.jobs.run(_JOB, partial(_answer, asked), self._on_answered)

    def _on_answered(self, answered: _Answered) -> None:
        if answered.asked.snapshot is not self._session.snapshot:
            self._ask()
            return
        self._answered = answered
        self._show_answer(answered)
        self._show_kept(answered)
        self._page.set_current(self._session.selected_id)

    # Showing.

    def _show_answer(self, answered: _Answered) -> None:
        asked, trust, session = answered.asked, answered.trust, self._session
        if asked.row is None:
            self._page.set_answer("", Answer(_SELECT))
            return
        title = title_of(asked.snapshot, asked.row)
        key = asked.snapshot.source_key_of_row(asked.row)
        if key is None or trust is None:
            self._page.set_answer(title, Answer(_NO_SOURCE))
            return
        score = float(session.scores.of(asked.kind)[asked.row])
        now = tr(
            "Its {kind} is {score:.3f} with {key} at {trust_of}.",
            kind=KIND_WORDS[asked.kind],
            score=score,
            key=key,
            trust_of=format_trust(session.trust_of(key)),
        )
        if trust.value == 0.0:
            said = tr(
                "Any trust does: at 0.00 it still has {scores:.3f}.",
                scores=trust.scores.of(asked.kind),
            )
        else:
            said = f"{trust.text()[:1].upper()}{trust.text()[1:]}."
        self._page.set_answer(title, Answer(f"{said} {now}", trust.value))

    def _show_kept(self, answered: _Answered) -> None:
        session, asked = self._session, answered.asked
        values = {one.source_key: one.answer.value for one in answered.lowest}
        scores = session.scores.of(asked.kind)
        lines = []
        for row in asked.kept:
            key = asked.snapshot.source_key_of_row(row)
            value = None if key is None else values[key]
            lowest = (
                tr("no source")
                if key is None
                else tr("none does")
                if value is None
                else format_number(value, ".2f")
            )
            ids = asked.snapshot.memories.ids
            lines.append(
                KeptLine(
                    ids.text(row),
                    title_of(asked.snapshot, row),
                    key or "",
                    float(scores[row]),
                    lowest,
                )
            )
        said = [f"{one.source_key}: {_lowest_text(one)}." for one in answered.lowest[:4]]
        if len(answered.lowest) > 4:
            said.append(
                tr("{lowest} more sources are in the table.", lowest=len(answered.lowest) - 4)
            )
        selected = session.selected_id
        self._page.set_kept(
            lines,
            "\n".join(said),
            can_try=any(value is not None for value in values.values()),
            can_add=selected is not None and selected not in self._kept.ids,
        )

    # What happens.

    @Slot()
    def _on_try(self) -> None:
        answered = self._answered
        if answered is None or answered.trust is None or answered.trust.value is None:
            return
        row = answered.asked.row
        key = None if row is None else answered.asked.snapshot.source_key_of_row(row)
        if key is not None:
            self._session.preview_trust(key, answered.trust.value)

    @Slot()
    def _on_try_lowest(self) -> None:
        if self._answered is not None:
            tried = dict(self._session.preview.trust)
            for one in self._answered.lowest:
                if one.answer.value is not None:
                    tried[one.source_key] = one.answer.value
            self._session.set_preview(tried)

    @Slot()
    def _on_add(self) -> None:
        if (selected := self._session.selected_id) is not None:
            self._kept.add(selected)

    @Slot()
    def _on_vault_closing(self) -> None:
        self._quiet.stop()
        self._session.jobs.cancel(_JOB)
        self._answered = None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._session.jobs.cancel(_JOB)


def _lowest_text(one: LowestTrust) -> str:
    if one.answer.value != 0.0:
        return one.answer.text()
    whom = tr_n("it", "all {rows:,}", len(one.rows), rows=len(one.rows))
    return tr("any trust keeps {whom} at {target:.2f} or more", whom=whom, target=one.answer.target)


def _answer(asked: _Asked, _token: CancelToken) -> _Answered:
    snapshot, model, now, kind = asked.snapshot, asked.model, asked.now, asked.kind
    trust = None
    if asked.row is not None:
        trust = find_trust_for(snapshot, model, now, asked.row, asked.target, kind=kind)
    lowest = find_lowest_trusts(snapshot, model, now, asked.kept, asked.target, kind=kind)
    return _Answered(asked, trust, lowest)
