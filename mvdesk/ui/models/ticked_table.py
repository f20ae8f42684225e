"""Rows with ticks whose cells are made when asked for: a hundred thousand of them cost nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal

from mvdesk.ui.models.titled_table import ModelIndex, TitledTableModel
from mvdesk.ui.theme import applied
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QObject

    from mvdesk.arrays import BoolArray

TICK_COLUMN: Final = 0


@dataclass(frozen=True, slots=True)
class TickedColumn:
    """A column behind the ticks: its title, the text of a place, and what it is sorted by.

    `sorted_by` gives a value for every place; None for a column that can't be sorted.
    """

    title: str
    text: Callable[[int], str]
    sorted_by: Callable[[], np.ndarray] | None = None
    tone: Callable[[int], str] | None = None


class TickedTableModel(TitledTableModel):
    """Shows `count` places under columns, in an order of its own; keeps which are ticked."""

    ticks_changed = Signal()

    def __init__(self, titles: Sequence[str], numbers: frozenset[int], parent: QObject) -> None:
        """`titles` name the columns behind the tick; `numbers` are set to the right."""
        super().__init__(("", *titles), numbers, parent)
        self._columns: tuple[TickedColumn, ...] = ()
        self._order = np.empty(0, dtype=np.intp)
        self._ticked: BoolArray = np.empty(0, dtype=np.bool_)

    # In

    def set_columns(self, columns: Sequence[TickedColumn], ticked: BoolArray) -> None:
        """Show other places, in the order they come; `ticked` says which start with a tick."""
        self.beginResetModel()
        self._columns = tuple(columns)
        self._order = np.arange(len(ticked))
        self._ticked = ticked.copy()
        self.endResetModel()

    def change_columns(self, columns: Sequence[TickedColumn]) -> None:
        """Show the same places with other texts: order and ticks stay as they are."""
        self._columns = tuple(columns)
        if len(self._order):
            last = self.index(len(self._order) - 1, len(self._columns))
            self.dataChanged.emit(self.index(0, TICK_COLUMN), last)

    def sort_by(self, column: int, descending: bool) -> None:
        """Sort by a column; places that are equal stay in the order they came."""
        values = self._ticked if column == TICK_COLUMN else None
        if column > TICK_COLUMN and column <= len(self._columns):
            sorted_by = self._columns[column - 1].sorted_by
            values = None if sorted_by is None else sorted_by()
        if values is None:
            return
        self.layoutAboutToBeChanged.emit()
        before = self._order
        if descending:
            count = len(values)
            self._order = count - 1 - np.argsort(values[::-1], kind="stable")[::-1]
        else:
            self._order = np.argsort(values, kind="stable")
        self._move_persistent(before)
        self.layoutChanged.emit()

    def set_ticked(self, ticked: BoolArray) -> None:
        """Tick these places and no other."""
        self._ticked = ticked.copy()
        self._tell()

    def toggle(self, row: int) -> None:
        """Tick a row, or take its tick away."""
        if 0 <= row < len(self._order):
            place = self._order[row]
            self._ticked[place] = not self._ticked[place]
            self._tell()

    # Out

    @property
    def ticked(self) -> BoolArray:
        """Which places are ticked."""
        return self._ticked.copy()

    def place_of(self, row: int) -> int:
        """The place that a row shows."""
        return int(self._order[row])

    def _tell(self) -> None:
        if len(self._order):
            last = self.index(len(self._order) - 1, TICK_COLUMN)
            self.dataChanged.emit(self.index(0, TICK_COLUMN), last)
        self.ticks_changed.emit()

    def _move_persistent(self, before: np.ndarray) -> None:
        rows = np.empty(len(self._order), dtype=np.intp)
        rows[self._order] = np.arange(len(self._order))
        for index in self.persistentIndexList():
            moved = int(rows[before[index.row()]])
            self.changePersistentIndex(index, self.index(moved, index.column()))

    # Qt's

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._order)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            title = super().headerData(section, orientation)
            return tr("Ticked") if title == "" else title
        return super().headerData(section, orientation, role)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._order):
            return None
        place, column = int(self._order[index.row()]), index.column()
        if column == TICK_COLUMN:
            return self._tick_data(place, role)
        shown = self._columns[column - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return shown.text(place)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(place)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side(column)
        if role == Qt.ItemDataRole.ForegroundRole:
            tone = "" if shown.tone is None else shown.tone(place)
            return applied().color(tone) if tone else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._titles[column]}: {shown.text(place)}"
        return None

    def _tip(self, place: int) -> str:
        """All of a row: narrow tables don't show every column."""
        head, *rest = self._columns
        told = [f"{column.title}: {text}" for column in rest if (text := column.text(place))]
        return "\n".join((head.text(place), *told))

    def _tick_data(self, place: int, role: int) -> object:
        is_ticked = bool(self._ticked[place])
        if role == Qt.ItemDataRole.UserRole:
            return is_ticked
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("ticked") if is_ticked else tr("not ticked")
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr("Space ticks it, or takes the tick away")
        return None
