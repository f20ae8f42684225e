"""The ring around what has the keyboard focus, the same for every widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from shiboken6 import Shiboken

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance

    from mvdesk.ui.theme import Look

_MOVES = frozenset(
    {
        QEvent.Type.Move,
        QEvent.Type.Resize,
        QEvent.Type.Show,
        QEvent.Type.Hide,
        QEvent.Type.ParentChange,
        QEvent.Type.ZOrderChange,
    }
)


class FocusRing(QObject):
    """Draws a ring 2 px wide with a gap of 2 px wherever the keyboard put the focus.

    A click puts no ring, nor does a window that becomes active: there it waits for a key.
    The ring lies over the window, so style sheets can't lose it, and
    within the edge of lists and texts, which reach to the edge of their panel.

    Everything happens one turn of the event loop later: Qt also moves the focus, and hides
    widgets, in the middle of destroying a window, and then the window must not be touched.
    """

    _moved = Signal()

    def __init__(self, app: QApplication, look: Callable[[], Look]) -> None:
        super().__init__(app)
        self._look = look
        self._overlay: _Overlay | None = None
        self._watched: list[QWidget] = []
        self._by_pointer = False
        self._focus_was_here = False
        self._waits_for_key = False
        self._waiting = False
        self._moved.connect(self._settle, Qt.ConnectionType.QueuedConnection)
        changed: SignalInstance = app.focusChanged
        changed.connect(self._on_focus_changed)

    def ring_rect(self) -> QRect:
        """Where the ring is in its window, empty when there is none."""
        overlay = self._overlay
        if overlay is None or not Shiboken.isValid(overlay) or overlay.isHidden():
            return QRect()
        return overlay.geometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.KeyPress and self._waits_for_key and watched in self._watched[:1]:
            self._waits_for_key = False
            self._settle_soon()
        elif kind in _MOVES:
            self._settle_soon()
        return False

    def _on_focus_changed(self) -> None:  # without the widgets: one may be half destroyed
        self._by_pointer = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        self._settle_soon()

    def _settle_soon(self) -> None:
        if not self._waiting:
            self._waiting = True
            self._moved.emit()

    def _settle(self) -> None:
        self._waiting = False
        widget = QApplication.focusWidget()
        came_back, self._focus_was_here = not self._focus_was_here, widget is not None
        if widget is None or self._by_pointer or widget.isWindow() or not widget.isVisible():
            self._let_go()
            return
        if self._chain(widget) != self._watched:
            self._let_go()
            self._waits_for_key = came_back
            self._overlay = _Overlay(widget.window(), self._look)
            self._watch(widget)
        if not self._waits_for_key:
            self._place(widget)

    def _chain(self, widget: QWidget) -> list[QWidget]:
        """The widget and all it lies in, up to its window."""
        chain = [widget]
        while not chain[-1].isWindow() and (parent := chain[-1].parentWidget()):
            chain.append(parent)
        return chain

    def _watch(self, widget: QWidget) -> None:
        self._watched = self._chain(widget)
        for ancestor in self._watched:
            ancestor.installEventFilter(self)

    def _let_go(self) -> None:
        for widget in self._watched:
            if Shiboken.isValid(widget):
                widget.removeEventFilter(self)
        self._watched = []
        if self._overlay is not None and Shiboken.isValid(self._overlay):
            self._overlay.hide()
            self._overlay.deleteLater()
        self._overlay = None

    def _place(self, widget: QWidget) -> None:
        overlay, window = self._overlay, widget.window()
        if overlay is None or not Shiboken.isValid(overlay):
            return
        rect = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
        if not isinstance(widget, QAbstractScrollArea):
            rect.adjust(-4, -4, 4, 4)
        for ancestor in self._watched[1:]:
            area = ancestor.parentWidget()
            if isinstance(area, QAbstractScrollArea) and ancestor is area.viewport():
                rect &= QRect(ancestor.mapTo(window, QPoint(0, 0)), ancestor.size())
        overlay.setGeometry(rect & window.rect())
        overlay.setVisible(not rect.isEmpty())
        overlay.raise_()


class _Overlay(QWidget):
    """The ring itself; the pointer goes through it."""

    def __init__(self, window: QWidget, look: Callable[[], Look]) -> None:
        super().__init__(window)
        self._look = look
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._look().color("accent"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)
        painter.end()
