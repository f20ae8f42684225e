"""Merging memories: what the one gets, where the others and their links go."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import BadValue
from mvdesk.vault.operations.merge import pick_primary, plan_merge
from mvdesk.vault.plan import LINKS, MEMORIES
from mvdesk.vault.snapshot import read_snapshot, refresh_snapshot
from tests.vault.made import NOW, link, memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.records import Link, Memory
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault

A = memory("a", title="First", tags="Home, rent", confidence=0.6, importance=0.9)
B = memory("b", title="Second", tags="rent,flat", confidence=0.8, importance=0.2)
C = memory("c", content="Third text.")


def merge(memories: list[Memory], links: list[Link] | None = None, **options: object) -> Plan:
    ids = (f"new{number}" for number in count(1))
    return plan_merge(memories, links or [], now=NOW, new_id=lambda: next(ids), **options)


def links_after(links: list[Link], plan: Plan) -> set[tuple[object, ...]]:
    ends = {one.id: (one.from_id, one.to_id, one.relation_type) for one in links}
    for change in plan.changes:
        if change.key.table != LINKS:
            continue
        if change.after is None:
            del ends[change.key.id]
        else:
            after = change.after
            ends[change.key.id] = (after["from_id"], after["to_id"], after["relation_type"])
    assert len(set(ends.values())) == len(ends), "the same link twice"
    return set(ends.values())


def test_the_one_gets_all_texts_tags_and_the_highest_bases() -> None:
    plan = merge([B, A, C])
    first = plan.changes[0]
    assert first.key.id == "a"
    assert first.after == {
        "title": "First",
        "content": "Text of a.\n\n---\n\nText of b.\n\n---\n\nThird text.",
        "tags": "flat,home,rent",
        "confidence": 0.8,
        "importance": 0.9,
        "updated_at": NOW,
    }
    assert first.before is not None
    assert first.before["updated_at"] == A.updated_at
    assert plan.label == "Merge 3 memories into First"


def test_title_and_text_can_be_given() -> None:
    after = merge([A, B], content="Rent.", title="Rent", primary_id="b").changes[0].after
    assert after is not None
    assert (after["title"], after["content"]) == ("Rent", "Rent.")


def test_the_others_go_to_the_archive_superseded_by_the_one() -> None:
    plan = merge([A, B, C])
    archived = [change for change in plan.changes[1:] if change.key.table == MEMORIES]
    assert [(change.key.id, change.written) for change in archived] == [
        ("b", {"archived_at": NOW, "updated_at": NOW}),
        ("c", {"archived_at": NOW, "updated_at": NOW}),
    ]
    assert links_after([], plan) == {("a", "b", "supersedes"), ("a", "c", "supersedes")}


def test_links_of_the_others_lead_to_the_one_unless_it_has_them() -> None:
    links = [
        link("b", "x", "supports"),
        link("y", "b", "causes"),
        link("a", "z", "related"),
        link("b", "z", "related"),
        link("c", "x", "supports"),
        link("b", "b", "related"),
    ]
    assert links_after(links, merge([A, B, C], links)) == {
        ("a", "b", "supersedes"),
        ("a", "c", "supersedes"),
        ("a", "x", "supports"),
        ("y", "a", "causes"),
        ("a", "z", "related"),
    }


@pytest.mark.parametrize(
    "between",
    [
        [link("a", "b", "contradicts")],
        [link("b", "a", "supports")],
        [link("b", "a", "supersedes"), link("a", "b", "supersedes")],
        [link("a", "b", "related"), link("a", "b", "supersedes"), link("b", "a")],
    ],
)
def test_of_links_between_them_one_stays_and_leads_from_the_one(between: list[Link]) -> None:
    # A known fault of the server: a link that led the other way was turned into
    # "supersedes" and then deleted, and nothing told what became of the memory.
    plan = merge([A, B], between)
    assert links_after(between, plan) == {("a", "b", "supersedes")}


def test_links_among_the_others_go() -> None:
    links = [link("b", "c", "supports")]
    assert links_after(links, merge([A, B, C], links)) == {
        ("a", "b", "supersedes"),
        ("a", "c", "supersedes"),
    }


def test_the_changelog_has_the_servers_words() -> None:
    entry = merge([A, B]).log[0]
    assert (entry.event_type, entry.entity_id) == ("memory_merged", "a")
    assert entry.payload["primary_id"] == "a"
    assert entry.payload["archived_ids"] == ["b"]
    assert entry.payload["source_count"] == 2
    assert entry.payload["before"]["b"] == {"archived_at": None}
    assert entry.payload["before"]["a"]["content"] == "Text of a."
    assert entry.payload["after"]["a"]["content"] == "Text of a.\n\n---\n\nText of b."


def test_the_most_important_is_the_one_then_the_newest() -> None:
    young = memory("young", created_at=NOW)
    assert pick_primary([B, A, C]) is A
    assert pick_primary([C, young]) is young
    assert pick_primary([memory("wild", importance=7.0, created_at=1), young]).id == "wild"


def test_a_foreign_base_out_of_range_is_brought_into_it() -> None:
    after = merge([memory("p", confidence=4.0), memory("q", importance=-1.0)]).changes[0].after
    assert after is not None
    assert (after["confidence"], after["importance"]) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("memories", "options", "field"),
    [
        ([A], {}, "memories"),
        ([A, A], {}, "memories"),
        ([A, memory("gone", archived_at=5)], {}, "memories"),
        ([A, B], {"primary_id": "c"}, "primary"),
        ([A, B], {"content": " "}, "content"),
        ([A, B], {"title": 5}, "title"),
    ],
)
def test_a_merge_that_makes_no_sense_is_refused(
    memories: list[Memory], options: dict, field: str
) -> None:
    with pytest.raises(BadValue) as refused:
        merge(memories, **options)
    assert refused.value.field == field


def test_hubs_of_a_real_brain_merge_and_come_apart_again(
    server: Vault, contents: Callable[[Path], dict]
) -> None:
    untouched = contents(server.path)
    snapshot = read_snapshot(server)
    degrees = snapshot.link_counts[:, 0].argsort()[::-1]
    active = [row for row in degrees.tolist() if snapshot.memories.archived_at[row] < 0]
    ids = [snapshot.memories.ids.text(row) for row in active[:4]]
    numbers = count(1)
    plan = plan_merge(
        server.read_memories(ids),
        server.read_links_of(*ids),
        now=NOW,
        new_id=lambda: f"merged-{next(numbers)}",
    )
    changes = server.apply(plan, now=NOW)
    refreshed, whole = refresh_snapshot(server, snapshot, changes), read_snapshot(server)
    assert refreshed.link_counts.tolist() == whole.link_counts.tolist()
    merged = whole.row_of(plan.changes[0].key.id)
    assert merged is not None
    assert whole.link_counts[merged, 0] > snapshot.link_counts[merged, 0]
    for other in set(ids) - {plan.changes[0].key.id}:
        row = whole.row_of(other)
        assert row is not None
        assert whole.link_counts[row].tolist() == [1, 0, 0, 1, 0, 0]
    server.undo(now=NOW)
    assert contents(server.path) == untouched
