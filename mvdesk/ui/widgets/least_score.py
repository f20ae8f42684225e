"""A small slider for the smallest score to list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QSlider

from mvdesk.ui.theme import applied, is_look_change
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

_TRACK_PX: Final = 68
_HEIGHT_PX: Final = 26
_HANDLE_PX: Final = 12
_GAP_PX: Final = 6
_ANY: Final = tr("any score")
_TIP: Final = tr(
    "List only memories of at least this confidence: min_score in the search. Arrows 0.01, "
    "with Shift 0.05, PgUp and PgDn 0.10, Home for any"
)


class LeastScore(QSlider):
    """Counts hundredths, 0 to 100; 0 lets every score through. The wheel does nothing."""

    score_edited = Signal(float)  # [0, 1], while the person moves it

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, 100)
        self.setSingleStep(1)
        self.setPageStep(10)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Smallest confidence to list"))
        self.setToolTip(_TIP)
        self.valueChanged.connect(self._on_value_changed)
        self._describe()

    def set_score(self, score: float) -> None:
        """Show a score from outside, in [0, 1]. Never emits."""
        with QSignalBlocker(self):
            self.setValue(round(100 * score))
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:
        look = applied()
        words = max(map(self._metrics().horizontalAdvance, (_ANY, "≥ 0.00")))
        return QSize(look.px(_TRACK_PX + _GAP_PX) + words, look.px(_HEIGHT_PX))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def handle_center(self, value: int) -> QPointF:
        """Where the handle's middle is for a value, in widget pixels."""
        left, width = self._groove()
        return QPointF(left + width * value / 100, self.height() / 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -5, Qt.Key.Key_Down: -5, Qt.Key.Key_Right: 5, Qt.Key.Key_Up: 5}
        step = steps.get(Qt.Key(event.key()))
        if step is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.setValue(self.value() + step)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.setSliderDown(True)
        self._follow(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._follow(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.isSliderDown():
            self.setSliderDown(False)
            self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.updateGeometry()
            self.update()

    def _follow(self, event: QMouseEvent) -> None:
        left, width = self._groove()
        self.setValue(round(100 * (event.position().x() - left) / width))

    def _on_value_changed(self, value: int) -> None:
        self._describe()
        self.score_edited.emit(value / 100)

    def _said(self) -> str:
        return f"≥ {format_number(self.value() / 100, '.2f')}" if self.value() else _ANY

    def _describe(self) -> None:
        said = tr("at least {value:.2f}", value=self.value() / 100) if self.value() else _ANY
        self.setAccessibleDescription(said)

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(applied().font("caption"))

    def _groove(self) -> tuple[float, float]:
        """Left end and length of the track, in widget pixels."""
        look = applied()
        inset = look.px(_HANDLE_PX) / 2 + 2
        return inset, max(look.px(_TRACK_PX) - 2 * inset, 1.0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        look, painter = applied(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        (left, width), middle, thick = self._groove(), self.height() / 2, look.px(4)
        center = self.handle_center(self.value())
        painter.setPen(Qt.PenStyle.NoPen)
        for token, start, end in (
            ("hairline", left, left + width),
            ("accent", center.x(), left + width if self.value() else center.x()),
        ):
            painter.setBrush(look.color(token))
            track = QRectF(start, middle - thick / 2, end - start, thick)
            painter.drawRoundedRect(track, thick / 2, thick / 2)
        color = look.color("accent" if self.value() else "control_border")
        painter.setPen(QPen(color, 2))
        painter.setBrush(color if self.isSliderDown() else look.color("surface"))
        radius = look.px(_HANDLE_PX) / 2 - 1
        painter.drawEllipse(center, radius, radius)
        painter.setFont(look.font("caption"))
        painter.setPen(look.color("text" if self.value() else "text_secondary"))
        words = QRectF(look.px(_TRACK_PX + _GAP_PX), 0, self.width(), self.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self._said())
        painter.end()
