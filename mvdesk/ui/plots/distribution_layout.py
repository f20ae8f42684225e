"""Where everything of a distribution goes, in px: the axes, the bars, the threshold. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

BINS: Final = 20
MIN_BAR: Final = 2.0
"""A bin that holds any memory is drawn this high at least, in px."""
_GRAB: Final = 8.0


@dataclass(frozen=True, slots=True)
class DistributionLayout:
    """The plot's edges in px, at a text scale. Scores go from left to right, counts upwards.

    `top` is how many memories the upper edge stands for. Above the plot is room for the
    threshold's handle, below it for the axis.
    """

    left: float
    upper: float
    width: float
    height: float
    top: int
    scale: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def lower(self) -> float:
        return self.upper + self.height

    def x(self, score: float) -> float:
        """Where a score is."""
        return self.left + score * self.width

    def y(self, count: float) -> float:
        """Where a count is. What is not nothing can be seen."""
        if count <= 0:
            return self.lower
        return self.lower - max(count / self.top * self.height, MIN_BAR)

    def score_at(self, x: float) -> float:
        """The score at a place, in hundredths, within 0 and 1."""
        return round(min(max((x - self.left) / self.width, 0.0), 1.0), 2)

    def bin_at(self, x: float, y: float) -> int | None:
        """The bin at a place of the plot; None outside."""
        if not (self.left <= x < self.right and self.upper <= y <= self.lower):
            return None
        return min(int((x - self.left) / self.width * BINS), BINS - 1)

    def bin_span(self, number: int) -> tuple[float, float]:
        """The left and right edge of a bin."""
        return self.x(number / BINS), self.x((number + 1) / BINS)

    def grabs(self, x: float, threshold: float) -> bool:
        """Whether a press at this place takes hold of the threshold."""
        return abs(x - self.x(threshold)) <= _GRAB * max(self.scale, 1.0)


def compute_distribution_layout(
    counts: Sequence[Sequence[int]],
    size: tuple[float, float],
    scale: float,
    count_width: float,
    line: float,
) -> DistributionLayout:
    """Fit the plot into `size`; `counts` are the bins before and after.

    `count_width` is what the widest count label takes, `line` the height of a line of text.
    """
    most = max((count for bins in counts for count in bins), default=0)
    width, height = size
    pad = 12.0 * scale
    left = pad + count_width + 6.0 * scale
    upper = line + 12.0 * scale
    below = 2.0 * line + 8.0 * scale
    return DistributionLayout(
        left=left,
        upper=upper,
        width=max(width - left - pad, 40.0),
        height=max(height - upper - below, 24.0),
        top=find_top(most),
        scale=scale,
    )


def find_top(most: int) -> int:
    """The number at the upper edge: 1, 2 or 5 with zeros, even from 2 up, at least `most`."""
    if most <= 2:
        return 2
    power = int(10 ** int(math.log10(most)))
    for step in (1, 2, 4, 5, 6, 8, 10):
        if step * power >= most and step * power % 2 == 0:
            return step * power
    return 10 * power


def bin_edges(number: int) -> tuple[float, float]:
    """The scores that a bin goes from and to; the last one holds 1, too."""
    return number / BINS, (number + 1) / BINS


def format_bin(number: int) -> str:
    """The scores of a bin as text."""
    low, high = bin_edges(number)
    return (
        tr("{low:.2f} to {high:.2f}", low=low, high=high)
        if number == BINS - 1
        else tr("{low:.2f} to below {high:.2f}", low=low, high=high)
    )


def describe_bin(number: int, before: int, after: int | None) -> str:
    """What a bin holds; `after` is None without a preview."""
    if after is None:
        return f"{format_bin(number)}: {_memories(before)}"
    if after == before:
        return tr("{bin}: {memories}, as before", bin=format_bin(number), memories=_memories(after))
    change = format_change(after - before)
    return tr(
        "{bin}: {before:,} before, {after:,} now ({change})",
        bin=format_bin(number),
        before=before,
        after=after,
        change=change,
    )


def format_change(change: int) -> str:
    """More or fewer memories, with a sign; "" for as many."""
    if not change:
        return ""
    return f"{'+' if change > 0 else chr(8722)}{format_number(abs(change), ',')}"


def _memories(count: int) -> str:
    return tr_n("1 memory", "{count:,} memories", count, count=count)
