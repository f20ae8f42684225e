from __future__ import annotations

import pytest

from mvdesk.ui.plots.waterfall_layout import (
    MIN_BAR,
    STACK_BELOW,
    Metrics,
    Span,
    compute_waterfall_layout,
    find_bar,
    find_x,
)
from mvdesk.ui.plots.waterfall_rows import Row

ROWS = (
    Row("base", "base_confidence", "Base", "0.700", end=0.7),
    Row("group", "", "Links", "−0.130"),
    Row("component", "support", "Support", "+0.050", start=0.7, end=0.75),
    Row("fold", "zero", "2 at zero", "", start=0.75, end=0.75),
    Row("final", "final", "Final", "0.750", end=0.75),
)


@pytest.mark.parametrize("scale", [0.85, 1.0, 1.25, 1.5, 1.6])
@pytest.mark.parametrize("width", [300, 350, 376, 460, 559, 560, 620, 1200])
def test_columns_never_overlap_and_the_plot_keeps_its_share(width: int, scale: float) -> None:
    layout = compute_waterfall_layout(ROWS, width, Metrics.at_scale(scale), widest_label=150)
    assert layout.plot.length >= STACK_BELOW
    assert layout.value.end <= width
    assert layout.label.end <= layout.value.start
    if not layout.stacked:
        assert layout.label.end <= layout.plot.start
        after = layout.hint or layout.value
        assert layout.plot.end <= after.start
    if layout.hint is not None:
        assert layout.hint.end <= layout.value.start
    for above, below in zip(layout.rows, layout.rows[1:], strict=False):
        assert above.whole.end == below.whole.start
    for row, place in zip(ROWS, layout.rows, strict=True):
        assert place.whole.start <= place.bar.start <= place.bar.end <= place.whole.end
        if layout.stacked and row.kind == "component":
            assert place.text.end <= place.bar.start


def test_evidence_has_a_column_from_560_px_up() -> None:
    metrics = Metrics.at_scale(1.0)
    assert compute_waterfall_layout(ROWS, 559, metrics).hint is None
    hint = compute_waterfall_layout(ROWS, 560, metrics).hint
    assert hint is not None
    assert hint.length >= 132


def test_the_narrowest_panel_has_columns_at_scale_1_and_stacks_at_1_5() -> None:
    assert not compute_waterfall_layout(ROWS, 338, Metrics.at_scale(1.0)).stacked
    assert compute_waterfall_layout(ROWS, 352, Metrics.at_scale(1.5)).stacked


def test_labels_that_tell_rows_apart_go_above_bars_rather_than_be_cut_to_half() -> None:
    metrics = Metrics.at_scale(1.0)
    layout = compute_waterfall_layout(ROWS, 352, metrics, 300.0, may_stack=True)
    assert layout.stacked
    assert layout.label.length > 250
    assert not compute_waterfall_layout(ROWS, 352, metrics, 150.0, may_stack=True).stacked
    assert not compute_waterfall_layout(ROWS, 352, metrics, 300.0).stacked
    assert not compute_waterfall_layout(ROWS, 900, metrics, 300.0, may_stack=True).stacked


def test_the_label_column_grows_only_where_the_plot_can_spare_it() -> None:
    metrics = Metrics.at_scale(1.0)
    narrow = compute_waterfall_layout(ROWS, 350, metrics, widest_label=200)
    assert narrow.label.length == metrics.label - metrics.gap
    wide = compute_waterfall_layout(ROWS, 500, metrics, widest_label=200)
    assert wide.label.length == 200


def test_rows_are_found_by_height() -> None:
    layout = compute_waterfall_layout(ROWS, 376, Metrics.at_scale(1.0))
    for number, place in enumerate(layout.rows):
        assert layout.row_at(place.whole.start) == number
    assert layout.row_at(layout.height - 1) is None
    assert layout.row_at(0) is None


def test_the_height_follows_the_rows() -> None:
    metrics = Metrics.at_scale(1.0)
    fewer = compute_waterfall_layout(ROWS[:-1], 376, metrics)
    assert compute_waterfall_layout(ROWS, 376, metrics).height - fewer.height == metrics.row


def test_scores_become_pixels() -> None:
    plot = Span(100.0, 200.0)
    assert find_x(0.5, (0.0, 1.0), plot) == 200.0
    assert find_x(1.25, (0.0, 1.0), plot) == 350.0
    assert find_bar(0.75, 0.5, (0.0, 1.0), plot) == Span(200.0, 50.0)


def test_a_tiny_change_can_still_be_seen_and_none_at_all_has_no_bar() -> None:
    plot = Span(100.0, 200.0)
    assert find_bar(0.5, 0.5001, (0.0, 1.0), plot).length == MIN_BAR
    assert find_bar(0.5, 0.5, (0.0, 1.0), plot).length == 0.0
