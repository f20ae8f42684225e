"""Decay: memories that nobody touched for long and that hardly anything links to fade."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.vault.operations.bases import (
    BaseMoves,
    find_moved,
    logged_moves,
    move_bases,
    plan_moves,
)
from mvdesk.vault.plan import LogEntry, Plan
from mvdesk.wording import tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import FloatArray, Int64Array, IntArray
    from mvdesk.vault.snapshot import Snapshot

DAY_SECONDS: Final = 86_400
MOST_PERIODS: Final = 3.0
_FAR_PAST: Final = float(np.iinfo(np.int64).min)


@dataclass(frozen=True, slots=True)
class DecaySettings:
    """What decays, and how fast. Rates are base points a period.

    `limit` memories at most decay at once, those longest untouched first; `None` is no limit.
    """

    older_than_days: float = 30
    max_link_count: int = 1
    decay_confidence: float = 0.01
    decay_importance: float = 0.03
    limit: int | None = 200

    def clamped(self) -> DecaySettings:
        """The settings moved into the ranges that the server allows. All are finite."""
        return replace(
            self,
            older_than_days=max(0, self.older_than_days),
            max_link_count=max(0, math.floor(self.max_link_count)),
            decay_confidence=min(max(self.decay_confidence, 0), 0.5),
            decay_importance=min(max(self.decay_importance, 0), 0.5),
            limit=None if self.limit is None else min(max(self.limit, 1), 1000),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Decay:
    """What a decay finds: how many memories it looks at, and those whose bases change.

    `idle_days` and `periods` belong to `moves.rows`.
    """

    settings: DecaySettings
    candidate_count: int
    moves: BaseMoves
    idle_days: FloatArray
    periods: FloatArray

    def taken(self, places: IntArray) -> Decay:
        """What is left of it when only some of its moves are wanted, by their places."""
        return replace(
            self,
            moves=self.moves.taken(places),
            idle_days=self.idle_days[places],
            periods=self.periods[places],
        )


def compute_periods(
    idle_days: FloatArray, older_than_days: float, cap: float = MOST_PERIODS
) -> FloatArray:
    """How many periods of decay are due after so many days without activity.

    None when nothing is idle (or for no number), at most `cap`; one when the period itself has
    no length.
    """
    if not (math.isfinite(older_than_days) and older_than_days > 0):
        due = np.ones(len(idle_days))
    else:
        with np.errstate(over="ignore"):  # days divided by next to nothing are capped below
            due = idle_days / older_than_days
    # Compared before it is capped: a cap below zero never makes up for no idle time.
    idle = np.isfinite(idle_days) & (idle_days > 0)
    periods: FloatArray = np.where(idle, np.minimum(due, cap), 0.0)
    return periods


def last_activity(snapshot: Snapshot) -> Int64Array:
    """When each memory was last edited, recalled or decayed; epoch seconds."""
    table = snapshot.memories
    seen = np.maximum(table.last_accessed_at, table.last_decayed_at)  # NO_TIME is the smallest
    return np.maximum(table.updated_at, seen)


def find_decay(snapshot: Snapshot, settings: DecaySettings, *, now: int) -> Decay:
    """What decays under these settings (within their ranges). Follows vault.md, "Decay"."""
    activity = last_activity(snapshot)
    rows = _candidates(snapshot, settings, activity, now)
    idle_days = (now - activity[rows].astype(np.float64)) / DAY_SECONDS
    periods = compute_periods(idle_days, settings.older_than_days)
    moves = move_bases(
        snapshot, rows, -settings.decay_confidence * periods, -settings.decay_importance * periods
    )
    moved = find_moved(moves)
    return Decay(
        settings,
        candidate_count=len(rows),
        moves=moves.taken(moved),
        idle_days=idle_days[moved],
        periods=periods[moved],
    )


def plan_decay(snapshot: Snapshot, decay: Decay, *, now: int) -> Plan:
    """Write what a decay found. One undo step, one line in the changelog."""
    changes = plan_moves(
        snapshot, decay.moves, _reasons(decay.idle_days, decay.periods), decayed_at=now
    )
    count = len(changes)
    label = tr_n("Decay {count:,} memory", "Decay {count:,} memories", count, count=count)
    if not changes:
        return Plan(label, snapshot.brain_id, (), ())
    entry = LogEntry(
        "memory_decayed",
        "memory",
        changes[0].key.id,
        "Applied memory decay",
        {
            "decayed_count": count,
            "older_than_days": decay.settings.older_than_days,
            "max_link_count": decay.settings.max_link_count,
            **logged_moves(changes),
        },
    )
    return Plan(label, snapshot.brain_id, changes, (entry,))


def _candidates(
    snapshot: Snapshot, settings: DecaySettings, activity: Int64Array, now: int
) -> IntArray:
    # As a float, for a period longer than any clock, even one of infinitely many seconds.
    cutoff = max(now - float(np.floor(settings.older_than_days * DAY_SECONDS)), _FAR_PAST)
    old = (snapshot.memories.archived_at == NO_TIME) & (activity <= cutoff)
    old &= snapshot.link_counts[:, 0] <= settings.max_link_count
    rows = np.flatnonzero(old)
    rows = rows[np.argsort(activity[rows], kind="stable")]
    return rows[: settings.limit]


def _reasons(idle_days: FloatArray, periods: FloatArray) -> Sequence[str]:
    return [
        tr_n(
            "untouched for {days:.0f} days: {due:.3g} period",
            "untouched for {days:.0f} days: {due:.3g} periods",
            due,
            days=days,
            due=due,
        )
        for days, due in zip(idle_days.tolist(), periods.tolist(), strict=True)
    ]
