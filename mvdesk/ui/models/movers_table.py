"""Memories that change their places, as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

MOVER_TITLES: Final = (tr("Rank"), "±", tr("Score"), tr("Title"), tr("Source"), tr("Why"))
MOVER_WIDTHS: Final = {0: 104, 1: 64, 2: 132, 4: 120, 5: 168}
MOVER_TITLE_COLUMN: Final = 3
MOVER_LEAST: Final = {2: 440, 4: 620, 5: 800}
"""From which width of the table, in px at scale 1, a column is shown."""
MOVER_NUMBERS: Final = frozenset((0, 1, 2))


@dataclass(frozen=True, slots=True)
class MoverLine:
    """One memory that changes its place; ranks count from 1, the highest score."""

    memory_id: str
    title: str
    source: str
    rank_before: int
    rank_after: int
    score_before: float
    score_after: float
    why: str

    @property
    def gain(self) -> int:
        """How many places it goes up; below zero for down."""
        return self.rank_before - self.rank_after


def mover_rows(lines: Iterable[MoverLine]) -> list[PlainRow]:
    """A row for each, in the order given."""
    return [_row(line) for line in lines]


def _row(line: MoverLine) -> PlainRow:
    rises = line.gain > 0
    sign = "+" if rises else "\N{MINUS SIGN}"
    score = format_number(line.score_after, ".3f")
    if line.score_before != line.score_after:
        score = f"{format_number(line.score_before, '.3f')} → {score}"
    tones = ("", "positive" if rises else "negative")
    return PlainRow(
        line.memory_id,
        (
            f"{format_number(line.rank_before, ',')} → {format_number(line.rank_after, ',')}",
            f"{sign}{format_number(abs(line.gain), ',')}",
            score,
            line.title,
            line.source,
            line.why,
        ),
        tones,
        tip=f"{line.title}\n{line.why}" if line.why else line.title,
    )
