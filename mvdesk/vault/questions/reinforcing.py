"""What reinforcing a memory would do: who gains, who loses, and which way it came to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.graphs.relations import spread_weights
from mvdesk.records import RELATIONS
from mvdesk.vault.operations.reinforce import find_reinforcement
from mvdesk.vault.questions.fading import score_moves

if TYPE_CHECKING:
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.operations.reinforce import Reinforcement, ReinforceSettings
    from mvdesk.vault.snapshot import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class ReinforcingRun:
    """One preview, in the snapshot it was made for; `after` as if all of it were written.

    `ways` has for each of `found.moves` the rows from the seed to it and the relations between
    them: one of the shortest ways, over its strongest links. Both are for the moment
    `scored_at`.
    """

    snapshot: Snapshot
    found: Reinforcement
    scored_at: int
    scores: Scores
    after: Scores
    ways: tuple[tuple[tuple[int, ...], tuple[str, ...]], ...]

    def __len__(self) -> int:
        return len(self.found.moves)


def run_reinforcing(
    snapshot: Snapshot,
    scores: Scores,
    model: ScoreModel,
    memory_id: str,
    settings: ReinforceSettings,
    *,
    scored_at: int,
) -> ReinforcingRun:
    """Look at a reinforcement. `scores` are those of the snapshot at `scored_at`.

    Raises MemoryNotFound, or BadValue for a memory in the archive.
    """
    found = find_reinforcement(snapshot, memory_id, settings)
    after = score_moves(snapshot, scores, found.moves, model, scored_at)
    came_from = _find_ways(snapshot, found.seed, settings.hops)
    ways = tuple(_way(came_from, row) for row in found.moves.rows.tolist())
    return ReinforcingRun(snapshot, found, scored_at, scores, after, ways)


def _find_ways(snapshot: Snapshot, seed: int, hops: int) -> dict[int, tuple[int, str]]:
    """By memory the one before it on its way from the seed, and the link's relation."""
    links = snapshot.links
    active = np.append(snapshot.memories.archived_at == NO_TIME, False)  # for the row −1
    walked = np.flatnonzero(active[links.from_rows] & active[links.to_rows])
    one, other = links.from_rows[walked], links.to_rows[walked]
    relations = links.relations[walked]
    size = np.abs(spread_weights(relations))
    came_from: dict[int, tuple[int, str]] = {seed: (seed, "")}
    front = np.array([seed])
    for _ in range(hops):
        out, back = np.isin(one, front), np.isin(other, front)
        places = np.concatenate((np.flatnonzero(out), np.flatnonzero(back)))
        starts = np.concatenate((one[out], other[back]))
        ends = np.concatenate((other[out], one[back]))
        strongest = np.argsort(-size[places], kind="stable")
        reached = []
        for place in strongest.tolist():
            end = int(ends[place])
            if end not in came_from:
                came_from[end] = (int(starts[place]), _name(int(relations[places[place]])))
                reached.append(end)
        front = np.array(reached, dtype=np.intp)
    return came_from


def _name(relation: int) -> str:
    return RELATIONS[relation] if relation >= 0 else "related"


def _way(
    came_from: dict[int, tuple[int, str]], row: int
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    rows, relations = [row], []
    while (before := came_from[rows[-1]])[0] != rows[-1]:
        rows.append(before[0])
        relations.append(before[1])
    return tuple(reversed(rows)), tuple(reversed(relations))
