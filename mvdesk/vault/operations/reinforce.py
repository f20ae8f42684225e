"""Reinforce: a memory gains base value, and what it is linked to gains with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.errors import BadValue, MemoryNotFound
from mvdesk.graphs.relations import spread_weights
from mvdesk.graphs.spread import spread_signal
from mvdesk.records import shortened
from mvdesk.vault.operations.bases import (
    BaseMoves,
    find_moved,
    logged_moves,
    move_bases,
    plan_moves,
)
from mvdesk.vault.plan import LogEntry, Plan
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.vault.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class ReinforceSettings:
    """How much the memory gains (base points), and how far and how strongly that spreads.

    `limit` memories at most change, those that gain or lose most first; `None` is no limit.
    """

    delta_confidence: float = 0.04
    delta_importance: float = 0.06
    spread: float = 0.35
    hops: int = 1
    limit: int | None = 300

    def clamped(self) -> ReinforceSettings:
        """The settings moved into the ranges that the server allows. All are finite."""
        return replace(
            self,
            delta_confidence=min(max(self.delta_confidence, -0.5), 0.5),
            delta_importance=min(max(self.delta_importance, -0.5), 0.5),
            spread=min(max(self.spread, 0), 1),
            hops=min(max(self.hops, 0), 3),
        )

    def without_limit(self) -> ReinforceSettings:
        """The settings under which everything that a signal reaches changes."""
        return replace(self, limit=None)


@dataclass(frozen=True, slots=True, eq=False)
class Reinforcement:
    """What reinforcing a memory moves, the largest change first; `hops` belongs to `moves.rows`."""

    settings: ReinforceSettings
    seed: int
    moves: BaseMoves
    hops: IntArray


def find_reinforcement(
    snapshot: Snapshot, memory_id: str, settings: ReinforceSettings
) -> Reinforcement:
    """What moves when a memory is reinforced under these settings (within their ranges).

    Archived memories neither pass on a signal nor get one. Follows vault.md, "Reinforce".
    Raises MemoryNotFound, or BadValue for a memory in the archive.
    """
    seed = _active_row(snapshot, memory_id)
    rows, signals, hops = _spread(snapshot, seed, settings.hops)
    # The seed's own share is whole; the rest get what spreads. In the server's order of
    # multiplication, and hop by hop: the last bit may decide the rounding.
    confidence = _deltas(settings.delta_confidence, settings.spread, rows, signals)
    importance = _deltas(settings.delta_importance, settings.spread, rows, signals)
    reached, first = np.unique(rows, return_index=True)
    order = np.argsort(first)
    reached, hops = reached[order], hops[first[order]]
    size = np.abs(confidence[reached]) + np.abs(importance[reached])
    largest = np.argsort(-size, kind="stable")[: settings.limit]
    reached, hops = reached[largest], hops[largest]
    moves = move_bases(snapshot, reached, confidence[reached], importance[reached])
    moved = find_moved(moves)
    return Reinforcement(settings, seed, moves.taken(moved), hops[moved])


def plan_reinforce(snapshot: Snapshot, found: Reinforcement) -> Plan:
    """Write what a reinforcement moves. One undo step, one line in the changelog."""
    changes = plan_moves(snapshot, found.moves, _reasons(found.hops))
    seed = snapshot.memories.ids.text(found.seed)
    label = tr("Reinforce {labels}", labels=shortened(snapshot.memories.labels.text(found.seed)))
    if not changes:
        return Plan(label, snapshot.brain_id, (), ())
    entry = LogEntry(
        "memory_reinforced",
        "memory",
        seed,
        "Reinforced memory graph",
        {
            "updated_count": len(changes),
            "spread_hops": found.settings.hops,
            "spread": found.settings.spread,
            **logged_moves(changes),
        },
    )
    return Plan(label, snapshot.brain_id, changes, (entry,))


def _active_row(snapshot: Snapshot, memory_id: str) -> int:
    row = snapshot.row_of(memory_id)
    if row is None:
        raise MemoryNotFound(
            tr("No memory has the id {memory_id!r}.", memory_id=memory_id),
            tr("Nothing was changed."),
            tr("It may have been deleted by another program; look at the list again."),
        )
    if snapshot.memories.archived_at[row] != NO_TIME:
        raise BadValue(
            "id",
            tr("{labels} is in the archive.", labels=shortened(snapshot.memories.labels.text(row))),
            tr("Restore it first, then reinforce it."),
        )
    return row


def _spread(snapshot: Snapshot, seed: int, hops: int) -> tuple[IntArray, FloatArray, IntArray]:
    """Every arrival of a signal: memory, signal, hop. The seed's own comes first, as 1."""
    links = snapshot.links
    active = np.append(snapshot.memories.archived_at == NO_TIME, False)  # for the row −1
    walked = active[links.from_rows] & active[links.to_rows]
    arrivals = spread_signal(
        links.from_rows[walked],
        links.to_rows[walked],
        spread_weights(links.relations[walked]),
        seed,
        hops=hops,
    )
    rows, signals = [np.array([seed], dtype=np.intp)], [np.ones(1)]
    at = [np.zeros(1, dtype=np.intp)]
    for hop, arrived in enumerate(arrivals, start=1):
        others = arrived.rows != seed  # what comes back to the seed travels on, no more
        rows.append(arrived.rows[others])
        signals.append(arrived.signals[others])
        at.append(np.full(int(others.sum()), hop, dtype=np.intp))
    return np.concatenate(rows), np.concatenate(signals), np.concatenate(at)


def _deltas(delta: float, spread: float, rows: IntArray, signals: FloatArray) -> FloatArray:
    """What every memory gains, by row of the memory table."""
    shares = delta * spread * signals
    shares[0] = delta
    deltas: FloatArray = np.bincount(rows, weights=shares).astype(np.float64)
    return deltas


def _reasons(hops: IntArray) -> Sequence[str]:
    words = {0: tr("reinforced"), 1: tr("1 link away")}
    return [words.get(hop, tr("{hop} links away", hop=hop)) for hop in hops.tolist()]
