"""Texts found by a few letters: the arithmetic, whatever the texts are.

Letters next to each other count most, at the start of a word more than inside one; letters
with others between them find a text, too. All of it is arithmetic on bytes: a hundred thousand
titles take some milliseconds, and nothing is held up meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mvdesk.arrays import Int64Array, IntArray

Bytes = npt.NDArray[np.uint8]

_KEPT_FOR: Final = 200_000
_WIDEST: Final = 2  # letters further apart than this, each, are chance
EXACT, AT_START, AT_WORD, INSIDE, SCATTERED = range(5)


class Matches(NamedTuple):
    """The rows that have every word, ascending.

    `ranks` say how well, EXACT being best; `spread` how far apart the letters are.
    """

    rows: IntArray
    ranks: Int64Array
    spread: Int64Array
    lengths: Int64Array


class LetterIndex:
    """Looks in a fixed list of texts; each counts as if it began after a space."""

    def __init__(self, texts: Iterable[str]) -> None:
        blocks = [f" {text.casefold()}".encode("utf-8", "surrogatepass") for text in texts]
        lengths = np.fromiter(map(len, blocks), np.int64, len(blocks))
        self._ends = np.cumsum(lengths)
        self._starts = self._ends - lengths
        self._block: Bytes = np.frombuffer(b"".join(blocks), dtype=np.uint8)
        self._places: dict[bytes, IntArray] = {}

    def __len__(self) -> int:
        return len(self._ends)

    def find(self, words: Sequence[str]) -> Matches:
        """The texts that have every one of `words`, which are case-folded and not empty."""
        ranks = np.zeros(len(self._ends), dtype=np.int64)
        spread = np.zeros(len(self._ends), dtype=np.int64)
        rows = np.arange(len(self._ends))
        for word in words:
            rows = self._narrow(word, rows, ranks, spread)
        lengths = (self._ends - self._starts)[rows]
        return Matches(rows, ranks[rows], spread[rows], lengths)

    def _narrow(self, word: str, rows: IntArray, ranks: Int64Array, spread: Int64Array) -> IntArray:
        """Those of `rows` that have the word; notes in `ranks` and `spread` how well."""
        at = self._occurrences(word.encode("utf-8", "surrogatepass"))
        holders = np.searchsorted(self._ends, at, side="right")
        rank = np.full(len(self._ends), SCATTERED + 1, dtype=np.int64)
        before = self._block[at - 1] if len(at) else np.empty(0, dtype=np.uint8)
        alone = (before < 128) & ~_is_letter(before)
        kinds = np.where(at == self._starts[holders] + 1, AT_START, INSIDE)
        kinds = np.where((kinds == INSIDE) & alone, AT_WORD, kinds)
        for kind in (INSIDE, AT_WORD, AT_START):  # the best one stays
            rank[holders[kinds == kind]] = kind
        if len(word) > 1:
            missing = rows[rank[rows] > SCATTERED]
            scattered, widths = self._scattered(word, missing)
            rank[scattered] = SCATTERED
            spread[scattered] += widths
        kept = rows[rank[rows] <= SCATTERED]
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


def _is_letter(units: Bytes) -> np.ndarray:
    lower = (units >= ord("a")) & (units <= ord("z"))
    return lower | ((units >= ord("0")) & (units <= ord("9")))
