"""Operations that move the base values of many memories at once, as decay and reinforce do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.rounding import round3_array
from mvdesk.vault.plan import MEMORIES, ColumnChanges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import FloatArray, Int64Array, IntArray, StringColumn
    from mvdesk.vault.plan import Value
    from mvdesk.vault.snapshot import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class BaseMoves:
    """New base values for some rows of the memory table, each in [0, 1] at three decimals.

    The ones before are as stored, clamped to [0, 1] as every reader does.
    """

    rows: IntArray
    confidence_before: FloatArray
    confidence_after: FloatArray
    importance_before: FloatArray
    importance_after: FloatArray

    def __len__(self) -> int:
        return len(self.rows)

    def taken(self, places: IntArray) -> BaseMoves:
        """Some of the moves, by their places."""
        return BaseMoves(
            self.rows[places],
            self.confidence_before[places],
            self.confidence_after[places],
            self.importance_before[places],
            self.importance_after[places],
        )


def move_bases(
    snapshot: Snapshot, rows: IntArray, confidence_delta: FloatArray, importance_delta: FloatArray
) -> BaseMoves:
    """The bases of `rows` after adding the deltas, clamped and rounded to three decimals."""
    confidence = np.clip(snapshot.memories.base_confidence[rows], 0.0, 1.0)
    importance = np.clip(snapshot.memories.base_importance[rows], 0.0, 1.0)
    return BaseMoves(
        rows,
        confidence,
        round3_array(np.clip(confidence + confidence_delta, 0.0, 1.0)),
        importance,
        round3_array(np.clip(importance + importance_delta, 0.0, 1.0)),
    )


def find_moved(moves: BaseMoves) -> IntArray:
    """The places in `moves` where a base really becomes another."""
    moved = moves.confidence_before != moves.confidence_after
    moved |= moves.importance_before != moves.importance_after
    return np.flatnonzero(moved)


def plan_moves(
    snapshot: Snapshot, moves: BaseMoves, why: Sequence[str], *, decayed_at: int | None = None
) -> ColumnChanges:
    """The changes that write the moves, one `why` each.

    `decayed_at` is written as the time of the last decay. `updated_at` is guarded and stays.
    """
    table, rows = snapshot.memories, moves.rows
    names = ["confidence", "importance"]
    before = [table.base_confidence[rows].tolist(), table.base_importance[rows].tolist()]
    after = [moves.confidence_after.tolist(), moves.importance_after.tolist()]
    if decayed_at is not None:
        names.append("last_decayed_at")
        before.append(_times(table.last_decayed_at[rows]))
        after.append([decayed_at] * len(rows))
    updated_at = _times(table.updated_at[rows])
    return ColumnChanges(
        MEMORIES,
        _texts(table.ids, rows),
        _texts(table.labels, rows),
        list(why),
        (*names, "updated_at"),
        (*before, updated_at),
        (*after, updated_at),
    )


def logged_moves(changes: ColumnChanges) -> dict[str, object]:
    """Before and after of both bases, for the changelog's payload.

    By column, in the order of `memory_ids`: a line about a hundred thousand memories is a
    third as long as one that names the columns for each.
    """
    names = ("confidence", "importance")
    return {
        "memory_ids": changes.ids,
        "before": dict(zip(names, changes.before, strict=False)),
        "after": dict(zip(names, changes.after, strict=False)),
    }


def _texts(column: StringColumn, rows: IntArray) -> list[str]:
    """The texts of some rows; read in one go when they are many of the column."""
    if len(rows) * 4 < len(column):
        return [column.text(row) for row in rows.tolist()]
    texts = list(column)
    return [texts[row] or "" for row in rows.tolist()]


def _times(times: Int64Array) -> list[Value]:
    return [None if at == NO_TIME else at for at in times.tolist()]
