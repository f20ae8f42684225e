"""Deciding about two memories that contradict each other."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from mvdesk.errors import BadValue
from mvdesk.records import ConflictResolution
from mvdesk.vault import rules
from mvdesk.vault.operations.conflicts import find_resolution, pair_key, plan_resolve
from mvdesk.vault.plan import LINKS, RESOLUTIONS
from tests.vault.made import BRAIN, NOW, link, memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mvdesk.records import Link
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault

A, B = memory("a", title="Rent is 900"), memory("b", title="Rent is 950")


def decision(status: str = "resolved", **fields: object) -> ConflictResolution:
    plain: dict = {
        "id": "r1",
        "brain_id": BRAIN,
        "pair_key": "a|b",
        "a_id": "a",
        "b_id": "b",
        "canonical_id": None,
        "note": None,
        "created_at": 5,
        "updated_at": 7,
    }
    return ConflictResolution(status=status, **plain | fields)


def resolve(
    status: str = "resolved",
    *,
    stored: ConflictResolution | None = None,
    links: list[Link] | None = None,
    **options: object,
) -> Plan:
    ids = (f"new{number}" for number in count(1))
    return plan_resolve(
        A,
        B,
        status,
        stored=stored,
        links=links or [],
        now=NOW,
        new_id=lambda: next(ids),
        **options,
    )


def test_a_decision_is_stored_under_both_ids() -> None:
    (change,) = resolve("dismissed", note="  fine  ").changes
    assert change.key.table == RESOLUTIONS
    assert change.before is None
    assert change.after == {
        "id": "new1",
        "brain_id": BRAIN,
        "pair_key": "a|b",
        "a_id": "a",
        "b_id": "b",
        "status": "dismissed",
        "canonical_id": None,
        "note": "fine",
        "created_at": NOW,
        "updated_at": NOW,
    }
    assert pair_key("b", "a") == "a|b"


def test_the_changelog_has_the_servers_words_and_before_and_after() -> None:
    plan = resolve("dismissed", stored=decision("needs_review", pair_key="a::b"))
    (entry,) = plan.log
    assert (entry.event_type, entry.entity_type) == ("memory_conflict_resolved", "memory_conflict")
    assert entry.entity_id == "a::b"
    assert entry.summary == "Conflict marked as dismissed"
    assert entry.payload["status"] == "dismissed"
    undone = entry.inverse()
    assert undone.payload["status"] == "needs_review"
    assert undone.payload["after"] == {"status": "needs_review", "canonical_id": None, "note": None}


def test_the_one_that_holds_supersedes_the_other() -> None:
    _, linked = resolve("resolved", canonical_id="b").changes
    assert linked.key.table == LINKS
    assert linked.after is not None
    assert (linked.after["from_id"], linked.after["to_id"]) == ("b", "a")
    assert (linked.after["relation_type"], linked.after["label"]) == (
        "supersedes",
        "conflict_resolution",
    )


@pytest.mark.parametrize("status", ["needs_review", "dismissed"])
def test_an_open_or_dismissed_conflict_gets_no_link(status: str) -> None:
    assert len(resolve(status, canonical_id="a").changes) == 1


def test_a_link_from_the_one_that_holds_becomes_supersedes() -> None:
    links = [link("a", "b", "contradicts"), link("a", "c", "supports")]
    _, linked = resolve("superseded", canonical_id="a", links=links).changes
    assert linked.key.id == "a>b:contradicts"
    assert linked.written == {"relation_type": "supersedes", "label": "conflict_resolution"}


def test_a_link_the_other_way_stays_unless_it_is_to_be_retired() -> None:
    links = [link("b", "a", "contradicts"), link("b", "a", "related")]
    kept = resolve("resolved", canonical_id="a", links=links)
    assert [change.why for change in kept.changes] == ["marked resolved", "linked"]
    retired = resolve("resolved", canonical_id="a", links=links, retire=True)
    assert [change.why for change in retired.changes] == ["marked resolved", "linked", "removed"]
    assert retired.changes[-1].key.id == "b>a:contradicts"
    assert retired.log[-1].event_type == "memory_link_removed"


def test_a_contradiction_that_became_supersedes_is_not_retired_as_well() -> None:
    links = [link("a", "b", "contradicts")]
    plan = resolve("resolved", canonical_id="a", links=links, retire=True)
    assert [change.why for change in plan.changes] == [
        "marked resolved",
        "contradicts becomes supersedes",
    ]


def test_deciding_the_same_again_writes_nothing() -> None:
    made = link("a", "b", "supersedes", label="conflict_resolution")
    stored = decision(canonical_id="a", note="n")
    assert resolve(stored=stored, canonical_id="a", note="n", links=[made]).is_empty
    again = resolve(stored=stored, canonical_id="a", note="other", links=[made])
    assert [change.why for change in again.changes] == ["decided anew"]
    changed = resolve("dismissed", stored=stored)
    assert changed.changes[0].why == "resolved becomes dismissed"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"status": "done"}, "status"),
        ({"canonical_id": "c"}, "canonical"),
        ({"note": "x" * 601}, "note"),
        ({"note": "half \ud800"}, "note"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(options: dict, field: str) -> None:
    with pytest.raises(BadValue) as refused:
        resolve(**options)
    assert refused.value.field == field


def test_a_memory_cannot_contradict_itself() -> None:
    with pytest.raises(BadValue, match="itself"):
        plan_resolve(A, A, "resolved", stored=None, links=[], now=NOW, new_id=lambda: "n")


def test_the_last_decision_counts_however_its_key_is_spelled() -> None:
    old, new = decision("dismissed", pair_key="b::a", updated_at=3), decision(updated_at=9)
    assert find_resolution([new, old], "b", "a") is new
    assert find_resolution([old], "a", "b") is old
    assert find_resolution([old], "a", "c") is None


def test_every_stored_decision_is_changed_in_place_and_undone(
    server: Vault, contents: Callable[[Path], dict]
) -> None:
    untouched = contents(server.path)
    stored = rules.read_resolutions(server)
    assert len(stored) == 6
    for one in stored:
        a, b = (server.read_memory(memory_id) for memory_id in (one.a_id, one.b_id))
        plan = plan_resolve(
            a,
            b,
            "needs_review" if one.status != "needs_review" else "superseded",
            canonical_id=b.id,
            stored=find_resolution(stored, a.id, b.id),
            links=server.read_links_of(a.id),
            now=NOW,
            new_id=lambda: "fresh-id",
        )
        server.apply(plan, now=NOW)
        after = rules.read_resolutions(server)
        assert len(after) == 6
        assert after[-1].id == one.id  # the last change comes last
        assert after[-1].canonical_id == b.id
        server.undo(now=NOW)
        assert contents(server.path) == untouched
