"""Transactions, waiting, and noticing what others write."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import OperationalError

from mvdesk.errors import (
    BadValue,
    NotAVault,
    VaultDamaged,
    VaultError,
    VaultFull,
    VaultLocked,
    VaultNotFound,
    VaultReadOnly,
)
from mvdesk.store.connections import Connections
from mvdesk.store.engine import VaultFile
from mvdesk.store.reading import driver_of, read_brains, read_memories
from mvdesk.store.rows import insert_row
from mvdesk.store.tables import KNOWN_TABLES
from tests.store.vault_files import (
    BRAIN,
    FIRST_SERVER,
    HOLD_WRITE_LOCK,
    KEEP_READING,
    copy_reference,
    make_file,
    names_in,
    program_holding,
    run_sql,
    start_program,
    state_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

RETITLE = "UPDATE memories SET title = 'changed' WHERE rowid = 1"


def first_title(path: Path) -> object:
    return run_sql(path, "SELECT title FROM memories WHERE rowid = 1")[0][0]


def make_new(path: Path, name: str = "My Brain") -> VaultFile:
    return VaultFile.create(path, name, now=1000, new_id=lambda: "brain-1")


def test_a_new_vault_has_every_table_and_one_brain(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    with make_new(path) as vault:
        assert vault.schema.is_complete
        assert vault.notices == ()
        assert vault.read_only_reason is None
        with vault.read() as conn:
            (brain,) = read_brains(conn, vault.schema)
        assert (brain.id, brain.name, brain.memory_count) == ("brain-1", "My Brain", 0)
        with vault.write() as conn:
            conn.exec_driver_sql("UPDATE brains SET name = 'Other'")
    assert names_in(tmp_path) == ["new.sqlite"]  # an empty vault needs no backup
    assert run_sql(path, "PRAGMA journal_mode") == [("wal",)]
    tables = {name for (name,) in run_sql(path, "SELECT name FROM sqlite_master")}
    assert set(KNOWN_TABLES) <= tables
    assert not {"users", "auth_sessions", "memory_watches"} & tables
    assert run_sql(path, "SELECT slug, created_at FROM brains") == [("my-brain", 1000)]


def test_a_new_vault_has_the_servers_columns_and_indexes(tmp_path: Path) -> None:
    make_new(tmp_path / "new.sqlite", name="脳").close()
    reference = copy_reference(tmp_path)
    for table in KNOWN_TABLES:
        sql = f"SELECT name, type, \"notnull\" OR pk FROM pragma_table_info('{table}')"
        assert run_sql(tmp_path / "new.sqlite", sql) == run_sql(reference, sql)
    indexes = (
        "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL AND tbl_name IN "
        f"({', '.join(repr(name) for name in KNOWN_TABLES)}) ORDER BY 1"
    )
    assert run_sql(tmp_path / "new.sqlite", indexes) == run_sql(reference, indexes)
    assert run_sql(tmp_path / "new.sqlite", "SELECT slug FROM brains") == [("brain",)]


def test_making_a_vault_never_touches_a_file_that_is_there(reference: Path) -> None:
    before = state_of(reference)
    with pytest.raises(VaultError, match="already"):
        make_new(reference)
    assert state_of(reference) == before


def test_a_new_vault_that_fails_half_way_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="refused the change"):
        VaultFile.create(tmp_path / "x", "Mine", now=1, new_id=lambda: None)  # type: ignore[arg-type, return-value] # a broken id
    with pytest.raises(VaultError):
        VaultFile.create(tmp_path / "a\0b", "Mine", now=1, new_id=lambda: "b")
    assert names_in(tmp_path) == []


def test_a_write_is_kept_whole_or_undone_whole(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    assert first_title(reference) == "changed"

    def write_and_fail() -> None:
        with vault.write() as conn:
            conn.exec_driver_sql("DELETE FROM memories")
            raise KeyError("a bug")

    with pytest.raises(KeyError):
        write_and_fail()
    assert run_sql(reference, "SELECT count(*) FROM memories") == [(182,)]
    with vault.write() as conn:
        conn.exec_driver_sql("DELETE FROM memories WHERE rowid = 1")
    vault.close()
    assert run_sql(reference, "SELECT count(*) FROM memories") == [(181,)]
    assert run_sql(reference, "PRAGMA foreign_key_check") == []


def test_a_write_inside_a_write_is_a_mistake(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
        with pytest.raises(RuntimeError, match="write inside a write"), vault.write():
            pass
        vault.settle()  # does nothing meanwhile
        version = vault.data_version()
    assert vault.data_version() == version
    assert first_title(reference) == "changed"


def test_a_reader_cannot_write(reference: Path, open_vault: Callable[..., VaultFile]) -> None:
    vault = open_vault(reference)
    with pytest.raises(VaultReadOnly), vault.read() as conn:
        conn.exec_driver_sql(RETITLE)


def test_a_read_sees_one_state_while_others_write(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        before = first_title(reference)
        run_sql(reference, RETITLE)
        sql = "SELECT title FROM memories WHERE rowid = 1"
        assert conn.exec_driver_sql(sql).scalar_one() == before
    with vault.read() as conn:
        assert conn.exec_driver_sql(sql).scalar_one() == "changed"


def test_a_lock_that_is_held_too_long_is_said(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with program_holding(HOLD_WRITE_LOCK, reference):
        with pytest.raises(VaultLocked, match="written by another program"), vault.write():
            pass
        with vault.read() as conn:
            assert len(list(read_memories(conn, vault.schema, BRAIN))) == 182
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    assert first_title(reference) == "changed"


def test_a_lock_that_keeps_even_readers_out_is_said(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    with program_holding(HOLD_WRITE_LOCK.replace("IMMEDIATE", "EXCLUSIVE"), old_file):
        with pytest.raises(VaultLocked), vault.read():
            pass
        with pytest.raises(VaultLocked), vault.write():
            pass
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    assert first_title(old_file) == "changed"


def test_a_write_waits_for_another_programs_write(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference, busy_ms=20_000)
    with program_holding(HOLD_WRITE_LOCK, reference) as program:
        assert program.stdin is not None
        timer = threading.Timer(0.2, program.stdin.close)
        timer.start()
        with vault.write() as conn:
            conn.exec_driver_sql(RETITLE)
        timer.join()
    assert first_title(reference) == "changed"


def test_writes_of_two_threads_wait_for_each_other(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    inside, go_on = threading.Event(), threading.Event()

    def write_slowly() -> None:
        with vault.write() as conn:
            conn.exec_driver_sql("UPDATE memories SET access_count = 100 WHERE rowid = 1")
            inside.set()
            go_on.wait(20)

    thread = threading.Thread(target=write_slowly)
    thread.start()
    assert inside.wait(20)
    with pytest.raises(VaultLocked), vault.write():
        pass
    go_on.set()
    thread.join()
    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET access_count = access_count + 1 WHERE rowid = 1")
    counted = run_sql(reference, "SELECT access_count FROM memories WHERE rowid = 1")
    assert counted == [(101,)]


def test_a_reader_of_an_old_file_can_make_a_commit_wait_too_long(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    with program_holding(KEEP_READING, old_file):
        with pytest.raises(VaultLocked), vault.write() as conn:
            conn.exec_driver_sql(RETITLE)
        assert vault.schema.missing_tables  # nothing was added either
    assert first_title(old_file) == "One"


def test_a_full_disk_leaves_the_old_state(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)

    def fill_the_disk() -> None:
        with vault.write() as conn:
            conn.exec_driver_sql(RETITLE)
            pages = conn.exec_driver_sql("PRAGMA page_count").scalar_one()
            conn.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            conn.exec_driver_sql("UPDATE memories SET content = zeroblob(50000)")

    with pytest.raises(VaultFull, match="no room left"):
        fill_the_disk()
    assert first_title(reference) is None
    with vault.write() as conn:
        conn.exec_driver_sql("PRAGMA max_page_count = 1000000")
        conn.exec_driver_sql(RETITLE)
    assert first_title(reference) == "changed"


def test_a_disk_that_refuses_a_write_leaves_the_old_state(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET key = key")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    try:
        with pytest.raises(VaultFull, match="disk refused a write"), vault.write() as conn:
            conn.exec_driver_sql("UPDATE memories SET content = randomblob(20000)")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, previous)
    assert run_sql(reference, "SELECT max(length(content)) < 20000 FROM memories") == [(1,)]
    assert run_sql(reference, "PRAGMA integrity_check") == [("ok",)]
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)


def test_a_broken_rule_is_said_and_nothing_written(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    link = {"id": "l", "from_id": "none", "to_id": "none", "created_at": 1}
    with pytest.raises(VaultError, match="breaks a rule") as caught, vault.write() as conn:
        insert_row(conn, "memory_links", link)
    assert "Nothing was written." in caught.value.one_line()


def test_our_own_mistakes_are_not_explained_away(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with pytest.raises(sqlite3.ProgrammingError), vault.read() as conn:
        driver_of(conn).execute("SELECT ?", (1, 2))
    with pytest.raises(Exception, match="bindings"), vault.read() as conn:
        conn.exec_driver_sql("SELECT ?", (1, 2))
    with pytest.raises(BadValue), vault.write() as conn:
        insert_row(conn, "brains", {"id": "\ud800"})
    with pytest.raises(VaultError, match="as expected") as caught, vault.read() as conn:
        conn.exec_driver_sql("SELECT nothing FROM memories")
    assert isinstance(caught.value.__cause__, OperationalError)


def test_a_closed_vault_refuses(reference: Path, open_vault: Callable[..., VaultFile]) -> None:
    vault = open_vault(reference)
    vault.close()
    with pytest.raises(RuntimeError, match="closed"), vault.read():
        pass


def test_closing_waits_for_what_is_being_read(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        vault.close()
        assert len(list(read_memories(conn, vault.schema, BRAIN))) == 182
        assert len(names_in(reference.parent)) == 3
    assert names_in(reference.parent) == ["brain.sqlite"]


def test_only_writes_of_others_change_the_version(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    start = vault.data_version()
    with vault.read() as conn:
        list(read_memories(conn, vault.schema, BRAIN))
    assert vault.data_version() == start
    run_sql(reference, RETITLE)
    after = vault.data_version()
    assert after != start
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    version = vault.data_version()
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    assert vault.data_version() == version
    run_sql(reference, "UPDATE memories SET title = 'changed again' WHERE rowid = 1")
    assert vault.data_version() != version


def test_a_locked_file_has_the_version_it_had(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    start = vault.data_version()
    with program_holding(HOLD_WRITE_LOCK.replace("IMMEDIATE", "EXCLUSIVE"), old_file):
        assert vault.data_version() == start


def test_a_replaced_file_is_opened_anew(
    tmp_path: Path, reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        assert len(list(read_memories(conn, vault.schema, BRAIN))) == 182
    start, stamp = vault.data_version(), vault.stamp()
    other = make_file(tmp_path / "other.sqlite", FIRST_SERVER)
    with vault.read() as conn:
        os.replace(other, reference)
        assert vault.data_version() != start
        with vault.read() as inner:
            assert len(list(read_memories(inner, vault.schema, BRAIN))) == 2
        assert conn.exec_driver_sql("SELECT count(*) FROM memories").scalar_one() == 182
    assert not vault.stamp().is_same_state(stamp)
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    assert first_title(reference) == "changed"
    reference.unlink()
    assert vault.data_version()[1:] == (0, 0, 0)
    with pytest.raises(VaultNotFound, match="moved or deleted"), vault.read():
        pass
    reference.write_bytes(b"something else")
    with pytest.raises(NotAVault), vault.write():
        pass


def test_the_log_of_a_replaced_file_is_not_applied_to_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    with make_new(path) as vault:
        with vault.read() as reader:  # keeps the log from being emptied
            reader.exec_driver_sql("SELECT count(*) FROM brains").fetchall()
            with vault.write() as conn:
                conn.exec_driver_sql("UPDATE brains SET name = 'in the log'")
        assert path.with_name("new.sqlite-wal").stat().st_size
        os.replace(make_file(tmp_path / "other.sqlite", FIRST_SERVER), path)
        with vault.read() as conn:
            assert len(list(read_memories(conn, vault.schema, BRAIN))) == 2
    assert run_sql(path, "PRAGMA integrity_check") == [("ok",)]
    assert run_sql(path, "SELECT count(*) FROM memories") == [(2,)]


def test_the_log_of_others_stays_theirs(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    with make_new(path) as vault:
        with vault.write() as conn:
            conn.exec_driver_sql("UPDATE brains SET name = 'in the log'")
        run_sql(path, "UPDATE brains SET name = 'theirs'")
        size = path.with_name("new.sqlite-wal").stat().st_size
        os.replace(copy_reference(tmp_path), path)
        with vault._using() as connections:
            connections.leave_replaced_file()
        assert path.with_name("new.sqlite-wal").stat().st_size == size > 0


def test_a_replacement_seen_during_a_write_of_another_thread_is_read_after_it(
    tmp_path: Path, reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    seen: list[int] = []

    def look() -> None:
        with vault.read() as conn:
            seen.append(len(list(read_memories(conn, vault.schema, BRAIN))))

    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET key = key")
        os.replace(make_file(tmp_path / "other.sqlite", FIRST_SERVER), reference)
        thread = threading.Thread(target=look)
        thread.start()
    thread.join()
    assert seen == [2]


def test_a_file_replaced_while_waiting_for_the_lock_is_not_written(
    tmp_path: Path,
    reference: Path,
    open_vault: Callable[..., VaultFile],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vault = open_vault(reference)
    other = make_file(tmp_path / "other.sqlite", FIRST_SERVER)
    begin = VaultFile._begin_writing

    def replace_then(
        vault: VaultFile, conn: Connection, on_backup: Callable[[], None]
    ) -> tuple[str, ...]:
        missing = begin(vault, conn, on_backup)
        os.replace(other, reference)
        return missing

    monkeypatch.setattr(VaultFile, "_begin_writing", replace_then)
    with pytest.raises(VaultLocked) as caught, vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    assert "replaced" in caught.value.details
    assert first_title(reference) == "One"
    monkeypatch.undo()
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    assert first_title(reference) == "changed"


def test_what_looks_damaged_while_a_file_is_replaced_keeps_nobody_from_writing(
    tmp_path: Path, reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    damage = sqlite3.DatabaseError("database disk image is malformed")
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT

    def read_a_mixture(other: Path, *, is_noticed: bool) -> None:
        with vault.read():
            os.replace(other, reference)
            if is_noticed:
                with vault.read():
                    pass
            raise damage

    for is_noticed in (False, True):
        (tmp_path / f"{is_noticed}").mkdir()
        other = copy_reference(tmp_path / f"{is_noticed}")
        with pytest.raises(VaultLocked, match="being written"):
            read_a_mixture(other, is_noticed=is_noticed)
        assert vault.read_only_reason is None
        with vault.write() as conn:
            conn.exec_driver_sql(RETITLE)


def test_another_file_is_opened_when_the_last_reader_has_left_the_old_one(
    tmp_path: Path,
    reference: Path,
    open_vault: Callable[..., VaultFile],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SQLite would cut the memory that the reader shares with it, and end the process."""
    vault = open_vault(reference)
    waiting = threading.Event()
    wait_for_others = Connections.wait_for_others

    def wait(connections: Connections, timeout_s: float) -> bool:
        waiting.set()
        return wait_for_others(connections, timeout_s)

    monkeypatch.setattr(Connections, "wait_for_others", wait)
    (tmp_path / "other").mkdir()
    other = copy_reference(tmp_path / "other")
    run_sql(other, "UPDATE memories SET title = 'other'")
    found: list[str] = []

    def read() -> None:
        with vault.read() as conn:
            found.append(conn.exec_driver_sql("SELECT min(title) FROM memories").scalar_one())

    threads = [threading.Thread(target=read) for _ in range(2)]
    with vault.read() as conn:
        os.replace(other, reference)
        for thread in threads:
            thread.start()
        assert waiting.wait(20)
        vault.data_version()  # who is in isn't kept out meanwhile
        assert not found
        assert conn.exec_driver_sql("SELECT min(title) FROM memories").scalar_one() != "other"
    for thread in threads:
        thread.join()
    assert found == ["other", "other"]


