"""Catching up with other programs: equal to a whole reading, and telling exactly what moved."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvdesk.arrays import StringColumn
from mvdesk.errors import UndoImpossible
from mvdesk.vault.changes import ChangeSet
from mvdesk.vault.comparing import align, compare_snapshots
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_delete
from mvdesk.vault.operations.links import plan_link, plan_unlink
from mvdesk.vault.snapshot import Snapshot, catch_up, read_snapshot, refresh_snapshot
from mvdesk.vault.vault import Vault
from tests.vault.test_snapshot import differences, keep, read_afresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mvdesk.vault.plan import Plan

RunSql = "Callable[..., list[tuple[object, ...]]]"
NOW = 1_800_000_000
BRAIN = "legacy-default-brain"


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A number per whole reading of the rows."""
    calls: list[int] = []
    import mvdesk.vault.snapshot as module

    read_rows = module._read_rows
    monkeypatch.setattr(module, "_read_rows", lambda *a: (calls.append(1), read_rows(*a))[1])
    return calls


def caught_up(vault: Vault, old: Snapshot, whole: list[int]) -> tuple[Snapshot, ChangeSet]:
    """The state after outside writes, checked to be the whole truth, read in part."""
    before = len(whole)
    new, changes = catch_up(vault, old)
    assert len(whole) == before, "everything was read"
    assert differences(new, read_afresh(vault)) == []
    assert not vault.changed_outside()
    return new, changes


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("UPDATE memories SET access_count = access_count + 1 WHERE id = ?", "recall"),
        ("UPDATE memories SET last_accessed_at = 1799999999 WHERE id = ?", "recall time"),
        ("UPDATE memories SET last_decayed_at = 1799999999 WHERE id = ?", "decay"),
        ("UPDATE memories SET confidence = confidence - 0.001 WHERE id = ?", "confidence"),
        ("UPDATE memories SET importance = 0.001 WHERE id = ?", "importance"),
        ("UPDATE memories SET archived_at = 5 WHERE id = ?", "archive"),
        ("UPDATE memories SET updated_at = updated_at + 1 WHERE id = ?", "time"),
        ("UPDATE memories SET content = content || '!' WHERE id = ?", "content"),
        ("UPDATE memories SET title = 'Qq' WHERE id = ?", "title"),
        ("UPDATE memories SET tags = 'a,b' WHERE id = ?", "tags"),
        ("UPDATE memories SET key = 'new.key' WHERE id = ?", "key"),
        ("UPDATE memories SET type = 'journal' WHERE id = ?", "type"),
    ],
)
def test_one_changed_memory_is_all_that_moved(
    server: Vault, run_sql: RunSql, whole: list[int], sql: str, expected: str
) -> None:
    old = read_snapshot(server)
    memory_id = old.memories.ids.text(7)
    source = old.source_key_of_row(7)
    run_sql(server.path, (sql, (memory_id,)))
    assert server.changed_outside()
    _, changes = caught_up(server, old, whole)
    assert changes.memory_ids == {memory_id}, expected
    assert changes.link_ids == frozenset()
    assert changes.source_keys == ({source} if source else frozenset())
    assert changes.tables == {"memories"}
    assert not changes.everything


def test_a_changed_source_names_the_old_and_the_new_one(
    server: Vault, run_sql: RunSql, whole: list[int]
) -> None:
    old = read_snapshot(server)
    memory_id = old.memories.ids.text(7)
    run_sql(server.path, ("UPDATE memories SET source = 'Moon' WHERE id = ?", (memory_id,)))
    new, changes = caught_up(server, old, whole)
    assert changes.source_keys == {old.source_key_of_row(7), "moon"} - {None}
    assert new.source_key_of_row(7) == "moon"


