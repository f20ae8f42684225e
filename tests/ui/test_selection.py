"""Many selected memories: through writes, from elsewhere, and back to one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.vault.operations.forget import plan_delete

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault


def _ids(session: VaultSession, *rows: int) -> list[str]:
    return [session.snapshot.memories.ids.text(row) for row in rows]


def test_one_selected_elsewhere_becomes_the_only_one(session: VaultSession) -> None:
    session.selection.set_rows([1, 2, 3])
    assert session.selection.is_many
    session.select(_ids(session, 9)[0])
    assert session.selection.rows.tolist() == [9]
    session.select(None)
    assert session.selection.count == 0


def test_making_one_of_many_current_keeps_the_others(session: VaultSession) -> None:
    session.selection.set_rows([1, 2, 3])
    session.selection.make_current(_ids(session, 2)[0])
    assert session.selection.rows.tolist() == [1, 2, 3]
    assert session.selected_row == 2


def test_only_a_real_change_is_told(qtbot: QtBot, session: VaultSession) -> None:
    session.selection.set_rows([4])
    with qtbot.assertNotEmitted(session.selection.changed):
        session.selection.set_rows([4])
        session.selection.add_rows([4])
    with qtbot.waitSignal(session.selection.changed):
        session.selection.toggle(4)


def test_a_deletion_leaves_the_others_selected(qtbot: QtBot, session: VaultSession) -> None:
    rows = np.arange(20)
    session.selection.set_rows(rows)
    ids, gone = session.selection.ids, _ids(session, 3, 7)

    def make(vault: Vault) -> Plan:
        links = vault.read_links_of(*gone)
        return plan_delete(vault.read_memories(gone), links, brain_id=vault.brain.id)

    with qtbot.waitSignal(session.vault_changed):
        session.write("delete", make)
    assert session.selection.ids == [memory_id for memory_id in ids if memory_id not in gone]
    qtbot.waitUntil(session.jobs.is_idle)
    with qtbot.waitSignal(session.vault_changed):
        session.undo()
    assert session.selection.count == 18
    session.close_vault()
    assert session.selection.count == 0
    assert session.selection.ids == []


def test_a_memory_that_changes_its_place_in_the_table_stays_selected(
    qtbot: QtBot, session: VaultSession
) -> None:
    session.selection.set_rows([2, 5, 30])
    ids = set(session.selection.ids)
    moved = _ids(session, 5)[0]
    with (
        qtbot.waitSignal(session.vault_changed, timeout=10_000),
        closing(sqlite3.connect(session.vault.path)) as other,
        other,
    ):
        other.execute("UPDATE memories SET created_at = 5 WHERE id = ?", (moved,))
    assert session.snapshot.row_of(moved) == 0
    assert set(session.selection.ids) == ids


def test_a_memory_made_by_another_program_moves_nothing_else(
    qtbot: QtBot, session: VaultSession
) -> None:
    session.selection.set_rows(np.arange(0, 60, 7))
    ids = session.selection.ids
    with (
        qtbot.waitSignal(session.vault_changed, timeout=10_000),
        closing(sqlite3.connect(session.vault.path)) as other,
        other,
    ):
        other.execute(
            "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at)"
            " SELECT 'early', brain_id, 'note', 'New', 7, 7 FROM memories LIMIT 1"
        )
    assert session.snapshot.row_of("early") is not None
    assert session.selection.ids == ids
