"""Which facts contradict each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvdesk.records import ConflictResolution
from mvdesk.vault.questions.conflicts import (
    BY_KEY,
    BY_LINK,
    HIDDEN_STATUSES,
    Conflicts,
    ConflictSettings,
    find_conflicts,
)
from tests.vault.made import BRAIN, NOW, link, memory, reader_of, scores_of, snapshot_of

if TYPE_CHECKING:
    from mvdesk.records import Link, Memory

ALL = ConflictSettings(min_confidence=0, include_resolved=True, limit=None)


def decided(one: str, other: str, status: str, at: int = 1) -> ConflictResolution:
    return ConflictResolution(
        f"{one}/{other}/{at}", BRAIN, f"{one}::{other}", one, other, status, None, None, at, at
    )


def conflicts_of(
    memories: list[Memory],
    links: list[Link] | None = None,
    resolutions: list[ConflictResolution] | None = None,
    asked: ConflictSettings = ALL,
) -> Conflicts:
    snapshot = snapshot_of(memories, links or [])
    return find_conflicts(
        snapshot, scores_of(snapshot), resolutions or [], reader_of(memories), asked
    )


def test_a_contradicting_link_between_facts_is_one() -> None:
    memories = [memory("a"), memory("b"), memory("note", type="note")]
    links = [
        link("b", "a", "contradicts"),
        link("a", "note", "contradicts"),
        link("a", "a", "contradicts"),
        link("a", "lost", "contradicts"),
        link("a", "b", "related"),
    ]
    (one,) = conflicts_of(memories, links).conflicts
    assert (one.kind, one.a_row, one.b_row, one.link_row, one.fact_key) == (BY_LINK, 1, 0, 0, "")


def test_one_key_with_two_texts_is_one_however_it_is_written() -> None:
    memories = [
        memory("a", key="Rent", content="900 a month", confidence=0.2),
        memory("b", key=" rent\ufeff", content="950 a month"),
    ]
    (one,) = conflicts_of(memories).conflicts
    assert (one.kind, one.fact_key, one.link_row) == (BY_KEY, "rent", -1)
    assert (one.a_row, one.b_row) == (1, 0)  # the more confident one first
    assert one.confidence[0] > one.confidence[1]


@pytest.mark.parametrize(
    "other",
    [
        {"key": "rent", "content": " 900  A\tmonth\n"},
        {"key": "rent", "content": "  "},
        {"key": "rents"},
        {"key": None},
        {"key": "rent", "archived_at": NOW},
        {"key": "rent", "type": "note"},
    ],
)
def test_the_same_text_a_blank_one_or_another_key_is_none(other: dict) -> None:
    memories = [memory("a", key="rent", content="900 a month"), memory("b", **other)]
    assert conflicts_of(memories) == Conflicts(ALL, 0, ())


def test_blank_keys_are_no_key() -> None:
    assert conflicts_of([memory("a", key=" "), memory("b", key="\ufeff")]).total == 0


def test_a_pair_with_link_and_key_counts_once_as_a_link() -> None:
    memories = [memory("a", key="k"), memory("b", key="k"), memory("c", key="k")]
    found = conflicts_of(memories, [link("b", "a", "contradicts"), link("a", "b", "contradicts")])
    assert found.total == 3
    assert sorted(one.kind for one in found.conflicts) == [BY_LINK, BY_KEY, BY_KEY]


@pytest.mark.parametrize("status", ["needs_review", *sorted(HIDDEN_STATUSES)])
def test_what_was_decided_is_hidden_unless_it_needs_review(status: str) -> None:
    memories = [memory("a", key="k"), memory("b", key="k"), memory("c"), memory("d")]
    links = [link("c", "d", "contradicts")]
    # Decisions about what is no conflict, or not there, hide nothing.
    others = [decided("a", "c", status), decided("a", "lost", status)]
    resolutions = [decided("b", "a", status), decided("c", "d", status), *others]
    asked = ConflictSettings(min_confidence=0, limit=None)
    found = conflicts_of(memories, links, resolutions, asked)
    shown = 0 if status in HIDDEN_STATUSES else 2
    assert (found.total, len(found.conflicts)) == (shown, shown)
    every = conflicts_of(memories, links, resolutions)
    assert [one.resolution.status for one in every.conflicts if one.resolution] == [status] * 2


def test_the_last_decision_counts() -> None:
    memories = [memory("a", key="k"), memory("b", key="k")]
    resolutions = [decided("a", "b", "resolved", 1), decided("b", "a", "needs_review", 2)]
    asked = ConflictSettings(min_confidence=0)
    assert conflicts_of(memories, [], resolutions, asked).total == 1


def test_the_threshold_is_compared_with_the_score() -> None:
    memories = [memory("a", key="k", confidence=0.62), memory("b", key="k", confidence=0.1)]
    scores = scores_of(snapshot_of(memories))
    weakest = float(scores.confidence.min())
    assert conflicts_of(memories, asked=ConflictSettings(weakest)).total == 1
    assert conflicts_of(memories, asked=ConflictSettings(weakest + 0.001)).total == 0


@given(
    texts=st.lists(st.sampled_from("xyz"), min_size=2, max_size=9),
    bases=st.lists(st.floats(0, 1), min_size=9, max_size=9),
    keys=st.lists(st.sampled_from(["k", "l", None]), min_size=9, max_size=9),
    ends=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=6),
    decisions=st.lists(
        st.tuples(
            st.integers(0, 8), st.integers(0, 8), st.sampled_from(["resolved", "needs_review"])
        ),
        max_size=4,
    ),
    limit=st.none() | st.integers(1, 10),
    include_resolved=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_the_strongest_conflicts_are_listed_and_all_are_counted(
    texts: list[str],
    bases: list[float],
    keys: list[str | None],
    ends: list[tuple[int, int]],
    decisions: list[tuple[int, int, str]],
    limit: int | None,
    include_resolved: bool,
) -> None:
    memories = [
        memory(f"m{n}", key=keys[n], content=text, confidence=bases[n])
        for n, text in enumerate(texts)
    ]
    links = [link(f"m{one}", f"m{other}", "contradicts") for one, other in dict.fromkeys(ends)]
    resolutions = [
        decided(f"m{one}", f"m{other}", status, at)
        for at, (one, other, status) in enumerate(decisions)
        if one != other
    ]
    asked = ConflictSettings(0, include_resolved, limit)
    found = conflicts_of(memories, links, resolutions, asked)

    confidence = scores_of(snapshot_of(memories, links)).confidence
    status = {frozenset((one.a_id, one.b_id)): one.status for one in resolutions}
    joined = {frozenset((one.from_id, one.to_id)) for one in links}
    sums = []
    for one, other in combinations(range(len(memories)), 2):
        pair = frozenset((f"m{one}", f"m{other}"))
        same_key = keys[one] is not None and keys[one] == keys[other] and texts[one] != texts[other]
        hidden = not include_resolved and status.get(pair) == "resolved"
        if (same_key or pair in joined) and not hidden:
            sums.append(confidence[one] + confidence[other])
    assert found.total == len(sums)
    assert [sum(one.confidence) for one in found.conflicts] == sorted(sums, reverse=True)[:limit]


def test_many_facts_with_one_key_cost_no_more_than_what_is_listed() -> None:
    memories = [memory(f"m{n}", key="k") for n in range(3000)]
    found = conflicts_of(memories, asked=ConflictSettings(0, limit=5))
    assert found.total == 3000 * 2999 // 2
    assert len(found.conflicts) == 5


def test_settings_out_of_range_are_moved_into_it() -> None:
    assert ConflictSettings(7, True, 5000).clamped() == ConflictSettings(1, True, 200)
    assert ConflictSettings(-1, limit=0).clamped() == ConflictSettings(0, limit=1)
    assert ConflictSettings(limit=None).clamped().limit is None


def test_a_brain_without_facts_has_none() -> None:
    assert conflicts_of([memory("a", type="note", key="k")]).total == 0
