"""Evidence, causes and levers of one memory, against its explanation alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mvdesk.scoring.builtin import SERVER_V2
from mvdesk.scoring.case import Case, LinkStats
from mvdesk.scoring.causes import find_causes
from mvdesk.scoring.drops import find_drops
from mvdesk.scoring.evidence_finder import explain_subject, find_evidence
from mvdesk.scoring.levers import find_levers
from mvdesk.scoring.subject import LinkFact, Subject, subject_of_case
from tests.bench.large_vault import NOW
from tests.bench.measuring import median_ms

if TYPE_CHECKING:
    from collections.abc import Callable

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
