"""How a memory came into the archive."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from mvdesk.vault.operations.forget import plan_archive, plan_restore
from mvdesk.vault.operations.merge import plan_merge
from mvdesk.vault.questions.archive_reason import ArchiveReason, find_archive_reason
from mvdesk.vault.snapshot import read_snapshot
from tests.vault.made import NOW

if TYPE_CHECKING:
    from mvdesk.records import Memory
    from mvdesk.vault.vault import Vault


@pytest.fixture
def active(server: Vault) -> list[Memory]:
    ids = read_snapshot(server).memories.ids
    found = server.read_memories([ids.text(row) for row in range(len(ids))])
    return [memory for memory in found if memory.archived_at is None]


def archive(vault: Vault, *memories: Memory, now: int = NOW) -> None:
    vault.apply(plan_archive(memories, brain_id=vault.brain.id, now=now), now=now)


def test_alone_or_with_others(server: Vault, active: list[Memory]) -> None:
    archive(server, active[0])
    archive(server, *active[1:4])
    assert find_archive_reason(server, active[0].id, NOW) == ArchiveReason("alone", NOW)
    assert find_archive_reason(server, active[2].id, NOW) == ArchiveReason("many", NOW, 2)


def test_a_merge_names_what_it_went_into(server: Vault, active: list[Memory]) -> None:
    numbers = count(1)
    some = active[:3]
    links = server.read_links_of(*(one.id for one in some))
    plan = plan_merge(some, links, now=NOW, new_id=lambda: f"made-{next(numbers)}")
    server.apply(plan, now=NOW)
    after = server.read_memories([one.id for one in some])
    (kept,) = (one.id for one in after if one.archived_at is None)
    for one in some:
        if one.id != kept:
            reason = find_archive_reason(server, one.id, NOW)
            assert reason == ArchiveReason("merged", NOW, 0, kept)


def test_the_newest_step_counts_and_undo_says_so(server: Vault, active: list[Memory]) -> None:
    archive(server, active[0], now=NOW - 10)
    (there,) = server.read_memories([active[0].id])
    server.apply(plan_restore([there], brain_id=server.brain.id, now=NOW - 5), now=NOW - 5)
    server.undo(now=NOW)
    assert find_archive_reason(server, active[0].id, NOW - 10) == ArchiveReason("undone", NOW)


def test_without_a_line_nothing_is_made_up(server: Vault, active: list[Memory]) -> None:
    with server.file.write() as conn:
        conn.exec_driver_sql("DELETE FROM memory_changelog")
        row = (
            server.brain.id,
            "brain_snapshot_restored",
            "brain_snapshot",
            "s",
            "Restored",
            "[",
            7,
        )
        conn.exec_driver_sql(
            "INSERT INTO memory_changelog (id, brain_id, event_type, entity_type, entity_id, "
            "summary, payload, created_at) VALUES ('x', ?, ?, ?, ?, ?, ?, ?)",
            row,
        )
        odd = (server.brain.id, "memory_merged", "memory", active[0].id, "Merged", "[1]", 9)
        conn.exec_driver_sql(
            "INSERT INTO memory_changelog (id, brain_id, event_type, entity_type, entity_id, "
            "summary, payload, created_at) VALUES ('y', ?, ?, ?, ?, ?, ?, ?)",
            odd,
        )
    assert find_archive_reason(server, active[0].id, NOW) == ArchiveReason("untold")
    assert find_archive_reason(server, active[0].id, 7) == ArchiveReason("restored", 7)
