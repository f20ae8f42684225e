"""Scores under tried trust, what it does to searches, and which trust a score takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.vault.questions.inverse_trust import find_lowest_trusts, find_trust_for
from mvdesk.vault.questions.ordering import (
    MovingOrder,
    order_by_rank,
    order_by_score,
    rank_by_score,
)
from mvdesk.vault.questions.overlay import Overlay, PatchedScores, trust_per_row
from mvdesk.vault.questions.retrieval_effect import (
    SearchChange,
    make_finder,
    measure_reach,
    measure_search,
    trust_reach,
)
from mvdesk.vault.searching import Searcher
from mvdesk.vault.snapshot import read_snapshot
from tests.vault.made import NOW, memory, scores_of, snapshot_of, trusted

if TYPE_CHECKING:
    from mvdesk.vault.vault import Vault

MEMORIES = [
    memory("a", source="Blog"),
    memory("b", source="blog", confidence=0.4),
    memory("c", source="log"),
    memory("d"),
    memory("e", source="blog", archived_at=5),
]
SNAPSHOT = snapshot_of(MEMORIES, trust=[trusted("log", 0.2)])


def test_only_memories_whose_trust_moved_are_scored_again() -> None:
    committed = scores_of(SNAPSHOT)
    overlay = Overlay(SNAPSHOT, SERVER_V2, NOW, committed)
    assert overlay.rows_touched({"blog": 0.9, "nobody": 0.1}) == 3
    scores = overlay.scores({"blog": 0.9, "nobody": 0.1})
    moved = np.flatnonzero(scores.confidence != committed.confidence)
    assert moved.tolist() == [0, 1, 4]
    assert overlay.rows_touched({"blog": 0.9}) == 0
    assert overlay.rows_touched({"blog": 0.8, "log": None}) == 4
    assert overlay.scores({}) is committed
    again = overlay.scores({"log": 0.2})
    assert np.array_equal(again.raw_confidence, committed.raw_confidence)


def test_tried_trust_is_known_for_every_memory() -> None:
    trust = trust_per_row(SNAPSHOT, {"blog": 0.9, "log": None, "nobody": 0.3})
    np.testing.assert_array_equal(trust, [0.9, 0.9, np.nan, np.nan, 0.9])
    np.testing.assert_array_equal(trust_per_row(SNAPSHOT, {}), SNAPSHOT.trust_per_row())


def test_the_largest_effect_on_a_search_is_computed_from_active_memories() -> None:
    nothing = np.zeros(5)
    before = Scores(nothing, nothing, nothing, nothing)
    confidence = np.array([0.2, -0.1, 0.0, 0.0, 9.0])
    importance = np.array([0.07, 0.0, 0.0, 0.0, 9.0])
    after = Scores(confidence, importance, confidence, importance)
    reach = measure_reach(SNAPSHOT, before, after)
    assert reach.up == pytest.approx(0.25 * (0.6 * 0.07 + 0.4 * 0.2)) == pytest.approx(0.0305)
    assert reach.down == pytest.approx(0.25 * 0.4 * 0.1)
    assert reach.most == reach.up
    assert measure_reach(SNAPSHOT, before, before).most == 0
    assert trust_reach(SERVER_V2, 0.5) == pytest.approx(0.0305)
    assert trust_reach(SERVER_V2) == pytest.approx(0.061)


def test_a_saved_search_tells_what_left_and_what_entered() -> None:
    change = SearchChange("x", (1, 2, 3), (3, 1, 4), 9, 9)
    assert (change.kept, change.left, change.entered, change.is_same) == (2, (2,), (4,), False)
    assert SearchChange("x", (1, 2), (1, 2), 2, 2).is_same


def test_texts_are_looked_up_once_for_all_scores(
    server: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = read_snapshot(server)
    server.text_index.fill(server, snapshot)
    searcher = Searcher(server)
    asked: list[object] = []
    find = searcher.find
    monkeypatch.setattr(searcher, "find", lambda *a, **k: asked.append(a) or find(*a, **k))
    finder = make_finder(searcher, snapshot, NOW)
    scores = scores_of(snapshot)
    for _ in range(3):
        assert measure_search("slack", scores, scores, finder).is_same
    assert len(asked) == 1


def test_the_trust_that_puts_a_memory_at_a_score() -> None:
    scores = scores_of(SNAPSHOT)
    target = float(scores.confidence[0]) + 0.05
    answer = find_trust_for(SNAPSHOT, SERVER_V2, NOW, 0, target)
    assert answer.value == pytest.approx(0.5 + 0.05 / SERVER_V2.trust_confidence, abs=0.011)
    assert answer.scores.confidence >= target
    down = find_trust_for(SNAPSHOT, SERVER_V2, NOW, 0, 0.7, direction="lower")
    assert down.scores.confidence <= 0.7
    assert find_trust_for(SNAPSHOT, SERVER_V2, NOW, 1, 1.0).value is None
    assert find_trust_for(SNAPSHOT, SERVER_V2, NOW, 3, 0.5) is None


def test_the_lowest_trust_of_each_source_that_keeps_its_memories() -> None:
    found = find_lowest_trusts(SNAPSHOT, SERVER_V2, NOW, [2, 0, 3, 1], 0.45)
    assert [(one.source_key, one.rows) for one in found] == [("log", (2,)), ("blog", (0, 1))]
    overlay = Overlay(SNAPSHOT, SERVER_V2, NOW, scores_of(SNAPSHOT))
    assert found[0].answer.value == 0  # it is above that whatever its trust
    rows, value = list(found[1].rows), found[1].answer.value
    assert overlay.scores({"blog": value}).confidence[rows].min() >= 0.45
    assert overlay.scores({"blog": value - 0.01}).confidence[rows].min() < 0.45


def test_ranks_follow_the_order_of_the_list() -> None:
    scores = np.array([0.5, 0.9, 0.5, 0.1])
    rows = np.array([0, 1, 2])
    assert rank_by_score(scores, rows).tolist() == [2, 1, 3, 0]
    assert order_by_score(scores, rows, descending=False).tolist() == [0, 2, 1]
    assert order_by_rank(np.array([5, 1, 5]), rows, descending=True).tolist() == [0, 2, 1]


def test_millions_of_rows_keep_their_order_too() -> None:
    scores = np.full(1 << 21 | 1, 0.5)
    scores[[3, 1 << 21]] = 0.9
    rows = np.array([0, 3, 5, 1 << 21])
    assert order_by_score(scores, rows, descending=True).tolist() == [3, 1 << 21, 0, 5]
    assert order_by_score(scores, rows, descending=False).tolist() == [0, 5, 3, 1 << 21]


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("count", [300, 2**21 + 5])
def test_merging_what_moves_gives_the_order_of_sorting_all(count: int, descending: bool) -> None:
    rng = np.random.default_rng(count)
    scores = np.round(rng.random(count), 3)
    rows = np.flatnonzero(rng.random(count) < min(0.9, 300 / count))
    moving = [np.flatnonzero(rng.random(count) < 0.1) for _ in range(2)]
    kept = MovingOrder(scores, rows, moving, descending=descending)
    for _ in range(3):
        for some in moving:
            scores[some] = np.round(rng.random(len(some)), 3)
        expected = order_by_score(scores, rows, descending=descending)
        assert np.array_equal(kept.order(scores), expected)
    none = MovingOrder(scores, rows, (), descending=descending)
    assert np.array_equal(none.order(scores), expected)


def test_columns_of_a_preview_are_made_when_asked_for_and_are_whole() -> None:
    overlay = Overlay(SNAPSHOT, SERVER_V2, NOW, scores_of(SNAPSHOT))
    tried = {"blog": 0.9, "log": None}
    scores = overlay.scores(tried)
    assert isinstance(scores, PatchedScores)
    assert len(scores) == len(MEMORIES)
    inputs = SNAPSHOT.inputs(SERVER_V2).with_trust(trust_per_row(SNAPSHOT, tried))
    anew = evaluate(inputs, SERVER_V2, NOW)
    for name in ("confidence", "importance", "raw_confidence", "raw_importance"):
        column = getattr(scores, name)
        assert column.tobytes() == getattr(anew, name).tobytes()
        assert getattr(scores, name) is column
