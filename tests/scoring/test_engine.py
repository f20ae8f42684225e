from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvdesk.scoring import engine
from mvdesk.scoring.builtin import BUILTIN_MODELS, PUBLISHED_V1, SERVER_V1, SERVER_V2
from mvdesk.scoring.case import Case, LinkStats, inputs_of
from mvdesk.scoring.engine import Scores, compute_ages, evaluate, evaluate_components
from mvdesk.scoring.inputs import MISSING, ScoreInputs
from mvdesk.scoring.model import LogRate, ScoreModel
from tests.scoring.cases import DAY, NOW, cases

models = pytest.mark.parametrize("model", BUILTIN_MODELS.values(), ids=lambda model: model.id)


def bits(scores: Scores) -> tuple[bytes, ...]:
    columns = (scores.confidence, scores.importance, scores.raw_confidence, scores.raw_importance)
    return tuple(column.tobytes() for column in columns)


def deltas_of(case: Case, model: ScoreModel, kind: str = "confidence") -> dict[str, float]:
    """Every component of one memory by name, unrounded."""
    breakdown = evaluate_components(inputs_of([case], model), model, case.now)
    names = getattr(breakdown, f"{kind}_names")
    return dict(zip(names, getattr(breakdown, f"{kind}_deltas")[0].tolist(), strict=True))


def aged(days: float, **changes: object) -> Case:
    """A memory written so many days before now."""
    written = NOW - days * DAY
    return replace(Case(now=NOW, created_at=written, updated_at=written), **changes)


@models
@settings(max_examples=60)
@given(some=st.lists(cases, max_size=8))
def test_a_batch_scores_like_each_memory_alone(model: ScoreModel, some: list[Case]) -> None:
    batch = evaluate(inputs_of(some, model), model, NOW)
    alone = [evaluate(inputs_of([case], model), model, NOW) for case in some]
    for place, single in enumerate(alone):
        row = Scores(
            *(
                getattr(batch, name)[place : place + 1]
                for name in ("confidence", "importance", "raw_confidence", "raw_importance")
            )
        )
        assert bits(row) == bits(single)


