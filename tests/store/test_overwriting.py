"""A file that is written past SQLite while it is open, as `cp backup vault` does."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import NotAVault, VaultError
from mvdesk.store.engine import VaultFile
from tests.store.vault_files import names_in, run_sql

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ADD = (
    "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
    "VALUES ('{}', 'home', 'note', '{}', 1, 1)"
)


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[VaultFile]:
    """A vault with 200 memories, of which a copy was made when it had 100."""
    path = tmp_path / "v.sqlite"
    with VaultFile.create(path, "Home", now=1, new_id=lambda: "home") as vault:
        for number in range(200):
            if number == 100:
                shutil.copyfile(path, tmp_path / "copy")
            with vault.write() as conn:
                conn.exec_driver_sql(ADD.format(number, f"text {number} " * 30))
        yield vault


def count(vault: VaultFile) -> int:
    with vault.read() as conn:
        return int(conn.exec_driver_sql("SELECT count(*) FROM memories").scalar_one())


def test_the_file_alone_holds_everything_after_each_write(vault: VaultFile, tmp_path: Path) -> None:
    shutil.copyfile(vault.path, tmp_path / "other")
    assert run_sql(tmp_path / "other", "SELECT count(*) FROM memories") == [(200,)]
    assert run_sql(tmp_path / "copy", "SELECT count(*) FROM memories") == [(100,)]


def test_a_copy_over_the_open_file_is_noticed_and_not_mixed_up(
    vault: VaultFile, tmp_path: Path
) -> None:
    assert count(vault) == 200
    version = vault.data_version()
    shutil.copyfile(tmp_path / "copy", vault.path)
    assert vault.data_version() != version
    assert count(vault) == 100
    version = vault.data_version()
    with vault.write() as conn:
        conn.exec_driver_sql(ADD.format("late", "x"))
    assert vault.data_version() == version
    assert run_sql(vault.path, "PRAGMA integrity_check") == [("ok",)]
    assert run_sql(vault.path, "SELECT count(*) FROM memories") == [(101,)]


def test_a_write_finds_out_by_itself(vault: VaultFile, tmp_path: Path) -> None:
    shutil.copyfile(tmp_path / "copy", vault.path)
    with vault.write() as conn:
        conn.exec_driver_sql(ADD.format("late", "x"))
    vault.close()
    assert run_sql(vault.path, "PRAGMA integrity_check") == [("ok",)]
    assert run_sql(vault.path, "SELECT count(*) FROM memories") == [(101,)]
    # A backup as well: what was put in place is nobody's new vault.
    assert names_in(vault.path.parent) == ["copy", "v.sqlite", "v.sqlite.mvdesk-backups"]


def test_a_larger_file_over_the_open_one_is_read_whole(vault: VaultFile, tmp_path: Path) -> None:
    larger = tmp_path / "larger"
    shutil.copyfile(vault.path, larger)
    run_sql(larger, ADD.format("large", "x" * 3_000_000))
    shutil.copyfile(larger, vault.path)
    assert count(vault) == 201
    with vault.write() as conn:
        conn.exec_driver_sql(ADD.format("late", "x"))
    assert run_sql(vault.path, "PRAGMA integrity_check") == [("ok",)]


def test_what_is_no_vault_is_refused_until_one_is_there_again(
    vault: VaultFile, tmp_path: Path
) -> None:
    good = vault.path.read_bytes()
    vault.path.write_bytes(b"a letter")
    version = vault.data_version()
    for _ in range(2):
        with pytest.raises(NotAVault):
            count(vault)
        with pytest.raises(VaultError), vault.write():
            pass
        assert vault.settle() is None
        assert vault.data_version() == (version[0], *version[1:3], 0)
    assert vault.path.read_bytes() == b"a letter"
    vault.path.write_bytes(good)
    assert count(vault) == 200
    with vault.write() as conn:
        conn.exec_driver_sql(ADD.format("late", "x"))
    assert count(vault) == 201


def test_what_other_programs_write_the_proper_way_is_seen(vault: VaultFile) -> None:
    version = vault.data_version()
    run_sql(vault.path, ADD.format("theirs", "x"))
    assert vault.data_version() != version
    assert count(vault) == 201
    with vault.write() as conn:
        conn.exec_driver_sql(ADD.format("ours", "x"))
    assert count(vault) == 202
    assert run_sql(vault.path, "PRAGMA integrity_check") == [("ok",)]
