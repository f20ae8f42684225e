"""Operations as pure functions: records in, plan out."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from mvdesk.errors import BadValue
from mvdesk.records import Link, Memory, SourceTrust
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.forget import plan_archive, plan_delete, plan_restore
from mvdesk.vault.operations.links import find_links_between, plan_link, plan_unlink
from mvdesk.vault.operations.trust import plan_annotate, plan_set_trust

NOW = 1_800_000_000
BRAIN = "b"


def memory(memory_id: str = "m1", **fields: object) -> Memory:
    plain = Memory(
        id=memory_id,
        brain_id=BRAIN,
        type="fact",
        title="Rent",
        key=None,
        content="Rent is 900.",
        tags="home",
        source="Letter",
        confidence=0.7,
        importance=0.5,
        archived_at=None,
        access_count=0,
        last_accessed_at=None,
        last_decayed_at=None,
        created_at=100,
        updated_at=200,
    )
    return replace(plain, **fields)


def link(link_id: str, one: str, other: str, relation: str = "related", at: int = 1) -> Link:
    return Link(link_id, BRAIN, one, other, relation, None, at)


def trust(row_id: str, key: str, value: float, notes: str | None = None) -> SourceTrust:
    return SourceTrust(row_id, BRAIN, key, value, notes, 10, 20)


def set_trust(current: list[SourceTrust], changes: dict) -> object:
    ids = count(1)
    return plan_set_trust(
        current, changes, brain_id=BRAIN, now=NOW, new_id=lambda: f"new{next(ids)}"
    )


# Adding


def test_a_new_memory_gets_the_defaults() -> None:
    plan = plan_add(BRAIN, {"content": "Hello there"}, now=NOW, memory_id="new")
    (change,) = plan.changes
    assert plan.label == "Add Hello there"
    assert change.before is None
    assert change.after == {
        "id": "new",
        "brain_id": BRAIN,
        "type": "note",
        "title": None,
        "key": None,
        "content": "Hello there",
        "tags": None,
        "source": None,
        "confidence": 0.7,
        "importance": 0.5,
        "created_at": NOW,
        "updated_at": NOW,
    }
    (entry,) = plan.log
    assert (entry.event_type, entry.entity_type, entry.entity_id) == (
        "memory_created",
        "memory",
        "new",
    )
    assert entry.payload["type"] == "note"


def test_fields_given_are_kept_as_they_are() -> None:
    fields = {"type": "fact", "title": " T ", "content": "c", "confidence": 1, "source": "  "}
    after = plan_add(BRAIN, fields, now=NOW, memory_id="n").changes[0].after
    assert after is not None
    assert (after["title"], after["confidence"], after["source"]) == (" T ", 1.0, None)
    assert type(after["confidence"]) is float


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "content"),
        ({"content": None}, "content"),
        ({"content": " \n"}, "content"),
        ({"content": 5}, "content"),
        ({"content": "half \ud800"}, "content"),
        ({"content": "c", "type": "Fact"}, "type"),
        ({"content": "c", "type": None}, "type"),
        ({"content": "c", "type": 3}, "type"),
        ({"content": "c", "confidence": 1.01}, "confidence"),
        ({"content": "c", "confidence": -0.01}, "confidence"),
        ({"content": "c", "confidence": float("nan")}, "confidence"),
        ({"content": "c", "importance": float("inf")}, "importance"),
        ({"content": "c", "importance": 10**400}, "importance"),
        ({"content": "c", "importance": True}, "importance"),
        ({"content": "c", "importance": "0.5"}, "importance"),
        ({"content": "c", "importance": None}, "importance"),
        ({"content": "c", "title": ["x"]}, "title"),
        ({"content": "c", "updated_at": 5}, "updated_at"),
    ],
)
def test_values_that_no_memory_may_have_are_refused_with_the_field(
    fields: dict, field: str
) -> None:
    with pytest.raises(BadValue) as caught:
        plan_add(BRAIN, fields, now=NOW, memory_id="n")
    assert caught.value.field == field
    assert field in caught.value.one_line()


# Editing


def test_an_edit_writes_what_differs_and_moves_updated_at() -> None:
    plan = plan_edit(memory(), {"title": "Rent rises", "tags": "home", "confidence": 0.9}, now=NOW)
    (change,) = plan.changes
    assert change.before == {"title": "Rent", "confidence": 0.7, "updated_at": 200}
    assert change.after == {"title": "Rent rises", "confidence": 0.9, "updated_at": NOW}
    (entry,) = plan.log
    assert entry.event_type == "memory_updated"
    assert entry.payload["updated_fields"] == {
        "content": False,
        "title": True,
        "tags": False,
        "source": False,
        "confidence": True,
        "importance": False,
        "archived": False,
    }
    assert entry.payload["before"] == {"title": "Rent", "confidence": 0.7}


def test_a_save_that_changes_nothing_is_an_empty_plan() -> None:
    same = {"title": "Rent", "key": "", "content": "Rent is 900.", "confidence": 0.7}
    plan = plan_edit(memory(), same, now=NOW)
    assert plan.is_empty
    assert plan.log == ()


def test_a_foreign_value_that_is_kept_needs_no_permission() -> None:
    odd = memory(type="Memo", confidence=7.0, title="")
    assert plan_edit(odd, {"type": "Memo", "confidence": 7.0, "title": None}, now=NOW).is_empty
    plan = plan_edit(odd, {"type": "Memo", "importance": 0.6}, now=NOW)
    assert plan.changes[0].written == {"importance": 0.6, "updated_at": NOW}


def test_type_and_key_are_named_among_the_updated_fields() -> None:
    plan = plan_edit(memory(), {"type": "note", "key": "k"}, now=NOW)
    updated = plan.log[0].payload["updated_fields"]
    assert isinstance(updated, dict)
    assert updated["type"]
    assert updated["key"]


def test_the_changelog_of_an_edit_holds_both_texts() -> None:
    plan = plan_edit(memory(), {"content": "new text"}, now=NOW)
    assert plan.log[0].payload["before"] == {"content": memory().content}
    assert plan.log[0].payload["after"] == {"content": "new text"}
    (undone,) = plan.inverse().log
    assert undone.payload["after"] == {"content": memory().content}


def test_the_changelog_of_adding_and_deleting_never_holds_the_text_itself() -> None:
    for other in (
        plan_add(BRAIN, {"title": "t", "content": "secret"}, now=NOW, memory_id="n"),
        plan_delete([memory(content="secret")], [], brain_id=BRAIN),
    ):
        assert "secret" not in str(other.log)


@pytest.mark.parametrize("changes", [{"content": ""}, {"type": "x"}, {"nope": 1}])
def test_an_edit_refuses_what_adding_refuses(changes: dict) -> None:
    with pytest.raises(BadValue):
        plan_edit(memory(), changes, now=NOW)


# Links


def test_a_new_link_joins_two_memories() -> None:
    plan = plan_link([], memory("a"), memory("b"), "causes", " ", now=NOW, link_id="l")
    (change,) = plan.changes
    assert change.after == {
        "id": "l",
        "brain_id": BRAIN,
        "from_id": "a",
        "to_id": "b",
        "relation_type": "causes",
        "label": None,
        "created_at": NOW,
    }
    assert plan.log[0].event_type == "memory_link_created"
    assert plan.log[0].payload["relation_type"] == "causes"


@pytest.mark.parametrize("ends", [("a", "b"), ("b", "a")])
def test_linking_a_linked_pair_changes_the_link_that_is_there(ends: tuple[str, str]) -> None:
    there = [link("l1", "a", "b"), link("other", "a", "c")]
    plan = plan_link(
        there, memory(ends[0]), memory(ends[1]), "supports", "why", now=NOW, link_id="l2"
    )
    (change,) = plan.changes
    assert change.key.id == "l1"
    assert change.written == {"relation_type": "supports", "label": "why"}
    assert plan.log[0].event_type == "memory_link_updated"


def test_linking_as_it_is_already_changes_nothing() -> None:
    plan = plan_link([link("l", "a", "b")], memory("a"), memory("b"), "related", now=1, link_id="n")
    assert plan.is_empty


def test_of_several_links_the_person_picks() -> None:
    several = [
        link("young", "a", "b", at=9),
        link("back", "b", "a", at=1),
        link("old", "a", "b", at=5),
    ]
    a, b = memory("a"), memory("b")

    def picked(one: Memory, other: Memory, change_id: str | None = None) -> str:
        plan = plan_link(several, one, other, "causes", now=NOW, link_id="n", change_id=change_id)
        return plan.changes[0].key.id

    assert [found.id for found in find_links_between(several, "a", "b")] == ["back", "old", "young"]
    assert picked(a, b) == "old"
    assert picked(b, a) == "back"
    assert picked(a, b, "young") == "young"
    with pytest.raises(BadValue):
        picked(a, b, "elsewhere")


def test_a_changed_label_alone_is_said_so() -> None:
    plan = plan_link(
        [link("l", "b", "a")], memory("a"), memory("b"), "related", "x", now=NOW, link_id="n"
    )
    assert plan.changes[0].why == "labelled anew"


def test_links_to_itself_and_unknown_relations_are_refused() -> None:
    with pytest.raises(BadValue, match="itself"):
        plan_link([], memory("a"), memory("a"), "related", now=NOW, link_id="l")
    with pytest.raises(BadValue) as caught:
        plan_link([], memory("a"), memory("b"), "likes", now=NOW, link_id="l")
    assert caught.value.field == "relation"


def test_unlinking_deletes_the_row_as_it_was_seen() -> None:
    plan = plan_unlink(link("l", "a", "b", "causes"), from_label="A", to_label="B")
    (change,) = plan.changes
    assert plan.label == "Unlink A → B"
    assert change.after is None
    assert change.before is not None
    assert change.before["relation_type"] == "causes"
    assert plan.log[0].event_type == "memory_link_removed"
    assert plan_unlink(link("l", "a", "b")).label == "Unlink a → b"


# Trust


def test_trust_of_a_source_without_a_row_makes_one() -> None:
    plan = set_trust([], {"  Slack  #X ": 0.2})
    (change,) = plan.changes
    assert plan.label == "Set trust of slack #x to 0.20"
    assert change.why == "was not set"
    assert change.after == {
        "id": "new1",
        "brain_id": BRAIN,
        "source_key": "slack #x",
        "trust": 0.2,
        "notes": None,
        "created_at": NOW,
        "updated_at": NOW,
    }
    assert plan.log[0].entity_id == "slack #x"
    assert plan.log[0].payload == {
        "source": "slack #x",
        "trust": 0.2,
        "before": {"trust": None},
        "after": {"trust": 0.2},
    }


def test_a_new_value_keeps_the_note() -> None:
    (change,) = set_trust([trust("t", "blog", 0.4, "kept")], {"blog": 0.6}).changes
    assert change.written == {"trust": 0.6, "updated_at": NOW}
    assert change.why == "was 0.40"


def test_clearing_deletes_the_row_and_logs_null() -> None:
    plan = set_trust([trust("t", "blog", 0.4, "n")], {"Blog": None})
    (change,) = plan.changes
    assert change.after is None
    assert change.before is not None
    assert change.before["notes"] == "n"
    assert plan.log[0].payload["trust"] is None
    assert plan.label == "Clear trust of blog"


def test_several_sources_are_one_step() -> None:
    current = [trust("t", "blog", 0.4), trust("s", "slack", 0.5)]
    plan = set_trust(current, {"blog": 0.6, "slack": 0.5, "new": 0.1, "gone": None})
    assert plan.label == "Set trust of 2 sources"
    assert [entry.entity_id for entry in plan.log] == ["blog", "new"]
    assert set_trust(current, {"blog": None, "slack": None}).label == "Clear trust of 2 sources"


def test_the_same_trust_again_changes_nothing() -> None:
    assert set_trust([trust("t", "blog", 0.4)], {"blog": 0.4}).is_empty
    assert set_trust([], {"blog": None}).is_empty
    assert set_trust([], {}).is_empty


def test_rows_that_a_foreign_file_holds_twice_are_set_alike() -> None:
    current = [trust("t1", "blog", 0.4), trust("t2", "blog", 0.9)]
    plan = set_trust(current, {"blog": 0.9})
    assert [change.key.id for change in plan.changes] == ["t1"]
    assert len(set_trust(current, {"blog": None}).changes) == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"": 0.5},
        {" \t": 0.5},
        {"blog": 1.5},
        {"blog": float("nan")},
        {"blog": True},
        {"blog": 0.5, "BLOG": 0.6},
        {"x\ud800": 0.5},
        {"a" * 159 + "😀": 0.5},
    ],
)
def test_bad_trusts_are_refused(changes: dict) -> None:
    with pytest.raises(BadValue):
        set_trust([], changes)


def test_a_source_spelled_twice_with_one_trust_is_fine() -> None:
    assert len(set_trust([], {"blog": 0.5, "BLOG ": 0.5}).changes) == 1


def test_a_note_needs_a_trust() -> None:
    def annotate(current: list[SourceTrust], note: str | None) -> object:
        return plan_annotate(current, "Blog", note, brain_id=BRAIN, now=NOW)

    current = [trust("t", "blog", 0.4)]
    plan = annotate(current, "my own")
    assert plan.label == "Annotate blog"
    assert plan.changes[0].written == {"notes": "my own", "updated_at": NOW}
    assert plan.log[0].payload["trust"] == 0.4
    assert annotate(current, " ").is_empty
    assert annotate(current, " ").log == ()
    with pytest.raises(BadValue, match="no trust"):
        annotate([], "x")
    with pytest.raises(BadValue, match="401"):
        annotate(current, "x" * 401)


# Archive, restore, delete


def test_archiving_leaves_out_what_is_archived() -> None:
    plan = plan_archive([memory("a"), memory("b", archived_at=5)], brain_id=BRAIN, now=NOW)
    (change,) = plan.changes
    assert change.written == {"archived_at": NOW, "updated_at": NOW}
    assert plan.log[0].payload["ids"] == ["a"]
    assert plan.label == "Archive Rent"
    nothing = plan_archive([memory("b", archived_at=5)], brain_id=BRAIN, now=NOW)
    assert nothing.is_empty
    assert nothing.log == ()


def test_restoring_logs_an_update_of_archived() -> None:
    plan = plan_restore([memory("a", archived_at=5), memory("b")], brain_id=BRAIN, now=NOW)
    assert plan.changes[0].written == {"archived_at": None, "updated_at": NOW}
    updated = plan.log[0].payload["updated_fields"]
    assert isinstance(updated, dict)
    assert updated["archived"]
    assert plan_restore([memory("b")], brain_id=BRAIN, now=NOW).is_empty


def test_deleting_takes_the_links_first() -> None:
    links = [link("l", "a", "z"), link("l", "a", "z"), link("far", "y", "z")]
    plan = plan_delete([memory("a"), memory("c")], links, brain_id=BRAIN)
    assert [change.key.id for change in plan.changes] == ["l", "a", "c"]
    assert [entry.event_type for entry in plan.log] == [
        "memory_link_removed",
        "memory_deleted",
        "memory_deleted",
    ]
    assert plan.label == "Delete 2 memories"
