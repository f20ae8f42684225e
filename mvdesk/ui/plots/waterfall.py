"""The waterfall: how a score came about, bar by bar, from what was stored to the final number."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from mvdesk.ui.plots.plot_view import PlotView
from mvdesk.ui.plots.waterfall_content import WaterfallContent
from mvdesk.ui.plots.waterfall_item import WaterfallItem
from mvdesk.ui.plots.waterfall_layout import zoom_axis
from mvdesk.ui.plots.waterfall_motion import SLIDE_MS, BarMotion
from mvdesk.ui.plots.waterfall_picture import WaterfallDrawing
from mvdesk.ui.plots.waterfall_rows import Row, RowOrder, describe_row, format_tooltip, tabulate
from mvdesk.ui.plots.waterfall_texts import WaterfallScene, lay_out_rows
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QResizeEvent

    from mvdesk.scoring.explain import ScoreExplanation

_MIN_WIDTH: Final = 260


class Waterfall(PlotView):
    """Shows one score's explanation. Made once; every setter updates it in place.

    It is as high as its rows, for a scroll area around it: the wheel is left to that, Ctrl
    and wheel zooms the axis. Signals carry a component's name, or "raw", "clamp", "final",
    "rounding".
    """

    row_selected = Signal(str)  # it is the current one now
    row_activated = Signal(str)  # click or Enter
    change_requested = Signal(str)  # double click: to where it can be changed
    menu_requested = Signal(str, QPoint)  # the global place for a menu
    pin_requested = Signal()  # Space

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = WaterfallContent()
        self._unfolded = False
        self._zoomed = False
        self._wheel_zoom: tuple[float, float] | None = None
        self._rows: tuple[Row, ...] = ()
        self._current: int | None = None
        self._hovered: int | None = None
        self._framed: tuple[object, object] | None = None
        self._motion = BarMotion(self)
        self._motion.moved.connect(self._repaint)

        # No PlotItem: its menus are windows of their own, and one is never freed.
        self._view_box = pg.ViewBox(self._canvas, enableMouse=False, enableMenu=False)
        self._item = WaterfallItem()
        self._item.setParentItem(self._canvas)
        # Painted when told to: the scene would ask a turn later, and everything again.
        self.setViewportUpdateMode(self.ViewportUpdateMode.NoViewportUpdate)
        self._view_box.sigXRangeChanged.connect(self._on_range_changed)

        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(_MIN_WIDTH)
        self.setAccessibleName(tr("Waterfall"))
        self._finish()

    # In

    def set_explanation(
        self, score: ScoreExplanation | None, *, previous: ScoreExplanation | None = None
    ) -> None:
        """Show a score; `previous` is the one before the preview and appears as a ghost.

        The selected row stays selected when it is still there. `None` empties the plot.
        """
        kept, before = self.current_name, self._content
        if score is None or before.score is None or score.kind != before.score.kind:
            self._wheel_zoom = None
        after = self._content = replace(before, score=score, previous=previous)
        # The same memory in a preview: its bars slide to what the preview makes of them.
        moves = (before.previous or previous) is not None and before.stored == after.stored
        self._replan(kept, slides=moves)

    def set_pinned(self, pinned: ScoreExplanation | None) -> None:
        """Show how the score differs from this one; None shows the score by itself again."""
        self._set(replace(self._content, pinned=pinned))

    def set_causes(self, causes: Sequence[Row] | None) -> None:
        """Show effects of causes instead of the components; None shows those again."""
        wanted = None if causes is None else tuple(causes)
        if wanted != self._content.causes:
            self._wheel_zoom = None
            self._set(replace(self._content, causes=wanted))

    def set_order(self, order: RowOrder) -> None:
        """Order rows "grouped" with subtotals, as the "model" lists them, or by size."""
        self._set(replace(self._content, order=order))

    def set_base_note(self, note: str) -> None:
        """Say where the base is from, "" while that isn't known."""
        self._set(replace(self._content, base_note=note))

    def set_unfolded(self, unfolded: bool) -> None:
        """Show the components at zero one by one."""
        if unfolded != self._unfolded:
            self._unfolded = unfolded
            self._replan(self.current_name)

    def set_zoomed(self, zoomed: bool) -> None:
        """Let the axis show only where the bars are, instead of 0 to 1."""
        self._wheel_zoom = None
        self._zoomed = zoomed
        self._relayout()

    def set_selected(self, name: str | None) -> None:
        """Select a row by its component's name. Never emits `row_selected`."""
        self._select(name)
        self._repaint()

    # Out

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows as shown."""
        return self._rows

    @property
    def current_name(self) -> str | None:
        """The name of the selected row."""
        return None if self._current is None else self._rows[self._current].name

    @property
    def shows_causes(self) -> bool:
        """Whether the rows are effects of causes."""
        return self._content.shows_causes

    def all_rows(self) -> tuple[Row, ...]:
        """The rows in shown order, those at zero too."""
        return self._content.plan(unfolded=True)

    @property
    def zoomed(self) -> bool:
        """Whether the axis shows only where the bars are."""
        return self._zoomed

    @property
    def axis_range(self) -> tuple[float, float]:
        """The score points the axis shows."""
        low, high = self._view_box.viewRange()[0]
        return float(low), float(high)

    def row_rect(self, name: str) -> QRect:
        """Where a row is on this widget, empty for a row that isn't shown."""
        for row, place in zip(self._rows, self._layout.rows, strict=True):
            if name and row.name == name:
                top, height = round(place.whole.start), round(place.whole.length)
                return QRect(0, top, self.width(), height)
        return QRect()

    def table(self) -> list[tuple[str, str, str]]:
        """Label, value and evidence of every row, components at zero too, in shown order."""
        return tabulate(self.all_rows())

    def drawing(self) -> WaterfallDrawing:
        """What is shown, for a picture."""
        return WaterfallDrawing(self._content, self._unfolded, self._zoomed)

    def sizeHint(self) -> QSize:
        return QSize(376, round(self._layout.height))

    # Inside

    def _dress(self) -> None:
        self.setBackground(self._look.color("surface"))
        self._relayout()

    def _set(self, content: WaterfallContent) -> None:
        if content != self._content:
            self._content = content
            self._replan(self.current_name)

    def _replan(self, selected: str | None, *, slides: bool = False) -> None:
        self._rows = self._content.plan(unfolded=self._unfolded)
        if slides and (duration := self._look.motion_ms(SLIDE_MS)):
            self._motion.slide(self._rows, duration)
        else:
            self._motion.show(self._rows)
        self._hovered = None
        self._select(selected)
        self._relayout()

    def _select(self, name: str | None) -> None:
        numbers = [number for number, row in enumerate(self._rows) if name and row.name == name]
        self._current = numbers[0] if numbers else None
        self._describe()

    def _relayout(self) -> None:
        width = float(self.width())
        self._layout = lay_out_rows(self._rows, width, self._look, may_stack=self.shows_causes)
        plot = self._layout.plot
        frame = (plot.start, 0.0, plot.length, self._layout.plot_height)
        axis = self._wheel_zoom or self._content.axis_of(self._rows, zoomed=self._zoomed)
        if (frame, axis) != self._framed:  # costs as much as all else here
            self._framed = (frame, axis)
            self._view_box.setGeometry(*frame)
            self._view_box.setXRange(*axis, padding=0)
        height = round(self._layout.height)
        if self.shows_causes and not self._rows:
            height = max(height, self.height())  # they are being found out
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)
        self._repaint()

    def _repaint(self) -> None:
        scene = WaterfallScene(
            self._motion.rows,
            self._layout,
            self.axis_range,
            self._content.axis_title,
            self._look,
            self._current,
            self._hovered,
            self.shows_ring(),
            self.shows_causes,
        )
        self._item.set_scene(scene, float(self.width()))
        self.viewport().update()

    def _describe(self) -> None:
        sentence = self._content.describe(self._rows)
        if self._current is not None:
            stops = self._stops()
            place = stops.index(self._current) + 1
            row = describe_row(self._rows[self._current], place, len(stops))
            sentence = f"{row}. {sentence}"
        self.setAccessibleDescription(sentence)

    def _stops(self) -> list[int]:
        """The rows that the keyboard stops at: all but the group headers."""
        return [number for number, row in enumerate(self._rows) if row.kind != "group"]

    def _choose(self, number: int) -> None:
        """What a click or an arrow key does."""
        self._current = number
        self._describe()
        self._repaint()
        row = self._rows[number]
        if row.kind != "fold":
            self.row_selected.emit(row.name)

    def _activate(self, number: int) -> None:
        row = self._rows[number]
        if row.kind == "fold":
            self.set_unfolded(not self._unfolded)
        else:
            self.row_activated.emit(row.name)

    def _step(self, by: int) -> None:
        stops = self._stops()
        if not stops:
            return
        if self._current is None:
            by = {1: 0, -1: 999}.get(by, by)  # an arrow begins at its own end
            self._choose(stops[-1 if by > 0 else 0])
            return
        place = stops.index(self._current) + by
        self._choose(stops[min(max(place, 0), len(stops) - 1)])

    def _row_under(self, y: float) -> int | None:
        number = self._layout.row_at(y)
        if number is None or self._rows[number].kind == "group":
            return None
        return number

    def _set_hovered(self, number: int | None) -> None:
        if number != self._hovered:
            self._hovered = number
            self._repaint()

    def _on_range_changed(self) -> None:
        self._item.set_axis(self.axis_range)
        self.viewport().update()

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_End: 999, Qt.Key.Key_Home: -999}
        key, row = event.key(), self._rows[self._current] if self._current is not None else None
        self._ring = True
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        elif key in steps:
            self._step(steps[Qt.Key(key)])
        elif key == Qt.Key.Key_Z:
            self.set_zoomed(not self._zoomed)
        elif row and self._current is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate(self._current)
        elif (
            row
            and row.kind == "fold"
            and key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space)
        ):
            self.set_unfolded(key == Qt.Key.Key_Right or (key == Qt.Key.Key_Space and not row.open))
        elif key == Qt.Key.Key_Space:
            self.pin_requested.emit()
        else:
            event.ignore()  # pyqtgraph's view would keep it from the window's shortcuts

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._row_under(event.position().y())
        if event.button() != Qt.MouseButton.LeftButton or number is None:
            return
        self._ring = False
        self._choose(number)
        self._activate(number)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self._row_under(event.position().y())
        if event.button() != Qt.MouseButton.LeftButton or number is None:
            return
        if self._rows[number].kind == "fold":
            self._activate(number)
        else:
            self.change_requested.emit(self._rows[number].name)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """For the row under the mouse, or from the keyboard for the current one."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        number = self._row_under(event.pos().y()) if by_mouse else self._current
        if number is None or self._rows[number].kind == "fold":
            event.ignore()  # the menu of what is around it
            return
        if by_mouse:
            self._ring = False
        self._choose(number)
        name = self._rows[number].name
        below = self.row_rect(name).bottomLeft() + QPoint(self._look.px(24), 0)
        where = event.globalPos() if by_mouse else self.viewport().mapToGlobal(below)
        self.menu_requested.emit(name, where)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pass  # pyqtgraph's scene has seen no press, so it must see no release

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._row_under(event.position().y())
        self._set_hovered(number)
        hand = number is not None
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
        )

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hovered(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier or not self._rows:
            event.ignore()  # the scroll area around this scrolls
            return
        plot = self._layout.plot
        factor = 0.85 ** (event.angleDelta().y() / 120)
        share = min(max((event.position().x() - plot.start) / plot.length, 0.0), 1.0)
        widest = self._content.axis_of(self._rows)
        self._wheel_zoom = zoom_axis(self.axis_range, widest, factor, share)
        self._relayout()
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._row_under(event.pos().y())
            text = "" if number is None else format_tooltip(self._rows[number])
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return bool(super().viewportEvent(event))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._current is None and self.shows_ring():
            stops = self._stops()
            self._current = stops[0] if stops else None
            self._describe()
            self._repaint()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None and event.oldSize().width() != event.size().width():
            self._relayout()
