"""Files of older servers and odd ones: defaults until the first write, which adds and says."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import NotAVault, VaultError, VaultFull, VaultLocked, VaultReadOnly
from mvdesk.records import Brain
from mvdesk.store import backup
from mvdesk.store.engine import VaultFile
from mvdesk.store.reading import read_brains, read_links_of, read_memories, read_trust
from mvdesk.store.rows import insert_row
from mvdesk.store.tables import KNOWN_TABLES, Base
from tests.store.vault_files import (
    BRAIN,
    FIRST_SERVER,
    NOON,
    make_file,
    names_in,
    run_sql,
    state_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAY = 86_400


def touch(vault: VaultFile) -> None:
    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET title = 'new' WHERE id = 'm1'")


def test_what_an_older_server_left_out_reads_as_its_default(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    with vault.read() as conn:
        assert read_brains(conn, vault.schema) == [Brain(BRAIN, "Legacy Shared Brain", 2)]
        (memory,) = read_memories(conn, vault.schema, BRAIN, ["m1"])
        (link,) = read_links_of(conn, vault.schema, BRAIN, ["m1", "m2"])
        assert read_trust(conn, vault.schema, BRAIN) == []
        assert list(read_memories(conn, vault.schema, "other")) == []
    assert (memory.confidence, memory.importance, memory.access_count) == (0.7, 0.5, 0)
    assert (memory.source, memory.archived_at, memory.last_accessed_at) == (None, None, None)
    assert (link.relation_type, link.label, link.brain_id) == ("related", "because", BRAIN)
    assert vault.notices == (
        "This vault was made by an older server; missing columns read as defaults and are added "
        "at the first write.",
    )
    notes = vault.schema.missing_notes()
    assert "This vault was made before recall tracking; usage counts as 0." in notes
    assert len(notes) == 7
    assert not vault.schema.has("brains")
    assert not vault.schema.has("brains", "id")


def test_the_first_write_adds_what_is_missing_after_a_backup_and_says_so(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    touch(vault)
    assert vault.schema.is_complete
    said = " ".join(vault.notices)
    assert "Backup made: 2027-01-15-upgrade.sqlite" in said
    assert "memories.access_count" in said
    assert "the table brain_source_trust" in said
    assert "usage counts" not in said
    touch(vault)
    vault.close()
    folder = backup.backup_folder(old_file)
    assert names_in(folder) == ["2027-01-15-upgrade.sqlite"]
    tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
    assert run_sql(folder / "2027-01-15-upgrade.sqlite", tables) == [(3,)]
    added = run_sql(old_file, "SELECT brain_id, confidence, access_count FROM memories")
    assert added == [(BRAIN, 0.7, 0)] * 2
    assert run_sql(old_file, "SELECT name FROM brains") == [("Legacy Shared Brain",)]
    assert run_sql(old_file, "SELECT created_at FROM brains") == [(50,)]
    assert run_sql(old_file, "PRAGMA journal_mode") == [("delete",)]
    assert names_in(old_file.parent) == ["old.sqlite", "old.sqlite.mvdesk-backups"]


def test_what_was_added_serves_like_the_servers_own(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    trust = {"id": "t", "brain_id": BRAIN, "source_key": "slack", "created_at": 1, "updated_at": 2}
    with vault.write() as conn:
        insert_row(conn, "brain_source_trust", trust)
        insert_row(conn, "memories", {"id": "m3", "type": "note", "content": "x", "created_at": 1,
                                      "updated_at": 1})  # fmt: skip
        conn.exec_driver_sql("DELETE FROM memories WHERE id = 'm2'")
    with vault.read() as conn:
        (stored,) = read_trust(conn, vault.schema, BRAIN)
        assert stored.trust == 0.5
        assert {memory.id for memory in read_memories(conn, vault.schema, BRAIN)} == {"m1", "m3"}
        assert read_links_of(conn, vault.schema, BRAIN, ["m1"]) == []


def test_a_first_write_that_fails_adds_nothing(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    with pytest.raises(VaultError), vault.write() as conn:
        insert_row(conn, "memories", {"id": "m1", "type": "note", "content": "again",
                                      "created_at": 1, "updated_at": 1})  # fmt: skip
    assert not vault.schema.is_complete
    assert not any(notice.startswith("Added") for notice in vault.notices)
    columns = run_sql(old_file, "SELECT name FROM pragma_table_info('memories')")
    assert ("source",) not in columns
    touch(vault)
    assert vault.schema.is_complete


def test_an_empty_old_file_gets_the_default_brain(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    path = make_file(tmp_path / "x.sqlite", FIRST_SERVER + "DELETE FROM memories;")
    vault = open_vault(path)
    with vault.read() as conn:
        assert read_brains(conn, vault.schema) == [Brain(BRAIN, "Legacy Shared Brain", 0)]
    touch(vault)
    assert run_sql(path, "SELECT id, created_at FROM brains") == [(BRAIN, 0)]


def test_brains_that_only_memories_name_get_their_rows(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    run_sql(reference, "UPDATE memories SET brain_id = 'mine', created_at = 7 WHERE rowid < 4")
    run_sql(reference, "UPDATE memories SET brain_id = '' WHERE rowid = 5")
    vault = open_vault(reference)
    with vault.read() as conn:
        brains = read_brains(conn, vault.schema)
        first = next(read_memories(conn, vault.schema, "mine"))
    assert brains == [Brain(BRAIN, "Legacy Shared Brain", 179), Brain("mine", "mine", 3)]
    assert first.brain_id == "mine"
    touch(vault)
    assert "Added to this vault: 1 brains without a row of their own." in vault.notices
    assert run_sql(reference, "SELECT id, slug, created_at FROM brains") == [
        (BRAIN, "legacy-shared-brain", 1718139605),
        ("mine", None, 7),
    ]


def test_unknown_tables_and_columns_are_left_alone(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    run_sql(reference, "ALTER TABLE memories ADD COLUMN mood TEXT DEFAULT 'calm'")
    run_sql(reference, "CREATE TABLE mine (x NOT NULL)")
    vault = open_vault(reference)
    assert vault.read_only_reason is None
    touch(vault)
    assert run_sql(reference, "SELECT count(*) FROM memories WHERE mood = 'calm'") == [(182,)]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("ALTER TABLE memories DROP COLUMN content", "memories has no column content"),
        ("ALTER TABLE memories DROP COLUMN updated_at", "memories has no column updated_at"),
        ("ALTER TABLE memory_links DROP COLUMN created_at", "memory_links has no column"),
        (
            "CREATE TABLE brain_policies (policy_json TEXT, mood TEXT NOT NULL)",
            "wants a value in the column mood",
        ),
        ("CREATE VIEW brain_policies AS SELECT 1 AS x", "brain_policies is not a plain table"),
        ("CREATE VIRTUAL TABLE brain_policies USING fts5(x)", "brain_policies is not a plain"),
    ],
)
def test_a_table_that_cannot_be_written_safely_makes_the_vault_read_only(
    old_file: Path, open_vault: Callable[..., VaultFile], script: str, why: str
) -> None:
    run_sql(old_file, script)
    before = state_of(old_file)
    vault = open_vault(old_file)
    assert why in str(vault.read_only_reason)
    with vault.read() as conn:
        assert len(list(read_memories(conn, vault.schema, BRAIN))) == 2
        read_links_of(conn, vault.schema, BRAIN, ["m1"])
    with pytest.raises(VaultReadOnly, match="can't be changed"), vault.write():
        pass
    vault.close()
    assert state_of(old_file) == before


def test_a_file_that_lacks_recall_alone_is_told_so(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    run_sql(reference, "DROP INDEX IF EXISTS idx_memories_brain_accessed")
    for column in ("access_count", "last_accessed_at", "last_decayed_at"):
        run_sql(reference, f"ALTER TABLE memories DROP COLUMN {column}")
    vault = open_vault(reference)
    assert vault.notices == ("This vault was made before recall tracking; usage counts as 0.",)
    assert vault.read_only_reason is None


def test_every_required_column_that_is_missing_is_named(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    script = "CREATE TABLE memories (id INTEGER PRIMARY KEY, content TEXT, title TEXT);"
    vault = open_vault(make_file(tmp_path / "x.sqlite", script))
    assert str(vault.read_only_reason) == (
        "The table memories has no columns type, created_at and updated_at, so the vault is "
        "read-only."
    )
    with pytest.raises(VaultReadOnly, match="type, created_at and updated_at"):
        touch(vault)


@pytest.mark.parametrize(
    "columns", ["id INTEGER PRIMARY KEY, note TEXT", "id TEXT", "id TEXT, memory TEXT, at INTEGER"]
)
def test_a_memories_table_of_another_program_is_no_vault(
    tmp_path: Path, open_vault: Callable[..., VaultFile], columns: str
) -> None:
    path = make_file(tmp_path / "x.sqlite", f"CREATE TABLE memories ({columns});")
    with pytest.raises(NotAVault, match="none of MemoryVault's columns but id"):
        open_vault(path)


def test_columns_that_fill_themselves_are_no_obstacle(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    script = (
        FIRST_SERVER.replace("id TEXT PRIMARY KEY, type", "id TEXT UNIQUE, type")
        .replace(
            "updated_at INTEGER NOT NULL);",
            "updated_at INTEGER NOT NULL, seq INTEGER PRIMARY KEY NOT NULL, "
            "size INTEGER NOT NULL GENERATED ALWAYS AS (length(content)) VIRTUAL);",
            1,
        )
        .replace("'a,b', 100, 200)", "'a,b', 100, 200, 1)")
        .replace("NULL, 50, 60)", "NULL, 50, 60, 2)")
    )
    vault = open_vault(make_file(tmp_path / "x.sqlite", script))
    assert vault.read_only_reason is None
    touch(vault)


def test_a_column_that_another_program_adds_is_noticed_in_the_middle(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    touch(vault)
    run_sql(reference, "ALTER TABLE memories ADD COLUMN must TEXT NOT NULL DEFAULT ''")
    touch(vault)
    run_sql(reference, "ALTER TABLE memories DROP COLUMN source")
    touch(vault)
    assert "Added to this vault: memories.source." in vault.notices
    run_sql(reference, "ALTER TABLE memories DROP COLUMN updated_at")
    with pytest.raises(VaultReadOnly, match="no column updated_at"):
        touch(vault)


def test_tables_changed_between_backup_and_write_are_not_written(
    reference: Path, open_vault: Callable[..., VaultFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = open_vault(reference)
    back_up = VaultFile._back_up_when_due

    columns = iter(("label", "relation_type"))

    def change_then(vault: VaultFile, on_backup: Callable[[], None]) -> tuple[str, ...]:
        back_up(vault, on_backup)
        if column := next(columns, None):
            run_sql(reference, "DROP INDEX IF EXISTS idx_links_relation_type")
            run_sql(reference, f"ALTER TABLE memory_links DROP COLUMN {column}")
        return ()

    monkeypatch.setattr(VaultFile, "_back_up_when_due", change_then)
    with pytest.raises(VaultLocked):
        touch(vault)
    monkeypatch.undo()
    touch(vault)
    assert vault.schema.has("memory_links", "label")


def test_a_backup_is_made_before_the_first_write_of_a_day(reference: Path) -> None:
    with closing(sqlite3.connect(reference)) as conn:
        before = list(conn.iterdump())
    clock = [NOON]
    vault = VaultFile.open(reference, clock=lambda: clock[0])
    folder = backup.backup_folder(reference)
    touch(vault)
    touch(vault)
    assert names_in(folder) == ["2027-01-15.sqlite"]
    with closing(sqlite3.connect(folder / "2027-01-15.sqlite")) as copy:
        assert list(copy.iterdump()) == before
    with VaultFile.open(reference, clock=lambda: clock[0]) as second:
        touch(second)
    assert len(names_in(folder)) == 1
    for _ in range(9):
        clock[0] += DAY
        touch(vault)
    vault.close()
    assert names_in(folder) == [f"2027-01-{day}.sqlite" for day in range(18, 25)]
    assert run_sql(folder / "2027-01-24.sqlite", "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("put", [shutil.copyfile, shutil.move])
def test_another_vault_put_in_place_has_its_own_backup_of_the_day(
    tmp_path: Path,
    open_vault: Callable[..., VaultFile],
    put: Callable[[Path, Path], None],
    is_open: bool,
) -> None:
    path, other = tmp_path / "v.sqlite", tmp_path / "other.sqlite"
    for place, brain_id in ((path, "one"), (other, "two")):
        VaultFile.create(place, "Home", now=1, new_id=partial(str, brain_id)).close()
    folder = backup.backup_folder(path)
    for _ in range(2):
        vault = open_vault(path)
        touch(vault)
        assert names_in(folder) == ["2027-01-15.sqlite"]
        if not is_open:
            vault.close()
    put(other, path)
    for _ in range(2):
        vault = vault if is_open else open_vault(path)
        touch(vault)
        assert names_in(folder) == ["2027-01-15-2.sqlite", "2027-01-15.sqlite"]
        if not is_open:
            vault.close()
    held = [run_sql(made, "SELECT id FROM brains") for made in backup.list_backups(folder)]
    assert held == [[("one",)], [("two",)]]


def test_a_backup_that_cannot_be_read_counts_for_none(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    folder = backup.backup_folder(reference)
    folder.mkdir()
    (folder / "2027-01-15.sqlite").write_bytes(b"no database at all" * 100)
    touch(open_vault(reference))
    assert names_in(folder) == ["2027-01-15-2.sqlite", "2027-01-15.sqlite"]


def test_a_vault_without_brains_is_told_by_its_first_memory(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    with closing(sqlite3.connect(old_file)) as conn:
        conn.execute("DROP TABLE IF EXISTS brains")
        folder = backup.backup_folder(old_file)
        assert backup.is_backup_due(conn, folder, "2027-01-15")
        backup.make_backup(conn, old_file, folder, day="2027-01-15", before_upgrade=False)
        assert not backup.is_backup_due(conn, folder, "2027-01-15")
        conn.execute("DELETE FROM memories")
        assert backup.is_backup_due(conn, folder, "2027-01-15")


def test_backups_are_as_private_as_the_vault(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    reference.chmod(0o600)
    vault = open_vault(reference)
    touch(vault)
    (made,) = backup.list_backups(backup.backup_folder(reference))
    assert made.stat().st_mode & 0o777 == 0o600


def test_other_files_in_the_folder_of_backups_stay(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    folder = backup.backup_folder(reference)
    folder.mkdir()
    (folder / "mine.sqlite").touch()
    for day in range(1, 9):
        (folder / f"2026-01-0{day}.sqlite").touch()
    touch(open_vault(reference))
    assert "mine.sqlite" in names_in(folder)
    assert len(backup.list_backups(folder)) == backup.KEPT


def test_a_second_upgrade_on_one_day_gets_its_own_backup(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    for column in ("source", "tags"):
        run_sql(reference, f"ALTER TABLE memories DROP COLUMN {column}")
        vault = open_vault(reference)
        touch(vault)
        vault.close()
    assert names_in(backup.backup_folder(reference)) == [
        "2027-01-15-upgrade-2.sqlite",
        "2027-01-15-upgrade.sqlite",
    ]


def test_no_room_for_the_daily_backup_does_not_stop_a_save(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    backup.backup_folder(reference).touch()  # a file where the folder should be
    vault = open_vault(reference)
    touch(vault)
    assert "Today’s backup could not be made" in vault.notices[0]
    touch(vault)
    assert len(vault.notices) == 1


def test_no_backup_no_upgrade(old_file: Path, open_vault: Callable[..., VaultFile]) -> None:
    backup.backup_folder(old_file).touch()
    before = state_of(old_file)
    vault = open_vault(old_file)
    with pytest.raises(VaultFull, match="No backup"):
        touch(vault)
    assert state_of(old_file) == before


def test_a_backup_that_fails_leaves_no_part_behind(
    reference: Path, open_vault: Callable[..., VaultFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no such device")

    monkeypatch.setattr(backup.shutil, "copymode", fail)
    vault = open_vault(reference)
    touch(vault)
    assert names_in(backup.backup_folder(reference)) == []


def test_rows_that_break_a_rule_are_no_damage(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    run = sqlite3.connect(reference)
    run.execute("PRAGMA ignore_check_constraints = ON")
    run.execute("UPDATE memories SET confidence = 1.5 WHERE rowid = 1")
    run.commit()
    run.close()
    vault = open_vault(reference)
    touch(vault)
    assert vault.read_only_reason is None


def test_every_known_table_says_what_it_is_for() -> None:
    assert len(KNOWN_TABLES) == 9
    for mapper in Base.registry.mappers:
        assert mapper.class_.__doc__
