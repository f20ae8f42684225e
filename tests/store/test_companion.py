"""The companion: kept apart from the vault, shared by processes, and never in the way."""

from __future__ import annotations

import os
import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import VaultError, VaultFull, VaultLocked
from mvdesk.store import companion_file
from mvdesk.store.companion import Companion
from mvdesk.store.companion_file import choose_path
from mvdesk.store.raw_file import FileStamp
from mvdesk.store.steps import JournalStep, PendingStep
from tests.store.vault_files import (
    give_to_nobody,
    names_in,
    program_holding,
    run_sql,
    start_program,
    state_of,
    unprivileged,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mvdesk.store.engine import VaultFile


STAMP = FileStamp(1, 2, 3, 4, 5, 6, 7, 8)
NEAR = "brain.sqlite.mvdesk"
HOLD = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("BEGIN EXCLUSIVE")
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def open_companion(tmp_path: Path) -> Iterator[Callable[[Path], Companion]]:
    """Opens companions and closes them after the test."""
    opened: list[Companion] = []

    def open_(vault: Path) -> Companion:
        companion = Companion.open(vault, tmp_path / "data")
        opened.append(companion)
        return companion

    yield open_
    for companion in opened:
        companion.close()


Open = "Callable[[Path], Companion]"


def step(label: str, brain_id: str = "b") -> JournalStep:
    return JournalStep(0, brain_id, label, '{"changes": []}', 1000)


def test_no_file_is_made_before_there_is_something_to_keep(
    reference: Path, open_companion: Open
) -> None:
    before = state_of(reference)
    companion = open_companion(reference)
    assert companion.read_setting("model") is None
    assert companion.steps.read(10) == []
    assert companion.read_positions("b") == {}
    assert companion.read_columns("b", STAMP) is None
    assert companion.steps.find("b", undone=False) is None
    assert companion.steps.find_label("b", undone=True) == ""
    assert companion.data_version() == 0
    companion.close()
    assert names_in(reference.parent) == ["brain.sqlite"]
    companion.write_setting("model", "v1")
    companion.close()
    assert names_in(reference.parent) == ["brain.sqlite", NEAR]
    assert companion.path == reference.with_name(NEAR)
    assert companion.path.stat().st_mode & 0o077 == 0
    assert state_of(reference) == before


def test_settings_are_kept(reference: Path, open_companion: Open) -> None:
    companion = open_companion(reference)
    value = {"text": "half \ud83d", "numbers": [1, 2.5, None], "ok": True}
    companion.write_setting("draft", value)
    companion.write_setting("other", 0)
    companion.close()
    again = open_companion(reference)
    assert again.read_setting("draft") == value
    assert again.read_setting("other") == 0
    again.write_setting("draft", None)
    assert again.read_setting("draft") is None
    assert again.notices == ()


def test_steps_are_kept_newest_first_and_by_brain(reference: Path, open_companion: Open) -> None:
    companion = open_companion(reference)
    ids = [companion.steps.add(step(label)) for label in ("one", "two", "three")]
    other = companion.steps.add(step("elsewhere", "c"))
    assert [found.label for found in companion.steps.read(2)] == ["elsewhere", "three"]
    assert [found.id for found in companion.steps.read(9, "b")] == ids[::-1]
    assert companion.steps.mark(ids[2], undone=True)
    assert not companion.steps.mark(ids[2], undone=True)
    assert companion.steps.mark(ids[1], undone=True)
    companion.close()
    again = open_companion(reference)
    assert [found.undone for found in again.steps.read(9, "b")] == [True, True, False]
    undo, redo = again.steps.find("b", undone=False), again.steps.find("b", undone=True)
    assert undo is not None
    assert redo is not None
    assert (undo.id, redo.id) == (ids[0], ids[1])
    assert again.steps.find_label("b", undone=True) == "two"
    assert again.steps.mark(ids[1], undone=False)
    newest = again.steps.add(step("new"))
    assert newest > other  # numbers are never used twice
    assert [found.label for found in again.steps.read(9, "b")] == ["new", "two", "one"]
    again.steps.remove([newest, ids[0]])
    assert again.steps.read(9, "b") == [JournalStep(ids[1], "b", "two", step("").plan, 1000)]


def test_places_are_kept_until_forgotten(reference: Path, open_companion: Open) -> None:
    companion = open_companion(reference)
    companion.write_positions("b", {"m": (1, -2.5), "n": (0, 0)})
    companion.write_positions("b", {"m": (3, 4), "n": None, "none": None})
    companion.write_positions("c", {"n": (9, 9)})
    assert companion.read_positions("b") == {"m": (3.0, 4.0)}


def test_columns_belong_to_one_state_of_the_vault(reference: Path, open_companion: Open) -> None:
    companion = open_companion(reference)
    assert companion.write_columns("b", STAMP, {"ids": b"abc", "empty": b""})
    assert companion.read_columns("b", STAMP) == {"ids": b"abc", "empty": b""}
    later = FileStamp(1, 2, 3, 4, 6, 6, 7, 8)
    assert companion.read_columns("b", later) is None
    assert companion.read_columns("c", STAMP) is None
    assert companion.write_columns("b", later, {"ids": b"d"})
    assert companion.read_columns("b", STAMP) is None
    assert companion.read_columns("b", later) == {"ids": b"d"}
    unsettled = FileStamp(1, 2, 3, 4, 6, 6, 7, 8, unsettled=9)
    assert not companion.write_columns("b", unsettled, {"ids": b"e"})
    assert companion.read_columns("b", later) == {"ids": b"d"}


@pytest.mark.parametrize("wrong", ["x'6162'", "'text'", "NULL || 'text'"])
def test_columns_with_other_bytes_than_were_written_are_no_columns(
    reference: Path, open_companion: Open, wrong: str
) -> None:
    companion = open_companion(reference)
    companion.write_columns("b", STAMP, {"ids": b"abc"})
    companion.close()
    run_sql(
        reference.with_name(NEAR), f"UPDATE OR REPLACE column_blobs SET data = coalesce({wrong}, 7)"
    )
    assert open_companion(reference).read_columns("b", STAMP) is None


def test_processes_share_a_companion(reference: Path, open_companion: Open) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from mvdesk.store.companion import Companion\n"
        "from mvdesk.store.steps import JournalStep\n"
        "companion = Companion.open(Path(sys.argv[1]), Path('/nonexistent'))\n"
        "for number in range(20):\n"
        "    companion.steps.add(JournalStep(0, sys.argv[2], f'step {number}', '{}', number))\n"
        "assert companion.notices == (), companion.notices\n"
        "companion.close()\n"
    )
    programs = [start_program(code, reference, brain) for brain in "xyz"]
    for program in programs:
        program.communicate(timeout=60)
        assert program.returncode == 0
    companion = open_companion(reference)
    for brain in "xyz":
        assert [found.created_at for found in companion.steps.read(99, brain)] == [*range(20)][::-1]
    version = companion.data_version()
    assert companion.data_version() == version
    run_sql(reference.with_name(NEAR), "UPDATE journal SET label = 'elsewhere'")
    assert companion.data_version() != version
    assert companion.notices == ()


