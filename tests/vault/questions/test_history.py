"""The steps of one memory, told from the changelog."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mvdesk.records import HistoryEntry
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_archive, plan_delete, plan_restore
from mvdesk.vault.operations.links import plan_link
from mvdesk.vault.operations.merge import plan_merge
from mvdesk.vault.questions.history import UNLOGGED, HistoryStep, find_steps
from mvdesk.vault.rules import count_history, read_history
from tests.vault.made import NOW, memory

if TYPE_CHECKING:
    from mvdesk.vault.vault import Vault


def steps_of(vault: Vault, memory_id: str) -> list[HistoryStep]:
    lines = read_history(vault, naming=memory_id)
    return find_steps(vault.read_memory(memory_id), lines)


def add(vault: Vault, memory_id: str, content: str, now: int = NOW, **fields: object) -> None:
    wanted = {"content": content, "title": memory_id, **fields}
    vault.apply(plan_add(vault.brain.id, wanted, now=now, memory_id=memory_id), now=now)


def edit(vault: Vault, memory_id: str, now: int, **fields: object) -> None:
    vault.apply(plan_edit(vault.read_memory(memory_id), fields, now=now), now=now)


def line(event: str, payload: object, at: int = NOW, entity_id: str = "m") -> HistoryEntry:
    text = payload if isinstance(payload, str) else json.dumps(payload)
    return HistoryEntry(f"{event}{at}", event, "memory", entity_id, f"Said {event}", text, at)


def test_every_edit_is_a_step_with_what_the_memory_held_after_it(server: Vault) -> None:
    add(server, "m", "first")
    edit(server, "m", NOW + 1, content="second", tags="a")
    edit(server, "m", NOW + 2, content="third")
    steps = steps_of(server, "m")
    assert [step.event for step in steps] == ["memory_updated"] * 2 + ["memory_created"]
    assert [step.at for step in steps] == [NOW + 2, NOW + 1, NOW]
    assert [step.values["content"] for step in steps] == ["third", "second", "first"]
    assert [step.values["tags"] for step in steps] == ["a", "a", None]
    assert [step.changed for step in steps] == [("content",), ("content", "tags"), ()]


def test_a_step_that_took_another_back_says_so(server: Vault) -> None:
    add(server, "m", "first")
    edit(server, "m", NOW + 1, content="second")
    server.undo(now=NOW + 2)
    steps = steps_of(server, "m")
    assert [step.is_undo for step in steps] == [True, False, False]
    assert [step.values["content"] for step in steps] == ["first", "second", "first"]


def test_archive_links_and_merges_are_steps_too(server: Vault) -> None:
    add(server, "m", "mine", confidence=0.4)
    add(server, "n", "other", confidence=0.9)
    one, other = server.read_memories(["m"])[0], server.read_memories(["n"])[0]
    server.apply(plan_link([], other, one, "supports", now=NOW, link_id="l"), now=NOW + 1)
    brain_id = server.brain.id
    server.apply(plan_archive([other, one], brain_id=brain_id, now=NOW + 2), now=NOW + 2)
    for memory_id in ("m", "n"):
        kept = [server.read_memory(memory_id)]
        server.apply(plan_restore(kept, brain_id=brain_id, now=NOW + 3), now=NOW + 3)
    both = [server.read_memory("m"), server.read_memory("n")]
    links = server.read_links_of("m", "n")
    merge = plan_merge(
        both, links, primary_id="m", now=NOW + 4, new_id=iter(["x1", "y1", "z1"]).__next__
    )
    server.apply(merge, now=NOW + 4)
    steps = steps_of(server, "m")
    merged = next(step for step in steps if step.event == "memory_merged")
    assert merged.changed == ("content", "confidence")
    linked = next(
        step for step in steps if step.event == "memory_link_created" and step.at == NOW + 1
    )
    assert (linked.other_id, linked.relation) == ("n", "supports")
    archived = next(step for step in steps if step.event == "memory_forget_soft")
    assert archived.values["archived_at"] == NOW + 2
    assert archived.values["confidence"] == 0.4
    assert archived.values["content"] == "mine"  # of before the merge
    others = steps_of(server, "n")
    assert all(step.values["content"] == "other" for step in others)


def test_a_decay_of_many_tells_each_its_own_bases() -> None:
    shown = memory("m", confidence=0.3, importance=0.2)
    payload = {
        "memory_ids": ["x", "m"],
        "before": {"confidence": [0.9, 0.4], "importance": [0.9, 0.5]},
        "after": {"confidence": [0.8, 0.3], "importance": [0.8, 0.2]},
    }
    (step,) = find_steps(shown, [line("memory_decayed", payload, entity_id="x")])
    assert step.changed == ("confidence", "importance")
    others = {**payload, "memory_ids": ["x", "y"]}
    (step, older) = find_steps(shown, [line("memory_decayed", others), line("memory_created", {})])
    assert step.changed == ()
    assert "confidence" not in older.values


def test_what_a_server_changed_is_unknown_before_it_until_the_log_tells_again() -> None:
    shown = memory("m", content="now", title="t")
    flags = {"updated_fields": {"content": True, "title": False, "archived": True}}
    lines = [
        line("memory_updated", flags, NOW + 3),
        line("memory_updated", {"before": {"title": "old"}, "after": {"title": "t"}}, NOW + 2),
        line("memory_updated", {"before": {"content": "1"}, "after": {"content": "2"}}, NOW + 1),
    ]
    newest, middle, oldest = find_steps(shown, lines)
    assert newest.changed == ("content", "archived_at")
    assert newest.values["content"] == "now"
    assert "content" not in middle.values
    assert middle.values["title"] == "t"
    assert oldest.values["content"] == "2"
    assert oldest.values["title"] == "old"


def test_a_change_that_nobody_logged_is_a_step_of_its_own() -> None:
    shown = memory("m", content="now")
    told = {"before": {"content": "1"}, "after": {"content": "2"}}
    unlogged, logged = find_steps(shown, [line("memory_updated", told)])
    assert (unlogged.event, unlogged.at, unlogged.changed) == (UNLOGGED, None, ("content",))
    assert unlogged.values["content"] == "now"
    assert logged.values["content"] == "2"


def test_a_memory_made_anew_keeps_apart_from_the_deleted_one(server: Vault) -> None:
    add(server, "m", "first", title="old title")
    server.apply(plan_delete([server.read_memory("m")], [], brain_id=server.brain.id), now=NOW + 1)
    add(server, "m", "second", NOW + 2, title="new title")
    steps = steps_of(server, "m")
    assert steps[0].values["content"] == "second"
    gone = next(step for step in steps if step.event == "memory_deleted")
    assert gone.values == {}
    assert steps[-1].values["title"] == "old title"
    assert "content" not in steps[-1].values


def test_lines_that_make_no_sense_are_steps_without_facts() -> None:
    shown = memory("m")
    senseless: list[object] = [
        "{half",
        "[1]",
        "[" * 100_000,
        {"before": 3, "after": [1]},
        {"before": {"m": "text"}, "after": {"m": [2]}},
        {"memory_ids": ["m"], "before": {"confidence": 0.3}, "after": {"confidence": []}},
        {"updated_fields": ["content"]},
    ]
    steps = find_steps(shown, [line("memory_updated", payload) for payload in senseless])
    assert [step.changed for step in steps] == [()] * len(senseless)
    assert all(step.values["content"] == shown.content for step in steps)


def test_a_server_merge_leaves_the_texts_before_it_unknown() -> None:
    shown = memory("m")
    made = line("memory_created", {})
    _, older = find_steps(shown, [line("memory_merged", {"primary_id": "m"}), made])
    assert set(older.values) == {"type", "key", "archived_at"}
    _, older = find_steps(shown, [line("memory_merged", {"primary_id": "other"}), made])
    assert older.values["content"] == shown.content


def test_lines_are_counted_as_they_are_read(server: Vault) -> None:
    every = read_history(server)
    assert count_history(server) == len(every)
    moment = every[len(every) // 2].created_at
    assert count_history(server, before=moment) == sum(one.created_at < moment for one in every)
    assert count_history(server, naming="\ud800") == len(read_history(server, naming="\ud800")) == 0
