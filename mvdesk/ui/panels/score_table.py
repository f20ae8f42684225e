"""The rows of a waterfall as a table: for the keyboard, and for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel

from mvdesk.ui.theme import applied, is_look_change
from mvdesk.ui.widgets.table_view import COMPACT_ROW_PX, TableView
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QContextMenuEvent
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.plots.waterfall_rows import Row

_COLUMNS: Final = (tr("Row"), tr("Change"), tr("Evidence"))
_WIDTHS: Final = {0: 148, 1: 72}
_HEADER_PX: Final = 33
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ScoreTable(TableView):
    """Shows every row, those at zero too, as high as its rows: the panel around it scrolls."""

    row_selected = Signal(str)
    row_activated = Signal(str)
    menu_requested = Signal(str, QPoint)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._names: list[str] = []
        self._model = QStandardItemModel(0, len(_COLUMNS), self)
        self._model.setHorizontalHeaderLabels(list(_COLUMNS))
        self._model.setHeaderData(
            1, Qt.Orientation.Horizontal, _RIGHT, Qt.ItemDataRole.TextAlignmentRole
        )
        self.setModel(self._model)
        self.setProperty("role", "plain")
        self.horizontalHeader().setSectionsClickable(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.set_column_widths(_WIDTHS, 2)
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.clicked.connect(self._on_clicked)
        self._fit()

    @property
    def current_name(self) -> str | None:
        """The name of the current row."""
        row = self.currentIndex().row()
        return self._names[row] if 0 <= row < len(self._names) else None

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows; the current one stays current where it is still there."""
        shown = [row for row in rows if row.kind not in ("group", "fold")]
        texts = [(row.label, row.value, row.hint) for row in shown]
        current = self.current_name
        self._have_rows(len(texts))
        for number, columns in enumerate(texts):
            for column, text in enumerate(columns):
                item = self._model.item(number, column)
                if item.text() != text:
                    item.setText(text)
                    item.setToolTip(text)
        self._names = [row.name for row in shown]
        self.set_selected(current)
        self._fit()

    def set_selected(self, name: str | None) -> None:
        """Make a row current. Never emits."""
        row = self._names.index(name) if name in self._names else -1
        selection = self.selectionModel()
        blocked = selection.blockSignals(True)
        if row < 0:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        else:
            self.selectRow(row)
        selection.blockSignals(blocked)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        name = self.current_name
        if name is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.row_activated.emit(name)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        by_mouse = event.reason() == event.Reason.Mouse
        row = index.row() if by_mouse else self.currentIndex().row()
        if 0 <= row < len(self._names):
            spot = self.visualRect(self._model.index(row, 0)).bottomLeft()
            where = event.globalPos() if by_mouse else self.viewport().mapToGlobal(spot)
            self.menu_requested.emit(self._names[row], where)
        else:
            event.ignore()  # the menu of what is around it

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._fit()

    def _have_rows(self, count: int) -> None:
        known = self._model.rowCount()
        self._model.setRowCount(count)
        for number in range(known, count):
            for column in range(len(_COLUMNS)):
                item = QStandardItem()
                item.setEditable(False)
                if column == 1:
                    item.setTextAlignment(_RIGHT)
                self._model.setItem(number, column, item)

    def _fit(self) -> None:
        look = applied()
        row = self.verticalHeader().defaultSectionSize() or look.px(COMPACT_ROW_PX)
        self.setFixedHeight(look.px(_HEADER_PX) + row * max(self._model.rowCount(), 1))

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, _current: QModelIndex, _before: QModelIndex) -> None:
        if (name := self.current_name) is not None:
            self.row_selected.emit(name)

    @Slot(QModelIndex)
    def _on_clicked(self, _index: QModelIndex) -> None:
        if (name := self.current_name) is not None:
            self.row_activated.emit(name)
