"""Evidence, causes and levers of one memory, against its explanation alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import psutil
import pytest
from PySide6.QtWidgets import QApplication

from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.case import Case, LinkStats
from mvdesk.scoring.causes import find_causes
from mvdesk.scoring.drops import find_drops
from mvdesk.scoring.evidence_finder import explain_subject, find_evidence
from mvdesk.scoring.levers import find_levers
from mvdesk.scoring.subject import LinkFact, Subject, subject_of_case
from mvdesk.ui.jobs import CancelToken
from mvdesk.ui.panels.explain import ExplainPanel
from mvdesk.ui.reasons import Asked, compute_reasons
from mvdesk.ui.session import VaultSession
from mvdesk.vault.questions.base_history import UpkeepLog
from tests.bench.large_vault import NOW
from tests.bench.measuring import median_ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController
    from tests.bench.measuring import Ledger

LINKS = 30


def make_subject() -> Subject:
    """A memory of 3,000 characters with words of every list and thirty links."""
    relations = ("supports", "contradicts", "related")
    links = tuple(
        LinkFact(
            id=f"link-{place}",
            relation=relations[place % 3],
            outgoing=True,
            other_id=f"memory-{place}",
            title=f"Memory {place}",
        )
        for place in range(LINKS)
    )
    case = Case(
        now=NOW,
        type="journal",
        title="A video about the plan",
        content="Perhaps the unverified plan was probably vague, but we might ship it. " * 42,
        source="slack",
        trust=0.3,
        base_confidence=0.1,
        created_at=NOW - 10 * 86_400.0,
        updated_at=NOW - 10 * 86_400.0,
        links=LinkStats(LINKS, LINKS // 3, LINKS // 3),
    )
    return subject_of_case(case, SERVER_V2, links=links)


@pytest.mark.parametrize(
    ("what", "work", "budget"),
    [
        ("evidence of a memory", find_evidence, 15),
        ("scores by cause", find_causes, 15),
        ("next drops", find_drops, 5),
        ("levers with pairs", find_levers, 30),
    ],
)
def test_what_belongs_to_a_selection_is_found_in_time(
    what: str, work: Callable[[Subject], object], budget: float, ledger: Ledger
) -> None:
    subject = make_subject()
    ledger.record(
        what,
        median_ms(lambda: work(subject), 20),
        budget=budget,
        baseline="its explanation",
        baseline_value=median_ms(lambda: explain_subject(subject), 20),
    )


@pytest.fixture
def session(qtbot: QtBot, large_vault: Path, tmp_path: Path) -> Iterator[VaultSession]:
    """A session with the measured vault open."""
    made = VaultSession(data_folder=tmp_path, clock=lambda: NOW)
    with qtbot.waitSignal(made.vault_opened, timeout=60_000):
        made.open_vault(large_vault)
    qtbot.waitUntil(made.jobs.is_idle, timeout=60_000)
    yield made
    made.shut_down()


def test_all_reasons_of_a_selection_are_found_in_time(
    qtbot: QtBot, session: VaultSession, ledger: Ledger
) -> None:
    """The job behind the drawer: evidence, causes, drops, peers, history; in processor time."""
    log, times, alone = UpkeepLog(), [], []
    rows = np.random.default_rng(5).integers(0, len(session.snapshot.memories), 300)
    for row in rows.tolist():
        session.select(session.snapshot.memories.ids.text(row))
        qtbot.waitUntil(session.jobs.is_idle)
        asked = Asked.of(session, log)
        assert asked is not None
        start = time.process_time()
        reasons = compute_reasons(asked, CancelToken())
        times.append(1000 * (time.process_time() - start))
        assert reasons is not None
        log = reasons.upkeep
        start = time.process_time()
        explain_subject(reasons.subject)
        alone.append(1000 * (time.process_time() - start))
    middle, high = (float(np.percentile(times, share)) for share in (50, 95))
    ledger.note(
        f"reasons of a selection, {len(times)} memories, processor time: p50 {middle:.1f} ms, "
        f"p95 {high:.1f} ms, worst {max(times):.1f} ms"
    )
    ledger.record(
        "reasons of a selection, p95",
        high,
        budget=25,
        baseline="its explanation alone",
        baseline_value=float(np.median(alone)),
    )


def test_a_thousand_selections_hold_no_memory(
    qtbot: QtBot, theme: ThemeController, session: VaultSession, ledger: Ledger
) -> None:
    panel = ExplainPanel(session, theme)
    qtbot.addWidget(panel)
    panel.resize(460, 900)
    with qtbot.waitExposed(panel):
        panel.show()
    rows = np.random.default_rng(6).integers(0, len(session.snapshot.memories), 1_300).tolist()

    def select(some: list[int]) -> None:
        for row in some:
            session.select(session.snapshot.memories.ids.text(row))
            qtbot.waitUntil(lambda: panel.is_settled and session.jobs.is_idle())
            panel._page.sections["confidence"].open_row("source_trust_delta")
            QApplication.processEvents()

    select(rows[:300])  # caches fill
    process = psutil.Process()
    before = process.memory_info().rss
    select(rows[300:])
    grown = (process.memory_info().rss - before) / 1e6
    ledger.record(
        "memory held after 1,000 selections with evidence",
        grown,
        unit="MB",
        budget=20,
        baseline="the process",
        baseline_value=before / 1e6,
    )
