"""The sizes of docks that the person set: kept through tabs, text scales and window sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot

from mvdesk.ui.theme import applied

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QDockWidget, QMainWindow

    from mvdesk.ui.workspaces import Column, WorkspaceSpec


class DockSizes(QObject):
    """Knows the sizes that were set with the lines between docks, and brings them back.

    Qt shares a window out anew whenever a dock comes, goes, or needs more room for a moment,
    and never gives back what it took.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._columns: tuple[Column, ...] = ()
        self._behind: dict[str, set[str]] = {}  # who may be in tabs behind whom
        self._set: dict[str, int] = {}
        self._pressed: dict[str, int] | None = None  # sizes when the mouse went down
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.bring_back)
        window.installEventFilter(self)

    @property
    def sizes(self) -> Mapping[str, int]:
        """What the person set: the width of a column by its first dock, heights of others."""
        return dict(self._set)

    def set_sizes(self, spec: WorkspaceSpec, sizes: Mapping[str, int]) -> None:
        """Keep the docks of a workspace at `sizes`; what is missing has its default."""
        columns = spec.columns
        self._behind = {stack[0]: set(stack[1:]) for stack in spec.stacks}
        for tab in spec.tabs:
            self._behind.setdefault(tab.front, set()).add(tab.behind)
        known = {column.docks[0] for column in columns if column.width is not None}
        known |= {name for column in columns for name in column.heights}
        self._columns = columns
        self._set = {name: size for name, size in sizes.items() if name in known}

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
        self._resize(self._widths(), Qt.Orientation.Horizontal)
        self._resize(self._heights(), Qt.Orientation.Vertical)
        if layout := window.layout():
            layout.activate()

    def _resize(self, sizes: Mapping[str, int], direction: Qt.Orientation) -> None:
        if sizes:
            docks = [self._docks[name] for name in sizes]
            self._window.resizeDocks(docks, list(sizes.values()), direction)

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
        """The sizes of now, under the names that they are kept by."""
        shown = self._widths()
        sizes = {
            column.docks[0]: self._docks[head].width()
            for column in self._columns
            if column.width is not None and (head := self._head(column)) in shown
        }
        for column in self._columns:
            stack = self._stack(column)
            if len(stack) > 1:
                sizes |= {n: self._docks[n].height() for n in stack if n in column.heights}
        return sizes

    # Across.

    def _widths(self) -> dict[str, int]:
        """Widths for the columns by a dock of each, the middle one at least its smallest."""
        heads = {name: c for c in self._columns if (name := self._head(c)) is not None}
        fixed = [name for name, column in heads.items() if column.width is not None]
        middle = next((name for name, column in heads.items() if column.width is None), None)
        wanted = {name: self._wanted_width(heads[name]) for name in fixed}
        beside = middle is not None and all(self._are_beside(name, middle) for name in fixed)
        if middle is None or not beside:
            in_row = len(fixed) > 1 and self._are_beside(fixed[0], fixed[1])
            return {fixed[0]: wanted[fixed[0]]} if in_row else {}
        across = Qt.Orientation.Horizontal
        whole = sum(self._docks[name].width() for name in (middle, *fixed))
        least = {name: self._least(name, across) for name in fixed}
        fitted = _fit(wanted, least, whole - self._least(middle, across))
        return fitted | {middle: whole - sum(fitted.values())}

    def _wanted_width(self, column: Column) -> int:
        return self._set.get(column.docks[0], column.width or 0)

    def _head(self, column: Column) -> str | None:
        """The dock that stands for a column: seen, and for one of a width in no other's tab."""
        own = {one for name in column.docks for one in (name, *self._behind.get(name, ()))}
        for name in column.docks:
            together = [name, *self._in_tabs_with(name)]
            if column.width is None or set(together) <= own:
                for seen in together:
                    if self._is_seen(seen):
                        return seen
        return None

    def _in_tabs_with(self, name: str) -> list[str]:
        tabs = self._window.tabifiedDockWidgets(self._docks[name])
        return [other for other, dock in self._docks.items() if dock in tabs]

    def _is_seen(self, name: str) -> bool:
        """Whether a dock is shown, in the window, and in front of its tabs."""
        dock = self._docks[name]
        # Qt moves those behind out of the window, to the upper left.
        return not dock.isHidden() and not dock.isFloating() and dock.geometry().right() >= 0

    # Downwards.

    def _heights(self) -> dict[str, int]:
        """Heights for the docks that share a column with others."""
        heights: dict[str, int] = {}
        down = Qt.Orientation.Vertical
        for column in self._columns:
            stack = self._stack(column)
            rest = [name for name in stack if name not in column.heights]
            if len(rest) != 1 or len(stack) == 1:
                continue
            fixed = [name for name in stack if name in column.heights]
            whole = sum(self._docks[name].height() for name in stack)
            wanted = {
                name: self._set.get(name, applied().px(column.heights[name])) for name in fixed
            }
            least = {name: self._least(name, down) for name in fixed}
            fitted = _fit(wanted, least, whole - self._least(rest[0], down))
            heights |= fitted | {rest[0]: whole - sum(fitted.values())}
        return heights

    def _stack(self, column: Column) -> list[str]:
        """The docks of a column that are shown above one another, in no tab."""
        seen = [name for name in column.docks if self._is_seen(name)]
        return [name for name in seen if self._docks[name].x() == self._docks[seen[0]].x()]

    def _least(self, name: str, direction: Qt.Orientation) -> int:
        size = self._docks[name].minimumSizeHint()
        return size.width() if direction == Qt.Orientation.Horizontal else size.height()

    def _are_beside(self, one: str, other: str) -> bool:
        a, b = self._docks[one].geometry(), self._docks[other].geometry()
        apart = a.right() < b.x() or b.right() < a.x()
        return apart and a.y() < b.bottom() and b.y() < a.bottom()


def _fit(wanted: Mapping[str, int], least: Mapping[str, int], room: int) -> dict[str, int]:
    """The sizes that were wanted, none below its least; all give way where room lacks."""
    sizes = {name: max(size, least[name]) for name, size in wanted.items()}
    lacking = sum(sizes.values()) - room
    spare = sum(size - least[name] for name, size in sizes.items())
    if lacking > 0 and spare > 0:
        share = min(lacking / spare, 1.0)
        sizes = {name: size - round((size - least[name]) * share) for name, size in sizes.items()}
    return sizes
