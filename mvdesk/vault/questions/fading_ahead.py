"""What a decay that is run every week would make of a vault within a year."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.decay import DAY_SECONDS, find_decay
from mvdesk.vault.questions.distribution import ScoreCounts
from mvdesk.vault.questions.fading import find_kept_out, write_moves
from mvdesk.vault.watching import ReadCancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from mvdesk.arrays import BoolArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.operations.decay import DecaySettings
    from mvdesk.vault.snapshot import Snapshot

STOPS: Final = ((0, 0), (1, 4), (3, 13), (6, 26), (12, 52))
"""Months and the weeks that they are taken for."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """The dynamic confidence of the active memories some months on.

    `kept` with no decay at all, when time alone passes; `decayed` with one every week.
    """

    months: int
    kept: ScoreCounts
    decayed: ScoreCounts


def look_ahead(
    snapshot: Snapshot,
    model: ScoreModel,
    settings: DecaySettings,
    *,
    now: int,
    scored_at: int,
    pinned: Collection[str] = (),
    cancelled: Callable[[], bool] = bool,
) -> list[Outlook]:
    """The vault after 0, 1, 3, 6 and 12 months in which nobody touches a memory.

    Every week what is due decays, except for what a dry run leaves without a tick; at most as
    many as the settings allow. Raises ReadCancelled when `cancelled` says so.
    """
    active = snapshot.memories.archived_at == NO_TIME
    inputs = snapshot.inputs(model)
    current = snapshot
    found: list[Outlook] = []
    months = {week: month for month, week in STOPS}
    for week in range(STOPS[-1][1] + 1):
        if cancelled():
            raise ReadCancelled
        at = now + week * 7 * DAY_SECONDS
        if week:
            decay = find_decay(current, settings, now=at)
            kept_out = find_kept_out(current, decay.moves.rows, now=at, pinned=pinned)
            taken = decay.taken(np.flatnonzero(kept_out == 0))
            if len(taken.moves):
                current = write_moves(current, taken.moves, at)
        if week in months:
            when = scored_at + week * 7 * DAY_SECONDS
            bases = current.memories
            moved = replace(
                inputs, base_confidence=bases.base_confidence, base_importance=bases.base_importance
            )
            pair = (evaluate(inputs, model, when), evaluate(moved, model, when))
            kept, decayed = (_counted(scores, active) for scores in pair)
            found.append(Outlook(months[week], kept, decayed))
    return found


def _counted(scores: Scores, active: BoolArray) -> ScoreCounts:
    return ScoreCounts.of(scores.confidence[active])
