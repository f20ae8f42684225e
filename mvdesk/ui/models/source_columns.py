"""The sources of a vault as columns, and in which order they are listed."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, Int64Array, IntArray


class SourceColumn(IntEnum):
    """The columns, in order."""

    SOURCE = 0
    MEMORIES = 1
    TRUST = 2
    STATE = 3
    MEAN = 4
    RANGE = 5
    CONTRADICTED = 6
    LAST_USED = 7
    LEVERAGE = 8


TITLES: Final = (
    tr("Source"),
    tr("Memories"),
    tr("Trust"),
    tr("State"),
    tr("Mean"),
    tr("Range"),
    tr("Contradicted"),
    tr("Last used"),
    tr("Leverage"),
)
EXPLAINED: Final = (
    tr("The source as memories name it, upper and lower case alike"),
    tr("Active memories that name this source"),
    tr("How far the source is trusted; the mark is where it has no effect"),
    tr("Whether a trust is stored, or tried in the preview"),
    tr("Mean confidence of its active memories"),
    tr("Confidence that 5 %, 50 % and 95 % of its active memories don't exceed"),
    tr("Active memories with a contradicting link"),
    tr("When one of its memories was last made, edited or recalled"),
    tr("Confidence points that all its memories together can still be moved by"),
)
DESCENDING_FIRST: Final = frozenset(
    {
        SourceColumn.MEMORIES,
        SourceColumn.TRUST,
        SourceColumn.MEAN,
        SourceColumn.RANGE,
        SourceColumn.CONTRADICTED,
        SourceColumn.LAST_USED,
        SourceColumn.LEVERAGE,
    }
)


class Spelled(NamedTuple):
    """One way in which memories write a source, and how many do."""

    text: str
    memories: int


@dataclass(frozen=True, slots=True, eq=False)
class SourceColumns:
    """One entry per source in every column, in the order of `keys`, which are sorted.

    `trust` is the one that counts now and `stored` the one in the file, in [0, 1], NaN for
    "not set". `mean`, `low`, `median`, `high` are confidence scores, NaN without an active
    memory. `last_used` is in epoch seconds, `NO_TIME` without a memory. `leverage` is in score
    points. `spellings` hold only the sources that are written in more than one way.
    """

    keys: tuple[str, ...]
    notes: tuple[str | None, ...]
    active: IntArray
    archived: IntArray
    stored: FloatArray
    trust: FloatArray
    mean: FloatArray
    low: FloatArray
    median: FloatArray
    high: FloatArray
    contradicted: IntArray
    last_used: Int64Array
    movable: IntArray
    leverage: FloatArray
    spellings: dict[str, tuple[Spelled, ...]] = field(default_factory=dict)

    @classmethod
    def empty(cls) -> SourceColumns:
        """No sources."""
        none, whole = np.empty(0), np.empty(0, dtype=np.int64)
        return cls(
            (), (), whole, whole, none, none, none, none, none, none, whole, whole, whole, none
        )

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def contradicted_share(self) -> FloatArray:
        """The part of its active memories that is contradicted, 0 without any."""
        return self.contradicted / np.maximum(self.active, 1)

    def place(self, key: str | None) -> int:
        """Where a source is, -1 when it isn't there."""
        found = 0 if key is None else bisect_left(self.keys, key)
        return found if self.keys[found : found + 1] == (key,) else -1

    def state(self, row: int) -> str:
        """What a trust is: "preview" where another is tried than is stored, "set" or "not set"."""
        trust, stored = float(self.trust[row]), float(self.stored[row])
        if trust != stored and (trust == trust or stored == stored):
            return tr("preview")
        return tr("set") if stored == stored else tr("not set")


def order_sources(columns: SourceColumns, column: int, *, descending: bool) -> IntArray:
    """All rows sorted by a column; ties by name, sources without a value last either way."""
    if column == SourceColumn.SOURCE:
        rows = np.arange(len(columns))
        return rows[::-1] if descending else rows
    values = _values(columns, column).astype(np.float64)
    order: IntArray = np.argsort(-values if descending else values, kind="stable")
    return order


def find_sources(columns: SourceColumns, text: str, rows: IntArray) -> IntArray:
    """Those of `rows` that have every word of `text` in the name or a spelling, in order."""
    words = text.casefold().split()
    if not words:
        return rows
    spellings = columns.spellings
    found = []
    for row in rows.tolist():
        key = columns.keys[row]
        name = key.casefold()
        if key in spellings:
            name = "\n".join((name, *(one.text.casefold() for one in spellings[key])))
        if all(word in name for word in words):
            found.append(row)
    return np.array(found, dtype=np.intp)


def _values(columns: SourceColumns, column: int) -> np.ndarray:
    if column == SourceColumn.STATE:
        unset = np.isnan(columns.stored)
        tried = ~((columns.trust == columns.stored) | (np.isnan(columns.trust) & unset))
        return np.where(tried, 0, np.where(unset, 2, 1))
    if column == SourceColumn.LAST_USED:
        used = columns.last_used.astype(np.float64)
        used[columns.last_used < 0] = np.nan
        return used
    by_column = {
        SourceColumn.MEMORIES: columns.active,
        SourceColumn.TRUST: columns.trust,
        SourceColumn.MEAN: columns.mean,
        # On the grid of the scores: differences of equal steps differ in the last bit.
        SourceColumn.RANGE: np.rint(1000 * (columns.high - columns.low)),
        SourceColumn.CONTRADICTED: columns.contradicted_share,
        SourceColumn.LEVERAGE: columns.leverage,
    }
    return by_column[SourceColumn(column)]
