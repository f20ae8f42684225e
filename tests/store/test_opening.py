"""Opening, reading and closing leave every kind of file as it was, and no litter."""

from __future__ import annotations

import os
import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import (
    NotAVault,
    VaultDamaged,
    VaultError,
    VaultFull,
    VaultLocked,
    VaultNotFound,
)
from mvdesk.store import access
from mvdesk.store.reading import (
    read_brains,
    read_links,
    read_memories,
    read_memory_columns,
    read_trust,
)
from tests.store.vault_files import (
    BRAIN,
    CRASH_IN_JOURNAL,
    CRASH_IN_LOG,
    FIRST_SERVER,
    HOLD_WRITE_LOCK,
    KEEP_OPEN,
    copy_reference,
    crash_while,
    make_file,
    make_first_server_file,
    names_in,
    program_holding,
    run_sql,
    state_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.store.engine import VaultFile


def read_all(vault: VaultFile) -> int:
    """Everything the desk reads; gives back the number of memories."""
    count = 0
    with vault.read() as conn:
        for brain in read_brains(conn, vault.schema):
            count += sum(map(len, read_memory_columns(conn, vault.schema, brain.id)))
            list(read_memories(conn, vault.schema, brain.id))
            list(read_links(conn, vault.schema, brain.id))
            read_trust(conn, vault.schema, brain.id)
    return count


@pytest.mark.parametrize("kind", ["server", "rollback", "log", "new"])
def test_opening_reading_and_closing_changes_no_byte(
    tmp_path: Path, open_vault: Callable[..., VaultFile], kind: str
) -> None:
    if kind == "server":
        path = copy_reference(tmp_path)
    elif kind == "new":
        path = make_file(tmp_path / "x.sqlite", FIRST_SERVER + "DELETE FROM memories;")
    else:
        path = make_first_server_file(tmp_path, wal=kind == "log")
    before, names = state_of(path), names_in(tmp_path)
    vault = open_vault(path)
    read_all(vault)
    vault.data_version()
    vault.settle()
    vault.close()
    vault.close()
    assert state_of(path) == before
    assert names_in(tmp_path) == names


def test_a_log_left_by_a_crash_is_read_and_stays(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    crash_while(CRASH_IN_LOG, reference)
    before, log = state_of(reference), state_of(reference.with_name("brain.sqlite-wal"))
    names = names_in(reference.parent)
    vault = open_vault(reference)
    with vault.read() as conn:
        titles = {memory.title for memory in read_memories(conn, vault.schema, BRAIN)}
    vault.close()
    assert titles == {"only in the log"}
    assert state_of(reference) == before
    assert state_of(reference.with_name("brain.sqlite-wal")) == log
    assert names_in(reference.parent) == names


def test_a_log_that_came_without_its_index_gets_none_from_reading(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    crash_while(CRASH_IN_LOG, reference)
    reference.with_name("brain.sqlite-shm").unlink()
    names = names_in(reference.parent)
    vault = open_vault(reference)
    assert read_all(vault) == 182
    vault.close()
    assert names_in(reference.parent) == names


def test_the_index_of_a_log_stays_while_another_program_uses_it(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    crash_while(CRASH_IN_LOG, reference)
    reference.with_name("brain.sqlite-shm").unlink()
    vault = open_vault(reference)
    with program_holding(KEEP_OPEN, reference):
        vault.close()
        assert "brain.sqlite-shm" in names_in(reference.parent)
    assert names_in(reference.parent) == ["brain.sqlite"]


def test_the_index_of_a_log_stays_while_the_same_file_is_open_twice(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    crash_while(CRASH_IN_LOG, reference)
    reference.with_name("brain.sqlite-shm").unlink()
    first, second = open_vault(reference), open_vault(reference)
    first.close()
    assert "brain.sqlite-shm" in names_in(reference.parent)
    assert read_all(second) == 182


def test_an_interrupted_write_is_read_as_it_was_before_and_not_rolled_back(
    tmp_path: Path, old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    crash_while(CRASH_IN_JOURNAL, old_file)
    before, journal = state_of(old_file), state_of(tmp_path / "old.sqlite-journal")
    vault = open_vault(old_file)
    with vault.read() as conn:
        memories = list(read_memories(conn, vault.schema, BRAIN))
    assert [memory.title for memory in memories] == [None, "One"]
    assert "interrupted while it wrote" in vault.notices[0]
    assert vault.read_only_reason is None
    vault.close()
    assert state_of(old_file) == before
    assert state_of(tmp_path / "old.sqlite-journal") == journal


def test_the_first_write_puts_an_interrupted_write_right(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    crash_while(CRASH_IN_JOURNAL, old_file)
    vault = open_vault(old_file)
    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET key = 'new' WHERE id = 'm1'")
    assert not any("interrupted" in notice for notice in vault.notices)
    vault.close()
    assert run_sql(old_file, "SELECT title, key FROM memories WHERE id = 'm1'") == [("One", "new")]
    assert "old.sqlite-journal" not in names_in(old_file.parent)


def test_a_write_interrupted_while_the_vault_is_open_is_read_around(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    assert read_all(vault) == 2
    crash_while(CRASH_IN_JOURNAL, old_file)
    before = state_of(old_file)
    assert read_all(vault) == 2
    assert "interrupted" in vault.notices[0]
    assert state_of(old_file) == before
    run_sql(old_file, "INSERT INTO memories VALUES ('m3', 'note', NULL, NULL, 'x', NULL, 1, 1)")
    assert read_all(vault) == 3  # the other program has come back and put it right


def test_a_log_that_another_program_has_in_use_is_followed(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    with program_holding(KEEP_OPEN, reference):
        run_sql(reference, "DELETE FROM memories WHERE archived_at IS NOT NULL")
        vault = open_vault(reference)
        assert read_all(vault) == 171
        run_sql(reference, "DELETE FROM memories WHERE rowid % 2 = 0")
        assert read_all(vault) < 171


def test_links_to_a_vault_are_followed(
    tmp_path: Path, reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    link = tmp_path / "link"
    link.symlink_to(reference)
    vault = open_vault(link)
    assert read_all(vault) == 182
    assert vault.path == link


def test_a_missing_file_is_said(tmp_path: Path, open_vault: Callable[..., VaultFile]) -> None:
    with pytest.raises(VaultNotFound, match="There is no file"):
        open_vault(tmp_path / "none.sqlite")
    (tmp_path / "file").touch()
    with pytest.raises(VaultNotFound):
        open_vault(tmp_path / "file" / "below")
    assert names_in(tmp_path) == ["file"]


def test_what_is_not_a_vault_is_said_and_left_alone(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    files = {
        "empty": (b"", "is empty"),
        "text": (b"SELECT * FROM memories;\n" * 99, "is not a SQLite database"),
        "short": (b"SQLite format", "is not a SQLite database"),
    }
    for name, (contents, why) in files.items():
        path = tmp_path / name
        path.write_bytes(contents)
        with pytest.raises(NotAVault, match=why):
            open_vault(path)
        assert path.read_bytes() == contents
    with pytest.raises(NotAVault, match="is not a file"):
        open_vault(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotAVault, match="is not a file"):
        open_vault(tmp_path / "pipe")
    assert names_in(tmp_path) == sorted([*files, "pipe"])


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("CREATE TABLE songs (id TEXT)", "This file has no memories table; nothing was changed."),
        ("CREATE VIEW memories AS SELECT 1 AS id", "no memories table"),
        ("CREATE TABLE memories (number INTEGER, body TEXT)", "has no column id"),
        ("VACUUM", "no memories table"),
    ],
)
def test_a_database_of_something_else_is_said(
    tmp_path: Path, open_vault: Callable[..., VaultFile], script: str, why: str
) -> None:
    path = make_file(tmp_path / "other.sqlite", script)
    if not path.stat().st_size:
        make_file(path, "CREATE TABLE x (y); DROP TABLE x")
    before = state_of(path)
    with pytest.raises(NotAVault, match=why) as caught:
        open_vault(path)
    assert "nothing was changed" in caught.value.one_line()
    assert state_of(path) == before
    assert names_in(tmp_path) == ["other.sqlite"]


def test_names_that_no_file_can_have_are_said(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    with pytest.raises(VaultError, match="can't be opened"):
        open_vault(tmp_path / "a\0b")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(VaultError):
        open_vault(loop)


def test_a_truncated_vault_is_damaged(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    whole = reference.read_bytes()
    for length in (100, 1000, 4096, 5000, len(whole) // 2, len(whole) - 1):
        reference.write_bytes(whole[:length])
        with pytest.raises(VaultDamaged):
            read_all(open_vault(reference))
        assert reference.read_bytes() == whole[:length]


def test_flipped_bytes_never_end_in_anything_but_a_clear_error(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    whole = copy_reference(tmp_path).read_bytes()
    chance = random.Random(11)
    spots = [*range(16, 100, 3), *range(100, 4096, 97)]
    spots += [chance.randrange(4096, len(whole)) for _ in range(60)]
    kinds = set()
    for number, spot in enumerate(spots):
        path = tmp_path / f"{number}.sqlite"
        damaged = bytearray(whole)
        for place in range(spot, min(spot + 4, len(damaged))):
            damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        try:
            vault = open_vault(path)
            read_all(vault)
            kinds.add("read")
            vault.close()
        except VaultError as error:
            kinds.add(type(error).__name__)
        assert path.read_bytes() == damaged
        assert not path.with_name(path.name + "-wal").exists()
    assert {"read", "VaultDamaged"} <= kinds


def test_a_schema_that_is_nonsense_is_damage(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    path = make_first_server_file(tmp_path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA writable_schema = ON")
        conn.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE memories (' WHERE rowid = 1")
        conn.commit()
    with pytest.raises(VaultDamaged):
        open_vault(path)


def test_a_file_locked_for_good_is_said(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    code = HOLD_WRITE_LOCK.replace("IMMEDIATE", "EXCLUSIVE")
    with program_holding(code, old_file), pytest.raises(VaultLocked, match="another program"):
        open_vault(old_file)


def test_names_with_signs_that_mean_something_in_addresses_are_fine(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    path = make_file(tmp_path / "a ?mode=rw&x=#%41 é.sqlite", FIRST_SERVER)
    assert read_all(open_vault(path)) == 2


def test_an_interrupted_write_that_cannot_be_copied_is_said(
    tmp_path: Path,
    old_file: Path,
    open_vault: Callable[..., VaultFile],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crash_while(CRASH_IN_JOURNAL, old_file)
    before = state_of(old_file)
    monkeypatch.setattr(access.tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(VaultFull, match="No private copy"):
        open_vault(old_file)
    assert state_of(old_file) == before


def test_an_error_message_that_is_not_text_is_damage(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    path = make_first_server_file(tmp_path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA writable_schema = ON")
        conn.execute("UPDATE sqlite_master SET sql = CAST(x'20ff' || sql AS TEXT)")
        conn.execute("UPDATE sqlite_master SET name = CAST(x'ff' || name AS TEXT)")
        conn.commit()
    with pytest.raises(VaultDamaged):
        open_vault(path)


def test_a_write_interrupted_since_the_last_look_does_not_stop_a_save(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    crash_while(CRASH_IN_JOURNAL, old_file)
    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET key = 'new' WHERE id = 'm1'")
    assert run_sql(old_file, "SELECT title, key FROM memories WHERE id = 'm1'") == [("One", "new")]
    vault.close()
    assert names_in(old_file.parent) == ["old.sqlite", "old.sqlite.mvdesk-backups"]
