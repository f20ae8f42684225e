"""The columns that the memory list can show: their names, titles, widths and order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping


class Column(IntEnum):
    """The columns, by number. The list may show them in another order."""

    TITLE = 0
    TYPE = 1
    SOURCE = 2
    CONFIDENCE = 3
    IMPORTANCE = 4
    UPDATED = 5
    CREATED = 6
    KEY = 7
    TAGS = 8
    BASE_CONFIDENCE = 9
    BASE_IMPORTANCE = 10
    TRUST = 11
    LINKS = 12
    RECALLS = 13
    IDLE = 14
    RAW_CONFIDENCE = 15
    RAW_IMPORTANCE = 16
    CUT_CONFIDENCE = 17
    CUT_IMPORTANCE = 18
    LENGTH = 19


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """What one column is called. `name` is what the session sorts by and settings keep.

    `width` is in px at text scale 1. `largest_first`: the first click on the header asks for
    the largest values on top. `help` is a sentence for the header's tool tip. Titles are written
    in English and translated here; `exported` is what files call the column in every language.
    """

    column: Column
    name: str
    title: str
    width: int
    help: str
    is_number: bool = False
    largest_first: bool = False
    exported: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "exported", self.title)
        object.__setattr__(self, "title", tr(self.title))


COLUMNS: Final = (
    ColumnSpec(Column.TITLE, "title", "Title", 280, tr("Title, else key, else the first words.")),
    ColumnSpec(Column.TYPE, "type", "Type", 92, tr("Note, fact or journal.")),
    ColumnSpec(Column.SOURCE, "source", "Source", 120, tr("Where it came from, as written.")),
    ColumnSpec(
        Column.CONFIDENCE,
        "confidence",
        "Confidence",
        136,
        tr("The dynamic confidence, 0 to 1."),
        largest_first=True,
    ),
    ColumnSpec(
        Column.IMPORTANCE,
        "importance",
        "Importance",
        136,
        tr("The dynamic importance, 0 to 1."),
        largest_first=True,
    ),
    ColumnSpec(
        Column.UPDATED,
        "updated",
        "Updated",
        108,
        tr("When it was last edited, in local time."),
        largest_first=True,
    ),
    ColumnSpec(
        Column.CREATED,
        "created",
        "Created",
        108,
        tr("When it was made, in local time."),
        largest_first=True,
    ),
    ColumnSpec(Column.KEY, "key", "Key", 128, tr("The key that programs look it up by.")),
    ColumnSpec(Column.TAGS, "tags", "Tags", 144, tr("Its tags, as stored.")),
    ColumnSpec(
        Column.BASE_CONFIDENCE,
        "base_confidence",
        "Base conf.",
        100,
        tr("The stored base confidence, before anything is added."),
        is_number=True,
        largest_first=True,
    ),
    ColumnSpec(
        Column.BASE_IMPORTANCE,
        "base_importance",
        "Base imp.",
        96,
        tr("The stored base importance, before anything is added."),
        is_number=True,
        largest_first=True,
    ),
    ColumnSpec(
        Column.TRUST,
        "trust",
        "Trust",
        76,
        tr("How far its source is trusted; empty where that isn't set."),
        is_number=True,
        largest_first=True,
    ),
    ColumnSpec(
        Column.LINKS,
        "links",
        "Links",
        72,
        tr("Links that touch it, in either direction."),
        is_number=True,
        largest_first=True,
    ),
    ColumnSpec(
        Column.RECALLS,
        "recalls",
        "Recalls",
        84,
        tr("How often an assistant has recalled it."),
        is_number=True,
        largest_first=True,
    ),
    ColumnSpec(
        Column.IDLE,
        "idle",
        "Idle days",
        92,
        tr("Whole days since the last edit or recall, whichever is later."),
        is_number=True,
        largest_first=True,
    ),
    ColumnSpec(
        Column.RAW_CONFIDENCE,
        "raw_confidence",
        "Raw conf.",
        96,
        tr("The confidence before it is cut to 0 to 1."),
        is_number=True,
        largest_first=True,
    ),
    ColumnSpec(
        Column.RAW_IMPORTANCE,
        "raw_importance",
        "Raw imp.",
        92,
        tr("The importance before it is cut to 0 to 1."),
        is_number=True,
        largest_first=True,
    ),
    ColumnSpec(
        Column.CUT_CONFIDENCE,
        "cut_confidence",
        "Conf. cut",
        92,
        tr("What cutting to 0 to 1 does to the confidence; empty where nothing is cut."),
        is_number=True,
    ),
    ColumnSpec(
        Column.CUT_IMPORTANCE,
        "cut_importance",
        "Imp. cut",
        88,
        tr("What cutting to 0 to 1 does to the importance; empty where nothing is cut."),
        is_number=True,
    ),
    ColumnSpec(
        Column.LENGTH,
        "length",
        "Length",
        80,
        tr("Characters of its text, without white space."),
        is_number=True,
        largest_first=True,
    ),
)

COLUMN_TITLES: Final = tuple(spec.title for spec in COLUMNS)
SORT_KEYS: Final = tuple(spec.name for spec in COLUMNS)
"""What the session calls each column when it sorts."""

SCORE_COLUMNS: Final[frozenset[int]] = frozenset({Column.CONFIDENCE, Column.IMPORTANCE})
NUMBER_COLUMNS: Final[frozenset[int]] = frozenset(s.column for s in COLUMNS if s.is_number)
LARGEST_FIRST: Final[frozenset[int]] = frozenset(s.column for s in COLUMNS if s.largest_first)
COLUMN_WIDTHS: Final[Mapping[int, int]] = {
    spec.column: spec.width for spec in COLUMNS if spec.column != Column.TITLE
}
"""Widths in px at text scale 1; the title takes the rest."""
