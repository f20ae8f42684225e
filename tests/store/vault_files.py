"""Vault files of every kind for the tests, made with plain SQLite, and other programs."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

REFERENCE = Path(__file__).resolve().parents[1] / "data" / "brain.sqlite"
BRAIN = "legacy-default-brain"
NOBODY = 65534
NOON = 1_800_000_000.0  # a fixed clock for backups

# The first MemoryVault: no brains, no sources, no recall.
FIRST_SERVER = """
CREATE TABLE memories (
  id TEXT PRIMARY KEY, type TEXT NOT NULL CHECK(type IN ('note', 'fact', 'journal')),
  title TEXT, key TEXT, content TEXT NOT NULL, tags TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE memory_links (
  id TEXT PRIMARY KEY, from_id TEXT NOT NULL, to_id TEXT NOT NULL, label TEXT,
  created_at INTEGER NOT NULL,
  FOREIGN KEY (from_id) REFERENCES memories(id) ON DELETE CASCADE,
  FOREIGN KEY (to_id) REFERENCES memories(id) ON DELETE CASCADE);
CREATE TABLE memory_changelog (
  id TEXT PRIMARY KEY, event_type TEXT NOT NULL, entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL, summary TEXT NOT NULL, payload TEXT, created_at INTEGER NOT NULL);
INSERT INTO memories VALUES ('m1', 'note', 'One', NULL, 'first text', 'a,b', 100, 200);
INSERT INTO memories VALUES ('m2', 'fact', NULL, 'k', 'second text', NULL, 50, 60);
INSERT INTO memory_links VALUES ('l1', 'm1', 'm2', 'because', 70);
"""


def copy_reference(folder: Path) -> Path:
    """The recorded server's own file (WAL mode in its header, no log beside it)."""
    path = folder / "brain.sqlite"
    shutil.copyfile(REFERENCE, path)
    return path


def make_file(path: Path, script: str, *, wal: bool = False) -> Path:
    """A database made by `script`."""
    with closing(sqlite3.connect(path)) as conn:
        if wal:
            conn.execute("PRAGMA journal_mode = WAL")
        conn.executescript(script)
    return path


def make_first_server_file(folder: Path, *, wal: bool = False) -> Path:
    """A file of a server from before brains, sources and recall."""
    return make_file(folder / "old.sqlite", FIRST_SERVER, wal=wal)


def run_sql(path: Path, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
    """What another connection reads or writes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        return conn.execute(sql, values).fetchall()


def state_of(path: Path) -> tuple[str, int]:
    """Contents and time of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns


def names_in(folder: Path) -> list[str]:
    """The files in a folder, sorted."""
    return sorted(os.listdir(folder))


def start_program(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Another program: Python code that talks through its standard streams."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@contextmanager
def program_holding(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A program that prints a line when it is ready and ends when its input closes."""
    with start_program(code, *arguments) as program:
        assert program.stdout is not None
        assert program.stdin is not None
        try:
            assert program.stdout.readline() == "ready\n"
            yield program
        finally:
            program.stdin.close()
            program.wait(timeout=20)


def crash_while(code: str, *arguments: object) -> None:
    """Run a program that kills itself, as a power cut would."""
    with start_program(code, *arguments) as program:
        assert program.wait(timeout=20) == -9


CRASH_IN_LOG = """
import os, signal, sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("PRAGMA journal_mode = WAL")
conn.execute("UPDATE memories SET title = 'only in the log'")
os.kill(os.getpid(), signal.SIGKILL)
"""

CRASH_IN_JOURNAL = """
import os, signal, sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("PRAGMA journal_mode = DELETE")
conn.execute("PRAGMA cache_size = 1")  # pages reach the file before the commit
conn.execute("BEGIN IMMEDIATE")
conn.execute("CREATE TABLE filler (x)")
conn.execute("UPDATE memories SET title = 'never committed'")
conn.executemany("INSERT INTO filler VALUES (?)", [("x" * 3000,)] * 200)
os.kill(os.getpid(), signal.SIGKILL)
"""

HOLD_WRITE_LOCK = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("BEGIN IMMEDIATE")
print("ready", flush=True)
sys.stdin.read()
conn.rollback()
"""

KEEP_OPEN = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("SELECT count(*) FROM memories").fetchall()
print("ready", flush=True)
sys.stdin.read()
"""

KEEP_READING = KEEP_OPEN.replace("conn.execute(", "conn.execute('BEGIN')\nconn.execute(", 1)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Do without root's rights, which file modes don't bind. Ordinary users lack them anyway."""
    if os.geteuid() != 0:
        yield
        return
    groups = os.getgroups()
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, 0)
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
        os.setgroups(groups)


def give_to_nobody(*paths: Path) -> None:
    """Let files belong to whom `unprivileged` is."""
    if os.geteuid() == 0:
        for path in paths:
            os.chown(path, NOBODY, NOBODY)
