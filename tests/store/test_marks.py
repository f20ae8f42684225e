"""Marks of blocks: stored and read back, and for whatever file there is."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from mvdesk.store.marks import Marks, count_rows, find_moved, read_marks, read_table_marks
from mvdesk.store.reading import read_links_by_id
from mvdesk.store.upgrade import inspect_schema
from tests.store.vault_files import BRAIN, make_file, run_sql

if TYPE_CHECKING:
    from pathlib import Path


OpenVault = "Callable[..., VaultFile]"


def marks_of(path: Path, open_vault: OpenVault) -> Marks:
    vault = open_vault(path)
    with vault.read() as conn:
        marks = read_marks(conn, vault.schema, BRAIN)
    assert marks is not None
    return marks


def test_equal_files_have_equal_marks(reference: Path, open_vault: OpenVault) -> None:
    one, other = marks_of(reference, open_vault), marks_of(reference, open_vault)
    assert (one.memories, one.links, one.tables) == (other.memories, other.links, other.tables)
    assert count_rows(one.memories) == 182
    assert count_rows(one.links) == 259
    assert find_moved(one.memories, other.memories) == []


@pytest.mark.parametrize("vacuumed", [False, True])
def test_only_the_block_of_a_changed_row_moves(
    tmp_path: Path, open_vault: OpenVault, vacuumed: bool
) -> None:
    rows = ",".join(f"('m{n}', 'note', 'c', {n}, 1, {n})" for n in range(2_000))
    path = make_file(
        tmp_path / "v.sqlite",
        "CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT, content TEXT NOT NULL, "
        f"created_at INTEGER, updated_at INTEGER, key TEXT); INSERT INTO memories VALUES {rows}",
    )
    before = marks_of(path, open_vault)
    run_sql(path, "UPDATE memories SET content = 'other' WHERE id = 'm700'")
    run_sql(path, "DELETE FROM memories WHERE rowid BETWEEN 1100 AND 1800")
    after = marks_of(path, open_vault)
    assert find_moved(before.memories, after.memories) == [1, 2, 3]
    assert count_rows(after.memories) == 2_000 - 701
    assert after.links == {}


def test_marks_are_stored_and_read_back(reference: Path, open_vault: OpenVault) -> None:
    marks = marks_of(reference, open_vault).with_stale(["m"], ["l"])
    again = Marks.from_blob(Marks.to_blob(marks))
    assert again is not None
    for name in ("memories", "links", "tables", "stale_memories", "stale_links"):
        assert getattr(again, name) == getattr(marks, name)
    assert Marks.from_blob(Marks.to_blob(None)) is None


@pytest.mark.parametrize("blob", [b"", b"[]", b"{}", b"7", b'{"memories": 1}', b"\xff"])
def test_what_are_no_marks_is_refused(blob: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        Marks.from_blob(blob)


def test_a_first_servers_file_has_marks(old_file: Path, open_vault: OpenVault) -> None:
    marks = marks_of(old_file, open_vault)
    assert count_rows(marks.memories) == 2
    assert count_rows(marks.links) == 1
    assert list(marks.tables) == ["memory_changelog"]


def test_rows_of_another_brain_have_no_marks(reference: Path, open_vault: OpenVault) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        marks = read_marks(conn, vault.schema, "elsewhere")
    assert marks is not None
    assert (marks.memories, marks.links) == ({}, {})


def test_tables_that_are_not_small_have_no_mark(reference: Path, open_vault: OpenVault) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        assert read_table_marks(conn, vault.schema, BRAIN, ["memories", "users"]) == {}


def test_a_file_without_links_has_none(tmp_path: Path, open_vault: OpenVault) -> None:
    path = make_file(
        tmp_path / "v.sqlite",
        "CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT, content TEXT NOT NULL, "
        "created_at INTEGER, updated_at INTEGER)",
    )
    vault = open_vault(path)
    with vault.read() as conn:
        assert list(read_links_by_id(conn, vault.schema, BRAIN, ["x"])) == []
    assert marks_of(path, open_vault).memories == {}


def test_a_table_that_is_gone_is_an_error(tmp_path: Path) -> None:
    from sqlalchemy import create_engine

    engine = create_engine("sqlite://")
    with engine.connect() as conn:
        conn.exec_driver_sql(
            "CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT, content TEXT NOT NULL, "
            "created_at INTEGER, updated_at INTEGER)"
        )
        schema = inspect_schema(conn)
        conn.exec_driver_sql("DROP TABLE memories")
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            read_marks(conn, schema, BRAIN)
    engine.dispose()
