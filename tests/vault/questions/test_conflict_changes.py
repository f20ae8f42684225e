"""Conflicts that appear and vanish; test_tuning_truth compares them with the whole list."""

from __future__ import annotations

import numpy as np
import pytest

from mvdesk.records import ConflictResolution
from mvdesk.scoring.engine import Scores
from mvdesk.vault.questions.conflict_changes import ConflictIndex
from mvdesk.vault.questions.conflicts import ConflictSettings, find_conflicts
from tests.vault.made import BRAIN, link, memory, reader_of, snapshot_of


def confident(*values: float) -> Scores:
    column = np.array(values)
    return Scores(column, column, column, column)


def index_of(memories: list, links: tuple = (), decided: tuple = ()) -> ConflictIndex:
    return ConflictIndex(snapshot_of(memories, links), decided, reader_of(memories))


FACTS = [memory(name, key="rent", content=f"Text {name}.") for name in "abcd"]


def test_only_facts_that_cross_the_threshold_change_anything() -> None:
    index = index_of(FACTS)
    before, after = confident(0.7, 0.69, 0.9, 0.1), confident(0.8, 0.7, 0.95, 0.2)
    changes = index.find_changes(before, after)
    assert [(one.a_row, one.b_row, one.confidence) for one in changes.appearing] == [
        (2, 1, (0.95, 0.7)),
        (0, 1, (0.8, 0.7)),
    ]
    assert (changes.appearing_total, changes.vanishing_total, changes.is_empty) == (2, 0, False)
    assert changes.threshold == 0.7
    back = index.find_changes(after, before)
    assert [(one.a_row, one.b_row, one.confidence) for one in back.vanishing] == [
        (2, 1, (0.95, 0.7)),
        (0, 1, (0.8, 0.7)),
    ]
    assert back.appearing == ()
    assert index.find_changes(before, before).is_empty
    assert index.find_changes(before, after, threshold=0.9).is_empty


def test_the_limit_leaves_weak_ones_out_and_counts_them() -> None:
    index = index_of(FACTS)
    changes = index.find_changes(confident(0, 0, 0, 0), confident(1, 0.9, 0.8, 0.7), limit=2)
    assert [(one.a_row, one.b_row) for one in changes.appearing] == [(0, 1), (0, 2)]
    assert changes.appearing_total == 6


def test_a_pair_with_a_link_and_a_key_is_one_conflict_and_a_decided_one_is_none() -> None:
    ruling = ConflictResolution("r", BRAIN, "a|c", "a", "c", "dismissed", None, None, 1, 1)
    review = ConflictResolution("s", BRAIN, "a|b", "a", "b", "needs_review", None, None, 1, 1)
    index = index_of(FACTS, (link("b", "a", "contradicts"),), (ruling, review))
    changes = index.find_changes(confident(0, 0, 0, 0), confident(0.8, 0.8, 0.8, 0))
    told = [(one.a_row, one.b_row, one.link_row) for one in changes.appearing]
    assert told == [(1, 0, 0), (1, 2, -1)]
    assert changes.appearing[0].resolution is review
    assert changes.appearing_total == 2
    assert index.open_rows(confident(0.8, 0.0, 0.8, 0)).tolist() == []
    assert index.open_rows(confident(0.8, 0.8, 0.8, 0)).tolist() == [0, 1, 2]


def test_a_key_that_hundreds_share_is_counted_at_once() -> None:
    many = [memory(f"m{n:03d}", key="k", content=f"{n % 7}") for n in range(400)]
    index = index_of(many)
    low, high = confident(*[0.5] * 400), confident(*[0.9] * 400)
    changes = index.find_changes(low, high, limit=5)
    same = sum(
        (len(range(start, 400, 7)) * (len(range(start, 400, 7)) - 1)) // 2 for start in range(7)
    )
    assert changes.appearing_total == 400 * 399 // 2 - same
    assert len(changes.appearing) == 5


def test_archived_facts_and_notes_take_no_part() -> None:
    facts = [FACTS[0], memory("x", key="rent", content="Other", archived_at=5)]
    notes = [memory("n", type="note", key="rent", content="Another")]
    index = index_of(facts + notes, (link("a", "x", "contradicts"),))
    assert index.find_changes(confident(0, 0, 0), confident(1, 1, 1)).is_empty
    assert index_of([]).open_rows(confident()).tolist() == []


