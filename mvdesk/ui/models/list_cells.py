"""What the cells of the list say: texts and numbers by row of the memory table. No Qt in it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mvdesk.arrays import NO_TIME, MemoryTable, SourceTable
from mvdesk.ui.models.list_columns import SCORE_COLUMNS, Column
from mvdesk.ui.moments import format_day
from mvdesk.wording import format_number

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, Int32Array
    from mvdesk.scoring.engine import Scores

DAY_S: Final = 86_400
_BASES: Final = {
    Column.BASE_CONFIDENCE: "base_confidence",
    Column.BASE_IMPORTANCE: "base_importance",
}
_RAW: Final = {
    Column.RAW_CONFIDENCE: "raw_confidence",
    Column.RAW_IMPORTANCE: "raw_importance",
    Column.CUT_CONFIDENCE: "raw_confidence",
    Column.CUT_IMPORTANCE: "raw_importance",
}
_CUT: Final = frozenset({Column.CUT_CONFIDENCE, Column.CUT_IMPORTANCE})


@dataclass(frozen=True, slots=True, eq=False)
class ListCells:
    """One state of everything that cells are made of; another state is another object.

    `links` are the links of each memory, `trust` that of its source (NaN where none is set),
    `now` the moment that idle days are counted for. What is None isn't known and shows
    nothing. `committed` are the stored scores while a preview shows others.
    """

    table: MemoryTable = field(default_factory=MemoryTable.empty)
    sources: SourceTable = field(default_factory=SourceTable.empty)
    links: Int32Array | None = None
    trust: FloatArray | None = None
    now: int = NO_TIME
    scores: Scores | None = None
    committed: Scores | None = None

    def text(self, row: int, column: int) -> str:
        """A cell as text."""
        if column == Column.TITLE:
            return self.table.labels.text(row)
        if column == Column.TYPE:
            return self.type_name(row)
        if column == Column.SOURCE:
            source = int(self.table.source_rows[row])
            return "" if source < 0 else " ".join(self.sources.texts.text(source).split())
        if column == Column.UPDATED:
            return format_day(int(self.table.updated_at[row]))
        if column == Column.CREATED:
            return format_day(int(self.table.created_at[row]))
        if column == Column.KEY:
            return self.table.keys.text(row)
        if column == Column.TAGS:
            return ", ".join(filter(None, map(str.strip, self.table.tags.text(row).split(","))))
        if column in SCORE_COLUMNS:
            return _format_share(self.score(row, column), "–")
        return self._number_text(row, column)

    def number(self, row: int, column: int) -> float:
        """A cell of a number column as a number, NaN for an empty one."""
        if column in SCORE_COLUMNS:
            return self.score(row, column)
        if base := _BASES.get(Column(column)):
            return float(getattr(self.table, base)[row])
        if name := _RAW.get(Column(column)):
            raw = math.nan if self.scores is None else float(getattr(self.scores, name)[row])
            if column not in _CUT:
                return raw
            return (min(max(raw, 0.0), 1.0) - raw) or math.nan
        if column == Column.TRUST:
            return math.nan if self.trust is None else float(self.trust[row])
        if column == Column.LINKS:
            return math.nan if self.links is None else float(self.links[row])
        if column == Column.RECALLS:
            return float(self.table.access_count[row])
        if column == Column.LENGTH:
            return float(self.table.content_length[row])
        return self._idle_days(row) if column == Column.IDLE else math.nan

    def _number_text(self, row: int, column: int) -> str:
        number = self.number(row, column)
        if math.isnan(number):
            return ""
        if column in _CUT:
            return f"{'−' if number < 0 else '+'}{format_number(abs(number), '.3f')}"
        if column in _BASES or column in _RAW:
            return _format_share(number)
        return (
            format_number(number, ".2f")
            if column == Column.TRUST
            else format_number(number, ",.0f")
        )

    def _idle_days(self, row: int) -> float:
        """Whole days of 86,400 seconds, as the engine counts them; NaN for no dates."""
        table = self.table
        edited = int(table.updated_at[row])
        if edited == NO_TIME:
            edited = int(table.created_at[row])
        seen = max(edited, int(table.last_accessed_at[row]))
        if NO_TIME in (seen, self.now):
            return math.nan
        return float(max(self.now - seen, 0) // DAY_S)

    def type_name(self, row: int) -> str:
        """The memory's type as the file has it, lower-cased."""
        code = int(self.table.type_codes[row])
        return self.table.type_names[code] if 0 <= code < len(self.table.type_names) else ""

    def score(self, row: int, column: int) -> float:
        """The score shown in a score column; NaN before scores were set."""
        if self.scores is None:
            return math.nan
        return float(_of(self.scores, column)[row])

    def ghost(self, row: int, column: int) -> float | None:
        """The stored score where the preview differs from it, else `None`."""
        if self.committed is None or column not in SCORE_COLUMNS:
            return None
        stored = float(_of(self.committed, column)[row])
        return None if stored == self.score(row, column) else stored

    def is_archived(self, row: int) -> bool:
        """Whether the memory is archived."""
        return bool(self.table.archived_at[row] != NO_TIME)


def _of(scores: Scores, column: int) -> FloatArray:
    return scores.confidence if column == Column.CONFIDENCE else scores.importance


def _format_share(number: float, none: str = "") -> str:
    return none if math.isnan(number) else format_number(number, ".3f").replace("-", "−")
