"""Which memories want a second look: important ones that are unsure, stale and alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.rounding import round3_array

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.vault.snapshot import Snapshot

DAY_SECONDS: Final = 86_400
_STALE_DAYS: Final = 90
_FAR_PAST: Final = float(np.iinfo(np.int64).min)


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """Thresholds on the base values and on the age; `limit` None lists all."""

    min_importance: float = 0.4
    min_age_days: float = 7
    max_confidence: float = 0.8
    limit: int | None = 15

    def clamped(self) -> ReviewSettings:
        """The settings moved into the ranges that the server allows. All are finite."""
        return replace(
            self,
            min_importance=min(max(self.min_importance, 0), 1),
            min_age_days=max(0, self.min_age_days),
            max_confidence=min(max(self.max_confidence, 0), 1),
            limit=None if self.limit is None else min(max(self.limit, 1), 50),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ReviewQueue:
    """Rows of the memory table, the most urgent first, with what makes them so.

    `urgency` is rounded to three decimals; the four signals it is the sum of are not.
    `scanned_count` is how many are important and old enough, sure ones too.
    """

    settings: ReviewSettings
    scanned_count: int
    rows: IntArray
    urgency: FloatArray
    age_days: FloatArray
    idle_days: FloatArray
    importance_signal: FloatArray
    confidence_gap: FloatArray
    staleness_signal: FloatArray
    isolation_signal: FloatArray


def find_review_queue(snapshot: Snapshot, settings: ReviewSettings, *, now: int) -> ReviewQueue:
    """The memories to review under these settings (within their ranges).

    Follows vault.md, "Review queue". The server looks at the 500 longest untouched only;
    here all are.
    """
    table = snapshot.memories
    importance = np.clip(table.base_importance, 0.0, 1.0)
    confidence = np.clip(table.base_confidence, 0.0, 1.0)
    cutoff = max(now - float(np.floor(settings.min_age_days * DAY_SECONDS)), _FAR_PAST)
    scanned = (table.archived_at == NO_TIME) & (table.base_importance >= settings.min_importance)
    scanned &= table.created_at <= cutoff
    rows = np.flatnonzero(scanned & (confidence <= settings.max_confidence))
    rows = rows[np.argsort(table.updated_at[rows], kind="stable")]
    seen_at = np.maximum(table.updated_at[rows], table.last_accessed_at[rows])
    idle = (now - seen_at.astype(np.float64)) / DAY_SECONDS
    signals = (
        importance[rows] * 0.35,
        (1 - confidence[rows]) * 0.25,
        np.minimum(idle / _STALE_DAYS, 1) * 0.25,
        1 / (1 + snapshot.link_counts[rows, 0]) * 0.15,
    )
    urgency = round3_array(signals[0] + signals[1] + signals[2] + signals[3])
    order = np.argsort(-urgency, kind="stable")[: settings.limit]
    age = (now - table.created_at[rows].astype(np.float64)) / DAY_SECONDS
    return ReviewQueue(
        settings,
        int(scanned.sum()),
        rows[order],
        urgency[order],
        age[order],
        idle[order],
        *(signal[order] for signal in signals),
    )