def test_thousands_of_equal_facts_under_one_key_are_passed_over_at_once() -> None:
    # Pair by pair this would be two hundred million comparisons.
    count = 20_000
    many = [memory(f"m{n:05d}", key="k", content="Same") for n in range(count)]
    many[count // 2] = memory("odd", key="k", content="Other")
    index = index_of(many)
    low, high = confident(*[0.5] * count), confident(*np.linspace(0.7, 0.9, count).tolist())
    changes = index.find_changes(low, high, limit=None)
    assert changes.appearing_total == len(changes.appearing) == count - 1
    assert {one.a_row for one in changes.appearing} | {one.b_row for one in changes.appearing} == (
        set(range(count))
    )
    listed = find_conflicts(
        snapshot_of(many), high, [], reader_of(many), ConflictSettings(limit=None)
    )
    assert listed.total == count - 1
    assert listed.conflicts == changes.appearing


def random_facts(seed: int) -> tuple[list, tuple, tuple]:
    """Facts of which four or so share each key, links among them, and decisions about some."""
    rng = np.random.default_rng(seed)
    names = [f"m{n:03d}" for n in range(240)]
    facts = [
        memory(name, key=f"key {n % 60}", content=f"{rng.integers(3)}")
        for n, name in enumerate(names)
    ]
    pairs = {tuple(sorted(rng.choice(240, 2, replace=False).tolist())) for _ in range(150)}
    pairs |= {(n, n + 60) for n in range(3, 9)}
    links = tuple(link(names[a], names[b], "contradicts") for a, b in sorted(pairs))
    rulings = tuple(
        ConflictResolution(f"r{n}", BRAIN, "", names[n], names[n + 60], how, None, None, 1, 1)
        for n, how in enumerate(["dismissed", "superseded", "needs_review", "dismissed"] * 2)
    )
    return facts, links, rulings


def test_a_cut_list_is_the_beginning_of_the_whole_one() -> None:
    index = index_of(*random_facts(5))
    confidence = np.round(np.random.default_rng(5).random(240), 2)
    for threshold in (0.0, 0.4, 0.8):
        for find in (index.find_open, index.find_below):
            whole, total = find(confidence, threshold=threshold)
            assert len(whole) == total
            for limit in (0, 1, 3, 10, 40):
                assert find(confidence, threshold=threshold, limit=limit) == (whole[:limit], total)


@pytest.mark.parametrize("most_pairs", [0, 150, 10_000])
def test_pairs_that_are_kept_and_pairs_made_one_by_one_are_the_same(most_pairs: int) -> None:
    facts, links, rulings = random_facts(6)
    snapshot, read = snapshot_of(facts, links), reader_of(facts)
    index = ConflictIndex(snapshot, rulings, read, most_pairs=most_pairs)
    usual = ConflictIndex(snapshot, rulings, read)
    rng = np.random.default_rng(6)
    before, after = (confident(*np.round(rng.random(240), 1).tolist()) for _ in range(2))
    for threshold in (0.0, 0.4, 0.8):
        settings = ConflictSettings(min_confidence=threshold, limit=None)
        was, is_now = (
            find_conflicts(snapshot, scores, rulings, read, settings) for scores in (before, after)
        )
        opened, total = index.find_open(after.confidence, threshold=threshold)
        assert (set(opened), total) == (set(is_now.conflicts), is_now.total)
        every = find_conflicts(
            snapshot, after, rulings, read, ConflictSettings(min_confidence=0, limit=None)
        )
        below, total = index.find_below(after.confidence, threshold=threshold)
        assert set(below) == set(every.conflicts) - set(is_now.conflicts)
        assert total == len(below)
        for limit in (None, 7):
            told = [
                one.find_open(after.confidence, threshold=threshold, limit=limit)
                for one in (index, usual)
            ]
            assert told[0] == told[1]
            told = [
                one.find_below(after.confidence, threshold=threshold, limit=limit)
                for one in (index, usual)
            ]
            assert told[0] == told[1]
        changes = index.find_changes(before, after, threshold=threshold, limit=None)
        pairs = [{(one.a_row, one.b_row) for one in found.conflicts} for found in (was, is_now)]
        told = {tuple(sorted(pair)) for pair in pairs[1]} - {tuple(sorted(p)) for p in pairs[0]}
        assert {tuple(sorted((c.a_row, c.b_row))) for c in changes.appearing} == told
        assert changes.appearing_total == len(told)
        rows = {row for one in is_now.conflicts for row in (one.a_row, one.b_row)}
        assert index.open_rows(after, threshold=threshold).tolist() == sorted(rows)
