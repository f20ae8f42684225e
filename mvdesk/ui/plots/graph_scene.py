"""The graph: a memory among those it is linked with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from mvdesk.ui.plots.graph_canvas import EMPTY_TEXT
from mvdesk.ui.plots.graph_filter import NO_FILTER
from mvdesk.ui.plots.graph_marking import MarkedGraph
from mvdesk.ui.plots.graph_picture import GraphPicture, find_next_node
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent

    from mvdesk.ui.plots.graph_overlay import Segment

__all__ = ["EMPTY_TEXT", "GraphPicture", "GraphView"]

_CLICK_PX: Final = 5
_SHIFTED: Final = (Qt.Key.Key_F, Qt.Key.Key_Space)
_HEADINGS: Final = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}


class GraphView(MarkedGraph):
    """A graph that answers mouse and keyboard.

    Wheel zooms, dragging pans, F fits all and Shift+F what is around the keyboard's place;
    arrow keys walk along links, Enter activates, Shift+Space selects, Space expands or folds
    as a click on a counter does. Pointing at a node dims what it isn't linked with.
    """

    node_clicked = Signal(str)
    node_activated = Signal(str)
    node_moved = Signal(str, float, float)  # dragged to that place, in px of the layout
    path_requested = Signal(str)  # from the selected memory to this one
    fold_toggled = Signal(str)  # to be expanded or folded
    current_changed = Signal(str)  # the keyboard or a click went there
    link_clicked = Signal(object)  # Link, None for none
    link_dragged = Signal(str, str)  # drawn with Ctrl held down, from one memory to another
    legend_toggled = Signal(str, str)  # "relation" or "type", its name

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed: tuple[QPoint, str | None] | None = None
        self._is_movable = self._dragged = self._is_on_map = False
        self._is_pen_down = False
        self._pen: QPointF | None = None
        self._drawn_from: str | None = None

    def twin(self) -> GraphView:
        """Another one that shows the same picture whole, nothing pointed at."""
        made = GraphView()
        made.set_graph(self._picture)
        made.set_filter(replace(NO_FILTER, inferred=True))
        made.set_colouring(self.colouring)
        made.set_selected(self._selected_id)
        made.set_overview(False)
        return made

    def twin_of_seen(self) -> GraphView:
        """As `twin`, but of the part that is seen."""
        made = self.twin()
        made.show_only(self._view_box.viewRect(), self._stretch)
        return made

    def set_movable(self, on: bool) -> None:
        """Whether nodes can be dragged elsewhere."""
        self._is_movable = on

    def set_drawn_from(self, memory_id: str | None) -> None:
        """Draw a link from this memory to the keyboard's place or the mouse; None ends that.

        Clicks select nothing while it is drawn.
        """
        self._drawn_from = memory_id
        self._pen = None
        self._repaint_overlay()

    def go_to(self, memory_id: str) -> None:
        """Put the keyboard at a memory and bring it into view; nothing when it isn't shown."""
        if memory_id in self._picture.ids:
            self._ring = True
            self._set_current(self._picture.ids.index(memory_id))

    def say(self, text: str) -> None:
        """Tell screen readers something else than where the keyboard is."""
        self.setAccessibleDescription(text)

    def _find_drawn(self) -> Segment | None:
        ids = self._picture.ids
        if self._drawn_from not in ids:
            return None
        x, y = self._places[ids.index(self._drawn_from)].tolist()
        if self._pen is not None:
            return (x, y, self._pen.x(), self._pen.y())
        if self._current is None:
            return None
        return (x, y, *self._places[self._current].tolist())

    def _set_current(self, node: int) -> None:
        super()._set_current(node)
        self._pen = None
        self.current_changed.emit(self._picture.ids[node])

    def _set_hovered(self, node: int | None) -> None:
        if node != self._hovered:
            self._hovered = node
            self._repaint()

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ring = True
        key, plain = event.key(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if shift == Qt.KeyboardModifier.ShiftModifier and self.current_id and key in _SHIFTED:
            self._do_shifted(Qt.Key(key), self.current_id)
        elif is_enter and shift == Qt.KeyboardModifier.ShiftModifier and self.current_id:
            self.path_requested.emit(self.current_id)
        elif not plain or not len(self._picture):
            event.ignore()
        elif key in _HEADINGS:
            start = self._current if self._current is not None else self._picture.centre or 0
            node = find_next_node(self._picture, start, _HEADINGS[Qt.Key(key)])
            self._set_current(start if node is None else node)
        elif key == Qt.Key.Key_Home and self._picture.centre is not None:
            self._set_current(self._picture.centre)
        elif key == Qt.Key.Key_F:
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            self.zoom_by(0.8 if key == Qt.Key.Key_Plus else 1.25)
        elif self._current is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.node_activated.emit(self._picture.ids[self._current])
        elif self._current is not None and key == Qt.Key.Key_Space:
            self.fold_toggled.emit(self._picture.ids[self._current])
        else:
            event.ignore()  # pyqtgraph's view would keep it from the window's shortcuts

    def _do_shifted(self, key: Qt.Key, current: str) -> None:
        if key == Qt.Key.Key_F:
            self.fit_to(current)
        else:
            self.node_clicked.emit(current)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return  # pyqtgraph would zoom by dragging with the right button
        self._ring = False
        if self.overview_box.contains(event.position()):
            self._is_on_map = True
            self._go_on_map(event.position())
            event.accept()
            return
        entry = self._legend_entry_at(event.position())
        if entry is not None:
            event.accept()
            self.legend_toggled.emit(entry.kind, entry.name)
            return
        folded = self._badge_at(event.position())
        if folded is not None:
            event.accept()
            self.fold_toggled.emit(folded)
            return
        node = self._node_under(event.position())
        name = None if node is None else self._picture.ids[node]
        self._pressed = (event.position().toPoint(), name)
        if name is not None and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._is_pen_down = True
            self.set_drawn_from(name)
            event.accept()
            return
        super().mousePressEvent(event)
        event.accept()  # nothing beneath has a use for it

    def _go_on_map(self, where: QPointF) -> None:
        """Show what the map has at a point."""
        frame = self._overview.frame
        if frame is not None:
            self.centre_on(*frame.to_plane(where))

    def _drag_node(self, event: QMouseEvent) -> bool:
        """Move the node that was pressed along with the mouse; whether there is one."""
        if self._pressed is None or self._pressed[1] is None or not self._is_movable:
            return False
        where, name = event.position(), self._pressed[1]
        moved = (where.toPoint() - self._pressed[0]).manhattanLength() > _CLICK_PX
        if moved or self._dragged:
            self._dragged = True
            (left, _), (top, _) = self._view_box.viewRange()
            at = np.array([left, top]) + np.array([where.x(), where.y()]) / self.zoom
            x, y = (at / self._stretch).tolist()
            self._fitted = False
            self._rest.start()
            self.put_node(name, (round(x, 2), round(y, 2)))
        return True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._is_on_map:
            self._go_on_map(event.position())
            return
        if self._is_pen_down or (self._drawn_from is not None and not event.buttons()):
            self._pen = event.position()
            self._repaint_overlay()
        if self._is_pen_down:
            return
        if event.buttons() == Qt.MouseButton.LeftButton and self._drag_node(event):
            return
        node = self._node_under(event.position())
        if not event.buttons():
            self._set_hovered(node)
        legend = self._legend_entry_at(event.position())
        pointing = (node is not None or legend is not None) and not event.buttons()
        shapes = Qt.CursorShape
        self.viewport().setCursor(shapes.PointingHandCursor if pointing else shapes.ArrowCursor)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        self._is_on_map = False
        if pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if self._is_pen_down:
            self._lift_pen(event)
            return
        super().mouseReleaseEvent(event)
        event.accept()
        where, name = pressed
        dragged, self._dragged = self._dragged, False
        if dragged and name in self._whole.ids:
            self.node_moved.emit(name, *self._whole.positions[self._whole.ids.index(name)].tolist())
            return
        moved = (event.position().toPoint() - where).manhattanLength()
        if name is not None and name in self._picture.ids and moved <= _CLICK_PX:
            self._set_current(self._picture.ids.index(name))
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.path_requested.emit(name)
            elif self._drawn_from is None:
                self.node_clicked.emit(name)
        elif name is None and moved <= _CLICK_PX:
            self.link_clicked.emit(self.link_at(event.position()))

    def _lift_pen(self, event: QMouseEvent) -> None:
        """End a link that was drawn with the mouse, at a memory or nowhere."""
        event.accept()
        start, self._is_pen_down = self._drawn_from, False
        self.set_drawn_from(None)
        node = self._node_under(event.position())
        end = None if node is None else self._picture.ids[node]
        if start is not None and end is not None and end != start:
            self.link_dragged.emit(start, end)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        node = self._node_under(event.position())
        if event.button() == Qt.MouseButton.LeftButton and node is not None:
            self.node_activated.emit(self._picture.ids[node])

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not len(self._picture):
            event.ignore()
            return
        super().wheelEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hovered(None)
        super().leaveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            node = self._node_under(event.pos())
            text = "" if node is None else self.describe_node(node)
            if self._legend_entry_at(QPointF(event.pos())) is not None:
                text = tr("Click to leave this out, or to have it back")
            QToolTip.showText(event.globalPos(), text.replace(", ", "\n", 1), self)
            return True
        return bool(super().viewportEvent(event))
