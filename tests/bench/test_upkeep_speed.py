"""Operations and questions at full size, within their budgets."""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.graphs.paths import find_paths
from mvdesk.graphs.relations import path_weights
from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.engine import evaluate
from mvdesk.vault import brain_state, rules
from mvdesk.vault.operations.decay import DecaySettings, find_decay, plan_decay
from mvdesk.vault.operations.edit import plan_edit
from mvdesk.vault.operations.forget import plan_archive, plan_delete
from mvdesk.vault.operations.reinforce import ReinforceSettings
from mvdesk.vault.operations.snapshots import plan_snapshot
from mvdesk.vault.questions.conflicts import ConflictSettings, find_conflicts
from mvdesk.vault.questions.fading import FadingRun, run_fading
from mvdesk.vault.questions.fading_ahead import look_ahead
from mvdesk.vault.questions.reinforcing import run_reinforcing
from mvdesk.vault.questions.review import ReviewSettings, find_review_queue
from mvdesk.vault.questions.stats import measure_graph
from mvdesk.vault.questions.suggest import SuggestSettings, find_suggestions
from mvdesk.vault.snapshot import read_snapshot
from mvdesk.vault.snapshot_restoring import preview_restore
from mvdesk.vault.vault import Vault
from tests.bench.large_vault import NOW, memory_id
from tests.bench.measuring import Ledger, median_ms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.snapshot import Snapshot

EVERYTHING = DecaySettings(older_than_days=0, max_link_count=10**6, limit=None)
ROUNDS = 5


@pytest.fixture
def vault(large_vault: Path, tmp_path: Path) -> Iterator[Vault]:
    """The measured vault, a copy that may be written; the backup of the day is made."""
    numbers = count(1)
    path = Path(shutil.copy(large_vault, tmp_path / "large.sqlite"))
    with Vault.open(path, new_id=lambda: f"measured-{next(numbers)}") as opened:
        memory = opened.read_memory(memory_id(3))
        opened.apply(plan_edit(memory, {"title": "Measured"}, now=NOW), now=NOW)
        yield opened


@pytest.fixture
def snapshot(vault: Vault) -> Snapshot:
    return read_snapshot(vault)


@pytest.fixture
def scores(snapshot: Snapshot) -> Scores:
    return evaluate(snapshot.inputs(PUBLISHED_V1), PUBLISHED_V1, NOW)


def test_decay_of_everything_is_previewed_written_and_undone(
    vault: Vault, snapshot: Snapshot, ledger: Ledger
) -> None:
    one = median_ms(lambda: find_decay(snapshot, EVERYTHING, now=NOW), ROUNDS)

    def preview() -> int:
        return len(plan_decay(snapshot, find_decay(snapshot, EVERYTHING, now=NOW), now=NOW).changes)

    ledger.record(
        f"decay of {preview():,} memories, preview",
        median_ms(preview, ROUNDS),
        budget=400,
        baseline="finding them",
        baseline_value=one,
    )
    started = time.perf_counter()
    found = find_decay(snapshot, EVERYTHING, now=NOW)
    vault.apply(plan_decay(snapshot, found, now=NOW), now=NOW)
    written = time.perf_counter()
    vault.undo(now=NOW)
    undone = time.perf_counter()
    ledger.record(
        "the same written, with journal and changelog",
        1000 * (written - started),
        budget=2000,
        baseline="finding them",
        baseline_value=one,
    )
    ledger.record(
        "and undone",
        1000 * (undone - written),
        budget=None,
        baseline="finding them",
        baseline_value=one,
    )


def test_actions_of_ten_thousand_rows_are_written_and_undone(
    vault: Vault, snapshot: Snapshot, ledger: Ledger
) -> None:
    ids = [snapshot.memories.ids.text(row) for row in range(0, len(snapshot.memories), 9)]
    active = [one for one in vault.read_memories(ids) if one.archived_at is None][:10_000]
    few = active[:1_500]
    links = vault.read_links_of(*(one.id for one in few))
    brain_id = vault.brain.id
    one = median_ms(lambda: vault.read_memories(ids[:1_000]), ROUNDS)
    actions = {
        "archiving": plan_archive(active, brain_id=brain_id, now=NOW),
        "deleting": plan_delete(few, links, brain_id=brain_id),
    }
    for what, plan in actions.items():
        assert 9_000 < len(plan.changes) < 12_000
        started = time.perf_counter()
        vault.apply(plan, now=NOW)
        written = time.perf_counter()
        vault.undo(now=NOW)
        undone = time.perf_counter()
        ledger.record(
            f"{what} {len(plan.changes):,} rows",
            1000 * (written - started),
            budget=2000,
            baseline="reading a thousand memories",
            baseline_value=one,
        )
        ledger.record(
            "and undone",
            1000 * (undone - written),
            budget=2000,
            baseline="reading a thousand memories",
            baseline_value=one,
        )