@models
def test_blocks_make_no_difference(model: ScoreModel, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    some = [
        aged(float(rng.uniform(0, 900)), trust=float(rng.random()), links=LinkStats(link_count=n))
        for n in range(40)
    ]
    inputs = inputs_of(some, model)
    now = np.full(40, float(NOW))
    whole, own_times = evaluate(inputs, model, NOW), evaluate(inputs, model, now)
    monkeypatch.setattr(engine, "BLOCK", 7)
    assert bits(evaluate(inputs, model, NOW)) == bits(whole) == bits(own_times)
    assert bits(evaluate(inputs, model, now)) == bits(whole)


@models
@given(case=cases)
def test_sums_are_plain_additions_in_table_order(model: ScoreModel, case: Case) -> None:
    breakdown = evaluate_components(inputs_of([case], model), model, NOW)
    for kind in ("confidence", "importance"):
        total = float(getattr(breakdown, f"base_{kind}")[0])
        for delta in getattr(breakdown, f"{kind}_deltas")[0].tolist():
            total += delta
        assert total == getattr(breakdown.scores, f"raw_{kind}")[0]
        final = getattr(breakdown.scores, f"unrounded_{kind}")[0]
        assert final == min(max(total, 0.0), 1.0)


@models
@given(case=cases)
def test_no_number_is_a_negative_zero(model: ScoreModel, case: Case) -> None:
    breakdown = evaluate_components(inputs_of([case], model), model, NOW)
    values = np.concatenate([breakdown.scores.confidence, breakdown.scores.importance])
    assert not np.any(np.signbit(values))


@models
def test_no_memories_give_no_scores(model: ScoreModel) -> None:
    empty = inputs_of([], model)
    assert len(empty) == 0
    assert len(evaluate(empty, model, NOW)) == 0
    assert evaluate_components(empty, model, NOW).confidence_deltas.shape[0] == 0


def test_the_worked_example_of_the_published_model() -> None:
    case = aged(
        5,
        type="fact",
        content="verified and confirmed",
        trust=0.8,
        source="lunch talk",
        links=LinkStats(link_count=4, supports_count=3, contradicts_count=1),
    )
    confidence = {name: d for name, d in deltas_of(case, PUBLISHED_V1).items() if d}
    assert confidence == {
        "source_trust_delta": pytest.approx(0.12),
        "certainty_signal": pytest.approx(0.08),
        "type_confidence_bias": 0.08,
        "support_signal": pytest.approx(0.15),
        "link_signal": pytest.approx(0.063),
        "contradiction_penalty": -0.09,
    }
    importance = {n: d for n, d in deltas_of(case, PUBLISHED_V1, "importance").items() if d}
    assert importance == {
        "source_trust_delta": pytest.approx(0.042),
        "type_importance_bias": 0.02,
        "link_signal": 0.18,
        "recency_signal": 0.07,
        "contradiction_penalty": -0.0225,
    }
    scores = evaluate(inputs_of([case], PUBLISHED_V1), PUBLISHED_V1, NOW)
    assert scores.raw_confidence[0] == pytest.approx(1.103)
    assert scores.raw_importance[0] == pytest.approx(0.7895)
    assert (scores.confidence[0], scores.importance[0]) == (1.0, 0.79)


@pytest.mark.parametrize(
    ("days", "points"),
    [(0, 0.0), (364.9, 0.0), (365, 0.0), (365.001, -0.16), (456.25, -0.2), (5000, -0.2)],
)
def test_published_staleness_starts_with_a_jump_after_a_year(days: float, points: float) -> None:
    assert deltas_of(aged(days), PUBLISHED_V1)["stale_penalty"] == pytest.approx(points, abs=1e-5)


def test_server_staleness_grows_from_the_first_day() -> None:
    assert deltas_of(aged(36.5), SERVER_V1)["stale_penalty"] == pytest.approx(-0.016)
    assert deltas_of(aged(365), SERVER_V1)["stale_penalty"] == pytest.approx(-0.16)


@pytest.mark.parametrize("model", [PUBLISHED_V1, SERVER_V1], ids=lambda model: model.id)
@pytest.mark.parametrize(
    ("seconds", "points"),
    [
        (3 * DAY - 1, 0.12),
        (3 * DAY, 0.07),
        (14 * DAY - 1, 0.07),
        (14 * DAY, 0.03),
        (60 * DAY - 1, 0.03),
        (60 * DAY, 0.0),
    ],
)
def test_recency_jumps_exactly_at_its_days(model: ScoreModel, seconds: int, points: float) -> None:
    case = Case(now=NOW, updated_at=NOW - seconds)
    assert deltas_of(case, model, "importance")["recency_signal"] == points


@pytest.mark.parametrize(("model", "floor"), [(PUBLISHED_V1, -0.12), (SERVER_V1, -0.18)])
def test_recency_has_a_floor(model: ScoreModel, floor: float) -> None:
    assert deltas_of(aged(425), model, "importance")["recency_signal"] == pytest.approx(
        max(-0.18, floor)
    )
    assert deltas_of(aged(9000), model, "importance")["recency_signal"] == floor


def test_four_links_are_full_in_the_published_model_only() -> None:
    def links(count: int, model: ScoreModel) -> float:
        case = aged(0, links=LinkStats(link_count=count))
        return deltas_of(case, model, "importance")["link_signal"]

    assert links(3, PUBLISHED_V1) < 0.18
    assert links(4, PUBLISHED_V1) == links(400, PUBLISHED_V1) == 0.18
    assert links(4, SERVER_V1) == 0.06 * math.log1p(4)
    assert links(20, SERVER_V1) == 0.18


def test_the_published_model_differs_from_the_server_in_the_listed_places_only() -> None:
    case = aged(500, type="journal", source="idea", trust=0.3, links=LinkStats(2, 1, 1, 0, 0, 1))
    for kind, expected in (
        ("confidence", {"source_bonus", "link_signal", "source_penalty"}),
        ("importance", {"link_signal", "recency_signal"}),
    ):
        published, server = (deltas_of(case, m, kind) for m in (PUBLISHED_V1, SERVER_V1))
        assert {name for name in published if published[name] != server[name]} == expected


@pytest.mark.parametrize(
    ("seconds", "points"),
    [
        (2 * DAY - 1, 0.08),
        (2 * DAY, 0.04),
        (14 * DAY - 1, 0.04),
        (14 * DAY, 0.015),
        (60 * DAY - 1, 0.015),
        (60 * DAY, 0.0),
        (-50, 0.08),
        (None, 0.0),
        (NOW, 0.0),
        (NOW + 5, 0.0),
    ],
)
def test_recall_recency_jumps_exactly_at_its_days(seconds: int | None, points: float) -> None:
    last = None if seconds is None else float(NOW - seconds)
    case = aged(300, last_accessed_at=last)
    assert deltas_of(case, SERVER_V2, "importance")["recall_recency_signal"] == points


def test_a_recall_makes_a_memory_young_only_where_recalls_count() -> None:
    inputs = inputs_of([aged(300, last_accessed_at=NOW - 10.0 * DAY)], SERVER_V2)
    assert compute_ages(inputs, SERVER_V1, NOW).activity.tolist() == [300.0]
    assert compute_ages(inputs, SERVER_V2, NOW).activity.tolist() == [10.0]


def test_missing_times_fall_back() -> None:
    some = [
        Case(now=NOW, created_at=NOW - 5.0 * DAY),
        Case(now=NOW, updated_at=NOW - 7.0 * DAY),
        Case(now=NOW),
        Case(now=NOW, updated_at=NOW + 9.0 * DAY),
    ]
    ages = compute_ages(inputs_of(some, SERVER_V2), SERVER_V2, NOW)
    assert ages.age.tolist() == [5.0, 7.0, 0.0, 0.0]
    assert np.all(np.isinf(ages.recall))


@pytest.mark.parametrize(
    ("count", "points"),
    [
        (-3.0, 0.0),
        (0.0, 0.0),
        (0.9, 0.0),
        (2.7, 0.05 * math.log1p(2)),
        (23.0, 0.05 * math.log1p(23)),
        (24.0, 0.16),
        (1e300, 0.16),
        (math.nan, 0.0),
    ],
)
def test_usage_counts_whole_recalls_up_to_its_cap(count: float, points: float) -> None:
    inputs = replace(inputs_of([aged(1)], SERVER_V2), access_count=np.array([count]))
    breakdown = evaluate_components(inputs, SERVER_V2, NOW)
    place = breakdown.importance_names.index("usage_signal")
    assert breakdown.importance_deltas[0, place] == points
    assert breakdown.confidence_deltas[0, breakdown.confidence_names.index("usage_signal")] == (
        points * 0.25
    )


def test_a_slow_curve_needs_no_table() -> None:
    assert SERVER_V2.use is not None
    slow = LogRate(each=0.001, cap=1.0)
    model = SERVER_V2.copy_as("slow", "Slow", link=slow, use=replace(SERVER_V2.use, usage=slow))
    case = aged(1, links=LinkStats(link_count=5_000_000), access_count=7_000_000.5)
    deltas = deltas_of(case, model, "importance")
    assert deltas["link_signal"] == 0.001 * math.log1p(5_000_000)
    assert deltas["usage_signal"] == 0.001 * math.log1p(7_000_000)


def test_a_curve_without_slope_earns_nothing() -> None:
    model = SERVER_V2.copy_as("flat", "Flat", link=LogRate(each=0.0, cap=0.18))
    assert deltas_of(aged(1, links=LinkStats(link_count=9)), model)["link_signal"] == 0.0


def test_trust_that_is_not_set_is_neutral_and_wild_trust_is_clamped() -> None:
    for trust, points in ((None, 0.0), (0.5, 0.0), (42.0, 0.2), (-7.0, -0.2)):
        assert deltas_of(aged(1, trust=trust), PUBLISHED_V1)["source_trust_delta"] == points


@pytest.mark.parametrize(
    ("length", "points"), [(80, 0.0), (290, 0.04), (500, 0.08), (2000, 0.08), (0, 0.0)]
)
def test_content_depth_counts_from_80_to_500_characters(length: int, points: float) -> None:
    case = aged(1, content="x" * length)
    depth = deltas_of(case, PUBLISHED_V1, "importance")["content_depth_signal"]
    assert depth == pytest.approx(points)


def test_every_type_has_its_bias() -> None:
    found = {
        name: (
            deltas_of(aged(1, type=name), PUBLISHED_V1)["type_confidence_bias"],
            deltas_of(aged(1, type=name), PUBLISHED_V1, "importance")["type_importance_bias"],
        )
        for name in ("fact", "NOTE", "journal", "recipe", None)
    }
    assert found == {
        "fact": (0.08, 0.02),
        "NOTE": (0.0, 0.04),
        "journal": (-0.06, 0.01),
        "recipe": (0.0, 0.01),
        None: (0.0, 0.01),
    }


def test_inputs_can_be_taken_and_retrusted() -> None:
    inputs = inputs_of([aged(n, base_confidence=n / 10) for n in range(4)], SERVER_V2)
    some = inputs.taken([3, 1])
    assert some.base_confidence.tolist() == [0.3, 0.1]
    assert some.link_counts.shape == (2, 6)
    changed = some.with_trust(np.array([1.0, np.nan]))
    assert changed.trust[0] == 1.0
    assert np.isnan(some.trust[0])


@models
def test_times_as_whole_numbers_score_alike(model: ScoreModel) -> None:
    times = [None, 0, 5, NOW - 40 * 86_400, NOW - 900 * 86_400]
    cases = [
        Case(now=NOW, created_at=a, updated_at=b, last_accessed_at=c, access_count=n)
        for n, (a, b, c) in enumerate(product(times, times, times))
    ]
    inputs = inputs_of(cases, model)
    whole = replace(
        inputs,
        **{
            name: np.nan_to_num(getattr(inputs, name), nan=float(MISSING)).astype(np.int64)
            for name in ("created_at", "updated_at", "last_accessed_at", "access_count")
        },
    )
    assert bits(evaluate(whole, model, NOW)) == bits(evaluate(inputs, model, NOW))
    some = whole.taken([3, 0])
    assert some.updated_at.tolist()[1:] != [MISSING]
    assert np.array_equal(some.created_at, inputs.taken([3, 0]).created_at, equal_nan=True)


def test_inputs_of_unequal_length_are_refused() -> None:
    inputs = inputs_of([aged(1)], SERVER_V2)
    with pytest.raises(ValueError, match="trust has another length"):
        ScoreInputs(**{**{n: getattr(inputs, n) for n in inputs.__slots__}, "trust": np.zeros(2)})


def test_more_types_than_a_byte_holds_still_score() -> None:
    some = [aged(1, type=f"type {n}") for n in range(300)] + [aged(1, type="fact")]
    breakdown = evaluate_components(inputs_of(some, PUBLISHED_V1), PUBLISHED_V1, NOW)
    place = breakdown.confidence_names.index("type_confidence_bias")
    assert np.flatnonzero(breakdown.confidence_deltas[:, place]).tolist() == [300]
