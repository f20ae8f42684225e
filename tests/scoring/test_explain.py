from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from mvdesk.scoring.builtin import BUILTIN_MODELS, PUBLISHED_V1, SERVER_V1, SERVER_V2
from mvdesk.scoring.case import Case, LinkStats, inputs_of
from mvdesk.scoring.engine import evaluate, evaluate_components
from mvdesk.scoring.explain import (
    COMPONENT_GROUPS,
    COMPONENT_LABELS,
    Component,
    ExplainFacts,
    explain,
    explain_row,
)
from mvdesk.scoring.model import CountRate, Depth, Recency, ScoreModel
from mvdesk.scoring.rounding import round3, thousandths
from tests.scoring.cases import DAY, NOW, cases

models = pytest.mark.parametrize("model", BUILTIN_MODELS.values(), ids=lambda model: model.id)


def component(case: Case, name: str, model: ScoreModel = PUBLISHED_V1) -> Component:
    """The component of this name, of whichever score has it first."""
    explanation = explain(case, model)
    both = (*explanation.confidence.components, *explanation.importance.components)
    return next(one for one in both if one.name == name)


def hint(case: Case, name: str, model: ScoreModel = PUBLISHED_V1) -> str:
    return component(case, name, model).hint


def aged(days: float, **changes: object) -> Case:
    written = NOW - days * DAY
    return replace(Case(now=NOW, created_at=written, updated_at=written), **changes)


@models
def test_every_component_is_labelled_grouped_and_explained(model: ScoreModel) -> None:
    explanation = explain(aged(30), model)
    for score in (explanation.confidence, explanation.importance):
        for one in score.components:
            assert one.label == COMPONENT_LABELS[one.name]
            assert one.group == COMPONENT_GROUPS[one.name]
            assert one.hint
            assert one.cause


def test_labels_and_groups_cover_the_same_components() -> None:
    assert COMPONENT_LABELS.keys() == COMPONENT_GROUPS.keys()
    assert list(dict.fromkeys(COMPONENT_GROUPS.values())) == [
        "Base",
        "Source",
        "Text",
        "Links",
        "Use and time",
    ]


@models
@given(case=cases)
def test_displayed_parts_and_rounding_make_the_raw_sum_and_the_clamp_the_final(
    model: ScoreModel, case: Case
) -> None:
    explanation = explain(case, model)
    for score in (explanation.confidence, explanation.importance):
        parts = thousandths(round3(score.base)) + sum(
            thousandths(one.rounded) for one in score.components
        )
        assert parts + thousandths(score.rounding) == thousandths(round3(score.raw))
        assert score.raw + score.clamp == pytest.approx(score.unrounded, abs=1e-15)
        assert (score.clamp == 0.0) == (0.0 <= score.raw <= 1.0)
        assert round3(score.unrounded) == score.final
        assert all(one.rounded == round3(one.delta) for one in score.components)


@models
@given(case=cases)
def test_an_explanation_has_the_scores_of_the_batch(model: ScoreModel, case: Case) -> None:
    scores = evaluate(inputs_of([case, case, case], model), model, NOW)
    explanation = explain(case, model)
    assert explanation.confidence.raw == scores.raw_confidence[2]
    assert explanation.importance.raw == scores.raw_importance[2]
    assert explanation.confidence.final == scores.confidence[2]
    assert explanation.importance.final == scores.importance[2]


def test_a_row_of_a_vault_explains_like_plain_values() -> None:
    case = aged(9, source="  Slack ", content="verified maybe", trust=0.2, type="FACT")
    inputs = inputs_of([aged(1), case], SERVER_V2).taken([1])
    row = explain_row(inputs, ExplainFacts(source="  Slack "), SERVER_V2, NOW)
    plain = explain(case, SERVER_V2)
    assert row.to_json() == plain.to_json()
    assert row.confidence.components[2].hint == "1 certainty word"
    assert row.confidence.components[2].cause == "1 certainty word"
    assert plain.confidence.components[2].hint == "verified"


def test_only_one_memory_is_explained_at_once() -> None:
    with pytest.raises(ValueError, match="not 2"):
        explain_row(inputs_of([aged(1)] * 2, SERVER_V1), ExplainFacts(), SERVER_V1, NOW)