def test_a_locked_companion_is_said_and_columns_do_without(
    reference: Path, open_companion: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(companion_file, "BUSY_MS", 50)
    companion = open_companion(reference)
    companion.write_columns("b", STAMP, {"ids": b"abc"})
    path = reference.with_name(NEAR)
    with program_holding(HOLD, path):
        with pytest.raises(VaultLocked, match=NEAR):
            companion.write_setting("x", 1)
        assert not companion.write_columns("b", STAMP, {})
    companion.close()
    run_sql(path, "PRAGMA journal_mode = DELETE")
    with program_holding(HOLD, path):
        locked = open_companion(reference)
        assert locked.notices == ()
        assert locked.read_columns("b", STAMP) is None
        assert locked.data_version() == 0
        with pytest.raises(VaultLocked):
            locked.read_setting("x")
    assert locked.read_columns("b", STAMP) == {"ids": b"abc"}


@pytest.mark.parametrize(
    "contents",
    [
        random.Random(1).randbytes(5000),
        b"SQLite format 3\0" + random.Random(2).randbytes(9000),
        b"my own notes",
    ],
)
def test_a_damaged_companion_is_renamed_and_said(
    reference: Path, open_companion: Open, contents: bytes
) -> None:
    path = reference.with_name(NEAR)
    path.write_bytes(contents)
    before = state_of(reference)
    companion = open_companion(reference)
    (notice,) = companion.notices
    assert f"{NEAR} was damaged. It was kept as {NEAR}.set-aside-1;" in notice
    companion.write_setting("x", 1)
    companion.close()
    assert path.with_name(f"{NEAR}.set-aside-1").read_bytes() == contents
    assert names_in(reference.parent) == ["brain.sqlite", NEAR, f"{NEAR}.set-aside-1"]
    path.write_bytes(contents)
    assert "set-aside-2" in open_companion(reference).notices[0]
    assert state_of(reference) == before


def test_an_empty_companion_is_as_good_as_none(reference: Path, open_companion: Open) -> None:
    reference.with_name(NEAR).touch()
    companion = open_companion(reference)
    assert companion.notices == ()
    companion.write_setting("x", 1)
    assert companion.read_setting("x") == 1


def test_a_truncated_or_flipped_companion_never_hurts(
    reference: Path, open_companion: Open
) -> None:
    companion = open_companion(reference)
    for number in range(50):
        companion.steps.add(step(f"step {number}"))
        companion.write_setting(f"setting {number}", "x" * 100)
    companion.write_positions("b", {str(number): (1, 2) for number in range(100)})
    companion.write_columns("b", STAMP, {"ids": b"x" * 20_000})
    companion.close()
    path, before = reference.with_name(NEAR), state_of(reference)
    whole = path.read_bytes()
    chance = random.Random(3)
    broken = [whole[:length] for length in (50, 4096, 9000, len(whole) - 4096)]
    for _ in range(40):
        flipped = bytearray(whole)
        for _ in range(30):
            flipped[chance.randrange(len(flipped))] ^= 0xFF
        broken.append(bytes(flipped))
    set_aside = 0
    for contents in broken:
        path.write_bytes(contents)
        companion = open_companion(reference)
        companion.steps.read(99)
        companion.read_positions("b")
        for number in range(50):
            companion.read_setting(f"setting {number}")
        columns = companion.read_columns("b", STAMP)
        assert columns is None or columns == {"ids": b"x" * 20_000}
        companion.write_setting("new", 5)
        assert companion.read_setting("new") == 5
        companion.steps.add(step("new"))
        companion.close()
        set_aside += bool(companion.notices)
    assert set_aside > 10
    assert state_of(reference) == before


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("UPDATE parts SET version = 99 WHERE name = 'person'", "by another version of mvdesk"),
        ("DELETE FROM parts WHERE name = 'person'", "by another version of mvdesk"),
        ("PRAGMA application_id = 5", "was not made by mvdesk"),
        ("DROP TABLE parts", "was damaged"),
    ],
)
def test_a_companion_of_another_version_is_renamed_and_said(
    reference: Path, open_companion: Open, script: str, why: str
) -> None:
    companion = open_companion(reference)
    companion.write_setting("kept", "as it was")
    companion.close()
    run_sql(reference.with_name(NEAR), script)
    again = open_companion(reference)
    assert why in again.notices[0]
    assert again.read_setting("kept") is None
    aside = reference.with_name(f"{NEAR}.set-aside-1")
    assert run_sql(aside, "SELECT value FROM settings") == [('"as it was"',)]


