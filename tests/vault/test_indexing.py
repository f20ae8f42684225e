"""The index in step with the vault: filled, following own and other writes, made again."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mvdesk.store.search import Phrase
from mvdesk.vault.indexing import IndexingCancelled, TextIndex, texts_changed
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_archive, plan_delete
from mvdesk.vault.operations.links import plan_link
from mvdesk.vault.plan import MEMORIES, ColumnChanges, Plan
from mvdesk.vault.snapshot import catch_up, read_snapshot
from tests.store.vault_files import HOLD_WRITE_LOCK, program_holding

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.store.search import IndexedText
    from mvdesk.vault.vault import Vault

RunSql = "Callable[..., list[tuple[object, ...]]]"
NOW = 1_800_000_000


def found(vault: Vault, *words: str) -> set[str]:
    snapshot = read_snapshot(vault)
    phrases = [Phrase(word, word == words[-1]) for word in words]
    rows = vault.text_rows.find_phrases(snapshot, phrases).rows
    return {snapshot.memories.ids.text(row) for row in rows.tolist()}


@pytest.fixture
def filled(server: Vault) -> Vault:
    """The server's vault with its index."""
    server.text_index.fill(server, read_snapshot(server))
    return server


def test_filling_tells_how_far_it_is_and_does_nothing_twice(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.vault.indexing._BATCH", 100)
    snapshot, said = read_snapshot(server), []
    count = len(snapshot.memories)
    assert server.text_index.fill(server, snapshot, progress=said.append) == count
    assert said == [f"Indexing texts: 100 of {count}", f"Indexing texts: {count} of {count}"]
    assert server.text_index.fill(server, snapshot, progress=said.append) == 0
    assert len(said) == 2
    assert len(found(server, "export")) == 17


def test_an_index_in_step_is_told_without_reading_it(
    filled: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = next(iter(found(filled, "adoption")))
    edit = plan_edit(filled.read_memory(memory_id), {"content": "zeppelin"}, now=NOW)
    filled.apply(edit, now=NOW)

    def refuse(*_: object) -> None:
        raise AssertionError("all of it was read")

    monkeypatch.setattr("mvdesk.store.search.SearchIndex.read_known", refuse)
    assert filled.text_index.fill(filled, read_snapshot(filled)) == 0


def test_filling_that_is_given_up_goes_on_next_time(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.vault.indexing._BATCH", 100)
    snapshot, said = read_snapshot(server), []
    with pytest.raises(IndexingCancelled):
        server.text_index.fill(server, snapshot, progress=said.append, cancelled=lambda: bool(said))
    assert server.text_index.fill(server, snapshot) == len(snapshot.memories) - 100


def test_own_writes_are_found_at_once(filled: Vault) -> None:
    memory_id = next(iter(found(filled, "adoption")))
    memory = filled.read_memory(memory_id)
    filled.apply(plan_edit(memory, {"content": "zeppelin"}, now=NOW), now=NOW)
    assert found(filled, "zeppelin") == {memory_id}
    plan = plan_add(filled.brain.id, {"content": "Zeppelins"}, now=NOW, memory_id="new")
    filled.apply(plan, now=NOW)
    assert found(filled, "zeppelin") == {memory_id, "new"}
    filled.apply(plan_delete([filled.read_memory("new")], [], brain_id=filled.brain.id), now=NOW)
    assert found(filled, "zeppelin") == {memory_id}
    filled.undo(now=NOW)
    assert found(filled, "zeppelin") == {memory_id, "new"}
    filled.redo(now=NOW)
    assert found(filled, "zeppelin") == {memory_id}


def test_own_writes_make_no_index(server: Vault) -> None:
    plan = plan_add(server.brain.id, {"content": "Zeppelins"}, now=NOW, memory_id="new")
    server.apply(plan, now=NOW)
    assert found(server, "zeppelin") == set()
    server.text_index.fill(server, read_snapshot(server))
    assert found(server, "zeppelin") == {"new"}


def test_only_plans_that_touch_texts_concern_the_index(server: Vault) -> None:
    one, other = server.read_memories(list(read_snapshot(server).memories.ids)[:2])
    assert texts_changed(plan_edit(one, {"title": "T", "importance": 0.1}, now=NOW)) == [one.id]
    assert texts_changed(plan_edit(one, {"importance": 0.1}, now=NOW)) == []
    assert texts_changed(plan_archive([one, other], brain_id=server.brain.id, now=NOW)) == []
    assert texts_changed(plan_link([], one, other, "causes", now=NOW, link_id="l")) == []

    def many(column: str) -> Plan:
        columns = ColumnChanges(MEMORIES, [one.id], [""], [""], (column,), (["a"],), (["b"],))
        return Plan("", server.brain.id, columns, ())

    assert texts_changed(many("importance")) == []
    assert texts_changed(many("tags")) == [one.id]


def test_other_programs_writes_are_found_after_catching_up(
    filled: Vault, run_sql: RunSql, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = read_snapshot(filled)
    ids = [snapshot.memories.ids.text(row) for row in range(6)]
    for batch in (1_000, 2):  # told one by one, or by comparing all
        monkeypatch.setattr("mvdesk.vault.indexing._BATCH", batch)
        word = f"zeppelin{batch}"
        for memory_id in ids[:4]:
            run_sql(
                filled.path,
                ("UPDATE memories SET title = ? WHERE id = ?", (word, memory_id)),
            )
        run_sql(filled.path, ("UPDATE memories SET access_count = 99 WHERE id = ?", (ids[5],)))
        snapshot, changes = catch_up(filled, snapshot)
        filled.text_index.follow_snapshot(filled, snapshot, changes.memory_ids)
        assert found(filled, word) == set(ids[:4])
    run_sql(filled.path, ("DELETE FROM memories WHERE id = ?", (ids[0],)))
    snapshot, changes = catch_up(filled, snapshot)
    filled.text_index.follow_snapshot(filled, snapshot, changes.memory_ids)
    assert found(filled, word) == set(ids[1:4])
    filled.text_index.follow(filled, ())
    filled.text_index.follow(filled, ids)
    assert found(filled, word) == set(ids[1:4])


def test_memories_that_are_gone_when_the_index_is_filled_are_forgotten(
    filled: Vault, run_sql: RunSql
) -> None:
    gone = sorted(found(filled, "export"))
    for memory_id in gone:
        run_sql(filled.path, ("DELETE FROM memories WHERE id = ?", (memory_id,)))
    assert filled.text_index.fill(filled, read_snapshot(filled)) == len(gone)
    assert found(filled, "export") == set()


class _Gate:
    """An index whose first batch waits, so that something can happen meanwhile."""

    def __init__(self, vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.go_on = threading.Event(), threading.Event()
        index = vault.text_index._index
        write = index.write

        def wait(brain_id: str, gone: Sequence[str], texts: Sequence[IndexedText]) -> None:
            self.reached.set()
            assert self.go_on.wait(20)
            write(brain_id, gone, texts)

        monkeypatch.setattr(index, "write", wait)


def test_a_write_during_filling_is_not_lost(server: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = read_snapshot(server)
    gate = _Gate(server, monkeypatch)
    filling = threading.Thread(target=server.text_index.fill, args=(server, snapshot))
    filling.start()
    assert gate.reached.wait(20)  # the old texts are read, but not written yet
    memory = server.read_memory(snapshot.memories.ids.text(3))
    server.apply(plan_edit(memory, {"content": "zeppelin"}, now=NOW), now=NOW)
    gate.go_on.set()
    filling.join(20)
    assert found(server, "zeppelin") == {memory.id}


def test_closing_stops_filling(server: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvdesk.vault.indexing._BATCH", 10)
    snapshot = read_snapshot(server)
    gate = _Gate(server, monkeypatch)
    ended: list[type] = []

    def fill() -> None:
        try:
            server.text_index.fill(server, snapshot)
        except IndexingCancelled:
            ended.append(IndexingCancelled)

    filling = threading.Thread(target=fill)
    filling.start()
    assert gate.reached.wait(20)
    server.text_index.follow(server, ["whatever"])
    closing_thread = threading.Thread(target=server.close)
    closing_thread.start()
    while not server.text_index._is_closing:
        pass
    gate.go_on.set()
    filling.join(20)
    closing_thread.join(20)
    assert ended == [IndexingCancelled]


def test_a_damaged_index_is_filled_again(filled: Vault) -> None:
    path = filled.companion.path
    assert path is not None
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("DELETE FROM search_index_data")
        conn.commit()
    assert found(filled, "export") == set()
    snapshot = read_snapshot(filled)
    assert len(filled.text_rows.find_piece(snapshot, "xport").rows) == 0
    assert len(filled.text_rows.find_id(snapshot, "1")) == 0
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("DROP TABLE search_texts")
        conn.commit()
    snapshot = read_snapshot(filled)
    assert filled.text_index.fill(filled, snapshot) == len(snapshot.memories)
    assert len(found(filled, "export")) == 17


def test_an_index_that_keeps_breaking_is_given_up(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mvdesk.store.search import IndexLost

    def lose(*_: object) -> None:
        raise IndexLost("again")

    monkeypatch.setattr(server.text_index._index, "write", lose)
    assert server.text_index.fill(server, read_snapshot(server)) == 0


def test_a_locked_companion_fails_no_save_and_no_search(
    filled: Vault, monkeypatch: pytest.MonkeyPatch, open_vault: Callable[..., Vault]
) -> None:
    path = filled.path
    filled.close()
    monkeypatch.setattr("mvdesk.store.companion_file.BUSY_MS", 50)
    vault = open_vault(path)
    snapshot = read_snapshot(vault)
    memory = vault.read_memory(snapshot.memories.ids.text(3))
    with program_holding(HOLD_WRITE_LOCK, vault.companion.path):
        vault.apply(plan_edit(memory, {"content": "zeppelin"}, now=NOW), now=NOW)
        assert any("can't be undone" in notice for notice in vault.notices)
        assert found(vault, "zeppelin") == set()
        assert vault.text_index.fill(vault, read_snapshot(vault)) == 0
    vault.text_index.fill(vault, read_snapshot(vault))
    assert found(vault, "zeppelin") == {memory.id}


def test_the_index_is_kept_for_the_next_start(
    filled: Vault, open_vault: Callable[..., Vault]
) -> None:
    path = filled.path
    filled.close()
    again = open_vault(path)
    assert isinstance(again.text_index, TextIndex)
    assert again.text_index.fill(again, read_snapshot(again)) == 0
    assert len(found(again, "export")) == 17
