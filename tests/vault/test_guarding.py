"""A row that another program changed is noticed, one that merely reads otherwise is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import VaultChanged, VaultError
from mvdesk.store.cells import BrokenText
from mvdesk.vault.guarding import find_moved
from mvdesk.vault.operations.edit import plan_edit
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.plan import ALIASES, MEMORIES
from mvdesk.vault.snapshot import read_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.vault.vault import Vault

NOW = 1_800_000_000


@pytest.mark.parametrize(
    ("column", "stored", "seen"),
    [
        ("title", 7, "7"),
        ("title", 0.5, "0.5"),
        ("title", 1e308, "1.0e+308"),
        ("title", None, ""),
        ("title", b"a\xff", "a\ufffd"),
        ("title", BrokenText(b"a\xff"), "a\ufffd"),
        ("type", None, "note"),
        ("type", "", "note"),
        ("relation_type", None, "related"),
        ("confidence", "high", 0.7),
        ("importance", None, 0.5),
        ("confidence", 2**53 + 1, float(2**53)),
        ("trust", b"", 0.5),
        ("confidence", BrokenText(b"\xff"), "\ufffd"),
        ("created_at", "soon", 0),
        ("archived_at", "long ago", None),
        ("archived_at", 12.75, 12),
        ("updated_at", 1e308, 2**63 - 1),
        ("updated_at", float("inf"), 2**63 - 1),
        ("created_at", float("-inf"), 0),
        ("archived_at", -1e308, None),
        ("last_decayed_at", -(2**63), None),
        ("access_count", b"5", 0),
    ],
)
def test_a_strange_cell_is_what_the_preview_saw_of_it(
    server: Vault, column: str, stored: object, seen: object
) -> None:
    with server.file.read() as conn:
        assert find_moved(conn, MEMORIES, {column: stored}, {column: seen}) == []


@pytest.mark.parametrize(
    ("column", "stored", "seen"),
    [
        ("title", "a", None),
        ("title", "a", ""),
        ("title", None, "a"),
        ("title", b"a", "b"),
        ("type", "fact", "note"),
        ("confidence", 0.6, 0.7),
        ("confidence", 0.5, "high"),
        ("archived_at", 5, None),
        ("archived_at", None, 5),
        ("created_at", 12.75, 13),
        ("access_count", 1, 0),
    ],
)
def test_another_value_is_a_change(
    server: Vault, column: str, stored: object, seen: object
) -> None:
    with server.file.read() as conn:
        assert find_moved(conn, MEMORIES, {column: stored}, {column: seen}) == [column]


def test_each_table_has_its_own_default(server: Vault) -> None:
    with server.file.read() as conn:
        assert find_moved(conn, ALIASES, {"confidence": None}, {"confidence": 0.9}) == []
        assert find_moved(conn, ALIASES, {"confidence": None}, {"confidence": 0.7})


def test_a_title_given_within_the_same_second_is_not_written_over(
    server: Vault, run_sql: Callable[..., list]
) -> None:
    memory_id = read_snapshot(server).memories.ids.text(3)
    run_sql(server.path, ("UPDATE memories SET title = NULL WHERE id = ?", (memory_id,)))
    plan = plan_edit(server.read_memory(memory_id), {"title": "Mine"}, now=NOW)
    run_sql(server.path, ("UPDATE memories SET title = 'Theirs' WHERE id = ?", (memory_id,)))
    with pytest.raises(VaultChanged, match="changed by another program"):
        server.apply(plan, now=NOW)
    assert server.read_memory(memory_id).title == "Theirs"


def test_a_memory_that_rows_of_an_unknown_table_belong_to_is_not_deleted(
    server: Vault, run_sql: Callable[..., list]
) -> None:
    ids = [server.read_memory(read_snapshot(server).memories.ids.text(row)).id for row in (1, 2)]
    run_sql(
        server.path,
        'CREATE TABLE "their ""own""" (n INTEGER, "of" TEXT REFERENCES memories ON DELETE CASCADE)',
        ('INSERT INTO "their ""own""" VALUES (1, ?)', (ids[0],)),
    )
    memories, links = server.read_memories(ids), server.read_links_of(*ids)
    with pytest.raises(VaultError, match='rows of the table their "own"') as refused:
        server.apply(plan_delete(memories, links, brain_id=server.brain.id), now=NOW)
    assert "Archive it instead" in refused.value.remedy
    assert all(map(server.has_memory, ids))
    other = server.read_memories(ids[1:])
    server.apply(
        plan_delete(other, server.read_links_of(ids[1]), brain_id=server.brain.id), now=NOW
    )
    assert not server.has_memory(ids[1])
    server.undo(now=NOW)
    assert server.has_memory(ids[1])
