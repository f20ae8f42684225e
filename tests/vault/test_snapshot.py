"""Snapshots: the numbers of the recorded server, the companion's copy, step by step updates."""

from __future__ import annotations

import json
import time
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.arrays import NO_TIME, StringColumn
from mvdesk.scoring.builtin import BUILTIN_MODELS, PUBLISHED_V1, SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.changes import ChangeSet
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_archive, plan_delete
from mvdesk.vault.operations.links import plan_link, plan_unlink
from mvdesk.vault.operations.trust import plan_set_trust
from mvdesk.vault.plan import MEMORIES, Plan, RowChange, RowKey
from mvdesk.vault.snapshot import (
    ReadCancelled,
    Snapshot,
    keep_snapshot,
    read_snapshot,
    refresh_snapshot,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.vault.vault import Vault

DATA = Path(__file__).parents[1] / "data"
NOW = 1_800_000_000
COUNTS = (
    "link_count",
    "supports_count",
    "contradicts_count",
    "supersedes_count",
    "causes_count",
    "example_of_count",
)


def differences(one: Snapshot, other: Snapshot) -> list[str]:
    """The columns in which two snapshots differ, in any bit."""
    found = []
    for table in ("memories", "links", "sources"):
        left, right = getattr(one, table), getattr(other, table)
        for field in fields(left):
            a, b = getattr(left, field.name), getattr(right, field.name)
            if isinstance(a, StringColumn):
                same = a.blobs() == b.blobs()
            elif isinstance(a, tuple):
                same = a == b
            else:
                same = a.dtype == b.dtype and a.tobytes() == b.tobytes()
            if not same:
                found.append(f"{table}.{field.name}")
    if one.link_counts.tolist() != other.link_counts.tolist():
        found.append("link_counts")
    return found


def read_afresh(vault: Vault) -> Snapshot:
    """A snapshot from the rows, whatever the companion holds."""
    kept = vault.companion
    vault.companion = NoCompanion()
    try:
        return read_snapshot(vault)
    finally:
        vault.companion = kept


class NoCompanion:
    def read_columns(self, *_: object) -> None:
        return None

    def write_columns(self, *_: object) -> bool:
        return False


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A number per whole reading of the rows."""
    calls: list[int] = []
    import mvdesk.vault.snapshot as module

    whole = module._read_rows
    monkeypatch.setattr(
        module, "_read_rows", lambda *arguments: (calls.append(1), whole(*arguments))[1]
    )
    return calls


def keep(vault: Vault, snapshot: Snapshot) -> None:
    """Keep a snapshot; a file written this very moment has to lie still for some milliseconds."""
    deadline = time.monotonic() + 5
    while not keep_snapshot(vault, snapshot):
        assert time.monotonic() < deadline


# The truth


def test_every_score_and_count_is_the_servers_own(server: Vault) -> None:
    calls = json.loads((DATA / "responses.json").read_text())
    (listed,) = [call for call in calls if call["tool"] == "GET /api/memories?limit=500"]
    snapshot = read_snapshot(server)
    scores = evaluate(snapshot.inputs(SERVER_V2), SERVER_V2, listed["clock"])
    memories = listed["response_json"]["memories"]
    assert len(memories) == 171
    for memory in memories:
        row = snapshot.row_of(memory["id"])
        assert row is not None
        assert scores.confidence[row] == memory["dynamic_confidence"]
        assert scores.importance[row] == memory["dynamic_importance"]
        assert snapshot.link_counts[row].tolist() == [memory[name] for name in COUNTS]
    archived = snapshot.memories.archived_at > 0
    assert len(snapshot.memories) - archived.sum() == 171


def test_what_a_snapshot_says_of_rows_is_what_records_say(server: Vault) -> None:
    snapshot = read_snapshot(server)
    trust = {row.source_key: row.trust for row in server.read_trust()}
    per_row = snapshot.trust_per_row()
    for row in range(len(snapshot.memories)):
        memory = server.read_memory(snapshot.memories.ids.text(row))
        links = server.read_links_of(memory.id)
        found = [snapshot.links.ids[int(n)] for n in snapshot.links_of_row(row)]
        assert found == [link.id for link in links]
        assert snapshot.memories.labels[row] == memory.label
        key = snapshot.source_key_of_row(row)
        assert (key is None) == (not memory.source)
        if key is not None:
            assert row in snapshot.rows_of_source(key)
            index = snapshot.key_index(key)
            assert index is not None
            rows = snapshot.rows_of_source(key)
            assert snapshot.sources.counts[index] == len(rows)
            active = int(np.count_nonzero(snapshot.memories.archived_at[rows] == NO_TIME))
            assert snapshot.active_per_source[index] == active
            assert snapshot.active_beside(row) == active + (memory.archived_at is not None)
        else:
            assert snapshot.active_beside(row) is None
        if key in trust:
            assert per_row[row] == trust[key]
        else:
            assert np.isnan(per_row[row])


def test_the_links_of_a_few_memories_are_kept_in_mind(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.vault.snapshot._MOST_NEAR", 2)
    snapshot = read_snapshot(server)
    links = snapshot.links
    for row in (0, 1, 2, 1, 0, 2):
        found = snapshot.links_of_row(row)
        touching = (links.from_rows == row) | (links.to_rows == row)
        assert found.tolist() == np.flatnonzero(touching).tolist()
        assert snapshot.links_of_row(row) is found


def test_a_previewed_trust_stands_in_for_the_stored_one(server: Vault) -> None:
    snapshot = read_snapshot(server)
    index = snapshot.key_index("slack #design")
    assert index is not None
    tried = snapshot.trust_per_row(snapshot.sources.with_trust({index: 0.9}))
    rows = snapshot.rows_of_source("slack #design")
    assert set(tried[rows]) == {0.9}
    assert set(snapshot.trust_per_row()[rows]) == {0.55}
    assert snapshot.key_index("nobody") is None
    assert len(snapshot.rows_of_source("nobody")) == 0
    assert snapshot.row_of("nobody") is None


def test_inputs_are_made_once_per_model(server: Vault) -> None:
    snapshot = read_snapshot(server)
    for model in BUILTIN_MODELS.values():
        assert snapshot.inputs(model) is snapshot.inputs(model)
    assert snapshot.inputs(PUBLISHED_V1) is not snapshot.inputs(SERVER_V2)
    changed = replace(SERVER_V2, title="Mine")
    assert snapshot.inputs(changed) is not snapshot.inputs(SERVER_V2)


def test_words_that_were_not_counted_are_not_guessed(server: Vault) -> None:
    words = replace(PUBLISHED_V1.keywords, hedge=("hm",))
    with pytest.raises(ValueError, match="not counted"):
        read_snapshot(server).inputs(replace(PUBLISHED_V1, keywords=words))


def test_an_empty_vault_is_an_empty_snapshot(empty: Vault) -> None:
    snapshot = read_snapshot(empty)
    assert len(snapshot.memories) == 0
    assert len(snapshot.links) == 0
    scores = evaluate(snapshot.inputs(PUBLISHED_V1), PUBLISHED_V1, NOW)
    assert len(scores.confidence) == 0
    assert differences(snapshot, read_snapshot(empty)) == []


# Reading


def test_the_second_reading_comes_from_the_companion(
    server_file: Path, open_vault: Callable[..., Vault], counted: list[int]
) -> None:
    first = read_snapshot(open_vault(server_file))
    again = read_snapshot(open_vault(server_file))
    assert len(counted) == 1
    assert differences(first, again) == []


def test_a_write_by_another_program_makes_the_kept_columns_worthless(
    server_file: Path, open_vault: Callable[..., Vault], run_sql: Callable, counted: list[int]
) -> None:
    read_snapshot(open_vault(server_file))
    run_sql(server_file, "UPDATE memories SET access_count = access_count + 1")
    vault = open_vault(server_file)
    snapshot = read_snapshot(vault)
    assert len(counted) == 2
    assert snapshot.memories.access_count.min() == 1


def test_columns_that_are_damaged_are_made_anew(server: Vault, counted: list[int]) -> None:
    stamp = server.file.stamp()
    first = read_snapshot(server)
    blobs = server.companion.read_columns(server.brain.id, stamp)
    assert blobs is not None
    for name in sorted(blobs):
        for damaged in (
            {key: value for key, value in blobs.items() if key != name},
            blobs | {name: blobs[name][:-8]},
            blobs | {name: blobs[name] + b"\x07" * 8},
        ):
            server.companion.write_columns(server.brain.id, stamp, damaged)
            read = len(counted)
            assert differences(read_snapshot(server), first) == [], name
            assert len(counted) == read + 1, name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("links.from_rows", 9999),
        ("memories.source_rows", -2),
        ("sources.text_keys", 99),
        ("memories.type_codes", 77),
    ],
)
def test_columns_that_point_nowhere_are_made_anew(
    server: Vault, counted: list[int], name: str, value: int
) -> None:
    stamp = server.file.stamp()
    first = read_snapshot(server)
    blobs = dict(server.companion.read_columns(server.brain.id, stamp))
    size = 1 if name.endswith("codes") else 4
    blobs[name] = value.to_bytes(size, "little", signed=True) + blobs[name][size:]
    server.companion.write_columns(server.brain.id, stamp, blobs)
    assert differences(read_snapshot(server), first) == []
    assert len(counted) == 2


def test_reading_tells_how_far_it_is_and_can_be_cancelled(server: Vault) -> None:
    said: list[str] = []
    server.companion, kept = NoCompanion(), server.companion
    try:
        read_snapshot(server, progress=said.append, cancelled=lambda: False)
        assert said == ["Reading memories: 182 of 182", "Reading links: 259"]
        with pytest.raises(ReadCancelled):
            read_snapshot(server, cancelled=lambda: True)
        with pytest.raises(ReadCancelled):
            read_snapshot(server, progress=said.append, cancelled=lambda: len(said) > 2)
    finally:
        server.companion = kept


def test_an_outside_write_is_noticed_until_it_is_read(
    server: Vault, server_file: Path, run_sql: Callable
) -> None:
    read_snapshot(server)
    assert not server.changed_outside()
    run_sql(server_file, "DELETE FROM memory_links")
    assert server.changed_outside()
    assert len(read_snapshot(server).links) == 0
    assert not server.changed_outside()


# Step by step


def steps(vault: Vault) -> list[Callable[[], Plan]]:
    """One plan after the other, each made from what the vault holds then."""
    brain = vault.brain.id
    ids = [str(i) for i in read_snapshot(vault).memories.ids]
    numbers = iter(range(1000))

    def new_id() -> str:
        return f"new-{next(numbers)}"

    def edit(row: int, **changes: object) -> Callable[[], Plan]:
        return lambda: plan_edit(vault.read_memory(ids[row]), changes, now=NOW)

    def add(memory_id: str, at: int, **given: object) -> Callable[[], Plan]:
        return lambda: plan_add(
            brain, {"content": "verified " + memory_id} | given, now=at, memory_id=memory_id
        )

    def trust(**changes: float | None) -> Callable[[], Plan]:
        return lambda: plan_set_trust(
            vault.read_trust(), changes, brain_id=brain, now=NOW, new_id=new_id
        )

    def link(one: str, other: str, relation: str) -> Callable[[], Plan]:
        return lambda: plan_link(
            vault.read_links_of(one),
            vault.read_memory(one),
            vault.read_memory(other),
            relation,
            now=NOW,
            link_id=new_id(),
        )

    first_at = vault.read_memory(ids[0]).created_at
    return [
        edit(3, title="Another", content="maybe a guess", confidence=0.25),
        edit(5, source="A Brand  New Source"),
        edit(5, source="a brand new SOURCE", tags=None),
        edit(5, source=None, type="journal"),
        add("zz", NOW),
        add("aa", NOW, source="aaa first of all", type="fact"),
        add("mm", first_at),
        add("00", first_at - 5, source="zzz"),
        edit(0, key="k"),
        trust(blog=0.1, zzz=0.9),
        trust(zzz=None, nobody=0.3),
        link("aa", "zz", "causes"),
        link("zz", "aa", "contradicts"),
        link(ids[1], "aa", "supports"),
        lambda: plan_unlink(vault.read_links_of(ids[1])[0]),
        lambda: plan_archive(vault.read_memories(ids[:4]), brain_id=brain, now=NOW),
        lambda: plan_delete(
            vault.read_memories(["aa", ids[7], ids[8]]),
            vault.read_links_of("aa", ids[7], ids[8]),
            brain_id=brain,
        ),
    ]


def test_a_refreshed_snapshot_equals_a_whole_reading(server: Vault, counted: list[int]) -> None:
    snapshot = read_snapshot(server)
    todo = steps(server)
    for number, make in enumerate(todo):
        plan = make()
        assert not plan.is_empty, number
        snapshot = refresh_snapshot(server, snapshot, server.apply(plan, now=NOW))
        assert len(counted) == 1, number
        assert differences(snapshot, read_afresh(server)) == [], number
        counted.pop()
    for back in range(2 * len(todo)):
        act = server.undo if back < len(todo) else server.redo
        label, changes = act(now=NOW)
        snapshot = refresh_snapshot(server, snapshot, changes)
        assert differences(snapshot, read_afresh(server)) == [], (label, back)


def test_a_refreshed_snapshot_finds_ids_where_they_are_now(server: Vault) -> None:
    snapshot = read_snapshot(server)
    for make in steps(server)[4:8]:
        snapshot = refresh_snapshot(server, snapshot, server.apply(make(), now=NOW))
    for row, memory_id in enumerate(snapshot.memories.ids):
        assert snapshot.row_of(memory_id or "") == row


def test_nothing_is_read_when_nothing_changed(server: Vault) -> None:
    snapshot = read_snapshot(server)
    assert refresh_snapshot(server, snapshot, ChangeSet()) is snapshot


def test_everything_is_read_when_anything_may_have_changed(
    server: Vault, server_file: Path, run_sql: Callable
) -> None:
    old = read_snapshot(server)
    run_sql(server_file, "UPDATE memories SET confidence = 0.125")
    memory = server.read_memory(old.memories.ids.text(0))
    changes = server.apply(plan_edit(memory, {"title": "x"}, now=NOW), now=NOW)
    snapshot = refresh_snapshot(server, old, changes)
    assert set(snapshot.memories.base_confidence) == {0.125}
    again = refresh_snapshot(server, snapshot, ChangeSet(everything=True))
    assert differences(again, snapshot) == []


def test_a_new_memory_may_be_the_end_of_an_orphan_link(
    server: Vault, server_file: Path, run_sql: Callable
) -> None:
    run_sql(
        server_file,
        "INSERT INTO memory_links (id, from_id, to_id, created_at) "
        "SELECT 'orphan', id, 'to-come', 1 FROM memories LIMIT 1",
    )
    snapshot = read_snapshot(server)
    assert snapshot.links.to_rows[0] == -1
    plan = plan_add(server.brain.id, {"content": "here"}, now=NOW, memory_id="to-come")
    snapshot = refresh_snapshot(server, snapshot, server.apply(plan, now=NOW))
    assert snapshot.links.to_rows[0] == snapshot.row_of("to-come")
    assert differences(snapshot, read_afresh(server)) == []


# Keeping a refreshed one


def test_a_refreshed_snapshot_can_be_kept_for_the_next_start(
    server: Vault, server_file: Path, open_vault: Callable[..., Vault], counted: list[int]
) -> None:
    snapshot = read_snapshot(server)
    for make in steps(server)[:3]:
        snapshot = refresh_snapshot(server, snapshot, server.apply(make(), now=NOW))
    keep(server, snapshot)
    server.close()
    counted.clear()
    again = read_snapshot(open_vault(server_file))
    assert counted == []
    assert differences(again, snapshot) == []


def test_closing_keeps_the_newest_snapshot(
    server: Vault, server_file: Path, open_vault: Callable[..., Vault], counted: list[int]
) -> None:
    snapshot = read_snapshot(server)
    for make in steps(server)[:3]:
        snapshot = refresh_snapshot(server, snapshot, server.apply(make(), now=NOW))
    server.close()
    counted.clear()
    assert differences(read_snapshot(open_vault(server_file)), snapshot) == []
    assert counted == []


def test_closing_waits_until_a_file_just_written_lies_still(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [False, True]
    tried: list[Snapshot] = []

    def keep_at_the_second_try(_: Vault, snapshot: Snapshot) -> bool:
        tried.append(snapshot)
        return answers[len(tried) - 1]

    snapshot = read_snapshot(server)
    snapshot = refresh_snapshot(server, snapshot, server.apply(steps(server)[0](), now=NOW))
    monkeypatch.setattr("mvdesk.vault.snapshot._keep", keep_at_the_second_try)
    server.close()
    assert tried == [snapshot, snapshot]


def test_closing_a_vault_whose_file_is_gone_is_no_error(server: Vault, server_file: Path) -> None:
    snapshot = read_snapshot(server)
    refresh_snapshot(server, snapshot, server.apply(steps(server)[0](), now=NOW))
    server_file.unlink()
    server.close()


def test_a_snapshot_of_another_brain_is_not_kept(server: Vault) -> None:
    assert not keep_snapshot(server, replace(read_snapshot(server), brain_id="other"))


def test_a_memory_that_moves_in_the_order_takes_its_links_along(server: Vault) -> None:
    snapshot = read_snapshot(server)
    memory = server.read_memory(snapshot.memories.ids.text(9))
    change = RowChange(
        RowKey(MEMORIES, memory.id, "x"),
        {"created_at": memory.created_at},
        {"created_at": NOW},
        "",
    )
    changes = server.apply(Plan("Move", server.brain.id, (change,), ()), now=NOW)
    snapshot = refresh_snapshot(server, snapshot, changes)
    assert snapshot.row_of(memory.id) == len(snapshot.memories) - 1
    assert differences(snapshot, read_afresh(server)) == []


def test_a_snapshot_that_lacks_a_write_is_not_kept(
    server: Vault, server_file: Path, run_sql: Callable
) -> None:
    old = read_snapshot(server)
    first, second, third = (server.apply(make(), now=NOW) for make in steps(server)[:3])
    assert not keep_snapshot(server, old)
    gap = refresh_snapshot(server, refresh_snapshot(server, old, first), third)
    assert gap.as_of == 1
    assert not keep_snapshot(server, gap)
    whole = refresh_snapshot(server, refresh_snapshot(server, old, first), second)
    assert refresh_snapshot(server, whole, first).as_of == 2
    whole = refresh_snapshot(server, whole, third)
    keep(server, whole)
    run_sql(server_file, "UPDATE memories SET confidence = 0.5")
    assert not keep_snapshot(server, whole)
