"""Searching, saving, and following other programs in a large vault."""

from __future__ import annotations

import shutil
import sqlite3
import statistics
import time
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.edit import plan_add, plan_edit
from mvdesk.vault.operations.links import plan_link
from mvdesk.vault.questions.find import FindSettings, find_memories
from mvdesk.vault.questions.query import parse_query
from mvdesk.vault.searching import Searcher
from mvdesk.vault.snapshot import catch_up, read_snapshot, refresh_snapshot
from mvdesk.vault.vault import Vault
from tests.bench.large_vault import NOW, memory_id
from tests.bench.measuring import median_ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mvdesk.vault.plan import Plan
    from mvdesk.vault.snapshot import Snapshot
    from tests.bench.measuring import Ledger

BASELINE = "sorting a million numbers"


@pytest.fixture(scope="module")
def baseline_ms() -> float:
    numbers = np.random.default_rng(1).random(1_000_000)
    return median_ms(lambda: np.sort(numbers), rounds=5)


@pytest.fixture(scope="module")
def opened(
    large_vault: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Vault, Snapshot]]:
    """A copy of the large vault, read and indexed."""
    path = tmp_path_factory.mktemp("following") / "copy.sqlite"
    shutil.copyfile(large_vault, path)
    with Vault.open(path) as vault:
        snapshot = read_snapshot(vault)
        yield vault, snapshot
        vault.before_closing = None


def test_the_first_indexing_is_done_soon(
    opened: tuple[Vault, Snapshot], ledger: Ledger, baseline_ms: float
) -> None:
    vault, snapshot = opened
    start = time.perf_counter()
    assert vault.text_index.fill(vault, snapshot) == len(snapshot.memories)
    first = time.perf_counter() - start
    again = median_ms(lambda: vault.text_index.fill(vault, snapshot), rounds=5)
    record = {"baseline": BASELINE, "baseline_value": baseline_ms}
    ledger.record("first indexing of all texts", 1000 * first, budget=10_000, **record)
    ledger.record("index found in step", again, budget=None, **record)


@pytest.mark.parametrize(
    ("what", "text", "quick", "budget"),
    [
        ("search: a word, first hits", "tag12", True, 15),
        ("search: a word and the beginning of one, first hits", "blinds riv", True, 15),
        ("search: two letters, first hits", "th", True, 40),
        ("search: a word in 4 % of all memories, all ranked", "tag12", False, None),
        ("search: a word in a quarter of all memories, all ranked", "perhaps", False, None),
        ("search: inside texts without spaces, first hits", "打ち合", True, None),
    ],
)
def test_hits_are_there_while_one_types(
    opened: tuple[Vault, Snapshot],
    ledger: Ledger,
    baseline_ms: float,
    what: str,
    text: str,
    quick: bool,
    budget: float | None,
) -> None:
    vault, snapshot = opened
    vault.text_index.fill(vault, snapshot)
    scores = evaluate(snapshot.inputs(PUBLISHED_V1), PUBLISHED_V1, NOW)
    settings = FindSettings(quick=quick, limit=None)
    searcher = Searcher(vault)
    moment, query = searcher.moment(snapshot, scores, NOW), parse_query(text)
    found = median_ms(lambda: find_memories(searcher, snapshot, moment, query, settings), rounds=7)
    ledger.record(what, found, budget=budget, baseline=BASELINE, baseline_value=baseline_ms)


def test_a_save_reads_again_what_it_changed(
    opened: tuple[Vault, Snapshot], ledger: Ledger, baseline_ms: float
) -> None:
    """Processor time of writing, journal, index and snapshot: the disk's share is its own."""
    vault, snapshot = opened

    def pair(number: int) -> Plan:
        one, other = (vault.read_memory(memory_id(row + number)) for row in (50, 9_000))
        links = vault.read_links_of(one.id, other.id)
        return plan_link(links, one, other, "supports", now=NOW, link_id=f"l{number}")

    plans: dict[str, Callable[[int], Plan]] = {
        "save: another base value": lambda n: plan_edit(
            vault.read_memory(memory_id(n)), {"confidence": 0.01 * n}, now=NOW + n
        ),
        "save: another text": lambda n: plan_edit(
            vault.read_memory(memory_id(n)), {"content": f"verified {n}"}, now=NOW + n
        ),
        "save: a new memory": lambda n: plan_add(
            vault.brain.id, {"content": "c"}, now=NOW + n, memory_id=f"new-{n}"
        ),
        "save: a new link": pair,
    }
    for what, make in plans.items():
        spent = []
        for number in range(9):
            plan = make(number)
            start = time.process_time()
            changes = vault.apply(plan, now=NOW + number)
            snapshot = refresh_snapshot(vault, snapshot, changes)
            spent.append(1000 * (time.process_time() - start))
        ledger.record(
            f"{what}, processor time",
            statistics.median(spent),
            budget=10,
            baseline=BASELINE,
            baseline_value=baseline_ms,
        )


@pytest.mark.parametrize(
    ("what", "sql"),
    [
        ("one recall", "UPDATE memories SET access_count = access_count + 1 WHERE rowid = 500"),
        ("one link", "UPDATE memory_links SET label = 'x' WHERE rowid = 500"),
        ("a deletion", "DELETE FROM memories WHERE rowid = (SELECT max(rowid) FROM memories)"),
    ],
)
def test_another_programs_write_is_followed_in_time(
    opened: tuple[Vault, Snapshot], ledger: Ledger, baseline_ms: float, what: str, sql: str
) -> None:
    vault, _ = opened
    snapshot = read_snapshot(vault)
    with closing(sqlite3.connect(vault.path)) as conn:
        conn.execute(sql)
        conn.commit()
    start = time.perf_counter()
    _, changes = catch_up(vault, snapshot)
    took = 1000 * (time.perf_counter() - start)
    assert len(changes.memory_ids) <= 2
    ledger.record(
        f"following another program: {what}",
        took,
        budget=2_000,
        baseline=BASELINE,
        baseline_value=baseline_ms,
    )
