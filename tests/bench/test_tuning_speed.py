"""What follows each move of a trust slider, in processor time: below the window alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.arrays import NO_TIME, LinkTable, MemoryTable, SourceTable, StringColumn
from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.vault import rules
from mvdesk.vault.operations.unify import Unify, preview_unify
from mvdesk.vault.questions.conflict_changes import ConflictIndex
from mvdesk.vault.questions.distribution import find_distribution
from mvdesk.vault.questions.inverse_trust import find_lowest_trusts
from mvdesk.vault.questions.movers import find_movers
from mvdesk.vault.questions.ordering import order_by_score
from mvdesk.vault.questions.overlay import Overlay
from mvdesk.vault.questions.retrieval_effect import make_finder, measure_search
from mvdesk.vault.questions.source_facts import find_source_facts, find_spellings
from mvdesk.vault.questions.source_names import group_names
from mvdesk.vault.questions.worth_a_look import find_worth_a_look
from mvdesk.vault.searching import Searcher
from mvdesk.vault.snapshot import Snapshot, read_snapshot
from mvdesk.vault.vault import Vault
from tests.bench.large_vault import NOW, WORDS
from tests.bench.measuring import Ledger, process_ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MODEL = PUBLISHED_V1
SOURCE = "slack #design"  # the largest
MILLION = 1_000_000
FRAME_MS = 16


class Tuning:
    """A vault whose largest source is being dragged."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.committed = evaluate(snapshot.inputs(MODEL), MODEL, NOW)
        self.overlay = Overlay(snapshot, MODEL, NOW, self.committed)
        self.tried = {SOURCE: 0.9, "hearsay": 0.9}
        self.after = self.overlay.scores(self.tried)
        self._steps = cycle(range(101))

    def anew(self) -> Scores:
        return evaluate(self.snapshot.inputs(MODEL), MODEL, NOW)

    def step(self) -> tuple[dict[str, float | None], Scores]:
        """One move of the slider: scores, and the counts of the bar."""
        trust = {**self.tried, SOURCE: next(self._steps) / 100}
        scores = self.overlay.scores(trust)
        self.overlay.count(trust)
        return trust, scores


@pytest.fixture(scope="module")
def vault(large_vault: Path) -> Iterator[Vault]:
    with Vault.open(large_vault) as opened:
        yield opened


@pytest.fixture(scope="module")
def tuning(vault: Vault) -> Tuning:
    return Tuning(read_snapshot(vault))


@pytest.fixture
def measure(tuning: Tuning, ledger: Ledger) -> Callable[..., None]:
    anew = process_ms(tuning.anew)

    def record(
        what: str, work: Callable[[], object], budget: float | None, rounds: int = 15
    ) -> None:
        ledger.record(
            what,
            process_ms(work, rounds),
            budget=budget,
            baseline="scoring all anew",
            baseline_value=anew,
        )

    return record


def test_a_move_of_the_slider_is_scored_and_counted(
    tuning: Tuning, measure: Callable[..., None]
) -> None:
    measure("slider move: scores and counts", tuning.step, FRAME_MS)


def test_movers_and_distribution_follow_the_slider(
    tuning: Tuning, measure: Callable[..., None]
) -> None:
    snapshot, before, after = tuning.snapshot, tuning.committed, tuning.after
    measure("movers", lambda: find_movers(snapshot, before, after, tuning.tried), 40)
    measure("distribution", lambda: find_distribution(snapshot, before, after), 8)
    found = find_distribution(snapshot, before, after)
    lines = cycle(np.arange(1001) / 1000)
    measure("crossing counts of a dragged line", lambda: found.crossing(next(lines)), 1)


def test_facts_about_sources_follow_the_slider(
    tuning: Tuning, measure: Callable[..., None]
) -> None:
    snapshot = tuning.snapshot
    facts = find_source_facts(snapshot, tuning.committed, MODEL)
    measure("source facts", lambda: find_source_facts(snapshot, tuning.committed, MODEL), 60)
    measure("source facts, touched ones", lambda: facts.with_scores(tuning.after, tuning.tried), 2)
    measure("spellings", lambda: find_spellings(snapshot), 60)
    measure("sources worth a look", lambda: find_worth_a_look(snapshot, facts), 60)
    names = [f"{one} {other} {n}" for n in range(8) for one in WORDS[:25] for other in WORDS[25:50]]
    measure("5,000 names compared", lambda: group_names(names), None, 3)