def test_a_derived_part_of_another_version_is_dropped_and_the_rest_stays(
    reference: Path, open_companion: Open
) -> None:
    companion = open_companion(reference)
    companion.write_setting("kept", 1)
    companion.write_columns("b", STAMP, {"ids": b"abc"})
    companion.close()
    run_sql(reference.with_name(NEAR), "UPDATE parts SET version = 99 WHERE name = 'derived'")
    again = open_companion(reference)
    assert again.notices == ()
    assert again.read_setting("kept") == 1
    assert again.read_columns("b", STAMP) is None
    assert again.write_columns("b", STAMP, {"ids": b"abc"})
    assert names_in(reference.parent)[1] == NEAR


def test_damage_outside_of_the_persons_part_costs_none_of_it(
    reference: Path, open_companion: Open
) -> None:
    companion = open_companion(reference)
    companion.write_setting("kept", 1)
    companion.write_positions("b", {"m": (1.0, 2.0)})
    ids = [companion.steps.add(step(label)) for label in ("one", "two")]
    companion.write_columns("b", STAMP, {"ids": b"abc"})
    path = reference.with_name(NEAR)
    run_sql(path, "DROP TABLE column_blobs")
    assert companion.read_columns("b", STAMP) is None
    assert companion.notices == (
        f"The companion file {NEAR} was damaged. It was kept as {NEAR}.set-aside-1; undo steps, "
        "drafts, positions and settings of this vault were taken over.",
    )
    assert companion.read_setting("kept") == 1
    assert companion.read_positions("b") == {"m": (1.0, 2.0)}
    assert [one.id for one in companion.steps.read(9)] == ids[::-1]
    assert companion.write_columns("b", STAMP, {"ids": b"abc"})


