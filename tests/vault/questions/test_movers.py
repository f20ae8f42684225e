"""Ranks and counts between two sets of scores."""

from __future__ import annotations

import numpy as np
import pytest

from mvdesk.scoring.engine import Scores
from mvdesk.vault.questions.distribution import BINS, ScoreCounts, Spread, find_distribution
from mvdesk.vault.questions.movers import count_moves, find_movers
from tests.vault.made import memory, snapshot_of


def scores(*confidence: float, raw: tuple[float, ...] | None = None) -> Scores:
    values = np.array(confidence)
    return Scores(values, values, np.array(raw or confidence), np.array(raw or confidence))


MEMORIES = [
    memory("a", source="Blog"),
    memory("b", source="log"),
    memory("c"),
    memory("d", source="blog", archived_at=5),
    memory("e", source="blog"),
]
SNAPSHOT = snapshot_of(MEMORIES)


def test_a_mover_says_why_it_moves() -> None:
    before = scores(0.5, 0.6, 0.7, 0.9, 1.0, raw=(0.5, 0.6, 0.7, 0.9, 1.1))
    after = scores(0.8, 0.6, 0.7, 0.1, 1.0, raw=(0.8, 0.6, 0.7, 0.1, 1.4))
    movers = find_movers(SNAPSHOT, before, after, ["blog"])
    (up,) = movers.up
    assert (up.row, up.rank_before, up.rank_after, up.places, up.reason) == (0, 4, 2, 2, "trust")
    assert (up.score_before, up.score_after) == (0.5, 0.8)
    assert [(one.row, one.places, one.reason) for one in movers.down] == [
        (2, -1, "others"),
        (1, -1, "others"),
    ]
    assert (movers.total, movers.rising, movers.falling) == (4, 1, 2)


def test_a_clamped_memory_that_is_overtaken_says_that_it_cannot_move() -> None:
    before = scores(0.0, 0.0, 0.5, 0.5, 0.6, raw=(-0.1, 0.0, 0.5, 0.5, 0.6))
    after = scores(0.0, 0.3, 0.5, 0.5, 0.6, raw=(-0.2, 0.3, 0.5, 0.5, 0.6))
    movers = find_movers(SNAPSHOT, before, after, ["blog", "log"])
    assert [(one.row, one.reason) for one in movers.down] == [(0, "clamped")]
    assert count_moves(SNAPSHOT, before, after, ["blog"]).whole.stuck == 1


def test_only_so_many_movers_are_told_and_all_are_counted() -> None:
    many = snapshot_of([memory(f"m{n:02d}") for n in range(30)])
    rising = np.arange(30) / 100
    before, after = scores(*rising), scores(*rising[::-1])
    movers = find_movers(many, before, after, (), limit=3)
    assert [one.places for one in movers.up] == [29, 27, 25]
    assert [one.places for one in movers.down] == [-29, -27, -25]
    assert (movers.rising, movers.falling) == (15, 15)
    assert find_movers(many, before, after, (), limit=0).up == ()


def test_equal_scores_rank_as_in_the_list() -> None:
    before, after = scores(0.5, 0.5, 0.5, 0.5, 0.5), scores(0.5, 0.5, 0.6, 0.5, 0.5)
    movers = find_movers(SNAPSHOT, before, after, (), kind="importance")
    assert [(one.row, one.rank_before, one.rank_after) for one in movers.up] == [(2, 3, 1)]
    assert [(one.row, one.rank_after) for one in movers.down] == [(0, 2), (1, 3)]


def test_counts_tell_each_source_and_leave_archived_memories_out() -> None:
    before = scores(0.69, 0.7, 0.1, 0.1, 0.5)
    after = scores(0.7, 0.699, 0.9, 0.9, 0.4)
    counts = count_moves(SNAPSHOT, before, after, ["blog", "log", "nobody"], threshold=0.7)
    blog, log, nobody = counts.by_source.values()
    assert (blog.affected, blog.up, blog.down, blog.crossing_up, blog.crossing_down) == (
        2,
        1,
        1,
        1,
        0,
    )
    assert (log.affected, log.down, log.crossing_down) == (1, 1, 1)
    assert nobody.affected == 0
    assert (counts.whole.affected, counts.whole.crossing_up, counts.whole.crossing_down) == (
        3,
        1,
        1,
    )


def test_a_score_on_the_edge_of_a_bin_belongs_to_the_bin_above_and_one_to_the_last() -> None:
    counts = ScoreCounts.of(np.array([0.0, 0.049, 0.05, 0.95, 0.999, 1.0]))
    bins = counts.bins()
    assert len(bins) == BINS
    assert (bins[0], bins[1], bins[-1]) == (2, 1, 3)
    assert bins.sum() == len(counts) == 6
    assert [ScoreCounts.of(np.array([n / 20])).bins()[n] for n in range(20)] == [1] * 20
    with pytest.raises(ValueError, match="7 bins"):
        counts.bins(7)


def test_percentiles_are_scores_of_memories() -> None:
    counts = ScoreCounts.of(np.arange(1, 101) / 1000)
    assert counts.spread() == Spread(0.0505, 0.005, 0.05, 0.095)
    assert ScoreCounts.of(np.array([0.3])).spread() == Spread(0.3, 0.3, 0.3, 0.3)
    assert ScoreCounts.of(np.array([])).spread() == Spread(None, None, None, None)
    assert (counts.count_from(0.0955), counts.count_from(0.0)) == (5, 100)


def test_who_crosses_is_known_for_every_line() -> None:
    before, after = scores(0.2, 0.8, 0.5, 0.9, 1.0), scores(0.3, 0.1, 0.5, 0.1, 0.999)
    found = find_distribution(SNAPSHOT, before, after)
    assert found.crossing(0.25) == (1, 1)
    assert found.crossing(0.2) == (0, 1)
    assert found.crossing(0.3) == (1, 1)
    assert found.crossing(1.0) == (0, 1)
    assert found.crossing(0.0) == (0, 0)
    assert found.crossing(1.01) == (0, 0)
    assert len(found.before) == 4
