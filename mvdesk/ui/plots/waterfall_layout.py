"""Where everything of a waterfall goes, in px: columns, rows and bars. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.ui.plots.waterfall_rows import Row

MIN_PLOT: Final = 150.0
"""Labels and evidence leave the plot at least this much, in px."""
STACK_BELOW: Final = 125.0
"""With less than this beside the texts, the texts go above the bars."""
HINT_FROM_WIDTH: Final = 560.0
_LEAST_SPAN: Final = 0.02
_CUT_MOST: Final = 1.25
"""Labels that need more than so many times their room go above the bars."""
MIN_BAR: Final = 2.0
"""A change too small to see is still drawn this wide, in px."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """Sizes in px at a text scale."""

    pad: float
    label: float
    hint: float
    value: float
    gap: float
    row: float
    header: float
    bar: float
    total_bar: float
    line: float  # a line of text, where it stands above its bar
    axis: float

    @classmethod
    def at_scale(cls, scale: float) -> Metrics:
        """The sizes for a text scale of 0.85 to 1.6."""
        return cls(
            pad=4.0,
            label=round(128 * scale),
            hint=round(132 * scale),
            value=round(64 * scale),
            gap=round(8 * scale),
            row=round(28 * scale),
            header=round(24 * scale),
            bar=round(16 * scale),
            total_bar=round(22 * scale),
            line=round(20 * scale),
            axis=round(40 * scale),
        )


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of pixels."""

    start: float
    length: float

    @property
    def end(self) -> float:
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class RowPlace:
    """Where a row lies: the whole row, the line its texts stand in, and its bar (vertically)."""

    whole: Span
    text: Span
    bar: Span


@dataclass(frozen=True, slots=True)
class WaterfallLayout:
    """Columns (horizontally) and rows (vertically). `hint` is `None` where there is no room.

    `stacked` puts the texts above the bars: large text in a narrow panel leaves no room for
    columns side by side.
    """

    stacked: bool
    label: Span
    plot: Span
    hint: Span | None
    value: Span
    rows: tuple[RowPlace, ...]
    plot_height: float
    height: float

    def row_at(self, y: float) -> int | None:
        """The number of the row at a height, `None` beside all rows."""
        for number, place in enumerate(self.rows):
            if place.whole.start <= y < place.whole.end:
                return number
        return None


def compute_waterfall_layout(
    rows: Sequence[Row],
    width: float,
    metrics: Metrics,
    widest_label: float = 0.0,
    *,
    may_stack: bool = False,
) -> WaterfallLayout:
    """Columns for a width and places for the rows.

    `widest_label` is what the longest label would need, in px: the label column grows
    towards it as long as the plot keeps its share. Where labels are what tells rows apart,
    `may_stack` puts them above the bars rather than cut them to half.
    """
    inner = max(0.0, width - 2 * metrics.pad)
    left = metrics.pad
    value = Span(left + inner - metrics.value, metrics.value)
    side_by_side = inner - metrics.label - metrics.value
    room = side_by_side - MIN_PLOT + metrics.label
    stacked = side_by_side < STACK_BELOW or (may_stack and widest_label > _CUT_MOST * room)
    hint: Span | None = None
    if stacked:
        label = Span(left, max(0.0, inner - metrics.value - metrics.gap))
        plot = Span(left + metrics.gap / 2, max(1.0, inner - metrics.gap))
    else:
        with_hint = width >= HINT_FROM_WIDTH and side_by_side - metrics.hint >= MIN_PLOT
        spare = max(0.0, side_by_side - MIN_PLOT - (metrics.hint if with_hint else 0.0))
        label_width = max(metrics.label, min(widest_label + metrics.gap, metrics.label + spare))
        if with_hint:
            # What is left over goes to hint and plot alike: both read better with more.
            rest = inner - label_width - metrics.value
            hint_width = max(metrics.hint, min(rest * 0.42, 2.4 * metrics.hint))
            hint = Span(value.start - hint_width, hint_width)
        label = Span(left, label_width - metrics.gap)
        plot_end = hint.start - metrics.gap if hint else value.start
        plot = Span(left + label_width, plot_end - left - label_width)
    places, bottom = _stack_rows(rows, metrics, stacked)
    return WaterfallLayout(stacked, label, plot, hint, value, places, bottom, bottom + metrics.axis)


def _stack_rows(
    rows: Sequence[Row], metrics: Metrics, stacked: bool
) -> tuple[tuple[RowPlace, ...], float]:
    places: list[RowPlace] = []
    top = metrics.pad
    for row in rows:
        if row.kind == "group":
            whole = text = bar = Span(top, metrics.header)
        elif stacked and row.kind not in ("fold", "rounding"):
            thick = metrics.bar * 0.75
            whole = Span(top, metrics.line + thick + metrics.gap)
            text = Span(top + metrics.gap * 0.25, metrics.line)
            bar = Span(text.end, thick)
        else:
            whole = text = Span(top, metrics.row)
            thick = metrics.total_bar if row.is_total else metrics.bar
            bar = Span(top + round((metrics.row - thick) / 2), thick)
        places.append(RowPlace(whole, text, bar))
        top = whole.end
    return tuple(places), top + metrics.pad


def find_x(value: float, axis: tuple[float, float], plot: Span) -> float:
    """The x of a score on the plot, in px; outside the plot for a value outside the axis."""
    low, high = axis
    return plot.start + (value - low) / (high - low) * plot.length


def find_bar(start: float, end: float, axis: tuple[float, float], plot: Span) -> Span:
    """A bar's left edge and length in px, never shorter than can be seen."""
    first, last = find_x(start, axis, plot), find_x(end, axis, plot)
    left, length = min(first, last), abs(last - first)
    if 0 < length < MIN_BAR:
        left -= (MIN_BAR - length) / 2
        length = MIN_BAR
    return Span(left, length)


def zoom_axis(
    axis: tuple[float, float], widest: tuple[float, float], factor: float, share: float
) -> tuple[float, float]:
    """The axis with its span times `factor`, kept within the widest one.

    What lies at `share` of its length (0 to 1) stays there as far as that allows.
    """
    low, high = axis
    middle = low + (high - low) * share
    span = min(max((high - low) * factor, _LEAST_SPAN), widest[1] - widest[0])
    low = min(max(middle - span * share, widest[0]), widest[1] - span)
    return low, low + span
