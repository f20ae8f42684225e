"""What can be read of a damaged file: all that is not on the broken pages."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import VaultDamaged, VaultFull, VaultNotFound
from mvdesk.store.lost_tables import LostTables
from mvdesk.store.rescue import rescue
from mvdesk.store.tables import KNOWN_TABLES
from mvdesk.vault.demo import write_demo
from tests.store.damaging import break_pages, list_pages
from tests.store.small_disk import files_limited_to
from tests.store.vault_files import NOON, make_file, make_first_server_file, run_sql, state_of

if TYPE_CHECKING:
    from pathlib import Path

TABLES = ("memories", "memory_links", "memory_changelog", "no_such_table")


def counts(path: Path) -> dict[str, int]:
    before = state_of(path)
    found = {table: len(rows) for table, rows in rescue(path, TABLES).rows.items()}
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


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A vault of 131 pages, with a list of tables on three of them."""
    path = tmp_path / "demo.sqlite"
    write_demo(path, now=int(NOON))
    return path


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
    rows = rescue(large, ["memories"]).rows["memories"]
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
    rows = rescue(large, ["memories"]).rows["memories"]
    assert len(rows) == 3000 - lost
    assert [row["content"] for row in rows] == ["text " * 60] * len(rows)
    assert len({row["id"] for row in rows}) == len(rows)


