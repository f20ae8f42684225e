"""Review queue, statistics and neighbourhoods: rules at their edges."""

from __future__ import annotations

import pytest

from mvdesk.vault.questions.review import ReviewQueue, ReviewSettings, find_review_queue
from mvdesk.vault.questions.stats import count_all, count_tags, measure_graph, spread_of_scores
from mvdesk.vault.questions.subgraph import find_neighbours, find_subgraph
from tests.vault.made import DAY, NOW, link, memory, scores_of, snapshot_of

ANY = ReviewSettings(0, 0, 1, None)


def queue_of(*memories: object, asked: ReviewSettings = ANY) -> ReviewQueue:
    return find_review_queue(snapshot_of(memories), asked, now=NOW)


# Review


def test_important_unsure_stale_and_lonely_memories_are_urgent() -> None:
    plain = {"importance": 0.5, "confidence": 0.5, "updated_at": NOW}
    memories = [
        memory("plain", **plain),
        memory("important", **plain | {"importance": 0.9}),
        memory("unsure", **plain | {"confidence": 0.1}),
        memory("stale", **plain | {"updated_at": NOW - 90 * DAY}),
        memory("linked", **plain),
    ]
    snapshot = snapshot_of(memories, [link("linked", "linked")])
    queue = find_review_queue(snapshot, ANY, now=NOW)
    assert [memories[row].id for row in queue.rows] == [
        "stale", "important", "unsure", "plain", "linked",
    ]  # fmt: skip
    assert queue.urgency[0] == round(0.5 * 0.35 + 0.5 * 0.25 + 0.25 + 0.15, 3)


def test_thresholds_and_the_archive_leave_memories_out() -> None:
    asked = ReviewSettings(0.4, 7, 0.8, None)
    week = NOW - 7 * DAY
    queue = queue_of(
        memory("in", importance=0.4, confidence=0.8, created_at=week),
        memory("young", created_at=week + 1),
        memory("slight", importance=0.39),
        memory("sure", confidence=0.81),
        memory("gone", archived_at=NOW),
        asked=asked,
    )
    assert queue.rows.tolist() == [0]
    assert queue.scanned_count == 2  # sure ones are looked at, too


def test_a_recall_ends_idleness() -> None:
    queue = queue_of(memory("m", last_accessed_at=NOW - DAY, created_at=NOW - 50 * DAY))
    assert queue.idle_days.tolist() == [1.0]
    assert queue.age_days.tolist() == [50.0]


def test_the_limit_keeps_the_most_urgent_and_ties_go_by_age() -> None:
    memories = [memory("a", updated_at=5), memory("b", updated_at=4)]
    assert queue_of(*memories).rows.tolist() == [1, 0]
    assert queue_of(*memories, asked=ReviewSettings(0, 0, 1, 1)).rows.tolist() == [1]


@pytest.mark.parametrize("days", [1e308, 1e300, 1e15])
def test_an_age_longer_than_any_clock_finds_nothing(days: float) -> None:
    assert queue_of(memory("m"), asked=ReviewSettings(0, days, 1)).scanned_count == 0


def test_review_settings_out_of_range_are_moved_into_it() -> None:
    assert ReviewSettings(-1, -1, 7, 900).clamped() == ReviewSettings(0, 0, 1, 50)
    assert ReviewSettings(limit=0).clamped().limit == 1
    assert ReviewSettings(limit=None).clamped().limit is None


# Statistics


def test_an_empty_brain_counts_nothing() -> None:
    snapshot = snapshot_of([])
    scores = scores_of(snapshot)
    counts = count_all(snapshot, scores)
    assert (counts.active, counts.recent, counts.recent_confidence) == (0, (), None)
    graph = measure_graph(snapshot, scores, max_inferred=10)
    assert (graph.components, graph.largest_component, graph.density) == (0, 0, 0.0)
    assert (graph.hubs, graph.confidence) == ((), None)
    assert count_tags(snapshot).unique == 0
    assert spread_of_scores(snapshot, scores).confidence == (0,) * 10


