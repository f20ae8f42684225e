"""Upkeep in 200 random vaults: the preview comes true cell by cell, undo brings all back.

Decisions about conflicts, ways of looking after a memory and merges have theirs beside their
questions, as their previews tell scores and links as well.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.vault import brain_state, rules
from mvdesk.vault.operations.decay import DecaySettings, plan_decay
from mvdesk.vault.operations.edit import plan_edit
from mvdesk.vault.operations.forget import plan_archive, plan_delete, plan_restore
from mvdesk.vault.operations.policy import RANGES, plan_set_policy
from mvdesk.vault.operations.reinforce import ReinforceSettings, plan_reinforce
from mvdesk.vault.operations.snapshots import plan_snapshot
from mvdesk.vault.plan import MEMORIES
from mvdesk.vault.questions.fading import run_fading
from mvdesk.vault.questions.reinforcing import run_reinforcing
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.snapshot_restoring import preview_restore
from mvdesk.vault.vault import Vault
from tests.vault.tuned import NOW, make_tuned_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.snapshot import Snapshot

    Cells = dict[tuple[str, str], dict[str, object]]
    # The plan, and the scores that the preview promised, where it tells any.
    Preview = tuple[Plan, Scores | None]

VAULTS = 200
BATCHES = 8
AT_ONCE = 3
"""Of the operations so many are done in each vault, one after the other."""
KEYS = {
    "memories": "id",
    "memory_links": "id",
    "brain_source_trust": "id",
    "brain_policies": "brain_id",
    "brain_snapshots": "id",
    "memory_conflict_resolutions": "id",
    "memory_entity_aliases": "id",
}


def scores_of(snapshot: Snapshot) -> Scores:
    return evaluate(snapshot.inputs(SERVER_V2), SERVER_V2, NOW)


def some_ids(snapshot: Snapshot, rng: random.Random, *, archived: bool) -> list[str]:
    table = snapshot.memories
    rows = np.flatnonzero((table.archived_at != NO_TIME) == archived).tolist()
    return [table.ids.text(row) for row in rng.sample(rows, min(len(rows), rng.randint(1, 4)))]


def decay(vault: Vault, snapshot: Snapshot, rng: random.Random) -> Preview:
    """As the window does: of what a dry run found, what is ticked."""
    settings = DecaySettings(rng.choice((5, 30, 200)), rng.choice((1, 9)), limit=None)
    run = run_fading(snapshot, scores_of(snapshot), SERVER_V2, settings, now=NOW, scored_at=NOW)
    ticked = np.array([rng.random() < 0.7 for _ in range(len(run))], dtype=np.bool_)
    promised = scores_of(snapshot)
    rows = run.decay.moves.rows[ticked]
    promised.confidence[rows] = run.faded.confidence[rows]
    promised.importance[rows] = run.faded.importance[rows]
    return plan_decay(snapshot, run.taken(ticked), now=NOW), promised


def reinforce(vault: Vault, snapshot: Snapshot, rng: random.Random) -> Preview:
    settings = ReinforceSettings(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.random(),
                                 rng.randint(0, 3), limit=None)  # fmt: skip
    seed = some_ids(snapshot, rng, archived=False)[0]
    scores = scores_of(snapshot)
    run = run_reinforcing(snapshot, scores, SERVER_V2, seed, settings, scored_at=NOW)
    return plan_reinforce(snapshot, run.found), run.after


def archive(vault: Vault, snapshot: Snapshot, rng: random.Random) -> Preview:
    ids = some_ids(snapshot, rng, archived=False)
    return plan_archive(vault.read_memories(ids), brain_id=vault.brain.id, now=NOW), None


def bring_back(vault: Vault, snapshot: Snapshot, rng: random.Random) -> Preview:
    ids = some_ids(snapshot, rng, archived=True)
    return plan_restore(vault.read_memories(ids), brain_id=vault.brain.id, now=NOW), None


def delete(vault: Vault, snapshot: Snapshot, rng: random.Random) -> Preview:
    ids = some_ids(snapshot, rng, archived=rng.random() < 0.3)
    links = vault.read_links_of(*ids)
    return plan_delete(vault.read_memories(ids), links, brain_id=vault.brain.id), None


def set_rules(vault: Vault, snapshot: Snapshot, rng: random.Random) -> Preview:
    names = rng.sample(sorted(RANGES), 3)
    wanted = {name: rng.choice(RANGES[name]) for name in names}
    stored = rules.read_policy(vault)
    return plan_set_policy(stored, wanted, brain_id=vault.brain.id, now=NOW), None


def restore_snapshot(vault: Vault, snapshot: Snapshot, rng: random.Random) -> Preview:
    """One taken before a memory was edited, others deleted, and a rule changed."""
    with brain_state.stream_brain(vault) as brain:
        taken = plan_snapshot(
            brain,
            brain_state.read_snapshots(vault),
            include_archived=rng.random() < 0.7,
            now=NOW,
            snapshot_id="taken",
        )
    vault.apply(taken, now=NOW)
    vault.apply(delete(vault, snapshot, rng)[0], now=NOW)
    vault.apply(set_rules(vault, snapshot, rng)[0], now=NOW)
    left = read_snapshot(vault)
    edited = vault.read_memory(rng.choice([left.memories.ids.text(row) for row in range(3)]))
    vault.apply(plan_edit(edited, {"content": "Written since."}, now=NOW), now=NOW)
    numbers = count(1)
    restore = preview_restore(
        vault,
        brain_state.read_snapshots(vault)[0],
        rng.choice(("merge", "replace")),
        restore_policy=rng.random() < 0.5,
        restore_trust=rng.random() < 0.5,
        now=NOW,
        new_id=lambda: f"made-{next(numbers)}",
    )
    return restore.plan, None


OPERATIONS = (decay, reinforce, archive, bring_back, delete, set_rules, restore_snapshot)


def read_cells(db: sqlite3.Connection) -> Cells:
    """Every row of the tables that plans write, by table and key."""
    found: Cells = {}
    for table, key in KEYS.items():
        for row in db.execute(f"SELECT * FROM {table}"):
            found[table, row[key]] = dict(row)
    return found


def promised_cells(before: Cells, plan: Plan) -> Cells:
    after = {key: dict(row) for key, row in before.items()}
    for change in plan.changes:
        key = (change.key.table, change.key.id)
        if change.after is None:
            del after[key]
        else:
            after[key] = {**after.get(key, {}), **change.after}
    return after


def check(
    vault: Vault,
    db: sqlite3.Connection,
    operation: Callable[[Vault, Snapshot, random.Random], Preview],
    rng: random.Random,
) -> bool:
    """Whether anything was written."""
    plan, scores = operation(vault, read_snapshot(vault), rng)
    before = read_cells(db)
    vault.apply(plan, now=NOW)
    after = read_cells(db)
    expected = promised_cells(before, plan)
    assert after.keys() == expected.keys()
    for key, row in expected.items():  # a made row has the table's defaults besides
        assert {name: after[key][name] for name in row} == row
    if scores is not None:
        told, found = scores, scores_of(read_snapshot(vault))
        assert found.confidence.tolist() == told.confidence.tolist()
        assert found.importance.tolist() == told.importance.tolist()
    if plan.is_empty:
        assert after == before
        return False
    vault.undo(now=NOW + 1)
    assert read_cells(db) == before
    assert all(change.key.table != MEMORIES or change.why for change in plan.changes)
    return True


@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_is_previewed_is_written_and_taken_back(many_files: Path, batch: int) -> None:
    written = dict.fromkeys(OPERATIONS, 0)
    seeds = range(batch * VAULTS // BATCHES, (batch + 1) * VAULTS // BATCHES)
    for seed in seeds:
        rng = random.Random(seed)
        path = many_files / f"{seed}.sqlite"
        make_tuned_vault(path, seed, memories=12)
        with (
            Vault.open(path, data_folder=many_files) as vault,
            closing(sqlite3.connect(path)) as db,
        ):
            db.row_factory = sqlite3.Row
            for operation in rng.sample(OPERATIONS, AT_ONCE):
                written[operation] += check(vault, db, operation, rng)
    assert all(many > 2 for many in written.values()), written
