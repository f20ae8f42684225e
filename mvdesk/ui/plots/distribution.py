"""The distribution: how many memories have which score, before and after a preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.plots.distribution_item import DistributionItem, DistributionScene
from mvdesk.ui.plots.distribution_layout import (
    BINS,
    DistributionLayout,
    compute_distribution_layout,
    describe_bin,
    find_top,
    format_bin,
)
from mvdesk.ui.plots.plot_view import PlotView
from mvdesk.ui.plots.waterfall_kit import kit_of
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QResizeEvent

_EMPTY: Final = (0,) * BINS
_MIN_SIZE: Final = QSize(240, 110)
_STEPS: Final = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_Home: -100,
    Qt.Key.Key_End: 100,
}
"""How far a key moves the threshold, in hundredths."""
_KEYS: Final = tr(
    "Left and Right move the threshold, Up and Down go from bar to bar, "
    "Enter lists the memories of a bar."
)


class Distribution(PlotView):
    """Twenty bars and a threshold that can be moved. Made once; every setter updates it.

    The stored scores are bars; in a preview they are an outline and the bars are what would
    be. The panel around keeps the threshold: what is moved here is asked for by a signal.
    """

    threshold_moved = Signal(float)  # [0, 1] in hundredths, while the person moves it
    bin_pointed = Signal(int)  # the bin under the mouse or of the keyboard, -1 for none
    bin_chosen = Signal(int)  # a click or Enter

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before: tuple[int, ...] = _EMPTY
        self._after: tuple[int, ...] | None = None
        self._threshold = 0.7
        self._sides = ("", "")
        self._kind = "confidence"
        self._summary = ""
        self._current: int | None = None
        self._hovered: int | None = None
        self._held_from: float | None = None  # the threshold when it was taken hold of
        self._layout = compute_distribution_layout((_EMPTY,), (400.0, 200.0), 1.0, 24.0, 15.0)
        # No PlotItem: its menus are windows of their own, and one is never freed.
        self._view_box = pg.ViewBox(self._canvas, enableMouse=False, enableMenu=False)
        self._view_box.setXRange(0.0, 1.0, padding=0)
        self._item = DistributionItem()
        self._item.setParentItem(self._canvas)
        # Painted when told to: the scene would ask a turn later, and everything again.
        self.setViewportUpdateMode(self.ViewportUpdateMode.NoViewportUpdate)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self._finish()
        self._describe()

    # In

    def set_counts(self, before: Sequence[int], after: Sequence[int] | None = None) -> None:
        """Show how many memories each of the 20 bins holds; `after` is what a preview makes."""
        shown = (tuple(before), None if after is None else tuple(after))
        if shown != (self._before, self._after):
            self._before, self._after = shown
            self._relayout()
            self._describe()
            if self._pointed is not None:
                self.bin_pointed.emit(self._pointed)  # its numbers moved

    def set_threshold(self, threshold: float, below: str = "", above: str = "") -> None:
        """Show the threshold, and words for either side of it. Never emits."""
        shown = (threshold, (below, above))
        if shown != (self._threshold, self._sides):
            self._threshold, self._sides = shown
            self._repaint()

    def set_kind(self, kind: str) -> None:
        """Say which score it is: "confidence" or "importance"."""
        if kind != self._kind:
            self._kind = kind
            self._describe()
            self._repaint()

    def set_summary(self, sentence: str) -> None:
        """What a screen reader says about all of it."""
        if sentence != self._summary:
            self._summary = sentence
            self._describe()

    # Out

    @property
    def threshold(self) -> float:
        return self._threshold

    @property
    def layout_now(self) -> DistributionLayout:
        """Where things are on this widget."""
        return self._layout

    def describe(self, number: int) -> str:
        """What a bin holds, as a sentence."""
        after = None if self._after is None else self._after[number]
        return describe_bin(number, self._before[number], after)

    def table(self) -> list[tuple[str, int, int | None]]:
        """Scores, count before and count after (None without a preview) of every bin."""
        after = [None] * BINS if self._after is None else list(self._after)
        return [(format_bin(n), self._before[n], after[n]) for n in range(BINS)]

    @property
    def picture_text(self) -> str:
        """What a picture says above the bars."""
        return self._summary

    def twin(self) -> Distribution:
        """Another one that shows the same, nothing pointed at."""
        made = Distribution()
        made.set_kind(self._kind)
        made.set_counts(self._before, self._after)
        made.set_threshold(self._threshold, *self._sides)
        return made

    def sizeHint(self) -> QSize:
        return QSize(self._look.px(480), self._look.px(220))

    def minimumSizeHint(self) -> QSize:
        return _MIN_SIZE

    # Inside

    @property
    def _pointed(self) -> int | None:
        return self._current if self._hovered is None else self._hovered

    def _dress(self) -> None:
        self.setBackground(self._look.color("surface"))
        self._relayout()

    def _relayout(self) -> None:
        face = kit_of(self._look).face("caption")
        counts = [self._before] if self._after is None else [self._before, self._after]
        top = find_top(max(max(bins) for bins in counts))
        size = (float(self.width()), float(self.height()))
        layout = compute_distribution_layout(
            counts, size, self._look.scale, face.width(format_number(top, ",")), face.height
        )
        if layout != self._layout:
            self._layout = layout
            self._view_box.setGeometry(layout.left, layout.upper, layout.width, layout.height)
            self._view_box.setYRange(0.0, layout.top, padding=0)
        self._repaint()

    def _repaint(self) -> None:
        scene = DistributionScene(
            before=self._before,
            after=self._after,
            threshold=self._threshold,
            sides=self._sides,
            title=tr("{kind} (0–1), number of memories", kind=KIND_WORDS[self._kind]),
            layout=self._layout,
            look=self._look,
            current=self._current,
            hovered=self._hovered,
            focused=self.shows_ring(),
            held=self._held_from is not None,
        )
        self._item.set_scene(scene, (float(self.width()), float(self.height())))
        self.viewport().update()

    def _describe(self) -> None:
        said = [] if self._current is None else [f"{self.describe(self._current)}."]
        self.setAccessibleDescription(" ".join((*said, self._summary, _KEYS)))

    def _point(self, current: int | None, hovered: int | None) -> None:
        before = self._pointed
        if (current, hovered) == (self._current, self._hovered):
            return
        self._current, self._hovered = current, hovered
        self._describe()
        self._repaint()
        if self._pointed != before:
            self.bin_pointed.emit(-1 if self._pointed is None else self._pointed)

    def _ask(self, threshold: float) -> None:
        threshold = round(min(max(threshold, 0.0), 1.0), 2)
        if threshold != self._threshold:
            self.threshold_moved.emit(threshold)

    def _step_bin(self, by: int) -> None:
        start = -1 if by > 0 else BINS
        here = start if self._current is None else self._current
        self._point(min(max(here + by, 0), BINS - 1), None)

    def _let_go(self) -> None:
        if self._held_from is not None:
            self._held_from = None
            self._repaint()

    # Qt's events

    def event(self, event: QEvent) -> bool:
        if (
            self._made
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and (self._held_from is not None or self._current is not None)
        ):
            event.accept()  # before a preview is discarded
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        modifiers &= ~Qt.KeyboardModifier.KeypadModifier
        shift = modifiers == Qt.KeyboardModifier.ShiftModifier
        self._ring = True
        if modifiers and not (shift and key in (Qt.Key.Key_Left, Qt.Key.Key_Right)):
            event.ignore()
        elif key in _STEPS:
            hundredths = _STEPS[Qt.Key(key)] * (5 if shift else 1)
            self._ask(self._threshold + hundredths / 100)
            self._repaint()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step_bin(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            self.bin_chosen.emit(self._current)
        elif key == Qt.Key.Key_Escape and self._held_from is not None:
            self._ask(self._held_from)
            self._let_go()
        elif key == Qt.Key.Key_Escape and self._current is not None:
            self._point(None, self._hovered)
        else:
            event.ignore()  # pyqtgraph's view would keep it from the window's shortcuts

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._ring = False
        spot = event.position()
        if self._layout.grabs(spot.x(), self._threshold):
            self._held_from = self._threshold
            self._repaint()
            return
        number = self._layout.bin_at(spot.x(), spot.y())
        if number is not None:
            self._point(number, number)
            self.bin_chosen.emit(number)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        pass  # its first click has said all

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        spot = event.position()
        if self._held_from is not None:
            self._ask(self._layout.score_at(spot.x()))
            return
        grabs = self._layout.grabs(spot.x(), self._threshold)
        number = None if grabs else self._layout.bin_at(spot.x(), spot.y())
        self._point(self._current, number)
        shape = Qt.CursorShape.ArrowCursor
        if grabs:
            shape = Qt.CursorShape.SplitHCursor
        elif number is not None:
            shape = Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._let_go()

    def leaveEvent(self, event: QEvent) -> None:
        self._point(self._current, None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # what is around this scrolls

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._layout.bin_at(event.pos().x(), event.pos().y())
            text = (
                _TIP
                if number is None
                else tr("{describe}\nClick to list them", describe=self.describe(number))
            )
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return bool(super().viewportEvent(event))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._let_go()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if self._made:
            self._relayout()


_TIP: Final = tr("Drag the line to another threshold (\N{LEFTWARDS ARROW} \N{RIGHTWARDS ARROW})")
