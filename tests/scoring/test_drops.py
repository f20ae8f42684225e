"""Next drops: dated, and as large as said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from mvdesk.scoring.builtin import PUBLISHED_V1, SERVER_V1, SERVER_V2
from mvdesk.scoring.case import Case
from mvdesk.scoring.dates import first_second, format_day, format_days, format_wait
from mvdesk.scoring.drops import find_drops, find_steps
from mvdesk.scoring.explain import explain
from mvdesk.scoring.model import Recency, Stale, Step
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.subject import subject_of_case
from tests.scoring.cases import DAY, NOW, cases
from tests.scoring.subjects import models, subject_of

if TYPE_CHECKING:
    from mvdesk.scoring.model import ScoreModel

SLOPE_A_SECOND = 1e-6  # more than any model loses in a second between steps


def aged(days: float, **changes: object) -> Case:
    return Case(now=NOW, created_at=NOW - days * DAY, updated_at=NOW - days * DAY, **changes)


@given(case=cases, model=models)
def test_scores_differ_by_what_was_said_between_a_second_before_and_the_date(
    case: Case, model: ScoreModel
) -> None:
    for drop in find_drops(subject_of_case(case, model)):
        assert drop.at > NOW
        before = explain(replace(case, now=drop.at - 1), model)
        after = explain(replace(case, now=drop.at), model)
        for kind in ("confidence", "importance"):
            was, will_be = getattr(before, kind).final, getattr(after, kind).final
            assert drop.change.of(kind) == round3(will_be - was)
            assert drop.before.of(kind) == was
            assert drop.after.of(kind) == will_be
        assert drop.change.confidence or drop.change.importance
        assert drop.text().startswith(("in ", "within "))
        assert drop.to_json()["at"] == drop.at


@given(case=cases, model=models)
def test_no_jump_is_left_out(case: Case, model: ScoreModel) -> None:
    known = {step.at for step in find_steps(subject_of_case(case, model))}
    dates = {case.updated_at, case.created_at, case.last_accessed_at} - {None}
    for date in dates:
        for days in (2, 3, 14, 60, 365):
            for second in (int(date + days * DAY) + shift for shift in (-1, 0, 1)):
                if second <= NOW or second in known:
                    continue
                before = explain(replace(case, now=second - 1), model)
                after = explain(replace(case, now=second), model)
                assert abs(after.confidence.raw - before.confidence.raw) < SLOPE_A_SECOND
                assert abs(after.importance.raw - before.importance.raw) < SLOPE_A_SECOND


def test_the_specified_line() -> None:
    drops = find_drops(subject_of(aged(1), PUBLISHED_V1))
    assert drops[0].text() == "in 2 days: importance −0.050, leaves the 3-day window"
    assert [drop.text().partition(": ")[2] for drop in drops[1:]] == [
        "importance −0.040, leaves the 14-day window",
        "importance −0.030, leaves the 60-day window",
        "confidence −0.160, untouched for over 365 days",
    ]
    assert drops[0].at == NOW + 2 * DAY
    assert drops[3].at == NOW + 364 * DAY + 1  # past the day, not on it


def test_the_servers_models_have_no_jump_into_staleness() -> None:
    drops = find_drops(subject_of(aged(1), SERVER_V1))
    assert [drop.components for drop in drops] == [("recency_signal",)] * 3


def test_steps_of_one_second_are_one_drop() -> None:
    case = aged(100, last_accessed_at=NOW - 13 * DAY, access_count=1)
    first = find_drops(subject_of(case, SERVER_V2))[0]
    assert first.components == ("recency_signal", "recall_recency_signal")
    assert first.change.importance == -0.065
    assert "its last recall leaves the 14-day window" in first.text()


def test_a_memory_that_was_recalled_counts_from_then_only_where_recalls_count() -> None:
    case = aged(13, last_accessed_at=NOW - DAY)
    assert find_drops(subject_of(case, PUBLISHED_V1))[0].at == NOW + DAY
    assert [drop.at for drop in find_drops(subject_of(case, SERVER_V2))][:2] == [
        NOW + DAY,
        NOW + 2 * DAY,
    ]


def test_without_a_date_nothing_drops() -> None:
    assert find_drops(subject_of(Case(now=NOW), PUBLISHED_V1)) == []


def test_what_is_held_at_the_ceiling_does_not_drop() -> None:
    case = aged(1, base_importance=1.0, trust=1.0, source="x", content="goal plan task ship")
    assert [drop.change.importance for drop in find_drops(subject_of(case, PUBLISHED_V1))] == [0.0]


def test_a_model_of_ones_own_has_its_own_steps() -> None:
    recency = Recency(steps=(Step(0.5, 0.1), Step(1.5, 0.05)), per_year=0.0, floor=0.0)
    model = PUBLISHED_V1.copy_as(
        "own", "Own", recency=recency, stale=Stale(after_days=2.0, per_year=1.0, cap=1.0)
    )
    drops = find_drops(subject_of(aged(0), model))
    assert [drop.at - NOW for drop in drops] == [DAY // 2, DAY * 3 // 2, 2 * DAY + 1]
    assert "leaves the 0.5-day window" in drops[0].text()
    no_steps = PUBLISHED_V1.copy_as("own", "Own", recency=Recency((), 0.18, 0.12))
    assert [drop.components for drop in find_drops(subject_of(aged(0), no_steps))] == [
        ("stale_penalty",)
    ]


@pytest.mark.parametrize("since", [0.0, 0.25, -5.0, 1_234_567_890.123, 2.0**37 + 0.1])
@pytest.mark.parametrize("days", [0.1, 1 / 3, 3.0, 14.0, 365.0])
@pytest.mark.parametrize("beyond", [False, True])
def test_the_first_second_is_the_first(since: float, days: float, beyond: bool) -> None:
    second = first_second(since, days, beyond=beyond)
    assert second is not None
    ages = [(second - 1 - since) / DAY, (second - since) / DAY]
    reached = [age > days if beyond else age >= days for age in ages]
    assert reached == [False, True]


@pytest.mark.parametrize("since", [None, 1e300, -1e300, float("inf"), 253_402_300_000.0])
def test_there_may_be_no_such_second(since: float | None) -> None:
    assert first_second(since, 3.0) is None


def test_milliseconds_for_seconds_have_no_drops_ahead() -> None:
    case = replace(aged(0), updated_at=NOW * 1000.0, created_at=NOW * 1000.0)
    assert find_drops(subject_of(case, PUBLISHED_V1)) == []


def test_every_age_is_at_least_nothing() -> None:
    assert first_second(0.0, 0.0) is None


@pytest.mark.parametrize(
    ("days", "text"),
    [(2.4, "in 2 days"), (1.0, "in 1 day"), (0.5, "in 12 hours"), (0.05, "in 1 hour"),
     (0.01, "within the hour"), (1234.0, "in 1,234 days")],
)  # fmt: skip
def test_waits_are_said_in_the_unit_that_fits(days: float, text: str) -> None:
    assert format_wait(days) == text


def test_days_are_said_with_a_decimal_where_there_is_one() -> None:
    assert format_days(1.0) == "1 day"
    assert format_days(1.26) == "1.3 days"
    assert format_day(NOW) == "2027-01-15"
    assert format_day(1e300).startswith("(not a date) 1000")
