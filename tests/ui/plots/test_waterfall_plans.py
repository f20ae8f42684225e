"""The waterfall by cause, and as a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from mvdesk.scoring.rounding import thousandths
from mvdesk.ui.plots.waterfall_plans import (
    find_change_range,
    make_cause_row,
    plan_causes,
    plan_difference,
)
from mvdesk.ui.plots.waterfall_rows import find_ticks, plan_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from mvdesk.scoring.explain import Explanation
    from mvdesk.ui.plots.waterfall import Waterfall

KINDS = ("confidence", "importance")


@pytest.mark.parametrize("kind", KINDS)
def test_the_bars_of_a_difference_sum_to_that_of_the_raw_sums(
    explained: Callable[..., Explanation], kind: str
) -> None:
    pinned = getattr(explained(), kind)
    shown = getattr(explained(0.9, {"supports_count": 4}, content="probably", importance=0.9), kind)
    rows = plan_difference(pinned, shown, unfolded=True)
    bars = [row for row in rows if row.kind == "component"]
    assert len(bars) == len(shown.components) + 1  # and the base
    total = sum(row.end - row.start for row in bars)
    assert total == pytest.approx(shown.raw - pinned.raw, abs=1e-12)
    assert bars[0].start == pinned.raw
    assert bars[-1].end == pytest.approx(shown.raw, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_the_shown_numbers_of_a_difference_add_up_with_the_rounding(
    explained: Callable[..., Explanation], kind: str
) -> None:
    pinned = getattr(explained(0.333), kind)
    shown = getattr(explained(0.777, content="the plan was verified"), kind)
    rows = plan_difference(pinned, shown, unfolded=True)

    def value(text: str) -> int:
        return thousandths(float(text.replace("\N{MINUS SIGN}", "-")))

    parts = sum(value(row.value) for row in rows if row.kind in ("component", "rounding"))
    ends = {row.name: value(row.value) for row in rows if row.kind == "raw"}
    assert ends["pinned"] + parts == ends["raw"]


def test_clamps_stand_apart_from_the_difference(explained: Callable[..., Explanation]) -> None:
    high = explained(1.0, {"supports_count": 5}, confidence=1.0).confidence
    assert high.clamp < 0
    rows = plan_difference(high, explained().confidence)
    names = [row.name for row in rows]
    assert names[-3:] == ["pinnedClamp", "pinnedFinal", "final"]
    assert not any(row.joined for row in rows[-3:])
    assert [row.value for row in rows[-2:]] == [
        f"{score.final:.3f}" for score in (high, explained().confidence)
    ]


def test_a_memory_differs_from_itself_in_nothing(explained: Callable[..., Explanation]) -> None:
    score = explained().confidence
    rows = plan_difference(score, score)
    assert [row.kind for row in rows] == ["raw", "fold", "raw", "final", "final"]
    assert rows[1].label == f"{len(score.components) + 1} the same"


def test_causes_start_at_zero_the_largest_first_those_without_effect_folded() -> None:
    causes = [
        make_cause_row("a", "A", 0.02, ""),
        make_cause_row("b", "B", -0.09, ""),
        make_cause_row("c", "C", 0.0, ""),
    ]
    rows = plan_causes(causes)
    assert [row.name for row in rows] == ["b", "a", "zero"]
    assert {row.start for row in rows} == {0.0}
    assert rows[0].is_loss
    assert [row.name for row in plan_causes(causes, unfolded=True)] == ["b", "a", "c", "zero"]
    low, high = find_change_range(rows)
    assert low < -0.09
    assert high > 0.02
    assert 0 in find_ticks(low, high, bounded=False)


def test_orders_by_size_and_by_sign(explained: Callable[..., Explanation]) -> None:
    score = explained().confidence
    biggest = [row for row in plan_rows(score, order="biggest") if row.kind == "component"]
    sizes = [round(abs(row.end - row.start), 9) for row in biggest]
    assert sizes == sorted(sizes, reverse=True)
    negatives = [row for row in plan_rows(score, order="negatives") if row.kind == "component"]
    changes = [round(row.end - row.start, 9) for row in negatives]
    assert changes == sorted(changes)
    assert changes[0] < 0 < changes[-1]


def test_the_waterfall_says_what_it_compares(
    waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    waterfall.set_pinned(explained(0.9).confidence)
    assert "compared with the pinned memory" in waterfall.accessibleDescription()
    waterfall.set_pinned(None)
    waterfall.set_causes([make_cause_row("a", "A", 0.02, "")])
    assert waterfall.shows_causes
    assert "by cause" in waterfall.accessibleDescription()
    waterfall.set_causes(None)
    assert "final" in waterfall.accessibleDescription()


def test_space_asks_to_pin(
    qtbot: QtBot, waterfall: Waterfall, explained: Callable[..., Explanation]
) -> None:
    waterfall.set_explanation(explained().confidence)
    waterfall.set_selected("hedge_penalty")
    with qtbot.waitSignal(waterfall.pin_requested):
        qtbot.keyClick(waterfall, Qt.Key.Key_Space)