def test_extras_are_under_keys_of_their_own() -> None:
    case = aged(9, source="  Slack  #Design", base_confidence=1.0, type="fact")
    data = explain(case, SERVER_V2).to_json(evidence=True)
    assert data["source"] == "slack  #design"
    assert data["source_key"] == "slack #design"
    assert data["confidence_delta"] == 0
    assert data["importance_delta"] == pytest.approx(data["dynamic_importance"] - 0.5)
    evidence = data["evidence"]
    assert evidence["dated_in_the_future"] is False
    assert evidence["confidence"]["clamp"] == -0.116
    assert [one["name"] for one in evidence["confidence"]["components"]] == [
        one["name"] for one in data["confidence_components"][1:]
    ]
    assert "evidence" not in explain(case, SERVER_V2).to_json()


def test_models_without_recalls_leave_their_keys_out() -> None:
    data = explain(aged(9, access_count=3.0, last_accessed_at=NOW - 1.0), SERVER_V1).to_json()
    assert "activity_age_days" not in data
    assert data["signals"].keys().isdisjoint({"access_count", "recall_age_days"})
    assert data["source"] is None
    assert data["source_key"] is None


def test_a_missing_recall_count_is_zero() -> None:
    inputs = replace(inputs_of([aged(1)], SERVER_V2), access_count=np.array([np.nan]))
    explanation = explain_row(inputs, ExplainFacts(), SERVER_V2, NOW)
    assert explanation.to_json()["signals"]["access_count"] == 0


@pytest.mark.parametrize(
    ("case", "ahead"),
    [
        (Case(now=NOW, updated_at=NOW + 901.0), True),
        (Case(now=NOW, updated_at=NOW + 900.0), False),  # saved since the scores were computed
        (Case(now=NOW, updated_at=(NOW - 5) * 1000.0), True),
        (Case(now=NOW, created_at=NOW + 901.0), True),
        (Case(now=NOW, created_at=NOW + 901.0, updated_at=float(NOW)), False),
        (Case(now=NOW), False),
    ],
)
def test_a_date_in_the_future_is_said(case: Case, ahead: bool) -> None:
    explanation = explain(case, PUBLISHED_V1)
    assert explanation.dated_ahead is ahead
    assert ("future" in hint(case, "recency_signal")) is ahead
    assert explanation.age_days == 0.0


def test_source_hints() -> None:
    assert hint(aged(1), "source_trust_delta") == "no source"
    assert hint(aged(1), "source_bonus") == "no source"
    slack = aged(1, source="Slack", trust=0.2)
    assert hint(slack, "source_trust_delta") == "trust 0.20 of slack: (0.20 − 0.50) × 0.40"
    assert explain(slack, PUBLISHED_V1).importance.components[1].hint.endswith("× 0.14")
    assert hint(replace(slack, trust=None), "source_trust_delta") == "trust of slack is not set"
    assert hint(slack, "source_bonus") == "slack: an ordinary source"
    assert hint(aged(1, source="My Blog"), "source_bonus") == "my b[log]: high-signal source"
    assert hint(slack, "source_penalty") == "no low-signal word in the source"
    rumor = hint(aged(1, source="rumor"), "source_penalty")
    assert rumor == "[rumor]: low-signal source"


def test_a_part_of_a_signal_is_cut_by_its_part() -> None:
    """The bar of a share says what its own cap cut, not that of the full signal."""
    links = LinkStats(8, contradicts_count=5, example_of_count=6)
    case = aged(1, links=links, access_count=40.0)
    full, part = "8 links, at the cap, 0.066 cut off", "8 links, at the cap, 0.023 cut off"
    assert [part_of(case, score, "link_signal") for score in SCORES] == [part, full]
    full, part = (
        "6 example links, at the cap, 0.040 cut off",
        "6 example links, at the cap, 0.010 cut off",
    )
    assert [part_of(case, score, "example_signal") for score in SCORES] == [part, full]
    full = "5 contradicting links, at the cap, 0.170 cut off"
    part = "5 contradicting links, at the cap, 0.042 cut off"
    assert [part_of(case, score, "contradiction_penalty") for score in SCORES] == [full, part]
    full, part = "40 recalls, at the cap, 0.026 cut off", "40 recalls, at the cap, 0.006 cut off"
    assert [part_of(case, score, "usage_signal", SERVER_V2) for score in SCORES] == [part, full]


