"""Whether a row still is what a preview saw of it, which reads strange cells as sensible ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from mvdesk.arrays import NO_TIME
from mvdesk.records import DEFAULT_BASE_CONFIDENCE, DEFAULT_BASE_IMPORTANCE
from mvdesk.store.cells import BrokenText, text_of
from mvdesk.store.rows import as_text
from mvdesk.vault.plan import ALIASES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from mvdesk.store.rows import Connection
    from mvdesk.vault.plan import Value

_SHARES: Final[Mapping[str, float]] = {
    "confidence": DEFAULT_BASE_CONFIDENCE,
    "importance": DEFAULT_BASE_IMPORTANCE,
    "trust": 0.5,
}
"""Real numbers, and what a cell reads as that holds none."""

_WORDS: Final[Mapping[str, str]] = {
    "type": "note",
    "relation_type": "related",
    "status": "needs_review",
}
"""What an empty cell reads as; "" or None in other columns of texts."""

_COUNTS: Final = frozenset({"access_count", "memory_count", "link_count"})


def find_moved(
    conn: Connection, table: str, stored: Mapping[str, Value], seen: Mapping[str, Value]
) -> list[str]:
    """The columns whose stored cell doesn't read as what was seen."""
    return [
        name
        for name, value in seen.items()
        if stored[name] != value and value not in _readings(conn, table, name, stored[name])
    ]


def _readings(conn: Connection, table: str, column: str, stored: Value) -> Collection[Value]:
    """What a cell may read as; rows are read in more than one way."""
    if isinstance(stored, BrokenText):  # a check of the vault shows what is there
        return (text_of(stored), *_readings(conn, table, column, bytes(stored)))
    if column in _COUNTS or column.endswith("_at"):
        return _whole_readings(stored)
    if column in _SHARES:
        if isinstance(stored, int | float):
            return (float(stored),)  # in an array, where large whole numbers are rounded
        return (0.9,) if table == ALIASES else (_SHARES[column],)
    text = text_of(stored)
    if isinstance(stored, float):
        return (text, as_text(conn, stored))
    return (text,) if text else (text, "", _WORDS.get(column))


def _whole_readings(stored: Value) -> Collection[Value]:
    if isinstance(stored, float):
        cast = int(stored) if math.isfinite(stored) else 0
        clamped = min(max(cast, -(2**63)), 2**63 - 1)
        extreme = -(2**63) if stored < 0 else 2**63 - 1
        readings = {cast, clamped} | (set() if math.isfinite(stored) else {extreme})
        return readings | ({None, 0} if NO_TIME in readings else set())
    return (None, 0) if stored == NO_TIME or not isinstance(stored, int) else ()
