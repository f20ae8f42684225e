"""Rows of the waterfall's other two readings: by cause, and one memory against another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.scoring.rounding import round3, thousandths
from mvdesk.ui.plots.waterfall_rows import GROUP_ORDER, GROUP_WORDS, Row, format_delta, format_score
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.scoring.explain import ScoreExplanation
    from mvdesk.ui.plots.waterfall_rows import RowKind

PINNED: Final = "pinned"
_LEAST_SPAN: Final = 0.1


def plan_causes(causes: Sequence[Row], *, unfolded: bool = False) -> tuple[Row, ...]:
    """Causes by the size of their effect, those without one folded; each bar starts at zero.

    They overlap and need not add up, so there is neither a base nor a sum.
    """
    moved = sorted((row for row in causes if row.end), key=lambda row: -abs(row.end))
    still = [row for row in causes if not row.end]
    if not still:
        return tuple(moved)
    fold = Row("fold", "zero", tr("{still} without effect", still=len(still)), "", open=unfolded)
    return (*moved, *(still if unfolded else ()), fold)


def make_cause_row(name: str, label: str, effect: float, hint: str) -> Row:
    """A cause as a row; `effect` is in whole thousandths of a score point."""
    return Row("component", name, label, format_delta(effect), hint, 0.0, effect)


def find_change_range(rows: Sequence[Row]) -> tuple[float, float]:
    """The axis of effects: as far as the bars reach on either side of zero, with some air."""
    ends = [row.end for row in rows if row.kind == "component"]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    air = max((high - low) * 0.08, 0.005)
    low, high = (low - air if low < 0 else low), (high + air if high > 0 else high)
    missing = max(_LEAST_SPAN - (high - low), 0.0)
    return low - missing / 2, high + missing / 2


def plan_difference(
    pinned: ScoreExplanation, shown: ScoreExplanation, *, unfolded: bool = False
) -> tuple[Row, ...]:
    """From the raw sum of the pinned memory to that of the shown one, component by component.

    Both come from one model, so their components are the same; the bars' lengths sum to the
    difference of the raw sums. What the clamps do to either comes after that.
    """
    rows = [_total("raw", PINNED, tr("Pinned: raw sum"), pinned.raw)]
    theirs = {part.name: part for part in pinned.components}
    running, zeros = pinned.raw, 0
    base = shown.base - pinned.base
    parts_thousandths = thousandths(round3(base))
    bars = [
        (
            "Base",
            Row(
                "component",
                f"base_{shown.kind}",
                tr("Base"),
                format_delta(round3(base)),
                _both(format_score(round3(pinned.base)), format_score(round3(shown.base))),
                0.0,
                base,
            ),
        )
    ]
    for part in shown.components:
        old = theirs[part.name]
        delta = part.delta - old.delta
        parts_thousandths += thousandths(round3(delta))
        hint = _both(format_delta(old.rounded), format_delta(part.rounded))
        value = format_delta(round3(delta))
        bars.append((part.group, Row("component", part.name, part.label, value, hint, 0.0, delta)))
    for group in ("Base", *GROUP_ORDER):
        members = [row for name, row in bars if name == group]
        zeros += sum(1 for row in members if row.end == 0)
        visible = [row for row in members if row.end != 0 or unfolded]
        if visible and group != "Base":
            subtotal = 0.0
            for row in members:
                subtotal += row.end
            rows.append(
                Row("group", "", GROUP_WORDS.get(group, group), format_delta(round3(subtotal)))
            )
        for row in visible:
            start, running = running, running + row.end
            rows.append(replace(row, start=start, end=running))
    if zeros:
        text = tr("{zeros} the same", zeros=zeros)
        rows.append(Row("fold", "zero", text, "", start=running, end=running, open=unfolded))
    raw = thousandths(round3(shown.raw)) - thousandths(round3(pinned.raw))
    if left := (raw - parts_thousandths) / 1000:
        hint = tr("each part is rounded by itself, the sum is not")
        rows.append(Row("rounding", "rounding", tr("Rounding"), format_delta(left), hint))
    rows.append(_total("raw", "raw", tr("Selected: raw sum"), shown.raw))
    return (*rows, *_ends(pinned, shown))


def _ends(pinned: ScoreExplanation, shown: ScoreExplanation) -> list[Row]:
    rows = []
    for name, whose, score in (
        ("pinnedClamp", tr("Pinned"), pinned),
        ("clamp", tr("Selected"), shown),
    ):
        if score.clamp:
            label, value = tr("{whose}: clamp", whose=whose), format_delta(round3(score.clamp))
            end = score.raw + score.clamp
            hint = tr(
                "a score can't be {what}", what=tr("above 1") if score.clamp < 0 else tr("below 0")
            )
            rows.append(Row("clamp", name, label, value, hint, score.raw, end))
    rows.append(_total("final", "pinnedFinal", tr("Pinned: final"), pinned.final))
    rows.append(_total("final", "final", tr("Selected: final"), shown.final))
    return [replace(row, joined=False) for row in rows]


def _total(kind: RowKind, name: str, label: str, value: float) -> Row:
    return Row(kind, name, label, format_score(round3(value)), "", 0.0, value)


def _both(pinned: str, shown: str) -> str:
    return tr("pinned {pinned}, selected {shown}", pinned=pinned, shown=shown)


def describe_causes(rows: Sequence[Row], kind: str) -> str:
    """The reading by cause in one sentence."""
    count = sum(1 for row in rows if row.kind == "component")
    return tr_n(
        "{what} by cause: {count} cause with an effect.",
        "{what} by cause: {count} causes with an effect.",
        count,
        what=KIND_WORDS[kind].capitalize(),
        count=count,
    )


def describe_difference(pinned: ScoreExplanation, shown: ScoreExplanation) -> str:
    """The difference in one sentence."""
    difference = format_delta(round3(shown.raw - pinned.raw))
    return tr(
        "{what}, compared with the pinned memory: raw sum {difference}, final "
        "{final} and {final_2}.",
        what=KIND_WORDS[shown.kind].capitalize(),
        difference=difference,
        final=format_score(pinned.final),
        final_2=format_score(shown.final),
    )
