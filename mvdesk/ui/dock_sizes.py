"""The sizes of docks that the person set: kept through tabs, text scales and window sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot

from mvdesk.ui.theme import applied

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QDockWidget, QMainWindow

DEFAULT_SIZES: Final[Mapping[str, int]] = {
    "memories": 480,  # the list has room for title, type, source and both scores
    "explain": 460,
    "sources": 232,
    "graph": 300,
}
"""Widths of the columns at the sides, heights of what is below; the editor takes the rest."""

_WIDTHS: Final = ("memories", "explain")
_ABOVE: Final = {"sources": "memories", "graph": "editor"}


class DockSizes(QObject):
    """Knows the sizes that were set with the lines between docks, and brings them back.

    Qt shares a window out anew whenever a dock comes, goes, or needs more room for a moment,
    and never gives back what it took.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._set: dict[str, int] = {}
        self._pressed: dict[str, int] | None = None  # sizes when the mouse went down
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.bring_back)
        window.installEventFilter(self)

    @property
    def sizes(self) -> Mapping[str, int]:
        """What the person set: widths of "memories" and "explain", heights of the others."""
        return dict(self._set)

    def set_sizes(self, sizes: Mapping[str, int]) -> None:
        """Take sizes of an earlier start; what is missing has its default."""
        self._set = {name: size for name, size in sizes.items() if name in DEFAULT_SIZES}

    def _wanted(self, name: str) -> int:
        """A size in px. Default heights grow with the text; the window is only so wide."""
        usual = DEFAULT_SIZES[name]
        return self._set.get(name, usual if name in _WIDTHS else applied().px(usual))

    def bring_back_soon(self) -> None:
        """Once Qt has laid the window out."""
        self._soon.start()

    @Slot()
    def bring_back(self) -> None:
        """Give every dock the size that was set, as far as there is room."""
        window = self._window
        for dock in self._docks.values():
            # A dock that was behind another one still has the smallest size of another text.
            if layout := dock.layout():
                layout.invalidate()
                layout.activate()
        if layout := window.layout():
            layout.activate()
        columns = self._columns()
        if columns:
            names = list(columns)
            docks = [self._docks[name] for name in names]
            window.resizeDocks(docks, list(columns.values()), Qt.Orientation.Horizontal)
        heights: dict[str, int] = {}
        for name, above in _ABOVE.items():
            if self._is_below(name):
                both = self._docks[name].height() + self._docks[above].height()
                lower = min(self._wanted(name), both - self._least(above, Qt.Orientation.Vertical))
                heights |= {name: lower, above: both - lower}
        if heights:
            docks = [self._docks[name] for name in heights]
            window.resizeDocks(docks, list(heights.values()), Qt.Orientation.Vertical)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The lines between docks are the window's own: no other widget gets these events.
        kind = event.type()
        if kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            left = cast("QMouseEvent", event).button() == Qt.MouseButton.LeftButton
            if left and kind == QEvent.Type.MouseButtonPress:
                self._pressed = self._sizes()
            elif left and self._pressed is not None:
                before, self._pressed = self._pressed, None
                after = self._sizes()
                self._set |= {
                    name: size for name, size in after.items() if size != before.get(name)
                }
        elif kind == QEvent.Type.Resize:
            self.bring_back_soon()
        return super().eventFilter(watched, event)

    def _sizes(self) -> dict[str, int]:
        sizes = {name: self._docks[name].width() for name in self._columns() if name in _WIDTHS}
        heights = {name: self._docks[name].height() for name in _ABOVE if self._is_below(name)}
        return sizes | heights

    def _columns(self) -> dict[str, int]:
        """Widths for the columns, the middle one at least its smallest."""
        editor = self._docks["editor"]
        shown = [name for name in _WIDTHS if self._stands_alone(name)]
        beside = [name for name in shown if _are_beside(self._docks[name], editor)]
        if editor.isHidden() or beside != shown:
            shown = shown[:1] if len(shown) > 1 and self._are_a_row(shown) else []
            return {name: self._wanted(name) for name in shown}
        least = {name: self._least(name, Qt.Orientation.Horizontal) for name in shown}
        whole = sum(self._docks[name].width() for name in ("editor", *shown))
        room = whole - self._least("editor", Qt.Orientation.Horizontal)
        wanted = {name: max(self._wanted(name), least[name]) for name in shown}
        lacking = sum(wanted.values()) - room
        spare = sum(wanted[name] - least[name] for name in shown)
        if lacking > 0 and spare > 0:
            share = min(lacking / spare, 1.0)
            wanted = {
                name: wanted[name] - round((wanted[name] - least[name]) * share) for name in shown
            }
        return wanted | {"editor": whole - sum(wanted.values())}

    def _least(self, name: str, direction: Qt.Orientation) -> int:
        size = self._docks[name].minimumSizeHint()
        return size.width() if direction == Qt.Orientation.Horizontal else size.height()

    def _are_a_row(self, names: list[str]) -> bool:
        one, other = (self._docks[name] for name in names)
        return _are_beside(one, other)

    def _stands_alone(self, name: str) -> bool:
        """Whether a dock is shown, in the window, and in no tab."""
        dock = self._docks[name]
        in_window = not dock.isHidden() and not dock.isFloating()
        return in_window and (name == "memories" or not self._window.tabifiedDockWidgets(dock))

    def _is_below(self, name: str) -> bool:
        dock, above = self._docks[name], self._docks[_ABOVE[name]]
        both = not dock.isHidden() and not above.isHidden() and not dock.isFloating()
        in_tab = bool(self._window.tabifiedDockWidgets(dock))
        return both and not in_tab and dock.x() == above.x() and dock.y() > above.y()


def _are_beside(one: QDockWidget, other: QDockWidget) -> bool:
    apart = one.geometry().right() < other.x() or other.geometry().right() < one.x()
    return apart and one.y() < other.geometry().bottom() and other.y() < one.geometry().bottom()