def test_a_trust_without_a_source_is_not_called_none() -> None:
    text = part_of(aged(1, trust=0.2), "confidence", "source_trust_delta")
    assert text == "trust 0.20 of an unnamed source: (0.20 − 0.50) × 0.40"


def test_long_sources_are_shortened_around_the_word() -> None:
    source = "a" * 50 + " rumor " + "b" * 50
    marked = hint(aged(1, source=source), "source_penalty")
    assert marked == "…" + "a" * 16 + " [rumor] " + "b" * 16 + "…: low-signal source"
    named = hint(aged(1, source="c" * 50), "source_bonus")
    assert named == "c" * 39 + "…: an ordinary source"


SCORES = ("confidence", "importance")


def part_of(case: Case, score: str, name: str, model: ScoreModel = PUBLISHED_V1) -> str:
    """The hint of a component in one of the two scores."""
    parts = getattr(explain(case, model), score).components
    return next(part.hint for part in parts if part.name == name)


def test_word_hints_list_the_words_and_the_cut() -> None:
    words = "maybe might perhaps guess probably"
    assert hint(aged(1, content=words), "hedge_penalty") == (
        "maybe, might, perhaps, guess, probably, at the cap, 0.075 cut off"
    )
    assert component(aged(1, title="Maybe"), "hedge_penalty").cause == "the hedge word maybe"
    two = component(aged(1, title="Maybe", tags="guess"), "hedge_penalty")
    assert two.cause == "the 2 hedge words maybe, guess"
    assert hint(aged(1), "hedge_penalty") == "no hedge words"
    assert hint(aged(1, key="plan"), "importance_keyword_signal") == "plan"


def test_link_hints_count_and_say_what_the_cap_cut() -> None:
    links = LinkStats(4, supports_count=5, contradicts_count=2, causes_count=1, example_of_count=4)
    case = aged(1, links=links)
    assert hint(case, "support_signal") == "5 supporting links, at the cap, 0.030 cut off"
    assert hint(case, "contradiction_penalty") == "2 contradicting links"
    assert hint(case, "cause_signal") == "1 causal link"
    assert hint(case, "example_signal") == "4 example links, at the cap"
    assert hint(case, "supersede_signal") == "no superseding links"
    assert hint(case, "link_signal") == "4 links, at the cap"
    assert component(case, "contradiction_penalty").cause == "contradicted by 2 memories"
    assert component(case, "support_signal").cause == "5 supporting links"


def test_a_signal_that_is_switched_off_is_not_at_a_cap() -> None:
    model = PUBLISHED_V1.copy_as("off", "Off", support=CountRate(each=0.0, cap=0.0))
    case = aged(1, links=LinkStats(supports_count=3))
    assert hint(case, "support_signal", model) == "3 supporting links"


def test_depth_hints_name_the_length_for_full_credit() -> None:
    case = aged(1, content="x" * 312)
    assert hint(case, "content_depth_signal") == "312 characters of 500 for full credit"
    short = aged(1, content="x" * 80)
    assert hint(short, "content_depth_signal") == "80 characters, only those beyond 80 count"
    full = aged(1, content="x" * 1200)
    assert hint(full, "content_depth_signal") == "1,200 characters, full credit from 500"
    flat = PUBLISHED_V1.copy_as("flat", "Flat", depth=Depth(80.0, 420.0, 0.0, 0.0))
    assert hint(case, "content_depth_signal", flat) == "312 characters, full credit from 80"


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (1, "1.0 days since the last edit, under 3 days"),
        (20, "20.0 days since the last edit, under 60 days"),
        (100, "100.0 days since the last edit: −0.18 a year from day 60"),
        (
            1000,
            "1,000.0 days since the last edit: −0.18 a year from day 60, at the floor of −0.12",
        ),
    ],
)
def test_recency_hints_name_the_step(days: float, text: str) -> None:
    assert hint(aged(days), "recency_signal") == text


