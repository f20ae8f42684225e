"""Trust values laid over the stored ones: scores as if they were written. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.engine import Scores
from mvdesk.scoring.trying import TrustTrial
from mvdesk.vault.questions.movers import THRESHOLD, MoveCounts, count_marked, sum_moves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.snapshot import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The memories of one source, ready for one trust after another.

    `active` marks those that aren't archived, `committed` are their stored scores, `scores`
    those at the trust tried last.
    """

    rows: IntArray
    active: BoolArray
    committed: Scores
    trial: TrustTrial
    trust: float | None
    scores: Scores


class PatchedScores(Scores):
    """Scores of which some rows are others: a column is made when somebody asks for it.

    `base` are the scores of all other rows, `patched_rows` the rows of each tried source.
    """

    __slots__ = ("_made", "_parts", "base", "patched_rows")

    base: Scores
    patched_rows: tuple[IntArray, ...]
    _parts: tuple[Scores, ...]
    _made: dict[str, FloatArray]

    def __init__(
        self, base: Scores, patched_rows: tuple[IntArray, ...], parts: tuple[Scores, ...]
    ) -> None:
        for name, value in (
            ("base", base),
            ("patched_rows", patched_rows),
            ("_parts", parts),
            ("_made", {}),
        ):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.base)

    @property
    def confidence(self) -> FloatArray:
        return self._column("confidence")

    @property
    def importance(self) -> FloatArray:
        return self._column("importance")

    @property
    def raw_confidence(self) -> FloatArray:
        return self._column("raw_confidence")

    @property
    def raw_importance(self) -> FloatArray:
        return self._column("raw_importance")

    def _column(self, name: str) -> FloatArray:
        made = self._made.get(name)
        if made is None:
            made = getattr(self.base, name).copy()
            for rows, part in zip(self.patched_rows, self._parts, strict=True):
                made[rows] = getattr(part, name)
            made = self._made.setdefault(name, made)  # two threads may ask at once
        return made


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
        rows, scores = (tuple(part.rows for part in parts), tuple(part.scores for part in parts))
        return PatchedScores(self._committed, rows, scores)

    def count(
        self,
        trust: Mapping[str, float | None],
        *,
        kind: ScoreKind = "confidence",
        threshold: float = THRESHOLD,
    ) -> MoveCounts:
        """What `trust` does to active memories."""
        parts = {key: self._part(key, value) for key, value in trust.items()}
        found = {
            key: count_marked(part.committed, part.scores, part.active, kind, threshold)
            for key, part in parts.items()
        }
        return MoveCounts(kind, threshold, sum_moves(found.values()), MappingProxyType(found))

    def _part(self, key: str, trust: float | None) -> _Part:
        part = self._parts.get(key)
        if part is None:
            part = self._make_part(key, trust)
        elif part.trust != trust:
            part = replace(part, trust=trust, scores=part.trial.scores(trust))
        self._parts[key] = part
        return part

    def _make_part(self, key: str, trust: float | None) -> _Part:
        rows = self._snapshot.rows_of_source(key)
        active = self._snapshot.memories.archived_at[rows] == NO_TIME
        committed = Scores(
            *(getattr(self._committed, column.name)[rows] for column in fields(Scores))
        )
        inputs = self._snapshot.inputs(self._model).taken(rows)
        trial = TrustTrial(inputs, self._model, self._now)
        return _Part(rows, active, committed, trial, trust, trial.scores(trust))


def trust_per_row(snapshot: Snapshot, trust: Mapping[str, float | None]) -> FloatArray:
    """The trust of every memory's source under tried values, NaN where it is "not set"."""
    places = {key: snapshot.key_index(key) for key in trust}
    changes = {place: trust[key] for key, place in places.items() if place is not None}
    return snapshot.trust_per_row(snapshot.sources.with_trust(changes) if changes else None)
