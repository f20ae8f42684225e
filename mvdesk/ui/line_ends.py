r"""What ends the lines of a text, which an editor's document doesn't keep apart.

Qt's documents know one kind of line end. A text may hold "\r\n", lone "\r" and Unicode's
separators besides, even mixed; what nobody touched has to come out as it went in.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Final

from mvdesk.textdiff import match_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_LINE: Final = 40_000
"""Characters of a line up to which a key is painted in time: Qt lays a line out as a whole."""

_ENDS: Final = re.compile("\r\n|[\n\r\u2028\u2029\ufdd0\ufdd1]")  # what Qt takes for one
_OTHERS: Final = "\r\u2028\u2029\ufdd0\ufdd1"
_MOST_COMPARED: Final = 2_000
"""Lines between the first and the last changed one that are compared one by one."""
_PIECE: Final = 2_400
_SHORTEST_PIECE: Final = 2_000  # longer words are wrapped anywhere, which is fast


class LineEnds:
    """The line ends of one text, given back to whatever became of it in a document."""

    def __init__(self, text: str) -> None:
        ends: list[str] = ["\n"] if not _has_others(text) else _ENDS.findall(text)
        kinds = Counter(ends)
        self._usual = kinds.most_common(1)[0][0] if ends else "\n"
        self._ends = ends if len(kinds) > 1 else []
        self._lines = _ENDS.split(text) if self._ends else []

    def restored(self, shown: str) -> str:
        r"""`shown`, whose lines end in "\n", with the ends that its lines had.

        New lines end as most do.
        """
        if not self._ends:
            return shown if self._usual == "\n" else shown.replace("\n", self._usual)
        lines = shown.split("\n")
        ends = self._ends_of(lines)
        return "".join(part for pair in zip(lines, ends, strict=False) for part in pair) + lines[-1]

    def _ends_of(self, lines: Sequence[str]) -> list[str]:
        old, last = self._lines, len(lines) - 1
        same = min(len(old), len(lines))
        head = next((at for at in range(same) if old[at] != lines[at]), same)
        tail = next(
            (at for at in range(same - head) if old[-1 - at] != lines[-1 - at]), same - head
        )
        ends = [self._usual] * last
        ends[:head] = self._ends[: min(head, last)]
        inside, new_inside = old[head : len(old) - tail], lines[head : len(lines) - tail]
        if len(inside) == len(new_inside):
            ends[head : last - tail] = self._ends[head : len(self._ends) - tail]
        elif max(len(inside), len(new_inside)) <= _MOST_COMPARED:
            for start, other, count in match_lines(inside, new_inside):
                for step in range(count):
                    if head + other + step < last and head + start + step < len(self._ends):
                        ends[head + other + step] = self._ends[head + start + step]
        # Those between the lines of the tail, and the one before it where that isn't new.
        kept = min(tail if inside and new_inside else tail - 1, len(self._ends), last)
        if kept > 0:
            ends[last - kept :] = self._ends[len(self._ends) - kept :]
        for at in range(last - 1):
            if ends[at] == "\r" and not lines[at + 1] and ends[at + 1] == "\n":
                ends[at] = "\n"  # the two would be one end, and a line less
        return ends


class Pieces:
    """A text with overlong lines, cut at ends of words to be shown."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._cuts = _find_cuts(text)  # places before which a line end is shown

    @property
    def shown(self) -> str:
        """The text in pieces, each on a line of its own."""
        starts, ends = [0, *self._cuts], [*self._cuts, len(self.text)]
        return "\n".join(self.text[start:end] for start, end in zip(starts, ends, strict=True))

    def place(self, span: tuple[int, int]) -> tuple[int, int]:
        """Where a place of the text is in what is shown, both in code points."""
        start, end = span
        return start + bisect_right(self._cuts, start), end + bisect_left(self._cuts, end)


def find_longest_line(text: str) -> int:
    """The characters of the longest line."""
    longest = start = 0
    for end in _ENDS.finditer(text):
        longest, start = max(longest, end.start() - start), end.end()
    return max(longest, len(text) - start)


def is_overlong(text: str) -> bool:
    """Whether a line is longer than `LONGEST_LINE`."""
    start = 0
    while start + LONGEST_LINE < len(text):
        end = text.rfind("\n", start, start + LONGEST_LINE + 1)
        if end < 0:
            return not _has_others(text) or find_longest_line(text) > LONGEST_LINE
        start = end + 1
    return False


def _has_others(text: str) -> bool:
    return any(end in text for end in _OTHERS)


def _find_cuts(text: str) -> list[int]:
    cuts: list[int] = []
    start = 0
    for end in [*(found.start() for found in _ENDS.finditer(text)), len(text)]:
        while end - start > _PIECE:
            space = text.rfind(" ", start + _SHORTEST_PIECE, start + _PIECE)
            start = start + _PIECE if space < 0 else space + 1
            cuts.append(start)
        start = end + 1
    return cuts