def test_conflicts_follow_the_slider(
    vault: Vault, tuning: Tuning, measure: Callable[..., None]
) -> None:
    resolutions = rules.read_resolutions(vault)
    index = ConflictIndex(tuning.snapshot, resolutions, vault.read_memories)
    measure(
        "conflicts that change", lambda: index.find_changes(tuning.committed, tuning.after), 120
    )
    measure("facts in open conflicts", lambda: index.open_rows(tuning.committed), 60)
    measure(
        "index of possible conflicts",
        lambda: ConflictIndex(tuning.snapshot, resolutions, vault.read_memories),
        400,
        3,
    )


def test_saved_searches_follow_the_slider(
    vault: Vault, tuning: Tuning, measure: Callable[..., None]
) -> None:
    vault.text_index.fill(vault, tuning.snapshot)
    find = make_finder(Searcher(vault), tuning.snapshot, NOW)
    texts = [f"{WORDS[n]} {WORDS[n + 20]}" for n in range(20)]

    def search_all() -> None:
        for text in texts:
            measure_search(text, tuning.committed, tuning.after, find, trust=tuning.tried)

    measure("20 saved searches, looked up before", search_all, 120)


def test_questions_about_one_source_are_answered(
    tuning: Tuning, measure: Callable[..., None]
) -> None:
    snapshot = tuning.snapshot
    rows = snapshot.rows_of_source(SOURCE).tolist()
    measure(
        "lowest trust for a whole source",
        lambda: find_lowest_trusts(snapshot, MODEL, NOW, rows, 0.05),
        120,
    )
    unify = Unify.of([SOURCE, "hearsay"], "Chat", SOURCE)
    measure(
        "preview of unifying two sources",
        lambda: preview_unify(snapshot, MODEL, NOW, tuning.committed, unify),
        60,
    )


def make_million() -> Snapshot:
    """The arrays of a million memories; no text of them is looked at here."""
    rng = np.random.default_rng(7)
    rows = np.arange(MILLION)
    counts = np.zeros((MILLION, 6), dtype=np.int32)
    counts[:, 0] = rng.integers(0, 9, MILLION)
    hits = rng.integers(0, 4, MILLION).astype(np.int32)
    keys = tuple(sorted([SOURCE, "hearsay", *(f"source {n}" for n in range(98))]))
    updated = NOW - rng.integers(0, 900 * 86_400, MILLION)
    memories = replace(
        MemoryTable.empty(),
        type_names=("note", "fact", "journal"),
        type_codes=(rows % 3).astype(np.int8),
        source_rows=np.minimum(rng.geometric(0.1, MILLION) - 2, 99).astype(np.int32),
        base_confidence=rng.random(MILLION),
        base_importance=rng.random(MILLION),
        created_at=updated,
        updated_at=updated,
        archived_at=np.where(rows % 25 == 4, 5, NO_TIME),
        access_count=np.zeros(MILLION, dtype=np.int64),
        last_accessed_at=np.full(MILLION, NO_TIME),
        certainty_hits=hits,
        hedge_hits=hits,
        importance_hits=hits,
        content_length=hits * 90,
    )
    sources = replace(
        SourceTable.empty(),
        texts=StringColumn.of(keys),
        text_keys=np.arange(len(keys), dtype=np.int32),
        keys=keys,
        trust=np.full(len(keys), np.nan),
        notes=(None,) * len(keys),
        counts=np.ones(len(keys), dtype=np.int32),
    )
    return Snapshot("b", memories, LinkTable.empty(), sources, counts)


def test_a_million_memories_follow_the_slider(ledger: Ledger) -> None:
    tuning = Tuning(make_million())
    snapshot, before = tuning.snapshot, tuning.committed
    anew = process_ms(tuning.anew, 5)
    active = np.flatnonzero(snapshot.memories.archived_at == NO_TIME)
    facts = find_source_facts(snapshot, before, MODEL)
    budgets: dict[str, tuple[Callable[[], object], float | None]] = {
        "slider move": (tuning.step, FRAME_MS),
        "order": (lambda: order_by_score(tuning.after.confidence, active, descending=True), 50),
        "movers": (lambda: find_movers(snapshot, before, tuning.after, tuning.tried), None),
        "distribution": (lambda: find_distribution(snapshot, before, tuning.after), None),
        "source facts": (lambda: find_source_facts(snapshot, before, MODEL), None),
        "facts of touched sources": (lambda: facts.with_scores(tuning.after, tuning.tried), None),
    }
    for what, (work, budget) in budgets.items():
        ledger.record(
            f"1,000,000 memories: {what}",
            process_ms(work, 7),
            budget=budget,
            baseline="scoring all anew",
            baseline_value=anew,
        )
