"""Other programs at the same file, as processes of their own: nobody loses anything."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from mvdesk.errors import UndoImpossible, VaultChanged, VaultError, VaultLocked
from mvdesk.store import companion_file
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.vault import Vault
from tests.store.vault_files import HOLD_WRITE_LOCK, program_holding
from tests.vault.made import NOW

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    RunSql = Callable[..., list[tuple[Any, ...]]]
    Contents = Callable[[Path], dict[str, list[tuple[object, ...]]]]

WRITE_ALL_THE_TIME = """
import sqlite3, sys, threading
conn = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20)
print("ready", flush=True)
done = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), done.set())).start()
count = 0
while not done.is_set():
    conn.execute("BEGIN IMMEDIATE")
    conn.execute(
        "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
        "SELECT ?, brain_id, 'note', 'theirs', 1, 1 FROM memories LIMIT 1",
        (f"theirs-{count}",),
    )
    conn.execute("UPDATE memories SET access_count = access_count + 1")
    conn.execute("COMMIT")
    count += 1
print(count, flush=True)
"""


def edit(vault: Vault, memory_id: str, content: str) -> None:
    memory = vault.read_memory(memory_id)
    vault.apply(plan_edit(memory, {"content": content}, now=NOW), now=NOW)


def first_id(vault: Vault) -> str:
    return read_snapshot(vault).memories.ids.text(0)


@pytest.mark.parametrize(("mode", "rounds"), [("WAL", 40), ("DELETE", 4)])
def test_a_second_process_that_writes_all_the_time(
    server_file: Path, run_sql: RunSql, mode: str, rounds: int, open_vault: Callable[..., Vault]
) -> None:
    run_sql(server_file, f"PRAGMA journal_mode = {mode}")
    vault = open_vault(server_file)
    target = first_id(vault)
    with program_holding(WRITE_ALL_THE_TIME, server_file) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        for number in range(rounds):
            fields = {"content": f"ours {number}"}
            plan = plan_add(vault.brain.id, fields, now=NOW, memory_id=f"ours-{number}")
            vault.apply(plan, now=NOW)
            edit(vault, target, f"edit {number}")
            assert len(read_snapshot(vault).memories) >= 182 + number
        assert any(vault.changed_outside() for _ in range(1_000_000))  # as soon as it wrote
        other.stdin.close()
        theirs = int(other.stdout.readline())
    assert theirs > 0
    for name, count in (("ours", rounds), ("theirs", theirs)):
        found = run_sql(server_file, f"SELECT count(*) FROM memories WHERE id LIKE '{name}-%'")
        assert found == [(count,)]
    assert vault.read_memory(target).content == f"edit {rounds - 1}"
    assert run_sql(server_file, "PRAGMA integrity_check") == [("ok",)]
    assert run_sql(server_file, "PRAGMA foreign_key_check") == []
    # Their counting is no conflict with our undo, and stays.
    counts = run_sql(server_file, f"SELECT access_count FROM memories WHERE id = '{target}'")
    vault.undo(now=NOW)
    assert vault.read_memory(target).content == f"edit {rounds - 2}"
    again = run_sql(server_file, f"SELECT access_count FROM memories WHERE id = '{target}'")
    assert again == counts


def test_a_lock_held_for_three_seconds_is_waited_for(server: Vault) -> None:
    target = first_id(server)
    memory = server.read_memory(target)
    plan = plan_edit(memory, {"content": "after the wait"}, now=NOW)
    with program_holding(HOLD_WRITE_LOCK, server.path) as other:
        assert other.stdin is not None
        timer = threading.Timer(3.0, other.stdin.close)
        began = time.monotonic()
        timer.start()
        server.apply(plan, now=NOW)
        waited = time.monotonic() - began
        timer.join()
    assert waited > 2.5
    assert server.read_memory(target).content == "after the wait"


def test_a_lock_held_for_longer_is_said_and_nothing_lost(server: Vault) -> None:
    target = first_id(server)
    before = server.read_memory(target)
    plan = plan_edit(before, {"content": "my words"}, now=NOW)
    with program_holding(HOLD_WRITE_LOCK, server.path):
        with pytest.raises(VaultLocked) as caught:
            server.apply(plan, now=NOW)
        assert "Nothing was written." in caught.value.one_line()
        assert "close the other program" in caught.value.remedy
        assert server.read_memory(target) == before  # reading goes on
        assert server.journal.undo_label == ""
    server.apply(plan, now=NOW)  # the very same plan, once the lock is free
    assert server.read_memory(target).content == "my words"


def test_a_locked_companion_costs_an_undo_step_and_says_so(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(companion_file, "BUSY_MS", 100)
    target = first_id(server)
    edit(server, target, "one")
    assert server.companion.path is not None
    with program_holding(HOLD_WRITE_LOCK, server.companion.path):
        server.companion.close()  # opened anew, with the short wait
        edit(server, target, "two")
    assert server.read_memory(target).content == "two"
    (notice,) = [one for one in server.notices if "journal" in one]
    assert notice.startswith("The change is saved. This step can't be undone")
    # What the journal doesn't know of can't be mistaken for the step before it.
    with pytest.raises(UndoImpossible, match="was changed by another program"):
        server.undo(now=NOW)
    assert server.read_memory(target).content == "two"


def test_columns_that_another_program_adds_stay_and_survive_a_deletion(
    server: Vault, run_sql: RunSql
) -> None:
    target = first_id(server)
    run_sql(
        server.path,
        "ALTER TABLE memories ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",
        'ALTER TABLE memories ADD COLUMN "odd ""name" BLOB',
        "ALTER TABLE memories ADD COLUMN shout TEXT AS (upper(content))",
        f"UPDATE memories SET mood = 'glad', \"odd \"\"name\" = x'00ff' WHERE id = '{target}'",
    )
    assert server.changed_outside()
    edit(server, target, "with a mood")
    row = f"SELECT * FROM memories WHERE id = '{target}'"
    before = run_sql(server.path, row)
    assert "glad" in before[0]
    memory, links = server.read_memory(target), server.read_links_of(target)
    server.apply(plan_delete([memory], links, brain_id=server.brain.id), now=NOW)
    assert run_sql(server.path, row) == []
    server.undo(now=NOW)
    assert run_sql(server.path, row) == before
    server.redo(now=NOW)
    server.undo(now=NOW)
    assert run_sql(server.path, row) == before
    added = plan_add(server.brain.id, {"content": "new"}, now=NOW, memory_id="new")
    server.apply(added, now=NOW)
    assert run_sql(server.path, "SELECT mood FROM memories WHERE id = 'new'") == [("calm",)]


def test_the_memory_in_the_editor_is_deleted_elsewhere(server: Vault, run_sql: RunSql) -> None:
    target = first_id(server)
    plan = plan_edit(server.read_memory(target), {"content": "my words"}, now=NOW)
    run_sql(server.path, "PRAGMA foreign_keys = ON", f"DELETE FROM memories WHERE id = '{target}'")
    with pytest.raises(VaultChanged, match="was deleted by another program") as caught:
        server.apply(plan, now=NOW)
    assert "what you entered is still here" in caught.value.safe
    assert server.has_memory(target) is False


@pytest.mark.parametrize("how", ["rename", "copy", "backup"])
def test_an_older_state_put_over_the_open_vault(
    server: Vault, contents: Contents, run_sql: RunSql, tmp_path: Path, how: str
) -> None:
    older = tmp_path / "older"
    shutil.copyfile(server.path, older)
    before = contents(older)
    target = first_id(server)
    edit(server, target, "newer words")
    server.apply(plan_add(server.brain.id, {"content": "new"}, now=NOW, memory_id="new"), now=NOW)
    assert len(read_snapshot(server).memories) == 183
    put_over(how, older, server.path)
    assert server.changed_outside()
    assert len(read_snapshot(server).memories) == 182
    assert contents(server.path) == before
    # A step of the state before doesn't fit any more; that is said, and nothing is written.
    with pytest.raises(UndoImpossible):
        server.undo(now=NOW)
    assert contents(server.path) == before
    edit(server, target, "words after")
    assert run_sql(server.path, "PRAGMA integrity_check") == [("ok",)]
    assert run_sql(server.path, "SELECT count(*) FROM memories") == [(182,)]
    server.undo(now=NOW)
    assert contents(server.path) == before


def put_over(how: str, older: Path, path: Path) -> None:
    """What a person or a backup program does."""
    if how == "rename":
        os.replace(older, path)
    elif how == "copy":
        shutil.copyfile(older, path)
    else:
        with closing(sqlite3.connect(older)) as one, closing(sqlite3.connect(path)) as two:
            one.backup(two)


def test_a_vault_of_other_brains_put_in_its_place_is_not_written(
    server: Vault, tmp_path: Path
) -> None:
    with Vault.create(tmp_path / "other.sqlite", "Other", now=1) as other:
        other.apply(plan_add(other.brain.id, {"content": "x"}, now=1, memory_id="x"), now=1)
    os.replace(tmp_path / "other.sqlite", server.path)
    plan = plan_add(server.brain.id, {"content": "astray"}, now=NOW, memory_id="astray")
    with pytest.raises(VaultError):
        server.apply(plan, now=NOW)
    assert server.has_memory("astray") is False
