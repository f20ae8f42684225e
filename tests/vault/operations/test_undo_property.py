"""Whatever is done: the file gets what the preview showed, and undo brings every cell back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mvdesk.errors import BadValue
from mvdesk.records import RESOLUTION_STATUSES
from mvdesk.vault import rules
from mvdesk.vault.operations.conflicts import find_resolution, plan_resolve
from mvdesk.vault.operations.decay import DecaySettings, find_decay, plan_decay
from mvdesk.vault.operations.forget import plan_archive, plan_delete, plan_restore
from mvdesk.vault.operations.merge import plan_merge
from mvdesk.vault.operations.policy import RANGES, plan_set_policy
from mvdesk.vault.operations.reinforce import (
    ReinforceSettings,
    find_reinforcement,
    plan_reinforce,
)
from mvdesk.vault.snapshot import read_snapshot, refresh_snapshot
from tests.vault.made import NOW
from tests.vault.recorded import recorded_brain

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.plan import Plan
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

rows = st.integers(0, len(recorded_brain()) - 1)
some_rows = st.lists(rows, min_size=1, max_size=5, unique=True)
share = st.floats(-0.5, 0.5)

operations = st.one_of(
    st.builds(
        DecaySettings,
        older_than_days=st.floats(0, 900),
        max_link_count=st.integers(0, 40),
        decay_confidence=st.floats(0, 0.5),
        decay_importance=st.floats(0, 0.5),
        limit=st.none() | st.integers(1, 300),
    ),
    st.tuples(
        rows,
        st.builds(
            ReinforceSettings,
            delta_confidence=share,
            delta_importance=share,
            spread=st.floats(0, 1),
            hops=st.integers(0, 3),
        ),
    ),
    st.tuples(st.just("resolve"), some_rows, st.sampled_from(RESOLUTION_STATUSES), st.booleans()),
    st.tuples(st.sampled_from(("merge", "archive", "restore", "delete")), some_rows),
    st.dictionaries(st.sampled_from(sorted(RANGES)), st.integers(1, 6), min_size=1),
)


def plan_of(operation: object, vault: Vault, snapshot: Snapshot) -> Plan:
    numbers = count(1)

    def new_id() -> str:
        return f"made-{next(numbers)}"

    if isinstance(operation, DecaySettings):
        return plan_decay(snapshot, find_decay(snapshot, operation, now=NOW), now=NOW)
    if isinstance(operation, dict):
        stored = rules.read_policy(vault)
        return plan_set_policy(stored, operation, brain_id=vault.brain.id, now=NOW)
    kind, *asked = operation
    if isinstance(kind, int):
        seed = snapshot.memories.ids.text(kind)
        return plan_reinforce(snapshot, find_reinforcement(snapshot, seed, asked[0]))
    ids = [snapshot.memories.ids.text(row) for row in asked[0]]
    memories, links = vault.read_memories(ids), vault.read_links_of(*ids)
    if kind == "merge":
        return plan_merge(memories, links, now=NOW, new_id=new_id)
    if kind == "delete":
        return plan_delete(memories, links, brain_id=vault.brain.id)
    if kind == "resolve":
        one, other = memories[0], memories[-1]
        stored = find_resolution(rules.read_resolutions(vault), one.id, other.id)
        options = {"canonical_id": other.id, "retire": asked[2], "stored": stored}
        return plan_resolve(one, other, asked[1], links=links, now=NOW, new_id=new_id, **options)
    plan = plan_archive if kind == "archive" else plan_restore
    return plan(memories, brain_id=vault.brain.id, now=NOW)


def cells(path: Path) -> dict[tuple[str, str], dict[str, object]]:
    """Every row of the tables that plans write, by table and key."""
    keys = {"brain_policies": "brain_id"}
    found: dict[tuple[str, str], dict[str, object]] = {}
    with closing(sqlite3.connect(path)) as conn:
        conn.row_factory = sqlite3.Row
        for table in ("memories", "memory_links", "memory_conflict_resolutions", "brain_policies"):
            for row in conn.execute(f"SELECT * FROM {table}"):
                found[table, row[keys.get(table, "id")]] = dict(row)
    return found


def promised(before: dict, plan: Plan) -> dict:
    """What the preview says the tables will hold."""
    after = {key: dict(row) for key, row in before.items()}
    for change in plan.changes:
        key = (change.key.table, change.key.id)
        if change.after is None:
            del after[key]
        else:
            after.setdefault(key, {}).update(change.after)
    return after


@given(operation=operations)
@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_the_file_gets_what_the_preview_showed_and_undo_brings_it_all_back(
    server: Vault, contents: Callable[[Path], dict], operation: object
) -> None:
    untouched, before = contents(server.path), cells(server.path)
    snapshot = read_snapshot(server)
    try:
        plan = plan_of(operation, server, snapshot)
    except BadValue:
        assert contents(server.path) == untouched
        return
    changes = server.apply(plan, now=NOW)
    after, expected = cells(server.path), promised(before, plan)
    assert after.keys() == expected.keys()
    for key, row in expected.items():
        # A made row takes the table's defaults for what the plan leaves out.
        assert {name: after[key][name] for name in row} == row
    refreshed, whole = refresh_snapshot(server, snapshot, changes), read_snapshot(server)
    for name in ("base_confidence", "base_importance", "archived_at", "last_decayed_at"):
        assert getattr(refreshed.memories, name).tolist() == getattr(whole.memories, name).tolist()
    assert refreshed.link_counts.tolist() == whole.link_counts.tolist()
    if plan.is_empty:
        assert contents(server.path) == untouched
        return
    assert contents(server.path) != untouched
    label, _ = server.undo(now=NOW + 5)
    assert label == plan.label
    assert contents(server.path) == untouched
    server.redo(now=NOW + 6)
    assert cells(server.path) == after
    server.undo(now=NOW + 7)
    assert contents(server.path) == untouched


def test_a_preview_writes_nothing(server: Vault, contents: Callable[[Path], dict]) -> None:
    digest = server.path.read_bytes()
    snapshot = read_snapshot(server)
    assert not plan_of(DecaySettings(older_than_days=0), server, snapshot).is_empty
    assert not plan_of((20, ReinforceSettings(hops=3)), server, snapshot).is_empty
    assert not plan_of(("merge", [1, 2, 3]), server, snapshot).is_empty
    assert server.path.read_bytes() == digest


def test_a_memory_that_changed_since_the_preview_stops_the_whole_step(
    server: Vault, run_sql: Callable[..., list], contents: Callable[[Path], dict]
) -> None:
    plan = plan_of(DecaySettings(older_than_days=0), server, read_snapshot(server))
    last = plan.changes[-1].key
    run_sql(
        server.path, ("UPDATE memories SET updated_at = updated_at + 1 WHERE id = ?", (last.id,))
    )
    changed = contents(server.path)
    with pytest.raises(Exception, match="changed by another program") as stopped:
        server.apply(plan, now=NOW)
    assert type(stopped.value).__name__ == "VaultChanged"
    assert contents(server.path) == changed


def test_a_recall_since_the_preview_stops_nothing(
    server: Vault, run_sql: Callable[..., list]
) -> None:
    plan = plan_of(DecaySettings(older_than_days=0), server, read_snapshot(server))
    recall = "UPDATE memories SET access_count = access_count + 1, last_accessed_at = ?"
    run_sql(server.path, (recall, (NOW,)))
    server.apply(plan, now=NOW)
    (found,) = run_sql(server.path, "SELECT min(last_accessed_at) FROM memories")
    assert found == (NOW,)
