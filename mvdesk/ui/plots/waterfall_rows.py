"""What a waterfall says, row by row, before anything is measured or painted."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.scoring.rounding import round3
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mvdesk.scoring.explain import Component, ScoreExplanation

RowKind = Literal["base", "group", "component", "fold", "rounding", "raw", "clamp", "final"]
RowOrder = Literal["grouped", "model", "biggest", "negatives"]

GROUP_ORDER: Final = ("Source", "Text", "Links", "Use and time")
GROUP_WORDS: Final = {
    "Source": tr("Source"),
    "Text": tr("Text"),
    "Links": tr("Links"),
    "Use and time": tr("Use and time"),
}
MINUS: Final = "\N{MINUS SIGN}"
AXIS_AIR: Final = 0.05
"""How far the axis reaches beyond a sum outside 0 and 1, in score points."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the waterfall.

    `start` and `end` are the bar's ends in score points (equal where there is no bar),
    `ghost` the ends of the bar before the preview, `None` when it is as it was. `name` is
    the component's, or "raw", "clamp", "final", "rounding", "zero"; "" for a group header.
    `joined` says that a line connects it with the row above.
    """

    kind: RowKind
    name: str
    label: str
    value: str
    hint: str = ""
    start: float = 0.0
    end: float = 0.0
    ghost: tuple[float, float] | None = None
    was: str = ""
    open: bool = False
    joined: bool = True

    @property
    def is_total(self) -> bool:
        """Whether the bar is a column from zero."""
        return self.kind in ("base", "raw", "final")

    @property
    def is_loss(self) -> bool:
        """Whether the bar lowers the score."""
        return not self.is_total and self.end < self.start


def format_delta(delta: float) -> str:
    """A change in score points with its sign, three decimals: "+0.050", "−0.180", "0.000"."""
    if delta == 0:
        return "0.000"
    return format_number(delta, "+.3f").replace("-", MINUS)


def format_score(score: float) -> str:
    """A score, three decimals."""
    return format_number(score, ".3f").replace("-", MINUS)


def plan_rows(
    score: ScoreExplanation,
    *,
    previous: ScoreExplanation | None = None,
    order: RowOrder = "grouped",
    unfolded: bool = False,
    base_note: str = "",
) -> tuple[Row, ...]:
    """The rows from the base down to the final score.

    Components at exactly zero are folded into one row, unless `unfolded` or they were not
    zero in `previous`, the explanation before the preview. Bars follow each other in the
    shown order; raw and final are the engine's own sums. `base_note` is the base's evidence.
    """
    old = {part.name: part for part in previous.components} if previous else {}
    rows = [replace(_base_row(score, previous), hint=base_note)]
    running = score.base
    zeros = 0
    for group, parts in _arranged(score.components, order):
        shown: list[Row] = []
        for part in parts:
            before = old.get(part.name, part if previous is None else None)
            end = running + part.delta
            if part.delta == 0 and (before is None or before.delta == 0):
                zeros += 1
                if not unfolded:
                    continue
            shown.append(_component_row(part, before, running, end))
            running = end
        if group and shown:
            subtotal = round3(_plain_sum(part.delta for part in parts))
            rows.append(Row("group", "", GROUP_WORDS.get(group, group), format_delta(subtotal)))
        rows += shown
    if zeros:
        label = tr("{zeros} at zero", zeros=zeros)
        rows.append(Row("fold", "zero", label, "", start=running, end=running, open=unfolded))
    return (*rows, *_total_rows(score, previous))


def _arranged(
    parts: Sequence[Component], order: RowOrder
) -> Iterable[tuple[str, Sequence[Component]]]:
    if order == "model":
        return [("", parts)]
    if order == "biggest":
        return [("", sorted(parts, key=lambda part: -abs(part.delta)))]
    if order == "negatives":
        return [("", sorted(parts, key=lambda part: part.delta))]
    names = [*GROUP_ORDER, *(part.group for part in parts if part.group not in GROUP_ORDER)]
    return [(name, [part for part in parts if part.group == name]) for name in dict.fromkeys(names)]


def _plain_sum(deltas: Iterable[float]) -> float:
    total = 0.0
    for delta in deltas:
        total += delta
    return total


def _base_row(score: ScoreExplanation, previous: ScoreExplanation | None) -> Row:
    return _total_row(
        "base",
        f"base_{score.kind}",
        tr("Base — what you stored"),
        score.base,
        previous.base if previous else None,
    )


def _component_row(part: Component, before: Component | None, start: float, end: float) -> Row:
    moved = before is not None and before.delta != part.delta
    return Row(
        "component",
        part.name,
        part.label,
        format_delta(part.rounded),
        part.hint,
        start,
        end,
        ghost=(start, start + before.delta) if moved and before else None,
        was=format_delta(before.rounded) if moved and before else "",
    )


def _total_row(kind: RowKind, name: str, label: str, value: float, before: float | None) -> Row:
    moved = before is not None and before != value
    return Row(
        kind,
        name,
        label,
        format_score(round3(value)),
        start=0.0,
        end=value,
        ghost=(0.0, before) if moved and before is not None else None,
        was=format_score(round3(before)) if moved and before is not None else "",
    )


def _total_rows(score: ScoreExplanation, previous: ScoreExplanation | None) -> list[Row]:
    rows: list[Row] = []
    rounding = round3(score.rounding)
    if rounding:
        hint = tr("each part is rounded by itself, the sum is not")
        rows.append(Row("rounding", "rounding", tr("Rounding"), format_delta(rounding), hint))
    rows.append(
        _total_row("raw", "raw", tr("Raw sum"), score.raw, previous.raw if previous else None)
    )
    before = previous or score
    if score.clamp or before.clamp:
        moved = before.clamp != score.clamp
        rows.append(
            Row(
                "clamp",
                "clamp",
                tr("Clamp"),
                format_delta(round3(score.clamp)),
                _clamp_hint(score),
                score.raw,
                score.raw + score.clamp,
                ghost=(before.raw, before.raw + before.clamp) if moved else None,
                was=format_delta(round3(before.clamp)) if moved else "",
            )
        )
    old_final = previous.final if previous else None
    rows.append(_total_row("final", "final", tr("Final"), score.final, old_final))
    return rows


def _clamp_hint(score: ScoreExplanation) -> str:
    if score.clamp < 0:
        return tr("a score can't be above 1")
    return tr("a score can't be below 0") if score.clamp > 0 else tr("within 0 and 1 now")


def find_axis_range(rows: Sequence[Row], *, zoomed: bool = False) -> tuple[float, float]:
    """The score points the axis shows: 0 to 1, or further out where a sum lies outside.

    `zoomed` shows only where the bars are.
    """
    ends = [row.end for row in rows if row.kind not in ("group", "rounding")]
    ends += [end for row in rows if row.ghost and not row.is_total for end in row.ghost]
    ends += [row.ghost[1] for row in rows if row.ghost and row.is_total]
    ends = [end for end in ends if math.isfinite(end)] or [0.0, 1.0]
    low, high = min(ends), max(ends)
    if zoomed:
        air = max(0.02, (high - low) * 0.1)
        return low - air, high + air
    return (low - AXIS_AIR if low < 0 else 0.0), (high + AXIS_AIR if high > 1 else 1.0)


def find_ticks(low: float, high: float, *, bounded: bool = True) -> list[float]:
    """Axis values with a tick: every 0.2, finer where the axis shows less than half a point.

    Only scores that can be, from 0 to 1, unless not `bounded`.
    """
    span = high - low
    step = next((s for s in (0.01, 0.02, 0.05, 0.1) if span / s <= 6), 0.2)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    ticks = [round(number * step, 2) for number in range(first, last + 1)]
    return [tick + 0.0 for tick in ticks if not bounded or 0 <= tick <= 1]


def describe_row(row: Row, position: int, count: int) -> str:
    """A row as a screen reader says it."""
    value = row.value.replace(MINUS, tr("minus ")).replace("+", tr("plus "))
    parts = [row.label, value, row.hint, tr("was {was}", was=row.was) if row.was else ""]
    if row.kind == "fold":
        parts.append(tr("expanded") if row.open else tr("collapsed"))
    said = ", ".join(part for part in parts if part).replace(MINUS, tr("minus "))
    return tr("{said}, row {position} of {count}", said=said, position=position, count=count)


def tabulate(rows: Iterable[Row]) -> list[tuple[str, str, str]]:
    """Label, value and evidence of every row that says something of its own."""
    return [(row.label, row.value, row.hint) for row in rows if row.kind not in ("group", "fold")]


def format_tooltip(row: Row) -> str:
    """A row's whole text, nothing cut off."""
    lines = [f"{row.label}: {row.value}" if row.value else row.label, row.hint]
    if row.was:
        lines.append(tr("was {was} before the preview", was=row.was))
    return "\n".join(line for line in lines if line)


def describe_score(score: ScoreExplanation) -> str:
    """The whole waterfall in one sentence."""
    moved = sum(1 for part in score.components if part.delta)
    changes = tr_n("{moved} change", "{moved} changes", moved, moved=moved)
    said = tr(
        "{what}: base {base}, {changes}, raw sum ",
        what=KIND_WORDS[score.kind].capitalize(),
        base=format_score(round3(score.base)),
        changes=changes,
    )
    return tr(
        "{said}{raw}, final {final}.",
        said=said,
        raw=format_score(round3(score.raw)),
        final=format_score(score.final),
    )


def thin_ticks(ticks: Sequence[float], stride: int) -> list[float]:
    """Every tick at that stride, counted from 1: the most a score can be always has one."""
    first = list(ticks).index(1.0) % stride if 1.0 in ticks else 0
    return list(ticks[first::stride])
