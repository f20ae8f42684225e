"""Marks the letters of a cell that were searched for, behind the words of the list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextLayout

from mvdesk.ui.text_spans import to_utf16

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QFont, QPainter

    from mvdesk.ui.theme import Look

    Find = Callable[[str], list[tuple[int, int]]]

_MOST_LINES: Final = 2_000


class TitleMarks:
    """Where marks go, by line of text; measured once."""

    def __init__(self) -> None:
        self._finders: Mapping[int, Find] = {}
        self._known: dict[tuple[int, str, float], list[tuple[float, float]]] = {}

    def set_finders(self, finders: Mapping[int, Find]) -> None:
        """Mark in a column what its finder finds, as starts and ends in code points."""
        self._finders = dict(finders)
        self._known.clear()

    def is_marked(self, column: int) -> bool:
        """Whether anything is looked for in a column."""
        return column in self._finders

    def find(self, column: int, line: str) -> list[tuple[int, int]]:
        """Where marks go in a line of a column, in code points."""
        find = self._finders.get(column)
        return [] if find is None else find(line.removesuffix("…"))

    def paint(
        self,
        painter: QPainter,
        column: int,
        line: str,
        font: QFont,
        place: tuple[float, float],
        look: Look,
    ) -> None:
        """The marks of a line of a column that is about to be drawn from `place`."""
        (left, top), key = place, (column, line, look.scale)
        spans = self._known.get(key)
        if spans is None:
            if len(self._known) >= _MOST_LINES:
                self._known.clear()
            spans = self._known[key] = _measure(line, font, self.find(column, line))
        height = painter.fontMetrics().height() if not spans else look.px(18)
        for start, width in spans:
            box = QRectF(left + start - 1, top + 1, width + 2, height - 2)
            painter.fillRect(box, look.color("mark_tint"))


def _measure(line: str, font: QFont, spans: list[tuple[int, int]]) -> list[tuple[float, float]]:
    """Where spans of a line begin, and how wide they are, whatever way it runs."""
    if not spans:
        return []
    layout = QTextLayout(line, font)
    layout.beginLayout()
    row = layout.createLine()
    row.setLineWidth(1e6)
    layout.endLayout()
    places = []
    for start, end in to_utf16(line, spans):
        one, other = (_x(row.cursorToX(place)) for place in (start, end))
        places.append((min(one, other), abs(other - one)))
    base = min((x for x, _ in places), default=0.0)
    # A line that runs from the right is laid out at the far end of its width.
    shift = row.naturalTextRect().left() if base > 5e5 else 0.0
    return [(x - shift, width) for x, width in places]


def _x(found: object) -> float:
    return float(found[0] if isinstance(found, tuple) else found)  # type: ignore[arg-type]
