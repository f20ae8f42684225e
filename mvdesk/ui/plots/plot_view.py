"""What the plots that fill a widget have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGraphicsView, QStyleOptionGraphicsItem, QWidget

from mvdesk.ui.theme import Look, Tokens, applied, is_look_change
from mvdesk.ui.widgets.access_role import set_access_role

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QPainter

_BY_KEY: Final = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class PlotView(pg.GraphicsView):
    """A pyqtgraph view that follows the look and marks the keyboard's place.

    Subclasses build their items in the constructor, end it with `_finish()`, and say in
    `_dress` and `_repaint` how to show another look or state. They draw a ring around their
    current row or node while `shows_ring()`: the keyboard was used last, not the mouse.
    """

    _made = False  # Qt sends events before a subclass's constructor is through

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self._look = applied()
        self._ring = False
        self._canvas = pg.GraphicsWidget()
        self.setCentralItem(self._canvas)
        set_access_role(self, "chart")
        # Qt lets the part inside take the keyboard as well: a second, nameless stop for readers.
        inside = self.viewport()
        inside.setFocusProxy(None)
        inside.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside.setFocusProxy(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_tokens(self, tokens: Tokens, scale: float = 1.0) -> None:
        """Use these colours and this text scale."""
        self._look = Look(tokens, scale, self._look.reduced_motion)
        self._dress()

    def draw_on(self, painter: QPainter) -> None:
        """Paint what the view shows, on something else than the screen."""
        for item in sorted(self._canvas.childItems(), key=lambda one: one.zValue()):
            if item.isVisible() and not isinstance(item, pg.ViewBox):
                painter.save()
                painter.translate(item.pos())
                item.paint(painter, QStyleOptionGraphicsItem(), None)
                painter.restore()

    def close(self) -> bool:
        """Close like any widget: pyqtgraph's own takes the view apart while Qt uses it."""
        return bool(QGraphicsView.close(self))

    def shows_ring(self) -> bool:
        """Whether the keyboard's place is to be marked."""
        return self._ring and bool(self.hasFocus())

    def _finish(self) -> None:
        self._made = True
        self._dress()

    def _dress(self) -> None:
        raise NotImplementedError

    def _repaint(self) -> None:
        raise NotImplementedError

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in _BY_KEY:
            self._ring = True
        self._repaint()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._made:
            self._repaint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self._made and is_look_change(event) and applied() != self._look:
            self._look = applied()
            self._dress()
