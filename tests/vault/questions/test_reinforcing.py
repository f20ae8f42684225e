"""Previews of a reinforcement: their scores and ways are those of what is written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.reinforce import ReinforceSettings, plan_reinforce
from mvdesk.vault.questions.reinforcing import ReinforcingRun, run_reinforcing
from tests.vault.made import NOW, link, memory, snapshot_of
from tests.vault.questions.test_fading import random_vault

if TYPE_CHECKING:
    from mvdesk.vault.snapshot import Snapshot


def run(snapshot: Snapshot, memory_id: str, settings: ReinforceSettings) -> ReinforcingRun:
    scores = evaluate(snapshot.inputs(SERVER_V2), SERVER_V2, NOW)
    return run_reinforcing(snapshot, scores, SERVER_V2, memory_id, settings, scored_at=NOW)


@pytest.mark.parametrize("part", range(10))
def test_scores_of_a_preview_are_those_after_writing_it(part: int) -> None:
    for seed in range(part * 20, part * 20 + 20):
        snapshot = random_vault(seed)
        table = snapshot.memories
        active = np.flatnonzero(table.archived_at == NO_TIME).tolist()
        if not active:
            continue
        hops = seed % 4
        settings = ReinforceSettings(hops=hops, limit=None)
        found = run(snapshot, table.ids.text(active[0]), settings)
        confidence, importance = table.base_confidence.copy(), table.base_importance.copy()
        for change in plan_reinforce(snapshot, found.found).changes:
            row, values = snapshot.row_of(change.key.id), change.written
            confidence[row] = values.get("confidence", confidence[row])
            importance[row] = values.get("importance", importance[row])
        after = snapshot.with_memories(
            replace(table, base_confidence=confidence, base_importance=importance)
        )
        scores = evaluate(after.inputs(SERVER_V2), SERVER_V2, NOW)
        for kind in ("confidence", "importance"):
            assert found.after.of(kind).tolist() == scores.of(kind).tolist()
        assert len(found) == len(found.ways)
        for place, (rows, relations) in enumerate(found.ways):
            assert rows[0] == active[0]
            assert rows[-1] == found.found.moves.rows[place]
            assert len(relations) == len(rows) - 1 <= hops
            assert len(rows) - 1 == found.found.hops[place]


def test_the_way_goes_over_the_strongest_link() -> None:
    snapshot = snapshot_of(
        [memory("seed"), memory("a"), memory("b"), memory("end")],
        [
            link("seed", "a"), link("b", "seed", "supports"), link("a", "end"),
            link("b", "end", "supports"), link("seed", "a", "contradicts"),
        ],
    )  # fmt: skip
    found = run(snapshot, "seed", ReinforceSettings(hops=2, limit=None))
    ways = dict(zip(found.found.moves.rows.tolist(), found.ways, strict=True))
    assert ways[0] == ((0,), ())
    assert ways[3] == ((0, 2, 3), ("supports", "supports"))


def test_an_unknown_relation_counts_as_related() -> None:
    snapshot = snapshot_of([memory("one"), memory("two")], [link("one", "two", "of_tomorrow")])
    found = run(snapshot, "one", ReinforceSettings(limit=None))
    assert found.ways[1] == ((0, 1), ("related",))
