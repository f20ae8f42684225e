"""Trust values laid over the stored ones: scores as if they were written. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.engine import ScoreInputs, Scores, evaluate
from mvdesk.vault.questions.movers import THRESHOLD, MoveCounts, count_rows, sum_moves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.snapshot import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The memories of one source, and their scores at the trust tried last.

    `active` are the rows that aren't archived.
    """

    rows: IntArray
    active: IntArray
    inputs: ScoreInputs
    trust: float | None
    scores: Scores


class Overlay:
    """Scores under tried trust values: only the touched sources' rows are scored again.

    `trust` maps source keys to the tried value everywhere, None for "not set".
    """

    def __init__(self, snapshot: Snapshot, model: ScoreModel, now: int, committed: Scores) -> None:
        self._snapshot = snapshot
        self._model = model
        self._now = now
        self._committed = committed
        self._parts: dict[str, _Part] = {}

    def rows_touched(self, trust: Mapping[str, float | None]) -> int:
        """How many memories a change of `trust` scores again."""
        total = 0
        for key, value in trust.items():
            part = self._parts.get(key)
            if part is None:
                total += len(self._snapshot.rows_of_source(key))
            elif part.trust != value:
                total += len(part.rows)
        return total

    def scores(self, trust: Mapping[str, float | None]) -> Scores:
        """All scores, those of the sources in `trust` as if it were stored."""
        if not trust:
            return self._committed
        parts = [self._part(key, value) for key, value in trust.items()]
        patched = {}
        for column in fields(Scores):
            values = getattr(self._committed, column.name).copy()
            for part in parts:
                values[part.rows] = getattr(part.scores, column.name)
            patched[column.name] = values
        return Scores(**patched)

    def count(
        self,
        trust: Mapping[str, float | None],
        scores: Scores,
        *,
        kind: ScoreKind = "confidence",
        threshold: float = THRESHOLD,
    ) -> MoveCounts:
        """What `trust` does to active memories; `scores` are those that it makes."""
        found = {
            key: count_rows(self._committed, scores, self._part(key, value).active, kind, threshold)
            for key, value in trust.items()
        }
        return MoveCounts(kind, threshold, sum_moves(found.values()), MappingProxyType(found))

    def _part(self, key: str, trust: float | None) -> _Part:
        part = self._parts.get(key)
        if part is not None and part.trust == trust:
            return part
        if part is None:
            rows = self._snapshot.rows_of_source(key)
            active = rows[self._snapshot.memories.archived_at[rows] == NO_TIME]
            inputs = self._snapshot.inputs(self._model).taken(rows)
        else:
            rows, active, inputs = part.rows, part.active, part.inputs
        tried = np.full(len(rows), np.nan if trust is None else trust)
        scores = evaluate(inputs.with_trust(tried), self._model, self._now)
        part = self._parts[key] = _Part(rows, active, inputs, trust, scores)
        return part


def trust_per_row(snapshot: Snapshot, trust: Mapping[str, float | None]) -> FloatArray:
    """The trust of every memory's source under tried values, NaN where it is "not set"."""
    places = {key: snapshot.key_index(key) for key in trust}
    changes = {place: trust[key] for key, place in places.items() if place is not None}
    return snapshot.trust_per_row(snapshot.sources.with_trust(changes) if changes else None)
