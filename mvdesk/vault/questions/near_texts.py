"""Which of many texts are nearly the same: found by samples of their words, then measured."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

from mvdesk.vault.questions.word_codes import WORD_BITS, word_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from mvdesk.arrays import FloatArray, IntArray

    Uint32Array = npt.NDArray[np.uint32]
    Uint64Array = npt.NDArray[np.uint64]

MOST_WORDS: Final = 2_000
"""Of a longer text the first so many are compared."""

# Two texts of which half the neighbouring words are the same meet in one of the bands with a
# probability of 0.87, two of which two thirds are with 0.998.
_BANDS: Final = 32
_SAMPLES: Final = 4
_WINDOW: Final = 2
"""In a band a text meets the next two alike: of many alike each meets some, if not all."""
_LEAST_AGREEMENT: Final = 0.3
_SEED: Final = 20_260_301
_AT_ONCE: Final = 4_096
_LETTERS_AT_ONCE: Final = 1 << 16
_CODES_AT_ONCE: Final = 1 << 15
"""What stays near the processor; and nobody waits long for a step to end."""
_PART_BITS: Final = np.uint64(48)
_OWNER_BITS: Final = np.uint64(16)

AnyNumber = TypeVar("AnyNumber", np.int64, np.uint64)


class NearPair(NamedTuple):
    """Two texts by their places, the first one first, and how alike they are in [0, 1]."""

    one: int
    other: int
    similarity: float


class WordTable:
    """The words of many texts as numbers, one text after the other."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._waiting_letters = 0
        self._texts = 0
        self._parts_read: list[tuple[Uint32Array, IntArray]] = []
        self._words = np.empty(0, dtype=np.uint32)
        self._ends = np.zeros(1, dtype=np.intp)

    def __len__(self) -> int:
        return self._texts

    def add(self, folded: str) -> None:
        """Add the words of the next text, which is case-folded."""
        self._texts += 1
        self._waiting.append(folded)
        self._waiting_letters += len(folded)
        if self._waiting_letters >= _LETTERS_AT_ONCE:
            self._read_waiting()

    def _read_waiting(self) -> None:
        if self._waiting:
            self._parts_read.append(word_codes(self._waiting, MOST_WORDS))
            self._waiting, self._waiting_letters = [], 0

    def _join(self) -> None:
        """Make one of all that was added since."""
        self._read_waiting()
        if self._parts_read:
            read, self._parts_read = self._parts_read, []
            self._words = np.concatenate((self._words, *(words for words, _ in read)))
            counts = np.concatenate([counts for _, counts in read])
            self._ends = np.concatenate((self._ends, self._ends[-1] + np.cumsum(counts)))

    def similarities(self, ones: IntArray, others: IntArray) -> FloatArray:
        """For pairs of places the share of words and word pairs that both have, in [0, 1].

        1 where neither has any word.
        """
        self._join()
        found = np.ones(len(ones))
        for start in range(0, len(ones), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            mine, theirs = self._parts(ones[part]), self._parts(others[part])
            joined = np.sort(np.concatenate((mine, theirs)))
            same = joined[1:][joined[1:] == joined[:-1]]
            count = len(found[part])
            both, total = (
                np.bincount((keys >> _PART_BITS).astype(np.intp), minlength=count)
                for keys in (same, joined)
            )
            np.divide(both, total - both, out=found[part], where=total > 0)
        return found

    def _parts(self, places: IntArray) -> Uint64Array:
        """The different words and word pairs of each text as scattered numbers, in order.

        The higher bits are the place in `places`.
        """
        spot, after, owners, _ = self._spread(places)
        words, following = (self._words[at].astype(np.uint64) for at in (spot, after))
        pairs = (words + np.uint64(1)) << WORD_BITS | following
        is_pair = after > spot
        codes = np.concatenate((words, pairs[is_pair]))
        owner = np.concatenate((owners, owners[is_pair])).astype(np.uint64)
        return _distinct(np.sort(owner << _PART_BITS | _scatter(codes) >> _OWNER_BITS))

    def _spread(self, places: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Where each word of some texts is and the one after it, whose, and how many each has.

        The last word of a text has itself after it.
        """
        ends = self._ends
        lengths = ends[places + 1] - ends[places]
        owners = np.repeat(np.arange(len(places)), lengths)
        steps = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        spot = ends[places][owners] + steps
        return spot, np.where(steps + 1 < lengths[owners], spot + 1, spot), owners, lengths

    def find_near(
        self,
        places: Sequence[int],
        least: float,
        most: int,
        cancelled: Callable[[], bool],
    ) -> list[NearPair]:
        """Pairs among some of the texts that are at least so alike, the most alike first.

        At most `most` are measured, those that look most alike. Empty when cancelled.
        """
        self._join()
        places_of = np.array(places, dtype=np.intp)
        places_of = places_of[self._ends[places_of + 1] > self._ends[places_of]]
        count = len(places_of)
        if count < 2:
            return []
        marks, pairs = self._sample(places_of, cancelled)
        if cancelled() or not len(pairs):
            return []
        ones, others = pairs // count, pairs % count
        agreement = _agreement(marks, ones, others)
        likely = np.flatnonzero(agreement >= _LEAST_AGREEMENT)
        likely = likely[np.argsort(-agreement[likely], kind="stable")][:most]
        ones, others = places_of[ones[likely]], places_of[others[likely]]
        alike = self.similarities(ones, others)
        found = [
            NearPair(min(one, other), max(one, other), share)
            for one, other, share in zip(
                ones.tolist(), others.tolist(), alike.tolist(), strict=True
            )
            if share >= least
        ]
        found.sort(key=lambda pair: (-pair.similarity, pair.one, pair.other))
        return found

    def _pairs_of_words(self, places: IntArray) -> tuple[Uint32Array, IntArray]:
        """Neighbouring words of texts as scattered numbers, and where each text's begin.

        Every text has words; one of a single word is its own neighbour.
        """
        spot, after, owners, lengths = self._spread(places)
        is_pair = (after > spot) | (lengths[owners] == 1)
        words, following = (self._words[at].astype(np.uint64) for at in (spot, after))
        joined = words << WORD_BITS | following
        counts = np.maximum(lengths - 1, 1)
        codes = (_scatter(joined[is_pair]) >> np.uint64(32)).astype(np.uint32)
        return codes, np.cumsum(counts) - counts

    def _sample(
        self, places: IntArray, cancelled: Callable[[], bool]
    ) -> tuple[npt.NDArray[np.uint8], IntArray]:
        """Marks of each text, and the pairs (first · count + second) that meet in some band.

        A mark is the least of a text's numbers in one of many orders: two texts have the same
        one as often as their numbers are the same. Of each mark a byte is kept.
        """
        marks = np.empty((_BANDS * _SAMPLES, len(places)), dtype=np.uint8)
        keys = np.zeros((_BANDS, len(places)), dtype=np.uint64)
        lengths = self._ends[places + 1] - self._ends[places]
        for first, last in _blocks(np.cumsum(lengths) - lengths, int(lengths.sum())):
            if cancelled():
                break
            codes, starts = self._pairs_of_words(places[first:last])
            _mark(codes, starts, marks, keys, first)
        met = [_meeting(key) for key in keys if not cancelled()]
        if not met:
            return marks, np.empty(0, dtype=np.intp)
        return marks, _distinct(np.sort(np.concatenate(met)))


def measure_similarity(one: str, other: str) -> float:
    """How alike two texts are: the share of words and word pairs that both have, in [0, 1]."""
    table = WordTable()
    for text in (one, other):
        table.add(text.casefold())
    return float(table.similarities(np.array([0]), np.array([1]))[0])


def _scatter(numbers: Uint64Array) -> Uint64Array:
    """Numbers spread over 64 bits, equal ones alike."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return mixed


def _distinct(ranked: npt.NDArray[AnyNumber]) -> npt.NDArray[AnyNumber]:
    """Sorted numbers, each once; NumPy's own way takes ten times as long."""
    if not len(ranked):
        return ranked
    is_first = np.ones(len(ranked), dtype=np.bool_)
    is_first[1:] = ranked[1:] != ranked[:-1]
    return ranked[is_first]


def _blocks(starts: IntArray, total: int) -> list[tuple[int, int]]:
    """From which text to which there are about so many numbers as are taken at once."""
    edges = np.searchsorted(starts, np.arange(0, total, _CODES_AT_ONCE))
    edges = np.append(_distinct(edges), len(starts))
    return [(one, other) for one, other in pairwise(edges.tolist()) if other > one]


def _mark(
    codes: Uint32Array,
    starts: IntArray,
    marks: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64],
    first: int,
) -> None:
    """Fill in the marks and the keys of the bands of some texts, from the first of them on."""
    random = np.random.default_rng(_SEED)
    here = slice(first, first + len(starts))
    mixed = np.empty_like(codes)
    for row in range(_BANDS * _SAMPLES):
        factor = random.integers(0, 2**32, dtype=np.uint32) | np.uint32(1)
        np.multiply(codes, factor, out=mixed)  # the numbers are scattered already
        least = np.minimum.reduceat(mixed, starts)
        marks[row, here] = least & np.uint32(0xFF)
        key = keys[row // _SAMPLES, here]
        key *= np.uint64(0x100000001B3)
        key ^= least


def _meeting(key: npt.NDArray[np.uint64]) -> IntArray:
    order = np.argsort(key, kind="stable")
    ranked, count = key[order], len(key)
    found = []
    for step in range(1, _WINDOW + 1):
        same = np.flatnonzero(ranked[step:] == ranked[:-step])
        found.append(order[same] * count + order[same + step])  # stable: the first one first
    return np.concatenate(found)


def _agreement(marks: npt.NDArray[np.uint8], ones: IntArray, others: IntArray) -> FloatArray:
    """The share of marks that both have."""
    by_text = np.ascontiguousarray(marks.T)
    agreed = np.zeros(len(ones), dtype=np.intp)
    for start in range(0, len(ones), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        agreed[part] = np.count_nonzero(by_text[ones[part]] == by_text[others[part]], axis=1)
    return agreed / np.float64(len(marks))
