"""A waterfall drawn with characters: one row per component, bars on a common axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from mvdesk.cli.output import clean, format_number, format_signed, shorten
from mvdesk.scoring.rounding import round3

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mvdesk.scoring.explain import Component, ScoreExplanation

GROUPS: Final = ("Source", "Text", "Links", "Use and time")
_LABEL: Final = 18
_VALUE: Final = 7
_BAR_MOST: Final = 40
_BAR_LEAST: Final = 10
_HINT_LEAST: Final = 16


def draw_waterfall(score: ScoreExplanation, width: int, *, evidence: bool) -> Iterator[str]:
    """The lines of one score, at most `width` columns each.

    Components that are 0 are counted in one line, unless `evidence` asks for every hint;
    rises are drawn solid and falls hatched, so the sign needs no colour.
    """
    bar = min(max(width - _LABEL - _VALUE - 4, 0), _BAR_MOST)
    bar = bar if bar >= _BAR_LEAST else 0
    axis = _Axis(score, bar)
    yield _line("Base", format_number(round3(score.base)), axis.bar(0.0, score.base, "█"))
    at = score.base
    for group in GROUPS:
        members = [part for part in score.components if part.group == group]
        shown = [part for part in members if part.rounded != 0.0 or evidence]
        if shown:
            yield group
        for part in shown:
            end = at + part.delta
            drawn = axis.bar(at, end, "█" if part.delta > 0 else "░")
            yield from _component(part, drawn, width, evidence)
            at = end
        # What is at zero moves nothing, but floats that round to zero do.
        at += sum(part.delta for part in members if part not in shown)
    zero = sum(1 for part in score.components if part.rounded == 0.0)
    if zero and not evidence:
        yield f"{zero} at zero"
    if score.rounding:
        yield _line("Rounding", format_signed(score.rounding), "")
    yield _line("Raw sum", format_number(round3(score.raw)), axis.bar(0.0, score.raw, "▒"))
    if score.clamp:
        yield _line(
            "Clamp", format_signed(round3(score.clamp)), axis.bar(score.raw, score.unrounded, "░")
        )
    yield _line("Final", format_number(score.final), axis.bar(0.0, score.final, "█"))


def _component(part: Component, drawn: str, width: int, evidence: bool) -> Iterator[str]:
    line = _line(f"  {part.label}", format_signed(part.rounded), drawn)
    if not evidence:
        yield line
        return
    hint = clean(part.hint)
    used = _LABEL + _VALUE + _BAR_MOST + 4
    if width - used >= max(_HINT_LEAST, cell_len(hint)):
        yield line + " " * (used - cell_len(line)) + hint
        return
    yield line
    yield shorten(f"    {hint}", width)


def _line(label: str, value: str, drawn: str) -> str:
    return f"{label:<{_LABEL}} {value:>{_VALUE}}  {drawn}".rstrip()


class _Axis:
    """From 0 to 1, or as far as the score's running sums reach beyond."""

    def __init__(self, score: ScoreExplanation, cells: int) -> None:
        sums = [score.base]
        for group in GROUPS:
            for part in score.components:
                if part.group == group:
                    sums.append(sums[-1] + part.delta)
        self._low, self._high = min(0.0, *sums), max(1.0, *sums)
        self._cells = cells

    def bar(self, start: float, end: float, fill: str) -> str:
        """A bar between two values, at least one cell unless they are equal."""
        if start == end or not self._cells:
            return ""
        first, last = sorted((self._cell(start), self._cell(end)))
        return " " * min(first, self._cells - 1) + fill * max(last - first, 1)

    def _cell(self, value: float) -> int:
        return round((value - self._low) / (self._high - self._low) * self._cells)
