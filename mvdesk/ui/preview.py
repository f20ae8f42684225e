"""The preview: trust values being tried out, as an overlay on the scores. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.scoring.engine import ScoreInputs, Scores, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import IntArray
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.snapshot import Snapshot

THRESHOLD: Final = 0.7


@dataclass(frozen=True, slots=True)
class Preview:
    """What is being tried out, and how many memories it moves.

    `trust` maps source keys to the tried value, `None` for "not set". `affected` are the
    memories of those sources; `up` and `down` those whose confidence moves; `crossing_up` and
    `crossing_down` those that pass 0.70; `clamped` those that can't move because their
    confidence is at the floor or the ceiling, `clamped_by_source` the same by source key.
    """

    trust: Mapping[str, float | None]
    affected: int = 0
    up: int = 0
    down: int = 0
    crossing_up: int = 0
    crossing_down: int = 0
    clamped: int = 0
    clamped_by_source: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_empty(self) -> bool:
        return not self.trust

    @property
    def crossing(self) -> int:
        return self.crossing_up + self.crossing_down


NO_PREVIEW: Final = Preview(MappingProxyType({}))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The memories of one source, and their scores at the trust tried last."""

    rows: IntArray
    inputs: ScoreInputs
    trust: float | None
    scores: Scores


class Overlay:
    """Scores under tried trust values: only the touched sources' rows are scored again."""

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

    def count(self, trust: Mapping[str, float | None]) -> Preview:
        """What the bar says about `trust`."""
        if not trust:
            return NO_PREVIEW
        parts = [self._part(key, value) for key, value in trust.items()]
        rows = np.concatenate([part.rows for part in parts])
        after = np.concatenate([part.scores.confidence for part in parts])
        raw = np.concatenate([part.scores.raw_confidence for part in parts])
        before, raw_before = self._committed.confidence[rows], self._committed.raw_confidence[rows]
        stuck = (after == before) & (raw != raw_before) & ((raw <= 0.0) | (raw >= 1.0))
        count = np.count_nonzero
        ends = np.cumsum([len(part.rows) for part in parts])
        by_source = {
            key: int(count(stuck[end - len(part.rows) : end]))
            for key, part, end in zip(trust, parts, ends.tolist(), strict=True)
        }
        return Preview(
            trust=MappingProxyType(dict(trust)),
            affected=len(rows),
            up=int(count(after > before)),
            down=int(count(after < before)),
            crossing_up=int(count((before < THRESHOLD) & (after >= THRESHOLD))),
            crossing_down=int(count((before >= THRESHOLD) & (after < THRESHOLD))),
            clamped=int(count(stuck)),
            clamped_by_source=MappingProxyType(by_source),
        )

    def _part(self, key: str, trust: float | None) -> _Part:
        part = self._parts.get(key)
        if part is not None and part.trust == trust:
            return part
        if part is None:
            rows = self._snapshot.rows_of_source(key)
            inputs = self._snapshot.inputs(self._model).taken(rows)
        else:
            rows, inputs = part.rows, part.inputs
        tried = np.full(len(rows), np.nan if trust is None else trust)
        scores = evaluate(inputs.with_trust(tried), self._model, self._now)
        part = self._parts[key] = _Part(rows, inputs, trust, scores)
        return part
