"""What a check finds, what a repair makes of it, and that undo takes it back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mvdesk.errors import UndoImpossible
from mvdesk.store.checking import find_companion_damage
from mvdesk.vault.operations.repair import can_be_repaired, plan_remove_orphans, plan_repair
from mvdesk.vault.questions.check import check_vault, renew_companion
from mvdesk.vault.rescuing import rescue_vault
from mvdesk.vault.snapshot import read_snapshot
from tests.store.damaging import drop_entries
from tests.store.vault_files import make_file, make_first_server_file
from tests.vault.made import NOW

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.vault import Vault

    RunSql = Callable[..., list[tuple[Any, ...]]]
    Contents = Callable[[Path], dict[str, list[tuple[object, ...]]]]

# A file of a stranger: the server's columns without its rules.
LAX = """
CREATE TABLE brains (id TEXT PRIMARY KEY, name, slug, owner_user_id, created_at, updated_at);
CREATE TABLE memories (id TEXT PRIMARY KEY, brain_id, type, title, key, content, tags, source,
  confidence, importance, archived_at, access_count, last_accessed_at, last_decayed_at,
  created_at, updated_at);
CREATE TABLE memory_links (id TEXT PRIMARY KEY, brain_id, from_id, to_id, relation_type, label,
  created_at);
CREATE TABLE memory_changelog (id TEXT PRIMARY KEY, brain_id, event_type, entity_type, entity_id,
  summary, payload, created_at);
CREATE TABLE brain_source_trust (id TEXT PRIMARY KEY, brain_id, source_key, trust, notes,
  created_at, updated_at);
CREATE TABLE brain_policies (brain_id TEXT PRIMARY KEY, policy_json, created_at, updated_at);
CREATE TABLE brain_snapshots (id TEXT PRIMARY KEY, brain_id, label, summary, memory_count,
  link_count, payload_json, created_at);
CREATE TABLE memory_conflict_resolutions (id TEXT PRIMARY KEY, brain_id, pair_key, a_id, b_id,
  status, canonical_id, note, created_at, updated_at);
CREATE TABLE memory_entity_aliases (id TEXT PRIMARY KEY, brain_id, canonical_memory_id,
  alias_memory_id, note, confidence, created_at, updated_at);
