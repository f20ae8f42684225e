"""The lines of the list: memories, and above those of a group a line that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from mvdesk.arrays import IntArray


class ListGroups(Protocol):
    """The groups of an order, from top to bottom: names, first places, numbers of members."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def starts(self) -> IntArray: ...
    @property
    def counts(self) -> IntArray: ...


NO_LINES: Final = np.empty(0, dtype=np.intp)


def make_lines(
    order: IntArray, groups: ListGroups | None, collapsed: frozenset[str] = frozenset()
) -> IntArray:
    """What each line shows: a row of the table, or −1 − n for the name of the group n.

    The members of groups named in `collapsed` have no line.
    """
    if groups is None:
        return order
    numbers = -1 - np.arange(len(groups.names))
    lines = np.insert(order, groups.starts, numbers)
    if not collapsed:
        return lines
    closed = np.array([name in collapsed for name in groups.names], dtype=np.bool_)
    hidden = np.repeat(closed, groups.counts + 1) & (lines >= 0)
    return lines[~hidden]


def group_at(lines: IntArray, place: int) -> int:
    """The group that a line belongs to, or names; −1 without groups."""
    above = np.flatnonzero(lines[: place + 1] < 0)
    return -1 if not len(above) else int(-1 - lines[above[-1]])
