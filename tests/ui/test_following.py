"""The session follows other programs by what they changed, and keeps the index of texts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.store.search import Phrase
from mvdesk.vault.changes import ChangeSet

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.session import VaultSession


def edit_outside(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(sql, values)


def found(session: VaultSession, word: str) -> set[str]:
    rows = session.vault.text_rows.find_phrases(session.snapshot, [Phrase(word, True)]).rows
    return {session.snapshot.memories.ids.text(row) for row in rows.tolist()}


@pytest.mark.parametrize(
    "change",
    ["access_count = 77", "last_decayed_at = 5", "title = 'zeppelin'", "confidence = 0.111"],
)
def test_what_another_program_changed_is_all_that_is_told(
    qtbot: QtBot, session: VaultSession, brain_file: Path, change: str
) -> None:
    memory_id = session.snapshot.memories.ids.text(7)
    source = session.snapshot.source_key_of_row(7)
    with qtbot.waitSignal(session.vault_changed, timeout=3000) as changed:
        edit_outside(brain_file, f"UPDATE memories SET {change} WHERE id = ?", memory_id)
    assert changed.args == [
        ChangeSet(
            memory_ids=frozenset({memory_id}),
            source_keys=frozenset({source} if source else ()),
            tables=frozenset({"memories"}),
        )
    ]


def test_the_count_of_memories_follows_a_deletion(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    count = len(session.snapshot.memories)
    with qtbot.waitSignal(session.vault_changed, timeout=3000):
        edit_outside(brain_file, "DELETE FROM memories WHERE rowid = 3")
    assert len(session.snapshot.memories) == count - 1


def test_a_policy_that_changes_elsewhere_is_told_by_its_table(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    with qtbot.waitSignal(session.vault_changed, timeout=3000) as changed:
        edit_outside(brain_file, "UPDATE brain_policies SET policy_json = '{}'")
    assert changed.args == [ChangeSet(tables=frozenset({"brain_policies"}))]


def test_texts_are_indexed_after_opening_and_follow_every_write(
    qtbot: QtBot, session: VaultSession, brain_file: Path
) -> None:
    assert len(found(session, "export")) == 17
    with qtbot.waitSignal(session.write_finished):
        memory_id = session.add_memory({"content": "A zeppelin"})
    assert found(session, "zeppelin") == {memory_id}
    other = session.snapshot.memories.ids.text(7)
    with qtbot.waitSignal(session.vault_changed, timeout=3000):
        edit_outside(brain_file, "UPDATE memories SET title = 'Zeppelin' WHERE id = ?", other)
    assert found(session, "zeppelin") == {memory_id, other}


def test_indexing_for_long_tells_how_far_it_is(
    qtbot: QtBot, empty_session: VaultSession, brain_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.ui.session.PROGRESS_AFTER_MS", 0)
    monkeypatch.setattr("mvdesk.vault.indexing._BATCH", 1)
    said: list[str] = []
    empty_session.loading_changed.connect(said.append)
    empty_session.open_vault(brain_file)
    qtbot.waitUntil(lambda: any("of 182" in text for text in said))
    qtbot.waitUntil(empty_session.jobs.is_idle)
    qtbot.waitUntil(lambda: said[-1] == "")


def test_closing_stops_the_indexing(
    qtbot: QtBot, empty_session: VaultSession, brain_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.vault.indexing._BATCH", 1)
    with qtbot.waitSignal(empty_session.vault_opened):
        empty_session.open_vault(brain_file)
    empty_session.close_vault()
    qtbot.waitUntil(empty_session.jobs.is_idle)
    assert not empty_session.is_open
