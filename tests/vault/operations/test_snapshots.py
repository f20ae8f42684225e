"""Snapshots of a brain: what they hold, what restoring changes, what is refused."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from mvdesk.errors import BadValue, UndoImpossible, VaultError, VaultFull
from mvdesk.vault import brain_state
from mvdesk.vault.operations import snapshot_payload
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.operations.policy import plan_set_policy
from mvdesk.vault.operations.snapshot_payload import read_payload
from mvdesk.vault.operations.snapshot_restore import (
    MERGE,
    REPLACE,
    KindCount,
    Restore,
    plan_restore_snapshot,
)
from mvdesk.vault.operations.snapshot_text import format_payload
from mvdesk.vault.operations.snapshots import plan_snapshot
from mvdesk.vault.operations.trust import plan_set_trust
from mvdesk.vault.snapshot import read_snapshot, refresh_snapshot
from mvdesk.vault.snapshot_restoring import preview_restore
from tests.store.vault_files import make_first_server_file
from tests.vault.made import NOW
from tests.vault.recorded import answers, note_compared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from mvdesk.vault.operations.snapshot_payload import SnapshotPayload
    from mvdesk.vault.plan import RowChange
    from mvdesk.vault.vault import Vault

    RunSql = Callable[..., list[tuple[Any, ...]]]
    Contents = Callable[[Path], dict[str, list[tuple[object, ...]]]]

RECORDED = "d4025e59-061c-46ae-95a9-60de601c4621"
UNTOUCHED = KindCount()


def ids(stem: str) -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"{stem}-{next(numbers)}"


def take(vault: Vault, **options: object) -> str:
    """Take a snapshot; gives back its id."""
    options.setdefault("snapshot_id", f"snap-{len(brain_state.read_snapshots(vault))}")
    existing = brain_state.read_snapshots(vault)
    with brain_state.stream_brain(vault) as brain:
        plan = plan_snapshot(brain, existing, now=options.pop("now", NOW), **options)
    vault.apply(plan, now=NOW)
    return plan.changes[0].key.id


def restore_of(
    vault: Vault,
    snapshot_id: str,
    mode: str = REPLACE,
    *,
    edit: Callable[[dict[str, Any]], object] | None = None,
    **options: bool,
) -> Restore:
    """The plan of a restore; `edit` changes what the snapshot holds before."""
    stored = {one.id: one for one in brain_state.read_snapshots(vault)}[snapshot_id]
    text = brain_state.read_snapshot_payload(vault, snapshot_id) or ""
    with brain_state.stream_snapshot_payload(vault, snapshot_id) as pieces:
        assert "".join(pieces) == text
    if edit is not None:
        data = json.loads(text)
        edit(data)
        text = json.dumps(data)
    state = brain_state.read_brain_state(vault)

    def planned(payload: SnapshotPayload) -> Restore:
        return plan_restore_snapshot(
            state,
            stored,
            payload,
            mode,
            ids_elsewhere=lambda table, wanted: brain_state.find_ids_elsewhere(
                vault, table, wanted
            ),
            now=NOW,
            new_id=ids("restored"),
            **options,
        )

    whole = planned(read_payload(text))
    pieces = [text[start : start + 999] for start in range(0, len(text), 999)]
    compared = planned(read_payload(pieces, state))
    check_same(whole, compared)
    return compared


def check_same(one: Restore, other: Restore) -> None:
    """Rows that are compared while they are read come to the same."""

    def sort(changes: Iterable[RowChange]) -> list[RowChange]:
        return sorted(changes, key=lambda change: (change.key.table, change.key.id))

    assert sort(one.plan.changes) == sort(other.plan.changes)
    assert one.counts == other.counts
    assert sorted(one.skipped) == sorted(other.skipped)
    assert one.notes == other.notes


def without_history(rows: dict[str, list[tuple[object, ...]]]) -> dict[str, Any]:
    return {table: cells for table, cells in rows.items() if table != "brain_snapshots"}


def test_the_list_is_the_servers(server: Vault) -> None:
    (call,) = answers("brain_snapshot_list", count=1)
    listed = [
        {
            "id": one.id,
            "label": one.label,
            "summary": one.summary,
            "memory_count": one.memory_count,
            "link_count": one.link_count,
            "created_at": one.created_at,
        }
        for one in brain_state.read_snapshots(server)
    ]
    assert listed == call["response_json"]["snapshots"]
    note_compared("snapshots")


def test_restoring_the_servers_snapshot_and_taking_one_gives_the_same_rows(server: Vault) -> None:
    old = json.loads(brain_state.read_snapshot_payload(server, RECORDED) or "")
    restore = restore_of(server, RECORDED)
    assert restore.skipped == restore.notes == ()
    server.apply(restore.plan, now=NOW)
    assert restore_of(server, RECORDED).plan.is_empty
    new = json.loads(brain_state.read_snapshot_payload(server, take(server)) or "")
    assert new["schema"] == old["schema"] == "brain_snapshot_v1"
    for kind in ("memories", "links", "source_trust", "aliases", "conflict_resolutions"):
        named = sorted(old[kind][0]) if old[kind] else []
        theirs = [tuple(one[name] for name in named) for one in old[kind]]
        ours = [tuple(one[name] for name in named) for one in new[kind]]
        assert len(ours) == len(theirs)
        assert set(ours) == set(theirs), kind
    assert new["policy"] == old["policy"]


@pytest.mark.parametrize("mode", [MERGE, REPLACE])
@pytest.mark.parametrize("include_archived", [True, False])
def test_restoring_at_once_changes_nothing(
    server: Vault, mode: str, include_archived: bool
) -> None:
    taken = take(server, include_archived=include_archived)
    restore = restore_of(server, taken, mode)
    assert restore.plan.is_empty
    assert restore.plan.log == ()
    assert restore.skipped == ()


def disturb(vault: Vault) -> None:
    """Edit, delete, add, trust, policy: everything that a snapshot knows."""
    one, two, three = vault.read_memories([key for key, _ in _active(vault)[:3]])
    vault.apply(plan_edit(one, {"content": "Other words.", "confidence": 0.1}, now=NOW), now=NOW)
    links = vault.read_links_of(two.id, three.id)
    vault.apply(plan_delete([two, three], links, brain_id=vault.brain.id), now=NOW)
    vault.apply(
        plan_add(vault.brain.id, {"content": "Extra."}, now=NOW, memory_id="extra"), now=NOW
    )
    trust = vault.read_trust()
    wanted = {trust[0].source_key: None, trust[1].source_key: 0.123, "brand new": 0.9}
    vault.apply(
        plan_set_trust(trust, wanted, brain_id=vault.brain.id, now=NOW, new_id=ids("set")), now=NOW
    )
    state = brain_state.read_brain_state(vault)
    vault.apply(
        plan_set_policy(state.policy, {"decay_days": 99}, brain_id=vault.brain.id, now=NOW), now=NOW
    )


def _active(vault: Vault) -> list[tuple[str, object]]:
    state = brain_state.read_brain_state(vault)
    linked = {end for link in state.links.values() for end in (link.from_id, link.to_id)}
    return [
        (key, one)
        for key, one in state.memories.items()
        if one.archived_at is None and key in linked
    ]


def test_replace_brings_every_cell_back_and_undo_takes_it_back(
    server: Vault, contents: Contents, run_sql: RunSql
) -> None:
    taken = take(server, include_archived=True)
    before = without_history(contents(server.path))
    snapshot = read_snapshot(server)
    disturb(server)
    disturbed = contents(server.path)
    restore = restore_of(server, taken)
    assert restore.counts["memories"] == KindCount(made=2, changed=1, deleted=1, held=182)
    assert restore.counts["links"].made > 0
    assert restore.counts["source_trust"] == KindCount(made=1, changed=1, deleted=1, held=13)
    assert restore.counts["policy"].changed == 1
    changes = server.apply(restore.plan, now=NOW)
    # The ids of trust rows and the time of a policy are of no interest to a snapshot.
    after = without_history(contents(server.path))
    for table in ("memories", "memory_links", "memory_conflict_resolutions", "brains"):
        assert after[table] == before[table], table
    trust = "SELECT source_key, trust, notes, updated_at FROM brain_source_trust ORDER BY 1"
    assert len(run_sql(server.path, trust)) == 13
    assert run_sql(server.path, "PRAGMA foreign_key_check") == []
    fresh = refresh_snapshot(server, snapshot, changes)
    assert fresh.link_counts.sum() == read_snapshot(server).link_counts.sum()
    (entry,) = run_sql(
        server.path,
        "SELECT event_type, entity_type, entity_id, summary, payload FROM memory_changelog "
        "ORDER BY rowid DESC LIMIT 1",
    )
    assert entry[:4] == (
        "brain_snapshot_restored",
        "brain_snapshot",
        taken,
        "Restored brain snapshot (replace)",
    )
    payload = json.loads(entry[4])
    assert (payload["mode"], payload["memory_count"]) == ("replace", 182)
    assert payload["before"]["extra"] == {"confidence": 0.7, "importance": 0.5}
    assert payload["after"]["extra"] is None
    assert len(payload["after"]) == 4
    label, _ = server.undo(now=NOW)
    assert label == "Restore the snapshot snap-1 (replace)"
    assert contents(server.path) == disturbed


def test_merge_deletes_nothing_and_leaves_recall_counts(server: Vault, run_sql: RunSql) -> None:
    taken = take(server)
    disturb(server)
    run_sql(server.path, "UPDATE memories SET access_count = 77")
    restore = restore_of(server, taken, MERGE)
    assert all(count.deleted == 0 for count in restore.counts.values())
    assert restore.counts["memories"] == KindCount(made=2, changed=1, held=171)
    server.apply(restore.plan, now=NOW)
    counts = run_sql(server.path, "SELECT count(*), sum(access_count = 77) FROM memories")
    assert counts == [(183, 181)]  # "extra" is there still, two were made anew
    assert restore_of(server, taken, MERGE).plan.is_empty
    # What a snapshot of ours holds of recalls comes back with replace.
    assert restore_of(server, taken).counts["memories"].changed == 169


def test_trust_and_policy_stay_when_asked(server: Vault) -> None:
    taken = take(server)
    disturb(server)
    restore = restore_of(server, taken, restore_policy=False, restore_trust=False)
    assert restore.counts["source_trust"] == restore.counts["policy"] == UNTOUCHED


def test_replace_leaves_an_archive_alone_that_the_snapshot_left_out(
    server: Vault, run_sql: RunSql
) -> None:
    taken = take(server)
    restore = restore_of(server, taken)
    assert restore.plan.is_empty
    assert restore.notes == (
        "11 archived memories stay as they are: the snapshot was taken without the archive.",
    )
    archived = run_sql(server.path, "SELECT id FROM memories WHERE archived_at NOT NULL")
    run_sql(
        server.path,
        f"DELETE FROM memories WHERE archived_at NOT NULL AND id <> '{archived[0][0]}'",
    )
    assert "1 archived memory stays as it is" in restore_of(server, taken).notes[0]
    with_archive = take(server, include_archived=True)
    server.apply(
        plan_add(server.brain.id, {"content": "Late."}, now=NOW, memory_id="late"), now=NOW
    )
    run_sql(server.path, "UPDATE memories SET archived_at = 5 WHERE id = 'late'")
    assert restore_of(server, with_archive).counts["memories"].deleted == 1


def test_the_oldest_snapshots_go_and_undo_brings_them_back(
    server: Vault, contents: Contents
) -> None:
    retention = 12
    for number in range(retention - 1):
        take(server, now=NOW + number, label=f"number {number}")
    before = contents(server.path)
    assert len(brain_state.read_snapshots(server)) == retention
    take(server, now=NOW + 100)
    kept = brain_state.read_snapshots(server)
    assert len(kept) == retention
    assert RECORDED not in {one.id for one in kept}  # it was the oldest
    server.undo(now=NOW)
    assert contents(server.path) == before


def test_a_snapshot_is_logged_as_the_server_logs_it(server: Vault, run_sql: RunSql) -> None:
    taken = take(server, label="  spring ", summary="before\tit")
    entry = run_sql(
        server.path,
        "SELECT event_type, entity_type, entity_id, summary, payload FROM memory_changelog "
        "ORDER BY rowid DESC LIMIT 1",
    )[0]
    recorded = run_sql(
        server.path,
        "SELECT event_type, entity_type, entity_id, summary, payload FROM memory_changelog "
        f"WHERE entity_id = '{RECORDED}'",
    )[0]
    assert entry[:2] == recorded[:2]
    assert entry[2:4] == (taken, recorded[3])
    assert json.loads(entry[4]).keys() == json.loads(recorded[4]).keys()
    (stored, _) = brain_state.read_snapshots(server)
    assert (stored.label, stored.summary) == ("spring", "before\tit")


@pytest.mark.parametrize(("field", "longest"), [("label", 160), ("summary", 500)])
def test_names_that_are_too_long_are_refused(server: Vault, field: str, longest: int) -> None:
    take(server, **{field: "x" * longest})
    with pytest.raises(BadValue, match=f"{field}: it has {longest + 1}"):
        take(server, **{field: "x" * (longest + 1)})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not JSON"),
        ('{"schema": "brain_snapshot_v1", "memories": [', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "of another kind"),
        ('{"schema": "memoryvault_export_v1"}', "of another kind"),
        ('{"schema": "brain_snapshot_v1"}', "no list of memories"),
        ('{"schema": "brain_snapshot_v1", "memories": {}}', "no list of memories"),
        (
            '{"schema": "brain_snapshot_v1", "memories": [], "source_trust": 5}',
            "no list of source trust",
        ),
    ],
)
def test_a_damaged_snapshot_is_refused_in_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(VaultError, match=problem) as caught:
        read_payload(text)
    assert "Nothing was changed." in caught.value.one_line()


def test_a_snapshot_that_is_too_large_is_neither_made_nor_read(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot_payload, "MAX_PAYLOAD_BYTES", 50_000)
    with pytest.raises(VaultError, match="would be 0 MB; at most 0 MB can be kept"):
        take(server)
    with pytest.raises(VaultError, match="is 1 MB; at most 0 MB can be read"):
        snapshot_payload.check_size(1_000_000)
    assert len(brain_state.read_snapshots(server)) == 1


BAD_ROWS = {
    "memories": [
        (7, "memories[0] is no row."),
        ({}, "memories[0] has no id."),
        ({"id": "\ud800", "content": "x"}, "memories[0] has a wrong id: half of a character"),
        ({"id": "x", "type": "note"}, "memories[0] has a wrong content: expected text, not"),
        ({"id": "x", "type": 5, "content": "x"}, "memories[0] has a wrong type: expected text"),
        (
            {"id": "x", "type": "note", "content": "x", "confidence": "high"},
            "memories[0] has a wrong confidence: expected a number, not str 'high'.",
        ),
        (
            {"id": "x", "type": "note", "content": "x", "importance": float("nan")},
            "memories[0] has a wrong importance: expected a number",
        ),
        (
            {"id": "x", "type": "note", "content": "x", "importance": 10**400},
            "memories[0] has a wrong importance: expected a number",
        ),
        (
            {"id": "x", "type": "note", "content": "x", "created_at": 1e300},
            "memories[0] has a wrong created_at: float '1e+300' is no time.",
        ),
        (
            {"id": "x", "type": "Idea", "content": "x"},
            "memories: x has an unknown type 'Idea'.",
        ),
    ],
    "links": [
        (
            {"id": "x", "from_id": "a", "to_id": "b", "relation_type": "supports"},
            "links: The link a → b has an end that is not in the vault.",
        ),
    ],
    "source_trust": [
        ({"source_key": "  ", "trust": 1}, "source_trust[0] has no source_key."),
        ({"source_key": "a"}, "source_trust[0] has a wrong trust: expected a number, not nothing."),
    ],
    "aliases": [
        (
            {"canonical_memory_id": "a", "alias_memory_id": "b"},
            "aliases: The alias b names a memory that is not in the vault.",
        ),
    ],
    "conflict_resolutions": [
        (
            {"a_id": "a", "b_id": "b", "status": "resolved"},
            "conflict resolutions: The decision about a and b is about a memory that is not in "
            "the vault.",
        ),
    ],
}


@pytest.mark.parametrize(
    ("kind", "row", "sentence"),
    [(k, row, text) for k, some in BAD_ROWS.items() for row, text in some],
)
def test_a_row_that_makes_no_sense_is_named_and_the_rest_restored(
    server: Vault, kind: str, row: object, sentence: str
) -> None:
    restore = restore_of(server, take(server), MERGE, edit=lambda data: data[kind].insert(0, row))
    assert len(restore.skipped) == 1
    assert sentence in restore.skipped[0]
    assert restore.plan.is_empty


def test_an_existing_memory_survives_a_row_of_its_own_that_is_damaged(server: Vault) -> None:
    def damage(data: dict[str, Any]) -> None:
        data["memories"][0]["content"] = None
        data["memories"][1]["type"] = "Idea"

    restore = restore_of(server, take(server), edit=damage)
    assert len(restore.skipped) == 2
    assert restore.plan.is_empty


def test_values_out_of_range_are_moved_into_it(server: Vault) -> None:
    def exaggerate(data: dict[str, Any]) -> None:
        data["memories"][0]["confidence"] = 7
        data["memories"].append({"id": "n", "type": "fact", "content": "c", "importance": -3})

    restore = restore_of(server, take(server), MERGE, edit=exaggerate)
    changed, made = restore.plan.changes
    assert changed.written == {"confidence": 1.0}
    assert made.after is not None
    assert (made.after["importance"], made.after["confidence"]) == (0.0, 0.7)
    assert made.after["created_at"] == made.after["updated_at"] == NOW
    server.apply(restore.plan, now=NOW)
    assert server.read_memory("n").access_count == 0


def test_new_links_aliases_and_decisions_find_their_ends(server: Vault, run_sql: RunSql) -> None:
    a, b = (key for key, _ in _active(server)[:2])

    def add(data: dict[str, Any]) -> None:
        data["links"].append(
            {"id": "l", "from_id": a, "to_id": "n", "relation_type": "causes", "label": None}
        )
        data["links"].append({"id": "s", "from_id": a, "to_id": a, "relation_type": "causes"})
        data["links"].append({"id": "u", "from_id": a, "to_id": b, "relation_type": "loves"})
        data["memories"].append({"id": "n", "type": "fact", "content": "c"})
        data["aliases"].append({"canonical_memory_id": a, "alias_memory_id": "n"})
        for at, status in ((9, "dismissed"), (3, "resolved")):
            data["conflict_resolutions"].append(
                {"a_id": "n", "b_id": a, "status": status, "updated_at": at, "pair_key": "::"}
            )

    restore = restore_of(server, take(server), MERGE, edit=add)
    itself, unknown = restore.skipped
    assert itself.endswith("joins a memory to itself.")
    assert unknown.endswith("has an unknown relation_type 'loves'.")
    server.apply(restore.plan, now=NOW)
    assert run_sql(server.path, "SELECT created_at FROM memory_links WHERE id = 'l'") == [(NOW,)]
    alias = "SELECT confidence FROM memory_entity_aliases WHERE alias_memory_id = 'n'"
    assert run_sql(server.path, alias) == [(0.9,)]
    decision = "SELECT pair_key, status FROM memory_conflict_resolutions WHERE a_id = 'n'"
    assert run_sql(server.path, decision) == [("|".join(sorted(("n", a))), "dismissed")]


def test_replace_takes_aliases_decisions_and_loose_links_away(
    server: Vault, contents: Contents
) -> None:
    taken = take(server)
    before = contents(server.path)

    def empty(data: dict[str, Any]) -> None:
        data["aliases"] = []
        data["conflict_resolutions"] = data["conflict_resolutions"][1:]
        gone = data["memories"].pop(0)["id"]
        assert any(gone in (link["from_id"], link["to_id"]) for link in data["links"])

    restore = restore_of(server, taken, edit=empty)
    assert restore.counts["aliases"].deleted == 1
    assert restore.counts["conflict_resolutions"].deleted == 1
    assert restore.counts["memories"].deleted == 1
    assert restore.counts["links"].deleted > 0
    server.apply(restore.plan, now=NOW)
    server.undo(now=NOW)
    assert contents(server.path) == before


def test_rows_of_another_brain_are_not_taken_away(server: Vault, run_sql: RunSql) -> None:
    taken = take(server)
    first = json.loads(brain_state.read_snapshot_payload(server, taken) or "")["memories"][0]["id"]
    link = server.read_links_of(first)
    run_sql(
        server.path,
        "INSERT INTO brains (id, name, created_at, updated_at) VALUES ('other', 'Other', 1, 1)",
        f"UPDATE memories SET brain_id = 'other' WHERE id = '{first}'",
        *(f"UPDATE memory_links SET brain_id = 'other' WHERE id = '{one.id}'" for one in link),
    )
    restore = restore_of(server, taken)
    assert restore.plan.is_empty
    assert all("belongs to another brain of this file" in one for one in restore.skipped)
    assert len(restore.skipped) == 1 + len(link)


def test_a_snapshot_of_a_brain_that_is_named_nowhere_else_is_its_own(
    server: Vault, run_sql: RunSql
) -> None:
    taken = take(server)
    run_sql(server.path, "UPDATE brain_snapshots SET brain_id = ''")
    assert [one.id for one in brain_state.read_snapshots(server)] == [taken, RECORDED]
    run_sql(
        server.path, "UPDATE brain_snapshots SET label = CAST(x'41ff' AS TEXT), link_count = 'x'"
    )
    assert brain_state.read_snapshots(server)[0].label == "A\ufffd"
    run_sql(server.path, "UPDATE brain_snapshots SET label = x'41ff'")
    (one, _) = brain_state.read_snapshots(server)
    assert (one.label, one.link_count) == ("A\ufffd", 0)


def test_a_servers_limit_is_pointed_out(server: Vault) -> None:
    def fill(data: dict[str, Any]) -> None:
        data["memories"] = [
            {"id": f"m{number}", "type": "note", "content": "x"} for number in range(5000)
        ]

    (note,) = restore_of(server, take(server), MERGE, edit=fill).notes
    assert "older ones may be missing" in note


def test_a_table_of_a_stranger_is_read_as_far_as_it_goes(
    tmp_path: Path, open_vault: Callable[..., Vault], run_sql: RunSql
) -> None:
    path = make_first_server_file(tmp_path)
    run_sql(
        path,
        "CREATE TABLE brain_snapshots (id TEXT, payload_json BLOB)",
        "INSERT INTO brain_snapshots VALUES ('s', x'7b7d'), (NULL, '')",
    )
    vault = open_vault(path)
    (one,) = brain_state.read_snapshots(vault)
    assert (one.id, one.label, one.created_at, one.payload_bytes) == ("s", None, 0, 2)
    assert brain_state.read_snapshot_payload(vault, "s") == "{}"


def test_an_unknown_mode_is_refused(server: Vault) -> None:
    with pytest.raises(BadValue, match="merge or replace"):
        restore_of(server, take(server), "overwrite")


def test_infinite_bases_of_a_foreign_file_are_kept_as_the_end_of_the_range(
    server: Vault, run_sql: RunSql
) -> None:
    first = _active(server)[0][0]
    run_sql(
        server.path,
        "PRAGMA ignore_check_constraints = ON",
        f"UPDATE memories SET confidence = 9e999, importance = -9e999 WHERE id = '{first}'",
    )
    payload = read_payload(brain_state.read_snapshot_payload(server, take(server)) or "")
    row = payload.memories[first]
    assert (row["confidence"], row["importance"]) == (1.0, 0.0)


def test_a_file_without_snapshots_or_brains_has_none(
    tmp_path: Path, open_vault: Callable[..., Vault]
) -> None:
    vault = open_vault(make_first_server_file(tmp_path))
    assert brain_state.read_snapshots(vault) == []
    assert brain_state.find_ids_elsewhere(vault, "memories", ["m1"]) == set()
    taken = take(vault)
    assert brain_state.read_snapshot_payload(vault, "none") is None
    vault.apply(
        plan_delete([vault.read_memory("m1")], vault.read_links_of("m1"), brain_id=vault.brain.id),
        now=NOW,
    )
    restore = restore_of(vault, taken)
    assert restore.counts["memories"].made == restore.counts["links"].made == 1
    vault.apply(restore.plan, now=NOW)
    assert vault.read_memory("m1").content == "first text"


def test_a_preview_of_a_restore_is_read_piece_by_piece(server: Vault) -> None:
    taken = take(server, include_archived=True)
    first, *_ = _active(server)
    server.apply(plan_edit(server.read_memory(first[0]), {"title": "Moved"}, now=NOW), now=NOW)
    stored = brain_state.read_snapshots(server)[0]
    restore = preview_restore(server, stored, REPLACE, now=NOW, new_id=ids("restored"))
    check_same(restore, restore_of(server, taken))
    assert restore.counts["memories"] == KindCount(changed=1, held=182)
    with pytest.raises(VaultError, match="not JSON"):
        preview_restore(
            server, replace(stored, id="gone"), REPLACE, now=NOW, new_id=ids("restored")
        )


def test_of_rows_with_one_id_the_later_one_counts_whatever_the_brain_has(server: Vault) -> None:
    taken = take(server)
    first = _active(server)[0][0]

    def twice(data: dict[str, Any]) -> None:
        (row,) = [one for one in data["memories"] if one["id"] == first]
        at = row["updated_at"]
        older, newer = (
            {**row, "updated_at": at - 5},
            {**row, "title": "Newer", "updated_at": at + 5},
        )
        rows = {"same first": [row, older], "same last": [older, row], "newer": [row, newer]}[which]
        data["memories"] = [*rows, *data["memories"]]
        if which == "newer":
            data["memories"].insert(0, {**newer, "updated_at": at - 9})

    which = "same first"
    assert restore_of(server, taken, edit=twice).plan.is_empty
    which = "same last"
    assert restore_of(server, taken, edit=twice).plan.is_empty
    which = "newer"
    (change,) = restore_of(server, taken, edit=twice).plan.changes
    assert change.written["title"] == "Newer"


def test_links_that_are_the_same_go_with_a_memory_that_the_snapshot_lacks(server: Vault) -> None:
    taken = take(server)
    linked = server.read_links_of(_active(server)[0][0])
    gone = {linked[0].from_id}

    def leave_out(data: dict[str, Any]) -> None:
        data["memories"] = [one for one in data["memories"] if one["id"] not in gone]

    restore = restore_of(server, taken, edit=leave_out)
    assert restore.counts["links"].deleted == len(server.read_links_of(*gone))


@pytest.mark.parametrize("cell", ["NULL", "7", "CAST(x'7bff' AS TEXT)"])
def test_a_payload_that_is_no_text_is_said_to_be_damaged(
    server: Vault, run_sql: RunSql, cell: str
) -> None:
    run_sql(
        server.path,
        "CREATE TABLE kept AS SELECT * FROM brain_snapshots",
        "DROP TABLE brain_snapshots",
        f"UPDATE kept SET payload_json = {cell}",
        "ALTER TABLE kept RENAME TO brain_snapshots",
    )
    (stored,) = brain_state.read_snapshots(server)
    with pytest.raises(VaultError, match=r"not JSON|of another kind"):
        preview_restore(server, stored, REPLACE, now=NOW, new_id=ids("restored"))


def test_a_share_out_of_range_is_the_end_of_it_and_times_lose_their_fractions(
    server: Vault,
) -> None:
    first = _active(server)[0][0]
    server.apply(plan_edit(server.read_memory(first), {"confidence": 1}, now=NOW), now=NOW)
    taken = take(server)
    assert len(brain_state.read_brain_state(server).memories) == 182

    def beyond(data: dict[str, Any]) -> None:
        (row,) = [one for one in data["memories"] if one["id"] == first]
        row |= {"confidence": 1.5, "created_at": row["created_at"] + 0.5}

    assert restore_of(server, taken, edit=beyond).plan.is_empty


def test_a_snapshot_leaves_room_for_older_steps_and_can_be_taken_again(
    server: Vault, contents: Contents
) -> None:
    before = contents(server.path)
    take(server, snapshot_id="taken")
    taken = contents(server.path)
    steps = server.companion.steps
    assert len(steps.read(1)[0].plan) < 2_000
    for _ in range(2):
        server.undo(now=NOW)
        assert contents(server.path) == before
        assert len(steps.read(1)[0].plan) > 20_000
        server.redo(now=NOW)
        assert contents(server.path) == taken
        assert len(steps.read(1)[0].plan) < 2_000


def test_undoing_a_snapshot_that_is_refused_keeps_the_step(server: Vault, run_sql: RunSql) -> None:
    take(server, snapshot_id="taken")
    run_sql(server.path, "DELETE FROM brain_snapshots WHERE id = 'taken'")
    with pytest.raises(UndoImpossible, match="deleted by another program"):
        server.undo(now=NOW)
    assert server.journal.undo_label.startswith("Take the snapshot")


def test_a_snapshot_undone_while_the_journal_failed_for_a_moment_can_be_taken_again(
    server: Vault, contents: Contents, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(server, snapshot_id="taken")
    taken = contents(server.path)

    def full(*_: object) -> None:
        raise VaultFull("No room.", "Nothing was written.", "Free some space.")

    with monkeypatch.context() as patch:
        patch.setattr(server.companion.steps, "announce_mark", full)
        server.undo(now=NOW)
    server.redo(now=NOW)
    assert contents(server.path) == taken


@pytest.mark.parametrize(
    "content", ["plain", "an emoji 🚫 in a long English text", "重跑" * 40 + "🚫"]
)
def test_texts_of_every_script_come_back_and_take_little_room(
    server: Vault, run_sql: RunSql, content: str
) -> None:
    title = 'half \\ \\u0041 "quoted"'
    run_sql(server.path, ("UPDATE memories SET content = ?, title = ?", (content, title)))
    taken = take(server, include_archived=True)
    text = brain_state.read_snapshot_payload(server, taken)
    assert text is not None
    assert max(map(ord, text)) < 0x10000  # else each character takes four bytes in memory
    assert text.isascii() == (len(content) < 60)
    assert {one["content"] for one in json.loads(text)["memories"]} == {content}
    assert restore_of(server, taken).plan.is_empty
    assert restore_of(server, taken, MERGE).plan.is_empty


def test_a_brain_is_kept_without_holding_all_of_it(server: Vault) -> None:
    """Rows are read as they are written: the text is most of what it takes."""
    with server.file.write() as conn:
        conn.exec_driver_sql(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
            "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
            "SELECT 'many-' || i, ?, 'note', printf('%0500d', i), 1, 1 FROM n",
            (server.brain.id,),
        )
    tracemalloc.start()
    with brain_state.stream_brain(server) as brain:
        kept = format_payload(brain, include_archived=True, now=NOW)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept.memory_count > 20_000
    assert peak < 3 * len(kept.text)
