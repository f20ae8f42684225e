"""What moves between two sets of scores: ranks, counts, and the memories that move most."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.vault.questions.ordering import rank_by_score

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.snapshot import Snapshot

THRESHOLD: Final = 0.7
"""The score that a memory is said to cross, unless another is asked for."""

Reason = Literal["trust", "clamped", "others"]


@dataclass(frozen=True, slots=True)
class Mover:
    """A memory whose place in the list of active memories moves, best score first from 1.

    `reason` is "trust" when its own score moves, "clamped" when its source is tried but the
    score stays at 0 or 1, "others" when only others moved.
    """

    row: int
    rank_before: int
    rank_after: int
    score_before: float
    score_after: float
    reason: Reason

    @property
    def places(self) -> int:
        """How many places it moves, above 0 towards the top."""
        return self.rank_before - self.rank_after


@dataclass(frozen=True, slots=True)
class Movers:
    """Those that move most each way, the farthest first, ties by the better new place.

    `total` active memories are ranked; `rising` and `falling` are how many move at all.
    """

    kind: ScoreKind
    total: int
    rising: int
    falling: int
    up: tuple[Mover, ...]
    down: tuple[Mover, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """How many active memories of some sources move, by score.

    `crossing_up` reach the threshold, `crossing_down` leave it. `stuck` can't move: they are at
    0 or 1 before and after, however their raw sums move.
    """

    affected: int = 0
    up: int = 0
    down: int = 0
    crossing_up: int = 0
    crossing_down: int = 0
    stuck: int = 0


@dataclass(frozen=True, slots=True)
class MoveCounts:
    """The moves of all tried sources, and of each by its key."""

    kind: ScoreKind
    threshold: float
    whole: Moves
    by_source: Mapping[str, Moves]


def find_movers(
    snapshot: Snapshot,
    before: Scores,
    after: Scores,
    sources: Collection[str],
    *,
    kind: ScoreKind = "confidence",
    limit: int = 10,
) -> Movers:
    """Ranks before and after among all active memories, with the list's rule for ties.

    `sources` are the keys whose trust is tried (of two trials: those that differ).
    """
    rows = np.flatnonzero(snapshot.memories.archived_at == NO_TIME)
    scores = before.of(kind), after.of(kind)
    ranks = tuple(rank_by_score(one, rows) for one in scores)
    places = ranks[0] - ranks[1]
    up = _farthest(places, ranks[1], limit)
    down = _farthest(-places, ranks[1], limit)
    chosen = np.concatenate((up, down))
    tried = _is_tried(snapshot, chosen, sources)
    stuck = find_stuck(before, after, chosen, kind) & tried
    reasons = np.where(stuck, "clamped", "others")
    reasons[scores[0][chosen] != scores[1][chosen]] = "trust"
    made = [
        Mover(*row)
        for row in zip(
            chosen.tolist(),
            ranks[0][chosen].tolist(),
            ranks[1][chosen].tolist(),
            scores[0][chosen].tolist(),
            scores[1][chosen].tolist(),
            reasons.tolist(),
            strict=True,
        )
    ]
    count = np.count_nonzero
    return Movers(
        kind,
        len(rows),
        int(count(places > 0)),
        int(count(places < 0)),
        tuple(made[: len(up)]),
        tuple(made[len(up) :]),
    )


def count_moves(
    snapshot: Snapshot,
    before: Scores,
    after: Scores,
    sources: Collection[str],
    *,
    kind: ScoreKind = "confidence",
    threshold: float = THRESHOLD,
) -> MoveCounts:
    """What the tried sources do to their active memories."""
    active = snapshot.memories.archived_at == NO_TIME
    found: dict[str, Moves] = {}
    for key in sources:
        rows = snapshot.rows_of_source(key)
        found[key] = count_rows(before, after, rows[active[rows]], kind, threshold)
    return MoveCounts(kind, threshold, sum_moves(found.values()), MappingProxyType(found))


def count_rows(
    before: Scores, after: Scores, rows: IntArray, kind: ScoreKind, threshold: float
) -> Moves:
    """The moves of some rows."""
    columns = (before.of(kind), before.raw_of(kind), after.of(kind), after.raw_of(kind))
    old, old_raw, new, new_raw = (column[rows] for column in columns)
    return _count(old, old_raw, new, new_raw, np.True_, len(rows), threshold)


def count_marked(
    before: Scores, after: Scores, marks: BoolArray, kind: ScoreKind, threshold: float
) -> Moves:
    """The moves of the marked rows; both scores are of these rows and their neighbours alone."""
    columns = (before.of(kind), before.raw_of(kind), after.of(kind), after.raw_of(kind))
    return _count(*columns, marks, int(np.count_nonzero(marks)), threshold)


def _count(
    old: FloatArray,
    old_raw: FloatArray,
    new: FloatArray,
    new_raw: FloatArray,
    marks: BoolArray | np.bool_,
    affected: int,
    threshold: float,
) -> Moves:
    def count(found: BoolArray) -> int:
        return int(np.count_nonzero(found & marks))

    return Moves(
        affected=affected,
        up=count(new > old),
        down=count(new < old),
        crossing_up=count((old < threshold) & (new >= threshold)),
        crossing_down=count((old >= threshold) & (new < threshold)),
        stuck=count(_are_stuck(old, old_raw, new, new_raw)),
    )


def sum_moves(parts: Collection[Moves]) -> Moves:
    """The moves of several sources together; no memory has two."""
    return Moves(
        sum(one.affected for one in parts),
        sum(one.up for one in parts),
        sum(one.down for one in parts),
        sum(one.crossing_up for one in parts),
        sum(one.crossing_down for one in parts),
        sum(one.stuck for one in parts),
    )


def find_stuck(before: Scores, after: Scores, rows: IntArray, kind: ScoreKind) -> BoolArray:
    """Marks those of `rows` that stay at 0 or at 1 although their raw sums move."""
    old, new = before.of(kind)[rows], after.of(kind)[rows]
    return _are_stuck(old, before.raw_of(kind)[rows], new, after.raw_of(kind)[rows])


def _are_stuck(
    old: FloatArray, old_raw: FloatArray, new: FloatArray, new_raw: FloatArray
) -> BoolArray:
    stuck: BoolArray = (old == new) & ((new <= 0.0) | (new >= 1.0))
    stuck &= old_raw != new_raw
    return stuck


def _farthest(places: IntArray, ranks: IntArray, limit: int) -> IntArray:
    """The rows that move most places (above 0), ties by rank."""
    rows = np.flatnonzero(places > 0)
    keys = (-places[rows] << np.int64(32)) | ranks[rows]
    if len(rows) > limit:
        nearest = np.argpartition(keys, limit)[:limit]  # no two keys are equal
        rows, keys = rows[nearest], keys[nearest]
    return rows[np.argsort(keys)]


def _is_tried(snapshot: Snapshot, rows: IntArray, sources: Collection[str]) -> BoolArray:
    marks = [snapshot.source_key_of_row(row) in sources for row in rows.tolist()]
    return np.array(marks, dtype=np.bool_)