def test_a_fresh_memory_says_since_when_in_words() -> None:
    assert hint(aged(0.2), "recency_signal") == "edited today, under 3 days"
    assert component(aged(0.0), "recency_signal").cause == "edited today"
    assert component(aged(1.5), "recency_signal").cause == "edited 1 day ago"
    assert component(aged(20), "recency_signal").cause == "edited 20 days ago"
    assert hint(aged(0.2), "stale_penalty", SERVER_V1) == "edited today"
    recalled = aged(300, last_accessed_at=NOW - 0.3 * DAY)
    assert hint(recalled, "stale_penalty", SERVER_V2) == "recalled today"


def test_staleness_hints() -> None:
    assert hint(aged(10), "stale_penalty") == (
        "10.0 days since the last edit: counts from 365 days on"
    )
    assert hint(aged(730), "stale_penalty") == (
        "730.0 days since the last edit, at the cap, 0.120 cut off"
    )
    assert hint(aged(10), "stale_penalty", SERVER_V1) == "10.0 days since the last edit"
    assert component(aged(1.5), "stale_penalty", SERVER_V1).cause == "untouched for 1 day"
    assert component(aged(212.4), "stale_penalty", SERVER_V1).cause == "untouched for 212 days"
    recalled = aged(300, last_accessed_at=NOW - 3.0 * DAY)
    assert hint(recalled, "stale_penalty", SERVER_V2) == "3.0 days since the last recall"


def test_recall_hints() -> None:
    never = aged(9)
    assert hint(never, "usage_signal", SERVER_V2) == "never recalled"
    assert hint(never, "recall_recency_signal", SERVER_V2) == "never recalled"
    used = aged(300, access_count=30.0, last_accessed_at=NOW - 3.0 * DAY)
    assert hint(used, "usage_signal", SERVER_V2) == "30 recalls, at the cap, 0.003 cut off"
    assert component(used, "usage_signal", SERVER_V2).cause == "recalled 30 times"
    assert hint(used, "recall_recency_signal", SERVER_V2) == (
        "recalled 3.0 days ago, under 14 days"
    )
    old = replace(used, last_accessed_at=NOW - 90.0 * DAY)
    assert hint(old, "recall_recency_signal", SERVER_V2) == (
        "recalled 90.0 days ago, past the last step"
    )


def test_a_model_without_steps_says_no_step() -> None:
    assert SERVER_V2.use is not None
    model = SERVER_V2.copy_as(
        "plain",
        "Plain",
        recency=Recency(steps=(), per_year=0.18, floor=0.12),
        use=replace(SERVER_V2.use, recall_steps=()),
    )
    case = aged(9, last_accessed_at=NOW - 5.0 * DAY)
    assert hint(case, "recall_recency_signal", model) == "recalled 5.0 days ago"
    assert hint(case, "recency_signal", model).endswith("a year from day 0")


@models
@given(case=cases)
def test_word_hints_and_counts_agree(model: ScoreModel, case: Case) -> None:
    explanation = explain(case, model)
    listed = {
        "certainty_signal": explanation.signals.certainty_hits,
        "hedge_penalty": explanation.signals.hedge_hits,
    }
    for one in explanation.confidence.components:
        if one.name in listed:
            words = one.hint.split(", at the cap")[0]
            assert len(words.split(", ")) == max(listed[one.name], 1)


def test_trust_in_signals_is_clamped() -> None:
    data = explain(aged(1, trust=42.0, source="x"), SERVER_V2).to_json()
    assert data["signals"]["source_trust"] == 1


def test_evaluated_at_is_whole_seconds() -> None:
    inputs = inputs_of([aged(1)], SERVER_V2)
    explanation = explain_row(inputs, ExplainFacts(), SERVER_V2, NOW + 0.9)
    assert explanation.evaluated_at == NOW


def test_components_keep_table_order() -> None:
    explanation = explain(aged(1), SERVER_V2)
    breakdown = evaluate_components(inputs_of([aged(1)], SERVER_V2), SERVER_V2, NOW)
    assert tuple(one.name for one in explanation.confidence.components) == (
        breakdown.confidence_names
    )