def test_a_vault_closed_while_another_file_comes_in_its_place_stays_closed(
    tmp_path: Path,
    reference: Path,
    open_vault: Callable[..., VaultFile],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vault = open_vault(reference)

    def close_first(_connections: Connections, _timeout_s: float) -> bool:
        vault.close()
        return True

    monkeypatch.setattr(Connections, "wait_for_others", close_first)
    (tmp_path / "other").mkdir()
    os.replace(copy_reference(tmp_path / "other"), reference)
    with pytest.raises(RuntimeError, match="closed"), vault.read():
        pass


def test_a_reader_that_stays_in_a_replaced_file_is_said(
    tmp_path: Path, reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference, busy_ms=50)
    (tmp_path / "other").mkdir()
    is_in, leave = threading.Event(), threading.Event()

    def stay() -> None:
        with vault.read():
            is_in.set()
            leave.wait(20)

    thread = threading.Thread(target=stay)
    thread.start()
    assert is_in.wait(20)
    os.replace(copy_reference(tmp_path / "other"), reference)
    with pytest.raises(VaultLocked) as caught, vault.read():
        pass
    assert "in use" in caught.value.details
    leave.set()
    thread.join()
    with vault.read():
        pass


def test_many_threads_read_write_and_follow_a_file_that_is_replaced(
    tmp_path: Path, reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference, busy_ms=20_000)
    stop, problems = threading.Event(), list[BaseException]()

    def work(write: bool) -> None:
        while not stop.is_set():
            try:
                if write:
                    with vault.write() as conn:
                        conn.exec_driver_sql("UPDATE memories SET title = title || '.'")
                else:
                    with vault.read() as conn:
                        list(read_memories(conn, vault.schema, BRAIN))
                    vault.stamp()
                    vault.data_version()
            except VaultLocked:
                pass  # replaced at that very moment
            except BaseException as error:
                problems.append(error)
                return

    threads = [threading.Thread(target=work, args=(number == 0,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for number in range(5):
        (tmp_path / str(number)).mkdir()
        os.replace(copy_reference(tmp_path / str(number)), reference)
        time.sleep(0.1)
    stop.set()
    for thread in threads:
        thread.join()
    assert problems == []


def test_a_table_that_another_program_drops_is_said(
    old_file: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(old_file)
    run_sql(old_file, "ALTER TABLE memories ADD COLUMN source TEXT")
    with vault.read():
        assert vault.schema.has("memories", "source")
    run_sql(old_file, "DROP TABLE memories")
    with pytest.raises(NotAVault), vault.read():
        pass


def test_equal_stamps_mean_that_nothing_was_written(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    settled = vault.settle()
    assert settled is not None
    assert not settled.unsettled
    with vault.read() as conn:
        list(read_memories(conn, vault.schema, BRAIN))
    vault.close()
    vault = open_vault(reference)
    assert vault.stamp() == settled
    run_sql(reference, "UPDATE memories SET title = 'changing' WHERE rowid = 1")
    assert vault.stamp() != settled


def test_a_stamp_taken_just_after_a_write_equals_no_other(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    run_sql(reference, RETITLE)
    first = vault.stamp()
    if first.unsettled:  # unless the machine was too slow to be in time
        assert vault.stamp() != first
    assert vault.stamp().is_same_state(first)


def test_settling_does_not_wait_for_others(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference, busy_ms=20_000)
    with vault.write() as conn:
        conn.exec_driver_sql(RETITLE)
    with program_holding(KEEP_READING, reference):
        with vault.write() as conn:
            conn.exec_driver_sql(RETITLE)
        started = time.monotonic()
        vault.settle()
        assert time.monotonic() - started < 10


def test_killed_at_any_point_every_acknowledged_write_is_there(reference: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from mvdesk.store.engine import VaultFile\n"
        "vault = VaultFile.open(Path(sys.argv[1]))\n"
        "for number in range(1, 100_000):\n"
        "    with vault.write() as conn:\n"
        "        conn.exec_driver_sql('UPDATE memories SET access_count = ?', (number,))\n"
        "    print(number, flush=True)\n"
    )
    for acknowledged in (1, 7, 30):
        with start_program(code, reference) as program:
            assert program.stdout is not None
            for _ in range(acknowledged):
                last = int(program.stdout.readline())
            program.kill()
        with closing(sqlite3.connect(reference)) as conn:
            counts = conn.execute("SELECT DISTINCT access_count FROM memories").fetchall()
            assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert len(counts) == 1
        assert counts[0][0] >= last


def test_damage_found_before_writing_makes_the_vault_read_only(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    root = run_sql(
        reference,
        "SELECT rootpage FROM sqlite_master WHERE name = 'idx_sessions_x' OR name = 'users'",
    )[0][0]
    contents = bytearray(reference.read_bytes())
    contents[(root - 1) * 4096 : (root - 1) * 4096 + 50] = b"\xff" * 50
    reference.write_bytes(contents)
    vault = open_vault(reference)
    with pytest.raises(VaultDamaged, match="damaged") as caught, vault.write():
        pass
    assert "backup" in caught.value.remedy
    assert "damaged" in str(vault.read_only_reason)
    with pytest.raises(VaultDamaged), vault.write():
        pass
    vault.close()
    assert reference.read_bytes() == contents
    assert names_in(reference.parent) == ["brain.sqlite"]


def test_a_file_that_contradicts_itself_is_damaged(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    contents = bytearray(reference.read_bytes())
    contents[36:40] = (7).to_bytes(4, "big")  # free pages that are not there
    reference.write_bytes(contents)
    vault = open_vault(reference)
    with pytest.raises(VaultDamaged) as caught, vault.write():
        pass
    assert "freelist" in caught.value.details.lower()
