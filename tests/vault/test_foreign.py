"""Files that other programs filled with surprises: read, scored, edited, put back as they were."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.builtin import BUILTIN_MODELS
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.edit import plan_edit
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.operations.links import plan_unlink
from mvdesk.vault.operations.trust import plan_set_trust
from mvdesk.vault.snapshot import read_snapshot, refresh_snapshot
from mvdesk.vault.vault import new_uuid

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.vault import Vault

NOW = 1_800_000_000

# No checks, no affinities, no foreign keys: a file may hold anything.
SCHEMA = """
CREATE TABLE memories (id PRIMARY KEY, brain_id, type, title, key, content, tags, source,
  confidence, importance, archived_at, access_count, last_accessed_at, last_decayed_at,
  created_at, updated_at);
CREATE TABLE memory_links (id PRIMARY KEY, brain_id, from_id, to_id, relation_type, label,
  created_at);
CREATE TABLE brain_source_trust (id PRIMARY KEY, brain_id, source_key, trust, notes, created_at,
  updated_at);
"""
COLUMNS = "id type title content source confidence importance access_count created_at updated_at"
ROWS = [
    ("plain", "fact", "T", "verified", "Slack", 0.5, 0.5, 1, 100, 200),
    ("confidence 7", "fact", "T", "c", " slack ", 7, -3.5, -4, 100, 200),
    ("nothing", None, None, None, None, None, None, None, None, None),
    ("text numbers", "fact", "T", "c", "SLACK", "high", "0.5", "many", "yesterday", "2024-01-01"),
    ("blob numbers", "fact", "T", "c", "", b"\x00", b"", b"5", b"1", b"2"),
    ("huge", "memo", "T", "c", "  ", 1e308, 9e999, 2**62, 2**63 - 1, -(2**63)),
    ("real times", "Fact", "T", "c", "ß", 0.1, 0.2, 2.9, 1e18, 12.75),
    ('it\'s "quoted"; DROP TABLE memories; --', "fact", "T", "c", "a'b", 0.5, 0.5, 0, 1, 1),
    ("ünï 😀 \u202e", "ÜBER", "T", "c", "x" * 500, 0.5, 0.5, 0, 1, 1),
    (b"blob id", "fact", b"blob \xff title", b"blob \xff content", b"blob", 0.5, 0.5, 0, 1, 1),
    (42, 5, 6, 7, 8, 0.5, 0.5, 0, 1, 1),
    ("", "", "", "", "", 0.5, 0.5, 0, 1, 1),
]
LINKS = [
    ("both", "plain", "huge", "supports", None, 1),
    ("orphan", "plain", "not there", "supports", "", 2),
    ("orphans", None, 5, "causes", None, 3),
    ("unknown relation", "plain", "huge", "LIKES", None, "soon"),
    ("null relation", "plain", "huge", None, None, None),
    ("itself", "plain", "plain", "contradicts", b"\xff", 5),
    ("by number", 42, "plain", "causes", None, 6),
]
TRUST = [
    ("t1", "slack", 7.0),
    ("t2", "SLACK", 0.1),
    ("t3", "ß", "much"),
    ("t4", "", 0.9),
    ("t5", None, 0.9),
    ("t6", "twice", 0.1),
    ("t7", "twice", 0.2),
]


@pytest.fixture
def strange_file(tmp_path: Path) -> Path:
    path = tmp_path / "strange.sqlite"
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(SCHEMA)
        names = COLUMNS.split()
        marks = ", ".join("?" * len(names))
        conn.executemany(f"INSERT INTO memories ({', '.join(names)}) VALUES ({marks})", ROWS)
        conn.execute("UPDATE memories SET archived_at = 'long ago', last_accessed_at = 'never'")
        conn.executemany(
            "INSERT INTO memory_links (id, from_id, to_id, relation_type, label, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            LINKS,
        )
        conn.executemany(
            "INSERT INTO brain_source_trust (id, source_key, trust, brain_id) "
            "VALUES (?, ?, ?, 'legacy-default-brain')",
            TRUST,
        )
        conn.commit()
    return path


@pytest.fixture
def strange(strange_file: Path, open_vault: Callable[..., Vault]) -> Vault:
    return open_vault(strange_file)


def test_every_memory_is_there_and_scored(strange: Vault) -> None:
    snapshot = read_snapshot(strange)
    assert len(snapshot.memories) == len(ROWS)
    for model in BUILTIN_MODELS.values():
        scores = evaluate(snapshot.inputs(model), model, NOW)
        for values in (scores.confidence, scores.importance):
            assert np.isfinite(values).all()
            assert ((values >= 0) & (values <= 1)).all()


def test_what_does_not_fit_reads_as_its_default(strange: Vault) -> None:
    nothing = strange.read_memory("nothing")
    assert (nothing.type, nothing.content, nothing.confidence) == ("note", "", 0.7)
    texts = strange.read_memory("text numbers")
    assert (texts.confidence, texts.importance, texts.access_count) == (0.7, 0.5, 0)
    table = read_snapshot(strange).memories
    assert set(table.archived_at) == {NO_TIME}
    assert set(table.last_accessed_at) == {NO_TIME}


def test_spellings_of_a_source_are_one_key(strange: Vault) -> None:
    snapshot = read_snapshot(strange)
    assert len(snapshot.rows_of_source("slack")) == 3
    index = snapshot.key_index("slack")
    assert index is not None
    assert snapshot.sources.trust[index] == 1.0  # 7 is clamped
    assert snapshot.sources.counts[index] == 3
    # Stored under a spelling that no lookup asks for, as on the server.
    loud = snapshot.key_index("SLACK")
    assert loud is not None
    assert snapshot.sources.counts[loud] == 0
    twice = snapshot.key_index("twice")
    assert twice is not None
    assert snapshot.sources.trust[twice] == 0.2
    assert snapshot.key_index("") is None
    blank = snapshot.row_of("huge")
    assert blank is not None
    assert snapshot.source_key_of_row(blank) is None


def test_links_count_at_the_ends_that_are_there(strange: Vault) -> None:
    snapshot = read_snapshot(strange)

    def counts(memory_id: str) -> list[int]:
        row = snapshot.row_of(memory_id)
        assert row is not None
        return snapshot.link_counts[row].tolist()

    # both, orphan, unknown relation, null relation, by number; itself twice
    assert counts("plain") == [7, 2, 2, 0, 1, 0]
    assert counts("huge") == [3, 1, 0, 0, 0, 0]
    assert counts("42") == [1, 0, 0, 0, 1, 0]
    assert counts("nothing") == [0] * 6


def test_editing_a_strange_memory_keeps_what_was_not_touched(
    strange: Vault, run_sql: Callable
) -> None:
    whole = "SELECT *, typeof(confidence), typeof(content) FROM memories ORDER BY rowid"
    before = run_sql(strange.path, whole)
    snapshot = read_snapshot(strange)
    editable = strange.read_memories(list(snapshot.memories.ids))
    assert len(editable) == len(ROWS) - 2  # ids that are numbers or blobs can't be asked for
    for memory in editable:
        plan = plan_edit(memory, {"title": "Edited", "type": memory.type}, now=NOW)
        changes = strange.apply(plan, now=NOW)
        snapshot = refresh_snapshot(strange, snapshot, changes)
    assert snapshot.memories.labels.text(snapshot.row_of("nothing") or 0) == "Edited"
    titles = run_sql(strange.path, "SELECT count(*) FROM memories WHERE title = 'Edited'")
    assert titles == [(len(editable),)]
    for _ in editable:
        snapshot = refresh_snapshot(strange, snapshot, strange.undo(now=NOW)[1])
    assert run_sql(strange.path, whole) == before


def test_deleting_strange_rows_can_be_undone_to_the_cell(strange: Vault, run_sql: Callable) -> None:
    sql = (
        "SELECT *, typeof(confidence), typeof(created_at), typeof(source) FROM memories ORDER BY id"
    )
    links_sql = "SELECT *, typeof(label), typeof(created_at) FROM memory_links ORDER BY id"
    before, links_before = run_sql(strange.path, sql), run_sql(strange.path, links_sql)
    ids = ["plain", "huge", "text numbers", "blob numbers", "nothing"]
    memories = strange.read_memories(ids)
    links = [link for link in strange.read_links_of(*ids) if link.id not in ("orphan", "by number")]
    for link in strange.read_links_of("plain"):
        if link.id in ("orphan", "by number"):
            strange.apply(plan_unlink(link), now=NOW)
    strange.apply(plan_delete(memories, links, brain_id=strange.brain.id), now=NOW)
    assert not strange.has_memory("plain")
    strange.undo(now=NOW)
    assert run_sql(strange.path, sql) == before
    assert len(run_sql(strange.path, links_sql)) == len(links_before) - 2


def test_trust_of_strange_rows_can_be_set_and_put_back(strange: Vault, run_sql: Callable) -> None:
    sql = "SELECT *, typeof(trust) FROM brain_source_trust ORDER BY id"
    before = run_sql(strange.path, sql)
    plan = plan_set_trust(
        strange.read_trust(),
        {"slack": 0.25, "ß": 0.75, "twice": None, "new": 0.5},
        brain_id=strange.brain.id,
        now=NOW,
        new_id=new_uuid,
    )
    strange.apply(plan, now=NOW)
    assert {row.source_key: row.trust for row in strange.read_trust()} == {
        "": 0.9,
        "SLACK": 0.1,
        "slack": 0.25,
        "ß": 0.75,
        "new": 0.5,
    }
    strange.undo(now=NOW)
    assert run_sql(strange.path, sql) == before


@pytest.mark.parametrize("count", [30, 119, 130, 400])
def test_any_number_of_types_is_read(
    count: int, tmp_path: Path, open_vault: Callable[..., Vault]
) -> None:
    path = tmp_path / "types.sqlite"
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(SCHEMA)
        conn.executemany(
            "INSERT INTO memories (id, type, content, created_at, updated_at) "
            "VALUES (?, ?, 'c', 1, 1)",
            [(f"m{n}", f"type {n:03}") for n in range(count)] + [("f", "FACT")],
        )
        conn.commit()
    vault = open_vault(path)
    snapshot = read_snapshot(vault)
    table = snapshot.memories
    row = snapshot.row_of("f")
    assert table.type_names[table.type_codes[row]] == "fact"
    seen = {table.type_names[code] for code in table.type_codes}
    assert len(seen) == min(count, 121) + 1
    memory = vault.read_memory("m7")
    changes = vault.apply(plan_edit(memory, {"type": "note"}, now=NOW), now=NOW)
    table = refresh_snapshot(vault, snapshot, changes).memories
    assert table.type_names[:2] == ("note", "fact")
    assert "type 007" not in table.type_names
