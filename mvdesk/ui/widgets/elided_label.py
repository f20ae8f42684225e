"""A line of text that ends in an ellipsis where there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class ElidedLabel(QLabel):
    """Shows as much of its text as fits; the tool tip has all of it where it doesn't.

    A `steady` one asks for the same room whatever its text: it gets what the layout has left.
    Another text then lays nothing out again, which for a label in a dock's title or a tool bar
    would be the whole window. One with a `short` text shows that where the whole doesn't fit,
    and is never narrower.
    """

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        steady: bool = False,
        short: str = "",
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self._short = short
        self._steady = steady
        self._words = ""
        self.usual_tip = ""
        """The tool tip while nothing is left out."""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setText(text)

    # QLabel's own text stays empty: setting it lays the parents out anew, fitting or not.

    def text(self) -> str:
        """The whole text."""
        return self._words

    def setText(self, text: str) -> None:
        """Show another text."""
        if text == self._words:
            return
        if self.accessibleName() == self._words:
            self.setAccessibleName(text)
        self._words = text
        if not self._steady:
            self.updateGeometry()
        self.update()

    def shown_text(self) -> str:
        """The text as drawn, with its ellipsis."""
        room, line = self.contentsRect().width(), self._line()
        shown = self.fontMetrics().elidedText(line, self._mode, room)
        return shown if shown == line or not self._short else self._short

    def minimumSizeHint(self) -> QSize:
        self.ensurePolished()
        few = self.fontMetrics().horizontalAdvance(self._short or "M…") + 2
        return QSize(few, self._height())

    def sizeHint(self) -> QSize:
        if self._steady:
            return self.minimumSizeHint()
        self.ensurePolished()
        return QSize(self.full_width(), self._height())

    def full_width(self) -> int:
        """The width in which nothing is left out."""
        return self.fontMetrics().horizontalAdvance(self._line()) + 2

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.shown_text()
        tip = self._line() if shown != self._line() else self.usual_tip
        if tip != self.toolTip():
            self.setToolTip(tip)
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        painter.setPen(self.palette().color(group, self.foregroundRole()))
        painter.drawText(
            self.contentsRect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, shown
        )
        painter.end()

    def _line(self) -> str:
        return " ".join(self._words.split())

    def _height(self) -> int:
        margins = self.contentsMargins()
        return self.fontMetrics().height() + margins.top() + margins.bottom()
