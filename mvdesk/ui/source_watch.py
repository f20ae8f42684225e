"""Keeps the facts about all sources up to date with vault and preview, while somebody looks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from mvdesk.ui.conflict_indexing import share_conflict_index
from mvdesk.ui.models.source_columns import SourceColumns, Spelled
from mvdesk.ui.pacing import rest_before
from mvdesk.vault.questions.source_facts import SourceFacts, find_source_facts, find_spellings
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.questions.conflict_changes import ConflictIndex
    from mvdesk.vault.snapshot import Snapshot

FRAME_MEMORIES: Final = 5_000
"""Facts about tried sources with up to so many memories are found within the frame."""
LATER_MS: Final = 60
"""More of them are measured so long after the scores are shown: those need the processor first."""
_JOB: Final = "sources"
_CONFLICTS_JOB: Final = tr("sources conflicts")
_PREVIEW_JOB: Final = tr("sources preview")


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What the stored scores say of the sources of a snapshot."""

    snapshot: Snapshot
    scores: Scores
    facts: SourceFacts
    spellings: dict[str, tuple[Spelled, ...]]
    stored: SourceColumns
    index: ConflictIndex | None = None

    def with_conflicts(self, index: ConflictIndex) -> _Known:
        """The same with the memories in open conflicts counted as contradicted."""
        facts = self.facts.with_conflicts(self.snapshot, index.open_rows(self.scores))
        stored = _columns_of(facts, self.spellings)
        return replace(self, facts=facts, stored=stored, index=index)


class SourceWatch(QObject):
    """Measures the stored state in a job, and of a preview only the sources that are tried.

    What is known stays until the new numbers are there.
    """

    sources_changed = Signal()  # other sources, or other stored values
    values_changed = Signal()  # the same sources in a preview

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._is_active = False
        self._known: _Known | None = None
        self._shown = self._stored = SourceColumns.empty()
        self._facts: SourceFacts | None = None  # of the preview shown last
        self._waits = False
        self._indexing = share_conflict_index(session)
        self._indexing.indexed.connect(self._count_conflicts)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._on_time)
        for moved in (session.vault_opened, session.vault_changed, session.scores_changed):
            moved.connect(self.refresh)
        session.vault_closing.connect(self._on_vault_closing)

    @property
    def columns(self) -> SourceColumns:
        """The sources as they are shown: in a preview, with what is tried."""
        return self._shown

    @property
    def before(self) -> SourceColumns:
        """The same sources without a preview."""
        return self._stored

    @property
    def is_known(self) -> bool:
        """Whether the open vault was measured."""
        return self._known is not None

    def set_active(self, is_active: bool) -> None:
        """Whether anybody looks; nothing is measured otherwise."""
        self._is_active = is_active
        self.refresh()

    @Slot()
    def refresh(self, _what: object = None) -> None:
        """Something moved."""
        session, known = self._session, self._known
        if not self._is_active or not session.is_open:
            return
        scores = session.committed_scores
        if known is None or known.snapshot is not session.snapshot or known.scores is not scores:
            work = partial(_measure, session.snapshot, scores, session.model, known)
            session.jobs.run(_JOB, work, self._on_measured)
        else:
            self._count_conflicts()
            self._follow_preview(known)

    def _on_measured(self, known: _Known) -> None:
        self._known = known
        self._stored = self._shown = known.stored
        self._facts = known.facts
        session = self._session
        if session.overlay and session.committed_scores is known.scores:
            self._facts = known.facts.with_scores(session.scores, session.overlay)
            self._shown = _columns_of(self._facts, known.spellings)
        self.sources_changed.emit()
        self.refresh()  # in case something moved meanwhile

    @Slot()
    def _count_conflicts(self) -> None:
        """Texts are compared for it, so it comes after what the arrays tell at once."""
        known, index, session = self._known, self._indexing.index, self._session
        if known is None or known.index is not None or not self._is_active:
            return
        if index is None:
            self._indexing.request()
        elif known.snapshot is session.snapshot and not session.jobs.is_running(_CONFLICTS_JOB):
            work = partial(_with_conflicts, known, index)
            session.jobs.run(_CONFLICTS_JOB, work, self._on_conflicts_counted)

    def _on_conflicts_counted(self, known: _Known) -> None:
        now = self._known
        if now is not None and now.snapshot is known.snapshot and now.scores is known.scores:
            self._on_measured(known)

    def _follow_preview(self, known: _Known) -> None:
        session = self._session
        if session.jobs.is_running(_PREVIEW_JOB):
            self._waits = True  # its numbers are shown first, then the newest ones
            return
        tried, scores = dict(session.overlay), session.scores
        if not tried:
            self._later.stop()
            self._show(known.facts)
        elif _count_memories(known.snapshot, tried) <= FRAME_MEMORIES:
            self._show((self._facts or known.facts).with_scores(scores, tried))
        elif not self._later.isActive():
            self._later.start(rest_before(LATER_MS, len(known.snapshot.memories)))

    @Slot()
    def _on_time(self) -> None:
        """Measure what a large preview comes to now, in a job."""
        session, known = self._session, self._known
        if known is None or known.scores is not session.committed_scores or not self._is_active:
            return
        work = partial(
            _measure_preview, self._facts or known.facts, session.scores, dict(session.overlay)
        )
        session.jobs.run(_PREVIEW_JOB, work, self._on_preview_measured)

    def _on_preview_measured(self, facts: SourceFacts) -> None:
        self._show(facts)
        if self._waits:
            self._waits = False
            self.refresh()

    def _show(self, facts: SourceFacts) -> None:
        known = self._known
        if known is None or facts is self._facts:
            return
        self._facts = facts
        is_stored = facts is known.facts
        self._shown = known.stored if is_stored else _columns_of(facts, known.spellings)
        self.values_changed.emit()

    @Slot()
    def _on_vault_closing(self) -> None:
        for key in (_JOB, _CONFLICTS_JOB, _PREVIEW_JOB):
            self._session.jobs.cancel(key)
        self._later.stop()
        self._known = self._facts = None
        self._shown = self._stored = SourceColumns.empty()
        self._waits = False
        self.sources_changed.emit()


