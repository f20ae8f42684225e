"""A line of text that ends in an ellipsis where there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class ElidedLabel(QLabel):
    """Shows as much of its text as fits; the tool tip has all of it where it doesn't."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def shown_text(self) -> str:
        """The text as drawn, with its ellipsis."""
        return self.fontMetrics().elidedText(self._line(), self._mode, self.contentsRect().width())

    def minimumSizeHint(self) -> QSize:
        few = self.fontMetrics().horizontalAdvance("M…")
        return QSize(few, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._line()) + 2
        return QSize(width, super().sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.shown_text()
        self.setToolTip(self._line() if shown != self._line() else "")
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        painter.setPen(self.palette().color(group, self.foregroundRole()))
        painter.drawText(
            self.contentsRect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, shown
        )
        painter.end()

    def _line(self) -> str:
        return " ".join(self.text().split())
