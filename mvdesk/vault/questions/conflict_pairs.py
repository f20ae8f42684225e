"""Pairs of facts that may conflict, as arrays: a change of scores is a pass over them.

Where a thousand facts share a key their pairs are too many to be kept, and are left to
`KeyGroup`, which makes them one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from mvdesk.vault.questions.conflicts import BY_KEY, BY_LINK, Conflict

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from mvdesk.arrays import BoolArray, FloatArray, Int32Array, IntArray, LinkTable
    from mvdesk.vault.questions.conflicts import Pair
    from mvdesk.vault.questions.key_groups import KeyGroup

MOST_PAIRS: Final = 2_000_000
"""So many pairs under one key or another are kept; 12 bytes each."""
_BLOCK: Final = 65_536
_Scalar = TypeVar("_Scalar", bound=np.generic)
LINKED: Final = -1
"""Stands for a link where a pair under a key has the number of its group."""


@dataclass(frozen=True, slots=True, eq=False)
class ConflictPairs:
    """Two memories a row each, and why they may conflict.

    `groups` index the groups of keys, `LINKED` for pairs that a link joins: those come first,
    in the order of their links, `a` where the link starts. The others are in no order.
    """

    a: Int32Array
    b: Int32Array
    groups: Int32Array
    links: Int32Array  # of the linked ones alone

    @classmethod
    def of(
        cls,
        table: LinkTable,
        linked: Mapping[Pair, int],
        groups: Sequence[KeyGroup],
        numbers: Sequence[int],
        hidden: Collection[Pair],
    ) -> ConflictPairs:
        """The pairs of some links and of the groups with these numbers, but for the hidden ones."""
        links = np.array([n for pair, n in linked.items() if pair not in hidden], dtype=np.int32)
        a, b, owners = _differing(groups, numbers)
        keep = ~_are_among(a, b, [*linked, *hidden])
        return cls(
            np.concatenate((table.from_rows[links], a[keep])),
            np.concatenate((table.to_rows[links], b[keep])),
            np.concatenate((np.full(len(links), LINKED, dtype=np.int32), owners[keep])),
            links,
        )

    def reaching(self, confidence: FloatArray, threshold: float) -> BoolArray:
        """Marks the pairs of which both are so confident."""
        marks = confidence >= threshold  # a byte each: small enough to be looked up in quickly
        both: BoolArray = _looked_up(marks, self.a) & _looked_up(marks, self.b)
        return both

    def members(self, chosen: BoolArray) -> IntArray:
        """Who is in one of the chosen pairs, ascending."""
        return np.union1d(self.a[chosen], self.b[chosen]).astype(np.intp)

    def strongest(
        self, chosen: BoolArray, confidence: FloatArray, keys: Sequence[str], limit: int | None
    ) -> list[tuple[int, Conflict]]:
        """The chosen ones with the largest sums of confidences, each with its group.

        Of equal ones those that a link joins come first, then group by group; within one the
        more confident, then the older memories.
        """
        if limit == 0:
            return []
        places = np.flatnonzero(self._perhaps_strongest(chosen, confidence, limit))
        sums = confidence[self.a[places]] + confidence[self.b[places]]
        if limit is not None and len(places) > limit:
            strong = sums >= _largest(sums, limit)
            places, sums = places[strong], sums[strong]
        order = self._order(places, sums, confidence)
        return [self._conflict(int(at), confidence, keys) for at in places[order][:limit]]

    def _perhaps_strongest(
        self, chosen: BoolArray, confidence: FloatArray, limit: int | None
    ) -> BoolArray:
        """Marks so many of the chosen ones as their sums in thousandths can't tell apart."""
        if limit is None or np.count_nonzero(chosen) <= limit:
            return chosen
        rounded = np.rint(confidence * 1000).astype(np.int16)
        sums = _looked_up(rounded, self.a) + _looked_up(rounded, self.b)
        # Two sums of scores that aren't rounded may be off by as much.
        marks: BoolArray = chosen & (sums >= _largest(sums[chosen], limit) - 2)
        return marks

    def _order(self, places: IntArray, sums: FloatArray, confidence: FloatArray) -> IntArray:
        groups = self.groups[places]
        first, last = self.a[places], self.b[places]
        # Linked ones are told apart by their place alone, which is that of their links.
        place = np.where(groups == LINKED, places, 0)
        of_first, of_last = -confidence[first], -confidence[last]
        swap = (of_last < of_first) | ((of_last == of_first) & (last < first))
        first, last = np.where(swap, last, first), np.where(swap, first, last)
        of_first = np.where(swap, of_last, of_first)
        order: IntArray = np.lexsort((last, first, of_first, place, groups, -sums))
        return order

    def _conflict(
        self, at: int, confidence: FloatArray, keys: Sequence[str]
    ) -> tuple[int, Conflict]:
        group, a, b = int(self.groups[at]), int(self.a[at]), int(self.b[at])
        if group == LINKED:
            pair = float(confidence[a]), float(confidence[b])
            return group, Conflict(BY_LINK, a, b, pair, int(self.links[at]), "")
        if (-confidence[b], b) < (-confidence[a], a):
            a, b = b, a
        pair = float(confidence[a]), float(confidence[b])
        return group, Conflict(BY_KEY, a, b, pair, -1, keys[group])


