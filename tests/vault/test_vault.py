"""An open vault: reading, the one writer, undo, and other programs in between."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import (
    BadValue,
    MemoryNotFound,
    UndoImpossible,
    VaultChanged,
    VaultError,
    VaultFull,
    VaultNotFound,
)
from mvdesk.store.steps import JournalStep, Steps
from mvdesk.vault.apply import BACKING_UP, check_fits
from mvdesk.vault.journal import JournalEntry
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_archive, plan_delete, plan_restore
from mvdesk.vault.operations.links import plan_link, plan_unlink
from mvdesk.vault.operations.trust import plan_annotate, plan_set_trust
from mvdesk.vault.plan import MEMORIES, Plan, RowChange, RowKey
from mvdesk.vault.snapshot import keep_snapshot, read_snapshot, refresh_snapshot
from mvdesk.vault.vault import Vault, new_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mvdesk.records import Memory


NOW = 1_800_000_000


def ids_of(vault: Vault) -> list[str]:
    return [memory_id or "" for memory_id in read_snapshot(vault).memories.ids]


def first_memory(vault: Vault) -> Memory:
    return vault.read_memory(ids_of(vault)[0])


def linked_memory(vault: Vault) -> Memory:
    snapshot = read_snapshot(vault)
    return vault.read_memory(snapshot.memories.ids.text(int(snapshot.link_counts[:, 0].argmax())))


def set_trust(vault: Vault, **changes: float | None) -> Plan:
    return plan_set_trust(
        vault.read_trust(), changes, brain_id=vault.brain.id, now=NOW, new_id=new_uuid
    )


def add(vault: Vault, memory_id: str = "added", **fields: object) -> Plan:
    return plan_add(vault.brain.id, {"content": "new"} | fields, now=NOW, memory_id=memory_id)


# Opening


def test_a_servers_file_opens_as_it_is(server: Vault, server_file: Path) -> None:
    assert server.path == server_file
    assert server.name == "brain"
    assert server.brain.id == "legacy-default-brain"
    assert [brain.memory_count for brain in server.brains] == [182]
    assert server.read_only_reason is None
    assert server.notices == ()


def test_reading_changes_no_byte_of_the_file(
    server_file: Path, open_vault: Callable[..., Vault]
) -> None:
    before = server_file.read_bytes()
    vault = open_vault(server_file)
    read_snapshot(vault)
    vault.set_model("memoryvault-dynamic-v2")
    set_trust(vault, blog=0.5)
    vault.close()
    assert server_file.read_bytes() == before


def test_a_new_vault_has_one_brain_of_the_given_name(empty: Vault) -> None:
    (brain,) = empty.brains
    assert brain.name == "Home"
    assert brain == empty.brain
    assert empty.suggested_model_id == "memoryvault-dynamic-v1"


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(VaultNotFound):
        Vault.open(tmp_path / "none.sqlite")


def test_an_unknown_brain_is_refused_with_those_there_are(server_file: Path) -> None:
    with pytest.raises(BadValue, match="brain") as caught:
        Vault.open(server_file, brain_id="work")
    assert "legacy-default-brain" in caught.value.one_line()


def test_the_brain_is_asked_for_or_remembered_or_the_largest(
    server_file: Path, open_vault: Callable[..., Vault], run_sql: Callable
) -> None:
    run_sql(
        server_file,
        "INSERT INTO brains (id, name, slug, created_at, updated_at) VALUES ('w','Work','w',1,1)",
        "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
        "VALUES ('m', 'w', 'note', 'x', 1, 1)",
    )
    assert open_vault(server_file).brain.name != "Work"
    work = open_vault(server_file, brain_id="w")
    assert ids_of(work) == ["m"]
    assert open_vault(server_file).brain.id != "w"
    work.remember_brain()
    assert open_vault(server_file).brain.id == "w"
    with pytest.raises(MemoryNotFound):
        open_vault(server_file, brain_id="legacy-default-brain").read_memory("m")


def test_ids_that_are_not_there_are_found_nowhere(server: Vault) -> None:
    for memory_id in ("", "'; DROP TABLE memories; --", "\ud800", "x\0y", "ü" * 1000):
        assert not server.has_memory(memory_id)
        assert server.read_links_of(memory_id) == []
        with pytest.raises(MemoryNotFound) as caught:
            server.read_memory(memory_id)
        assert caught.value.remedy


# Choices


def test_an_id_that_is_no_text_is_said_to_be_one(server: Vault, run_sql: Callable) -> None:
    insert = (
        "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
        "VALUES (CAST(X'ff61fe' AS TEXT), ?, 'note', 'x', 1, 1)"
    )
    run_sql(server.path, (insert, (server.brain.id,)))
    (broken,) = (one for one in ids_of(server) if "\ufffd" in one)
    with pytest.raises(MemoryNotFound, match="its id holds bytes that are no text"):
        server.read_memory(broken)


def test_the_chosen_model_is_kept_with_the_vault(
    server: Vault, server_file: Path, open_vault: Callable[..., Vault]
) -> None:
    assert server.model_id is None
    server.set_model("memoryvault-dynamic-v2")
    assert open_vault(server_file).model_id == "memoryvault-dynamic-v2"
    with pytest.raises(BadValue, match="model"):
        server.set_model("best-model")
    assert server.model_id == "memoryvault-dynamic-v2"
    server.companion.write_setting("score_model", 7)
    assert server.model_id is None


def test_a_servers_file_suggests_its_servers_model(
    server: Vault, server_file: Path, run_sql: Callable
) -> None:
    assert server.suggested_model_id == "memoryvault-dynamic-v2"
    run_sql(server_file, "UPDATE memories SET access_count = 0")
    assert server.suggested_model_id == "memoryvault-dynamic-v1-server"
    run_sql(server_file, "ALTER TABLE memories DROP COLUMN access_count")
    assert server.suggested_model_id == "memoryvault-dynamic-v1-server"


# Writing


def test_an_edit_is_written_logged_and_moves_updated_at(server: Vault, run_sql: Callable) -> None:
    memory = first_memory(server)
    changes = server.apply(plan_edit(memory, {"title": "Anew"}, now=NOW), now=NOW)
    assert changes.memory_ids == {memory.id}
    assert server.read_memory(memory.id) == replace(memory, title="Anew", updated_at=NOW)
    event, entity, at, payload = run_sql(
        server.path,
        "SELECT event_type, entity_id, created_at, payload FROM memory_changelog "
        "ORDER BY rowid DESC LIMIT 1",
    )[0]
    assert (event, entity, at) == ("memory_updated", memory.id, NOW)
    assert json.loads(payload)["after"] == {"title": "Anew"}


def test_an_empty_plan_touches_neither_file_nor_journal(server: Vault, server_file: Path) -> None:
    memory = first_memory(server)
    before = server_file.read_bytes()
    changes = server.apply(plan_edit(memory, {"title": memory.title}, now=NOW), now=NOW)
    assert changes.is_empty
    assert server.journal.undo_label == ""
    assert server_file.read_bytes() == before


def test_links_and_trust_leave_updated_at_alone(server: Vault, run_sql: Callable) -> None:
    sql = "SELECT id, updated_at FROM memories ORDER BY id"
    before = run_sql(server.path, sql)
    one, other = server.read_memories(ids_of(server)[3:5])
    server.apply(set_trust(server, blog=0.1), now=NOW)
    links = server.read_links_of(one.id)
    server.apply(plan_link(links, one, other, "causes", now=NOW, link_id="l"), now=NOW)
    server.apply(plan_unlink(server.read_links_of(one.id)[0]), now=NOW)
    assert run_sql(server.path, sql) == before


def test_a_row_that_moved_since_the_preview_stops_the_whole_plan(
    server: Vault, run_sql: Callable
) -> None:
    one, other = server.read_memories(ids_of(server)[:2])
    first, second = (plan_edit(m, {"title": "Mine"}, now=NOW) for m in (one, other))
    both = replace(first, changes=first.changes + second.changes)
    run_sql(server.path, ("UPDATE memories SET title = 'Theirs' WHERE id = ?", (other.id,)))
    with pytest.raises(VaultChanged) as caught:
        server.apply(both, now=NOW)
    assert other.label in caught.value.what
    assert "title" in caught.value.details
    assert server.read_memory(one.id) == one
    assert server.journal.undo_label == ""


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE memories SET updated_at = updated_at + 1 WHERE id = ?",
        "DELETE FROM memories WHERE id = ?",
    ],
)
def test_an_edit_elsewhere_or_a_deletion_is_a_conflict(
    server: Vault, run_sql: Callable, sql: str
) -> None:
    memory = first_memory(server)
    plan = plan_edit(memory, {"title": "Mine"}, now=NOW)
    run_sql(server.path, (sql, (memory.id,)))
    with pytest.raises(VaultChanged, match="another program"):
        server.apply(plan, now=NOW)


def test_a_recall_in_between_is_no_conflict(server: Vault, run_sql: Callable) -> None:
    memory = first_memory(server)
    plan = plan_edit(memory, {"title": "Mine"}, now=NOW)
    run_sql(
        server.path,
        ("UPDATE memories SET access_count = 99, last_accessed_at = 5 WHERE id = ?", (memory.id,)),
    )
    server.apply(plan, now=NOW)
    assert server.read_memory(memory.id).access_count == 99


def test_a_row_is_not_made_twice(server: Vault) -> None:
    server.apply(add(server), now=NOW)
    with pytest.raises(VaultChanged, match="was made"):
        server.apply(add(server), now=NOW)


def test_a_link_needs_both_of_its_ends(server: Vault, run_sql: Callable) -> None:
    one, other = server.read_memories(ids_of(server)[3:5])
    plan = plan_link([], one, other, "causes", now=NOW, link_id="l")
    run_sql(server.path, ("DELETE FROM memories WHERE id = ?", (other.id,)))
    with pytest.raises(VaultChanged, match="an end"):
        server.apply(plan, now=NOW)


def test_deleting_spares_links_that_nobody_saw(server: Vault, run_sql: Callable) -> None:
    memory = linked_memory(server)
    links = server.read_links_of(memory.id)
    plan = plan_delete([memory], links, brain_id=server.brain.id)
    far = next(i for i in ids_of(server) if i != memory.id)
    run_sql(
        server.path,
        (
            "INSERT INTO memory_links (id, from_id, to_id, created_at) VALUES ('late', ?, ?, 1)",
            (far, memory.id),
        ),
    )
    with pytest.raises(VaultChanged, match="new link"):
        server.apply(plan, now=NOW)
    assert len(server.read_links_of(memory.id)) == len(links) + 1
    plan = plan_delete([memory], server.read_links_of(memory.id), brain_id=server.brain.id)
    server.apply(plan, now=NOW)
    assert not server.has_memory(memory.id)


def delete_all(vault: Vault) -> Plan:
    memories = vault.read_memories(ids_of(vault))
    links = vault.read_links_of(*(memory.id for memory in memories))
    return plan_delete(memories, links, brain_id=vault.brain.id)


def test_all_memories_are_deleted_and_come_back_cell_by_cell(
    server: Vault, run_sql: Callable, contents: Callable
) -> None:
    strange, broken = ids_of(server)[2:4]
    run_sql(
        server.path,
        ("UPDATE memories SET title = CAST(x'ff41' AS TEXT) WHERE id = ?", (broken,)),
        ("UPDATE memories SET last_accessed_at = 'soon', tags = x'00ff' WHERE id = ?", (strange,)),
    )
    before = contents(server.path)
    plan = delete_all(server)
    server.apply(plan, now=NOW)
    assert (ids_of(server), contents(server.path)["memory_links"]) == ([], [])
    server.undo(now=NOW)
    assert contents(server.path) == before
    server.redo(now=NOW)
    assert ids_of(server) == []


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE memories SET title = 'Moved' WHERE id = ?", "was changed"),
        ("DELETE FROM memories WHERE id = ?", "was deleted"),
        (
            "INSERT INTO memory_links (id, from_id, to_id, created_at) VALUES ('l', ?1, ?1, 1)",
            "new link",
        ),
    ],
)
def test_of_many_the_one_that_moved_is_named(
    server: Vault, run_sql: Callable, contents: Callable, sql: str, said: str
) -> None:
    plan = delete_all(server)
    memory = server.read_memories(ids_of(server))[7]
    linked = {link.id for link in server.read_links_of(memory.id)}
    plan = replace(
        plan, changes=tuple(change for change in plan.changes if change.key.id not in linked)
    )
    run_sql(
        server.path,
        *(("DELETE FROM memory_links WHERE id = ?", (one,)) for one in linked),
        (sql, (memory.id,)),
    )
    before = contents(server.path)
    with pytest.raises(VaultChanged, match=said) as raised:
        server.apply(plan, now=NOW)
    assert memory.id in raised.value.details
    assert contents(server.path) == before


def test_the_first_write_of_a_day_tells_of_its_backup(server: Vault) -> None:
    told: list[int] = []
    server.apply(set_trust(server, slack=0.5), now=NOW, watch=lambda done, _: told.append(done))
    assert told == [BACKING_UP, 0]
    server.undo(now=NOW, watch=lambda done, _: told.append(done))
    assert told == [BACKING_UP, 0, 0]


def test_a_plan_row_without_before_and_after_is_nothing(server: Vault) -> None:
    change = RowChange(RowKey(MEMORIES, "x", "x"), None, None, "")
    plan = Plan("Nothing", server.brain.id, (change,), ())
    server.apply(plan, now=NOW)
    assert not server.has_memory("x")


def test_other_tables_are_written_by_the_same_plans(server: Vault, contents: Callable) -> None:
    before = contents(server.path)
    key = RowKey("brain_policies", server.brain.id, "The policy")
    (row,) = before["brain_policies"]
    old = {"policy_json": row[2], "updated_at": row[6]}
    change = RowChange(key, old, {"policy_json": "{}", "updated_at": NOW}, "set")
    changes = server.apply(Plan("Set policy", server.brain.id, (change,), ()), now=NOW)
    assert changes.tables == {"brain_policies"}
    assert contents(server.path)["brain_policies"][0][2] == "{}"
    server.undo(now=NOW)
    assert contents(server.path) == before


# Undo


def plans(vault: Vault) -> Iterator[Plan]:
    """One of every kind, each made from what the vault holds then."""
    ids = ids_of(vault)
    brain = vault.brain.id
    yield plan_edit(vault.read_memory(ids[0]), {"title": "", "confidence": 1}, now=NOW)
    yield plan_edit(vault.read_memory(ids[0]), {"content": "ünï 😀\0", "type": "note"}, now=NOW)
    yield add(vault, source="blog")
    yield set_trust(vault, blog=0.1, **{"slack #design": None, "somebody new": 1})
    yield plan_annotate(vault.read_trust(), "blog", "hm", brain_id=brain, now=NOW)
    one, other = vault.read_memories(ids[10:12])
    yield plan_link([], one, other, "supports", "why", now=NOW, link_id="made")
    links = vault.read_links_of(other.id)
    yield plan_link(links, other, one, "causes", None, now=NOW, link_id="unused")
    yield plan_unlink(vault.read_links_of("added", one.id)[0])
    yield plan_archive(vault.read_memories(ids[20:30]), brain_id=brain, now=NOW)
    yield plan_restore(vault.read_memories(ids[15:25]), brain_id=brain, now=NOW)
    gone = vault.read_memories(ids[40:60])
    yield plan_delete(gone, vault.read_links_of(*(m.id for m in gone)), brain_id=brain)


def test_undo_restores_every_cell_and_redo_does_it_again(server: Vault, contents: Callable) -> None:
    states = [contents(server.path)]
    labels = []
    for plan in plans(server):
        assert not plan.is_empty, plan.label
        server.apply(plan, now=NOW)
        labels.append(plan.label)
        states.append(contents(server.path))
        assert states[-1] != states[-2], plan.label
    for number in reversed(range(len(labels))):
        assert server.journal.undo_label == labels[number]
        assert server.journal.plan_undo().changes
        label, changes = server.undo(now=NOW + 50)
        assert label == labels[number]
        assert not changes.is_empty
        assert contents(server.path) == states[number], label
        assert server.journal.redo_label == label
    for number, expected in enumerate(labels):
        assert server.journal.plan_redo().label == expected
        assert server.redo(now=NOW + 60)[0] == expected
        assert contents(server.path) == states[number + 1], expected
    assert server.journal.redo_label == ""


def test_undo_logs_the_inverse_event_and_names_the_one_it_undoes(
    server: Vault, run_sql: Callable
) -> None:
    server.apply(add(server), now=NOW)
    server.undo(now=NOW + 1)
    made, undone = run_sql(
        server.path,
        "SELECT id, event_type, payload, created_at FROM memory_changelog "
        "ORDER BY rowid DESC LIMIT 2",
    )[::-1]
    assert (made[1], undone[1]) == ("memory_created", "memory_deleted")
    assert json.loads(undone[2])["undo_of"] == made[0]
    assert undone[3] == NOW + 1


def test_undo_works_after_a_restart_and_from_another_process(
    server_file: Path, open_vault: Callable[..., Vault], contents: Callable
) -> None:
    before = contents(server_file)
    vault = open_vault(server_file)
    other = open_vault(server_file)
    vault.apply(add(vault), now=NOW)
    assert other.journal.undo_label == "Add new"
    vault.close()
    other.undo(now=NOW)
    assert contents(server_file) == before
    assert other.journal.undo_label == ""


def test_undo_can_be_tried_without_writing(server: Vault, contents: Callable) -> None:
    server.apply(add(server), now=NOW)
    before = contents(server.path)
    tried = server.try_undo()
    assert contents(server.path) == before
    assert tried[0] == "Add new"
    assert tried[1].memory_ids == server.undo(now=NOW)[1].memory_ids == {"added"}
    with pytest.raises(UndoImpossible, match="nothing to undo"):
        server.try_undo()


def test_undo_of_links_and_their_memory_is_tried_as_a_whole(server: Vault) -> None:
    memory = linked_memory(server)
    links = server.read_links_of(memory.id)
    server.apply(plan_delete([memory], links, brain_id=server.brain.id), now=NOW)
    assert memory.id in server.try_undo()[1].memory_ids
    server.undo(now=NOW)
    again = plan_delete([memory], links, brain_id=server.brain.id)
    check_fits(server.file, again)


def test_trying_undo_says_like_undo_why_a_step_no_longer_fits(
    server: Vault, run_sql: Callable
) -> None:
    server.apply(add(server), now=NOW)
    server.apply(plan_delete([server.read_memory("added")], [], brain_id=server.brain.id), now=NOW)
    theirs = (
        "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
        "VALUES ('added', ?, 'note', 'theirs', 1, 1)"
    )
    run_sql(server.path, (theirs, (server.brain.id,)))
    for act in (server.try_undo, lambda: server.undo(now=NOW)):
        with pytest.raises(UndoImpossible) as caught:
            act()
        assert caught.value.what.endswith("was made by another program since.")


def test_a_new_step_forgets_what_was_undone(server: Vault) -> None:
    server.apply(add(server, "one", title="One"), now=NOW)
    server.apply(add(server, "two", title="Two"), now=NOW)
    server.undo(now=NOW)
    server.apply(add(server, "three", title="Three"), now=NOW)
    assert server.journal.redo_label == ""
    assert server.undo(now=NOW)[0] == "Add Three"
    assert server.undo(now=NOW)[0] == "Add One"


@pytest.mark.parametrize("act", ["undo", "redo"])
def test_nothing_to_undo_is_said(server: Vault, act: str) -> None:
    with pytest.raises(UndoImpossible, match=f"nothing to {act}"):
        getattr(server, act)(now=NOW)


def test_a_step_that_no_longer_fits_says_why_and_stays(server: Vault, run_sql: Callable) -> None:
    memory = first_memory(server)
    server.apply(plan_edit(memory, {"title": "Mine"}, now=NOW), now=NOW)
    run_sql(server.path, ("UPDATE memories SET title = 'Theirs' WHERE id = ?", (memory.id,)))
    for act in (server.try_undo, lambda: server.undo(now=NOW)):
        with pytest.raises(UndoImpossible, match="changed by another program since"):
            act()
    assert server.read_memory(memory.id).title == "Theirs"
    assert server.journal.undo_label == f"Edit {memory.label}"


@pytest.mark.parametrize("act", ["undo", "redo"])
def test_a_step_that_no_longer_fits_is_skipped_to_reach_the_next(
    server: Vault, run_sql: Callable, act: str
) -> None:
    for name in ("one", "two"):
        server.apply(add(server, name, title=name), now=NOW)
    memory = server.read_memory("one" if act == "redo" else "two")
    server.apply(plan_edit(memory, {"title": "Mine"}, now=NOW), now=NOW)
    if act == "redo":
        for _ in range(3):
            server.undo(now=NOW)
        insert = "INSERT INTO memories (id, brain_id, type, content, created_at, updated_at) "
        run_sql(server.path, (f"{insert} VALUES ('one', ?, 'note', 'x', 1, 1)", (server.brain.id,)))
    else:
        run_sql(server.path, ("UPDATE memories SET title = 'Theirs' WHERE id = 'two'", ()))
    before = server.read_memories(ids_of(server))
    with pytest.raises(UndoImpossible) as caught:
        getattr(server, act)(now=NOW)
    server.skip_step(caught.value.step_id)
    assert server.read_memories(ids_of(server)) == before
    if act == "redo":
        assert server.redo(now=NOW)[0] == "Add two"
    else:
        assert server.journal.undo_label == "Add two"
        assert server.journal.redo_label == ""


def test_undoing_an_addition_spares_links_made_to_it_since(server: Vault) -> None:
    server.apply(add(server), now=NOW)
    plan = plan_link(
        [], server.read_memory("added"), first_memory(server), "causes", now=1, link_id="x"
    )
    server.apply(plan, now=NOW)
    server.companion.steps.remove([server.journal.find_undo().id])
    for act in (server.try_undo, lambda: server.undo(now=NOW)):
        with pytest.raises(UndoImpossible, match="new link"):
            act()
    assert server.has_memory("added")


def test_a_step_that_can_not_be_read_says_so(server: Vault) -> None:
    server.apply(add(server), now=NOW)
    step = server.companion.steps.find(server.brain.id, undone=False)
    assert step is not None
    server.companion.steps.add(replace(step, id=0, plan="{"))
    with pytest.raises(UndoImpossible, match="can't be read"):
        server.undo(now=NOW)


def test_steps_of_another_brain_are_not_touched(
    server_file: Path, open_vault: Callable[..., Vault], run_sql: Callable
) -> None:
    run_sql(
        server_file,
        "INSERT INTO brains (id, name, slug, created_at, updated_at) VALUES ('w','Work','w',1,1)",
    )
    home, work = open_vault(server_file), open_vault(server_file, brain_id="w")
    home.apply(add(home, "home"), now=NOW)
    work.apply(add(work, "work"), now=NOW)
    home.undo(now=NOW)
    assert work.has_memory("work")
    assert not home.has_memory("home")


# When the journal fails


class FullSteps:
    """A journal whose disk is full, for these methods."""

    def __init__(self, steps: Steps, *names: str) -> None:
        self._steps = steps
        self._names = names

    def __getattr__(self, name: str) -> object:
        if name in self._names:
            raise VaultFull("No room for the journal.", "Nothing was written.", "Free some space.")
        return getattr(self._steps, name)


def test_a_write_stands_when_the_journal_fails_beside_it(server: Vault) -> None:
    server.apply(add(server, "one"), now=NOW)
    steps = server.journal._steps
    server.journal._steps = FullSteps(steps, "announce", "announce_mark", "add", "mark")
    server.apply(add(server, "two"), now=NOW)
    assert server.has_memory("two")
    assert "can't be undone" in server.notices[-1]
    assert "No room" in server.notices[-1]
    assert server.undo(now=NOW)[0] == "Add new"
    assert not server.has_memory("one")
    assert "offered for undo again" in server.notices[-1]


def test_a_journal_that_fails_for_a_moment_still_gets_the_step(server: Vault) -> None:
    steps, said = server.journal._steps, len(server.notices)
    server.journal._steps = FullSteps(steps, "announce", "announce_mark")
    server.apply(add(server, "one"), now=NOW)
    assert server.journal.undo_label == "Add new"
    server.undo(now=NOW)
    assert (server.journal.undo_label, server.journal.redo_label) == ("", "Add new")
    assert len(server.notices) == said + 1  # the day's backup


def test_a_step_that_could_not_be_settled_is_so_when_it_is_asked_for(server: Vault) -> None:
    steps, said = server.journal._steps, len(server.notices)
    server.journal._steps = FullSteps(steps, "settle")
    server.apply(add(server, "one"), now=NOW)
    assert steps.read(9) == []
    server.journal._steps = steps
    assert server.journal.undo_label == "Add new"
    server.journal._steps = FullSteps(steps, "settle")
    server.undo(now=NOW)
    server.journal._steps = steps
    assert server.journal.redo_id == steps.read(9)[0].id
    assert len(server.notices) == said + 1  # the day's backup


def test_a_step_under_way_in_another_process_is_neither_offered_nor_dropped(
    server: Vault, open_vault: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = open_vault(server.path)
    server.apply(add(server, "one"), now=NOW)
    seen: list[tuple[str, str]] = []
    announce = JournalEntry.announce

    def look_meanwhile(entry: JournalEntry, plan: Plan) -> None:
        announce(entry, plan)
        seen.append((elsewhere.journal.undo_label, elsewhere.journal.redo_label))

    monkeypatch.setattr(JournalEntry, "announce", look_meanwhile)
    server.apply(replace(add(server, "two"), label="Add two"), now=NOW)
    server.undo(now=NOW)
    server.redo(now=NOW)
    assert seen == [("Add new", ""), ("Add two", ""), ("Add new", "Add two")]
    assert elsewhere.journal.undo_label == "Add two"


def test_a_step_that_another_process_buried_meanwhile_is_not_done_again(
    server: Vault, open_vault: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = open_vault(server.path)
    server.apply(add(server, "one"), now=NOW)
    server.undo(now=NOW)
    begin = JournalEntry.begin

    def write_between(entry: JournalEntry, conn: object) -> None:
        steps = server.companion.steps  # as the other one does once it has written
        steps.add(JournalStep(0, server.brain.id, "Theirs", "{}", NOW))
        begin(entry, conn)

    with monkeypatch.context() as patch:
        patch.setattr(JournalEntry, "begin", write_between)
        with pytest.raises(UndoImpossible, match="not the last step any more"):
            server.redo(now=NOW)
    assert not server.has_memory("one")
    assert elsewhere.journal.redo_label == ""
    assert elsewhere.journal.undo_label == "Theirs"


def test_a_step_without_history_is_settled_by_the_rows_it_wrote(server: Vault) -> None:
    steps = server.journal._steps
    memory = first_memory(server)
    made = replace(add(server, "one"), label="Made", log=())
    edited = replace(plan_edit(memory, {"content": "New."}, now=NOW), label="Edited", log=())
    for plan in (made, edited):
        server.journal._steps = FullSteps(steps, "settle")
        server.apply(plan, now=NOW)
        server.journal._steps = steps
        assert server.journal.undo_label == plan.label
    for label, before in (("Edited", "Made"), ("Made", "")):
        server.journal._steps = FullSteps(steps, "settle")
        server.undo(now=NOW)
        server.journal._steps = steps
        assert (server.journal.undo_label, server.journal.redo_label) == (before, label)
    steps.announce(JournalStep(0, server.brain.id, "Not written", made.to_json(), NOW), "")
    steps.announce(JournalStep(0, server.brain.id, "Not written", edited.to_json(), NOW), "")
    assert server.journal.undo_label == ""


def test_an_announced_step_that_can_not_be_read_is_dropped_by_the_next_write(
    server: Vault,
) -> None:
    steps = server.companion.steps
    steps.announce(JournalStep(0, server.brain.id, "Broken", "{", NOW), "")
    assert server.journal.undo_label == ""
    assert len(steps.read_pending(server.brain.id)) == 1
    server.apply(add(server, "one"), now=NOW)
    assert [step.label for step in steps.read(9)] == ["Add new"]


def test_a_step_announced_to_a_vault_that_lost_its_tables_is_not_offered(
    server: Vault, run_sql: Callable[..., list]
) -> None:
    steps, link = server.companion.steps, server.read_links_of(first_memory(server).id)[0]
    silent = replace(plan_unlink(link), log=())
    steps.announce(JournalStep(0, server.brain.id, "Logged", silent.to_json(), NOW), "any")
    steps.announce(JournalStep(0, server.brain.id, "Silent", silent.to_json(), NOW), "")
    run_sql(server.path, "DROP TABLE memory_changelog", "DROP TABLE memory_links")
    assert server.journal.undo_label == ""


def test_a_write_that_fails_takes_its_announcement_back(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce = JournalEntry.announce

    def fail(entry: JournalEntry, plan: Plan) -> None:
        announce(entry, plan)
        raise VaultFull("The disk is full.", "Nothing was written.", "Free some space.")

    with monkeypatch.context() as patch:
        patch.setattr(JournalEntry, "announce", fail)
        for plan in (add(server, "one"), replace(add(server, "one"), log=())):
            with pytest.raises(VaultFull):
                server.apply(plan, now=NOW)
    assert not server.has_memory("one")
    assert server.companion.steps.read_pending(server.brain.id) == []
    assert server.journal.undo_label == ""
    server.apply(replace(add(server, "one"), log=()), now=NOW)
    with monkeypatch.context() as patch:
        patch.setattr(JournalEntry, "announce", fail)
        with pytest.raises(VaultFull):
            server.undo(now=NOW)
    assert server.journal.undo_label == "Add new"


def test_a_write_refused_before_it_was_announced_leaves_nothing_behind(
    server: Vault, run_sql: Callable[..., list]
) -> None:
    server.apply(add(server, "one"), now=NOW)
    with pytest.raises(BadValue):
        server.apply(add(server, "half", title="\ud83d"), now=NOW)
    assert server.companion.steps.read_pending(server.brain.id) == []
    assert len(server.companion.steps.read(9)) == 1


# Two threads


def test_a_reader_sees_whole_steps_while_the_write_lane_works(server: Vault) -> None:
    memory = first_memory(server)
    done = threading.Event()

    def write() -> None:
        try:
            for number in range(40):
                seen = server.read_memory(memory.id)
                text = f"{number}"
                server.apply(
                    plan_edit(seen, {"title": text, "content": text}, now=NOW + number), now=NOW
                )
                if number % 4 == 3:
                    server.undo(now=NOW)
        finally:
            done.set()

    def read() -> None:
        while not done.is_set():
            seen = server.read_memory(memory.id)
            assert seen.title == seen.content or seen == memory
            read_snapshot(server)
            assert isinstance(server.changed_outside(), bool)
            assert isinstance(server.journal.undo_label, str)

    with ThreadPoolExecutor(3) as pool:
        tasks = [pool.submit(work) for work in (read, read, write)]
        for task in tasks:
            task.result(60)
    assert not server.changed_outside()
    assert server.read_memory(memory.id).title == "38"


def test_own_writes_are_not_outside_ones(server: Vault, run_sql: Callable) -> None:
    snapshot = read_snapshot(server)
    changes = server.apply(add(server), now=NOW)
    assert not server.changed_outside()
    snapshot = refresh_snapshot(server, snapshot, changes)
    keep_snapshot(server, snapshot)
    assert not server.changed_outside()
    run_sql(server.path, "UPDATE memories SET access_count = 3")
    assert server.changed_outside()
    server.apply(add(server, "another"), now=NOW)
    assert server.changed_outside()


def test_closing_twice_is_harmless_and_a_failed_write_leaves_the_vault_usable(
    server: Vault,
) -> None:
    bad = RowChange(
        RowKey(MEMORIES, "x", "x"),
        None,
        {"id": "x", "type": "note", "content": "c", "confidence": 7.0, "brain_id": "nowhere"},
        "",
    )
    with pytest.raises(VaultError):
        server.apply(Plan("Bad", server.brain.id, (bad,), ()), now=NOW)
    server.apply(add(server), now=NOW)
    server.close()
    server.close()