def _count_memories(snapshot: Snapshot, tried: Mapping[str, float | None]) -> int:
    places = [snapshot.key_index(key) for key in tried]
    return sum(int(snapshot.sources.counts[place]) for place in places if place is not None)


def _measure(
    snapshot: Snapshot,
    scores: Scores,
    model: ScoreModel,
    known: _Known | None,
    _token: CancelToken,
) -> _Known:
    facts = find_source_facts(snapshot, scores, model)
    index = None
    if known is not None and known.snapshot is snapshot:
        spellings, index = known.spellings, known.index
    else:
        spellings = {
            key: tuple(Spelled(*way) for way in ways)
            for key, ways in find_spellings(snapshot).items()
            if len(ways) > 1
        }
    measured = _Known(snapshot, scores, facts, spellings, _columns_of(facts, spellings))
    return measured if index is None else measured.with_conflicts(index)


def _with_conflicts(known: _Known, index: ConflictIndex, _token: CancelToken) -> _Known:
    return known.with_conflicts(index)


def _measure_preview(
    facts: SourceFacts, scores: Scores, tried: Mapping[str, float | None], _token: CancelToken
) -> SourceFacts:
    return facts.with_scores(scores, tried)


def _columns_of(facts: SourceFacts, spellings: dict[str, tuple[Spelled, ...]]) -> SourceColumns:
    spread = facts.confidence
    return SourceColumns(
        keys=facts.keys,
        notes=facts.notes,
        active=facts.active,
        archived=facts.archived,
        stored=facts.stored,
        trust=facts.trust,
        mean=spread.mean,
        low=spread.low,
        median=spread.median,
        high=spread.high,
        contradicted=facts.contradicted,
        last_used=facts.last_used,
        movable=facts.movable,
        leverage=facts.leverage,
        spellings=spellings,
    )
