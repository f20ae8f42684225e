"""Operations that move the base values of many memories at once, as decay and reinforce do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.rounding import round3_array
from mvdesk.vault.plan import MEMORIES, RowChange, RowKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.arrays import FloatArray, Int64Array, IntArray
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
) -> tuple[RowChange, ...]:
    """The row changes that write the moves, one `why` each.

    `decayed_at` is written as the time of the last decay. `updated_at` is guarded and stays.
    """
    table, rows = snapshot.memories, moves.rows
    columns: list[list[Any]] = [
        [table.ids.text(row) for row in rows.tolist()],
        [table.labels.text(row) for row in rows.tolist()],
        table.base_confidence[rows].tolist(),
        moves.confidence_after.tolist(),
        table.base_importance[rows].tolist(),
        moves.importance_after.tolist(),
        _times(table.updated_at[rows]),
        _times(table.last_decayed_at[rows]),
        list(why),
    ]
    changes: list[RowChange] = []
    for memory_id, label, c_before, c_after, i_before, i_after, updated, decayed, reason in zip(
        *columns, strict=True
    ):
        before: dict[str, Value] = {"confidence": c_before, "importance": i_before}
        after: dict[str, Value] = {"confidence": c_after, "importance": i_after}
        if decayed_at is not None:
            before["last_decayed_at"], after["last_decayed_at"] = decayed, decayed_at
        before["updated_at"] = after["updated_at"] = updated
        changes.append(RowChange(RowKey(MEMORIES, memory_id, label), before, after, reason))
    return tuple(changes)


def logged_moves(changes: Sequence[RowChange]) -> dict[str, object]:
    """Before and after of both bases by memory, for the changelog's payload."""
    return {
        "before": {change.key.id: _bases(change.before) for change in changes},
        "after": {change.key.id: _bases(change.after) for change in changes},
    }


def _bases(row: Mapping[str, Value] | None) -> dict[str, Value]:
    return {name: row[name] for name in ("confidence", "importance")} if row else {}


def _times(times: Int64Array) -> list[int | None]:
    return [None if at == NO_TIME else at for at in times.tolist()]
