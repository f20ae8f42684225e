"""The window's facts about sources are those of the commands."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from mvdesk.arrays import NO_TIME
from mvdesk.ui.source_watch import SourceWatch
from mvdesk.vault.questions.conflict_changes import ConflictIndex
from mvdesk.vault.questions.source_facts import SourceFacts, find_source_facts
from mvdesk.vault.rules import read_resolutions

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession


def whole_facts(session: VaultSession) -> SourceFacts:
    scores, vault = session.committed_scores, session.vault
    index = ConflictIndex(session.snapshot, read_resolutions(vault), vault.read_memories)
    return find_source_facts(
        session.snapshot, scores, session.model, conflicting=index.open_rows(scores)
    )


def conflict_outside(path: Path, ids: list[str | None]) -> None:
    """Memories become confident facts of one key: nothing but their texts contradicts."""
    with closing(sqlite3.connect(path)) as other, other:
        other.executemany(
            "UPDATE memories SET key = 'same key', type = 'fact', confidence = 1 WHERE id = ?",
            [(one,) for one in ids],
        )


def test_memories_in_open_conflicts_count_as_contradicted(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    parent = QObject()
    watch = SourceWatch(session, parent)
    watch.set_active(True)
    qtbot.waitUntil(session.jobs.is_idle)
    before = watch.before.contradicted.copy()
    np.testing.assert_array_equal(before, whole_facts(session).contradicted)
    snapshot = session.snapshot
    rows = snapshot.rows_of_source("official docs")
    calm = (snapshot.link_counts[rows, 2] == 0) & (snapshot.memories.archived_at[rows] == NO_TIME)
    notes = [row for row in rows[calm] if snapshot.memories.keys[int(row)] is None]
    with qtbot.waitSignal(session.vault_changed, timeout=10_000):
        conflict_outside(brain_file, [snapshot.memories.ids[int(row)] for row in notes[:2]])
    qtbot.waitUntil(session.jobs.is_idle)
    facts = whole_facts(session)
    assert facts.contradicted.sum() == before.sum() + 2
    np.testing.assert_array_equal(watch.before.contradicted, facts.contradicted)
    session.preview_trust("slack #design", 0.9)
    qtbot.waitUntil(session.jobs.is_idle)
    np.testing.assert_array_equal(watch.columns.contradicted, facts.contradicted)
    np.testing.assert_array_equal(
        watch.columns.mean,
        facts.with_scores(session.scores, session.overlay).confidence.mean,
    )
