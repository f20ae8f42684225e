"""What a plan would do to the scores, without writing it: the same arrays, one step ahead."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from mvdesk.records import Link
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.lookup import IdIndex
from mvdesk.vault.plan import LINKS, MEMORIES
from mvdesk.vault.refreshing import Splice, refresh_links, refresh_memories, refresh_sources
from mvdesk.vault.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.records import Memory, SourceTrust
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.plan import Plan, RowChange
    from mvdesk.vault.vault import Vault

_AT_ONCE: Final = 5_000


class ForeseeingCancelled(Exception):
    """Whoever asked doesn't wait for the answer any more."""


class NotForeseen(Exception):
    """The plan does more than edits, archiving, deletions and links, or too much at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Foreseen:
    """The memories of the brain whose scores a plan moves, as rows of the snapshot before.

    Deleted memories are not among them. The scores before and after belong to `rows`, all
    for the same moment.
    """

    rows: IntArray
    confidence_before: FloatArray
    confidence_after: FloatArray
    importance_before: FloatArray
    importance_after: FloatArray

    @classmethod
    def none(cls) -> Self:
        """No score moves."""
        scores = np.empty(0)
        return cls(np.empty(0, dtype=np.int64), scores, scores, scores, scores)

    def __len__(self) -> int:
        return len(self.rows)


def foresee(
    vault: Vault,
    snapshot: Snapshot,
    plan: Plan,
    model: ScoreModel,
    now: int,
    *,
    cancelled: Callable[[], bool] = lambda: False,
) -> Foreseen:
    """Which scores a plan moves, for the moment `now` both before and after.

    Raises NotForeseen for a plan of another kind, ForeseeingCancelled when `cancelled`
    says so.
    """
    after = snapshot_after(vault, snapshot, plan, cancelled=cancelled)
    old = evaluate(snapshot.inputs(model), model, now)
    new = evaluate(after.inputs(model), model, now)
    rows = _rows_left(snapshot, plan)
    moved = (old.confidence[rows] != new.confidence) | (old.importance[rows] != new.importance)
    places = np.flatnonzero(moved)
    rows = rows[places]
    return Foreseen(
        rows,
        old.confidence[rows],
        new.confidence[places],
        old.importance[rows],
        new.importance[places],
    )


def snapshot_after(
    vault: Vault,
    snapshot: Snapshot,
    plan: Plan,
    *,
    cancelled: Callable[[], bool] = lambda: False,
) -> Snapshot:
    """The snapshot that a plan would leave: scores as the one read after it was written."""
    edits: dict[str, dict[str, Any]] = {}
    gone: list[str] = []
    links: list[RowChange] = []
    for change in plan.changes:
        if change.key.table == LINKS:
            links.append(change)
        elif change.key.table != MEMORIES or change.before is None:
            raise NotForeseen
        elif change.after is None:
            gone.append(change.key.id)
        else:
            edits[change.key.id] = dict(change.written)
    trust, after, ids = vault.read_trust(), snapshot, list(edits)
    made_at = {key: row.pop("created_at") for key, row in edits.items() if "created_at" in row}
    if links:  # before the memories at their ends go
        after = _with_links(vault, after, links)
    for start in range(0, len(ids), _AT_ONCE):
        if cancelled():
            raise ForeseeingCancelled
        part = vault.read_memories(ids[start : start + _AT_ONCE])
        after = _with_memories(after, [replace(m, **edits[m.id]) for m in part], [], trust)
    after = _made_at(after, made_at)
    return _with_memories(after, [], gone, trust) if gone else after


def _with_memories(
    before: Snapshot,
    memories: Sequence[Memory],
    gone_ids: Sequence[str],
    trust: Sequence[SourceTrust],
) -> Snapshot:
    ids = [*gone_ids, *(memory.id for memory in memories)]
    rows = {int(row) for row in before.rows_of(ids) if row >= 0}
    refreshed = refresh_memories(before.memories, before.sources.texts, rows, memories)
    if refreshed is None:
        raise NotForeseen
    table, texts, splice = refreshed
    rows_of = before.rows_of if splice.keeps_rows else IdIndex(table.ids).rows_of
    links, counts = refresh_links(
        before.links, before.link_counts, (), (), rows_of, splice, len(table)
    )
    sources = refresh_sources(before.sources, texts, table, before.memories, trust)
    return Snapshot(before.brain_id, table, links, sources, counts)


def _made_at(before: Snapshot, times: Mapping[str, int]) -> Snapshot:
    """With other times of making; the rows stay where they are, out of the table's order."""
    if not times:
        return before
    rows = before.rows_of(list(times))
    there = rows >= 0
    made = before.memories.created_at.copy()
    made[rows[there]] = np.array(list(times.values()), dtype=made.dtype)[there]
    return replace(before, memories=replace(before.memories, created_at=made), _inputs={})


def _with_links(vault: Vault, before: Snapshot, changes: Sequence[RowChange]) -> Snapshot:
    made = {change.key.id for change in changes if change.before is None}
    changed = [c for c in changes if c.before is not None and c.after is not None]
    stored = vault.read_links_of(*{str(c.before["from_id"]) for c in changed if c.before})
    fresh = {link.id: link for link in stored}
    for change in changes:
        row: dict[str, Any] = dict(change.after or {})
        if change.key.id in made:
            fresh[change.key.id] = Link(**row)
        elif change.key.id in fresh and row:
            fresh[change.key.id] = replace(fresh[change.key.id], **row)
    ids = {change.key.id for change in changes}
    deleted = {change.key.id for change in changes if change.after is None}
    links, counts = refresh_links(
        before.links,
        before.link_counts,
        ids,
        [fresh[link_id] for link_id in ids - deleted if link_id in fresh],
        before.rows_of,
        Splice([], [], []),
        len(before.memories),
        made,
    )
    return replace(before, links=links, link_counts=counts, _inputs={})


def _rows_left(snapshot: Snapshot, plan: Plan) -> IntArray:
    """The rows of memories that the plan doesn't delete."""
    gone = [c.key.id for c in plan.changes if c.key.table == MEMORIES and c.after is None]
    left = np.ones(len(snapshot.memories), dtype=np.bool_)
    rows = snapshot.rows_of(gone)
    left[rows[rows >= 0]] = False
    return np.flatnonzero(left)
