"""A slider with two ends, the least and the most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from mvdesk.ui.theme import applied
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_HANDLE_PX: Final = 24  # to hit; what is painted is smaller
_DOT_PX: Final = 14
_TOP: Final = 100


class RangeSlider(QWidget):
    """Chooses a range in [0, 1], in hundredths. Each end is a stop for the keyboard.

    Arrows move an end by 0.01, Page keys by 0.10, Home and End as far as it goes. The ends
    push no further than each other. The wheel does nothing.
    """

    range_edited = Signal(float, float)  # low and high, while the person moves them

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is what the range is of, for screen readers."""
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._low, self._high = _End(self), _End(self)
        self.setFocusProxy(self._low)
        self.set_name(name)
        self._high.setValue(_TOP)
        for end in (self._low, self._high):
            end.valueChanged.connect(self._on_moved)

    def set_name(self, name: str) -> None:
        """Say what the range is of."""
        self._low.setAccessibleName(tr("Least {name}", name=name))
        self._high.setAccessibleName(tr("Most {name}", name=name))

    @property
    def low(self) -> float:
        return self._low.value() / _TOP

    @property
    def high(self) -> float:
        return self._high.value() / _TOP

    def set_range(self, low: float, high: float) -> None:
        """Show a range. Never emits `range_edited`."""
        with QSignalBlocker(self._low), QSignalBlocker(self._high):
            self._low.setRange(0, _TOP)
            self._high.setRange(0, _TOP)
            self._low.setValue(round(low * _TOP))
            self._high.setValue(round(high * _TOP))
        self._settle()

    def sizeHint(self) -> QSize:
        look = applied()
        return QSize(look.px(180), look.px(28))

    def minimumSizeHint(self) -> QSize:
        look = applied()
        return QSize(look.px(96), look.px(28))

    def _on_moved(self, _value: int) -> None:
        self._settle()
        self.range_edited.emit(self.low, self.high)

    def _settle(self) -> None:
        """Put the handles where their values are; neither goes past the other."""
        with QSignalBlocker(self._low), QSignalBlocker(self._high):
            self._low.setRange(0, self._high.value())
            self._high.setRange(self._low.value(), _TOP)
        size = applied().px(_HANDLE_PX)
        left, width = self._groove()
        for end in (self._low, self._high):
            x = left + width * end.value() / _TOP
            end.setGeometry(round(x - size / 2), (self.height() - size) // 2, size, size)
        self.update()

    def _groove(self) -> tuple[float, float]:
        edge = applied().px(_HANDLE_PX) / 2
        return edge, max(self.width() - 2 * edge, 1.0)

    def value_at(self, x: float) -> int:
        """The hundredth that a point of the widget stands for."""
        left, width = self._groove()
        return round(min(max((x - left) / width, 0.0), 1.0) * _TOP)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the groove brings the nearer end there."""
        if event.button() == Qt.MouseButton.LeftButton:
            value = self.value_at(event.position().x())
            low_away, high_away = abs(value - self._low.value()), abs(value - self._high.value())
            is_low = low_away < high_away or (low_away == high_away and value < self._low.value())
            (self._low if is_low else self._high).setValue(value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = applied()
        left, width = self._groove()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        height = look.px(4)
        top = (self.height() - height) / 2
        painter.setBrush(look.color("hairline"))
        painter.drawRoundedRect(QRectF(left, top, width, height), height / 2, height / 2)
        painter.setBrush(look.color("accent" if self.isEnabled() else "disabled"))
        span = QRectF(left + width * self.low, top, width * (self.high - self.low), height)
        painter.drawRect(span)


class _End(QSlider):
    """One end: a handle that is moved along its parent."""

    def __init__(self, parent: RangeSlider) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._range = parent
        self.setRange(0, _TOP)
        self.setSingleStep(1)
        self.setPageStep(10)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = applied()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.color("accent" if self.isEnabled() else "disabled"), 2.0))
        painter.setBrush(look.color("surface"))
        reach = look.px(_DOT_PX) / 2 - 1
        painter.drawEllipse(QPointF(self.width() / 2, self.height() / 2), reach, reach)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(event.button() == Qt.MouseButton.LeftButton)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            x = self.mapToParent(event.position()).x()
            self.setValue(self._range.value_at(x))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # nothing is changed by scrolling past