def test_links_of_unknown_relation_or_to_nowhere_count_as_links() -> None:
    memories = [memory("a"), memory("b"), memory("alone")]
    links = [link("a", "b", "likes"), link("a", "lost", "supports")]
    snapshot = snapshot_of(memories, links)
    graph = measure_graph(snapshot, scores_of(snapshot), max_inferred=10, hubs=1)
    assert graph.links == 2
    assert (graph.relations["related"], graph.relations["supports"]) == (1, 1)
    assert (graph.components, graph.isolated, graph.largest_component) == (2, 1, 2)
    (hub,) = graph.hubs
    assert (hub.row, hub.degree) == (0, 2)
    assert count_all(snapshot, scores_of(snapshot)).by_relation == {"related": 1, "supports": 1}


def test_scores_are_counted_by_tenths_and_one_is_in_the_last() -> None:
    snapshot = snapshot_of([memory("a", confidence=1.0), memory("gone", archived_at=NOW)])
    spread = spread_of_scores(snapshot, scores_of(snapshot))
    assert sum(spread.confidence) == sum(spread.importance) == 1
    top = scores_of(snapshot).confidence[0]
    assert spread.confidence[min(int(top * 10), 9)] == 1


def test_tags_below_the_least_count_are_left_out() -> None:
    snapshot = snapshot_of(
        [memory("a", tags="x,y"), memory("b", tags="x,y"), memory("c", tags="z")]
    )
    tags = count_tags(snapshot)
    assert [(one.tag, one.count) for one in tags.tags] == [("x", 2), ("y", 2)]
    assert tags.pairs == (("x", "y", 2),)
    assert tags.unique == 3
    assert count_tags(snapshot, include_pairs=False).pairs == ()
    assert len(count_tags(snapshot, limit=1).tags) == 1


# Neighbourhoods


def test_neighbours_are_reached_over_suggested_links_unless_another_relation_is_asked_for() -> None:
    memories = [memory("a", tags="x,y"), memory("b", tags="x,y"), memory("c")]
    snapshot = snapshot_of(memories, [link("b", "c", "supports")])
    asked = {"hops": 2, "limit": 10, "max_inferred": 10}
    found = find_neighbours(snapshot, 0, **asked)
    assert found.rows.tolist() == [0, 1, 2]
    assert [(one.from_row, one.to_row, one.tags) for one in found.inferred] == [(0, 1, ("x", "y"))]
    assert find_neighbours(snapshot, 0, include_inferred=False, **asked).rows.tolist() == [0]
    assert find_neighbours(snapshot, 0, relation="supports", **asked).rows.tolist() == [0]
    assert find_neighbours(snapshot, 0, relation="related", **asked).rows.tolist() == [0, 1]


def test_archived_memories_are_not_passed() -> None:
    memories = [memory("a"), memory("gone", archived_at=NOW), memory("c")]
    snapshot = snapshot_of(memories, [link("a", "gone"), link("gone", "c"), link("a", "lost")])
    found = find_subgraph(snapshot, [0], radius=3, limit=10, max_inferred=10)
    assert found.rows.tolist() == [0]
    assert len(found.links) == 0


def test_suggested_links_of_a_subgraph_are_counted_within_it() -> None:
    crowd = [memory(f"m{n}", tags="x,y", created_at=n) for n in range(8)]
    snapshot = snapshot_of(crowd, [link("m0", "m1"), link("m1", "m2")])
    found = find_subgraph(snapshot, [0], radius=2, limit=10, max_inferred=10)
    # Only m0 and m2 aren't linked; among three memories two tags are enough.
    assert [(one.from_row, one.to_row) for one in found.inferred] == [(0, 2)]
    assert sorted(found.links.tolist()) == [0, 1]
    alone = find_subgraph(
        snapshot, [0], radius=1, limit=10, include_inferred=False, max_inferred=10
    )
    assert alone.inferred == ()


def test_linked_pairs_are_dropped_after_the_cut() -> None:
    tags = ["a,b,c", "a,b,c", "x,y", "x,y"]
    memories = [memory(f"m{n}", tags=text, created_at=9 - n) for n, text in enumerate(tags)]
    asked = {"hops": 1, "limit": 10}
    linked = snapshot_of(memories, [link("m1", "m0"), link("m2", "lost")])
    kept = find_neighbours(linked, 2, max_inferred=2, **asked).inferred
    assert [(one.from_row, one.to_row) for one in kept] == [(2, 3)]
    assert find_neighbours(linked, 2, max_inferred=1, **asked).inferred == ()
