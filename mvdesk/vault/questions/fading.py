"""What a decay would do before anybody decides: who is kept out of it, and what scores become."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.vault.operations.decay import DAY_SECONDS, Decay, DecaySettings, find_decay
from mvdesk.vault.questions.distribution import (
    Distribution,
    find_distribution,
    find_moved_distribution,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from mvdesk.arrays import BoolArray, Int64Array, IntArray
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.operations.bases import BaseMoves
    from mvdesk.vault.snapshot import Snapshot

IMPORTANT_FROM: Final = 0.8
RECALLED_WITHIN_DAYS: Final = 30

IMPORTANT: Final = 1
PINNED: Final = 2
RECALLED: Final = 4
"""Why a memory is kept out of a decay unless somebody wants it in; they add up."""


@dataclass(frozen=True, slots=True, eq=False)
class FadingRun:
    """One dry run: what decays under its settings, at `now`, in the snapshot it was made for.

    `kept_out` says for each of `decay.moves` why it starts without a tick, 0 for no reason.
    `scores` has every memory as stored, `faded` as if all of `decay.moves` were written, both
    for the moment `scored_at`. A memory's score depends on its own bases alone, so either
    holds whatever is ticked.
    """

    snapshot: Snapshot
    decay: Decay
    now: int
    scored_at: int
    kept_out: Int64Array
    scores: Scores
    faded: Scores
    known: Distribution

    def __len__(self) -> int:
        return len(self.decay.moves)

    def distribution(self, ticked: BoolArray) -> Distribution:
        """The dynamic confidence of all active memories before and after writing the ticked."""
        rows = self.decay.moves.rows[ticked]
        return find_moved_distribution(self.known, self.scores, self.faded, rows)

    def taken(self, ticked: BoolArray) -> Decay:
        """What is written when only the ticked memories decay."""
        return self.decay.taken(np.flatnonzero(ticked))

    def count_due_again(self, ticked: BoolArray) -> tuple[int, int]:
        """What the same decay would find once the ticked memories were written.

        How many of them within a day, which none is unless periods are shorter than that; and
        how many others at the same moment: unticked, or beyond the limit.
        """
        taken = self.taken(ticked).moves
        written = write_moves(self.snapshot, taken, self.now)
        endless = replace(self.decay.settings, limit=None)
        at_once = find_decay(written, endless, now=self.now).moves.rows
        others = len(at_once) - int(np.isin(at_once, taken.rows).sum())
        later = find_decay(written, endless, now=self.now + DAY_SECONDS - 1).moves.rows
        return int(np.isin(later, taken.rows).sum()), others


def run_fading(
    snapshot: Snapshot,
    scores: Scores,
    model: ScoreModel,
    settings: DecaySettings,
    *,
    now: int,
    scored_at: int,
    pinned: Collection[str] = (),
) -> FadingRun:
    """Look at a decay. `scores` are those of the snapshot at `scored_at`, in epoch seconds."""
    decay = find_decay(snapshot, settings, now=now)
    moves = decay.moves
    faded = score_moves(snapshot, scores, moves, model, scored_at)
    known = find_distribution(snapshot, scores, scores)
    kept_out = find_kept_out(snapshot, moves.rows, now=now, pinned=pinned)
    return FadingRun(snapshot, decay, now, scored_at, kept_out, scores, faded, known)


def find_kept_out(
    snapshot: Snapshot, rows: IntArray, *, now: int, pinned: Collection[str] = ()
) -> Int64Array:
    """Why each of some memories had better be left out of a decay, 0 for no reason."""
    table = snapshot.memories
    why = np.where(table.base_importance[rows] >= IMPORTANT_FROM, IMPORTANT, 0)
    seen = table.last_accessed_at[rows]
    recent = (seen != NO_TIME) & (seen > now - RECALLED_WITHIN_DAYS * DAY_SECONDS)
    why += np.where(recent, RECALLED, 0)
    places = [row for one in pinned if (row := snapshot.row_of(one)) is not None]
    why += np.where(np.isin(rows, places), PINNED, 0)
    return why.astype(np.int64)


def write_moves(snapshot: Snapshot, moves: BaseMoves, now: int) -> Snapshot:
    """The snapshot as it is once a decay wrote these moves."""
    table = snapshot.memories
    confidence, importance = table.base_confidence.copy(), table.base_importance.copy()
    decayed_at = table.last_decayed_at.copy()
    confidence[moves.rows] = moves.confidence_after
    importance[moves.rows] = moves.importance_after
    decayed_at[moves.rows] = now
    return snapshot.with_memories(
        replace(
            table,
            base_confidence=confidence,
            base_importance=importance,
            last_decayed_at=decayed_at,
        )
    )


def score_moves(
    snapshot: Snapshot, scores: Scores, moves: BaseMoves, model: ScoreModel, at: int
) -> Scores:
    """The scores with some bases moved; only those of the moved rows are computed."""
    inputs = replace(
        snapshot.inputs(model).taken(moves.rows),
        base_confidence=moves.confidence_after,
        base_importance=moves.importance_after,
    )
    moved = evaluate(inputs, model, at)
    columns = []
    for name in ("confidence", "importance", "raw_confidence", "raw_importance"):
        column = getattr(scores, name).copy()
        column[moves.rows] = getattr(moved, name)
        columns.append(column)
    return Scores(*columns)
