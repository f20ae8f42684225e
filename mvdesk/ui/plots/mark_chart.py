"""What charts share whose marks stand for memories: one is current, one may be pointed at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from mvdesk.ui.plots.plot_view import PlotView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QResizeEvent

_END: Final = 10**6
_STEPS: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_End: _END,
    Qt.Key.Key_Home: -_END,
}


class MarkChart(PlotView):
    """Arrows go from mark to mark, Enter goes to the memory, pointing tells about it.

    Subclasses keep their marks; they set `_current` and `_hovered`, places in `_ids()`, only
    through what is here.
    """

    memory_chosen = Signal(str)  # id: a click, or an arrow key
    memory_activated = Signal(str)  # Enter or a double click

    def __init__(self, name: str, size: QSize, least: QSize, parent: QWidget | None = None) -> None:
        """`size` and `least` are in px at scale 1."""
        super().__init__(parent)
        self._size, self._least = size, least
        self._current: int | None = None
        self._hovered: int | None = None
        # No PlotItem: its menus are windows of their own, and one is never freed.
        self._view_box = pg.ViewBox(self._canvas, enableMouse=False, enableMenu=False)
        # Painted when told to: the scene would ask a turn later, and everything again.
        self.setViewportUpdateMode(self.ViewportUpdateMode.NoViewportUpdate)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setAccessibleName(name)

    def set_current(self, memory_id: str | None) -> None:
        """Mark a memory, if it is shown. Never emits."""
        current = self._find(memory_id)
        if current != self._current:
            self._current = current
            self._describe()
            self._repaint()

    @property
    def current_id(self) -> str | None:
        """The memory that is marked."""
        return None if self._current is None else self._ids()[self._current]

    def sizeHint(self) -> QSize:
        return QSize(self._look.px(self._size.width()), self._look.px(self._size.height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.px(self._least.width()), self._look.px(self._least.height()))

    # What a chart is: for subclasses to say.

    def _ids(self) -> Sequence[str]:
        """The memories, by place."""
        raise NotImplementedError

    def _stops(self) -> Sequence[int]:
        """The places in the order in which arrows go through them."""
        raise NotImplementedError

    def _tell(self, number: int) -> str:
        """All about one mark."""
        raise NotImplementedError

    def _tell_all(self) -> str:
        """All marks in a sentence, also when there is none."""
        raise NotImplementedError

    def _under(self, x: float, y: float) -> int | None:
        """The mark at a place of the widget."""
        raise NotImplementedError

    def _relayout(self) -> None:
        raise NotImplementedError

    # Inside

    def _follow_marks(self, kept: str | None) -> None:
        """Show marks that were replaced; `kept` was current before."""
        self._hovered, self._current = None, self._find(kept)
        self._relayout()
        self._describe()

    def _find(self, memory_id: str | None) -> int | None:
        return next((n for n, one in enumerate(self._ids()) if one == memory_id), None)

    def _dress(self) -> None:
        self.setBackground(self._look.color("surface"))
        self._relayout()

    def _describe(self) -> None:
        told = self._tell_all()
        if self._current is not None:
            told = f"{self._tell(self._current)}. {told}"
        self.setAccessibleDescription(told)

    def _choose(self, number: int) -> None:
        self._current = number
        self._describe()
        self._repaint()
        self.memory_chosen.emit(self._ids()[number])

    def _step(self, by: int) -> None:
        stops = list(self._stops())
        if self._current is None:
            by = {1: 0, -1: _END}.get(by, by)  # an arrow begins at its own end
            place = 0
        else:
            place = stops.index(self._current)
        self._choose(stops[min(max(place + by, 0), len(stops) - 1)])

    def _hover(self, number: int | None) -> None:
        if number != self._hovered:
            self._hovered = number
            self._repaint()

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ring = True
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not self._ids():
            event.ignore()
        elif event.key() in _STEPS:
            self._step(_STEPS[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_id:
            self.memory_activated.emit(self.current_id)
        else:
            event.ignore()  # pyqtgraph's view would keep it from the window's shortcuts

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._under(event.position().x(), event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and number is not None:
            self._ring = False
            self._choose(number)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pass  # pyqtgraph's scene has seen no press, so it must see no release

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self._under(event.position().x(), event.position().y())
        if number is not None:
            self.memory_activated.emit(self._ids()[number])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._under(event.position().x(), event.position().y())
        self._hover(number)
        shapes = Qt.CursorShape
        self.viewport().setCursor(
            shapes.ArrowCursor if number is None else shapes.PointingHandCursor
        )

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # what is around this scrolls

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._under(event.pos().x(), event.pos().y())
            text = "" if number is None else self._tell(number)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return bool(super().viewportEvent(event))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._describe()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if self._made:
            self._relayout()
