"""Dry runs of a decay, and the year ahead: what they promise is what writing gives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.decay import DecaySettings, find_decay, plan_decay
from mvdesk.vault.questions.distribution import find_distribution
from mvdesk.vault.questions.fading import IMPORTANT, PINNED, RECALLED, FadingRun, run_fading
from mvdesk.vault.questions.fading_ahead import STOPS, look_ahead
from mvdesk.vault.watching import ReadCancelled
from tests.vault.made import DAY, NOW, link, memory, snapshot_of

if TYPE_CHECKING:
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.snapshot import Snapshot

USUAL = DecaySettings(limit=None)
SOME = 200


def run(snapshot: Snapshot, settings: DecaySettings = USUAL, **more: object) -> FadingRun:
    scores = evaluate(snapshot.inputs(SERVER_V2), SERVER_V2, NOW)
    return run_fading(
        snapshot, scores, SERVER_V2, settings, now=NOW, scored_at=NOW, **more  # type: ignore[arg-type]
    )  # fmt: skip


def random_vault(seed: int) -> Snapshot:
    chance = np.random.default_rng(seed)
    count = int(chance.integers(0, 40))
    memories = []
    for number in range(count):
        idle = int(chance.integers(0, 400)) * DAY
        recalled = chance.random() < 0.3
        memories.append(
            memory(
                f"m{number}",
                confidence=float(np.round(chance.random(), 3)),
                importance=float(np.round(chance.random(), 3)),
                created_at=NOW - 500 * DAY,
                updated_at=NOW - idle,
                archived_at=NOW - DAY if chance.random() < 0.1 else None,
                last_accessed_at=NOW - int(chance.integers(0, 90)) * DAY if recalled else None,
                access_count=3 if recalled else 0,
            )
        )
    links = [
        link(f"m{chance.integers(count)}", f"m{chance.integers(count)}", "supports")
        for _ in range(count // 2)
    ]
    return snapshot_of(memories, [one for one in links if one.from_id != one.to_id])


def written(snapshot: Snapshot, plan: Plan) -> Snapshot:
    """The snapshot as the plan's own rows make it."""
    table = snapshot.memories
    columns = {
        "confidence": table.base_confidence.copy(),
        "importance": table.base_importance.copy(),
        "last_decayed_at": table.last_decayed_at.copy(),
    }
    for change in plan.changes:
        for name, value in change.written.items():
            columns[name][snapshot.row_of(change.key.id)] = value
    return snapshot.with_memories(
        replace(
            table,
            base_confidence=columns["confidence"],
            base_importance=columns["importance"],
            last_decayed_at=columns["last_decayed_at"],
        )
    )


@pytest.mark.parametrize("part", range(10))
def test_scores_and_distribution_of_a_run_are_those_after_writing_it(part: int) -> None:
    for seed in range(part * SOME // 10, (part + 1) * SOME // 10):
        snapshot = random_vault(seed)
        found = run(snapshot)
        ticked = np.random.default_rng(seed).random(len(found)) < 0.6
        after = written(snapshot, plan_decay(snapshot, found.taken(ticked), now=NOW))
        scores = evaluate(after.inputs(SERVER_V2), SERVER_V2, NOW)
        rows = found.decay.moves.rows
        for kind in ("confidence", "importance"):
            promised = np.where(ticked, found.faded.of(kind)[rows], found.scores.of(kind)[rows])
            assert promised.tolist() == scores.of(kind)[rows].tolist()
        counts = find_distribution(snapshot, found.scores, scores)
        told = found.distribution(ticked)
        assert told.after.per_thousandth.tolist() == counts.after.per_thousandth.tolist()
        assert told.crossing(0.7) == counts.crossing(0.7)
        again = find_decay(after, USUAL, now=NOW).moves.rows
        assert found.count_due_again(ticked) == (0, len(again))
        assert not set(again.tolist()) & set(rows[ticked].tolist())


def test_important_pinned_and_recalled_memories_start_without_a_tick() -> None:
    snapshot = snapshot_of(
        [
            memory("plain"),
            memory("important", importance=0.8),
            memory("nearly", importance=0.799),
            memory("pinned"),
            memory("recalled", last_accessed_at=NOW - 10 * DAY),
            memory("all", importance=0.9, last_accessed_at=NOW - 29 * DAY),
            memory("long ago", last_accessed_at=NOW - 30 * DAY),
        ]
    )
    found = run(snapshot, DecaySettings(older_than_days=5, limit=None), pinned=("pinned", "gone"))
    told = {
        snapshot.memories.ids.text(row): why
        for row, why in zip(found.decay.moves.rows.tolist(), found.kept_out.tolist(), strict=True)
    }
    assert told == {
        "plain": 0,
        "important": IMPORTANT,
        "nearly": 0,
        "pinned": PINNED,
        "recalled": RECALLED,
        "all": IMPORTANT + RECALLED,
        "long ago": 0,
    }


def test_periods_shorter_than_a_day_are_due_again_today() -> None:
    snapshot = snapshot_of([memory("one")])
    found = run(snapshot, DecaySettings(older_than_days=0.5, limit=None))
    assert found.count_due_again(np.array([True])) == (1, 0)


def test_what_is_beyond_the_limit_stays_due() -> None:
    snapshot = snapshot_of([memory("one"), memory("two"), memory("three")])
    found = run(snapshot, DecaySettings(limit=2))
    assert found.count_due_again(np.array([True, True])) == (0, 1)


def test_a_year_ahead_is_a_decay_written_every_week() -> None:
    snapshot = random_vault(7)
    outlook = look_ahead(snapshot, SERVER_V2, USUAL, now=NOW, scored_at=NOW)
    assert [stop.months for stop in outlook] == [month for month, _ in STOPS]
    current = snapshot
    for week in range(1, 53):
        at = NOW + week * 7 * DAY
        scores = evaluate(current.inputs(SERVER_V2), SERVER_V2, at)
        found = run_fading(current, scores, SERVER_V2, USUAL, now=at, scored_at=at)
        plan = plan_decay(current, found.taken(found.kept_out == 0), now=at)
        current = written(current, plan)
    end = NOW + 52 * 7 * DAY
    active = snapshot.memories.archived_at == np.iinfo(np.int64).min
    for snapshot_then, counts in ((snapshot, outlook[-1].kept), (current, outlook[-1].decayed)):
        scores = evaluate(snapshot_then.inputs(SERVER_V2), SERVER_V2, end)
        thousandths = np.rint(scores.confidence[active] * 1000).astype(int)
        assert np.bincount(thousandths, minlength=1001).tolist() == counts.per_thousandth.tolist()


def test_now_nothing_decayed_yet_and_the_snapshot_stays_as_it_was() -> None:
    snapshot = random_vault(11)
    before = snapshot.memories.base_confidence.copy()
    outlook = look_ahead(snapshot, SERVER_V2, USUAL, now=NOW, scored_at=NOW)
    first = outlook[0]
    assert first.kept.per_thousandth.tolist() == first.decayed.per_thousandth.tolist()
    assert snapshot.memories.base_confidence.tolist() == before.tolist()


def test_a_year_that_nobody_waits_for_is_given_up() -> None:
    with pytest.raises(ReadCancelled):
        look_ahead(
            random_vault(1), SERVER_V2, USUAL, now=NOW, scored_at=NOW, cancelled=lambda: True
        )