def test_links_made_changed_and_deleted_name_their_ends(
    server: Vault, run_sql: RunSql, whole: list[int]
) -> None:
    old = read_snapshot(server)
    links, ids = old.links, old.memories.ids
    changed, deleted, labelled = (links.ids.text(row) for row in (3, 50, 80))
    run_sql(
        server.path,
        ("UPDATE memory_links SET relation_type = 'causes' WHERE id = ?", (changed,)),
        ("UPDATE memory_links SET label = 'why' WHERE id = ?", (labelled,)),
        ("DELETE FROM memory_links WHERE id = ?", (deleted,)),
        (
            "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, created_at) "
            "VALUES ('made', ?, ?, ?, 'supports', 5)",
            (BRAIN, ids.text(0), ids.text(1)),
        ),
    )
    new, changes = caught_up(server, old, whole)
    assert changes.link_ids == {changed, deleted, labelled, "made"}
    ends = {ids.text(0), ids.text(1)}
    for row in (3, 50, 80):
        ends |= {ids.text(int(links.from_rows[row])), ids.text(int(links.to_rows[row]))}
    assert changes.memory_ids == ends
    assert changes.tables == {"memory_links"}
    # And once more from there.
    run_sql(server.path, "UPDATE memory_links SET label = 'x' WHERE id = 'made'")
    assert caught_up(server, new, whole)[1].link_ids == {"made"}


def test_a_link_that_gets_another_end_is_told_at_all_ends(
    server: Vault, run_sql: RunSql, whole: list[int]
) -> None:
    old = read_snapshot(server)
    ids, links = old.memories.ids, old.links
    link_id = links.ids.text(10)
    before = {ids.text(int(links.from_rows[10])), ids.text(int(links.to_rows[10]))}
    run_sql(
        server.path, ("UPDATE memory_links SET to_id = ? WHERE id = ?", (ids.text(99), link_id))
    )
    _, changes = caught_up(server, old, whole)
    assert changes.link_ids == {link_id}
    assert changes.memory_ids == before | {ids.text(99)}


@pytest.mark.parametrize("cascades", [True, False], ids=["with its links", "leaving orphans"])
def test_a_deleted_memory(server: Vault, whole: list[int], cascades: bool) -> None:
    old = read_snapshot(server)
    row = int(old.link_counts[:, 0].argmax())
    memory_id = old.memories.ids.text(row)
    touching = {old.links.ids.text(int(link)) for link in old.links_of_row(row)}
    with closing(sqlite3.connect(server.path)) as conn:
        conn.execute(f"PRAGMA foreign_keys = {int(cascades)}")
        conn.execute("DELETE FROM memories WHERE id = ?", (memory_id,))
        conn.commit()
    new, changes = caught_up(server, old, whole)
    assert new.row_of(memory_id) is None
    assert memory_id in changes.memory_ids
    assert changes.link_ids == (touching if cascades else frozenset())


def test_a_new_memory_with_a_link_to_it(server: Vault, run_sql: RunSql, whole: list[int]) -> None:
    old = read_snapshot(server)
    other = old.memories.ids.text(4)
    for created_at in (5, NOW):  # before and after all the others
        name = f"made-{created_at}"
        run_sql(
            server.path,
            (
                "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
                "VALUES (?, ?, 'note', 'verified', ?, 6)",
                (name, BRAIN, created_at),
            ),
            (
                "INSERT INTO memory_links (id, brain_id, from_id, to_id, created_at) "
                "VALUES (?, ?, ?, ?, 7)",
                (f"link-{name}", BRAIN, name, other),
            ),
        )
        old, changes = caught_up(server, old, whole)
        assert changes.memory_ids == {name, other}
        assert changes.link_ids == {f"link-{name}"}


def test_a_memory_that_goes_to_another_brain_is_gone_from_this_one(
    server: Vault, run_sql: RunSql, whole: list[int]
) -> None:
    old = read_snapshot(server)
    memory_id = next(
        old.memories.ids.text(row)
        for row in range(len(old.memories))
        if not old.link_counts[row, 0]
    )
    run_sql(server.path, ("UPDATE memories SET brain_id = 'other' WHERE id = ?", (memory_id,)))
    new, changes = caught_up(server, old, whole)
    assert new.row_of(memory_id) is None
    assert changes.memory_ids == {memory_id}
    run_sql(server.path, ("UPDATE memories SET brain_id = '' WHERE id = ?", (memory_id,)))
    new, changes = caught_up(server, new, whole)
    assert new.row_of(memory_id) is not None
    assert changes.memory_ids == {memory_id}


