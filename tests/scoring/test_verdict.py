from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V1
from mvdesk.scoring.case import Case, LinkStats
from mvdesk.scoring.explain import Component, ScoreExplanation, explain
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.verdict import (
    Rank,
    format_delta,
    format_difference,
    format_verdict,
    median_base,
)
from tests.scoring.cases import DAY, NOW, cases
from tests.scoring.subjects import models

if TYPE_CHECKING:
    from mvdesk.scoring.model import ScoreModel

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
    assert format_verdict(confidence_of(LOW), Rank(98, 21, "fact", 120)) == (
        "Confidence 0.40, lower than 82 % of your facts. Pulled down most by: "
        "contradicted by 2 memories (−0.180) · source slack trusted 0.20 (−0.120) · "
        "untouched for 212 days (−0.093)."
    )


def test_a_high_score_names_what_lifts_it() -> None:
    case = replace(LOW, trust=0.9, content="verified", links=LinkStats())
    text = format_verdict(confidence_of(case), Rank(12, 107, "fact", 120))
    assert text.startswith("Confidence 0.93, higher than 89 % of your facts. Lifted most by: ")
    assert "source slack trusted 0.90 (+0.160) · its type fact (+0.080)" in text


@pytest.mark.parametrize(
    ("rank", "standing"),
    [
        (None, "Confidence 0.40."),
        (Rank(0, 0, "fact", 1), "Confidence 0.40, with no other fact to compare."),
        (Rank(1, 0, "fact", 2), "Confidence 0.40, lower than your only other fact."),
        (
            Rank(0, 1, "idea", 2),
            "Confidence 0.40, higher than your only other memory of type idea.",
        ),
        (Rank(0, 0, "note", 2), "Confidence 0.40, the same as your only other note."),
        (Rank(0, 0, "note", 9), "Confidence 0.40, the same as all your other notes."),
        (Rank(0, 8, "fact", 9), "Confidence 0.40, the highest of your 9 facts."),
        (Rank(0, 7, "fact", 9), "Confidence 0.40, higher than 87 % of your facts."),
        (Rank(8, 0, "fact", 9), "Confidence 0.40, the lowest of your 9 facts."),
        (Rank(7, 0, "fact", 9), "Confidence 0.40, lower than 87 % of your facts."),
        (Rank(998, 1, "fact", 1_000), "Confidence 0.40, lower than 99 % of your facts."),
        (Rank(1, 998, "fact", 1_000), "Confidence 0.40, higher than 99 % of your facts."),
        (Rank(3, 4, "journal", 8), "Confidence 0.40, higher than 57 % of your journals."),
        (Rank(4, 3, "journal", 8), "Confidence 0.40, lower than 57 % of your journals."),
        (Rank(5, 1, "note", 900), "Confidence 0.40, the same as nearly all your notes."),
        (Rank(4, 4, "idea", 9), "Confidence 0.40, higher than 50 % of your memories of type idea."),
    ],
)
def test_the_standing_is_true_at_the_edges(rank: Rank | None, standing: str) -> None:
    assert format_verdict(confidence_of(LOW), rank).startswith(standing + " ")


def score_of(*deltas: float, base: float = 0.7) -> ScoreExplanation:
    """A score whose components are named by letters."""
    parts = tuple(
        Component(letter, letter, "Text", delta, round3(delta), "", letter)
        for letter, delta in zip("abcdef", deltas, strict=False)
    )
    return replace(
        confidence_of(Case(now=NOW, updated_at=float(NOW))), base=base, components=parts, clamp=0.0
    )


LOWISH, HIGH = Rank(5, 4, "note", 10), Rank(1, 8, "note", 10)


