"""Four parts that add up, as a small waterfall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from mvdesk.ui.theme import applied
from mvdesk.wording import format_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

_ROW_PX: Final = 22
_BAR_PX: Final = 10
_AIR_PX: Final = 14
_NUMBER_PX: Final = 56


class UrgencyBars(QWidget):
    """Each part begins where the one before ended; the last line is all of them."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._parts: tuple[tuple[str, float], ...] = ()
        self._total = 0.0
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_parts(self, parts: Sequence[tuple[str, float]], total: float) -> None:
        """Show parts as (label, value in [0, 1]) and their sum, as it was rounded."""
        self._parts, self._total = tuple(parts), total
        said = [f"{label} {format_number(value, '.3f')}" for label, value in self._lines()]
        self.setAccessibleDescription(", ".join(said))
        self.setToolTip("\n".join(said))
        self.updateGeometry()
        self.update()

    def _lines(self) -> list[tuple[str, float]]:
        return [*self._parts, (self._name, self._total)] if self._parts else []

    def sizeHint(self) -> QSize:
        look = applied()
        return QSize(look.px(340), look.px(_ROW_PX) * len(self._lines()))

    def minimumSizeHint(self) -> QSize:
        return QSize(applied().px(240), self.sizeHint().height())

    def _width_of(self, label: str) -> int:
        return self.fontMetrics().horizontalAdvance(label)

    def paintEvent(self, _event: QPaintEvent) -> None:
        look, painter = applied(), QPainter(self)
        row, bar = look.px(_ROW_PX), look.px(_BAR_PX)
        widest = max((self._width_of(label) for label, _ in self._lines()), default=0)
        left, number = widest + look.px(_AIR_PX), look.px(_NUMBER_PX)
        room = max(self.width() - left - number, 1)
        start, y = 0.0, 0
        for place, (label, value) in enumerate(self._lines()):
            is_total = place == len(self._parts)
            font = self.font()
            font.setBold(is_total)
            painter.setFont(font)
            painter.setPen(look.color("text" if is_total else "text_secondary"))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, y, left, row), middle, label)
            begin = 0.0 if is_total else start
            top = y + (row - bar) / 2
            color = "neutral" if is_total else "negative"
            painter.fillRect(QRectF(left, top, room, bar), look.color("bg"))
            painter.fillRect(
                QRectF(left + begin * room, top, max(value * room, 1), bar), look.color(color)
            )
            painter.setPen(look.color("text"))
            right = middle | Qt.AlignmentFlag.AlignRight
            said = format_number(value, ".3f") if is_total else f"+{format_number(value, '.3f')}"
            painter.drawText(QRectF(left + room, y, number, row), right, said)
            start += 0.0 if is_total else value
            y += row
        painter.end()