def test_trust_and_its_note(server: Vault, run_sql: RunSql, whole: list[int]) -> None:
    old = read_snapshot(server)
    key = old.sources.keys[int((old.sources.trust >= 0).argmax())]
    run_sql(
        server.path, ("UPDATE brain_source_trust SET trust = 0.123 WHERE source_key = ?", (key,))
    )
    old, changes = caught_up(server, old, whole)
    assert changes == ChangeSet(
        source_keys=frozenset({key}), tables=frozenset({"brain_source_trust"})
    )
    run_sql(
        server.path, ("UPDATE brain_source_trust SET notes = 'hm' WHERE source_key = ?", (key,))
    )
    old, changes = caught_up(server, old, whole)
    assert changes.source_keys == {key}
    run_sql(server.path, ("DELETE FROM brain_source_trust WHERE source_key = ?", (key,)))
    _, changes = caught_up(server, old, whole)
    assert changes.source_keys == {key}
    assert changes.memory_ids == frozenset()


@pytest.mark.parametrize(
    ("sql", "table"),
    [
        ("UPDATE brain_policies SET policy_json = '{}'", "brain_policies"),
        ("UPDATE memory_conflict_resolutions SET note = 'n'", "memory_conflict_resolutions"),
        ("DELETE FROM memory_entity_aliases", "memory_entity_aliases"),
        ("DELETE FROM brain_snapshots", "brain_snapshots"),
    ],
)
def test_what_is_kept_beside_memories_is_named(
    server: Vault, run_sql: RunSql, whole: list[int], sql: str, table: str
) -> None:
    old = read_snapshot(server)
    run_sql(server.path, sql)
    new, changes = caught_up(server, old, whole)
    assert changes == ChangeSet(tables=frozenset({table}))
    assert catch_up(server, new)[1].is_empty


def test_a_write_that_changes_nothing_moves_nothing(
    server: Vault, run_sql: RunSql, whole: list[int]
) -> None:
    old = read_snapshot(server)
    run_sql(server.path, "UPDATE memories SET title = title")
    run_sql(server.path, "VACUUM")
    new, changes = caught_up(server, old, whole)
    assert changes.is_empty
    assert new.memories is not None


def test_own_writes_before_an_outside_one_are_not_undone_by_marks(
    server: Vault, run_sql: RunSql, whole: list[int]
) -> None:
    """An outside write that takes ours back leaves the file as it was when it was marked."""
    snapshot = read_snapshot(server)
    memory = server.read_memory(snapshot.memories.ids.text(3))
    changes = server.apply(plan_edit(memory, {"importance": 0.25}, now=NOW), now=NOW)
    snapshot = refresh_snapshot(server, snapshot, changes)
    link = server.read_links_of(snapshot.memories.ids.text(int(snapshot.links.from_rows[0])))[0]
    snapshot = refresh_snapshot(server, snapshot, server.apply(plan_unlink(link), now=NOW))
    run_sql(
        server.path,
        (
            "UPDATE memories SET importance = ?, updated_at = ? WHERE id = ?",
            (memory.importance, memory.updated_at, memory.id),
        ),
        (
            "INSERT INTO memory_links (id, brain_id, from_id, to_id, relation_type, label, "
            "created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                link.id,
                link.brain_id,
                link.from_id,
                link.to_id,
                link.relation_type,
                link.label,
                link.created_at,
            ),
        ),
    )
    _, moved = caught_up(server, snapshot, whole)
    assert memory.id in moved.memory_ids
    assert moved.link_ids == {link.id}


def test_an_own_change_of_a_link_that_another_program_takes_back(
    server: Vault, run_sql: RunSql, whole: list[int]
) -> None:
    snapshot = read_snapshot(server)
    one, other = (
        server.read_memory(snapshot.memories.ids.text(int(ends[0])))
        for ends in (snapshot.links.from_rows, snapshot.links.to_rows)
    )
    links = server.read_links_of(one.id, other.id)
    link = next(x for x in links if {x.from_id, x.to_id} == {one.id, other.id})
    plan = plan_link(links, one, other, "example_of", "x", now=NOW, link_id="n", change_id=link.id)
    snapshot = refresh_snapshot(server, snapshot, server.apply(plan, now=NOW))
    run_sql(
        server.path,
        (
            "UPDATE memory_links SET relation_type = ?, label = ? WHERE id = ?",
            (link.relation_type, link.label, link.id),
        ),
    )
    assert caught_up(server, snapshot, whole)[1].link_ids == {link.id}


