"""What can be read of a damaged file: all that is not on the broken pages."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import VaultDamaged, VaultFull, VaultNotFound
from mvdesk.store.rescue import rescue
from tests.store.small_disk import files_limited_to
from tests.store.vault_files import run_sql, state_of

if TYPE_CHECKING:
    from pathlib import Path

TABLES = ("memories", "memory_links", "memory_changelog", "no_such_table")


def counts(path: Path) -> dict[str, int]:
    before = state_of(path)
    found = {table: len(rows) for table, rows in rescue(path, TABLES).items()}
    assert state_of(path) == before
    return found


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """3000 memories on several hundred pages, two levels deep."""
    path = tmp_path / "large.sqlite"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT, title TEXT)")
        db.executemany(
            "INSERT INTO memories (rowid, id, content) VALUES (?, ?, ?)",
            [(number * 7 - 3000, f"m{number}", "text " * 60) for number in range(3000)],
        )
    return path


def break_pages(path: Path, pages: list[int], fill: bytes = b"\0") -> None:
    content = bytearray(path.read_bytes())
    for page in pages:
        content[(page - 1) * 4096 : page * 4096] = fill * 4096
    path.write_bytes(content)


def leaves_of(path: Path, table: str) -> list[int]:
    sql = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path"
    return [page for (page,) in run_sql(path, sql, (table,))]


def test_a_sound_file_is_read_whole(reference: Path) -> None:
    assert counts(reference) == {"memories": 182, "memory_links": 259, "memory_changelog": 470}


def test_a_log_that_was_left_is_read_too(large: Path) -> None:
    run_sql(large, "PRAGMA journal_mode = WAL")
    writer = sqlite3.connect(large)
    with writer:
        writer.execute("UPDATE memories SET title = 'in the log'")
    content = {suffix: large.with_name(large.name + suffix).read_bytes() for suffix in ("", "-wal")}
    writer.close()
    for suffix, data in content.items():
        large.with_name(large.name + suffix).write_bytes(data)
    rows = rescue(large, ["memories"])["memories"]
    assert {row["title"] for row in rows} == {"in the log"}


@pytest.mark.parametrize("fill", [b"\0", b"\xff"])
@pytest.mark.parametrize("which", ["first", "last", "some", "most"])
def test_only_the_rows_of_broken_pages_are_missing(large: Path, fill: bytes, which: str) -> None:
    leaves = leaves_of(large, "memories")
    assert len(leaves) > 200
    broken = {
        "first": leaves[:1],
        "last": leaves[-1:],
        "some": random.Random(5).sample(leaves, 20),
        "most": leaves[:50] + leaves[60:-1],
    }[which]
    sql = "SELECT ncell FROM dbstat WHERE pageno = ?"
    lost = sum(run_sql(large, sql, (page,))[0][0] for page in broken)
    break_pages(large, broken, fill)
    rows = rescue(large, ["memories"])["memories"]
    assert len(rows) == 3000 - lost
    assert [row["content"] for row in rows] == ["text " * 60] * len(rows)
    assert len({row["id"] for row in rows}) == len(rows)


def test_a_file_that_was_cut_short_keeps_its_beginning(large: Path) -> None:
    whole = large.read_bytes()
    large.write_bytes(whole[: len(whole) // 2])
    assert 0 < counts(large)["memories"] < 3000


def test_texts_that_are_no_texts_are_no_obstacle(large: Path) -> None:
    run_sql(large, "UPDATE memories SET title = CAST(x'41ff' AS TEXT)")
    assert rescue(large, ["memories"])["memories"][0]["title"] == "A\ufffd"


def test_nothing_is_said_when_nothing_can_be_read(large: Path, tmp_path: Path) -> None:
    with pytest.raises(VaultNotFound):
        rescue(tmp_path / "none", TABLES)
    with pytest.raises(VaultNotFound):
        rescue(tmp_path / "a\0b", TABLES)
    with files_limited_to(10_000), pytest.raises(VaultFull):
        rescue(large, TABLES)
    break_pages(large, [1])
    with pytest.raises(VaultDamaged, match="list of tables"):
        rescue(large, TABLES)


def test_a_table_whose_root_is_broken_has_no_rows_and_the_others_have(reference: Path) -> None:
    run_sql(reference, "PRAGMA journal_mode = DELETE")
    ((root,),) = run_sql(reference, "SELECT rootpage FROM sqlite_master WHERE name = 'memories'")
    break_pages(reference, [root])
    assert counts(reference) == {"memories": 0, "memory_links": 259, "memory_changelog": 470}