def test_a_restore_of_a_snapshot_is_previewed(
    vault: Vault, snapshot: Snapshot, ledger: Ledger
) -> None:
    state = median_ms(lambda: brain_state.read_brain_state(vault), 1)
    with brain_state.stream_brain(vault) as brain:
        taken = plan_snapshot(brain, [], include_archived=True, now=NOW, snapshot_id="s")
    vault.apply(taken, now=NOW)
    vault.apply(
        plan_decay(snapshot, find_decay(snapshot, DecaySettings(), now=NOW), now=NOW), now=NOW
    )
    (stored,) = brain_state.read_snapshots(vault)
    ledger.record(
        f"restoring a snapshot of {stored.memory_count:,} memories, preview",
        median_ms(
            lambda: preview_restore(vault, stored, "replace", now=NOW, new_id=lambda: "none"), 1
        ),
        budget=None,
        baseline="reading the brain",
        baseline_value=state,
    )


def test_conflicts_are_listed(
    vault: Vault, snapshot: Snapshot, scores: Scores, ledger: Ledger
) -> None:
    resolutions = rules.read_resolutions(vault)

    def listed(min_confidence: float = 0.7) -> int:
        asked = replace(ConflictSettings(), min_confidence=min_confidence)
        return find_conflicts(snapshot, scores, resolutions, vault.read_memories, asked).total

    ledger.record(
        f"conflicts listed, {listed():,} in all",
        median_ms(listed, ROUNDS),
        budget=300,
        baseline="the same without facts",
        baseline_value=median_ms(lambda: listed(1.1), ROUNDS),
    )


def test_paths_of_two_memories_are_found(snapshot: Snapshot, ledger: Ledger) -> None:
    links = snapshot.links
    graph = (links.from_rows, links.to_rows, path_weights(links.relations))
    pairs = np.random.default_rng(3).integers(0, len(snapshot.memories), (12, 2)).tolist()
    for hops, budget in ((5, 50), (8, None)):
        times = [
            median_ms(
                lambda ends=ends, hops=hops: find_paths(*graph, *ends, max_hops=hops, limit=5),
                ROUNDS,
            )
            for ends in pairs
        ]
        ledger.record(
            f"paths of two memories, up to {hops} links",
            float(np.median(times)),
            budget=budget,
            baseline="up to 1 link",
            baseline_value=median_ms(lambda: find_paths(*graph, *pairs[0], max_hops=1, limit=5)),
        )


def test_other_questions_are_answered(
    vault: Vault, snapshot: Snapshot, scores: Scores, ledger: Ledger
) -> None:
    base = median_ms(lambda: find_review_queue(snapshot, ReviewSettings(), now=NOW), ROUNDS)
    asked = {
        "review queue": lambda: find_review_queue(snapshot, ReviewSettings(), now=NOW),
        "statistics of the graph": lambda: measure_graph(snapshot, scores, max_inferred=360),
        "link suggestions for a memory": lambda: find_suggestions(
            snapshot, [500], vault.read_memories, SuggestSettings()
        ),
    }
    for what, work in asked.items():
        ledger.record(
            what, median_ms(work, 3), budget=None, baseline="review queue", baseline_value=base
        )


def test_dry_run_year_ahead_and_reinforcement_are_previewed(
    snapshot: Snapshot, scores: Scores, ledger: Ledger
) -> None:
    one = median_ms(lambda: find_decay(snapshot, EVERYTHING, now=NOW), ROUNDS)

    def dry_run() -> FadingRun:
        return run_fading(snapshot, scores, PUBLISHED_V1, EVERYTHING, now=NOW, scored_at=NOW)

    run = dry_run()
    ticked = run.kept_out == 0
    monthly = replace(EVERYTHING, older_than_days=30)
    hub = snapshot.memories.ids.text(int(np.bincount(snapshot.links.from_rows).argmax()))
    far = ReinforceSettings(hops=3, limit=None)
    asked = {
        f"dry run of {len(run):,} memories, with scores": (dry_run, 400),
        "what is due again": (lambda: run.count_due_again(ticked), None),
        "the distribution after a tick": (lambda: run.distribution(ticked), 16),
        "a year of weekly decay": (
            lambda: look_ahead(snapshot, PUBLISHED_V1, monthly, now=NOW, scored_at=NOW),
            None,
        ),
        "a reinforcement three links far": (
            lambda: run_reinforcing(snapshot, scores, PUBLISHED_V1, hub, far, scored_at=NOW),
            None,
        ),
    }
    for what, (work, budget) in asked.items():
        ledger.record(
            what, median_ms(work, 3), budget=budget, baseline="finding them", baseline_value=one
        )