@pytest.mark.parametrize(
    ("deltas", "rank", "said"),
    [
        ((), LOWISH, "Nothing moves it from what is stored, 0.70."),
        ((-0.001,), LOWISH, "Next to nothing moves it from what is stored, 0.70."),
        ((0.09,), LOWISH, "Nothing pulls it down. Lifted by: a (+0.090)."),
        ((0.09,), None, "Nothing pulls it down. Lifted by: a (+0.090)."),
        (
            (0.09, -0.004, 0.1),
            LOWISH,
            "Next to nothing pulls it down. Lifted most by: c (+0.100) · a (+0.090).",
        ),
        ((0.2, -0.005), LOWISH, "Pulled down by: b (−0.005)."),
        (
            (-0.01, -0.02, -0.03, -0.04),
            LOWISH,
            "Pulled down most by: d (−0.040) · c (−0.030) · b (−0.020).",
        ),
        ((0.09, -0.3), HIGH, "Lifted by: a (+0.090)."),
        (
            (0.004, -0.3),
            HIGH,
            "Nothing lifts it above what is stored, 0.70. Pulled down by: b (−0.300).",
        ),
        ((), HIGH, "Nothing lifts it above what is stored, 0.70."),
    ],
)
def test_what_made_the_score_is_named(
    deltas: tuple[float, ...], rank: Rank | None, said: str
) -> None:
    text = format_verdict(score_of(*deltas), rank)
    assert text.endswith(f". {said}"), text


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


# The grammar, over many random memories.


@st.composite
def ranks(draw: st.DrawFn) -> Rank:
    count = draw(st.integers(1, 2_000))
    higher = draw(st.integers(0, count - 1))
    lower = draw(st.integers(0, count - 1 - higher))
    type_name = draw(st.sampled_from(["note", "fact", "journal", "idea"]))
    usual_base = draw(st.none() | st.floats(0.0, 1.0))
    return Rank(higher, lower, type_name, count, usual_base)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (1.004, "It would be 1.004; capped at 1."),
        (1.0001, "It would be just over 1; capped at 1."),
        (-0.004, "It would be −0.004; held at 0."),
        (-0.0001, "It would be just under 0; held at 0."),
    ],
)
def test_a_sum_next_to_the_wall_is_not_said_to_be_the_wall(raw: float, said: str) -> None:
    end = 1.0 if raw > 0.5 else 0.0
    score = replace(score_of(), raw=raw, unrounded=end, final=end, clamp=end - raw)
    assert format_verdict(score, None).endswith(said)


def test_a_score_that_is_not_quite_one_is_not_called_one() -> None:
    assert format_verdict(replace(score_of(), unrounded=0.998), None).startswith("Confidence 0.998")
    assert format_verdict(replace(score_of(), unrounded=0.002), None).startswith("Confidence 0.002")


def low_base(base: float, *deltas: float, usual: float | None = 0.7) -> str:
    return format_verdict(replace(score_of(*deltas), base=base), Rank(8, 1, "fact", 10, usual))


def test_a_low_base_is_named_where_it_is_a_large_cause() -> None:
    assert "It starts low: its base is 0.30, the median of your facts 0.70. " in low_base(0.3)
    assert "It starts low" in low_base(0.3, -0.27, -0.1)
    assert "It starts low" not in low_base(0.3, -0.6, -0.5, -0.45)
    assert "It starts low" not in low_base(0.66)
    assert "It starts low" not in low_base(0.3, usual=None)
    high = Rank(1, 8, "fact", 10, 0.7)
    assert "It starts low" not in format_verdict(replace(score_of(), base=0.3), high)


def test_the_usual_base_is_the_median_of_what_counts() -> None:
    assert median_base(np.array([0.2, 0.4, 7.0])) == 0.4
    assert median_base(np.array([7.0])) == 1.0
    assert median_base(np.array([])) is None


