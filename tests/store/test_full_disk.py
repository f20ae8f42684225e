"""No room on the disk: a vault still opens, and what is there stays."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import VaultError, VaultFull
from mvdesk.store.backup import make_backup
from mvdesk.store.companion import Companion
from mvdesk.store.reading import driver_of, read_memories
from mvdesk.store.steps import JournalStep
from tests.store.small_disk import files_limited_to
from tests.store.vault_files import BRAIN, copy_reference, crash_while, names_in, run_sql, state_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.store.engine import VaultFile

SET_TITLE = "UPDATE memories SET title = 'changed' WHERE rowid = 1"
LOG_WITHOUT_INDEX = """
import os, signal, sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("PRAGMA journal_mode = WAL")
conn.execute("UPDATE memories SET title = 'only in the log'")
os.unlink(sys.argv[1] + "-shm")
os.kill(os.getpid(), signal.SIGKILL)
"""


def count_memories(vault: VaultFile) -> int:
    with vault.read() as conn:
        return len(list(read_memories(conn, vault.schema, BRAIN)))


def test_a_vault_without_room_for_its_index_is_read_and_not_written(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    before = state_of(reference)
    with files_limited_to(4_000):
        vault = open_vault(reference)
        assert count_memories(vault) == 182
        assert vault.notices == (
            "There is no room left on the disk: the vault can be read, but not changed.",
        )
        with pytest.raises(VaultFull, match="no room left"), vault.write() as conn:
            conn.exec_driver_sql(SET_TITLE)
        assert count_memories(vault) == 182
    assert state_of(reference) == before
    with vault.write() as conn:
        conn.exec_driver_sql(SET_TITLE)
    assert run_sql(reference, "SELECT title FROM memories WHERE rowid = 1") == [("changed",)]
    assert "no room" not in " ".join(vault.notices)  # it is opened anew, with an index
    vault.close()
    assert names_in(reference.parent) == ["brain.sqlite", "brain.sqlite.mvdesk-backups"]


def test_what_others_write_is_seen_once_there_is_room(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    with files_limited_to(4_000):
        vault = open_vault(reference)
    version = vault.data_version()
    assert vault.data_version() == version
    run_sql(reference, SET_TITLE)
    assert vault.data_version() != version
    with vault.read() as conn:
        titles = [memory.title for memory in read_memories(conn, vault.schema, BRAIN)]
    assert "changed" in titles
    assert vault.notices == ()


def test_a_log_without_its_index_is_read_from_a_copy(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    reference = copy_reference(tmp_path)
    crash_while(LOG_WITHOUT_INDEX, reference)
    with files_limited_to(4_000), pytest.raises(VaultFull, match="No private copy"):
        open_vault(reference)  # the copy would be as large as the file
    vault = open_vault(reference)
    with vault.read() as conn:
        titles = {memory.title for memory in read_memories(conn, vault.schema, BRAIN)}
    assert titles == {"only in the log"}


def test_a_companion_without_room_is_read_and_says_what_it_cannot_keep(tmp_path: Path) -> None:
    vault_path = tmp_path / "v.sqlite"
    companion = Companion.open(vault_path, tmp_path)
    companion.write_setting("one", 1)
    companion.steps.add(JournalStep(0, "b", "Edit", "{}", 5))
    companion.close()
    with files_limited_to(4_000):
        companion = Companion.open(vault_path, tmp_path)
        assert companion.read_setting("one") == 1
        assert companion.steps.find_label("b", undone=False) == "Edit"
        with pytest.raises(VaultError, match="no room left"):
            companion.write_setting("one", 2)
        companion.close()
    companion = Companion.open(vault_path, tmp_path)
    assert companion.notices == ()
    assert companion.read_setting("one") == 1
    companion.write_setting("one", 3)
    assert companion.read_setting("one") == 3
    companion.close()


def test_a_companion_with_a_log_and_no_room_for_an_index_counts_as_empty(tmp_path: Path) -> None:
    vault_path = tmp_path / "v.sqlite"
    companion = Companion.open(vault_path, tmp_path)
    companion.write_setting("one", 1)
    # As after a kill: a log, and an index that was lost with the power.
    kept = {suffix: (tmp_path / f"v.sqlite.mvdesk{suffix}").read_bytes() for suffix in ("", "-wal")}
    companion.close()
    for suffix, content in kept.items():
        (tmp_path / f"v.sqlite.mvdesk{suffix}").write_bytes(content)
    with files_limited_to(4_000):
        companion = Companion.open(vault_path, tmp_path)
        assert companion.read_setting("one") is None
        companion.close()
    companion = Companion.open(vault_path, tmp_path)
    assert companion.read_setting("one") == 1
    companion.close()


def test_backups_that_were_abandoned_are_removed(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    folder = reference.with_name("brain.sqlite.mvdesk-backups")
    folder.mkdir()
    (folder / "2020-01-01.part").write_bytes(b"killed long ago")
    os.utime(folder / "2020-01-01.part", (1, 1))
    (folder / "2020-01-02.part").write_bytes(b"being made")
    os.utime(folder / "2020-01-02.part", (time.time() - 3600,) * 2)
    vault = open_vault(reference)
    with vault.read() as conn:
        make_backup(driver_of(conn), reference, folder, day="2027-01-01", before_upgrade=False)
    assert names_in(folder) == ["2020-01-02.part", "2027-01-01.sqlite"]
