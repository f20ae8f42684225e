"""A table without grid, with fixed rows and a row under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QTableView,
    QToolTip,
)

from mvdesk.ui.theme import applied, is_look_change, paint_icon
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QAbstractItemDelegate, QWidget


class Span(NamedTuple):
    """Where a column is in the view, in px."""

    left: int
    width: int


ROW_PX: Final = 32
COMPACT_ROW_PX: Final = 26


class _Header(QHeaderView):
    """Column titles; an arrow beside the one that is sorted by, up when the smallest is on top.

    Qt's own indicator points down for that, and Fusion puts it far from the title.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.sort_column = -1
        self.sort_descending = False
        self.setHighlightSections(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSectionsClickable(True)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def set_sort(self, column: int, descending: bool) -> None:
        if (column, descending) == (self.sort_column, self.sort_descending):
            return
        self.sort_column, self.sort_descending = column, descending
        self.setAccessibleDescription(self._sorted_by())
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        """A title that has no room, and no other tip, is said when the pointer rests on it."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            column = self.logicalIndexAt(event.pos())
            role = Qt.ItemDataRole.ToolTipRole
            if column >= 0 and not self.model().headerData(column, self.orientation(), role):
                QToolTip.showText(event.globalPos(), self._title(column), self)
                return True
        return super().viewportEvent(event)

    def _title(self, column: int) -> str:
        model = self.model()
        return "" if model is None else str(model.headerData(column, self.orientation()) or "")

    def _is_right(self, column: int) -> bool:
        model, role = self.model(), Qt.ItemDataRole.TextAlignmentRole
        aligned = None if model is None else model.headerData(column, self.orientation(), role)
        return aligned is not None and bool(int(aligned) & Qt.AlignmentFlag.AlignRight.value)

    def _sorted_by(self) -> str:
        if self.sort_column < 0:
            return tr("not sorted")
        direction = tr("descending") if self.sort_descending else tr("ascending")
        return tr(
            "sorted by {title}, {direction}",
            title=self._title(self.sort_column),
            direction=direction,
        )

    def paintSection(self, painter: QPainter, rect: QRect, column: int) -> None:
        painter.save()
        super().paintSection(painter, rect, column)
        painter.restore()
        if column != self.sort_column:
            return
        look = applied()
        side = look.px(14)
        font = look.font("caption")
        font.setWeight(QFont.Weight.DemiBold)  # as the style sheet has it
        words = QFontMetrics(font).horizontalAdvance(self._title(column))
        if self._is_right(column):
            left = max(rect.right() - look.px(12 + 2) - words - side, rect.left())
        else:
            # The picture has air at its sides: a little of it may be cut off, not the gap.
            edge = rect.right() - side + look.px(3)
            left = min(rect.left() + look.px(12 + 4) + words, edge)
        spot = QRectF(left, rect.center().y() - side / 2 + 1, side, side)
        name = "chevron-down" if self.sort_descending else "chevron-up"
        paint_icon(painter, name, look.tokens.accent, spot)


class RowDelegate(QStyledItemDelegate):
    """Paints whole rows at once: cell by cell takes Qt and Python twice as long."""

    def paint_rows(
        self, painter: QPainter, view: TableView, rows: range, columns: Mapping[int, Span]
    ) -> None:
        """Paint `rows` of the view in the `columns` that can be seen, by left edge and width.

        The ground is there already.
        """
        raise NotImplementedError


class TableView(QTableView):
    """Shows a model whose owner sorts it: a click on a header asks, it doesn't sort."""

    sort_requested = Signal(int, bool)  # column, descending
    row_activated = Signal(int)  # Enter or a double click
    resized = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, *, compact: bool = False) -> None:
        """`name` is what screen readers call the table."""
        super().__init__(parent)
        self._row_px = COMPACT_ROW_PX if compact else ROW_PX
        self._hovered = -1
        self._keeps_current = False
        self._left_row = -1  # where the current row was, once it is in the table no more
        self._kept_y: int | None = None
        self._descending_first: frozenset[int] = frozenset()
        self._widths: dict[int, int] = {}
        self._row_delegate: RowDelegate | None = None
        self.setAccessibleName(name)
        self._header = _Header(self)
        self.setHorizontalHeader(self._header)
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._header.sectionClicked.connect(self._on_header_clicked)
        self.activated.connect(self._on_activated)
        self._restyle()

    @property
    def hovered_row(self) -> int:
        """The row under the pointer, -1 for none. Delegates tint it."""
        return self._hovered

    def setModel(self, model: QAbstractItemModel | None) -> None:
        if old := self.model():
            old.layoutAboutToBeChanged.disconnect(self._on_layout_about_to_change)
            old.layoutChanged.disconnect(self._on_layout_changed)
            old.modelAboutToBeReset.disconnect(self._on_about_to_reset)
        self._left_row = -1
        super().setModel(model)
        if model is not None:
            # After the view's own: when ours runs, the view knows where rows are now.
            model.layoutAboutToBeChanged.connect(self._on_layout_about_to_change)
            model.layoutChanged.connect(self._on_layout_changed)
            model.modelAboutToBeReset.connect(self._on_about_to_reset)

    def set_column_widths(self, widths: dict[int, int], stretch: int) -> None:
        """Widths in px at scale 1, by column; `stretch` takes what is left, −1 for none."""
        self._widths = dict(widths)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        if stretch >= 0:
            header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        self._restyle()

    def note_column_widths(self, widths: dict[int, int]) -> None:
        """Widths, as for `set_column_widths`, that the columns have already."""
        self._widths = dict(widths)

    def set_compact(self, is_compact: bool) -> None:
        """Lower rows, or the usual ones."""
        self._row_px = COMPACT_ROW_PX if is_compact else ROW_PX
        self._restyle()

    def set_sort(self, column: int, descending: bool) -> None:
        """Show by which column the owner sorts; -1 for none. Never emits."""
        self._header.set_sort(column, descending)

    def set_descending_first(self, columns: frozenset[int]) -> None:
        """Columns whose first click asks for the largest values on top."""
        self._descending_first = columns

    def set_keeps_current(self, keeps: bool) -> None:
        """Whether the current row stays where it is on screen when the order moves under it."""
        self._keeps_current = keeps

    def select_row(self, row: int) -> None:
        """Select a row from outside and bring it into view; -1 selects none."""
        model = self.model()
        if model is None or not 0 <= row < model.rowCount():
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        elif self.currentIndex().row() != row or not self.selectionModel().hasSelection():
            self.setCurrentIndex(model.index(row, max(self.currentIndex().column(), 0)))

    def current_y(self) -> int | None:
        """Where the current row is in the viewport, in px; None when it is out of view."""
        current = self.currentIndex()
        if not current.isValid():
            return None
        rect = self.visualRect(current)
        return rect.top() if rect.intersects(self.viewport().rect()) else None

    def put_current(self, y: int | None = None) -> None:
        """Scroll until the current row is in view, at `y` as far as that is possible."""
        current = self.currentIndex()
        if not current.isValid():
            return
        self.doItemsLayout()
        if y is not None:
            top = self.verticalHeader().sectionPosition(current.row())
            self.verticalScrollBar().setValue(top - y)
        self.scrollTo(current)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End are the first and the last row: cells of a row are no stops here.

        From a row that went away it goes on where that one was.
        """
        model, actions = self.model(), QAbstractItemView.CursorAction
        if model is not None and self._left_row >= 0 and not self.currentIndex().isValid():
            if action in (actions.MoveDown, actions.MovePageDown):
                return model.index(min(self._left_row, model.rowCount() - 1), 0)
            if action in (actions.MoveUp, actions.MovePageUp):
                return model.index(min(max(self._left_row - 1, 0), model.rowCount() - 1), 0)
        if model is None or action not in (actions.MoveHome, actions.MoveEnd):
            return super().moveCursor(action, modifiers)
        row = 0 if action == actions.MoveHome else model.rowCount() - 1
        return model.index(row, max(self.currentIndex().column(), 0))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The current row stays in view when the table gets lower, if it was."""
        current = self.currentIndex()
        before = QRect(QPoint(0, 0), event.oldSize())  # the viewport has its new size by now
        seen = current.isValid() and before.intersects(self.visualRect(current))
        super().resizeEvent(event)
        if seen and event.size().height() < event.oldSize().height():
            self.scrollTo(current)
        self.resized.emit()

    def setItemDelegate(self, delegate: QAbstractItemDelegate) -> None:
        super().setItemDelegate(delegate)
        self._row_delegate = delegate if isinstance(delegate, RowDelegate) else None
        # Nothing behind such rows needs to be painted first.
        opaque = Qt.WidgetAttribute.WA_OpaquePaintEvent
        self.viewport().setAttribute(opaque, self._row_delegate is not None)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._row_delegate is None:
            super().paintEvent(event)
            return
        self.executeDelayedItemsLayout()
        area = event.region().boundingRect()
        painter = QPainter(self.viewport())
        painter.setClipRegion(event.region())
        painter.fillRect(area, applied().color("surface"))
        rows = self._rows_in(area.top(), area.bottom())
        if rows:
            self._row_delegate.paint_rows(painter, self, rows, self._spans_in(area))
        painter.end()

    def _rows_in(self, top: int, bottom: int) -> range:
        first, last = self.rowAt(top), self.rowAt(bottom)
        model = self.model()
        if first < 0 or model is None:
            return range(0)
        return range(first, last + 1 if last >= 0 else model.rowCount())

    def _spans_in(self, area: QRect) -> dict[int, Span]:
        spans = {}
        for column in range(self._header.count()):
            left, width = self.columnViewportPosition(column), self.columnWidth(column)
            if width and left <= area.right() and left + width > area.left():
                spans[column] = Span(left, width)
        return spans

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.rowAt(round(event.position().y())))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)
        super().leaveEvent(event)

    def _hover(self, row: int) -> None:
        if row == self._hovered:
            return
        for changed in (self._hovered, row):
            if changed >= 0:
                y = self.rowViewportPosition(changed)
                self.viewport().update(0, y, self.viewport().width(), self.rowHeight(changed))
        self._hovered = row

    def _restyle(self) -> None:
        look = applied()
        self.verticalHeader().setMinimumSectionSize(look.px(self._row_px))
        self.verticalHeader().setDefaultSectionSize(look.px(self._row_px))
        for column, width in self._widths.items():
            self.setColumnWidth(column, look.px(width))

    def _on_header_clicked(self, column: int) -> None:
        if column == self._header.sort_column:
            descending = not self._header.sort_descending
        else:
            descending = column in self._descending_first
        self.sort_requested.emit(column, descending)

    def _on_activated(self, index: QModelIndex | QPersistentModelIndex) -> None:
        self.row_activated.emit(index.row())

    def _on_about_to_reset(self) -> None:
        if (current := self.currentIndex()).isValid():
            self._left_row = current.row()

    def _on_layout_about_to_change(self) -> None:
        self._kept_y = self.current_y() if self._keeps_current else None
        self._left_row = -1  # another order or choice: that place means nothing in it

    def _on_layout_changed(self) -> None:
        if self._kept_y is not None:
            self.put_current(self._kept_y)
