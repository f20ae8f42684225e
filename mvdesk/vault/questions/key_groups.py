"""Facts that share a key and hold different texts, and the pairs they make."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.whitespace import fold_spaces, trim

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.records import Memory
    from mvdesk.vault.snapshot import Snapshot


_READ_AT_ONCE: Final = 2_000


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Facts with one key and more than one text: a number per row, equal for equal texts."""

    key: str
    texts: Mapping[int, int]

    def differ(self, one: int, other: int) -> bool:
        """Whether two of them have different texts."""
        return self.texts[one] != self.texts[other]

    def members(self, confidence: FloatArray, threshold: float) -> list[int]:
        """The rows of those that are so confident, the most confident first."""
        rows = [row for row in self.texts if confidence[row] >= threshold]
        rows.sort(key=lambda row: (-confidence[row], row))
        return rows

    def count_pairs(self, rows: Collection[int]) -> int:
        """How many pairs of some of them have different texts."""
        sizes = Counter(self.texts[row] for row in rows)
        return (len(rows) ** 2 - sum(size * size for size in sizes.values())) // 2

    def pairs(
        self, rows: Sequence[int], confidence: FloatArray, wanted: Collection[int] | None = None
    ) -> Iterator[tuple[int, int]]:
        """Those pairs, the more confident one first, the largest sum of confidences first.

        `rows` are `members`. With `wanted` one of each pair is among them. Made one by one and
        without a look at pairs of equal texts: thousands of facts may share a key.
        """
        every = _Run(range(len(rows)), [self.texts[row] for row in rows])
        owners, others = list(every.places), _Run([], [])
        if wanted is not None:
            owners = [place for place in owners if rows[place] in wanted]
            rest = [place for place in every.places if rows[place] not in wanted]
            others = _Run(rest, [every.texts[place] for place in rest])

        def sums(owner: int) -> Iterator[tuple[float, int, int]]:
            """A pair belongs to its first member that is wanted."""
            text = every.texts[owner]
            before = others.differing(text, 0, bisect_left(others.places, owner))
            after = every.differing(text, owner + 1, len(rows))
            for place in chain(before, after):
                first, last = min(owner, place), max(owner, place)
                weakness = -float(confidence[rows[first]] + confidence[rows[last]])
                yield weakness, first, last

        for _, first, last in heapq.merge(*map(sums, owners)):
            yield rows[first], rows[last]


class _Run:
    """Places with the texts there; from each text the next different one is known."""

    def __init__(self, places: Sequence[int], texts: list[int]) -> None:
        self.places = places
        self.texts = texts
        self._next = [len(texts)] * len(texts)
        for at in range(len(texts) - 2, -1, -1):
            self._next[at] = self._next[at + 1] if texts[at] == texts[at + 1] else at + 1

    def differing(self, text: int, start: int, end: int) -> Iterator[int]:
        """The places from `start` to `end` with another text."""
        at = start
        while at < end:
            if self.texts[at] == text:
                at = self._next[at]
            else:
                yield self.places[at]
                at += 1


def find_key_groups(
    snapshot: Snapshot,
    facts: IntArray,
    read_memories: Callable[[Sequence[str]], Sequence[Memory]],
) -> list[KeyGroup]:
    """The facts that share a key (trimmed, lower-cased) and hold different texts.

    Texts are compared with folded white space and in lower case; a blank one is in no group.
    `read_memories` gives the memories of some ids.
    """
    groups: list[KeyGroup] = []
    for some in _portions(_by_key(snapshot, facts)):
        groups += _groups_of(snapshot, some, read_memories)
    return groups


def _portions(shared: Mapping[str, list[int]]) -> Iterator[dict[str, list[int]]]:
    """Some keys at a time: the texts of all of them would take a tenth of the memory there is."""
    some: dict[str, list[int]] = {}
    count = 0
    for key, rows in shared.items():
        some[key] = rows
        count += len(rows)
        if count >= _READ_AT_ONCE:
            yield some
            some, count = {}, 0
    yield some


def _groups_of(
    snapshot: Snapshot,
    shared: Mapping[str, list[int]],
    read_memories: Callable[[Sequence[str]], Sequence[Memory]],
) -> Iterator[KeyGroup]:
    table = snapshot.memories
    ids = [table.ids.text(row) for rows in shared.values() for row in rows]
    read = read_memories(ids) if ids else []
    texts = {memory.id: fold_spaces(trim(memory.content).lower()) for memory in read}
    for key, rows in shared.items():
        numbers: dict[str, int] = {}
        found = {row: texts.get(table.ids.text(row), "") for row in rows}
        members = {
            row: numbers.setdefault(text, len(numbers)) for row, text in found.items() if text
        }
        if len(numbers) > 1:
            yield KeyGroup(key, members)


def _by_key(snapshot: Snapshot, facts: IntArray) -> dict[str, list[int]]:
    keys = snapshot.memories.keys
    _, ends = keys.block
    named = facts[ends[facts] < ends[facts + 1]]  # most have none: told without a look at each
    found: dict[str, list[int]] = {}
    for row in named.tolist():
        if key := trim(keys.text(row)).lower():
            found.setdefault(key, []).append(row)
    return {key: rows for key, rows in found.items() if len(rows) > 1}
