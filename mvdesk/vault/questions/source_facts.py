"""Every source in numbers: how much hangs on it, how its memories score, how far it can go."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.vault.questions.distribution import thousandths_of
from mvdesk.vault.questions.grouped_rows import GroupedRows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import BoolArray, FloatArray, Int64Array, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.snapshot import Snapshot

NEUTRAL: Final = 0.5
"""What a source counts as that is not set."""
_PERCENTS: Final = (5, 50, 95)
_CONTRADICTS: Final = 2
"""The column of contradicting links in `Snapshot.link_counts`."""

_Column = TypeVar("_Column", bound=np.ndarray)


class Spelling(NamedTuple):
    """One way in which memories write a source, and how many do, archived ones too."""

    text: str
    memories: int


@dataclass(frozen=True, slots=True, eq=False)
class Spreads:
    """The scores of each source's active memories: means and percentiles, NaN without any.

    A percentile is the score of a memory (nearest rank).
    """

    mean: FloatArray
    low: FloatArray  # 5 %
    median: FloatArray
    high: FloatArray  # 95 %

    def patched(self, places: IntArray, values: Spreads) -> Spreads:
        """The same with other values at some places."""
        return Spreads(
            *(
                _patched(getattr(self, column.name), places, getattr(values, column.name))
                for column in fields(self)
            )
        )


@dataclass(frozen=True, slots=True, eq=False)
class SourceFacts:
    """One entry per source in every column, in the order of `keys` (`SourceTable.keys`).

    `active` and `archived` are numbers of memories. `stored` is the trust in the file, `trust`
    the one that counts now, tried or stored; NaN is "not set". `contradicted` active memories
    have a contradicting link or are in an open conflict as stored. `last_used` is the latest
    time at which a memory was made, edited or recalled, archived ones too, `NO_TIME` without
    any.

    `movable` are the active memories whose confidence another trust can still move, and
    `leverage` is how far: the confidence points that all of them together move when the trust
    goes to the end of its scale that moves them most. Without a clamped memory that is their
    number × the distance to that end × what trust counts for; a clamped one adds the part of
    the way that is left to it, which may be nothing. `unsourced` active memories name no
    source at all.
    """

    keys: tuple[str, ...]
    notes: tuple[str | None, ...]
    active: Int64Array
    archived: Int64Array
    stored: FloatArray
    trust: FloatArray
    confidence: Spreads
    importance: Spreads
    contradicted: Int64Array
    last_used: Int64Array
    movable: Int64Array
    leverage: FloatArray
    unsourced: int
    _rows: GroupedRows
    _model: ScoreModel

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def contradicted_share(self) -> FloatArray:
        """Per source the part of its active memories that is contradicted, 0 without any."""
        return self.contradicted / np.maximum(self.active, 1)

    def active_rows(self, index: int) -> IntArray:
        """The active memories of a source, ascending."""
        return self._rows.of_source(index)

    def with_scores(self, scores: Scores, trust: Mapping[str, float | None]) -> SourceFacts:
        """The facts as they are under tried trust values that made `scores`.

        Only the sources that are in `trust`, or whose trust was tried before, are measured.
        """
        wanted = self.stored.copy()
        for key, value in trust.items():
            index = bisect_left(self.keys, key)
            if self.keys[index : index + 1] == (key,):
                wanted[index] = np.nan if value is None else value
        moved = np.flatnonzero(~_same(wanted, self.trust))
        if not len(moved):
            return self
        part = self._rows.taken(moved)
        movable, leverage = _find_reach(part, scores, wanted[moved], self._model)
        return replace(
            self,
            trust=wanted,
            confidence=self.confidence.patched(moved, _find_spreads(part, scores, "confidence")),
            importance=self.importance.patched(moved, _find_spreads(part, scores, "importance")),
            movable=_patched(self.movable, moved, movable),
            leverage=_patched(self.leverage, moved, leverage),
        )

    def with_conflicts(self, snapshot: Snapshot, conflicting: IntArray) -> SourceFacts:
        """The same with the memories in open conflicts, `ConflictIndex.open_rows`, counted."""
        return replace(self, contradicted=_contradicted(snapshot, self._rows, conflicting))


def find_source_facts(
    snapshot: Snapshot,
    scores: Scores,
    model: ScoreModel,
    *,
    trust: Mapping[str, float | None] | None = None,
    conflicting: IntArray | None = None,
) -> SourceFacts:
    """All facts about all sources. `scores` are made by `trust` where some is tried.

    `conflicting` are the rows in open conflicts (`ConflictIndex.open_rows`), where known:
    without them only contradicting links count.
    """
    memories, sources = snapshot.memories, snapshot.sources
    active = memories.archived_at == NO_TIME
    keys = np.append(sources.text_keys, np.int32(-1))[memories.source_rows]
    every = GroupedRows.of(keys, np.flatnonzero(keys >= 0), len(sources.keys))
    rows = GroupedRows.of(keys, np.flatnonzero(active & (keys >= 0)), len(sources.keys))
    last_used = np.maximum(memories.created_at, memories.updated_at)
    last_used = np.maximum(last_used, memories.last_accessed_at)
    movable, leverage = _find_reach(rows, scores, sources.trust, model)
    facts = SourceFacts(
        keys=sources.keys,
        notes=sources.notes,
        active=rows.counts,
        archived=every.counts - rows.counts,
        stored=sources.trust,
        trust=sources.trust,
        confidence=_find_spreads(rows, scores, "confidence"),
        importance=_find_spreads(rows, scores, "importance"),
        contradicted=_contradicted(snapshot, rows, conflicting),
        last_used=every.latest(last_used),
        movable=movable,
        leverage=leverage,
        unsourced=int(np.count_nonzero(active & (keys < 0))),
        _rows=rows,
        _model=model,
    )
    return facts.with_scores(scores, trust) if trust else facts


def find_spellings(snapshot: Snapshot) -> dict[str, tuple[Spelling, ...]]:
    """How memories write each source, by key: the commonest spelling first."""
    sources = snapshot.sources
    rows = snapshot.memories.source_rows
    counts = np.bincount(rows[rows >= 0], minlength=len(sources.texts)).tolist()
    found: dict[str, list[Spelling]] = {}
    for text, key, count in zip(sources.texts, sources.text_keys.tolist(), counts, strict=True):
        if key >= 0:
            found.setdefault(sources.keys[key], []).append(Spelling(text or "", count))
    return {
        key: tuple(sorted(spellings, key=lambda one: (-one.memories, one.text)))
        for key, spellings in found.items()
    }


def _contradicted(
    snapshot: Snapshot, rows: GroupedRows, conflicting: IntArray | None
) -> Int64Array:
    marks = snapshot.link_counts[:, _CONTRADICTS] > 0
    if conflicting is not None:
        marks[conflicting] = True
    return rows.sums(marks[rows.rows]).astype(np.int64)


def _find_spreads(rows: GroupedRows, scores: Scores, kind: ScoreKind) -> Spreads:
    values = thousandths_of(scores.of(kind)[rows.rows])
    sums = rows.sums(values)
    packed = (rows.groups << 10) | values
    packed.sort()
    values = packed & 1023
    used = rows.counts > 0
    counts, starts = rows.counts[used], rows.starts[used]

    def spread(found: FloatArray) -> FloatArray:
        column = np.full(len(used), np.nan)
        column[used] = found
        return column

    places = [starts + (-(-percent * counts // 100) - 1) for percent in _PERCENTS]
    mean = sums[used] / counts / 1000
    return Spreads(spread(mean), *(spread(values[place] / 1000) for place in places))


def _find_reach(
    rows: GroupedRows, scores: Scores, trust: FloatArray, model: ScoreModel
) -> tuple[Int64Array, FloatArray]:
    """How many memories of each source another trust can move, and how far altogether."""
    raw = scores.raw_confidence[rows.rows]
    now = np.clip(raw, 0.0, 1.0)
    trust = np.where(np.isnan(trust), NEUTRAL, trust)[rows.groups]
    gain = np.clip(raw + (1.0 - trust) * model.trust_confidence, 0.0, 1.0) - now
    loss = now - np.clip(raw - trust * model.trust_confidence, 0.0, 1.0)
    movable = rows.sums((gain > 0.0) | (loss > 0.0)).astype(np.int64)
    return movable, np.maximum(rows.sums(gain), rows.sums(loss))


def _patched(column: _Column, places: IntArray, values: _Column) -> _Column:
    patched = column.copy()
    patched[places] = values
    return patched


def _same(one: FloatArray, other: FloatArray) -> BoolArray:
    same: BoolArray = (one == other) | (np.isnan(one) & np.isnan(other))
    return same
