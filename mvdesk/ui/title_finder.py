"""Memories found by a few letters of their title or key, or by the start of their id.

Letters next to each other count most, at the start of a word more than inside one; letters
with others between them find it, too. All of it is arithmetic on bytes: a hundred thousand
titles take some milliseconds, and nothing is held up meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mvdesk.arrays import NO_TIME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import Int64Array, IntArray
    from mvdesk.vault.snapshot import Snapshot

Bytes = npt.NDArray[np.uint8]

MOST_FOUND: Final = 50
_COMPARED: Final = 400
_KEPT_FOR: Final = 200_000
_WIDEST: Final = 2  # letters further apart than this, each, are chance
_ID_LETTERS: Final = 4
_EXACT, _AT_START, _AT_WORD, _INSIDE, _SCATTERED = range(5)


@dataclass(frozen=True, slots=True)
class FoundTitle:
    """One memory that was found, and how: the lower the rank, the better."""

    row: int
    rank: int


@dataclass(slots=True, eq=False)
class TitleFinder:
    """Looks in one snapshot. Made in a job: folding a million titles takes a second."""

    snapshot: Snapshot
    _block: Bytes = field(init=False)
    _starts: Int64Array = field(init=False)
    _ends: Int64Array = field(init=False)
    _places: dict[bytes, IntArray] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        memories = self.snapshot.memories
        texts = [
            f" {(label or '').casefold()} {key.casefold() if key else ''}".encode(
                "utf-8", "surrogatepass"
            )
            for label, key in zip(memories.labels, memories.keys, strict=True)
        ]
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        self._ends = np.cumsum(lengths)
        self._starts = self._ends - lengths
        self._block = np.frombuffer(b"".join(texts), dtype=np.uint8)

    def find(
        self, text: str, *, recent: Sequence[int] = (), limit: int = MOST_FOUND
    ) -> list[FoundTitle]:
        """The best matches first; `recent` rows before others that match as well.

        Every word must be found. Without a word the recent ones are found. Archived memories
        come after all others.
        """
        words = text.casefold().split()
        if not words:
            known = [row for row in recent if 0 <= row < len(self._ends)]
            return [FoundTitle(row, _EXACT) for row in known[:limit]]
        by_id = self._by_id(text.strip())
        ranks = np.zeros(len(self._ends), dtype=np.int64)
        spread = np.zeros(len(self._ends), dtype=np.int64)
        rows = np.arange(len(self._ends))
        for word in words:
            rows = self._narrow(word, rows, ranks, spread)
        archived = self.snapshot.memories.archived_at[rows] != NO_TIME
        is_recent = np.isin(rows, np.asarray(recent, dtype=np.intp))
        length = (self._ends - self._starts)[rows]
        keys = (length, spread[rows], ~is_recent, ranks[rows], archived)
        best = rows[np.lexsort(keys)][: limit + len(by_id)].tolist()
        found = [FoundTitle(row, _EXACT) for row in by_id]
        found += [FoundTitle(row, int(ranks[row])) for row in best if row not in by_id]
        return found[:limit]

    def _narrow(self, word: str, rows: IntArray, ranks: Int64Array, spread: Int64Array) -> IntArray:
        """Those of `rows` that have the word; notes in `ranks` and `spread` how well."""
        at = self._occurrences(word.encode("utf-8", "surrogatepass"))
        holders = np.searchsorted(self._ends, at, side="right")
        rank = np.full(len(self._ends), _SCATTERED + 1, dtype=np.int64)
        before = self._block[at - 1] if len(at) else np.empty(0, dtype=np.uint8)
        alone = (before < 128) & ~_is_letter(before)
        kinds = np.where(at == self._starts[holders] + 1, _AT_START, _INSIDE)
        kinds = np.where((kinds == _INSIDE) & alone, _AT_WORD, kinds)
        for kind in (_INSIDE, _AT_WORD, _AT_START):  # the best one stays
            rank[holders[kinds == kind]] = kind
        if len(word) > 1:
            missing = rows[rank[rows] > _SCATTERED]
            scattered, widths = self._scattered(word, missing)
            rank[scattered] = _SCATTERED
            spread[scattered] += widths
        kept = rows[rank[rows] <= _SCATTERED]
        ranks[kept] = np.maximum(ranks[kept], rank[kept])
        return kept

    def _occurrences(self, word: bytes) -> IntArray:
        """Where the word begins in the block, ascending."""
        at = self._places_of(word[:1])
        at = at[at + len(word) <= len(self._block)]
        for offset in range(1, len(word)):
            at = at[self._block[at + offset] == word[offset]]
        if len(at):  # not from one text into the next
            ends = self._ends[np.searchsorted(self._ends, at, side="right")]
            at = at[at + len(word) <= ends]
        return at

    def _places_of(self, letter: bytes) -> IntArray:
        known = self._places.get(letter)
        if known is None:
            known = np.flatnonzero(self._block == letter[0])
            if len(self._ends) <= _KEPT_FOR:  # else they would take more memory than time
                self._places[letter] = known
        return known

    def _scattered(self, word: str, rows: IntArray) -> tuple[IntArray, Int64Array]:
        """The rows that have the letters in this order, and how far apart they are."""
        at = self._starts[rows] + 1
        first = at
        for number, letter in enumerate(word):
            places = self._occurrences(letter.encode("utf-8", "surrogatepass"))
            if not len(places):
                return rows[:0], at[:0]
            found = np.searchsorted(places, at)
            inside = found < len(places)
            at = places[np.minimum(found, len(places) - 1)]
            inside &= at < self._ends[rows]
            rows, at = rows[inside], at[inside]
            first = at if number == 0 else first[inside]
            at = at + 1
        widths = at - first
        near = widths <= _WIDEST * len(word) + _WIDEST
        return rows[near], widths[near]

    def _by_id(self, text: str) -> list[int]:
        """Rows whose id is the text, or begins with it where it is long enough."""
        row = self.snapshot.row_of(text)
        if row is not None:
            return [row]
        if len(text) < _ID_LETTERS or not set(text.lower()) <= set("0123456789abcdef-"):
            return []
        data, offsets, _ = self.snapshot.memories.ids.blobs()
        starts = np.frombuffer(offsets, dtype=np.int64)
        rows: list[int] = []
        at, wanted = -1, text.lower().encode()
        for _ in range(_COMPARED):
            at = data.find(wanted, at + 1)
            if at < 0 or len(rows) == 5:
                break
            row = int(np.searchsorted(starts, at, side="right")) - 1
            if starts[row] == at:
                rows.append(row)
        return rows


def _is_letter(units: Bytes) -> np.ndarray:
    lower = (units >= ord("a")) & (units <= ord("z"))
    return lower | ((units >= ord("0")) & (units <= ord("9")))
