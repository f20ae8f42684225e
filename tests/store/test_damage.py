"""A damaged file is never written, is called damaged, and the advice is about what is there."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import VaultDamaged, VaultError, VaultReadOnly
from mvdesk.store.backup import backup_folder
from mvdesk.store.damage import damaged, find_damage
from tests.store.damaging import drop_entries, misspell, swap_entries
from tests.store.vault_files import NOON, names_in, run_sql, state_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.store.engine import VaultFile

    Opening = Callable[..., VaultFile]

BY_ID = "sqlite_autoindex_memories_1"
DAY = 86_400


def touch(vault: VaultFile) -> None:
    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET access_count = access_count + 1")


def test_without_a_backup_none_is_advised(tmp_path: Path) -> None:
    error = damaged(tmp_path / "brain.sqlite", "bits")
    assert "mvdesk-backups" not in error.one_line()
    assert "a backup of your own" in error.remedy


def test_the_newest_backup_is_named_where_there_is_one(
    reference: Path, open_vault: Opening
) -> None:
    clock = [NOON]
    with open_vault(reference, clock=lambda: clock[0]) as vault:
        touch(vault)
        clock[0] += DAY
        touch(vault)
    error = damaged(reference, "bits")
    assert names_in(backup_folder(reference))[-1] in error.remedy
    assert "brain.sqlite.mvdesk-backups" in error.remedy
    link = reference.with_name("link.sqlite")
    link.symlink_to(reference)
    assert "brain.sqlite.mvdesk-backups" in damaged(link, "bits").remedy


@pytest.mark.parametrize("index", [BY_ID, "idx_created", "idx_links_from"])
@pytest.mark.parametrize("harm", [swap_entries, drop_entries])
def test_an_index_that_differs_from_its_table_makes_the_vault_read_only(
    reference: Path,
    open_vault: Opening,
    harm: Callable[[Path, str], None],
    index: str,
) -> None:
    harm(reference, index)
    before = state_of(reference)
    vault = open_vault(reference)
    assert vault.read_only_reason is None  # opening can't look at everything
    with pytest.raises(VaultDamaged, match="damaged") as caught:
        touch(vault)
    assert "a backup of your own" in caught.value.remedy
    assert "damaged (" in str(vault.read_only_reason)  # and what was found
    with pytest.raises(VaultDamaged, match="damaged"):  # not only "read-only"
        touch(vault)
    vault.close()
    assert state_of(reference) == before
    assert names_in(reference.parent) == ["brain.sqlite"]


def test_damage_is_found_on_request_and_remembered(reference: Path, open_vault: Opening) -> None:
    vault = open_vault(reference)
    vault.refuse_when_damaged()
    touch(vault)
    vault.close()
    memory_id = str(run_sql(reference, "SELECT id FROM memories LIMIT 1")[0][0])
    misspell(reference, BY_ID, memory_id)
    vault = open_vault(reference)  # the backup of the day is made: nothing is looked at again
    with pytest.raises(VaultDamaged, match="damaged"):
        vault.refuse_when_damaged()
    with pytest.raises(VaultDamaged):
        touch(vault)


def test_a_sound_file_put_in_the_place_of_a_damaged_one_can_be_written(
    reference: Path, open_vault: Opening
) -> None:
    sound = reference.read_bytes()
    drop_entries(reference, BY_ID)
    vault = open_vault(reference)
    with pytest.raises(VaultDamaged):
        touch(vault)
    other = reference.with_name("other.sqlite")
    other.write_bytes(sound)
    other.replace(reference)
    touch(vault)
    assert vault.read_only_reason is None


def test_damage_met_while_writing_makes_the_vault_read_only(
    reference: Path, open_vault: Opening
) -> None:
    vault = open_vault(reference)
    touch(vault)
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    with pytest.raises(VaultDamaged), vault.write():
        raise error
    assert "damaged" in str(vault.read_only_reason)


def test_rows_that_break_a_rule_are_no_damage(reference: Path, open_vault: Opening) -> None:
    with closing(sqlite3.connect(reference)) as conn, conn:
        conn.execute("PRAGMA ignore_check_constraints = ON")
        conn.execute("UPDATE memories SET confidence = 7, type = 'odd'")
    with closing(sqlite3.connect(reference)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchone() != ("ok",)
        assert find_damage(conn) is None
    vault = open_vault(reference)
    with vault.write() as conn_:
        conn_.exec_driver_sql("UPDATE memories SET confidence = 0.5, type = 'fact'")


def test_damage_behind_many_broken_rules_is_found(reference: Path) -> None:
    with closing(sqlite3.connect(reference)) as conn, conn:
        conn.execute("PRAGMA ignore_check_constraints = ON")
        conn.execute("UPDATE memories SET confidence = 7")
    drop_entries(reference, "idx_changelog_created")
    with closing(sqlite3.connect(reference)) as conn:
        assert find_damage(conn) is not None


@pytest.mark.parametrize(
    ("at", "value", "what"),
    [(19, b"\x03", "read version 3"), (44, b"\0\0\0\5", "schema format 5")],
)
def test_a_file_of_a_newer_sqlite_is_not_called_damaged(
    reference: Path, open_vault: Opening, at: int, value: bytes, what: str
) -> None:
    contents = bytearray(reference.read_bytes())
    contents[at : at + len(value)] = value
    reference.write_bytes(contents)
    with pytest.raises(VaultError, match="newer SQLite format") as caught:
        open_vault(reference)
    assert not isinstance(caught.value, VaultDamaged)
    assert "damaged" not in caught.value.what
    assert what in caught.value.what
    assert reference.read_bytes() == contents


def test_a_file_that_only_a_newer_sqlite_writes_is_read(
    reference: Path, open_vault: Opening
) -> None:
    contents = bytearray(reference.read_bytes())
    contents[18] = 3
    reference.write_bytes(contents)
    vault = open_vault(reference)
    with vault.read() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM memories").scalar_one() > 1
    assert "newer SQLite format" in str(vault.read_only_reason)
    with pytest.raises(VaultReadOnly, match="newer SQLite format"):
        touch(vault)
    vault.close()
    assert reference.read_bytes() == contents


def test_an_error_while_looking_for_damage_is_no_damage() -> None:
    conn = sqlite3.connect(":memory:")
    conn.set_progress_handler(lambda: 1, 1)
    with pytest.raises(sqlite3.OperationalError):
        find_damage(conn)
    conn.set_progress_handler(None, 0)
    conn.close()
