"""Who gains and who loses by a reinforcement, as the links around its seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from mvdesk.ui.plots.heat_item import HeatItem, HeatScene, label_of
from mvdesk.ui.plots.heat_layout import (
    HeatNode,
    HeatPlace,
    compute_heat_layout,
    describe_node,
    node_at,
)
from mvdesk.ui.plots.plot_view import PlotView
from mvdesk.ui.plots.waterfall_kit import kit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QResizeEvent

_REACH: Final = 6.0
_SIZE: Final = QSize(520, 320)
_LABEL_PX: Final = 300
_STEPS: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_End: 10**6,
    Qt.Key.Key_Home: -(10**6),
}


class HeatChart(PlotView):
    """The seed in the middle and what it reaches around it. Made once, updated in place.

    The colour is the stronger the more a memory gains; a loss is dashed and has a minus.
    Arrows go from the largest change to the smallest, Enter goes to the memory.
    """

    memory_chosen = Signal(str)  # id: a click, or an arrow key
    memory_activated = Signal(str)  # Enter or a double click

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._nodes: tuple[HeatNode, ...] = ()
        self._places: tuple[HeatPlace, ...] = ()
        self._left_out = 0
        self._current: int | None = None
        self._hovered: int | None = None
        # No PlotItem: its menus are windows of their own, and one is never freed.
        self._view_box = pg.ViewBox(self._canvas, enableMouse=False, enableMenu=False)
        self._item = HeatItem()
        self._item.setParentItem(self._canvas)
        self.setViewportUpdateMode(self.ViewportUpdateMode.NoViewportUpdate)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setAccessibleName("Who gains and who loses, around the memory that is reinforced")
        self._finish()
        self._describe()

    # In

    def set_nodes(self, nodes: Sequence[HeatNode], *, left_out: int = 0) -> None:
        """Show others: the seed first, each after the one it came from."""
        kept = self.current_id
        self._nodes, self._left_out, self._hovered = tuple(nodes), left_out, None
        self._current = self._find(kept)
        self._relayout()
        self._describe()

    def set_current(self, memory_id: str | None) -> None:
        """Mark a memory, if it is shown. Never emits."""
        current = self._find(memory_id)
        if current != self._current:
            self._current = current
            self._describe()
            self._repaint()

    # Out

    @property
    def nodes(self) -> tuple[HeatNode, ...]:
        return self._nodes

    @property
    def places(self) -> tuple[HeatPlace, ...]:
        """Where the nodes stand on this widget."""
        return self._places

    @property
    def current_id(self) -> str | None:
        """The memory that is marked."""
        return None if self._current is None else self._nodes[self._current].memory_id

    @property
    def picture_text(self) -> str:
        """What a picture says above it."""
        left_out = f" {self._left_out:,} that change less are left out." if self._left_out else ""
        return f"Base confidence · base importance gained. Dashed: a loss.{left_out}"

    def twin(self) -> HeatChart:
        """Another one that shows the same, nothing pointed at."""
        made = HeatChart()
        made.set_nodes(self._nodes, left_out=self._left_out)
        return made

    def sizeHint(self) -> QSize:
        return QSize(self._look.px(_SIZE.width()), self._look.px(_SIZE.height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.px(240), self._look.px(160))

    # Inside

    def _find(self, memory_id: str | None) -> int | None:
        found = (n for n, node in enumerate(self._nodes) if node.memory_id == memory_id)
        return next(found, None)

    def _dress(self) -> None:
        self.setBackground(self._look.color("surface"))
        self._relayout()

    def _relayout(self) -> None:
        face = kit_of(self._look).face("caption")
        strong = kit_of(self._look).face("caption", strong=True)
        most = min(self._look.px(_LABEL_PX), 0.33 * self.width())
        widths = []
        for number, node in enumerate(self._nodes):
            title, gain = label_of(node)
            title_width = (face if number else strong).width(title)
            gap = 10 * self._look.scale
            widths.append(
                max(min(title_width + gap + strong.width(gain), most), strong.width(gain))
            )
        size = (float(self.width()), float(self.height()))
        self._places = compute_heat_layout(self._nodes, size, face.height, widths)
        self._repaint()

    def _repaint(self) -> None:
        scene = HeatScene(
            self._nodes, self._places, self._look, self._current, self._hovered, self.shows_ring()
        )
        self._item.set_scene(scene, (float(self.width()), float(self.height())))
        self.viewport().update()

    def _describe(self) -> None:
        if not self._nodes:
            self.setAccessibleDescription("Nothing is reinforced.")
            return
        count = len(self._nodes)
        sentence = f"{count:,} memories. {self.picture_text}"
        if self._current is not None:
            sentence = f"{describe_node(self._nodes[self._current])}. {sentence}"
        self.setAccessibleDescription(sentence)

    def _choose(self, number: int) -> None:
        self._current = number
        self._describe()
        self._repaint()
        self.memory_chosen.emit(self._nodes[number].memory_id)

    def _step(self, by: int) -> None:
        """The seed, then the largest change to the smallest."""
        rest = range(1, len(self._nodes))
        stops = [0, *sorted(rest, key=lambda n: -abs(self._nodes[n].heat))]
        place = stops.index(self._current) + by if self._current in stops else 0
        self._choose(stops[min(max(place, 0), len(stops) - 1)])

    def _under(self, x: float, y: float) -> int | None:
        return node_at(self._places, x, y, _REACH * max(self._look.scale, 1.0))

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ring = True
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not self._nodes:
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
            self.memory_activated.emit(self._nodes[number].memory_id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._under(event.position().x(), event.position().y())
        if number != self._hovered:
            self._hovered = number
            self._repaint()
        shapes = Qt.CursorShape
        self.viewport().setCursor(
            shapes.ArrowCursor if number is None else shapes.PointingHandCursor
        )

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self._repaint()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # what is around this scrolls

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._under(event.pos().x(), event.pos().y())
            text = "" if number is None else describe_node(self._nodes[number])
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return bool(super().viewportEvent(event))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._current is None and self._nodes:
            self._current = 0
            self._repaint()
        self._describe()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if self._made:
            self._relayout()
