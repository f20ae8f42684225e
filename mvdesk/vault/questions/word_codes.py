"""The words of texts as numbers, all texts in a few steps over arrays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from mvdesk.arrays import IntArray

WORD_BITS: Final = np.uint64(31)
"""How wide the number of a word is: of a million different words about a hundred pairs agree."""

# Scripts without spaces between words go letter by letter, others in runs.
_LETTERS: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER: Final = re.compile(f"[{_LETTERS}]")
_IN_WORD: Final = re.compile("[^\\W_]")
_UNKNOWN, _BETWEEN, _RUN, _ALONE = range(4)
_kinds: Final = np.zeros(0x110000, dtype=np.uint8)
"""What each character is to a word; filled in as they come up."""


def word_codes(texts: Sequence[str], most: int) -> tuple[npt.NDArray[np.uint32], IntArray]:
    """The numbers of the words of texts one after the other, and how many each text has.

    Equal words have equal numbers in every call. Of a text the first `most` words are taken.
    """
    letters = np.frombuffer(
        "".join(texts).encode("utf-32-le", errors="surrogatepass"), dtype=np.uint32
    )
    lengths = np.fromiter(map(len, texts), dtype=np.intp, count=len(texts))
    kinds = _kinds_of(letters)
    is_run = kinds == _RUN
    follows = np.zeros(len(letters), dtype=np.bool_)
    follows[1:] = is_run[:-1]
    begins = np.cumsum(lengths) - lengths
    follows[begins[begins < len(letters)]] = False  # a text begins with a word of its own
    starts = np.flatnonzero((kinds == _ALONE) | (is_run & ~follows))
    if not len(starts):
        return np.empty(0, dtype=np.uint32), np.zeros(len(texts), dtype=np.intp)
    codes = _sums(letters, kinds >= _RUN, starts)
    owners = np.searchsorted(begins, starts, side="right") - 1
    counts = np.bincount(owners, minlength=len(texts))
    rank = np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts)
    return codes[rank < most], np.minimum(counts, most)


def _sums(
    letters: npt.NDArray[np.uint32], is_in_word: npt.NDArray[np.bool_], starts: IntArray
) -> npt.NDArray[np.uint32]:
    """A number for each word: the sum of its letters, each scattered together with its place."""
    first = np.zeros(len(letters), dtype=np.intp)
    first[starts] = starts
    place = (np.arange(len(letters)) - np.maximum.accumulate(first)).astype(np.uint64)
    mixed = (place << np.uint64(32) | letters) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    mixed[~is_in_word] = 0
    return (np.add.reduceat(mixed, starts) >> (np.uint64(64) - WORD_BITS)).astype(np.uint32)


def _kinds_of(letters: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    kinds = _kinds[letters]
    if len(kinds) and not kinds.all():
        for code in np.unique(letters[kinds == _UNKNOWN]).tolist():
            _kinds[code] = _kind(chr(code))
        kinds = _kinds[letters]
    return kinds


def _kind(letter: str) -> int:
    if _LETTER.match(letter):
        return _ALONE
    return _RUN if _IN_WORD.match(letter) else _BETWEEN