_HEAD = r"(?:Confidence|Importance) (?:[01]\.\d\d|0\.00\d|0\.99\d)"
_TYPES = r"(?:facts?|notes?|journals?|memor(?:y|ies) of type \w+)"
_STANDING = (
    rf"with no other {_TYPES} to compare",
    rf"(?:lower than|higher than|the same as) your only other {_TYPES}",
    rf"the same as (?:all|nearly all) your (?:other )?{_TYPES}",
    rf"the (?:lowest|highest) of your [\d,]+ {_TYPES}",
    rf"(?:lower|higher) than [1-9]\d? % of your {_TYPES}",
)
_FIGURE = r"(?:[01]\.\d\d|0\.00\d|0\.99\d)"
_START = rf"It starts low: its base is {_FIGURE}, the median of your {_TYPES} [01]\.\d\d\. "
_CAUSE = r".+? \([+−]0\.\d{3}\)"
_CAUSES = rf"{_CAUSE}(?: · {_CAUSE}){{0,2}}"
_WHY = (
    rf"Lifted (?:most )?by: {_CAUSES}\.",
    rf"Pulled down (?:most )?by: {_CAUSES}\.",
    r"Nothing lifts it above what is stored, [01]\.\d\d\."
    rf"(?: Pulled down (?:most )?by: {_CAUSES}\.)?",
    rf"(?:Nothing|Next to nothing) pulls it down\. Lifted (?:most )?by: {_CAUSES}\.",
    r"(?:Nothing|Next to nothing) moves it from what is stored, [01]\.\d\d\.",
)
_CLAMP = (
    r" It would be (?:(?:−?\d\.\d\d|1\.00\d|just over 1); capped at 1|"
    r"(?:−\d\.\d\d|−0\.00\d|just under 0); held at 0)\."
)
GRAMMAR = re.compile(
    rf"{_HEAD}(?:\.|, (?:{'|'.join(_STANDING)})\.) (?:{_START})?(?:{'|'.join(_WHY)})(?:{_CLAMP})?",
    re.DOTALL,
)
_BAD_PLURAL = re.compile(r"\b(?:1 \w+s\b(?<!days ago)|0 \w+|[2-9] (?:memory|link|day|time|word)\b)")


@given(case=cases, model=models, rank=st.none() | ranks())
def test_every_verdict_is_of_the_grammar(case: Case, model: ScoreModel, rank: Rank | None) -> None:
    shown = explain(case, model)
    for score in (shown.confidence, shown.importance):
        verdict = format_verdict(score, rank)
        assert GRAMMAR.fullmatch(verdict), verdict
        assert not _BAD_PLURAL.search(verdict), verdict
        assert ("capped at 1" in verdict) == (score.raw > 1)
        assert ("held at 0" in verdict) == (score.raw < 0)


@given(case=cases, model=models, rank=ranks())
def test_every_low_score_names_its_three_largest_losses(
    case: Case, model: ScoreModel, rank: Rank
) -> None:
    assume(rank.lower_than >= 0.25)
    shown = explain(case, model)
    for score in (shown.confidence, shown.importance):
        verdict = format_verdict(score, rank)
        losses = sorted(part.delta for part in score.components if part.rounded <= -0.005)
        named = [f"({format_delta(round3(loss))})" for loss in losses[:3]]
        places = [verdict.find(text) for text in named]
        assert -1 not in places, verdict
        assert ("Pulled down" in verdict) == bool(losses)


@given(one=cases, other=cases, model=models, rank=ranks())
def test_the_same_words_are_the_same_case(
    one: Case, other: Case, model: ScoreModel, rank: Rank
) -> None:
    """Two memories with one verdict agree in the score and in whatever moved it most."""
    first, second = explain(one, model).confidence, explain(other, model).confidence
    if format_verdict(first, rank) != format_verdict(second, rank):
        return
    assert f"{first.unrounded:.2f}" == f"{second.unrounded:.2f}"
    assert (first.clamp == 0) == (second.clamp == 0)
    high = rank.lower_than < 0.25
    sign = 1 if high else -1
    tops = []
    for score in (first, second):
        moved = [part for part in score.components if part.rounded * sign >= 0.005]
        largest = sorted(moved, key=lambda part: -abs(part.delta))[:3]
        tops.append([(part.name, part.rounded) for part in largest])
    assert tops[0] == tops[1]
