"""The slider for the trust of one source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QSlider

from mvdesk.ui.theme import applied, is_look_change
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from types import EllipsisType

    from PySide6.QtWidgets import QWidget

NEUTRAL: Final = 0.5
"""Where a trust has no effect; "not set" counts as this."""

_SNAP: Final = 0.02
_HANDLE_PX: Final = 16
_STEPS: Final = {
    Qt.Key.Key_Left: -0.01,
    Qt.Key.Key_Down: -0.01,
    Qt.Key.Key_Right: 0.01,
    Qt.Key.Key_Up: 0.01,
    Qt.Key.Key_PageDown: -0.10,
    Qt.Key.Key_PageUp: 0.10,
}
_ARROWS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


def format_trust(trust: float | None) -> str:
    """A trust for people: two decimals, three where two would hide something, or "not set"."""
    if trust is None:
        return tr("not set")
    return (
        format_number(trust, ".2f")
        if abs(trust - round(trust, 2)) < 0.0005
        else format_number(trust, ".3f")
    )


class TrustSlider(QSlider):
    """Edits the trust of one source; `None` is "not set", a state of its own.

    The slider itself counts percent (0 to 100). A stored trust between two percents is kept
    as it is until the person moves the handle. The value before the preview stays visible
    as a hollow ghost.
    """

    trust_edited = Signal(float)  # [0, 1], while the person moves it
    unset_requested = Signal()
    revert_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._trust: float | None = None
        self._committed: float | None = None
        self._before_drag: float | None = None
        self._drag_is_on = False
        self.setRange(0, 100)
        self.setSingleStep(1)
        self.setPageStep(10)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Trust"))
        self.valueChanged.connect(self._on_value_changed)
        self.set_trust(None)

    @property
    def trust(self) -> float | None:
        """The trust shown, in [0, 1]; `None` when not set."""
        return self._trust

    @property
    def committed(self) -> float | None:
        """The trust that is stored, in [0, 1]; `None` when not set."""
        return self._committed

    def set_trust(self, trust: float | None, committed: float | EllipsisType | None = ...) -> None:
        """Show a value from outside; `committed` is the stored one, the same unless given.

        Never emits `trust_edited`, and doesn't disturb a drag that shows the same value.
        """
        self._trust = trust
        self._committed = trust if committed is ... else committed
        with QSignalBlocker(self):
            self.setValue(round(100 * (NEUTRAL if trust is None else trust)))
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:
        look = applied()
        return QSize(look.px(160), look.px(28))

    def minimumSizeHint(self) -> QSize:
        look = applied()
        return QSize(96, look.px(28))  # large text leaves a narrow panel no room for more

    def handle_center(self, trust: float | None) -> QPointF:
        """Where the handle's middle is for a trust, in widget pixels."""
        left, width = self._groove()
        return QPointF(left + width * (NEUTRAL if trust is None else trust), self.height() / 2)

    def start_drag(self) -> None:
        """The person has taken the handle, here or where the same trust is shown."""
        self._before_drag, self._drag_is_on = self._trust, True
        self.setSliderDown(True)

    def drag_to(self, trust: float, *, exact: bool = False) -> None:
        """The handle is pulled there; near the middle it rests on it unless `exact`."""
        self._edit(NEUTRAL if abs(trust - NEUTRAL) < _SNAP and not exact else trust)

    def end_drag(self) -> None:
        """The person lets go; the trust stays where it is."""
        self._drag_is_on = False
        self.setSliderDown(False)
        self.update()

    def cancel_drag(self) -> None:
        """Back to the trust from before the drag."""
        before = self._before_drag
        self.end_drag()
        if before is None:
            self.unset_requested.emit()
        elif before != self._trust:
            self._show_edit(before)

    def event(self, event: QEvent) -> bool:
        """During a drag Escape is ours, not the window's, which would end the whole preview."""
        if self._drag_is_on and isinstance(event, QKeyEvent):
            is_asked = event.type() == QEvent.Type.ShortcutOverride
            if is_asked and event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        now = NEUTRAL if self._trust is None else self._trust
        if key == Qt.Key.Key_Escape and self._drag_is_on:
            self.cancel_drag()
        elif event.modifiers() & ~_allowed_with(key):
            event.ignore()
        elif key in _STEPS:
            fine = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._edit(now + _STEPS[key] * (1 if fine or key not in _ARROWS else 5))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._edit(0.0 if key == Qt.Key.Key_Home else 1.0)
        elif key == Qt.Key.Key_U:
            self.unset_requested.emit()
        elif key == Qt.Key.Key_Delete:
            self.revert_requested.emit()
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Inert, so that scrolling a panel changes nothing; Ctrl and the focus together arm it."""
        armed = self.hasFocus() and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        turned = event.angleDelta().y()
        if not armed or not turned:
            event.ignore()
            return
        now = NEUTRAL if self._trust is None else self._trust
        self._edit(now + (0.01 if turned > 0 else -0.01))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.start_drag()
        self._follow(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag_is_on:
            self._follow(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._drag_is_on:
            self._follow(event)
            self.end_drag()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.updateGeometry()
            self.update()

    def _follow(self, event: QMouseEvent) -> None:
        left, width = self._groove()
        exact = event.modifiers() & Qt.KeyboardModifier.AltModifier
        self.drag_to((event.position().x() - left) / width, exact=bool(exact))

    def _edit(self, trust: float) -> None:
        """The person wants this trust: the nearest hundredth within [0, 1]."""
        trust = round(min(max(trust, 0.0), 1.0), 2)
        if trust != self._trust:
            self._show_edit(trust)

    def _show_edit(self, trust: float) -> None:
        self.set_trust(trust, self._committed)
        self.trust_edited.emit(trust)

    def _on_value_changed(self, percent: int) -> None:
        """Somebody turned the slider itself: a screen reader, or a script."""
        self._edit(percent / 100)

    def _describe(self) -> None:
        said = format_trust(self._trust)
        if self._trust is None:
            said += tr(", counts as {neutral:.2f}", neutral=NEUTRAL)
        if self._trust != self._committed:
            said += tr("; stored: {committed}", committed=format_trust(self._committed))
        self.setAccessibleDescription(said)

    def _groove(self) -> tuple[float, float]:
        """Left end and length of the track, in widget pixels."""
        inset = applied().px(_HANDLE_PX) / 2 + 3
        return inset, max(self.width() - 2 * inset, 1.0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_track(painter)
        if self._trust != self._committed:
            self._paint_ghost(painter)
        self._paint_handle(painter)
        painter.end()

    def _paint_track(self, painter: QPainter) -> None:
        look = applied()
        (left, width), middle, thick = self._groove(), self.height() / 2, look.px(4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.color("hairline"))
        painter.drawRoundedRect(
            QRectF(left, middle - thick / 2, width, thick), thick / 2, thick / 2
        )
        if self._trust is not None and self.isEnabled():
            start, end = self.handle_center(NEUTRAL).x(), self.handle_center(self._trust).x()
            painter.setBrush(look.color("positive" if end > start else "negative"))
            painter.drawRect(QRectF(min(start, end), middle - thick / 2, abs(end - start), thick))
        painter.setPen(QPen(look.color("control_border"), 1))
        x, reach = round(self.handle_center(NEUTRAL).x()) + 0.5, look.px(6)
        painter.drawLine(QPointF(x, middle - reach), QPointF(x, middle + reach))

    def _paint_ghost(self, painter: QPainter) -> None:
        look = applied()
        radius = look.px(12) / 2
        pen = QPen(look.color("control_border"), 1.5)
        if self._committed is None:
            pen.setDashPattern([2.0, 1.5])
        painter.setPen(pen)
        painter.setBrush(look.color("surface"))
        painter.drawEllipse(self.handle_center(self._committed), radius, radius)

    def _paint_handle(self, painter: QPainter) -> None:
        look = applied()
        radius = look.px(_HANDLE_PX) / 2 - 1
        color: QColor = look.color("accent" if self.isEnabled() else "disabled")
        unset = self._trust is None
        pen = QPen(look.color("control_border") if unset and self.isEnabled() else color, 2)
        if unset:
            pen.setDashPattern([2.0, 1.5])
        painter.setPen(pen)
        filled = self.isEnabled() and not unset
        painter.setBrush(color if filled and self.isSliderDown() else look.color("surface"))
        center = self.handle_center(self._trust)
        painter.drawEllipse(center, radius, radius)
        if filled and not self.isSliderDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawEllipse(center, radius * 0.4, radius * 0.4)


def _allowed_with(key: Qt.Key) -> Qt.KeyboardModifier:
    """The modifiers a key may come with and still be ours."""
    allowed = Qt.KeyboardModifier.KeypadModifier
    if key in _STEPS:
        allowed |= Qt.KeyboardModifier.ShiftModifier
    return allowed