INSERT INTO brains VALUES ('b', 'Home', 'home', NULL, 1, 1);
INSERT INTO memories
SELECT value, 'b', 'note', NULL, NULL, 'text', NULL, NULL, 0.5, 0.5, NULL, 0, NULL, NULL, 5, 6
FROM json_each('["m1", "m2", "m3", "m4", "m5"]');
INSERT INTO memory_links
SELECT value, 'b', 'm1', 'm2', 'related', NULL, 5 FROM json_each('["l1", "l2", "l3", "l4"]');
INSERT INTO brain_source_trust VALUES ('t1', 'b', 'slack', 0.5, NULL, 5, 5);
INSERT INTO brain_policies VALUES ('b', '{}', 1, 1);
INSERT INTO brain_snapshots VALUES ('s1', 'b', NULL, NULL, 0, 0, '{}', 5);
INSERT INTO memory_conflict_resolutions
VALUES ('r1', 'b', 'm1|m2', 'm1', 'm2', 'resolved', NULL, NULL, 5, 5);
INSERT INTO memory_entity_aliases VALUES ('a1', 'b', 'm1', 'm2', NULL, 0.9, 5, 5);
"""


@pytest.fixture
def lax(tmp_path: Path, open_vault: Callable[..., Vault]) -> Vault:
    return open_vault(make_file(tmp_path / "lax.sqlite", LAX))


def found(vault: Vault) -> list[tuple[str, str, str, str]]:
    return [
        (one.kind, one.table, one.row_id, one.column)
        for one in check_vault(vault, now=NOW).findings
    ]


def test_sound_vaults_have_no_findings(server: Vault, lax: Vault, empty: Vault) -> None:
    for vault in (server, lax, empty):
        check = check_vault(vault, now=NOW)
        assert check.findings == check.problems == ()
        assert (check.companion, check.index_damage) == ("", "")


# What is done to the file, what is found, and what the cell holds after a repair (None: as is).
CASES = [
    ("UPDATE memories SET confidence = 7.5 WHERE id = 'm1'", "out of range", 1.0),
    ("UPDATE memories SET confidence = -9e999 WHERE id = 'm1'", "out of range", 0.0),
    ("UPDATE memories SET importance = -1 WHERE id = 'm1'", "out of range", 0.0),
    ("UPDATE memories SET importance = 'high' WHERE id = 'm1'", "out of range", 0.5),
    ("UPDATE memories SET confidence = NULL WHERE id = 'm1'", "out of range", 0.7),
    ("UPDATE memories SET access_count = -3 WHERE id = 'm1'", "out of range", 0),
    ("UPDATE memories SET access_count = 2.9 WHERE id = 'm1'", "out of range", 2),
    ("UPDATE memories SET access_count = 9e999 WHERE id = 'm1'", "out of range", 0),
    ("UPDATE memories SET access_count = x'00' WHERE id = 'm1'", "out of range", 0),
    ("UPDATE brain_source_trust SET trust = 1.5 WHERE id = 't1'", "out of range", 1.0),
    ("UPDATE memory_entity_aliases SET confidence = 'x' WHERE id = 'a1'", "out of range", 0.9),
    ("UPDATE memories SET created_at = 1700000000123 WHERE id = 'm1'", "milliseconds", 1700000000),
    ("UPDATE memories SET updated_at = 1.7e15 WHERE id = 'm1'", "milliseconds", 1700000000),
    ("UPDATE memory_links SET created_at = 1700000000123 WHERE id = 'l1'", "milliseconds", None),
    ("UPDATE memories SET updated_at = 9e999 WHERE id = 'm1'", "milliseconds", None),
    ("UPDATE memories SET updated_at = 7.9 WHERE id = 'm1'", "odd time", 7),
    ("UPDATE memories SET updated_at = -7.5 WHERE id = 'm1'", "odd time", None),
    ("UPDATE memories SET updated_at = '2026-01-01' WHERE id = 'm1'", "odd time", None),
    ("UPDATE memories SET updated_at = NULL WHERE id = 'm1'", "odd time", None),
    ("UPDATE memories SET archived_at = 2000000000 WHERE id = 'm1'", "odd time", None),
    ("UPDATE memories SET type = ' Fact' WHERE id = 'm1'", "unknown word", "fact"),
    ("UPDATE memories SET type = 'rumour' WHERE id = 'm1'", "unknown word", "note"),
    ("UPDATE memories SET type = NULL WHERE id = 'm1'", "unknown word", "note"),
    (
        "UPDATE memory_links SET relation_type = 'Example Of' WHERE id = 'l1'",
        "unknown word",
        "example_of",
    ),
    ("UPDATE memory_links SET relation_type = 'loves' WHERE id = 'l1'", "unknown word", "related"),
    (
        "UPDATE memory_conflict_resolutions SET status = 'needs-review' WHERE id = 'r1'",
        "unknown word",
        "needs_review",
    ),
    ("UPDATE brain_policies SET policy_json = '{' WHERE brain_id = 'b'", "unreadable JSON", None),
    ("UPDATE brain_snapshots SET payload_json = 'x' WHERE id = 's1'", "unreadable JSON", None),
    ("UPDATE memory_links SET to_id = 'm1' WHERE id = 'l1'", "self link", None),
    (
        "UPDATE memory_entity_aliases SET alias_memory_id = 'x' WHERE id = 'a1'",
        "names a memory that is gone",
        None,
    ),
]


@pytest.mark.parametrize(("sql", "kind", "mended"), CASES, ids=[sql[7:60] for sql, *_ in CASES])
def test_each_fault_is_found_mended_and_brought_back_by_undo(
    lax: Vault, run_sql: RunSql, contents: Contents, sql: str, kind: str, mended: object
) -> None:
    run_sql(lax.path, sql)
    before = contents(lax.path)
    check = check_vault(lax, now=NOW)
    (one,) = check.findings
    assert one.kind == kind
    assert f"UPDATE {one.table} SET {one.column} = " in sql or kind == "self link"
    assert contents(lax.path) == before
    if kind in ("self link", "names a memory that is gone"):
        assert check.problems == ()
        return
    assert check.problems == (one,)
    plan = plan_repair(check.repairable, brain_id="b")
    if mended is None and not can_be_repaired(one):
        assert plan.is_empty
        return
    lax.apply(plan, now=NOW)
    key = "brain_id" if one.table == "brain_policies" else "id"
    value = f"SELECT {one.column} FROM {one.table} WHERE {key} = ?"
    ((cell,),) = run_sql(lax.path, (value, (one.row_id,)))
    if mended is not None:
        assert (cell, type(cell)) == (mended, type(mended))
    assert check_vault(lax, now=NOW).problems == ()
    lax.undo(now=NOW)
    assert contents(lax.path) == before


def test_links_without_an_end_go_and_several_faults_are_one_step(
    lax: Vault, run_sql: RunSql, contents: Contents
) -> None:
    run_sql(
        lax.path,
        "UPDATE memory_links SET from_id = 'gone', relation_type = 'loves' WHERE id = 'l1'",
        "UPDATE memory_links SET to_id = NULL WHERE id = 'l2'",
        "UPDATE memories SET confidence = 9, importance = 'x', type = 'FACT' WHERE id = 'm3'",
        "INSERT INTO memories (id, brain_id, type) VALUES (NULL, 'b', 'note')",
    )
    check = check_vault(lax, now=NOW)
    assert [one.kind for one in check.findings].count("orphan link") == 2
    assert ("no id", "memories", "", "id") in found(lax)
    removal = plan_remove_orphans(check.repairable, brain_id="b")
    assert removal.label == "Remove 2 links without an end"
    plan = plan_repair(check.repairable, brain_id="b")
    assert plan.label == "Repair 1 row"
    lax.apply(removal, now=NOW)
    removed = contents(lax.path)
    lax.apply(plan, now=NOW)
    assert run_sql(lax.path, "SELECT id FROM memory_links ORDER BY 1") == [("l3",), ("l4",)]
    logged = run_sql(lax.path, "SELECT event_type, payload FROM memory_changelog ORDER BY rowid")
    assert [event for event, _ in logged] == [
        "memory_link_removed",
        "memory_link_removed",
        "memory_updated",
    ]
    assert json.loads(logged[2][1])["before"] == {
        "confidence": 9,
        "importance": "x",
        "type": "FACT",
    }
    lax.undo(now=NOW)
    assert contents(lax.path) == removed
    with pytest.raises(UndoImpossible, match="has an end that was deleted"):
        lax.undo(now=NOW)


def test_references_that_lead_nowhere_are_found_in_all_brains(
    server: Vault, run_sql: RunSql
) -> None:
    run_sql(server.path, "UPDATE brain_source_trust SET brain_id = 'nowhere' WHERE rowid = 1")
    run_sql(server.path, "UPDATE memory_links SET to_id = 'gone' WHERE rowid = 1")
    one, link = check_vault(server, now=NOW).findings
    assert (one.kind, one.details) == ("foreign key", "row 1 refers to no brains")
    assert link.kind == "orphan link"  # told once, with its id


def test_an_old_file_without_most_tables_is_checked(
    tmp_path: Path, open_vault: Callable[..., Vault], run_sql: RunSql
) -> None:
    path = make_first_server_file(tmp_path)
    assert found(open_vault(path)) == []
    run_sql(path, "DROP TABLE memory_links")
    assert found(open_vault(path)) == []


def test_what_is_beside_the_vault_is_checked_and_made_anew(server: Vault) -> None:
    assert check_vault(server, now=NOW).is_companion_stale
    renew_companion(server, check_vault(server, now=NOW))
    server.text_index.fill(server, read_snapshot(server))
    assert not check_vault(server, now=NOW).is_companion_stale
    assert server.companion.path is not None
    assert find_companion_damage(server.companion.path) is None


def test_damage_beside_the_vault_is_told(
    server: Vault, run_sql: RunSql, open_vault: Callable[..., Vault]
) -> None:
    server.text_index.fill(server, read_snapshot(server))
    path = server.companion.path
    assert path is not None
    server.close()
    ((shadow,),) = run_sql(path, "SELECT name FROM sqlite_master WHERE name = 'search_index_data'")
    run_sql(path, f"DELETE FROM {shadow} WHERE id > 10")
    vault = open_vault(server.path)
    check = check_vault(vault, now=NOW)
    assert check.index_damage
    renew_companion(vault, check)
    assert check_vault(vault, now=NOW).index_damage == ""
    vault.close()
    content = bytearray(path.read_bytes())
    content[4096 * 3 : 4096 * 12] = bytes(4096 * 9)
    path.write_bytes(content)
    assert find_companion_damage(path)
    path.write_bytes(b"no database at all, but long enough to look into" * 20)
    assert find_companion_damage(path)


def test_a_whole_vault_is_rescued_whole(server: Vault, lax: Vault) -> None:
    rescue = rescue_vault(server.path, exported_at=NOW)
    assert rescue.counts["memories"] == 182
    data = json.loads(rescue.text)
    assert (data["schema"], data["exported_at"]) == ("memoryvault_export_v1", NOW)
    assert data["stats"]["memory_links"] == 259
    assert data["data"]["brain_policy"]["decay_days"] == 21
    assert data["data"]["memory_watches"] == []
    assert rescue_vault(server.path, exported_at=NOW, brain_id="none").counts["memories"] == 0
    assert json.loads(rescue_vault(lax.path, exported_at=1).text)["data"]["memories"][0] == {
        "id": "m1", "type": "note", "title": None, "key": None, "content": "text", "tags": None,
        "source": None, "confidence": 0.5, "importance": 0.5, "archived_at": None,
        "created_at": 5, "updated_at": 6, "access_count": 0, "last_accessed_at": None,
        "last_decayed_at": None,
    }  # fmt: skip


def test_damage_that_reading_does_not_meet_is_found(
    server_file: Path, run_sql: RunSql, open_vault: Callable[..., Vault]
) -> None:
    run_sql(server_file, "PRAGMA journal_mode = DELETE")
    drop_entries(server_file, "idx_memories_brain_created")
    kinds = {one.kind for one in check_vault(open_vault(server_file), now=NOW).findings}
    assert kinds == {"damage"}