def test_what_can_t_be_taken_over_is_told(
    reference: Path, open_companion: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    companion = open_companion(reference)
    companion.write_setting("kept", 1)

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("mvdesk.store.companion_file._put_back", full)
    run_sql(reference.with_name(NEAR), "DROP TABLE column_sets")
    assert companion.read_columns("b", STAMP) is None
    assert "start afresh" in companion.notices[0]
    assert companion.read_setting("kept") is None


def test_damage_found_while_open_starts_afresh_once(reference: Path, open_companion: Open) -> None:
    first, second = open_companion(reference), open_companion(reference)
    first.write_setting("x", 1)
    assert second.read_setting("x") == 1
    run_sql(reference.with_name(NEAR), "DROP TABLE settings")
    assert first.read_setting("x") is None
    assert "set-aside-1" in first.notices[0]
    first.write_setting("x", 2)
    assert second.read_setting("x") == 2  # found the new one in its place
    assert second.notices == ()
    assert f"{NEAR}.set-aside-2" not in names_in(reference.parent)


def test_two_processes_that_find_damage_set_it_aside_once(
    reference: Path, open_companion: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    companion = open_companion(reference)
    companion.write_setting("x", 1)
    path = reference.with_name(NEAR)

    def replaced(_: sqlite3.DatabaseError) -> bool:
        path.rename(path.with_name("elsewhere"))
        path.touch()
        return True

    run_sql(path, "DROP TABLE settings")
    monkeypatch.setattr(companion_file, "_is_broken", replaced)
    assert companion.read_setting("x") is None
    assert companion.notices == ()


def test_settings_are_read_by_the_beginning_of_their_names(
    reference: Path, open_companion: Open
) -> None:
    companion = open_companion(reference)
    for name, value in {"trial/a_b/1": 1, "trial/a_b/2": [2], "trial/axb/3": 3}.items():
        companion.write_setting(name, value)
    assert companion.read_settings("trial/a_b/") == {"trial/a_b/1": 1, "trial/a_b/2": [2]}
    assert companion.read_settings("other") == {}


def test_a_damaged_setting_is_as_good_as_none(reference: Path, open_companion: Open) -> None:
    companion = open_companion(reference)
    companion.write_setting("x", 1)
    for wrong in ("'{'", "x'ff'", "x'7b7d'"):
        run_sql(reference.with_name(NEAR), f"UPDATE settings SET value = {wrong}")
        assert companion.read_setting("x") in (None, {})


def test_deleting_a_companion_loses_what_was_in_it_and_no_more(
    reference: Path, open_companion: Open
) -> None:
    companion = open_companion(reference)
    companion.write_setting("x", 1)
    for name in names_in(reference.parent):
        if name.startswith(NEAR):
            reference.with_name(name).unlink()
    assert companion.read_setting("x") is None
    assert names_in(reference.parent) == ["brain.sqlite"]
    companion.write_setting("x", 2)
    assert companion.read_setting("x") == 2
    for name in names_in(reference.parent):
        if name.startswith(NEAR):
            reference.with_name(name).unlink()
    companion.write_setting("x", 3)
    assert companion.read_setting("x") == 3


def test_a_locked_folder_puts_the_companion_into_the_data_folder(shared_folder: Path) -> None:
    folder = shared_folder / "vaults"
    folder.mkdir()
    vault = folder / "brain.sqlite"
    vault.touch()
    folder.chmod(0o555)
    data = shared_folder / "home" / "data"
    with unprivileged():
        companion = Companion.open(vault, data)
        assert companion.path is not None
        assert companion.path.parent == data / "companions"
        assert not data.exists()
        companion.write_setting("x", 1)
        companion.close()
    assert choose_path(folder / ".." / "vaults" / "brain.sqlite", data) != companion.path
    with unprivileged():
        same = choose_path(folder / ".." / "vaults" / "brain.sqlite", data)
        assert same == companion.path
        assert choose_path(folder / "other.sqlite", data) != companion.path
    assert names_in(folder) == ["brain.sqlite"]
    assert names_in(data / "companions") == [companion.path.name]


def test_a_companion_that_is_not_ours_to_write_is_left_alone(shared_folder: Path) -> None:
    vault, near = shared_folder / "brain.sqlite", shared_folder / NEAR
    near.write_bytes(b"theirs")
    near.chmod(0o444)
    with unprivileged():
        companion = Companion.open(vault, shared_folder / "data")
        companion.write_setting("x", 1)
        companion.close()
    assert near.read_bytes() == b"theirs"
    near.unlink()
    near.mkdir()
    assert Companion.open(vault, shared_folder / "data").path != near


@pytest.mark.parametrize("kind", ["folder", "locked"])
def test_what_stands_in_the_companions_place_is_said_with_where_it_went(
    shared_folder: Path, kind: str
) -> None:
    vault, near = shared_folder / "brain.sqlite", shared_folder / NEAR
    if kind == "folder":
        near.mkdir()
    else:
        near.touch(0o444)
    with unprivileged():
        companion = Companion.open(vault, shared_folder / "data")
        companion.write_setting("x", 1)
        companion.close()
    (notice,) = companion.notices
    assert NEAR in notice
    assert ("is not a file" if kind == "folder" else "can't be read and written") in notice
    assert str(companion.path) in notice
    assert companion.path is not None
    assert companion.path.is_file()


def test_without_any_folder_memory_serves_and_that_is_said(shared_folder: Path) -> None:
    (shared_folder / "file").touch()
    give_to_nobody(shared_folder / "file")
    shared_folder.chmod(0o555)
    with unprivileged():
        companion = Companion.open(shared_folder / "brain.sqlite", shared_folder / "file" / "data")
        assert companion.path is None
        assert "last only until it is closed" in companion.notices[0]
        companion.write_setting("x", 1)
        assert companion.steps.add(step("one")) == 1
        assert companion.read_setting("x") == 1
        companion.write_columns("b", STAMP, {"ids": b"abc"})
        assert companion.read_columns("b", STAMP) == {"ids": b"abc"}
        with pytest.raises(VaultError):
            companion._write("DELETE FROM nothing", [])  # a broken one can't be renamed here
        companion.close()


def test_a_folder_lost_meanwhile_is_made_up_for_by_memory(shared_folder: Path) -> None:
    folder = shared_folder / "vaults"
    folder.mkdir()
    give_to_nobody(folder)
    with unprivileged():
        companion = Companion.open(folder / "brain.sqlite", shared_folder / "data")
        folder.chmod(0o555)
        companion.write_setting("x", 1)
        assert companion.read_setting("x") == 1
        assert companion.path is None
        assert "No companion file" in companion.notices[0]
        companion.close()
        folder.chmod(0o755)


def test_a_broken_companion_that_cannot_be_renamed_is_made_up_for_by_memory(
    shared_folder: Path,
) -> None:
    folder = shared_folder / "vaults"
    folder.mkdir()
    near = folder / NEAR
    give_to_nobody(folder)
    with unprivileged():
        companion = Companion.open(folder / "brain.sqlite", shared_folder / "data")
        companion.write_setting("x", 1)
        run_sql(near, "DROP TABLE settings")
        folder.chmod(0o555)
        assert companion.read_setting("x") is None
        assert "No companion file" in companion.notices[-1]
        folder.chmod(0o755)
        companion.close()


def test_a_full_disk_undoes_what_was_begun(reference: Path, open_companion: Open) -> None:
    companion = open_companion(reference)
    companion.steps.add(step("one"))

    def fill(conn: sqlite3.Connection) -> None:
        pages = conn.execute("PRAGMA page_count").fetchone()[0]
        conn.execute(f"PRAGMA max_page_count = {pages}")

    companion._file.read(fill)
    with pytest.raises(VaultFull):
        companion.write_setting("x", "y" * 100_000)
    assert not companion.write_columns("b", STAMP, {"ids": b"x" * 100_000})
    assert companion.read_setting("x") is None
    assert [found.label for found in companion.steps.read(9)] == ["one"]


def test_a_companion_and_a_vault_live_side_by_side(
    reference: Path, open_companion: Open, open_vault: Callable[..., VaultFile]
) -> None:
    vault, companion = open_vault(reference), open_companion(reference)
    with vault.write() as conn:
        conn.exec_driver_sql("UPDATE memories SET title = 'x'")
        companion.write_setting("x", 1)
    vault.close()
    companion.close()
    assert names_in(reference.parent) == ["brain.sqlite", NEAR, "brain.sqlite.mvdesk-backups"]


def test_a_file_that_others_set_up_at_the_same_moment_is_used(
    reference: Path, open_companion: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = companion_file._versions
    calls = []

    def nothing_at_first(conn: sqlite3.Connection) -> dict[str, int]:
        calls.append(1)
        return {} if len(calls) == 1 else versions(conn)

    companion = open_companion(reference)
    companion.write_setting("x", 1)
    companion.close()
    monkeypatch.setattr(companion_file, "_versions", nothing_at_first)
    assert open_companion(reference).read_setting("x") == 1
    assert len(calls) == 2
    with closing(sqlite3.connect(reference.with_name(NEAR))) as conn:
        assert conn.execute("SELECT count(*) FROM parts").fetchone() == (2,)
    assert os.access(reference, os.W_OK)


def test_a_companion_whose_folder_was_locked_meanwhile_says_so(shared_folder: Path) -> None:
    folder = shared_folder / "vaults"
    folder.mkdir()
    give_to_nobody(folder)
    with unprivileged():
        late = Companion.open(folder / "brain.sqlite", shared_folder / "data")
        early = Companion.open(folder / "brain.sqlite", shared_folder / "data")
        early.write_setting("x", 1)
        early.close()
        folder.chmod(0o555)
        with pytest.raises(VaultError):
            late.read_setting("x")
        with pytest.raises(VaultError):
            late.write_setting("x", 2)
        folder.chmod(0o755)
        assert late.read_setting("x") == 1
        late.close()


# How long the journal gets


def labels(companion: Companion, brain_id: str = "b") -> list[str]:
    return [step.label for step in companion.steps.read(10_000, brain_id)]


def test_only_the_newest_steps_of_a_brain_are_kept(
    reference: Path, open_companion: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.store.steps.MAX_STEPS", 3)
    companion = open_companion(reference)
    companion.steps.add(step("elsewhere", "c"))
    for number in range(5):
        companion.steps.add(step(f"step {number}"))
    assert labels(companion) == ["step 4", "step 3", "step 2"]
    assert labels(companion, "c") == ["elsewhere"]


def test_plans_take_no_more_than_so_many_bytes_but_the_newest_stays(
    reference: Path, open_companion: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.store.steps.MAX_PLAN_BYTES", 100)
    companion = open_companion(reference)

    def add(label: str, size: int) -> None:
        companion.steps.add(JournalStep(0, "b", label, "é" * (size // 2), 1))

    add("one", 40)
    add("two", 40)
    assert labels(companion) == ["two", "one"]
    add("three", 40)
    assert labels(companion) == ["three", "two"]
    again = open_companion(reference)  # which has to measure what others added
    again.steps.add(JournalStep(0, "b", "large", "x" * 500, 1))
    assert labels(again) == ["large"]
    again.steps.add(JournalStep(0, "b", "small", "x", 1))
    assert labels(again) == ["small"]


def make_first_version(path: Path) -> None:
    """Make a companion what the first version of its person's part was."""
    run_sql(path, "DROP TABLE pending")
    run_sql(path, "UPDATE parts SET version = 1 WHERE name = 'person'")


def test_the_person_s_part_of_an_older_version_is_migrated(
    reference: Path, open_companion: Open
) -> None:
    companion = open_companion(reference)
    companion.write_setting("x", 1)
    number = companion.steps.add(step("one"))
    companion.close()
    make_first_version(reference.with_name(NEAR))
    again = open_companion(reference)
    assert again.notices == ()
    assert again.read_setting("x") == 1
    assert again.steps.find_id("b", undone=False) == number
    announced = again.steps.announce(step("two"), "entry")
    again.close()
    third = open_companion(reference)
    assert [found.step_id for found in third.steps.read_pending("b")] == [announced]


def test_an_announced_step_is_seen_once_it_is_settled(
    reference: Path, open_companion: Open
) -> None:
    steps = open_companion(reference).steps
    one = steps.add(step("one"))
    steps.mark(one, undone=True)
    two = steps.announce(step("two"), "entry")
    silent = steps.announce(step("silent"), "")
    assert [found.label for found in steps.read(9)] == ["one"]
    assert steps.find_label("b", undone=True) == "one"
    assert steps.read_pending("b") == [
        PendingStep(two, is_new=True, undone=False, proof="entry", plan=""),
        PendingStep(silent, is_new=True, undone=False, proof="", plan=step("").plan),
    ]
    assert steps.read_pending("c") == []
    steps.settle(silent, is_written=False)
    steps.settle(two, is_written=True)
    steps.settle(two, is_written=False)  # another process was first
    assert [found.label for found in steps.read(9)] == ["two"]
    steps.announce_mark(two, True, "undoing")
    assert steps.find_label("b", undone=False) == "two"
    steps.settle(two, is_written=False)
    assert steps.find_label("b", undone=False) == "two"
    steps.announce_mark(two, True, "undoing")
    steps.settle(two, is_written=True)
    assert steps.find_label("b", undone=True) == "two"
    steps.announce_mark(two, False, "doing again")
    steps.remove([two])
    assert steps.read_pending("b") == []