def _looked_up(values: npt.NDArray[_Scalar], rows: Int32Array) -> npt.NDArray[_Scalar]:
    """`values[rows]`, some at a time: numpy makes every index eight bytes long."""
    found = np.empty(len(rows), dtype=values.dtype)
    for start in range(0, len(rows), _BLOCK):
        found[start : start + _BLOCK] = values[rows[start : start + _BLOCK]]
    return found


def _largest(values: npt.NDArray[Any], place: int) -> Any:  # noqa: ANN401  of the kind of the array
    """The value that so many reach."""
    return np.partition(values, len(values) - place)[len(values) - place]


def choose_groups(groups: Sequence[KeyGroup], most: int) -> list[int]:
    """The numbers of the groups whose pairs are kept: the small ones, as far as there is room."""
    sizes = np.array([len(group.texts) for group in groups], dtype=np.int64)
    order = np.argsort(sizes, kind="stable")
    room = np.cumsum(sizes[order] * (sizes[order] - 1) // 2) <= most
    return sorted(order[room].tolist())


def _differing(
    groups: Sequence[KeyGroup], numbers: Sequence[int]
) -> tuple[Int32Array, Int32Array, Int32Array]:
    """Both members and the group of every pair with different texts."""
    sizes = np.array([len(groups[n].texts) for n in numbers], dtype=np.int64)
    members = [item for n in numbers for item in groups[n].texts.items()]
    table = np.array(members, dtype=np.int32).reshape(-1, 2)
    rows, texts = table[:, 0], table[:, 1]
    owners = np.repeat(np.array(numbers, dtype=np.int32), sizes)
    ends = np.repeat(np.cumsum(sizes), sizes)
    later = ends - np.arange(len(rows)) - 1  # so many members of its group come after each
    one = np.repeat(np.arange(len(rows)), later)
    within = np.arange(len(one)) - np.repeat(np.cumsum(later) - later, later)
    other = one + 1 + within
    differ = texts[one] != texts[other]
    one, other = one[differ], other[differ]
    return rows[one], rows[other], owners[one]


def _are_among(a: Int32Array, b: Int32Array, pairs: Sequence[Pair]) -> BoolArray:
    """Marks the pairs that are some of `pairs`, whichever member comes first."""
    known = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    packed = np.minimum(a, b).astype(np.int64) << np.int64(32) | np.maximum(a, b)
    return np.isin(packed, known[:, 0] << np.int64(32) | known[:, 1])
