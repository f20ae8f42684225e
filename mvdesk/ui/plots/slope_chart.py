"""The slope chart: which memories change places most, from the rank before to the rank after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from mvdesk.ui.plots.plot_view import PlotView
from mvdesk.ui.plots.slope_item import SlopeItem, SlopeScene
from mvdesk.ui.plots.slope_layout import (
    SlopeLayout,
    SlopeLine,
    compute_slope_layout,
    describe_line,
    format_gain,
)
from mvdesk.ui.plots.waterfall_kit import kit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QResizeEvent

_REACH: Final = 9.0
_SIZE: Final = QSize(320, 260)


class SlopeChart(PlotView):
    """Lines of memories whose rank moves. Made once; every setter updates it in place.

    Up is solid with a head upwards and a plus, down is dashed with a head downwards and a
    minus. Up and Down go from line to line.
    """

    memory_chosen = Signal(str)  # id: a click, or an arrow key

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[SlopeLine, ...] = ()
        self._current: int | None = None
        self._hovered: int | None = None
        self._layout = compute_slope_layout((), (40.0, 120.0), (20.0, 200.0), 16.0)
        # No PlotItem: its menus are windows of their own, and one is never freed.
        self._view_box = pg.ViewBox(self._canvas, enableMouse=False, enableMenu=False)
        self._view_box.setXRange(0.0, 1.0, padding=0)
        self._item = SlopeItem()
        self._item.setParentItem(self._canvas)
        # Painted when told to: the scene would ask a turn later, and everything again.
        self.setViewportUpdateMode(self.ViewportUpdateMode.NoViewportUpdate)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setAccessibleName("Slope chart of the ranks")
        self._finish()
        self._describe()

    # In

    def set_lines(self, lines: Sequence[SlopeLine]) -> None:
        """Show other movers. The current one stays current when it is still there."""
        shown = tuple(lines)
        if shown == self._lines:
            return
        kept = self.current_id
        self._lines, self._hovered = shown, None
        self._current = self._find(kept)
        self._relayout()
        self._describe()

    def set_current(self, memory_id: str | None) -> None:
        """Mark a memory's line, if it has one. Never emits."""
        current = self._find(memory_id)
        if current != self._current:
            self._current = current
            self._describe()
            self._repaint()

    # Out

    @property
    def lines(self) -> tuple[SlopeLine, ...]:
        return self._lines

    @property
    def current_id(self) -> str | None:
        """The memory whose line is marked."""
        return None if self._current is None else self._lines[self._current].memory_id

    @property
    def layout_now(self) -> SlopeLayout:
        """Where things are on this widget."""
        return self._layout

    @property
    def picture_text(self) -> str:
        """What a picture says above the lines."""
        return "Ranks before and in the preview."

    def twin(self) -> SlopeChart:
        """Another one that shows the same, nothing pointed at."""
        made = SlopeChart()
        made.set_lines(self._lines)
        return made

    def sizeHint(self) -> QSize:
        return QSize(self._look.px(_SIZE.width()), self._look.px(_SIZE.height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.px(240), self._look.px(120))

    # Inside

    def _find(self, memory_id: str | None) -> int | None:
        found = (n for n, line in enumerate(self._lines) if line.memory_id == memory_id)
        return next(found, None)

    def _dress(self) -> None:
        self.setBackground(self._look.color("surface"))
        self._relayout()

    def _relayout(self) -> None:
        scale = self._look.scale
        face = kit_of(self._look).face("caption")
        strong = kit_of(self._look).face("caption", strong=True)
        texts = [f"{line.rank_before:,}" for line in self._lines]
        widest = max([strong.width(text) for text in texts], default=0.0)
        left = max(widest + 20 * scale, face.width("before") + 4 * scale)
        room = self.width() - left
        right = left + min(max(0.32 * room, 56.0 * scale), 160.0 * scale)
        rows = (face.height * 1.5 + 8 * scale, self.height() - face.height / 2 - 6 * scale)
        rows = (rows[0], max(rows[1], rows[0] + face.height))
        self._layout = compute_slope_layout(self._lines, (left, right), rows, face.height)
        self._view_box.setGeometry(left, rows[0], right - left, rows[1] - rows[0])
        self._repaint()

    def _repaint(self) -> None:
        scene = SlopeScene(
            self._lines, self._layout, self._look, self._current, self._hovered, self.shows_ring()
        )
        self._item.set_scene(scene, (float(self.width()), float(self.height())))
        self.viewport().update()

    def _describe(self) -> None:
        if not self._lines:
            self.setAccessibleDescription("No memory changes its rank.")
            return
        said = [
            f"{line.title} {format_gain(line.gain)}"
            for line in sorted(self._lines, key=lambda line: -abs(line.gain))[:3]
        ]
        sentence = f"{len(self._lines)} lines, the longest: {', '.join(said)}."
        if self._current is not None:
            sentence = f"{describe_line(self._lines[self._current])}. {sentence}"
        self.setAccessibleDescription(sentence)

    def _choose(self, number: int) -> None:
        self._current = number
        self._describe()
        self._repaint()
        self.memory_chosen.emit(self._lines[number].memory_id)

    def _step(self, by: int) -> None:
        """To the next line, as the right ends are from top to bottom."""
        stops = sorted(range(len(self._lines)), key=lambda n: self._layout.places[n].end)
        if not stops:
            return
        if self._current is None:
            by = {1: 0, -1: 99}.get(by, by)  # an arrow begins at its own end
            self._choose(stops[-1 if by > 0 else 0])
            return
        place = stops.index(self._current) + by
        self._choose(stops[min(max(place, 0), len(stops) - 1)])

    def _under(self, x: float, y: float) -> int | None:
        return self._layout.line_at(x, y, _REACH * max(self._look.scale, 1.0))

    def _hover(self, number: int | None) -> None:
        if number != self._hovered:
            self._hovered = number
            self._repaint()

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_End: 99, Qt.Key.Key_Home: -99}
        self._ring = True
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        elif event.key() in steps and self._lines:
            self._step(steps[Qt.Key(event.key())])
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
        pass  # its first click has said all

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._under(event.position().x(), event.position().y())
        self._hover(number)
        hand = number is not None
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
        )

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # what is around this scrolls

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._under(event.pos().x(), event.pos().y())
            text = "" if number is None else describe_line(self._lines[number])
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
