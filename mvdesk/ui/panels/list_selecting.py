"""The list's table and the session's selection, joined; groups are folded here, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QItemSelection, QModelIndex, QObject, Signal, Slot

if TYPE_CHECKING:
    from mvdesk.ui.models.memory_table import MemoryTableModel
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.selecting_table import SelectingTable
    from mvdesk.ui.widgets.selection_bar import SelectionBar


_MOST_DRAGGED: Final = 10_000


class ListSelecting(QObject):
    """Turns keys and clicks into a selection, and shows a selection from elsewhere."""

    folded = Signal()  # other groups are collapsed

    def __init__(
        self,
        session: VaultSession,
        table: SelectingTable,
        model: MemoryTableModel,
        bar: SelectionBar,
    ) -> None:
        super().__init__(table)
        self._session, self._table, self._model, self._bar = session, table, model, bar
        self._anchor: int | None = None  # the table row from which Shift selects
        self._is_choosing = False
        table.selection_asked.connect(self._on_selection_asked)
        table.all_asked.connect(self._on_all_asked)
        table.clear_asked.connect(self.clear)
        table.fold_asked.connect(self._on_fold_asked)
        table.set_dragged(self._dragged)
        table.clicked.connect(self._on_clicked)
        table.selectionModel().selectionChanged.connect(self._on_current_moved)
        bar.clear_requested.connect(self.clear)
        session.selection.changed.connect(self.show_marks)
        session.selection_changed.connect(self._on_session_selected)

    @Slot()
    def show_marks(self) -> None:
        """Paint which rows are selected, and say how many."""
        selection = self._session.selection
        self._model.set_selected(selection.marks)
        self._table.viewport().update()
        self.show_counts()

    def show_counts(self) -> None:
        """Say how many are selected, and how many of them the list doesn't show."""
        selection, session = self._session.selection, self._session
        hidden = 0
        if selection.is_many:
            hidden = selection.count - int(np.count_nonzero(selection.marks[session.order]))
        self._bar.set_counts(selection.count, hidden)
        self._bar.set_writable(not session.read_only_reason)

    @Slot()
    def clear(self) -> None:
        """Select the current memory alone."""
        row = self._session.selected_row if self._session.is_open else None
        self._session.selection.set_rows([] if row is None else [row])

    def show_current(self) -> int:
        """Make the selected memory the current row; gives back where it is, −1 for nowhere."""
        row = self._session.selected_row if self._session.is_open else None
        place = self._model.view_row(row)
        named = self._table.currentIndex().row()
        if place < 0 and row is not None and self._names_its_group(named, row):
            return place  # its group was collapsed by hand: the keyboard stays on the name
        self._table.select_row(place)
        return place

    def _names_its_group(self, place: int, row: int) -> bool:
        if not 0 <= place < self._model.rowCount():
            return False
        named = self._model.group_line(place)
        return named is not None and named[0] == self._model.group_of_table_row(row)

    # What the person does.

    @Slot(str, int)
    def _on_selection_asked(self, how: str, place: int) -> None:
        selection, model = self._session.selection, self._model
        if not 0 <= place < model.rowCount():
            return
        row = model.table_row(place)
        if row < 0:
            return
        if how == "only":
            selection.set_rows([row])
        elif how == "toggle":
            selection.toggle(row)
        elif how in ("range", "add"):
            start = model.view_row(self._anchor)
            rows = model.table_rows(start if start >= 0 else place, place)
            (selection.set_rows if how == "range" else selection.add_rows)(rows)
        if how in ("only", "toggle") or model.view_row(self._anchor) < 0:
            self._anchor = row
        self._make_current(place)
        if not selection.count:
            selection.set_rows([row])  # something always is

    @Slot()
    def _on_all_asked(self) -> None:
        self._session.selection.set_rows(self._session.order)

    def _dragged(self, place: int) -> list[str]:
        """What goes along with a row that is dragged: all that is selected, if it is."""
        memory_id = self._model.memory_id(place)
        if memory_id is None or self._session.read_only_reason:
            return []
        selection = self._session.selection
        if not self._model.is_selected(self._model.table_row(place)):
            return [memory_id]
        return selection.ids if selection.count <= _MOST_DRAGGED else []

    @Slot(QItemSelection, QItemSelection)
    def _on_current_moved(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        """The current row moved other than by a key or click in the table."""
        indexes = selected.indexes()
        if indexes and not self._table.is_asking and not self._is_choosing:
            self._make_current(indexes[0].row())

    def _make_current(self, place: int) -> None:
        memory_id = self._model.memory_id(place)
        if memory_id is None:
            return
        row = self._model.table_row(place)
        if not self._session.selection.marks[row] and not self._table.is_asking:
            self._anchor = row
        self._is_choosing = True
        try:
            self._session.selection.make_current(memory_id)
        finally:
            self._is_choosing = False

    @Slot(object)
    def _on_session_selected(self, _memory_id: str | None) -> None:
        """A memory selected elsewhere shows itself, also out of a collapsed group."""
        row = self._session.selected_row if self._session.is_open else None
        if row is None or self._is_choosing:
            return
        self._anchor = row
        name = self._model.group_of_table_row(row)
        if name is not None and name in self._model.collapsed:
            self.collapse(self._model.collapsed - {name})

    # Groups.

    def collapse_all(self) -> None:
        """Show only the names of the groups."""
        self.collapse(frozenset(self._model.group_names))

    def collapse(self, names: frozenset[str]) -> None:
        """Show only the names of these groups; the keyboard goes to one where its row went."""
        model, table = self._model, self._table
        current = model.group_of(table.currentIndex().row())
        if names != model.collapsed:
            model.set_collapsed(names)
            if not table.currentIndex().isValid() and current in model.group_names:
                self._go_to_group(current)
            self.folded.emit()

    def _go_to_group(self, name: str) -> None:
        place = self._model.group_row(self._model.group_names.index(name))
        self._table.setCurrentIndex(self._model.index(place, 0))

    @Slot(str, int)
    def _on_fold_asked(self, how: str, place: int) -> None:
        name = self._model.group_of(place)
        if name is None:
            return
        is_named = self._model.group_line(place) is not None
        if how == "close" and not is_named:
            self._go_to_group(name)  # first to its name, then shut
        elif how == "close":
            self.collapse(self._model.collapsed | {name})
        elif is_named and how == "open":
            self.collapse(self._model.collapsed - {name})
        elif is_named:
            self.collapse(self._model.collapsed ^ {name})

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._on_fold_asked("toggle", index.row())
