from __future__ import annotations

from dataclasses import replace

import pytest

from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V1
from mvdesk.scoring.case import Case, LinkStats
from mvdesk.scoring.explain import ScoreExplanation, explain
from mvdesk.scoring.verdict import Rank, format_delta, format_difference, format_verdict
from tests.scoring.cases import DAY, NOW

LOW = Case(
    now=NOW,
    type="fact",
    content="maybe",
    source="Slack",
    trust=0.2,
    updated_at=NOW - 212.0 * DAY,
    links=LinkStats(2, contradicts_count=2),
)


def confidence_of(case: Case) -> ScoreExplanation:
    return explain(case, SERVER_V1).confidence


def test_a_low_score_names_what_pulls_it_down() -> None:
    assert format_verdict(confidence_of(LOW), Rank(0.824, "fact", 120)) == (
        "Confidence 0.40, lower than 82 % of your facts. Pulled down most by: "
        "contradicted by 2 memories (−0.180) · source slack trusted 0.20 (−0.120) · "
        "untouched for 212 days (−0.093)."
    )


def test_a_high_score_names_what_lifts_it() -> None:
    case = replace(LOW, trust=0.9, content="verified", links=LinkStats())
    text = format_verdict(confidence_of(case), Rank(0.1, "fact", 120))
    assert text.startswith("Confidence 0.93, 10 % of your facts score higher. Lifted most by: ")
    assert "source slack trusted 0.90 (+0.160) · its type fact (+0.080)" in text


@pytest.mark.parametrize(
    ("rank", "standing"),
    [
        (None, "Confidence 0.40."),
        (Rank(0.0, "fact", 1), "Confidence 0.40, with no other facts to compare."),
        (Rank(0.0, "fact", 9), "Confidence 0.40, none of your facts scores higher."),
        (Rank(0.004, "note", 900), "Confidence 0.40, less than 1 % of your notes score higher."),
        (Rank(0.01, "note", 900), "Confidence 0.40, 1 % of your notes score higher."),
        (Rank(0.29, "journal", 9), "Confidence 0.40, 29 % of your journals score higher."),
        (Rank(0.5, "idea", 9), "Confidence 0.40, lower than 50 % of your memories of type idea."),
    ],
)
def test_the_standing_is_true_at_the_edges(rank: Rank | None, standing: str) -> None:
    assert format_verdict(confidence_of(LOW), rank).startswith(standing + " ")


def test_nothing_to_name_is_said() -> None:
    plain = confidence_of(Case(now=NOW, updated_at=float(NOW)))
    assert format_verdict(plain, None) == "Confidence 0.70. Nothing pulls it down."
    assert format_verdict(plain, Rank(0.0, "note", 5)).endswith("Nothing lifts it.")


def test_a_clamp_that_bites_is_said() -> None:
    high = replace(LOW, base_confidence=1.0, trust=1.0, links=LinkStats(4, 4), content="verified")
    assert format_verdict(confidence_of(high), None).endswith("It would be 1.50; capped at 1.")
    low = explain(replace(LOW, base_confidence=0.0, trust=0.0), PUBLISHED_V1).confidence
    assert format_verdict(low, None).endswith("It would be −0.31; held at 0.")


def test_changes_have_a_sign_and_three_decimals() -> None:
    assert [format_delta(value) for value in (0.05, -0.18, 0.0)] == ["+0.050", "−0.180", "+0.000"]


def test_importance_has_its_own_verdict() -> None:
    text = format_verdict(explain(LOW, SERVER_V1).importance, None)
    assert text.startswith("Importance 0.")


def test_a_difference_names_where_two_memories_differ_most() -> None:
    other = replace(LOW, trust=0.9, content="verified", links=LinkStats())
    assert format_difference(confidence_of(other), confidence_of(LOW)) == (
        "Confidence 0.40, 0.532 lower than the pinned memory (0.93). It differs most in: "
        "Source trust (−0.280) · Contradiction (−0.180) · Hedge words (−0.055)."
    )
    assert "0.532 higher than" in format_difference(confidence_of(LOW), confidence_of(other))


def test_a_memory_is_the_same_as_itself() -> None:
    score = confidence_of(LOW)
    assert format_difference(score, score) == (
        "Confidence 0.40, the same as the pinned memory (0.40)."
    )
