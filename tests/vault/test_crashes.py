"""Killed in the middle of writing, 500 times: the file is whole, and what was said is so."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk.vault.operations.edit import plan_add
from mvdesk.vault.vault import Vault
from tests.store.vault_files import make_first_server_file

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
COUNTER = (
    "INSERT INTO memories (id, type, content, created_at, updated_at) "
    "VALUES ('counter', 'note', '0 0', 1, 1)"
)


def make_new(folder: Path) -> Path:
    """A vault made here, in WAL mode."""
    path = folder / "new.sqlite"
    with Vault.create(path, "Home", now=1) as vault:
        fields = {"content": "0 0"}
        vault.apply(plan_add(vault.brain.id, fields, now=1, memory_id="counter"), now=1)
    return path


def make_large(folder: Path) -> Path:
    """A vault of 300 memories with the same text."""
    path = make_new(folder)
    with closing(sqlite3.connect(path)) as db, db:
        db.executemany(
            "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
            "SELECT ?, brain_id, type, content, 1, 1 FROM memories WHERE id = 'counter'",
            [(f"b-{number}",) for number in range(299)],
        )
    return path


def copy_servers(folder: Path) -> Path:
    """A server's file that keeps a rollback journal."""
    path = folder / "brain.sqlite"
    shutil.copyfile(ROOT / "tests" / "data" / "brain.sqlite", path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(COUNTER)
    return path


def make_old(folder: Path) -> Path:
    """A file of the first server, which gets tables and columns with its first write."""
    path = make_first_server_file(folder)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(COUNTER)
    return path


@pytest.mark.parametrize(
    ("make", "kills", "kind", "least"),
    [
        (make_new, 150, "grow", 350),
        (copy_servers, 120, "grow", 280),
        (make_large, 100, "bulk", 60),
        (make_old, 130, "fresh", 300),
    ],
    ids=["log", "journal", "many rows", "upgrade"],
)
def test_no_kill_costs_what_was_acknowledged(
    tmp_path: Path, make: Callable[[Path], Path], kills: int, kind: str, least: int
) -> None:
    path = make(tmp_path)
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "vault" / "crashing.py", path, str(kills), "7", kind],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout)
    print(report)  # shown with -s: the figures
    assert report["faults"] == []
    assert report["kills"] == kills
    assert report["acknowledged"] >= least


def test_no_kill_between_vault_and_journal_costs_an_undo_step(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "vault" / "killing.py", tmp_path / "new.sqlite"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout) == []
