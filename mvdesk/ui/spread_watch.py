"""Keeps the distribution of a score up to date with the preview, while somebody looks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.arrays import NO_TIME
from mvdesk.vault.questions.distribution import (
    Distribution,
    find_distribution,
    find_moved_distribution,
)
from mvdesk.vault.questions.movers import find_stuck

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.snapshot import Snapshot

FRAME_MEMORIES: Final = 150_000
"""Up to so many memories are counted within the frame (2 ms for 100,000), more in a job."""
FRAME_MOVED: Final = 40_000
"""So many tried ones are counted within the frame (1 ms), once those before are counted."""
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


@dataclass(frozen=True, slots=True, eq=False)
class _Base:
    """The scores before, counted: with them a preview costs what it touches alone."""

    snapshot: Snapshot
    before: Scores
    counts: Distribution

    def is_of(self, asked: _Asked) -> bool:
        return (
            self.snapshot is asked.snapshot
            and self.before is asked.before
            and self.counts.kind == asked.kind
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
        self._base: _Base | None = None
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
        base = self._base if self._base is not None and self._base.is_of(asked) else None
        room = FRAME_MEMORIES if base is None else FRAME_MOVED
        if _rows_to_count(asked, base) <= room:
            self._on_counted(_count(asked, base))
        else:
            session.jobs.run(_JOB, partial(_count, asked, base), self._on_counted)

    def _on_counted(self, counted: tuple[Spread, _Base]) -> None:
        self._spread, self._base = counted
        self.changed.emit()
        if self._waits:
            self._waits = False
            self.refresh()

    @Slot()
    def _on_vault_closing(self) -> None:
        self._session.jobs.cancel(_JOB)
        self._spread = self._asked = self._base = None
        self._waits = False
        self.changed.emit()


def _rows_to_count(asked: _Asked, base: _Base | None) -> int:
    if base is None:
        return len(asked.before)
    places = [asked.snapshot.key_index(key) for key in asked.trust]
    counts = asked.snapshot.sources.counts
    return sum(int(counts[place]) for place in places if place is not None)


def _count(
    asked: _Asked, base: _Base | None, _token: CancelToken | None = None
) -> tuple[Spread, _Base]:
    snapshot, before, after, kind = asked.snapshot, asked.before, asked.after, asked.kind
    if base is None:
        counts = find_distribution(snapshot, before, before, kind=kind)
        base = _Base(snapshot, before, counts)
    if not asked.trust:
        return Spread(base.counts, 0, is_preview=False), base
    rows = np.concatenate([snapshot.rows_of_source(key) for key in asked.trust])
    rows = rows[snapshot.memories.archived_at[rows] == NO_TIME]
    stuck = int(np.count_nonzero(find_stuck(before, after, rows, kind)))
    moved = find_moved_distribution(base.counts, before, after, rows)
    return Spread(moved, stuck, is_preview=True), base
