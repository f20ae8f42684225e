"""Vaults for tests: the recorded server's file, new ones, strange ones."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mvdesk.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DATA = Path(__file__).parents[1] / "data"

LONG_AGO = 1_700_000_000

Rows = dict[str, list[tuple[object, ...]]]

KEPT_TABLES = (
    "memories",
    "memory_links",
    "brain_source_trust",
    "brain_policies",
    "brain_snapshots",
    "memory_conflict_resolutions",
    "memory_entity_aliases",
    "brains",
)


@pytest.fixture
def many_files(tmp_path: Path) -> Iterator[Path]:
    """A folder for hundreds of small vaults: in memory where the system has such a place.

    Nothing there waits for a disk, which on a busy machine takes most of the time.
    """
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.fixture
def server_file(tmp_path: Path) -> Path:
    """A copy of a MemoryVault server's own file."""
    path = tmp_path / "brain.sqlite"
    shutil.copyfile(DATA / "brain.sqlite", path)
    os.utime(path, (LONG_AGO, LONG_AGO))  # columns are kept of files that lie still
    return path


@pytest.fixture
def open_vault() -> Iterator[Callable[..., Vault]]:
    """Opens vaults with predictable ids, and closes them after the test."""
    opened: list[Vault] = []
    numbers = count(1)

    def open_it(path: Path, **options: object) -> Vault:
        options.setdefault("new_id", lambda: f"id-{next(numbers)}")
        opened.append(Vault.open(path, **options))
        return opened[-1]

    yield open_it
    for vault in opened:
        vault.close()


@pytest.fixture
def server(server_file: Path, open_vault: Callable[..., Vault]) -> Vault:
    """The recorded server's file, open."""
    return open_vault(server_file)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Vault]:
    """A new vault without memories."""
    numbers = count(1)
    path = tmp_path / "new.sqlite"
    with Vault.create(path, "Home", now=1000, new_id=lambda: f"id-{next(numbers)}") as vault:
        yield vault


def _text_or_bytes(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


@pytest.fixture
def run_sql() -> Callable[..., list[tuple[object, ...]]]:
    """Does what another program would: SQL on the file, on a connection of its own."""

    def run(path: Path, *statements: str | tuple[str, tuple[object, ...]]) -> list[tuple]:
        rows: list[tuple] = []
        with closing(sqlite3.connect(path)) as conn:
            conn.text_factory = _text_or_bytes
            for statement in statements:
                sql, values = statement if isinstance(statement, tuple) else (statement, ())
                rows = conn.execute(sql, values).fetchall()
            conn.commit()
        return rows

    return run


@pytest.fixture
def contents(run_sql: Callable[..., list[tuple[object, ...]]]) -> Callable[[Path], Rows]:
    """Every cell of every table but the changelog, with its type."""

    def read(path: Path) -> Rows:
        tables: Rows = {}
        for table in KEPT_TABLES:
            columns = [row[1] for row in run_sql(path, f"PRAGMA table_info({table})")]
            cells = ", ".join(f'"{name}", typeof("{name}")' for name in columns)
            tables[table] = run_sql(path, f"SELECT {cells} FROM {table} ORDER BY 1")
        return tables

    return read
