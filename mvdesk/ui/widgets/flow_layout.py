"""A layout that puts widgets in lines like words in a paragraph."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Lines of widgets, each at its preferred size, wrapping at the right edge."""

    def __init__(self, parent: QWidget | None = None, gap: int = 4) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._sizes: list[QSize] | None = None  # of those to be seen, None until asked for
        self._heights: dict[int, int] = {}  # by width
        self._gap = gap
        self.setContentsMargins(QMargins(0, 0, 0, 0))

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def invalidate(self) -> None:
        self._sizes = None
        self._heights.clear()
        super().invalidate()

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        height = self._heights.get(width)
        if height is None:
            height = self._arrange(QRect(0, 0, width, 0), move=False)
            self._heights[width] = height
        return height

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Lay the items out in `rect`; gives back the height they take."""
        area = rect.marginsRemoved(self.contentsMargins())
        x, y, line_height = area.x(), area.y(), 0
        shown = [item for item in self._items if not _is_hidden(item)]
        if self._sizes is None or len(self._sizes) != len(shown):
            self._sizes = [item.sizeHint() for item in shown]
        line: list[tuple[QLayoutItem, QRect]] = []
        for item, size in zip(shown, self._sizes, strict=True):
            width = min(size.width(), area.width())
            if x > area.x() and x + width > area.x() + area.width():
                _place(line, line_height, move=move)
                x, y, line_height = area.x(), y + line_height + self._gap, 0
            line.append((item, QRect(QPoint(x, y), QSize(width, size.height()))))
            x += width + self._gap
            line_height = max(line_height, size.height())
        _place(line, line_height, move=move)
        return y + line_height - rect.y() + self.contentsMargins().bottom()


def _place(line: list[tuple[QLayoutItem, QRect]], height: int, *, move: bool) -> None:
    """Put what stands in a line at the middle of its height, and begin another line."""
    if move:
        for item, spot in line:
            item.setGeometry(spot.translated(0, (height - spot.height()) // 2))
    line.clear()


def _is_hidden(item: QLayoutItem) -> bool:
    widget = item.widget()
    return widget is not None and widget.isHidden()
