"""A snapshot compared with now is what restoring it brings back, the other way round."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mvdesk.errors import BadValue, VaultError
from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.engine import evaluate
from mvdesk.vault import brain_state
from mvdesk.vault.operations.snapshots import plan_snapshot
from mvdesk.vault.operations.trust import plan_set_trust
from mvdesk.vault.questions.foresee import ForeseeingCancelled
from mvdesk.vault.questions.snapshot_differences import compare_with_now
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.snapshot_restoring import preview_restore
from tests.vault.made import NOW
from tests.vault.operations.test_undo_property import operations, plan_of

if TYPE_CHECKING:
    from mvdesk.records import StoredSnapshot
    from mvdesk.vault.vault import Vault


def take(vault: Vault) -> StoredSnapshot:
    with brain_state.stream_brain(vault) as brain:
        plan = plan_snapshot(brain, [], include_archived=True, now=NOW, snapshot_id="then")
    vault.apply(plan, now=NOW)
    return next(one for one in brain_state.read_snapshots(vault) if one.id == "then")


def test_at_once_nothing_differs(server: Vault) -> None:
    found = compare_with_now(server, read_snapshot(server), take(server), PUBLISHED_V1, NOW)
    assert not any(kind.changes for kind in found.kinds.values())
    assert len(found.scores) == 0
    assert found.notes == found.unread == ()


@given(done=st.lists(operations, min_size=1, max_size=4), trust=st.floats(0, 1))
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_what_differs_is_what_a_restore_brings_back_and_so_are_the_scores(
    server: Vault, done: list[object], trust: float
) -> None:
    stored = take(server)
    steps = 1
    source = read_snapshot(server).sources.keys[0]
    for operation in (*done, None):
        try:
            if operation is None:
                plan = plan_set_trust(
                    server.read_trust(),
                    {source: trust},
                    brain_id=server.brain.id,
                    now=NOW,
                    new_id=lambda: "trusted",
                )
            else:
                plan = plan_of(operation, server, read_snapshot(server))
            server.apply(plan, now=NOW)
        except (BadValue, VaultError):
            continue
        steps += not plan.is_empty
    now = read_snapshot(server)
    found = compare_with_now(server, now, stored, PUBLISHED_V1, NOW)
    scores = evaluate(now.inputs(PUBLISHED_V1), PUBLISHED_V1, NOW)
    restore = preview_restore(server, stored, "replace", now=NOW, new_id=lambda: "none")
    for kind, count in restore.counts.items():
        told = found.kinds[kind]
        assert (told.gone, told.changed, told.made) == (count.made, count.changed, count.deleted)
    server.apply(restore.plan, now=NOW)
    steps += not restore.plan.is_empty
    then = read_snapshot(server)
    scores_then = evaluate(then.inputs(PUBLISHED_V1), PUBLISHED_V1, NOW)
    expected = {}
    for row in range(len(now.memories)):
        memory_id = now.memories.ids.text(row)
        at = then.row_of(memory_id)
        if at is None:
            continue
        before = scores_then.confidence[at], scores_then.importance[at]
        after = scores.confidence[row], scores.importance[row]
        if before != after:
            expected[memory_id] = [*before, *after]
    told = found.scores
    columns = (told.confidence_before, told.importance_before)
    columns += (told.confidence_after, told.importance_after)
    assert expected == {
        now.memories.ids.text(row): values
        for row, *values in zip(told.rows.tolist(), *columns, strict=True)
    }
    for _ in range(steps):
        server.undo(now=NOW)


def test_memories_that_were_made_at_another_time_then_are_compared(server: Vault) -> None:
    stored = take(server)
    before = evaluate(read_snapshot(server).inputs(PUBLISHED_V1), PUBLISHED_V1, NOW)
    with server.file.write() as conn:
        conn.exec_driver_sql(
            "UPDATE memories SET created_at = 2000000000 - created_at, updated_at = 1500000000"
        )
    now = read_snapshot(server)
    found = compare_with_now(server, now, stored, PUBLISHED_V1, NOW)
    assert found.kinds["memories"].changed == len(now.memories)
    after = evaluate(now.inputs(PUBLISHED_V1), PUBLISHED_V1, NOW)
    assert len(found.scores) > 0
    assert sorted(found.scores.confidence_after) == sorted(after.confidence[found.scores.rows])
    assert found.scores.importance_before.sum() > found.scores.importance_after.sum()
    assert set(found.scores.importance_before) <= set(before.importance)


def test_scores_that_cant_be_told_are_said_to_be(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = take(server)
    with server.file.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET content = content || '.'")
    monkeypatch.setattr("mvdesk.vault.refreshing.MAX_TYPES", 1)
    found = compare_with_now(server, read_snapshot(server), stored, PUBLISHED_V1, NOW)
    assert found.kinds["memories"].changed > 100
    assert len(found.scores) == 0
    assert "which scores differ can't be told" in " ".join(found.notes)


def test_nobody_waits_or_a_damaged_one_is_a_sentence(server: Vault) -> None:
    stored, now = take(server), read_snapshot(server)
    with pytest.raises(ForeseeingCancelled):
        compare_with_now(server, now, stored, PUBLISHED_V1, NOW, cancelled=lambda: True)
    with server.file.write() as conn:
        conn.exec_driver_sql("UPDATE brain_snapshots SET payload_json = '{\"memories\": [' ")
    with pytest.raises(VaultError, match="can't be read: it is not JSON"):
        compare_with_now(server, now, stored, PUBLISHED_V1, NOW)
    with server.file.write() as conn:
        conn.exec_driver_sql("UPDATE brain_snapshots SET payload_json = ?", ("[" * 100_000,))
    with pytest.raises(VaultError, match="can't be read: it is not JSON"):
        compare_with_now(server, now, stored, PUBLISHED_V1, NOW)
    gc.collect()  # a reader that is left behind would tell of itself
