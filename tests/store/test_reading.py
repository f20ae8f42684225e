"""Bulk reading: order, chunks, defaults, and the oddities of foreign files."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from mvdesk.arrays import NO_TIME
from mvdesk.records import Memory, SourceTrust
from mvdesk.store.reading import (
    LinkColumns,
    MemoryColumns,
    fetch_leniently,
    has_recall_data,
    read_brains,
    read_links,
    read_links_of,
    read_memories,
    read_memory_columns,
    read_trust,
)
from tests.store.vault_files import BRAIN, make_file, run_sql

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np

    from mvdesk.store.engine import VaultFile

LOOSE = """
CREATE TABLE brains (id, name, created_at);
CREATE TABLE memories (id, brain_id, type, title, key, content, tags, source, confidence,
  importance, archived_at, access_count, last_accessed_at, last_decayed_at, created_at, updated_at);
CREATE TABLE memory_links (id, brain_id, from_id, to_id, relation_type, label, created_at);
CREATE TABLE brain_source_trust (id, brain_id, source_key, trust, notes, created_at, updated_at);
"""


def test_chunks_and_records_agree_and_are_in_order(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        records = list(read_memories(conn, vault.schema, BRAIN))
        chunks = list(read_memory_columns(conn, vault.schema, BRAIN, chunk_rows=50))
    assert [len(chunk) for chunk in chunks] == [50, 50, 50, 32]
    assert records == sorted(records, key=lambda memory: (memory.created_at, memory.id))
    assert [row for chunk in chunks for row in rows_of(chunk)] == records
    stored = run_sql(reference, "SELECT * FROM memories ORDER BY created_at, id")
    assert [tuple(getattr(memory, name) for name in Memory.__slots__) for memory in records] == [
        (row[0], *row[1:]) for row in stored
    ]


def rows_of(chunk: MemoryColumns) -> list[Memory]:
    def time(value: np.int64) -> int | None:
        return None if value == NO_TIME else int(value)

    return [
        Memory(
            chunk.ids[row], BRAIN, chunk.types[row], chunk.titles[row], chunk.keys[row],
            chunk.contents[row], chunk.tags[row], chunk.sources[row],
            float(chunk.confidence[row]), float(chunk.importance[row]),
            time(chunk.archived_at[row]), int(chunk.access_count[row]),
            time(chunk.last_accessed_at[row]), time(chunk.last_decayed_at[row]),
            int(chunk.created_at[row]), int(chunk.updated_at[row]),
        )
        for row in range(len(chunk))
    ]  # fmt: skip


def test_links_come_in_chunks_and_by_memory(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        chunks: list[LinkColumns] = list(read_links(conn, vault.schema, BRAIN, chunk_rows=100))
        ends = [*chunks[0].from_ids, *chunks[1].from_ids, *chunks[2].from_ids]
        found = read_links_of(conn, vault.schema, BRAIN, ends)
        none = read_links_of(conn, vault.schema, BRAIN, [])
    assert [len(chunk) for chunk in chunks] == [100, 100, 59]
    assert [link.id for link in found] == [*chunks[0].ids, *chunks[1].ids, *chunks[2].ids]
    assert found[0].relation_type == chunks[0].relations[0]
    assert none == []


def test_more_ids_than_a_statement_takes_are_read(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        ids = [memory.id for memory in read_memories(conn, vault.schema, BRAIN)]
        asked = [*(f"none {number}" for number in range(600)), *ids, "it's; DROP TABLE memories"]
        found = list(read_memories(conn, vault.schema, BRAIN, asked))
    assert {memory.id for memory in found} == set(ids)


def test_trust_is_read(reference: Path, open_vault: Callable[..., VaultFile]) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        stored = read_trust(conn, vault.schema, BRAIN)
    assert len(stored) == 13
    assert [row.source_key for row in stored] == sorted(row.source_key for row in stored)
    assert all(0 <= row.trust <= 1 for row in stored)


def test_recall_data_is_noticed(reference: Path, open_vault: Callable[..., VaultFile]) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        assert has_recall_data(conn, vault.schema, BRAIN)
        assert not has_recall_data(conn, vault.schema, "other")
    run_sql(reference, "ALTER TABLE memories DROP COLUMN access_count")
    with vault.read() as conn:
        assert not has_recall_data(conn, vault.schema, BRAIN)


def test_values_of_the_wrong_kind_read_as_sensible_ones(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    path = make_file(tmp_path / "loose.sqlite", LOOSE)
    run_sql(
        path,
        "INSERT INTO memories VALUES (1, NULL, NULL, x'41', 7.5, NULL, 3, x'ff41', 'high', x'00', "
        "'never', 'often', 12.9, 'x', 1e300, -1e300)",
    )
    run_sql(path, "INSERT INTO memories (id, brain_id, content) VALUES (NULL, '', 'unreachable')")
    run_sql(path, "INSERT INTO memory_links VALUES (5, '', 1, 'gone', NULL, 6, 'x')")
    run_sql(path, "INSERT INTO brain_source_trust VALUES (1, NULL, NULL, 'x', 2, NULL, 4.0)")
    run_sql(path, "INSERT INTO brains VALUES (NULL, 'nameless', 1), ('b', NULL, 'x'), ('c', 9, 1)")
    vault = open_vault(path)
    with vault.read() as conn:
        (memory,) = read_memories(conn, vault.schema, BRAIN)
        (chunk,) = read_memory_columns(conn, vault.schema, BRAIN)
        (link,) = read_links_of(conn, vault.schema, BRAIN, ["1", "gone"])
        (links,) = read_links(conn, vault.schema, BRAIN)
        (trust,) = read_trust(conn, vault.schema, BRAIN)
        brains = [(brain.id, brain.name) for brain in read_brains(conn, vault.schema)]
    assert memory == Memory(
        "1", BRAIN, "note", "A", "7.5", "", "3", "�A", 0.7, 0.5, None, 0, 12, None, 2**63 - 1, 0
    )
    assert chunk.sources == ("�A",)
    assert (link.id, link.from_id, link.to_id) == ("5", "1", "gone")
    assert (link.relation_type, link.label, link.created_at) == ("related", "6", 0)
    assert links.to_ids == ("gone",)
    assert trust == SourceTrust("1", BRAIN, "", 0.5, "2", 0, 4)
    assert brains == [("b", "b"), ("c", "9"), (BRAIN, "Legacy Shared Brain")]


def test_text_that_is_not_utf8_is_replaced_in_the_middle_of_many(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)
    with vault.read() as conn:
        ids = [memory.id for memory in read_memories(conn, vault.schema, BRAIN)]
    bad = "UPDATE memories SET title = CAST(x'6181' AS TEXT) WHERE id = ?"
    run_sql(reference, bad, (ids[100],))
    with vault.read() as conn:
        chunks = list(read_memory_columns(conn, vault.schema, BRAIN, chunk_rows=30))
        assert [key for chunk in chunks for key in chunk.ids] == ids
        titles = [title for chunk in chunks for title in chunk.titles]
        assert titles[100] == "a�"
        (one,) = read_memories(conn, vault.schema, BRAIN, [ids[100]])
        assert one.title == "a�"
        sql = "SELECT title FROM memories WHERE id = ?"
        assert fetch_leniently(conn, sql, (ids[100],)) == [("a�",)]


def test_lone_surrogates_and_nul_characters_read_without_an_exception(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    run_sql(reference, "UPDATE memories SET title = CAST(x'eda080' AS TEXT), tags = 'a' || char(0)")
    vault = open_vault(reference)
    with vault.read() as conn:
        memory = next(read_memories(conn, vault.schema, BRAIN))
    assert memory.title == "\ufffd\ufffd\ufffd"
    assert memory.tags == "a\0"


def test_an_error_of_sqlite_is_not_taken_for_bad_text(
    reference: Path, open_vault: Callable[..., VaultFile]
) -> None:
    vault = open_vault(reference)

    def ask() -> None:
        with vault.read() as conn:
            try:
                fetch_leniently(conn, "SELECT nothing")
            except sqlite3.OperationalError as error:
                raise LookupError from error

    with pytest.raises(LookupError):
        ask()


def test_tables_without_what_links_need_read_as_far_as_they_go(
    tmp_path: Path, open_vault: Callable[..., VaultFile]
) -> None:
    path = make_file(
        tmp_path / "x.sqlite",
        "CREATE TABLE memories (id TEXT, content TEXT); INSERT INTO memories VALUES ('m', 'x');"
        "CREATE TABLE memory_links (to_id TEXT); INSERT INTO memory_links VALUES ('m');",
    )
    vault = open_vault(path)
    with vault.read() as conn:
        (links,) = read_links(conn, vault.schema, BRAIN)
        (link,) = read_links_of(conn, vault.schema, BRAIN, ["m"])
    assert (links.ids, links.from_ids, links.to_ids) == (("",), ("",), ("m",))
    assert link.to_id == "m"
    bare = make_file(tmp_path / "y.sqlite", "CREATE TABLE memories (id TEXT, content TEXT)")
    vault = open_vault(bare)
    with vault.read() as conn:
        assert list(read_links(conn, vault.schema, BRAIN)) == []
        assert read_links_of(conn, vault.schema, BRAIN, ["m"]) == []
