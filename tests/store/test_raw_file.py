"""Stamps, and the one handle that a process has on a file."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.store import raw_file
from mvdesk.store.raw_file import FileStamp, RawFile
from tests.store.vault_files import (
    KEEP_OPEN,
    make_first_server_file,
    program_holding,
    run_sql,
    unprivileged,
)

if TYPE_CHECKING:
    from pathlib import Path

STAMP = FileStamp(1, 2, 3, 4, 5, 6, 7, 2**64 - 1)


def test_a_stamp_survives_being_stored() -> None:
    assert FileStamp.from_text(STAMP.to_text()) == STAMP


@pytest.mark.parametrize(
    "text", ["", "{}", "[1, 2]", "[1, 2, 3, 4, 5, 6, 7, 8, true]", "7", '["a"]']
)
def test_anything_else_is_no_stamp(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (JSON's own errors are ValueErrors too)
        FileStamp.from_text(text)


def test_a_stamp_settles_with_time(tmp_path: Path) -> None:
    path = make_first_server_file(tmp_path)
    raw = RawFile(path)
    os.utime(path, ns=(0, 1_500_000_123_456_789))
    settled = raw.stamp()
    assert settled.unsettled == 0
    assert raw.stamp() == settled
    run_sql(path, "DELETE FROM memories WHERE id = 'm1'")
    os.utime(path, ns=(0, 1_500_000_123_456_789))
    assert raw.stamp() != settled  # the counter tells, even with the time put back
    raw.release()


def test_whole_seconds_are_mistrusted_for_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_first_server_file(tmp_path)
    raw = RawFile(path)
    monkeypatch.setattr(raw_file.time, "time_ns", lambda: 2_000_000_000_000_000_000)
    os.utime(path, ns=(0, 1_999_999_999_000_000_000))
    assert raw.stamp().unsettled
    os.utime(path, ns=(0, 1_999_999_999_000_000_001))
    assert not raw.stamp().unsettled
    raw.release()


def test_a_log_is_part_of_the_stamp(tmp_path: Path) -> None:
    path = make_first_server_file(tmp_path, wal=True)
    raw = RawFile(path)
    before = raw.stamp()
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("SELECT * FROM memories").fetchall()
        assert raw.stamp().is_same_state(before)  # an empty log is as good as none
        conn.execute("DELETE FROM memories")
        assert not raw.stamp().is_same_state(before)
    raw.release()


def test_releasing_a_share_keeps_the_locks_of_the_others(tmp_path: Path) -> None:
    path = make_first_server_file(tmp_path)
    first, second = RawFile(path), RawFile(path)
    assert first.is_shared
    conn = sqlite3.connect(path, isolation_level=None)
    conn.execute("BEGIN EXCLUSIVE")
    second.release()
    assert not first.is_shared
    check = (
        "import sqlite3, sys\n"
        "conn = sqlite3.connect(sys.argv[1], timeout=0)\n"
        "try: conn.execute('SELECT * FROM memories').fetchall()\n"
        "except sqlite3.OperationalError: print('ready', flush=True)\n"
    )
    with program_holding(check, path):
        pass
    conn.close()
    first.release()


def test_a_file_replaced_between_looking_and_opening_is_taken_as_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_first_server_file(tmp_path)
    monkeypatch.setattr(raw_file, "identity_of", lambda _: (0, 0))
    first, second = RawFile(path), RawFile(path)
    assert first.identity == second.identity == (path.stat().st_dev, path.stat().st_ino)
    second.release()
    assert first.header().startswith(b"SQLite format 3")
    first.release()


def test_whether_anybody_is_connected_is_found_out(tmp_path: Path) -> None:
    path = make_first_server_file(tmp_path, wal=True)
    raw = RawFile(path)
    with raw.nobody_else_connected() as alone:
        assert alone
    with program_holding(KEEP_OPEN, path), raw.nobody_else_connected() as alone:
        assert not alone
    path.chmod(0o444)
    with unprivileged(), raw.nobody_else_connected() as alone:
        assert not alone
    raw.release()


def test_copies_are_whole(tmp_path: Path) -> None:
    path = make_first_server_file(tmp_path)
    run_sql(path, "UPDATE memories SET content = zeroblob(3000000)")
    raw = RawFile(path)
    raw.copy_to(tmp_path / "copy")
    assert raw.size() == path.stat().st_size
    raw.release()
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()
