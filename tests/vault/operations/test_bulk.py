"""Changing many memories at once: what is planned, what is written, and taking it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mvdesk.errors import BadValue, VaultChanged
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.bulk import (
    BulkEdit,
    clean_tags,
    plan_bulk_edit,
    plan_link_all,
    retagged,
)
from mvdesk.vault.operations.forget import plan_archive, plan_delete, plan_restore
from mvdesk.vault.operations.trust import plan_set_trust
from mvdesk.vault.questions.foresee import (
    ForeseeingCancelled,
    NotForeseen,
    foresee,
    snapshot_after,
)
from mvdesk.vault.snapshot import read_snapshot
from tests.vault.made import BRAIN, NOW, memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault
    from tests.vault.conftest import Rows

LATER = 1_800_000_000


@pytest.mark.parametrize(
    ("text", "add", "remove", "then"),
    [
        (None, ("a",), (), "a"),
        ("", ("a", "b"), (), "a,b"),
        ("a, b", ("c",), (), "a, b, c"),
        ("a,b", ("B", "c"), (), "a,b,c"),
        ("A, b ,c", (), ("a", "C"), "b "),
        ("a", (), ("a",), None),
        ("a", ("b",), ("a",), "b"),
        (" x ,, y", (), ("z",), " x ,, y"),
        ("数据, 🚀", ("café",), ("🚀",), "数据,café"),
    ],
)
def test_tags_are_put_on_and_taken_off_and_others_stay_as_written(
    text: str | None, add: tuple[str, ...], remove: tuple[str, ...], then: str | None
) -> None:
    assert retagged(text, add, remove) == then


def test_a_tag_is_one_tag() -> None:
    assert clean_tags([" a ", "A", "", "b c"]) == ("a", "b c")
    with pytest.raises(BadValue, match="comma"):
        clean_tags(["a,b"])
    with pytest.raises(BadValue, match="half of a character"):
        clean_tags(["\ud800"])


@pytest.mark.parametrize("tag", ["two\nlines", "two\u2028lines", "two\0parts"])
def test_a_tag_of_two_lines_is_not_put_on_but_taken_off(tag: str) -> None:
    with pytest.raises(BadValue, match=r"“two (lines|parts)” has a line's end"):
        plan_bulk_edit([memory("a")], BulkEdit(add_tags=(tag,)), brain_id=BRAIN, now=NOW)
    plan = plan_bulk_edit(
        [memory("a", tags=f"{tag},b")], BulkEdit(remove_tags=(tag,)), brain_id=BRAIN, now=NOW
    )
    assert [change.after["tags"] for change in plan.changes if change.after] == ["b"]


def test_memories_that_have_it_already_are_left_out() -> None:
    memories = [memory("a", type="note"), memory("b"), memory("c", source="Slack", type="note")]
    plan = plan_bulk_edit(memories, BulkEdit({"type": "fact"}), brain_id=BRAIN, now=NOW)
    assert [change.key.id for change in plan.changes] == ["a", "c"]
    assert plan.label == "Change 2 memories"
    assert dict(plan.changes[0].written) == {"type": "fact", "updated_at": NOW}
    assert plan.changes[0].why == "changed type"
    assert [entry.event_type for entry in plan.log] == ["memory_updated"] * 2
    same = plan_bulk_edit(memories[2:], BulkEdit({"source": "Slack"}), brain_id=BRAIN, now=NOW)
    assert same.is_empty


def test_one_memory_is_named_and_only_what_moves_is_logged() -> None:
    edit = BulkEdit({"source": None, "confidence": 0.7, "importance": 0.9}, add_tags=("x",))
    plan = plan_bulk_edit(
        [memory("a", title="Rent", source="web")],
        edit,
        brain_id=BRAIN,
        now=NOW,
        what="Set bases of",
    )
    assert plan.label == "Set bases of Rent"
    (entry,) = plan.log
    assert entry.payload["before"] == {"source": "web", "importance": 0.5, "tags": None}
    assert entry.payload["after"] == {"source": None, "importance": 0.9, "tags": "x"}


@pytest.mark.parametrize(
    "edit",
    [
        BulkEdit({"title": "x"}),
        BulkEdit({"type": "dream"}),
        BulkEdit({"confidence": 1.5}),
        BulkEdit(add_tags=("a,b",)),
    ],
)
def test_what_many_can_not_have_is_refused(edit: BulkEdit) -> None:
    with pytest.raises(BadValue):
        plan_bulk_edit([memory("a")], edit, brain_id=BRAIN, now=NOW)


EDITS = st.builds(
    BulkEdit,
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["note", "fact", "journal"]),
            "source": st.sampled_from([None, "Slack", "build log", "verified docs"]),
            "confidence": st.sampled_from([0.0, 0.25, 1.0]),
            "importance": st.sampled_from([0.0, 0.5, 0.99]),
        },
    ),
    st.lists(st.sampled_from(["a", "verified", "maybe"]), max_size=2).map(tuple),
    st.lists(st.sampled_from(["a", "verified", "ops"]), max_size=2).map(tuple),
)
ACTIONS = st.one_of(EDITS, st.sampled_from(["archive", "restore", "delete", "link", "relink"]))


def _plan(vault: Vault, ids: list[str], action: BulkEdit | str) -> Plan:
    memories, brain_id = vault.read_memories(ids), vault.brain.id
    if isinstance(action, BulkEdit):
        return plan_bulk_edit(memories, action, brain_id=brain_id, now=LATER)
    if action == "archive":
        return plan_archive(memories, brain_id=brain_id, now=LATER)
    if action == "restore":
        return plan_restore(memories, brain_id=brain_id, now=LATER)
    if action == "delete":
        return plan_delete(memories, vault.read_links_of(*ids), brain_id=brain_id)
    target = memories[0]
    numbers = iter(range(10_000))
    return plan_link_all(
        vault.read_links_of(target.id),
        memories,
        target,
        "supports" if action == "link" else "contradicts",
        now=LATER,
        new_id=lambda: f"made-{next(numbers)}",
    )


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_is_foreseen_comes_about_and_undo_restores_every_byte(
    server: Vault, contents: Callable[[Path], Rows], data: st.DataObject
) -> None:
    before = read_snapshot(server)
    all_ids = [text or "" for text in before.memories.ids]
    ids = data.draw(st.lists(st.sampled_from(all_ids), min_size=1, max_size=40, unique=True))
    plan = _plan(server, ids, data.draw(ACTIONS))
    bytes_before = contents(server.path)
    seen = foresee(server, before, plan, SERVER_V2, LATER)
    foreseen = snapshot_after(server, before, plan)
    assert contents(server.path) == bytes_before  # looking ahead writes nothing
    changes = server.apply(plan, now=LATER)
    after = read_snapshot(server)
    old = evaluate(before.inputs(SERVER_V2), SERVER_V2, LATER)
    new = evaluate(after.inputs(SERVER_V2), SERVER_V2, LATER)
    said = evaluate(foreseen.inputs(SERVER_V2), SERVER_V2, LATER)
    assert np.array_equal(new.confidence, said.confidence)
    assert np.array_equal(new.importance, said.importance)
    moved = {}
    for row, memory_id in enumerate(after.memories.ids):
        at = before.row_of(memory_id or "")
        assert at is not None
        pair = (float(new.confidence[row]), float(new.importance[row]))
        if pair != (old.confidence[at], old.importance[at]):
            moved[at] = pair
    assert len(moved) == len(seen)
    assert moved == {
        int(row): (float(confidence), float(importance))
        for row, confidence, importance in zip(
            seen.rows, seen.confidence_after, seen.importance_after, strict=True
        )
    }
    if not changes.is_empty:
        server.undo(now=LATER + 1)
    assert contents(server.path) == bytes_before


def test_one_changed_outside_refuses_all(
    server: Vault, run_sql: Callable[..., object], contents: Callable[[Path], Rows]
) -> None:
    ids = [text or "" for text in read_snapshot(server).memories.ids][:20]
    plan = _plan(server, ids, BulkEdit({"importance": 0.123}))
    run_sql(
        server.path, ("UPDATE memories SET updated_at = updated_at + 1 WHERE id = ?", (ids[7],))
    )
    before = contents(server.path)
    with pytest.raises(VaultChanged):
        server.apply(plan, now=LATER)
    assert contents(server.path) == before


def test_a_plan_of_another_kind_is_not_foreseen(server: Vault) -> None:
    plan = plan_set_trust(
        [], {"slack": 0.2}, brain_id=server.brain.id, now=LATER, new_id=lambda: "new"
    )
    with pytest.raises(NotForeseen):
        foresee(server, read_snapshot(server), plan, SERVER_V2, LATER)


def test_a_memory_that_moved_outside_is_not_foreseen(
    server: Vault, run_sql: Callable[..., object]
) -> None:
    snapshot = read_snapshot(server)
    ids = [snapshot.memories.ids.text(5)]
    plan = _plan(server, ids, BulkEdit({"importance": 0.123}))
    run_sql(server.path, ("UPDATE memories SET created_at = 77 WHERE id = ?", (ids[0],)))
    with pytest.raises(NotForeseen):
        foresee(server, snapshot, plan, SERVER_V2, LATER)


def test_nobody_waits_any_more(server: Vault) -> None:
    snapshot = read_snapshot(server)
    ids = [snapshot.memories.ids.text(0)]
    plan = _plan(server, ids, BulkEdit({"importance": 0.123}))
    with pytest.raises(ForeseeingCancelled):
        foresee(server, snapshot, plan, SERVER_V2, LATER, cancelled=lambda: True)


def test_linking_one_that_is_linked_so_already_changes_nothing(server: Vault) -> None:
    snapshot = read_snapshot(server)
    ids = [snapshot.memories.ids.text(row) for row in (0, 1)]
    server.apply(_plan(server, ids, "link"), now=LATER)
    assert _plan(server, ids, "link").is_empty
