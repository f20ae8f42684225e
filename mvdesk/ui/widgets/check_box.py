"""A check box that grows with the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox

from mvdesk.ui.theme import applied, is_look_change, paint_icon

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget


class CheckBox(QCheckBox):
    """A QCheckBox drawn by us: Fusion's own box neither scales nor keeps its contrast."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        look = applied()
        text = self.fontMetrics().horizontalAdvance(self.text().replace("&", ""))
        return QSize(look.px(16 + 8) + text + 4, max(look.px(24), self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.updateGeometry()
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        look, enabled = applied(), self.isEnabled()
        side = look.px(16)
        box = QRectF(0.5, round((self.height() - side) / 2) + 0.5, side - 1, side - 1)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        edge = look.color("hairline" if not enabled else "accent" if on else "control_border")
        painter.setPen(QPen(edge, 1))
        fill = "accent" if on and enabled else "surface"
        painter.setBrush(look.color("hover_tint" if self.underMouse() and not on else fill))
        painter.drawRoundedRect(box, 4, 4)
        if on:
            color = look.color("on_accent" if enabled else "disabled").name()
            paint_icon(painter, "check", color, box.adjusted(1, 1, -1, -1))
        painter.setPen(look.color("text" if enabled else "disabled"))
        painter.setFont(self.font())
        words = QRectF(side + look.px(8), 0, self.width(), self.height())
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic
        painter.drawText(words, flags, self.text())
        painter.end()
