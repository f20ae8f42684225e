"""Every recorded write, carried out on the server's own file: the same cells, and undone whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.vault import rules
from mvdesk.vault.operations.decay import DecaySettings, find_decay, plan_decay
from mvdesk.vault.operations.policy import policy_of
from mvdesk.vault.operations.reinforce import (
    ReinforceSettings,
    find_reinforcement,
    plan_reinforce,
)
from mvdesk.vault.snapshot import read_snapshot
from tests.vault.recorded import moved_columns, note_compared, writes, writes_in_sequence

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault
    from tests.vault.recorded import Call

COLUMNS = (
    "confidence", "importance", "access_count", "last_accessed_at", "last_decayed_at",
    "updated_at", "archived_at",
)  # fmt: skip

Memories = dict[str, tuple]


def plan_of(vault: Vault, call: Call) -> Plan:
    snapshot, arguments = read_snapshot(vault), dict(call["arguments"])
    if call["tool"] == "memory_decay":
        arguments.setdefault("older_than_days", policy_of(rules.read_policy(vault)).decay_days)
        settings = DecaySettings(**arguments).clamped()
        found = find_decay(snapshot, settings, now=call["clock"])
        return plan_decay(snapshot, found, now=call["clock"])
    seed = arguments.pop("id")
    reinforced = find_reinforcement(snapshot, seed, ReinforceSettings(**arguments).clamped())
    return plan_reinforce(snapshot, reinforced)


def differences(before: Memories, after: Memories) -> dict[str, dict[str, tuple]]:
    return {
        key: {
            name: (old, new)
            for name, old, new in zip(COLUMNS, row, after[key], strict=True)
            if old != new
        }
        for key, row in before.items()
        if row != after[key]
    }


def read_rows(run_sql: Callable[..., list[tuple]], path: Path) -> Memories:
    rows = run_sql(path, f"SELECT id, {', '.join(COLUMNS)} FROM memories")
    return {row[0]: row[1:] for row in rows}


def test_each_call_writes_what_the_server_wrote_and_undo_brings_every_cell_back(
    server: Vault, run_sql: Callable[..., list[tuple]], contents: Callable[[Path], dict]
) -> None:
    untouched = contents(server.path)
    before = read_rows(run_sql, server.path)
    for call in writes(None, count=15):
        plan = plan_of(server, call)
        server.apply(plan, now=call["clock"])
        after = read_rows(run_sql, server.path)
        assert differences(before, after) == moved_columns(call), call["arguments"]
        if not plan.is_empty:
            label, _ = server.undo(now=call["clock"] + 1)
            assert label == plan.label
        assert contents(server.path) == untouched
        kind = call["tool"].removeprefix("memory_")
        note_compared(f"{kind}, written and undone", rows=len(moved_columns(call)))


def test_calls_one_after_the_other_write_what_the_server_wrote(
    server: Vault, run_sql: Callable[..., list[tuple]]
) -> None:
    for call in writes_in_sequence(count=4):
        before = read_rows(run_sql, server.path)
        server.apply(plan_of(server, call), now=call["clock"])
        after = read_rows(run_sql, server.path)
        assert differences(before, after) == moved_columns(call), call["arguments"]
        note_compared("decay and reinforce in sequence", rows=len(moved_columns(call)))


def test_the_changelog_gets_one_line_for_the_step_and_one_for_its_undoing(server: Vault) -> None:
    (call,) = writes("memory_reinforce", count=9)[:1]
    count = len(rules.read_history(server))
    server.apply(plan_of(server, call), now=call["clock"])
    server.undo(now=call["clock"] + 1)
    undone, done, *_ = rules.read_history(server)
    assert len(rules.read_history(server)) == count + 2
    assert done.event_type == undone.event_type == "memory_reinforced"
    assert f'"undo_of": "{done.id}"' in (undone.payload or "")