def test_many_own_writes_are_worth_new_marks(
    server: Vault, run_sql: RunSql, whole: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvdesk.vault.snapshot._MOST_STALE", 1)
    snapshot = read_snapshot(server)
    for row in (3, 4, 5):
        memory = server.read_memory(snapshot.memories.ids.text(row))
        plan = plan_edit(memory, {"importance": 0.25}, now=NOW)
        snapshot = refresh_snapshot(server, snapshot, server.apply(plan, now=NOW))
    assert snapshot.marks is not None
    assert len(snapshot.marks.stale_memories) == 1
    run_sql(server.path, ("UPDATE memories SET access_count = 77 WHERE id = ?", (memory.id,)))
    assert caught_up(server, snapshot, whole)[1].memory_ids == {memory.id}


def test_a_write_beside_ours_is_told_by_the_next_look(
    server: Vault, run_sql: RunSql, whole: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program writes between our write and the reading of what it changed."""
    monkeypatch.setattr("mvdesk.vault.snapshot._MOST_STALE", 0)
    snapshot = read_snapshot(server)
    memory = server.read_memory(snapshot.memories.ids.text(3))
    other = snapshot.memories.ids.text(9)
    changes = server.apply(plan_edit(memory, {"importance": 0.25}, now=NOW), now=NOW)
    import mvdesk.vault.snapshot as module

    read = module.read_memories

    def read_late(*arguments: object) -> object:
        monkeypatch.setattr(module, "read_memories", read)
        return read(*arguments)  # type: ignore[arg-type]

    version = server.file.data_version
    looks = iter([version()])  # before: nothing was written by others
    run_sql(server.path, ("UPDATE memories SET access_count = 77 WHERE id = ?", (other,)))
    monkeypatch.setattr(module, "read_memories", read_late)
    monkeypatch.setattr(server.file, "data_version", lambda: next(looks, None) or version())
    snapshot = refresh_snapshot(server, snapshot, changes)
    monkeypatch.setattr(server.file, "data_version", version)
    assert caught_up(server, snapshot, whole)[1].memory_ids >= {other}


def test_a_link_whose_time_moved_is_found_by_reading_all(server: Vault, run_sql: RunSql) -> None:
    old = read_snapshot(server)
    link_id = old.links.ids.text(10)
    run_sql(server.path, ("UPDATE memory_links SET created_at = 7 WHERE id = ?", (link_id,)))
    new, changes = catch_up(server, old)
    assert changes.link_ids == {link_id}
    assert differences(new, read_afresh(server)) == []


def test_ids_that_occur_twice_are_read_whole(
    tmp_path: Path, open_vault: Callable[..., Vault], run_sql: RunSql
) -> None:
    path = tmp_path / "strange.sqlite"
    insert = "INSERT INTO memories VALUES ('a', 'note', 't', NULL, 'c', NULL, 1, 1)"
    run_sql(
        path,
        "CREATE TABLE memories (id TEXT, type TEXT, title TEXT, key TEXT, content TEXT NOT NULL, "
        "tags TEXT, created_at INTEGER, updated_at INTEGER)",
        insert,
    )
    vault = open_vault(path)
    old = read_snapshot(vault)
    assert old.marks is not None
    run_sql(path, insert)
    new, _ = catch_up(vault, old)
    assert len(new.memories) == 2


def test_nothing_moved_between_a_snapshot_and_itself(server: Vault) -> None:
    snapshot = read_snapshot(server)
    assert compare_snapshots(snapshot, snapshot).is_empty
    assert compare_snapshots(snapshot, snapshot, ["brain_policies"]).tables == {"brain_policies"}


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        ("", "", []),
        ("", "a", []),
        ("a", "", []),
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("abc", "abxc", [(0, 0), (1, 1), (2, 3)]),
        ("abxc", "abc", [(0, 0), (1, 1), (3, 2)]),
        ("abc", "cab", [(0, 1), (1, 2), (2, 0)]),
        ("abcd", "axyd", [(0, 0), (3, 3)]),
    ],
)
def test_ids_are_aligned(old: str, new: str, pairs: list[tuple[int, int]]) -> None:
    for stretch in (lambda one: one, lambda one: one * (1 + ord(one) % 3)):
        both = align(*(StringColumn.of(map(stretch, ids)) for ids in (old, new)))
        found = sorted(zip(both.old_rows.tolist(), both.new_rows.tolist(), strict=True))
        assert found == pairs
        assert both.is_same == (old == new)
        assert sorted([*both.old_rows, *both.removed]) == list(range(len(old)))
        assert sorted([*both.new_rows, *both.added]) == list(range(len(new)))


def test_marks_survive_in_the_companion(
    server: Vault,
    open_vault: Callable[..., Vault],
    run_sql: RunSql,
    whole: list[int],
) -> None:
    snapshot = read_snapshot(server)
    memory = server.read_memory(snapshot.memories.ids.text(3))
    changes = server.apply(plan_edit(memory, {"importance": 0.25}, now=NOW), now=NOW)
    keep(server, refresh_snapshot(server, snapshot, changes))
    path = server.path
    server.close()
    again = open_vault(path)
    before = len(whole)
    snapshot = read_snapshot(again)
    assert len(whole) == before
    assert snapshot.marks is not None
    assert snapshot.marks.stale_memories == {memory.id}
    run_sql(path, ("UPDATE memories SET access_count = 77 WHERE id = ?", (memory.id,)))
    assert caught_up(again, snapshot, whole)[1].memory_ids == {memory.id}


def test_a_replaced_file_is_compared_too(
    server: Vault, server_file: Path, tmp_path: Path, run_sql: RunSql
) -> None:
    old = read_snapshot(server)
    other = tmp_path / "other.sqlite"
    shutil.copyfile(server_file, other)
    run_sql(other, "UPDATE memories SET title = 'Other' WHERE rowid = 5")
    (memory_id,) = run_sql(other, "SELECT id FROM memories WHERE rowid = 5")[0]
    other.replace(server.path)
    new, changes = catch_up(server, old)
    assert changes.memory_ids == {memory_id}
    assert differences(new, read_afresh(server)) == []


def test_a_table_without_row_numbers_is_read_whole(
    tmp_path: Path, open_vault: Callable[..., Vault], run_sql: RunSql
) -> None:
    path = tmp_path / "strange.sqlite"
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(
            "CREATE TABLE memories (id TEXT PRIMARY KEY, type TEXT, title TEXT, key TEXT, "
            "content TEXT NOT NULL, tags TEXT, created_at INTEGER, updated_at INTEGER) "
            "WITHOUT ROWID;"
            "INSERT INTO memories VALUES ('a', 'note', 't', NULL, 'c', NULL, 1, 1);"
        )
    vault = open_vault(path)
    old = read_snapshot(vault)
    assert old.marks is None
    run_sql(path, "UPDATE memories SET title = 'u'")
    new, changes = catch_up(vault, old)
    assert changes.memory_ids == {"a"}
    assert new.memories.labels[0] == "u"
    memory = vault.read_memory("a")
    own = vault.apply(plan_edit(memory, {"title": "v"}, now=NOW), now=NOW)
    assert refresh_snapshot(vault, new, own).marks is None


def test_an_orphan_link_that_finds_its_memory(
    server: Vault, run_sql: RunSql, whole: list[int]
) -> None:
    add_orphan = (
        "INSERT INTO memory_links (id, brain_id, from_id, to_id, created_at) "
        "VALUES ('o', ?, 'late', 'later', 5)",
        (BRAIN,),
    )
    run_sql(server.path, add_orphan)
    old = read_snapshot(server)
    run_sql(
        server.path,
        (
            "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
            "VALUES ('late', ?, 'note', 'x', 9, 9)",
            (BRAIN,),
        ),
    )
    new, changes = caught_up(server, old, whole)
    assert changes.memory_ids == {"late"}
    assert changes.link_ids == {"o"}
    plan = plan_add(BRAIN, {"content": "y"}, now=NOW, memory_id="later")
    before = len(whole)
    new = refresh_snapshot(server, new, server.apply(plan, now=NOW))
    assert len(whole) == before
    assert differences(new, read_afresh(server)) == []
    # A memory that comes back together with its link, while other links lack an end.
    run_sql(server.path, "UPDATE memory_links SET to_id = 'nowhere' WHERE id = 'o'")
    new, _ = caught_up(server, new, whole)
    row = int(new.link_counts[:, 0].argmax())
    memory = server.read_memory(new.memories.ids.text(row))
    links = server.read_links_of(memory.id)
    changes = server.apply(plan_delete([memory], links, brain_id=BRAIN), now=NOW)
    new = refresh_snapshot(server, new, changes)
    before = len(whole)
    new = refresh_snapshot(server, new, server.undo(now=NOW)[1])
    assert len(whole) == before
    assert differences(new, read_afresh(server)) == []


MEMORY_NUMBERS = st.integers(0, 39)
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("set"),
            MEMORY_NUMBERS,
            st.sampled_from(
                [
                    ("confidence", st.integers(0, 1000).map(lambda n: n / 1000)),
                    ("importance", st.integers(0, 1000).map(lambda n: n / 1000)),
                    ("access_count", st.integers(0, 9)),
                    ("archived_at", st.one_of(st.none(), st.integers(0, 9))),
                    ("last_accessed_at", st.one_of(st.none(), st.integers(0, 9))),
                    ("last_decayed_at", st.one_of(st.none(), st.integers(0, 9))),
                    ("updated_at", st.integers(0, 9)),
                    ("created_at", st.integers(0, 9)),
                    ("title", st.one_of(st.none(), st.text("ab打", max_size=3))),
                    ("source", st.one_of(st.none(), st.sampled_from(["x", " X", "y", ""]))),
                    ("tags", st.one_of(st.none(), st.text("a,", max_size=3))),
                    ("type", st.sampled_from(["note", "fact", "Odd"])),
                    ("brain_id", st.sampled_from([BRAIN, "other"])),
                ]
            ).flatmap(lambda pair: st.tuples(st.just(pair[0]), pair[1])),
        ),
        st.tuples(st.just("text"), MEMORY_NUMBERS, st.integers(0, 9)),
        st.tuples(st.just("add"), MEMORY_NUMBERS, st.integers(0, 9)),
        st.tuples(st.just("delete"), MEMORY_NUMBERS, st.booleans()),
        st.tuples(st.just("link"), MEMORY_NUMBERS, MEMORY_NUMBERS),
        st.tuples(st.just("relink"), MEMORY_NUMBERS, st.sampled_from(["supports", "causes"])),
        st.tuples(st.just("unlink"), MEMORY_NUMBERS, st.none()),
        st.tuples(st.just("trust"), st.sampled_from(["x", "y", "z"]), st.integers(0, 10)),
        st.tuples(st.just("own edit"), MEMORY_NUMBERS, st.integers(0, 10)),
        st.tuples(st.just("own add"), MEMORY_NUMBERS, st.none()),
        st.tuples(st.just("own delete"), MEMORY_NUMBERS, st.none()),
        st.tuples(st.just("own link"), MEMORY_NUMBERS, MEMORY_NUMBERS),
        st.tuples(st.just("undo"), st.none(), st.none()),
        st.tuples(st.just("look"), st.none(), st.none()),
    ),
    max_size=14,
)


class Outside:
    """Another program, and the person at the desk, doing one step after the other."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.snapshot = read_snapshot(vault)
        self.told = ChangeSet()
        self.numbers = count(1)

    def do(self, name: str, one: object, other: object) -> None:
        own = {"own edit", "own add", "own delete", "own link", "undo"}
        if name in own:
            self._do_own(name, one, other)
        elif name == "look":
            self.look()
        else:
            with closing(sqlite3.connect(self.vault.path)) as conn:
                conn.execute("PRAGMA foreign_keys = ON")
                for sql, values in self._statements(name, one, other):
                    if name == "delete" and other:
                        conn.execute("PRAGMA foreign_keys = OFF")
                    conn.execute(sql, values)
                    conn.commit()

    def look(self) -> None:
        """Catch up, and compare with a whole reading."""
        old = self.snapshot
        self.snapshot, changes = catch_up(self.vault, old)
        assert differences(self.snapshot, read_afresh(self.vault)) == []
        assert changes.memory_ids >= moved_memories(old, self.snapshot)

    def _statements(
        self, name: str, one: object, other: object
    ) -> Iterator[tuple[str, tuple[object, ...]]]:
        number = next(self.numbers)
        if name == "set":
            column, value = other  # type: ignore[misc]
            yield f"UPDATE OR IGNORE memories SET {column} = ? WHERE id = ?", (value, f"m{one}")
        elif name == "text":
            sql = "UPDATE memories SET content = ?, updated_at = ? WHERE id = ?"
            yield sql, (f"maybe {other}", 1000 + number, f"m{one}")
        elif name == "add":
            sql = (
                "INSERT OR IGNORE INTO memories (id, brain_id, type, content, source, created_at, "
                "updated_at) VALUES (?, ?, 'note', 'c', 'x', ?, 1)"
            )
            yield sql, (f"m{one}", BRAIN, other)
        elif name == "delete":
            yield "DELETE FROM memories WHERE id = ?", (f"m{one}",)
        elif name == "link":
            sql = (
                "INSERT OR IGNORE INTO memory_links (id, brain_id, from_id, to_id, created_at) "
                "SELECT ?, ?, a.id, b.id, ? FROM memories a, memories b WHERE a.id = ? AND b.id = ?"
            )
            yield sql, (f"l{one}", BRAIN, number % 5, f"m{one}", f"m{other}")
        elif name == "relink":
            yield "UPDATE memory_links SET relation_type = ? WHERE id = ?", (other, f"l{one}")
        elif name == "unlink":
            yield "DELETE FROM memory_links WHERE id = ?", (f"l{one}",)
        else:
            yield "DELETE FROM brain_source_trust WHERE source_key = ?", (one,)
            if other:
                sql = "INSERT INTO brain_source_trust VALUES (?, ?, ?, ?, NULL, 1, 1)"
                yield sql, (f"t{number}", BRAIN, one, int(str(other)) / 10)

    def _do_own(self, name: str, one: object, other: object) -> None:
        vault = self.vault
        if name == "undo":
            if vault.journal.undo_label:
                with suppress(UndoImpossible):
                    self._refresh(vault.undo(now=NOW)[1])
            return
        plan = self._plan(name, f"m{one}", f"m{other}")
        if plan is not None and not plan.is_empty:
            self._refresh(vault.apply(plan, now=NOW))

    def _plan(self, name: str, one: str, other: str) -> Plan | None:
        vault = self.vault
        if name == "own add":
            fields = {"content": "verified", "source": "y"}
            memory_id = f"own{next(self.numbers)}"
            return plan_add(BRAIN, fields, now=next(self.numbers), memory_id=memory_id)
        if not vault.has_memory(one):
            return None
        memory = vault.read_memory(one)
        if name == "own edit":
            return plan_edit(memory, {"importance": len(other) / 10, "title": other}, now=NOW)
        if name == "own delete":
            return plan_delete([memory], vault.read_links_of(one), brain_id=BRAIN)
        if one == other or not vault.has_memory(other):
            return None
        links = vault.read_links_of(one, other)
        link_id = f"own{next(self.numbers)}"
        to = vault.read_memory(other)
        return plan_link(links, memory, to, "supersedes", now=NOW, link_id=link_id)

    def _refresh(self, changes: ChangeSet) -> None:
        self.snapshot = refresh_snapshot(self.vault, self.snapshot, changes)
        assert differences(self.snapshot, read_afresh(self.vault)) == []


def moved_memories(old: Snapshot, new: Snapshot) -> set[str]:
    """The memories whose row differs, found one by one."""
    states = []
    for snapshot in (old, new):
        table = snapshot.memories
        columns = (
            table.base_confidence,
            table.base_importance,
            table.created_at,
            table.updated_at,
            table.archived_at,
            table.access_count,
            table.last_accessed_at,
            table.last_decayed_at,
            table.text_checksum,
        )
        rows = zip(*(column.tolist() for column in columns), strict=True)
        states.append(dict(zip(table.ids, rows, strict=True)))
    before, after = states
    return {str(key) for key in before | after if before.get(key) != after.get(key)}


@given(steps=STEPS)
@settings(max_examples=120, deadline=None)
def test_whatever_others_do_catching_up_equals_a_whole_reading(
    steps: list[tuple[str, object, object]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("outside") / "v.sqlite"
    Vault.create(path, "Home", now=1000, new_id=lambda: BRAIN).close()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("INSERT INTO brains VALUES ('other', 'Other', 'other', NULL, 1, 1)")
        conn.executemany(
            "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
            "VALUES (?, ?, 'note', 'c', ?, 1)",
            [(f"m{n}", BRAIN, n // 3) for n in range(30)],
        )
        conn.executemany(
            "INSERT INTO memory_links (id, brain_id, from_id, to_id, created_at) "
            "VALUES (?, ?, ?, ?, 1)",
            [(f"l{n}", BRAIN, f"m{n}", f"m{n + 1}") for n in range(20)],
        )
        conn.commit()
    with Vault.open(path, brain_id=BRAIN) as vault:
        outside = Outside(vault)
        for step in steps:
            outside.do(*step)
        outside.look()
        vault.before_closing = None
