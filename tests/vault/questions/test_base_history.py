"""When a base was changed last, from the changelog of this program and of a server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mvdesk.vault.operations.decay import DecaySettings, find_decay, plan_decay
from mvdesk.vault.operations.edit import plan_edit
from mvdesk.vault.operations.merge import plan_merge
from mvdesk.vault.operations.reinforce import (
    ReinforceSettings,
    find_reinforcement,
    plan_reinforce,
)
from mvdesk.vault.questions import base_history
from mvdesk.vault.questions.base_history import BaseChange, UpkeepLog, find_base_changes
from mvdesk.vault.snapshot import read_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.records import Memory
    from mvdesk.vault.vault import Vault

DAY = 86_400
NOW = 1_900_000_000
NO_LABELS: Callable[[str], str | None] = {}.get
NAMED: Callable[[str], str] = "“{}”".format


def changes_of(vault: Vault, memory_id: str, log: UpkeepLog | None = None) -> dict:
    log = (log or UpkeepLog()).updated(vault)
    return find_base_changes(vault, vault.read_memory(memory_id), log, NO_LABELS)


def linked(vault: Vault) -> tuple[Memory, Memory]:
    """Two memories with a link of support, both with bases that can move."""
    ids = [str(one) for one in read_snapshot(vault).memories.ids]
    for link in vault.read_links_of(*ids):
        if link.relation_type == "supports" and link.from_id != link.to_id:
            ends = [vault.read_memory(one) for one in (link.from_id, link.to_id)]
            if all(end.archived_at is None and end.confidence < 0.9 for end in ends):
                return ends[0], ends[1]
    raise AssertionError("no link of support")


def add_line(
    vault: Vault,
    run_sql: Callable[..., object],
    event: str,
    entity: str,
    payload: object,
    at: int = NOW,
) -> None:
    text = payload if isinstance(payload, str) or payload is None else json.dumps(payload)
    sql = (
        "INSERT INTO memory_changelog (id, brain_id, event_type, entity_type, entity_id, summary,"
        " payload, created_at) VALUES (lower(hex(randomblob(8))), ?, ?, 'memory', ?, '', ?, ?)"
    )
    run_sql(vault.path, (sql, (vault.brain.id, event, entity, text, at)))


def test_a_memory_that_was_never_changed_is_as_it_was_written(server: Vault) -> None:
    memory, _ = linked(server)
    changes = changes_of(server, memory.id)
    assert changes["confidence"] == BaseChange("", memory.created_at)
    assert changes["confidence"].text("3 May") == "as it was written on 3 May"


def test_an_edit_counts_only_for_the_base_that_it_changed(server: Vault) -> None:
    memory, _ = linked(server)
    server.apply(plan_edit(memory, {"confidence": 0.35}, now=NOW), now=NOW)
    changes = changes_of(server, memory.id)
    assert changes["confidence"] == BaseChange("an edit", NOW, memory.confidence, 0.35)
    assert changes["confidence"].text("3 May").startswith("changed last by an edit on 3 May, from ")
    assert changes["importance"] == BaseChange("", memory.created_at)


def test_an_edit_that_was_taken_back_says_so(server: Vault) -> None:
    memory, _ = linked(server)
    server.apply(plan_edit(memory, {"confidence": 0.35}, now=NOW), now=NOW)
    server.undo(now=NOW + 5)
    change = changes_of(server, memory.id)["confidence"]
    assert change == BaseChange("taking back an edit", NOW + 5, 0.35, memory.confidence)


def test_a_decay_run_is_told_for_every_memory_that_it_moved(server: Vault) -> None:
    snapshot = read_snapshot(server)
    decay = find_decay(snapshot, DecaySettings(max_link_count=50, limit=1000), now=NOW)
    ids = [snapshot.memories.ids.text(row) for row in decay.moves.rows.tolist()]
    before = server.read_memories(ids)
    assert len(before) > 2
    server.apply(plan_decay(snapshot, decay, now=NOW), now=NOW)
    log = UpkeepLog().updated(server)
    for old in before[:5]:
        memory = server.read_memory(old.id)
        changes = find_base_changes(server, memory, log, NO_LABELS)
        change = changes["importance"]
        assert (change.how, change.at, change.after) == ("a decay run", NOW, memory.importance)
        assert change.before == old.importance
    server.undo(now=NOW + 1)
    assert changes_of(server, memory.id)["importance"].how == "taking back a decay run"


def test_reinforcing_names_its_seed(server: Vault) -> None:
    seed, other = linked(server)
    snapshot = read_snapshot(server)
    found = find_reinforcement(snapshot, seed.id, ReinforceSettings())
    server.apply(plan_reinforce(snapshot, found), now=NOW)
    log = UpkeepLog().updated(server)
    own = find_base_changes(server, server.read_memory(seed.id), log, NO_LABELS)
    assert own["confidence"].how == "reinforcing it"
    assert own["confidence"].before == seed.confidence
    memory = server.read_memory(other.id)
    assert find_base_changes(server, memory, log, NAMED)["confidence"].how == (
        f"reinforcing “{NAMED(seed.id)}”"
    )
    unnamed = find_base_changes(server, memory, log, NO_LABELS)
    assert unnamed["confidence"] == BaseChange(
        "reinforcing another memory", NOW, other.confidence, memory.confidence
    )


def test_a_merge_that_raised_a_base_is_told(server: Vault) -> None:
    one, other = linked(server)
    server.apply(plan_edit(other, {"confidence": 0.99}, now=NOW), now=NOW)
    pair = server.read_memories([one.id, other.id])
    links = server.read_links_of(one.id, other.id)
    plan = plan_merge(
        pair, links, primary_id=one.id, now=NOW + 1, new_id=iter(map(str, range(99))).__next__
    )
    server.apply(plan, now=NOW + 1)
    assert changes_of(server, one.id)["confidence"] == BaseChange(
        "a merge", NOW + 1, one.confidence, 0.99
    )


def test_a_servers_line_tells_what_it_tells(server: Vault, run_sql: Callable[..., object]) -> None:
    memory, other = linked(server)
    updated = {"updated_fields": {"importance": True}}
    add_line(server, run_sql, "memory_updated", memory.id, updated, NOW)
    add_line(server, run_sql, "memory_reinforced", memory.id, {"updated_count": 4}, NOW + 1)
    changes = changes_of(server, memory.id)
    assert changes["importance"] == BaseChange("reinforcing it", NOW + 1)
    assert changes["importance"].text("3 May") == "changed last by reinforcing it on 3 May"
    # Of its decay runs a server tells only when they were.
    sql = "UPDATE memories SET last_decayed_at = ? WHERE id = ?"
    run_sql(server.path, (sql, (NOW + 9, other.id)))
    assert changes_of(server, other.id)["confidence"] == BaseChange("a decay run", NOW + 9)


@pytest.mark.parametrize(
    "payload",
    [
        None,
        "no JSON",
        "[" * 10_000,
        [],
        {"updated_fields": 3},
        {"updated_fields": {}},
        {"updated_fields": {"confidence": False}},
    ],
)
def test_a_line_that_tells_nothing_is_passed_over(
    server: Vault, run_sql: Callable[..., object], payload: object
) -> None:
    memory, _ = linked(server)
    add_line(server, run_sql, "memory_updated", memory.id, payload)
    assert changes_of(server, memory.id)["confidence"].how == ""


@pytest.mark.parametrize(
    "payload",
    [
        {"memory_ids": 3},
        {"memory_ids": [1, 2]},
        {"memory_ids": []},
        {"memory_ids": ["{id}", "x"], "before": {"confidence": [0.1]}, "after": {}},
        {"memory_ids": ["{id}"], "before": {"confidence": [0.1]}, "after": {"confidence": [0.1]}},
        {"memory_ids": ["zzz"], "before": {"confidence": [0.1]}, "after": {"confidence": [0.2]}},
    ],
)
def test_a_run_that_did_not_move_the_memory_is_passed_over(
    server: Vault, run_sql: Callable[..., object], payload: object
) -> None:
    memory, _ = linked(server)
    text = json.dumps(payload).replace("{id}", memory.id)
    add_line(server, run_sql, "memory_decayed", "another", text)
    assert changes_of(server, memory.id)["confidence"].how == ""


@pytest.mark.parametrize("value", ["much", True, 10**400, float("inf")])
def test_values_that_are_no_numbers_are_not_told(
    server: Vault, run_sql: Callable[..., object], value: object
) -> None:
    memory, _ = linked(server)
    sides = {"before": {"confidence": [value]}, "after": {"confidence": [0.5]}}
    payload = {"memory_ids": [memory.id], **sides}
    add_line(server, run_sql, "memory_decayed", "another", payload)
    change = changes_of(server, memory.id)["confidence"]
    assert change == BaseChange("a decay run", NOW, None, 0.5)
    assert change.text("3 May") == "changed last by a decay run on 3 May"


def test_a_memory_that_came_back_was_not_written_then(
    server: Vault, run_sql: Callable[..., object]
) -> None:
    memory, _ = linked(server)
    add_line(server, run_sql, "memory_created", memory.id, {"undo_of": "x"})
    assert changes_of(server, memory.id)["confidence"].at == memory.created_at


def test_a_file_without_a_line_tells_nothing(server: Vault, run_sql: Callable[..., object]) -> None:
    memory, _ = linked(server)
    run_sql(server.path, "DELETE FROM memory_changelog")
    assert changes_of(server, memory.id) == {}


def test_runs_are_read_once_and_new_ones_join_them(
    server: Vault, run_sql: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, _ = linked(server)

    def add_run(before: float, after: float, at: int) -> None:
        sides = {"before": {"confidence": [before]}, "after": {"confidence": [after]}}
        payload = {"memory_ids": [memory.id], **sides}
        add_line(server, run_sql, "memory_decayed", "another", payload, at)

    add_run(0.5, 0.4, NOW)
    log = UpkeepLog().updated(server)
    assert log.updated(server) is log
    add_run(0.4, 0.3, NOW)  # within the same second
    later = log.updated(server)
    assert [run.line.created_at for run in later.runs] == [NOW, NOW]
    changes = find_base_changes(server, memory, later, NO_LABELS)
    assert changes["confidence"] == BaseChange("a decay run", NOW, 0.4, 0.3)
    monkeypatch.setattr(base_history, "_MOST_MOVES", 1)
    add_run(0.3, 0.2, NOW + 1)
    kept = later.updated(server)
    assert [run.line.created_at for run in kept.runs] == [NOW + 1]
