"""Places in a text as Qt counts them: UTF-16 units, where we and the scores count code points."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def to_utf16(
    text: str, spans: Sequence[tuple[int, int]], *, joins_line_ends: bool = False
) -> list[tuple[int, int]]:
    r"""Starts and ends of `spans` in UTF-16 units; places beyond the text count as its end.

    `joins_line_ends` is for documents that keep "\r\n" as one unit, as Qt's do.
    """
    places = sorted({place for span in spans for place in span})
    units: dict[int, int] = {}
    done = unit = 0
    for place in places:
        reached = min(place, len(text))
        unit += _units(text, done, reached, joins_line_ends)
        done = max(done, reached)
        units[place] = unit
    return [(units[start], units[end]) for start, end in spans]


def _units(text: str, start: int, end: int, joins_line_ends: bool) -> int:
    part = text[start:end]
    count = len(part) + sum(1 for char in part if ord(char) > 0xFFFF)
    if joins_line_ends:
        count -= part.count("\r\n")
        # A place between the two belongs to the line end as a whole.
        count -= start > 0 and text[start - 1 : start + 1] == "\r\n" and end > start
    return count
