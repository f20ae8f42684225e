"""Sources in numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import Scores
from mvdesk.vault.questions.overlay import Overlay
from mvdesk.vault.questions.source_facts import Spelling, find_source_facts, find_spellings
from tests.vault.made import DAY, NOW, link, memory, scores_of, snapshot_of, trusted

SLOPE = SERVER_V2.trust_confidence


def plain_scores(*confidence: float) -> Scores:
    values = np.array(confidence)
    rounded = np.clip(values, 0, 1)
    return Scores(rounded, rounded, values, values)


def test_a_source_is_counted_by_its_normalised_name() -> None:
    memories = [
        memory("a", source="Blog", updated_at=NOW - 9 * DAY),
        memory("b", source=" blog ", last_accessed_at=NOW - DAY),
        memory("c", source="Blog", archived_at=5, created_at=NOW + 5),
        memory("d", source="log"),
        memory("e"),
        memory("f", source="  "),
    ]
    snapshot = snapshot_of(memories, trust=[trusted("nobody", 0.2, notes="who?")])
    facts = find_source_facts(snapshot, scores_of(snapshot), SERVER_V2)
    assert facts.keys == ("blog", "log", "nobody")
    assert facts.active.tolist() == [2, 1, 0]
    assert facts.archived.tolist() == [1, 0, 0]
    assert facts.last_used.tolist() == [NOW + 5, NOW - 100 * DAY, NO_TIME]
    assert facts.notes == (None, None, "who?")
    assert facts.unsourced == 2
    assert facts.active_rows(0).tolist() == [0, 1]
    assert len(facts) == 3
    assert math.isnan(facts.confidence.mean[2])
    assert math.isnan(facts.trust[0])
    assert facts.trust[2] == 0.2
    assert find_spellings(snapshot) == {
        "blog": (Spelling("Blog", 2), Spelling(" blog ", 1)),
        "log": (Spelling("log", 1),),
    }


def test_contradicted_are_memories_with_such_a_link_or_in_an_open_conflict() -> None:
    memories = [memory(name, source="blog") for name in "abcd"]
    snapshot = snapshot_of(memories, [link("a", "b", "contradicts"), link("b", "c", "supports")])
    scores = scores_of(snapshot)
    assert find_source_facts(snapshot, scores, SERVER_V2).contradicted.tolist() == [2]
    facts = find_source_facts(
        snapshot, scores, SERVER_V2, conflicting=np.array([1, 3], dtype=np.intp)
    )
    assert facts.contradicted.tolist() == [3]
    assert facts.contradicted_share.tolist() == [0.75]
    later = find_source_facts(snapshot, scores, SERVER_V2)
    later = later.with_conflicts(snapshot, np.array([1, 3], dtype=np.intp))
    assert later.contradicted.tolist() == [3]


def test_leverage_is_memories_times_the_way_that_trust_can_still_go() -> None:
    memories = [memory(name, source="blog") for name in "abcd"]
    snapshot = snapshot_of(memories, trust=[trusted("blog", 0.25)])
    free = find_source_facts(snapshot, plain_scores(0.4, 0.5, 0.5, 0.6), SERVER_V2)
    assert free.movable.tolist() == [4]
    assert free.leverage[0] == pytest.approx(4 * 0.75 * SLOPE)
    clamped = find_source_facts(snapshot, plain_scores(0.5, 1.3, 0.95, -0.4), SERVER_V2)
    assert clamped.movable.tolist() == [2]
    assert clamped.leverage[0] == pytest.approx(0.75 * SLOPE + 0.05)


def test_leverage_looks_down_where_that_is_the_longer_way() -> None:
    snapshot = snapshot_of([memory(name, source="blog") for name in "ab"], trust=[
        trusted("blog", 0.75)
    ])  # fmt: skip
    facts = find_source_facts(snapshot, plain_scores(1.05, 0.9), SERVER_V2)
    assert facts.movable.tolist() == [2]  # the first can only fall
    assert facts.leverage[0] == pytest.approx(2 * 0.75 * SLOPE - 0.05)


def test_tried_trust_changes_the_facts_of_its_sources_alone_and_back() -> None:
    memories = [memory(f"m{n}", source="blog" if n % 2 else "log") for n in range(9)]
    snapshot = snapshot_of(memories)
    scores = scores_of(snapshot)
    facts = find_source_facts(snapshot, scores, SERVER_V2)
    tried = {"blog": 0.9, "nobody": 0.1}
    after = Overlay(snapshot, SERVER_V2, NOW, scores).scores(tried)
    moved = facts.with_scores(after, tried)
    assert moved.confidence.mean[0] > facts.confidence.mean[0]
    assert moved.confidence.mean[1] == facts.confidence.mean[1]
    assert (moved.trust[0], math.isnan(moved.stored[0])) == (0.9, True)
    at_once = find_source_facts(snapshot, after, SERVER_V2, trust=tried)
    for name in ("mean", "low", "median", "high"):
        for kind in ("confidence", "importance"):
            one, other = getattr(getattr(moved, kind), name), getattr(getattr(at_once, kind), name)
            np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(moved.leverage, at_once.leverage)
    assert facts.with_scores(scores, {}) is facts


def test_a_vault_without_sources_has_no_facts() -> None:
    snapshot = snapshot_of([memory("a"), memory("b")])
    facts = find_source_facts(snapshot, scores_of(snapshot), SERVER_V2)
    assert (len(facts), facts.unsourced) == (0, 2)
    nothing = snapshot_of([])
    assert len(find_source_facts(nothing, scores_of(nothing), SERVER_V2)) == 0
