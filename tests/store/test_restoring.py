"""Copies of a vault, and going back to one: the present state is kept, nothing is mixed up."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import (
    NotAVault,
    VaultChanged,
    VaultDamaged,
    VaultError,
    VaultFull,
    VaultLocked,
    VaultNotFound,
    VaultReadOnly,
)
from mvdesk.store import restoring
from mvdesk.store.restoring import copy_vault, read_backups, restore_backup
from tests.store.damaging import drop_entries
from tests.store.small_disk import files_limited_to
from tests.store.vault_files import (
    HOLD_WRITE_LOCK,
    copy_reference,
    give_to_nobody,
    make_file,
    names_in,
    program_holding,
    run_sql,
    state_of,
    unprivileged,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.store.engine import VaultFile

DAY = "2027-01-15"
COUNT = "SELECT count(*) FROM memories"


@pytest.fixture
def older(reference: Path, tmp_path: Path) -> Path:
    """A copy of the vault with all its 182 memories; the vault then loses one."""
    path = tmp_path / "older.sqlite"
    shutil.copyfile(reference, path)
    run_sql(reference, "DELETE FROM memories WHERE rowid = 1")
    return path


def test_a_vault_in_use_is_copied_whole(
    reference: Path, tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET title = 'mine'")
        copy_vault(reference, tmp_path / "copy")  # the state before the write
    copy_vault(reference, tmp_path / "later")
    titles = "SELECT count(*) FROM memories WHERE title = 'mine'"
    assert run_sql(tmp_path / "copy", titles) == [(0,)]
    assert run_sql(tmp_path / "later", titles) == [(182,)]
    assert not [name for name in names_in(tmp_path) if name.endswith(".part")]


def test_a_copy_never_takes_the_place_of_a_file(reference: Path, tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"mine")
    with pytest.raises(VaultError, match="There is a file there already"):
        copy_vault(reference, tmp_path / "there")
    assert (tmp_path / "there").read_bytes() == b"mine"
    for wrong in (tmp_path / "no folder" / "x", tmp_path / "a\0b"):
        with pytest.raises(VaultReadOnly, match="can't be made"):
            copy_vault(reference, wrong)
    with files_limited_to(100_000), pytest.raises(VaultFull):
        copy_vault(reference, tmp_path / "too large")
    assert names_in(tmp_path) == ["brain.sqlite", "there"]


def test_a_backup_replaces_the_vault_and_the_present_state_is_kept(
    reference: Path, older: Path
) -> None:
    done = restore_backup(reference, older, day=DAY)
    assert not done.was_damaged
    assert done.kept == reference.with_name("brain.sqlite.mvdesk-backups") / f"{DAY}.sqlite"
    assert run_sql(reference, COUNT) == [(182,)]
    assert run_sql(done.kept, COUNT) == [(181,)]
    assert run_sql(reference, "PRAGMA integrity_check") == [("ok",)]
    (listed,) = read_backups(reference)
    assert (listed.path, listed.memory_count) == (done.kept, 181)
    # And back again.
    assert restore_backup(reference, done.kept, day=DAY).kept != done.kept
    assert run_sql(reference, COUNT) == [(181,)]


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_an_open_vault_goes_over_to_the_backup(
    reference: Path, older: Path, open_vault: Callable[..., VaultFile], mode: str
) -> None:
    run_sql(reference, f"PRAGMA journal_mode = {mode}")
    vault = open_vault(reference)
    with vault.read() as conn:
        assert conn.exec_driver_sql(COUNT).scalar_one() == 181
    version = vault.data_version()
    restore_backup(reference, older, day=DAY)
    assert vault.data_version() != version
    with vault.read() as conn:
        assert conn.exec_driver_sql(COUNT).scalar_one() == 182
    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET title = 'after'")
    assert run_sql(reference, "PRAGMA integrity_check") == [("ok",)]


def test_the_eighth_backup_does_not_push_out_the_one_that_is_restored(
    reference: Path, older: Path
) -> None:
    folder = reference.with_name("brain.sqlite.mvdesk-backups")
    folder.mkdir()
    for day in range(1, 8):
        shutil.copyfile(older, folder / f"2026-01-{day:02}.sqlite")
    oldest = folder / "2026-01-01.sqlite"
    restore_backup(reference, oldest, day=DAY)
    assert oldest.name in names_in(folder)
    assert len(names_in(folder)) == 8


def test_a_vault_that_is_gone_comes_back(reference: Path, older: Path) -> None:
    reference.unlink()
    assert restore_backup(reference, older, day=DAY).kept is None
    assert run_sql(reference, COUNT) == [(182,)]


@pytest.mark.parametrize("content", [b"", b"a letter", None])
def test_a_file_that_cannot_be_read_is_set_aside(
    reference: Path, older: Path, content: bytes | None
) -> None:
    whole = reference.read_bytes()
    broken = whole[:60_000] if content is None else content
    reference.write_bytes(broken)
    if content is not None:
        reference.with_name("brain.sqlite-journal").write_bytes(b"its journal")
    done = restore_backup(reference, older, day=DAY)
    assert done.was_damaged
    assert done.kept == reference.with_name("brain.sqlite.damaged-1")
    assert done.kept.read_bytes() == broken
    if content is not None:
        journal = done.kept.with_name("brain.sqlite.damaged-1-journal")
        assert journal.read_bytes() == b"its journal"
    assert run_sql(reference, COUNT) == [(182,)]
    reference.write_bytes(broken)
    kept = restore_backup(reference, older, day=DAY).kept
    assert kept == reference.with_name("brain.sqlite.damaged-2")


def test_pages_of_another_size_are_no_obstacle(reference: Path, older: Path) -> None:
    with closing(sqlite3.connect(older)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA page_size = 8192")
        db.execute("VACUUM")
    done = restore_backup(reference, older, day=DAY)
    assert done.kept is not None
    assert run_sql(reference, COUNT) == [(182,)]
    assert run_sql(done.kept, COUNT) == [(181,)]


@pytest.mark.parametrize("what", ["missing", "letter", "other", "damaged", "itself"])
def test_what_is_no_sound_vault_is_not_restored(
    reference: Path, older: Path, tmp_path: Path, what: str
) -> None:
    if what == "letter":
        older.write_bytes(b"a letter")
    elif what == "other":
        older.unlink()
        make_file(older, "CREATE TABLE songs (id)")
    elif what == "damaged":
        run_sql(older, "PRAGMA journal_mode = DELETE")
        drop_entries(older, "idx_memories_brain_created")
    source = reference if what == "itself" else tmp_path / "no" if what == "missing" else older
    before = state_of(reference)
    with pytest.raises(VaultError) as caught:
        restore_backup(reference, source, day=DAY)
    expected = {"missing": VaultNotFound, "letter": NotAVault, "other": NotAVault}
    assert isinstance(caught.value, expected.get(what, VaultError))
    if what == "damaged":
        assert isinstance(caught.value, VaultDamaged)
    assert state_of(reference) == before


def test_a_lock_is_waited_for_but_not_for_ever(reference: Path, older: Path) -> None:
    with program_holding(HOLD_WRITE_LOCK, reference) as other:
        with pytest.raises(VaultLocked):
            restore_backup(reference, older, day=DAY, busy_ms=200)
        assert run_sql(reference, COUNT) == [(181,)]
        assert other.stdin is not None
        timer = threading.Timer(0.3, other.stdin.close)
        timer.start()
        restore_backup(reference, older, day=DAY, busy_ms=20_000)
        timer.join()
    assert run_sql(reference, COUNT) == [(182,)]


def test_a_write_between_backup_and_restore_is_not_lost(
    reference: Path, older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_backup = restoring.make_backup

    def slowly(*arguments: object, **options: object) -> Path:
        kept = make_backup(*arguments, **options)
        run_sql(reference, "UPDATE memories SET title = 'just now'")
        return kept

    monkeypatch.setattr(restoring, "make_backup", slowly)
    with pytest.raises(VaultChanged, match="while it was backed up"):
        restore_backup(reference, older, day=DAY)
    assert run_sql(reference, "SELECT count(*) FROM memories WHERE title = 'just now'") == [(181,)]


def test_no_room_leaves_everything_as_it_was(reference: Path, older: Path) -> None:
    before = state_of(reference)
    with files_limited_to(100_000), pytest.raises(VaultFull):
        restore_backup(reference, older, day=DAY)
    assert state_of(reference) == before
    broken = reference.read_bytes()[:60_000]
    reference.write_bytes(broken)
    with files_limited_to(100_000), pytest.raises(VaultFull):
        restore_backup(reference, older, day=DAY)
    assert reference.read_bytes() == broken
    assert "brain.sqlite.damaged-1" not in names_in(reference.parent)


def test_a_read_only_vault_is_not_replaced(shared_folder: Path) -> None:
    reference = copy_reference(shared_folder)
    older = shared_folder / "older.sqlite"
    shutil.copyfile(reference, older)
    give_to_nobody(reference, older)
    reference.chmod(0o444)
    with unprivileged(), pytest.raises(VaultReadOnly, match="read-only"):
        restore_backup(reference, older, day=DAY)


def test_a_present_state_that_cannot_be_kept_stays(reference: Path, older: Path) -> None:
    reference.with_name("brain.sqlite.mvdesk-backups").write_bytes(b"in the way")
    before = state_of(reference)
    with pytest.raises(VaultFull, match="refused a copy"):
        restore_backup(reference, older, day=DAY)
    assert state_of(reference) == before


def test_a_damage_that_only_a_check_finds_is_set_aside_too(reference: Path, older: Path) -> None:
    run_sql(reference, "PRAGMA journal_mode = DELETE")
    drop_entries(reference, "idx_memories_brain_created")
    assert restore_backup(reference, older, day=DAY).was_damaged
    assert run_sql(reference, COUNT) == [(182,)]


def test_a_link_stays_a_link(reference: Path, older: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    os.symlink(reference, link)
    restore_backup(link, older, day=DAY)
    assert link.is_symlink()
    assert run_sql(reference, COUNT) == [(182,)]
    assert [one.memory_count for one in read_backups(link)] == [181]
    (reference.with_name("brain.sqlite.mvdesk-backups") / "2020-01-01.sqlite").write_bytes(b"x")
    assert [one.memory_count for one in read_backups(link)] == [181, None]
