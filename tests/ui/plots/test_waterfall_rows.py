from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mvdesk.scoring.explain import Component, ScoreExplanation
from mvdesk.ui.plots.waterfall_rows import (
    describe_row,
    describe_score,
    find_axis_range,
    find_ticks,
    format_delta,
    format_score,
    plan_rows,
    thin_ticks,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.scoring.explain import Explanation


def part(name: str, group: str, delta: float) -> Component:
    return Component(name, name.title(), group, delta, round(delta, 3), f"about {name}", "")


def score(*parts: Component, base: float = 0.7, rounding: float = 0.0) -> ScoreExplanation:
    raw = base
    for each in parts:
        raw += each.delta
    final = min(max(raw, 0.0), 1.0)
    return ScoreExplanation(
        "confidence", base, parts, raw, final, round(final, 3), final - raw, rounding
    )


def names(rows: tuple) -> list[str]:
    return [row.name or f"[{row.label}]" for row in rows]


def test_grouped_rows_carry_headers_with_subtotals_and_model_order_has_none() -> None:
    explained = score(
        part("trust", "Source", -0.12),
        part("support", "Links", 0.05),
        part("kind", "Source", 0.04),
    )
    grouped = plan_rows(explained)
    assert names(grouped) == [
        "base_confidence",
        "[Source]",
        "trust",
        "kind",
        "[Links]",
        "support",
        "raw",
        "final",
    ]
    assert grouped[1].value == "−0.080"
    plain = plan_rows(explained, order="model")
    assert names(plain) == ["base_confidence", "trust", "support", "kind", "raw", "final"]


def test_every_bar_starts_where_the_one_above_ended() -> None:
    rows = plan_rows(score(part("a", "Text", 0.2), part("b", "Links", -0.3)))
    bars = [row for row in rows if row.kind == "component"]
    assert [(row.start, row.end) for row in bars] == [
        (0.7, pytest.approx(0.9)),
        (pytest.approx(0.9), pytest.approx(0.6)),
    ]
    assert bars[1].is_loss
    assert not bars[0].is_loss


def test_only_exact_zeros_are_folded_and_they_come_back_in_place() -> None:
    explained = score(part("a", "Text", 0.0), part("b", "Text", 0.0002), part("c", "Links", 0.0))
    folded = plan_rows(explained)
    assert names(folded) == ["base_confidence", "[Text]", "b", "zero", "raw", "final"]
    assert folded[3].label == "2 at zero"
    assert not folded[3].open
    unfolded = plan_rows(explained, unfolded=True)
    assert names(unfolded)[1:6] == ["[Text]", "a", "b", "[Links]", "c"]
    assert unfolded[6].open


def test_a_component_that_a_preview_brings_to_zero_is_not_folded() -> None:
    now, before = score(part("a", "Text", 0.0)), score(part("a", "Text", -0.12))
    row = next(row for row in plan_rows(now, previous=before) if row.name == "a")
    assert row.was == "−0.120"
    assert row.ghost == (0.7, pytest.approx(0.58))


def test_what_a_preview_leaves_alone_has_no_ghost() -> None:
    before = score(part("a", "Text", 0.1), part("b", "Links", 0.02))
    now = score(part("a", "Text", 0.1), part("b", "Links", 0.05))
    ghosts = {row.name: row.was for row in plan_rows(now, previous=before) if row.was}
    assert ghosts == {"b": "+0.020", "raw": "0.820", "final": "0.820"}


def test_a_component_new_in_a_preview_is_shown_without_a_ghost() -> None:
    rows = plan_rows(score(part("a", "Text", 0.1)), previous=score())
    assert next(row for row in rows if row.name == "a").ghost is None


def test_a_zero_component_unknown_to_the_previous_score_is_folded() -> None:
    rows = plan_rows(score(part("a", "Text", 0.0)), previous=score())
    assert "zero" in names(rows)


def test_the_clamp_has_a_row_when_it_bites_or_bit() -> None:
    high, low = score(part("a", "Text", 0.48)), score(part("a", "Text", 0.1))
    clamp = next(row for row in plan_rows(high) if row.name == "clamp")
    assert clamp.value == "−0.180"
    assert clamp.hint == "a score can't be above 1"
    assert "clamp" not in names(plan_rows(low))
    eased = next(row for row in plan_rows(low, previous=high) if row.name == "clamp")
    assert (eased.value, eased.was, eased.hint) == ("0.000", "−0.180", "within 0 and 1 now")
    assert eased.ghost == (pytest.approx(1.18), pytest.approx(1.0))
    floor = score(part("a", "Text", -0.8))
    assert next(r for r in plan_rows(floor) if r.name == "clamp").hint.endswith("below 0")


def test_rounding_is_said_only_when_the_displayed_parts_miss_the_total() -> None:
    assert "rounding" not in names(plan_rows(score(part("a", "Text", 0.1))))
    rows = plan_rows(score(part("a", "Text", 0.1), rounding=0.001))
    assert next(row for row in rows if row.name == "rounding").value == "+0.001"


def test_an_unknown_group_of_an_own_model_comes_last() -> None:
    rows = plan_rows(score(part("x", "Mood", 0.1), part("a", "Text", 0.1)))
    assert names(rows)[1:5] == ["[Text]", "a", "[Mood]", "x"]


def test_numbers_have_three_decimals_and_a_real_minus() -> None:
    assert format_delta(-0.18) == "−0.180"
    assert format_delta(0.05) == "+0.050"
    assert format_delta(0.0) == "0.000"
    assert format_score(-0.1) == "−0.100"


@pytest.mark.parametrize("kind", ["confidence", "importance"])
@pytest.mark.parametrize("order", ["grouped", "model"])
def test_displayed_parts_and_rounding_make_the_raw_sum(
    explained: Callable[..., Explanation], kind: str, order: str
) -> None:
    rows = plan_rows(getattr(explained(), kind), order=order, unfolded=True)
    shown = {row.kind: row for row in rows}
    parts = [row for row in rows if row.kind in ("base", "component", "rounding")]
    total = sum(round(1000 * float(row.value.replace("−", "-"))) for row in parts)
    assert total == round(1000 * float(shown["raw"].value))
    assert rows[0].label == "Base — what you stored"
    assert len({row.name for row in parts}) == len(parts)


def test_the_axis_reaches_beyond_0_and_1_only_where_a_sum_does() -> None:
    assert find_axis_range(plan_rows(score(part("a", "Text", 0.1)))) == (0.0, 1.0)
    assert find_axis_range(plan_rows(score(part("a", "Text", 0.5)))) == (0.0, pytest.approx(1.25))
    low = score(part("a", "Text", -0.9))
    assert find_axis_range(plan_rows(low)) == (pytest.approx(-0.25), 1.0)
    assert find_axis_range(()) == (0.0, 1.0)


def test_the_axis_leaves_room_for_the_ghost() -> None:
    rows = plan_rows(score(part("a", "Text", 0.1)), previous=score(part("a", "Text", 0.5)))
    assert find_axis_range(rows)[1] == pytest.approx(1.25)


def test_zooming_shows_where_the_bars_are() -> None:
    low, high = find_axis_range(plan_rows(score(part("a", "Text", 0.1))), zoomed=True)
    assert (low, high) == (pytest.approx(0.68), pytest.approx(0.82))


@pytest.mark.parametrize(
    ("axis", "ticks"),
    [
        ((0.0, 1.0), [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        ((-0.25, 1.3), [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        ((0.68, 0.82), [0.7, 0.75, 0.8]),
        ((0.5, 0.52), [0.5, 0.51, 0.52]),
    ],
)
def test_ticks(axis: tuple[float, float], ticks: list[float]) -> None:
    found = find_ticks(*axis)
    if axis == (0.68, 0.82):
        assert set(ticks) <= set(found)
    else:
        assert found == ticks


def test_a_row_is_said_in_words() -> None:
    row = plan_rows(score(part("contradiction", "Links", -0.18)))[2]
    said = describe_row(row, 11, 13)
    assert said == "Contradiction, minus 0.180, about contradiction, row 11 of 13"
    assert describe_row(replace(row, was="+0.050"), 1, 2).count("was +0.050") == 1
    fold = plan_rows(score(part("a", "Text", 0.0)))[1]
    assert describe_row(fold, 2, 4) == "1 at zero, collapsed, row 2 of 4"


def test_the_whole_is_said_in_a_sentence() -> None:
    said = describe_score(score(part("a", "Text", 0.1)))
    assert said == "Confidence: base 0.700, 1 change, raw sum 0.800, final 0.800."


@pytest.mark.parametrize("axis", [(0.0, 1.0), (-0.3, 1.0), (0.0, 1.4), (0.35, 1.0)])
@pytest.mark.parametrize("stride", [1, 2, 5, 9])
def test_one_always_has_a_tick(axis: tuple[float, float], stride: int) -> None:
    ticks = find_ticks(*axis, bounded=False)
    thin = thin_ticks(ticks, stride)
    assert 1.0 in thin
    assert len(thin) <= -(-len(ticks) // stride)
    assert thin_ticks([0.2, 0.4, 0.6], stride)[0] == 0.2
