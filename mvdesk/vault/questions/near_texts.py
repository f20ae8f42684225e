"""Which of many texts are nearly the same: found by samples of their words, then measured."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from mvdesk.arrays import FloatArray, IntArray

    Uint32Array = npt.NDArray[np.uint32]
    Uint64Array = npt.NDArray[np.uint64]

MOST_WORDS: Final = 2_000
"""Of a longer text the first so many are compared."""

# Scripts without spaces between words go letter by letter, others in runs.
_LETTERS: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD: Final = re.compile(f"[{_LETTERS}]|[^\\W_{_LETTERS}]+")

# Two texts of which half the neighbouring words are the same meet in one of the bands with a
# probability of 0.87, two of which two thirds are with 0.998.
_BANDS: Final = 32
_SAMPLES: Final = 4
_WINDOW: Final = 2
"""In a band a text meets the next two alike: of many alike each meets some, if not all."""
_LEAST_AGREEMENT: Final = 0.3
_SEED: Final = 20_260_301
_AT_ONCE: Final = 4_096
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
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._words = array("i")
        self._ends = [0]

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, folded: str) -> None:
        """Add the words of the next text, which is case-folded."""
        found = _WORD.findall(folded)[:MOST_WORDS]
        self._words.extend(map(self._numbers.__getitem__, found))
        self._ends.append(len(self._words))

    def similarities(self, ones: IntArray, others: IntArray) -> FloatArray:
        """For pairs of places the share of words and word pairs that both have, in [0, 1].

        1 where neither has any word.
        """
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
        words = self._numbered()
        count = np.uint64(len(self._numbers))
        pairs = (words[spot] + np.uint64(1)) * count + words[after]
        is_pair = after > spot
        codes = np.concatenate((words[spot], pairs[is_pair]))
        owner = np.concatenate((owners, owners[is_pair])).astype(np.uint64)
        return _distinct(np.sort(owner << _PART_BITS | _scatter(codes) >> _OWNER_BITS))

    def _numbered(self) -> Uint64Array:
        return np.frombuffer(self._words, dtype=np.int32).astype(np.uint64)

    def _spread(self, places: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Where each word of some texts is and the one after it, whose, and how many each has.

        The last word of a text has itself after it.
        """
        ends = np.array(self._ends, dtype=np.intp)
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
        codes, starts, places_of = self._pairs_of_words(places)
        if len(starts) < 2:
            return []
        marks, pairs = _sample(codes, starts, cancelled)
        if cancelled() or not len(pairs):
            return []
        ones, others = pairs // len(starts), pairs % len(starts)
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

    def _pairs_of_words(self, places: Sequence[int]) -> tuple[Uint32Array, IntArray, IntArray]:
        """Neighbouring words as scattered numbers; where each text's begin; which texts these are.

        A text of one word is its own neighbour; a text without words is left out.
        """
        kept = np.array(places, dtype=np.intp)
        ends = np.array(self._ends, dtype=np.intp)
        kept = kept[ends[kept + 1] > ends[kept]]
        if not len(kept):
            return np.empty(0, dtype=np.uint32), kept, kept
        spot, after, owners, lengths = self._spread(kept)
        is_pair = (after > spot) | (lengths[owners] == 1)
        words = self._numbered()
        joined = words[spot] * np.uint64(len(self._numbers)) + words[after]
        counts = np.maximum(lengths - 1, 1)
        codes = (_scatter(joined[is_pair]) >> np.uint64(32)).astype(np.uint32)
        return codes, np.cumsum(counts) - counts, kept


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


def _sample(
    codes: Uint32Array, starts: IntArray, cancelled: Callable[[], bool]
) -> tuple[npt.NDArray[np.uint8], IntArray]:
    """Marks of each text, and the pairs (first · count + second) that meet in some band.

    A mark is the least of a text's numbers in one of many orders: two texts have the same
    one as often as their numbers are the same. Of each mark a byte is kept.
    """
    random = np.random.default_rng(_SEED)
    count = len(starts)
    marks = np.empty((_BANDS * _SAMPLES, count), dtype=np.uint8)
    met: list[IntArray] = []
    for band in range(_BANDS):
        if cancelled():
            break
        key = np.zeros(count, dtype=np.uint64)
        for sample in range(_SAMPLES):
            flip, factor = random.integers(0, 2**32, 2, dtype=np.uint32)
            mixed = codes ^ flip
            mixed *= factor | np.uint32(1)
            mixed ^= mixed >> np.uint32(15)
            least = np.minimum.reduceat(mixed, starts)
            marks[band * _SAMPLES + sample] = least & np.uint32(0xFF)
            key = key * np.uint64(0x100000001B3) ^ least
        met.append(_meeting(key))
    return marks, _distinct(np.sort(np.concatenate(met))) if met else np.empty(0, dtype=np.intp)


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
    agreed = np.zeros(len(ones), dtype=np.uint16)
    for row in marks:
        agreed += row[ones] == row[others]
    return agreed / np.float64(len(marks))
