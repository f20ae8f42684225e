"""What may conflict is looked up once for everybody, and again when it may be otherwise."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from mvdesk.ui.conflict_indexing import share_conflict_index
from mvdesk.ui.conflict_watch import watch_conflicts
from mvdesk.ui.effects_watch import EffectsWatch
from mvdesk.ui.source_watch import SourceWatch
from mvdesk.vault.operations.conflicts import plan_resolve
from mvdesk.vault.questions.conflict_changes import ConflictIndex
from mvdesk.vault.rules import read_resolutions

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault


def fresh(session: VaultSession) -> ConflictIndex:
    vault = session.vault
    return ConflictIndex(session.snapshot, read_resolutions(vault), vault.read_memories)


def assert_equal(session: VaultSession, index: ConflictIndex | None) -> None:
    """It finds what one made now finds."""
    assert index is not None
    confidence, now = session.scores.confidence, fresh(session)
    assert index.find_open(confidence) == now.find_open(confidence)
    assert index.find_below(confidence) == now.find_below(confidence)
    assert index.find_decided(confidence) == now.find_decided(confidence)
    np.testing.assert_array_equal(index.open_rows(session.scores), now.open_rows(session.scores))


def test_everybody_who_looks_shares_one_index_that_setting_trust_leaves(
    qtbot: QtBot, session: VaultSession
) -> None:
    parent, made = QObject(), []
    indexing = share_conflict_index(session)
    indexing.indexed.connect(lambda: made.append(indexing.index))
    sources, effects = SourceWatch(session, parent), EffectsWatch(session, parent)
    inbox = watch_conflicts(session)
    sources.set_active(True)
    effects.set_active(True)
    session.preview_trust("slack #design", 0.9)
    qtbot.waitUntil(lambda: inbox.is_settled and effects.is_settled and session.jobs.is_idle())
    assert effects.effects is not None
    assert inbox.inbox is not None
    assert len(made) == 1
    first = indexing.index
    before = session.snapshot
    with qtbot.waitSignal(session.vault_changed):
        session.apply_preview()
    qtbot.waitUntil(lambda: inbox.is_settled and session.jobs.is_idle())
    assert session.snapshot is not before
    assert indexing.index is first
    assert_equal(session, first)
    assert inbox.inbox.open_total == fresh(session).find_open(session.scores.confidence)[1]


def test_a_text_or_a_link_of_another_program_makes_another(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    indexing, inbox = share_conflict_index(session), watch_conflicts(session)
    qtbot.waitUntil(lambda: inbox.is_settled and session.jobs.is_idle())
    edits = (
        "UPDATE memories SET content = content || ' Not so.' WHERE type = 'fact'",
        "DELETE FROM memory_links WHERE relation_type = 'contradicts'",
    )
    for sql in edits:
        known = indexing.index
        with (
            qtbot.waitSignal(session.vault_changed, timeout=10_000),
            closing(sqlite3.connect(brain_file)) as other,
            other,
        ):
            assert other.execute(sql).rowcount
        qtbot.waitUntil(lambda: inbox.is_settled and session.jobs.is_idle())
        assert indexing.index is not known
        assert_equal(session, indexing.index)


def test_a_decision_makes_another(qtbot: QtBot, session: VaultSession) -> None:
    indexing, inbox = share_conflict_index(session), watch_conflicts(session)
    qtbot.waitUntil(lambda: inbox.is_settled and session.jobs.is_idle())
    known = indexing.index
    assert known is not None
    confidence, ids = session.scores.confidence, session.snapshot.memories.ids
    decided = len(known.find_decided(confidence))
    one = next(one for one in known.find_open(confidence)[0] if one.resolution is None)
    pair = (ids.text(one.a_row), ids.text(one.b_row))

    def plan(vault: Vault) -> Plan:
        a, b = vault.read_memories(pair)
        return plan_resolve(
            a, b, "needs_review", stored=None, links=(), now=1, new_id=lambda: "one"
        )

    with qtbot.waitSignal(session.vault_changed):
        session.write("conflict", plan)
    qtbot.waitUntil(lambda: inbox.is_settled and session.jobs.is_idle())
    assert_equal(session, indexing.index)
    assert inbox.inbox is not None
    assert len(inbox.inbox.decided) == decided + 1
