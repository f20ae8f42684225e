"""A small table whose rows have keys: fed with texts, says which row the person goes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, Qt, Signal, Slot

from mvdesk.ui.models.plain_rows import PlainRow, PlainRowsModel
from mvdesk.ui.theme import applied, is_look_change
from mvdesk.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

_CELL_PX: Final = 28
"""What a cell keeps free beside its text."""
_MEASURED: Final = 8
"""So many texts of a column are measured."""


class KeyedTable(TableView):
    """Shows PlainRows. The current row follows its key, whatever moves around it."""

    key_selected = Signal(str)  # the person made it the current row
    key_activated = Signal(str)  # Enter or a double click

    def __init__(
        self,
        name: str,
        titles: Sequence[str],
        *,
        widths: Mapping[int, int],
        stretch: int,
        numbers: frozenset[int] = frozenset(),
        least: Mapping[int, int] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`widths` in px at scale 1 by column, `stretch` takes the rest.

        `least` says from which width of the table, in px at scale 1, a column is shown.
        """
        super().__init__(name, parent, compact=True)
        self._keyed = PlainRowsModel(titles, numbers, self)
        self._least = dict(least or {})
        self._numbers = numbers
        self._wanted: str | None = None  # the key to be current, also while it isn't there
        self._is_telling = True
        self.setModel(self._keyed)
        self.setProperty("role", "keyed")
        self.horizontalHeader().setSectionsClickable(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.set_column_widths(dict(widths), stretch)
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self.row_activated.connect(self._on_row_activated)

    # In

    def set_rows(self, rows: Sequence[PlainRow]) -> None:
        """Show other rows. Never emits."""
        self._is_telling = False
        scrolled = self.verticalScrollBar().value()
        if self._keyed.set_rows(rows):
            self._show_wanted()
            self.verticalScrollBar().setValue(scrolled)  # nothing jumps while a slider moves
        self._is_telling = True
        self._fit_numbers()

    def set_titles(self, titles: Sequence[str]) -> None:
        """Name the columns anew."""
        self._keyed.set_titles(titles)

    def set_current(self, key: str | None) -> None:
        """Make a key's row current, now or once it is shown. Never emits."""
        self._wanted = key
        self._is_telling = False
        self._show_wanted()
        self._is_telling = True

    # Out

    @property
    def rows(self) -> tuple[PlainRow, ...]:
        return self._keyed.rows

    @property
    def current_key(self) -> str | None:
        """The key of the current row."""
        row = self.currentIndex().row()
        return self._keyed.rows[row].key if 0 <= row < len(self._keyed.rows) else None

    def _show_wanted(self) -> None:
        self.select_row(self._keyed.row_of(self._wanted))

    def _fit(self) -> None:
        width = self.width() / applied().scale
        for column, least in self._least.items():
            self.setColumnHidden(column, width < least)

    def _fit_numbers(self) -> None:
        """Numbers are never cut off: their columns get wider, and stay so."""
        metrics, room = self.fontMetrics(), applied().px(_CELL_PX)
        for column in self._numbers:
            if self.isColumnHidden(column):
                continue
            # Figures are equally wide: only the longest texts can be the widest.
            texts = sorted({row.texts[column] for row in self._keyed.rows}, key=len)[-_MEASURED:]
            widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
            if widest + room > self.columnWidth(column):
                self.setColumnWidth(column, widest + room)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, _current: QModelIndex, _before: QModelIndex) -> None:
        key = self.current_key
        if self._is_telling and key is not None:
            self._wanted = key
            self.key_selected.emit(key)

    @Slot(int)
    def _on_row_activated(self, row: int) -> None:
        if 0 <= row < len(self._keyed.rows):
            self.key_activated.emit(self._keyed.rows[row].key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = self.current_key
        if key is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.key_activated.emit(key)
        elif self.current_key is None and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            if self._keyed.rows:
                flags = QItemSelectionModel.SelectionFlag
                first = self._keyed.index(0, 0)
                self.selectionModel().setCurrentIndex(first, flags.ClearAndSelect | flags.Rows)
        elif event.text().isalpha():
            event.ignore()  # single letters are keys of the panel around, not a search
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._fit_numbers()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._fit()
            self._fit_numbers()
