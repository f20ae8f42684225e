"""Where the lines and labels of a slope chart go, in px. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class SlopeLine:
    """One memory whose place in the ranking moves. Ranks count from 1, the highest score."""

    memory_id: str
    title: str
    rank_before: int
    rank_after: int
    score_before: float
    score_after: float

    @property
    def gain(self) -> int:
        """How many places it goes up; below zero for down."""
        return self.rank_before - self.rank_after


@dataclass(frozen=True, slots=True)
class SlopePlace:
    """Where a line starts and ends, and its labels stand; None where there is no room."""

    start: float
    end: float
    before_label: float | None
    after_label: float | None


@dataclass(frozen=True, slots=True)
class SlopeLayout:
    """Columns horizontally, a place for each line vertically; all are middles of texts."""

    left: float
    right: float
    upper: float
    lower: float
    places: tuple[SlopePlace, ...]

    def line_at(self, x: float, y: float, reach: float) -> int | None:
        """The line nearest to a place, as far as it is within `reach`; None for none.

        Beside the lines their labels count.
        """
        best: tuple[float, int] | None = None
        for number, place in enumerate(self.places):
            if x < self.left:
                middle = place.before_label
            elif x > self.right:
                middle = place.after_label
            else:
                share = (x - self.left) / max(self.right - self.left, 1.0)
                middle = place.start + (place.end - place.start) * share
            if middle is None:
                continue
            distance = abs(middle - y)
            if distance <= reach and (best is None or distance < best[0]):
                best = (distance, number)
        return None if best is None else best[1]


def compute_slope_layout(
    lines: Sequence[SlopeLine],
    columns: tuple[float, float],
    rows: tuple[float, float],
    line_height: float,
) -> SlopeLayout:
    """Fit the lines between `columns` (x of both ends) and `rows` (first and last y).

    Labels never overlap. Those at the left stand where their line starts, or not at all; those
    at the right move apart, and where there are too many those that move least go without.
    """
    upper, lower = rows
    ranks = [rank for line in lines for rank in (line.rank_before, line.rank_after)]
    first, last = min(ranks, default=1), max(ranks, default=1)
    span = max(last - first, 1)

    def y(rank: int) -> float:
        return upper + (rank - first) / span * (lower - upper)

    starts = [y(line.rank_before) for line in lines]
    ends = [y(line.rank_after) for line in lines]
    weights = [abs(line.gain) for line in lines]
    before = thin_labels(starts, weights, line_height)
    after = spread_labels(ends, weights, rows, line_height)
    places = [SlopePlace(*four) for four in zip(starts, ends, before, after, strict=True)]
    return SlopeLayout(*columns, upper, lower, tuple(places))


def thin_labels(
    wanted: Sequence[float], weights: Sequence[int], apart: float
) -> list[float | None]:
    """As many of `wanted` as are `apart` from one another, those of the largest weight first."""
    found: list[float | None] = [None] * len(wanted)
    for number in sorted(range(len(wanted)), key=lambda n: -weights[n]):
        if all(spot is None or abs(spot - wanted[number]) >= apart for spot in found):
            found[number] = wanted[number]
    return found


def spread_labels(
    wanted: Sequence[float], weights: Sequence[int], rows: tuple[float, float], apart: float
) -> list[float | None]:
    """Middles of labels near `wanted`, at least `apart` from one another, within `rows`.

    Where there are too many, those of the smallest weight get None.
    """
    upper, lower = rows
    most = max(int((lower - upper) / apart) + 1, 1)
    kept = sorted(range(len(wanted)), key=lambda n: -weights[n])[:most]
    kept.sort(key=lambda n: wanted[n])
    spots: list[float] = []
    for number in kept:  # downwards, each below the one before
        least = upper if not spots else spots[-1] + apart
        spots.append(max(wanted[number], least))
    limit = lower
    for place in reversed(range(len(spots))):  # and up again from the lower edge
        spots[place] = min(spots[place], limit)
        limit = spots[place] - apart
    found: list[float | None] = [None] * len(wanted)
    for number, spot in zip(kept, spots, strict=True):
        found[number] = spot
    return found


def format_gain(places: int) -> str:
    """Places gained or lost, with their sign."""
    if not places:
        return "0"
    return f"{'+' if places > 0 else chr(8722)}{format_number(abs(places), ',')}"


def describe_line(line: SlopeLine) -> str:
    """All that a line says, as a sentence."""
    way = tr("up") if line.gain > 0 else tr("down")
    count = abs(line.gain)
    places = tr_n("1 place", "{count:,} places", count, count=count)
    return tr(
        "{title}: {way} {places}, rank {rank_before:,} to {rank_after:,}, score "
        "{score_before:.3f} to {score_after:.3f}",
        title=line.title,
        way=way,
        places=places,
        rank_before=line.rank_before,
        rank_after=line.rank_after,
        score_before=line.score_before,
        score_after=line.score_after,
    )