def test_a_file_that_was_cut_short_keeps_its_beginning(large: Path) -> None:
    whole = large.read_bytes()
    large.write_bytes(whole[: len(whole) // 2])
    assert 0 < counts(large)["memories"] < 3000


def test_texts_that_are_no_texts_are_no_obstacle(large: Path) -> None:
    run_sql(large, "UPDATE memories SET title = CAST(x'41ff' AS TEXT)")
    assert rescue(large, ["memories"]).rows["memories"][0]["title"] == "A\ufffd"


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


def test_a_table_whose_root_is_broken_is_put_together_from_its_parts(reference: Path) -> None:
    run_sql(reference, "PRAGMA journal_mode = DELETE")
    ((root,),) = run_sql(reference, "SELECT rootpage FROM sqlite_master WHERE name = 'memories'")
    break_pages(reference, [root])
    assert counts(reference) == {"memories": 182, "memory_links": 259, "memory_changelog": 470}


def test_all_that_is_not_on_a_damaged_page_is_rescued(demo: Path) -> None:
    """Each page in turn, those of the list of tables among them."""
    whole, tables = demo.read_bytes(), tuple(KNOWN_TABLES)
    sound = rescue(demo, tables)
    assert (sound.broken, sound.missing) == ((), ())
    pages = run_sql(demo, "SELECT pageno, name, pagetype, ncell FROM dbstat")
    assert len(pages) == len(whole) // 4096 > 100
    for page, owner, kind, cells in pages:
        break_pages(demo, [page], b"\xff" if page % 2 else b"\0")
        found = rescue(demo, tables)
        demo.write_bytes(whole)
        is_harmed = bool(sound.rows.get(owner))
        assert found.broken == ((owner,) if owner in tables else ()), page
        for table in tables:
            rows, expected = found.rows.get(table, []), sound.rows[table]
            if table == owner and is_harmed:
                assert len(rows) == len(expected) - (cells if kind == "leaf" else 0), page
                assert all(row in expected for row in rows), page
            else:
                assert rows == expected, page
        assert not any(sound.rows[table] for table in found.missing), page
        assert bool(found.missing) == (owner == "sqlite_schema"), page


@pytest.mark.parametrize("size", [512, 1024, 65536])
def test_tables_are_found_by_their_shape_whatever_the_size_of_a_page(demo: Path, size: int) -> None:
    make_file(demo, f"PRAGMA journal_mode = DELETE; PRAGMA page_size = {size}; VACUUM")
    assert run_sql(demo, "PRAGMA page_size") == [(size,)]
    tables = ("memories", "memory_links", "brain_source_trust")
    sound = rescue(demo, tables)
    pages = list_pages(demo)
    break_pages(demo, pages, size=size)
    if not pages:  # all of the list is on the first page, behind the header
        content = demo.read_bytes()
        demo.write_bytes(content[:100] + bytes(size - 100) + content[size:])
    found = rescue(demo, tables)
    assert (found.broken, found.missing) == ((), ())
    assert found.rows == sound.rows


def test_fractions_are_fractions_where_the_columns_are_ours(demo: Path) -> None:
    run_sql(demo, "UPDATE memories SET confidence = 1")
    break_pages(demo, [1])
    values = {row["confidence"] for row in rescue(demo, ["memories"]).rows["memories"]}
    assert [type(value) for value in values] == [float]


def test_a_log_that_was_left_is_read_with_a_damaged_list_too(demo: Path) -> None:
    pages = list_pages(demo)
    run_sql(demo, "PRAGMA journal_mode = WAL")
    with closing(sqlite3.connect(demo)) as writer:
        with writer:
            writer.execute("UPDATE memories SET title = 'in the log'")
        log = demo.with_name(demo.name + "-wal").read_bytes()
    demo.with_name(demo.name + "-wal").write_bytes(log)
    break_pages(demo, pages)
    rows = rescue(demo, ["memories"]).rows["memories"]
    assert {row["title"] for row in rows} == {"in the log"}
    assert len(rows) == 120


def test_what_was_deleted_is_not_rescued_from_free_pages(demo: Path) -> None:
    make_file(demo, "PRAGMA secure_delete = OFF; DELETE FROM memory_links")
    assert run_sql(demo, "PRAGMA freelist_count")[0][0] > 5
    break_pages(demo, list_pages(demo))
    found = rescue(demo, ["memories", "memory_links"])
    assert len(found.rows["memories"]) == 120
    assert (list(found.rows), found.missing) == (["memories"], ("memory_links",))


def test_without_a_header_the_largest_of_what_may_be_a_table_is_taken(demo: Path) -> None:
    sound = rescue(demo, ["memory_links"]).rows
    make_file(
        demo,
        "PRAGMA secure_delete = OFF; CREATE TABLE moved AS SELECT * FROM memory_links;"
        "DELETE FROM memory_links",  # its pages stay as they were, before the others
    )
    break_pages(demo, [1])
    assert rescue(demo, ["memory_links"]).rows == sound


def test_the_changelog_of_a_first_server_is_not_taken_for_links(tmp_path: Path) -> None:
    path = make_first_server_file(tmp_path)
    run_sql(path, "INSERT INTO memory_changelog VALUES ('c', 'e', 'memory', 'm1', 's', 'p', 1)")
    break_pages(path, [1])
    with pytest.raises(VaultDamaged, match="list of tables"):
        rescue(path, TABLES)


def test_pages_of_noise_are_no_tables(demo: Path) -> None:
    """Whatever their first byte says; and trees that bite their tail have an end."""
    noise = random.Random(7)
    content = bytearray(demo.read_bytes())
    for start in range(0, len(content), 4096):
        content[start : start + 4096] = noise.randbytes(4096)
        content[start] = noise.choice([0x0D, 0x05])
        content[start + 3 : start + 5] = noise.choice([b"\xff\xff", b"\0\3", b"\0\0"])
    demo.write_bytes(content)
    with pytest.raises(VaultDamaged, match="list of tables"):
        rescue(demo, TABLES)


def test_trees_that_share_all_their_pages_are_given_up_in_time(demo: Path) -> None:
    """Each of many roots names the same pages: walking all of them would take the square."""
    size, count = 512, 4000
    make_file(demo, f"PRAGMA journal_mode = DELETE; PRAGMA page_size = {size}; VACUUM")
    content = bytearray(demo.read_bytes()[:100].ljust(size, b"\0"))
    for number in range(2, count):
        inner = bytearray(b"\x05\0\0\0\x3c\0\0\0" + (number // 2 + 1).to_bytes(4, "big"))
        inner += b"".join((200 + 5 * place).to_bytes(2, "big") for place in range(60))
        inner = inner.ljust(200, b"\0")
        for place in range(60):
            inner += (2 + (number * 7 + place) % (count // 2)).to_bytes(4, "big") + b"\1"
        content += inner.ljust(size, b"\0")
    demo.write_bytes(content)
    with demo.open("rb") as file:
        lost = LostTables(file, size)
        assert lost.roots(["memories"]) == {}
    assert lost.steps_left == 0


def test_a_table_of_the_same_shape_is_no_part_of_a_broken_one(demo: Path) -> None:
    run_sql(demo, "CREATE TABLE moved AS SELECT * FROM memory_links")
    broken = leaves_of(demo, "memory_links")[0]
    break_pages(demo, [broken])
    rows = rescue(demo, ["memory_links"]).rows["memory_links"]
    assert len(rows) == len({row["id"] for row in rows}) == 160 - 24


def test_no_row_comes_twice_where_it_is_not_known_which_pages_are_free(demo: Path) -> None:
    make_file(
        demo,
        "PRAGMA secure_delete = OFF; CREATE TABLE moved AS SELECT * FROM memory_links;"
        "DROP TABLE moved",
    )
    break_pages(demo, leaves_of(demo, "memory_links")[1:2])
    content = bytearray(demo.read_bytes())
    content[32:40] = bytes(8)
    demo.write_bytes(content)
    rows = rescue(demo, ["memory_links"]).rows["memory_links"]
    assert 136 < len(rows) == len({row["id"] for row in rows})
