"""Decay: which memories fade, by how much, and that a real server's did the same."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from mvdesk.scoring.rounding import round3
from mvdesk.vault.operations.decay import (
    DecaySettings,
    compute_periods,
    find_decay,
    plan_decay,
)
from tests.vault.made import DAY, NOW, link, memory, snapshot_of
from tests.vault.recorded import DATA, Call, moved_columns, recorded_brain, writes

YEAR = DecaySettings(older_than_days=365)


def settings_of(call: Call) -> DecaySettings:
    given = {"older_than_days": recorded_brain().policy.decay_days} | call["arguments"]
    return DecaySettings(**given).clamped()


def test_periods_are_the_recorded_ones() -> None:
    calls = json.loads((DATA / "helpers_vectors.json").read_text(encoding="utf-8"))
    calls = [call for call in calls if call["fn"] == "computeDecayPeriods"]
    assert len(calls) == 40
    for call in calls:
        idle_days, *rest = (float(argument) for argument in call["args"])
        periods = compute_periods(np.array([idle_days]), *rest)
        assert periods.tolist() == [call["expected"]], call["args"]


def test_every_recorded_decay_changes_the_same_rows_to_the_same_values() -> None:
    brain = recorded_brain()
    for call in writes("memory_decay", count=6):
        found = find_decay(brain.snapshot, settings_of(call), now=call["clock"])
        plan = plan_decay(brain.snapshot, found, now=call["clock"])
        moved = {
            change.key.id: {
                name: (change.before[name], value) for name, value in change.written.items()
            }
            for change in plan.changes
        }
        assert moved == moved_columns(call), call["arguments"]


def test_every_recorded_decay_gave_the_same_answer() -> None:
    brain = recorded_brain()
    for call in writes("memory_decay", count=6):
        answer = call["response_json"]
        found = find_decay(brain.snapshot, settings_of(call), now=call["clock"])
        assert found.candidate_count == answer["candidate_count"]
        assert len(found.moves) == answer["decayed_count"]
        for name in ("older_than_days", "max_link_count", "decay_confidence", "decay_importance"):
            assert getattr(found.settings, name) == answer[name]
        told = [
            {
                "id": brain.ids([row])[0],
                "link_count": brain.snapshot.link_counts[row, 0],
                "idle_days": round3(found.idle_days[place]),
                "decay_periods": round3(found.periods[place]),
                "confidence_before": round3(found.moves.confidence_before[place]),
                "confidence_after": found.moves.confidence_after[place],
                "importance_before": round3(found.moves.importance_before[place]),
                "importance_after": found.moves.importance_after[place],
            }
            for place, row in enumerate(found.moves.rows.tolist())
        ]
        # The server tells of the first fifty only.
        assert told[: len(answer["updates"])] == answer["updates"]
        assert len(answer["updates"]) == min(50, len(told))


def test_the_changelog_says_what_the_servers_says_and_who_moved() -> None:
    brain = recorded_brain()
    logged = 0
    for call in writes("memory_decay", count=6):
        found = find_decay(brain.snapshot, settings_of(call), now=call["clock"])
        plan = plan_decay(brain.snapshot, found, now=call["clock"])
        assert len(plan.log) == len(call["changelog_added"])
        for entry, recorded in zip(plan.log, call["changelog_added"], strict=True):
            logged += 1
            assert entry.event_type == recorded["event_type"]
            assert entry.entity_type == recorded["entity_type"]
            assert entry.entity_id == recorded["entity_id"]
            assert entry.summary == recorded["summary"]
            assert recorded["payload"].items() <= entry.payload.items()
            for name in ("confidence", "importance"):
                moves = zip(
                    entry.payload["memory_ids"],
                    entry.payload["before"][name],
                    entry.payload["after"][name],
                    strict=True,
                )
                assert list(moves) == [
                    (change.key.id, change.before[name], change.after[name])
                    for change in plan.changes
                ]
    assert logged == 5  # one of the calls found nothing


def test_what_is_idle_archived_or_linked_decides() -> None:
    old = NOW - 400 * DAY
    snapshot = snapshot_of(
        [
            memory("old", updated_at=old),
            memory("fresh", updated_at=NOW),
            memory("recalled", updated_at=old, last_accessed_at=NOW - DAY),
            memory("decayed", updated_at=old, last_decayed_at=NOW - 364 * DAY),
            memory("archived", updated_at=old, archived_at=NOW - DAY),
            memory("linked", updated_at=old),
            memory("hub", updated_at=NOW),
        ],
        [link("linked", "hub"), link("hub", "linked", "supports")],
    )
    found = find_decay(snapshot, YEAR, now=NOW)
    assert [snapshot.memories.ids[row] for row in found.moves.rows] == ["old"]
    with_links = find_decay(snapshot, replace(YEAR, max_link_count=2), now=NOW)
    assert [snapshot.memories.ids[row] for row in with_links.moves.rows] == ["old", "linked"]


def test_the_boundary_second_decays() -> None:
    at, past = (snapshot_of([memory("m", updated_at=NOW - 30 * DAY + late)]) for late in (0, 1))
    assert find_decay(at, DecaySettings(), now=NOW).candidate_count == 1
    assert find_decay(past, DecaySettings(), now=NOW).candidate_count == 0


def test_those_longest_untouched_come_first_and_a_limit_keeps_them() -> None:
    snapshot = snapshot_of(
        [memory("b", updated_at=20), memory("c", updated_at=30), memory("a", updated_at=10)]
    )
    settings = DecaySettings(limit=2)
    found = find_decay(snapshot, settings, now=NOW)
    assert [snapshot.memories.ids[row] for row in found.moves.rows] == ["a", "b"]
    assert found.candidate_count == 2
    assert len(find_decay(snapshot, replace(settings, limit=None), now=NOW).moves) == 3


def test_bases_stay_in_range_and_what_is_at_the_floor_is_not_touched() -> None:
    snapshot = snapshot_of(
        [
            memory("low", confidence=0.0, importance=0.0),
            memory("strange", confidence=1.7, importance=-2.0),
        ]
    )
    plan = plan_decay(snapshot, find_decay(snapshot, DecaySettings(), now=NOW), now=NOW)
    (change,) = plan.changes
    assert change.key.id == "strange"
    # What is guarded and brought back by undo is what the file holds, however strange.
    assert change.before["confidence"] == 1.7
    assert change.after["confidence"] == 0.97
    assert change.after["last_decayed_at"] == NOW
    assert change.before["updated_at"] == change.after["updated_at"]


def test_nothing_to_decay_is_an_empty_plan() -> None:
    snapshot = snapshot_of([memory("m", updated_at=NOW)])
    plan = plan_decay(snapshot, find_decay(snapshot, DecaySettings(), now=NOW), now=NOW)
    assert plan.is_empty
    assert not plan.log


def test_settings_out_of_range_are_moved_into_it() -> None:
    wild = DecaySettings(-5, -1, 0.9, -0.1, 5000).clamped()
    assert wild == DecaySettings(0, 0, 0.5, 0, 1000)
    assert DecaySettings(limit=0).clamped().limit == 1
    assert DecaySettings(limit=None).clamped().limit is None


@pytest.mark.parametrize("days", [1e308, 1e300, 1e18])
def test_a_period_longer_than_any_clock_finds_nothing(days: float) -> None:
    snapshot = snapshot_of([memory("m", updated_at=0)])
    found = find_decay(snapshot, DecaySettings(older_than_days=days), now=NOW)
    assert found.candidate_count == 0


def test_a_period_of_next_to_nothing_is_capped() -> None:
    assert compute_periods(np.array([1.0]), 5e-324).tolist() == [3.0]


def test_a_period_without_length_is_always_one() -> None:
    snapshot = snapshot_of([memory("m", updated_at=NOW - 1)])
    found = find_decay(snapshot, DecaySettings(older_than_days=0), now=NOW)
    assert found.periods.tolist() == [1.0]
    assert math.isclose(found.idle_days[0], 1 / DAY)
