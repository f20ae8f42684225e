"""What a preview of trust says is what the file holds once it is applied, to the last bit."""

from __future__ import annotations

import hashlib
import random
import shutil
import tempfile
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V2
from mvdesk.scoring.engine import Scores, evaluate
from mvdesk.vault import rules
from mvdesk.vault.operations.trust import plan_set_trust
from mvdesk.vault.questions.conflict_changes import ConflictIndex
from mvdesk.vault.questions.conflicts import ConflictSettings, find_conflicts
from mvdesk.vault.questions.distribution import find_distribution
from mvdesk.vault.questions.find import FindSettings, find_memories
from mvdesk.vault.questions.movers import count_moves, find_movers
from mvdesk.vault.questions.overlay import Overlay
from mvdesk.vault.questions.query import parse_query
from mvdesk.vault.questions.retrieval_effect import make_finder, measure_search
from mvdesk.vault.questions.source_facts import SourceFacts, find_source_facts
from mvdesk.vault.searching import Searcher
from mvdesk.vault.snapshot import Snapshot, read_snapshot
from mvdesk.vault.vault import Vault
from tests.vault.tuned import (
    NOW,
    make_tuned_vault,
    random_overlay,
    shown_movers,
    shown_moves,
    slow_movers,
    slow_moves,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.questions.conflicts import Conflict

    Contents = Callable[[Path], dict[str, list[tuple[object, ...]]]]

DATA = Path(__file__).parents[2] / "data"
VAULTS = 10
OVERLAYS = 20
TEXTS = ("verified", "memory one", "rent two", "trust<0.5", "trust:unset conf>0.6")


class State:
    """One state of a file, read anew from the rows of a copy and scored from scratch."""

    def __init__(self, path: Path, seed: int) -> None:
        self.model = SERVER_V2 if seed % 2 else PUBLISHED_V1
        folder = Path(tempfile.mkdtemp(dir=path.parent))
        with Vault.open(Path(shutil.copy(path, folder))) as vault:
            self.snapshot: Snapshot = read_snapshot(vault)
            self.scores: Scores = evaluate(self.snapshot.inputs(self.model), self.model, NOW)
            resolutions = rules.read_resolutions(vault)
            self.index = ConflictIndex(self.snapshot, resolutions, vault.read_memories)
            self.conflicts = self._find_conflicts(vault)
            self.facts: SourceFacts = self.find_facts()
            vault.text_index.fill(vault, self.snapshot)
            searcher = Searcher(vault)
            moment = searcher.moment(self.snapshot, self.scores, NOW)
            self.hits = {
                text: find_memories(
                    searcher, self.snapshot, moment, parse_query(text), FindSettings(limit=10)
                ).rows.tolist()
                for text in TEXTS
            }

    def _find_conflicts(self, vault: Vault) -> dict[tuple[int, int], Conflict]:
        found = find_conflicts(
            self.snapshot,
            self.scores,
            rules.read_resolutions(vault),
            vault.read_memories,
            ConflictSettings(limit=None),
        )
        return {tuple(sorted((one.a_row, one.b_row))): one for one in found.conflicts}

    def find_facts(self) -> SourceFacts:
        return find_source_facts(
            self.snapshot,
            self.scores,
            self.model,
            conflicting=self.index.open_rows(self.scores),
        )


def vault_file(folder: Path, seed: int) -> Path:
    path = folder / "vault.sqlite"
    if seed == 0:
        shutil.copyfile(DATA / "brain.sqlite", path)
    else:
        make_tuned_vault(path, seed)
    return path


def apply(path: Path, trust: Mapping[str, float | None]) -> None:
    with Vault.open(path) as vault:
        plan = plan_set_trust(
            vault.read_trust(), trust, brain_id=vault.brain.id, now=NOW, new_id=iter(
                [f"new-{n}" for n in range(9)]
            ).__next__,
        )  # fmt: skip
        vault.apply(plan, now=NOW)


def undo(path: Path) -> None:
    with Vault.open(path) as vault:
        vault.undo(now=NOW + 1)


def assert_same_columns(one: object, other: object) -> None:
    for column in fields(one):
        values = getattr(one, column.name), getattr(other, column.name)
        if isinstance(values[0], np.ndarray):
            np.testing.assert_array_equal(*values, err_msg=column.name)


@pytest.mark.parametrize("seed", range(VAULTS))
def test_a_preview_equals_what_is_read_after_it_was_applied(
    seed: int, tmp_path: Path, contents: Contents
) -> None:
    path = vault_file(tmp_path, seed)
    rng = random.Random(seed)
    before = State(path, seed)
    rows = contents(path)
    overlay = Overlay(before.snapshot, before.model, NOW, before.scores)
    moved = 0
    for _ in range(OVERLAYS):
        trust = random_overlay(rng, before.snapshot)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        previewed = overlay.scores(trust)
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
        apply(path, trust)
        after = State(path, seed)
        assert_same_columns(previewed, after.scores)
        for kind in ("confidence", "importance"):
            check_counts(before, after, trust, overlay, kind)
        check_conflicts(before, after, previewed)
        check_facts(before, after, previewed, trust)
        moved += bool(np.any(previewed.confidence != before.scores.confidence))
        if trust:
            undo(path)
        assert contents(path) == rows
    assert moved > OVERLAYS // 2


def check_counts(
    before: State,
    after: State,
    trust: Mapping[str, float | None],
    overlay: Overlay,
    kind: ScoreKind,
) -> None:
    snapshot, old, new = before.snapshot, before.scores, after.scores
    columns = (old.of(kind), new.of(kind), old.raw_of(kind), new.raw_of(kind))
    active = snapshot.memories.archived_at == NO_TIME
    movers = find_movers(snapshot, old, overlay.scores(trust), trust, kind=kind, limit=5)
    assert shown_movers(movers) == slow_movers(snapshot, old.of(kind), new.of(kind), 5)
    for threshold in (0.7, 0.4321, 1.0):
        counts = overlay.count(trust, kind=kind, threshold=threshold)
        assert counts == count_moves(snapshot, old, new, trust, kind=kind, threshold=threshold)
        per_source = {
            key: slow_moves(
                [
                    tuple(float(column[row]) for column in columns)
                    for row in snapshot.rows_of_source(key)
                    if active[row]
                ],
                threshold,
            )
            for key in trust
        }  # fmt: skip
        assert {key: shown_moves(one) for key, one in counts.by_source.items()} == per_source
        whole = [sum(numbers) for numbers in zip(*per_source.values(), strict=True)] or [0] * 6
        assert list(shown_moves(counts.whole)) == whole
        crossing = find_distribution(snapshot, old, new, kind=kind).crossing(threshold)
        assert crossing == (counts.whole.crossing_up, counts.whole.crossing_down)


def check_conflicts(before: State, after: State, previewed: Scores) -> None:
    changes = before.index.find_changes(before.scores, previewed, limit=None)
    for shown, total, one, other in (
        (changes.appearing, changes.appearing_total, before.conflicts, after.conflicts),
        (changes.vanishing, changes.vanishing_total, after.conflicts, before.conflicts),
    ):
        made = {tuple(sorted((c.a_row, c.b_row))): c for c in shown}
        assert len(made) == len(shown) == total
        assert made == {pair: other[pair] for pair in other.keys() - one.keys()}
        sums = [sum(conflict.confidence) for conflict in shown]
        assert sums == sorted(sums, reverse=True)
    open_rows = {row for pair in after.conflicts for row in pair}
    assert before.index.open_rows(previewed).tolist() == sorted(open_rows)


def check_facts(
    before: State, after: State, previewed: Scores, trust: Mapping[str, float | None]
) -> None:
    facts = before.facts.with_scores(previewed, trust)
    known = [after.facts.keys.index(key) for key in facts.keys if key in after.facts.keys]
    assert len(known) == len(facts) - sum(key not in after.facts.keys for key in facts.keys)
    for kind in ("confidence", "importance"):
        assert_same_columns_at(getattr(facts, kind), getattr(after.facts, kind), facts, after.facts)
    assert_same_columns_at(facts, after.facts, facts, after.facts, ("trust", "movable", "leverage"))
    back = facts.with_scores(before.scores, {})
    assert_same_columns(back, before.facts)
    assert_same_columns(back.confidence, before.facts.confidence)


def assert_same_columns_at(
    one: object,
    other: object,
    facts: SourceFacts,
    later: SourceFacts,
    names: tuple[str, ...] = ("mean", "low", "median", "high"),
) -> None:
    """A source that only its trust made known is gone once that is cleared."""
    shared = [key for key in facts.keys if key in later.keys]
    places = [facts.keys.index(key) for key in shared], [later.keys.index(key) for key in shared]
    assert set(later.keys) <= set(facts.keys)
    for name in names:
        values = getattr(one, name)[places[0]], getattr(other, name)[places[1]]
        np.testing.assert_array_equal(*values, err_msg=name)


@pytest.mark.parametrize("seed", [0, 1])
def test_searches_give_in_a_preview_what_they_give_once_it_is_applied(
    seed: int, tmp_path: Path
) -> None:
    path = vault_file(tmp_path, seed)
    rng = random.Random(seed)
    before = State(path, seed)
    for _ in range(10):
        trust = random_overlay(rng, before.snapshot)
        overlay = Overlay(before.snapshot, before.model, NOW, before.scores)
        with Vault.open(path) as vault:
            vault.text_index.fill(vault, before.snapshot)
            find = make_finder(Searcher(vault), before.snapshot, NOW)
            changes = [
                measure_search(text, before.scores, overlay.scores(trust), find, trust=trust)
                for text in TEXTS
            ]
        apply(path, trust)
        after = State(path, seed)
        for change in changes:
            assert list(change.before) == before.hits[change.text]
            assert list(change.after) == after.hits[change.text]
        if trust:
            undo(path)


def test_a_thousand_moves_leave_the_file_as_it_is(tmp_path: Path) -> None:
    path = vault_file(tmp_path, 0)
    state = State(path, 0)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    overlay = Overlay(state.snapshot, state.model, NOW, state.scores)
    key = state.snapshot.sources.keys[0]
    for step in range(1000):
        scores = overlay.scores({key: step % 101 / 100})
        find_movers(state.snapshot, state.scores, scores, [key])
        state.index.find_changes(state.scores, scores)
        state.facts.with_scores(scores, {key: step % 101 / 100})
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    assert [one.name for one in path.parent.iterdir() if "-wal" in one.name] == []
