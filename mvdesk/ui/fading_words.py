"""A dry run of a decay in words and columns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.models.ticked_table import TickedColumn
from mvdesk.ui.widgets.amount_field import AmountSpec
from mvdesk.vault.questions.fading import IMPORTANT, PINNED, RECALLED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, FloatArray
    from mvdesk.vault.questions.fading import FadingRun
    from mvdesk.vault.questions.fading_ahead import Outlook

AMOUNTS: Final = (
    AmountSpec(
        "decayDays", "Untouched for", "days or more", 0, None, 1,
        "Neither edited, recalled nor decayed for so long; that is also one period. "
        "At first what the vault's policy says.",
    ),
    AmountSpec(
        "decayLinks", "Linked", "times at most", 0, None, 1,
        "Memories with more links than that stay as they are.", is_whole=True,
    ),
    AmountSpec(
        "decayConfidence", "Confidence lost", "a period", 0, 0.5, 0.01,
        "How much base confidence each period takes, 0 to 0.5; at most three periods count.",
    ),
    AmountSpec(
        "decayImportance", "Importance lost", "a period", 0, 0.5, 0.01,
        "How much base importance each period takes, 0 to 0.5; at most three periods count.",
    ),
)  # fmt: skip

TITLES: Final = (
    "Memory", "Idle days", "Periods", "Base conf.", "Base imp.", "Confidence", "Importance",
    "Links", "Left out because",
)  # fmt: skip
WIDTHS: Final = {0: 40, 2: 84, 3: 72, 4: 134, 5: 134, 6: 134, 7: 134, 8: 60, 9: 190}
LEAST: Final = {3: 1090, 4: 900, 5: 1020, 7: 470, 8: 790, 9: 640}
NUMBERS: Final = frozenset(range(2, 9))
AHEAD_TITLES: Final = ("When", "Reach it, left alone", "With weekly decay", "Lost to decay", "Mean")
AHEAD_WIDTHS: Final = {1: 150, 2: 150, 3: 112, 4: 130}

_REASONS: Final = (
    (IMPORTANT, "importance 0.80 or more"),
    (PINNED, "pinned"),
    (RECALLED, "recalled within 30 days"),
)
_MONTHS: Final = {0: "Now", 1: "In 1 month", 12: "In a year"}


def describe_kept_out(why: int) -> str:
    """Why a memory starts without a tick; "" where it starts with one."""
    return ", ".join(words for bit, words in _REASONS if why & bit)


def columns_of(run: FadingRun) -> list[TickedColumn]:
    """The columns behind the ticks."""
    table, decay = run.snapshot.memories, run.decay
    moves, rows = decay.moves, decay.moves.rows
    links = run.snapshot.link_counts[rows, 0]
    old, new = run.scores, run.faded
    pairs = (
        (moves.confidence_before, moves.confidence_after),
        (moves.importance_before, moves.importance_after),
        (old.confidence[rows], new.confidence[rows]),
        (old.importance[rows], new.importance[rows]),
    )
    kept_out = run.kept_out
    return [
        TickedColumn(TITLES[0], lambda place: table.labels.text(int(rows[place]))),
        TickedColumn(TITLES[1], partial(_days, decay.idle_days), lambda: decay.idle_days),
        TickedColumn(TITLES[2], partial(_periods, decay.periods), lambda: decay.periods),
        *(
            TickedColumn(title, partial(_pair, *pair), partial(_change, *pair))
            for title, pair in zip(TITLES[3:7], pairs, strict=True)
        ),
        TickedColumn(TITLES[7], lambda place: f"{links[place]:,}", lambda: links),
        TickedColumn(
            TITLES[8],
            lambda place: describe_kept_out(int(kept_out[place])),
            lambda: kept_out,
            tone=lambda _place: "text_secondary",
        ),
    ]


def _days(days: FloatArray, place: int) -> str:
    return f"{days[place]:,.0f}"


def _periods(periods: FloatArray, place: int) -> str:
    return f"{periods[place]:.2f}"


def _pair(before: FloatArray, after: FloatArray, place: int) -> str:
    old, new = f"{before[place]:.3f}", f"{after[place]:.3f}"
    return old if old == new else f"{old} → {new}"


def _change(before: FloatArray, after: FloatArray) -> np.ndarray:
    return after - before


def describe_run(run: FadingRun, ticked: BoolArray) -> str:
    """How much the ticked memories lose, and who is left out."""
    count, chosen = len(run), int(ticked.sum())
    if not count:
        return describe_nothing(run)
    memories = "One memory fades" if count == 1 else f"{count:,} memories fade"
    head = f"{memories}, {'none' if not chosen else f'{chosen:,}'} ticked."
    if not chosen:
        return head
    moves, rows = run.decay.moves, run.decay.moves.rows[ticked]
    bases = (
        float(np.mean(moves.confidence_after[ticked] - moves.confidence_before[ticked])),
        float(np.mean(moves.importance_after[ticked] - moves.importance_before[ticked])),
    )
    scores = (
        float(np.mean(run.faded.confidence[rows] - run.scores.confidence[rows])),
        float(np.mean(run.faded.importance[rows] - run.scores.importance[rows])),
    )
    return (
        f"{head} On average base confidence {_signed(bases[0])}, base importance "
        f"{_signed(bases[1])}; the scores {_signed(scores[0])} and {_signed(scores[1])}."
    )


def describe_nothing(run: FadingRun) -> str:
    """Why a dry run found nothing."""
    settings = run.decay.settings
    if run.decay.candidate_count:
        return (
            f"Nothing would change: {run.decay.candidate_count:,} memories are old enough, but "
            "lose nothing at these values."
        )
    links = "link" if settings.max_link_count == 1 else "links"
    return (
        f"Nothing would change: no active memory with at most {settings.max_link_count:g} {links} "
        f"was left alone for {settings.older_than_days:g} days."
    )


def describe_again(repeated: int, others: int) -> str:
    """What the same decay would find afterwards."""
    rows = "row" if repeated == 1 else "rows"
    said = f"Running it again today would change {repeated:,} {rows} of these"
    return f"{said}; {others:,} left out stay due." if others else f"{said}."


def describe_crossing(run: FadingRun, ticked: BoolArray, threshold: float) -> str:
    """Who falls below a threshold by writing the ticked."""
    counts = run.distribution(ticked)
    down = counts.crossing(threshold).down
    before, after = counts.before.count_from(threshold), counts.after.count_from(threshold)
    fall = "None falls" if not down else f"{down:,} fall{'s' if down == 1 else ''}"
    return f"{fall} below a confidence of {threshold:.2f}: {before:,} reach it now, {after:,} then."


def describe_outlook(outlook: Sequence[Outlook], threshold: float) -> str:
    """What a year of weekly decay comes to."""
    last = outlook[-1]
    now, kept, decayed = (
        counts.count_from(threshold) for counts in (outlook[0].kept, last.kept, last.decayed)
    )
    return (
        f"If nobody touches a memory for a year and these values decay every week, {decayed:,} of "
        f"the {now:,} memories at {threshold:.2f} or more are left; without decay time alone "
        f"leaves {kept:,}. Nothing here runs by itself."
    )


def outlook_rows(outlook: Sequence[Outlook], threshold: float) -> list[PlainRow]:
    """A row for each stop, by its place."""
    rows = []
    for place, stop in enumerate(outlook):
        kept, decayed = stop.kept.count_from(threshold), stop.decayed.count_from(threshold)
        means = [counts.spread().mean for counts in (stop.kept, stop.decayed)]
        said = ["–" if mean is None else f"{mean:.3f}" for mean in means]
        mean = said[0] if said[0] == said[1] else f"{said[0]} → {said[1]}"
        when = _MONTHS.get(stop.months, f"In {stop.months} months")
        lost = f"{kept - decayed:,}"
        tones = ("", "", "", "warning" if kept > decayed else "")
        rows.append(PlainRow(str(place), (when, f"{kept:,}", f"{decayed:,}", lost, mean), tones))
    return rows


def _signed(value: float) -> str:
    if abs(value) < 0.0005:
        return "±0.000"
    return f"{'+' if value > 0 else chr(0x2212)}{abs(value):.3f}"
