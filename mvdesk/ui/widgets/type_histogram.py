"""How a score stands among all of its type: a histogram of a thumb's size with a marker."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from mvdesk.ui.theme import applied, is_look_change
from mvdesk.ui.widgets.access_role import set_access_role

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH_PX: Final = 64
_HEIGHT_PX: Final = 24
_MARK_PX: Final = 4


class TypeHistogram(QWidget):
    """Shows counts in equal bins from 0 to 1, and where one score lies."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: tuple[int, ...] = ()
        self._score = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        set_access_role(self, "chart")
        self._restyle()

    def set_counts(self, counts: Sequence[int], sentence: str) -> None:
        """Show other counts; `sentence` says what they are. No counts show nothing."""
        if (tuple(counts), sentence) != (self._counts, self.toolTip()):
            self._counts = tuple(counts)
            self.setToolTip(sentence)
            self.setAccessibleName(sentence)
            self.update()

    def set_score(self, score: float) -> None:
        """Mark another score."""
        if score != self._score:
            self._score = score
            self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        self.setFixedSize(QSize(look.px(_WIDTH_PX), look.px(_HEIGHT_PX)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not any(self._counts):
            return
        look, most = applied(), max(self._counts)
        mark = look.px(_MARK_PX)
        left, width = mark, self.width() - 2 * mark
        floor = self.height() - 1 - mark
        painter = QPainter(self)
        color = look.color("neutral")
        color.setAlphaF(0.55)
        edges = [left + round(width * n / len(self._counts)) for n in range(len(self._counts) + 1)]
        for (start, end), count in zip(pairwise(edges), self._counts, strict=True):
            if count:
                height = max(round(count / most * (floor - 1)), 2)
                painter.fillRect(start, floor - height, end - start - 1, height, color)
        painter.fillRect(left, floor, width, 1, look.color("control_border"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.color("text"))
        x = left + min(max(self._score, 0.0), 1.0) * width
        painter.drawRect(QRectF(x - 0.75, 0, 1.5, floor))
        tip = [
            QPointF(x, floor),
            QPointF(x - mark, self.height()),
            QPointF(x + mark, self.height()),
        ]
        painter.drawPolygon(QPolygonF(tip))
        painter.end()
