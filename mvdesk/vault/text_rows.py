"""Which rows of a snapshot hold a word or a piece of text: the index's answers as rows."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mvdesk.store.search import IndexUnusable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.arrays import FloatArray, Int32Array, Int64Array, IntArray, StringColumn
    from mvdesk.store.search import NumberedHits, Numbering, Phrase, SearchIndex
    from mvdesk.vault.snapshot import Snapshot

_NO_ROWS: Final = np.empty(0, dtype=np.intp)
_MOST_IDS: Final = 400


class LookupCancelled(Exception):
    """Looking something up was given up because `cancelled` said so."""


class RowHits(NamedTuple):
    """Rows of a memory table, in no order, and how strong each hit is: more is better."""

    rows: IntArray
    strengths: FloatArray


class TextRows:
    """Looks texts up for snapshots of one vault. Safe for several threads.

    What the index can't tell, because it can't be read just now, isn't found.
    """

    def __init__(self, index: SearchIndex) -> None:
        self._index = index
        self._lock = threading.Lock()
        self._places: tuple[int, Int32Array, StringColumn] | None = None

    def prepare(self, snapshot: Snapshot) -> None:
        """Have the first search be as quick as the next; takes a second for a million memories."""
        with suppress(IndexUnusable):
            self._places_in(snapshot)

    def find_phrases(
        self,
        snapshot: Snapshot,
        phrases: Sequence[Phrase],
        *,
        ranked: bool = True,
        cancelled: Callable[[], bool] | None = None,
    ) -> RowHits:
        """As `SearchIndex.find_phrases`. Raises LookupCancelled."""
        return self._rows(
            snapshot,
            lambda: self._index.find_phrases(phrases, ranked=ranked, cancelled=cancelled),
            cancelled,
        )

    def find_piece(
        self, snapshot: Snapshot, piece: str, *, cancelled: Callable[[], bool] | None = None
    ) -> RowHits:
        """As `SearchIndex.find_piece`. Raises LookupCancelled."""
        return self._rows(
            snapshot,
            lambda: self._index.find_piece(snapshot.brain_id, piece, cancelled=cancelled),
            cancelled,
        )

    def find_id(self, snapshot: Snapshot, beginning: str) -> IntArray:
        """The rows of some memories whose id begins so."""
        try:
            ids = self._index.find_ids(snapshot.brain_id, beginning, _MOST_IDS)
        except IndexUnusable:
            return _NO_ROWS
        rows = snapshot.rows_of(ids)
        return rows[rows >= 0]

    def _rows(
        self,
        snapshot: Snapshot,
        look: Callable[[], NumberedHits],
        cancelled: Callable[[], bool] | None,
    ) -> RowHits:
        try:
            numbers, strengths = look()
            places = self._places_in(snapshot)
        except IndexUnusable:
            numbers, strengths, places = _NO_ROWS, np.empty(0), _NO_ROWS.astype(np.int32)
        if cancelled is not None and cancelled():
            raise LookupCancelled
        rows = np.full(len(numbers), -1, dtype=np.intp)
        known = numbers < len(places)
        rows[known] = places[numbers[known]]
        is_here = rows >= 0
        return RowHits(rows[is_here], strengths[is_here])

    def _places_in(self, snapshot: Snapshot) -> Int32Array:
        """The row of every number of the index, −1 for one that is not in the snapshot."""
        ids = snapshot.memories.ids
        mark = self._index.read_numbering_mark()
        with self._lock:
            kept = self._places
            if kept is None or kept[0] != mark or kept[2] is not ids:
                kept = self._places = (*self._read_places(snapshot), ids)
            return kept[1]

    def _read_places(self, snapshot: Snapshot) -> tuple[int, Int32Array]:
        mark = 0
        numbers: list[Int64Array] = [np.empty(0, dtype=np.int64)]
        rows: list[Int32Array] = [np.empty(0, dtype=np.int32)]

        def take(part: Numbering) -> None:
            nonlocal mark
            mark = part.mark
            numbers.append(part.numbers)
            rows.append(snapshot.rows_of(part.memory_ids).astype(np.int32))

        self._index.read_numbering_in_parts(snapshot.brain_id, take)
        every = np.concatenate(numbers)
        places = np.full(int(every.max(initial=0)) + 1, -1, dtype=np.int32)
        places[every] = np.concatenate(rows)
        return mark, places
