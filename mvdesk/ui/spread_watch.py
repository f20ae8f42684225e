"""Keeps the distribution of a score up to date with the preview, while somebody looks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.vault.questions.distribution import Distribution, find_distribution
from mvdesk.vault.questions.movers import count_moves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.snapshot import Snapshot

FRAME_MEMORIES: Final = 150_000
"""Up to so many memories are counted within the frame (2 ms for 100,000), more in a job."""
_JOB: Final = "distribution"


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """The distribution of a score, and how many memories of tried sources can't move."""

    counts: Distribution
    stuck: int
    is_preview: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    snapshot: Snapshot
    before: Scores
    after: Scores
    trust: Mapping[str, float | None]
    kind: ScoreKind

    def is_same(self, other: _Asked | None) -> bool:
        return other is not None and (
            self.snapshot is other.snapshot
            and self.before is other.before
            and self.after is other.after
            and self.trust == other.trust
            and self.kind == other.kind
        )


class SpreadWatch(QObject):
    """Counts again when scores move. What is known stays until the new numbers are there."""

    changed = Signal()

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._kind: ScoreKind = "confidence"
        self._spread: Spread | None = None
        self._asked: _Asked | None = None
        self._is_active = False
        self._waits = False
        for moved in (
            session.vault_opened,
            session.vault_changed,
            session.scores_changed,
            session.preview_changed,
        ):
            moved.connect(self.refresh)
        session.vault_closing.connect(self._on_vault_closing)

    @property
    def spread(self) -> Spread | None:
        """None while it isn't known."""
        return self._spread

    def set_kind(self, kind: ScoreKind) -> None:
        """Count the other score."""
        self._kind = kind
        self.refresh()

    def set_active(self, is_active: bool) -> None:
        """Whether anybody looks; nothing is counted otherwise."""
        self._is_active = is_active
        self.refresh()

    @Slot()
    def refresh(self, _what: object = None) -> None:
        """Something moved."""
        session = self._session
        if not self._is_active or not session.is_open:
            return
        # While the values of before are shown, they are all that is counted.
        before, after = session.committed_scores, session.scores
        asked = _Asked(session.snapshot, before, after, session.overlay, self._kind)
        if asked.is_same(self._asked):
            return
        if session.jobs.is_running(_JOB):
            self._waits = True  # its numbers are shown first, then the newest ones
            return
        self._asked = asked
        if len(before) <= FRAME_MEMORIES:
            self._on_counted(_count(asked))
        else:
            session.jobs.run(_JOB, partial(_count, asked), self._on_counted)

    def _on_counted(self, spread: Spread) -> None:
        self._spread = spread
        self.changed.emit()
        if self._waits:
            self._waits = False
            self.refresh()

    @Slot()
    def _on_vault_closing(self) -> None:
        self._session.jobs.cancel(_JOB)
        self._spread = self._asked = None
        self._waits = False
        self.changed.emit()


def _count(asked: _Asked, _token: CancelToken | None = None) -> Spread:
    before, after, kind = asked.before, asked.after, asked.kind
    counts = find_distribution(asked.snapshot, before, after, kind=kind)
    moves = count_moves(asked.snapshot, before, after, tuple(asked.trust), kind=kind)
    return Spread(counts, moves.whole.stuck, bool(asked.trust))
