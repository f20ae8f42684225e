"""A dry run of a decay in words and columns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.models.ticked_table import TickedColumn
from mvdesk.ui.widgets.amount_field import AmountSpec
from mvdesk.vault.questions.fading import IMPORTANT, PINNED, RECALLED
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, FloatArray
    from mvdesk.vault.questions.fading import FadingRun
    from mvdesk.vault.questions.fading_ahead import Outlook

AMOUNTS: Final = (
    AmountSpec(
        "decayDays",
        tr("Untouched for"),
        tr("days or more"),
        0,
        None,
        1,
        tr(
            "Neither edited, recalled nor decayed for so long; that is also one period. "
            "At first what the vault's policy says."
        ),
    ),
    AmountSpec(
        "decayLinks",
        tr("Linked"),
        tr("times at most"),
        0,
        None,
        1,
        tr("Memories with more links than that stay as they are."),
        is_whole=True,
    ),
    AmountSpec(
        "decayConfidence",
        tr("Confidence lost"),
        tr("a period"),
        0,
        0.5,
        0.01,
        tr("How much base confidence each period takes, 0 to 0.5; at most three periods count."),
    ),
    AmountSpec(
        "decayImportance",
        tr("Importance lost"),
        tr("a period"),
        0,
        0.5,
        0.01,
        tr("How much base importance each period takes, 0 to 0.5; at most three periods count."),
    ),
)

TITLES: Final = (
    tr("Memory"),
    tr("Idle days"),
    tr("Periods"),
    tr("Base conf."),
    tr("Base imp."),
    tr("Confidence"),
    tr("Importance"),
    tr("Links"),
    tr("Left out because"),
)
WIDTHS: Final = {0: 40, 2: 84, 3: 72, 4: 134, 5: 134, 6: 134, 7: 134, 8: 60, 9: 190}
LEAST: Final = {3: 1130, 4: 930, 5: 1060, 7: 520, 8: 770, 9: 710}
"""From which width of the table a column is shown; the titles keep 120 at least."""
NUMBERS: Final = frozenset(range(2, 9))
AHEAD_TITLES: Final = (
    tr("When"),
    tr("Reach it, left alone"),
    tr("With weekly decay"),
    tr("Lost to decay"),
    tr("Mean"),
)
AHEAD_WIDTHS: Final = {1: 150, 2: 150, 3: 112, 4: 130}

_REASONS: Final = (
    (IMPORTANT, tr("importance 0.80 or more")),
    (PINNED, tr("pinned")),
    (RECALLED, tr("recalled within 30 days")),
)
_MONTHS: Final = {0: tr("Now"), 1: tr("In 1 month"), 12: tr("In a year")}


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
        TickedColumn(TITLES[7], lambda place: format_number(links[place], ","), lambda: links),
        TickedColumn(
            TITLES[8],
            lambda place: describe_kept_out(int(kept_out[place])),
            lambda: kept_out,
            tone=lambda _place: "text_secondary",
        ),
    ]


def _days(days: FloatArray, place: int) -> str:
    return format_number(days[place], ",.0f")


def _periods(periods: FloatArray, place: int) -> str:
    return format_number(periods[place], ".2f")


def _pair(before: FloatArray, after: FloatArray, place: int) -> str:
    old, new = format_number(before[place], ".3f"), format_number(after[place], ".3f")
    return old if old == new else f"{old} → {new}"


def _change(before: FloatArray, after: FloatArray) -> np.ndarray:
    return after - before


def describe_run(run: FadingRun, ticked: BoolArray) -> str:
    """How much the ticked memories lose, and who is left out."""
    count, chosen = len(run), int(ticked.sum())
    if not count:
        return describe_nothing(run)
    memories = tr_n("One memory fades", "{count:,} memories fade", count, count=count)
    head = tr(
        "{memories}, {what} ticked.",
        memories=memories,
        what=tr("none") if not chosen else format_number(chosen, ","),
    )
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
    return tr(
        "{head} On average base confidence {bases}, base importance {bases_2}; the "
        "scores {scores} and {scores_2}.",
        head=head,
        bases=_signed(bases[0]),
        bases_2=_signed(bases[1]),
        scores=_signed(scores[0]),
        scores_2=_signed(scores[1]),
    )


def describe_nothing(run: FadingRun) -> str:
    """Why a dry run found nothing."""
    settings = run.decay.settings
    if run.decay.candidate_count:
        return tr(
            "Nothing would change: {candidate_count:,} memories are old enough, but "
            "lose nothing at these values.",
            candidate_count=run.decay.candidate_count,
        )
    links = tr_n("link", "links", settings.max_link_count)
    return tr(
        "Nothing would change: no active memory with at most {max_link_count:g} "
        "{links} was left alone for {older_than_days:g} days.",
        max_link_count=settings.max_link_count,
        links=links,
        older_than_days=settings.older_than_days,
    )


def describe_again(repeated: int, others: int) -> str:
    """What the same decay would find afterwards."""
    rows = tr_n("row", "rows", repeated)
    said = tr(
        "Running it again today would change {repeated:,} {rows} of these",
        repeated=repeated,
        rows=rows,
    )
    return (
        tr("{said}; {others:,} left out stay due.", said=said, others=others)
        if others
        else f"{said}."
    )


def describe_crossing(run: FadingRun, ticked: BoolArray, threshold: float) -> str:
    """Who falls below a threshold by writing the ticked."""
    counts = run.distribution(ticked)
    down = counts.crossing(threshold).down
    before, after = counts.before.count_from(threshold), counts.after.count_from(threshold)
    fall = (
        tr("None falls") if not down else tr_n("{down:,} falls", "{down:,} fall", down, down=down)
    )
    return tr(
        "{fall} below a confidence of {threshold:.2f}: {before:,} reach it now, {after:,} then.",
        fall=fall,
        threshold=threshold,
        before=before,
        after=after,
    )


def describe_outlook(outlook: Sequence[Outlook], threshold: float) -> str:
    """What a year of weekly decay comes to."""
    last = outlook[-1]
    now, kept, decayed = (
        counts.count_from(threshold) for counts in (outlook[0].kept, last.kept, last.decayed)
    )
    return tr(
        "If nobody touches a memory for a year and these values decay every week, "
        "{decayed:,} of the {now:,} memories at {threshold:.2f} or more are left; "
        "without decay time alone leaves {kept:,}. Nothing here runs by itself.",
        decayed=decayed,
        now=now,
        threshold=threshold,
        kept=kept,
    )


def outlook_rows(outlook: Sequence[Outlook], threshold: float) -> list[PlainRow]:
    """A row for each stop, by its place."""
    rows = []
    for place, stop in enumerate(outlook):
        kept, decayed = stop.kept.count_from(threshold), stop.decayed.count_from(threshold)
        means = [counts.spread().mean for counts in (stop.kept, stop.decayed)]
        said = ["–" if mean is None else format_number(mean, ".3f") for mean in means]
        mean = said[0] if said[0] == said[1] else f"{said[0]} → {said[1]}"
        when = _MONTHS.get(stop.months, tr("In {months} months", months=stop.months))
        lost = format_number(kept - decayed, ",")
        tones = ("", "", "", "warning" if kept > decayed else "")
        rows.append(
            PlainRow(
                str(place),
                (when, format_number(kept, ","), format_number(decayed, ","), lost, mean),
                tones,
            )
        )
    return rows


def _signed(value: float) -> str:
    if abs(value) < 0.0005:
        return "±0.000"
    return f"{'+' if value > 0 else chr(8722)}{format_number(abs(value), '.3f')}"
