"""The memory list as a Qt table model: arrays in, cells out, nothing copied."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from mvdesk.ui.models.list_cells import ListCells
from mvdesk.ui.models.list_columns import (
    COLUMN_TITLES,
    COLUMNS,
    NUMBER_COLUMNS,
    SCORE_COLUMNS,
    Column,
)
from mvdesk.ui.models.list_columns import SORT_KEYS as SORT_KEYS
from mvdesk.ui.models.list_lines import NO_LINES, group_at, make_lines
from mvdesk.ui.moments import format_moment
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from mvdesk.arrays import (
        BoolArray,
        FloatArray,
        Int32Array,
        IntArray,
        MemoryTable,
        SourceTable,
    )
    from mvdesk.scoring.engine import Scores
    from mvdesk.ui.models.list_lines import ListGroups

ModelIndex = QModelIndex | QPersistentModelIndex

MEMORY_ID_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The memory's id."""
SCORE_ROLE: Final = Qt.ItemDataRole.UserRole + 2
"""The score of a score column as a float; `None` elsewhere."""
GHOST_ROLE: Final = Qt.ItemDataRole.UserRole + 3
"""The stored score where the preview shows another one; `None` elsewhere."""
ARCHIVED_ROLE: Final = Qt.ItemDataRole.UserRole + 4
"""Whether the memory is archived."""
SELECTED_ROLE: Final = Qt.ItemDataRole.UserRole + 5
"""Whether the memory is among those selected."""

_COLUMNS: Final = tuple(Column)
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_WITH_HINT: Final = "QList<QPersistentModelIndex>,QAbstractItemModel::LayoutChangeHint"
_ROWS_MOVE: Final = QAbstractTableModel.LayoutChangeHint.VerticalSortHint


class MemoryTableModel(QAbstractTableModel):
    """The memory list: rows of a MemoryTable, in the order the session decided."""

    order_set = Signal()  # after set_order, when views know the new rows

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_split = False
        self._cells = ListCells()
        self._order: IntArray = NO_LINES
        self._groups: ListGroups | None = None
        self._collapsed: frozenset[str] = frozenset()
        self._lines: IntArray = NO_LINES  # view row -> table row, or −1 − group
        self._selected: BoolArray = np.zeros(0, dtype=np.bool_)
        self.has_selected = False
        self._unsaved: frozenset[int] = frozenset()  # rows of the table

    def set_table(
        self,
        memories: MemoryTable,
        sources: SourceTable,
        order: IntArray,
        links: Int32Array | None = None,
        groups: ListGroups | None = None,
    ) -> None:
        """Show other memories. `order` picks and sorts rows of `memories`, in `groups` if any.

        `links` are the links of each memory. Scores, trust, the moment and what is selected
        are not known until they are set.
        """
        self.beginResetModel()
        self._cells, self._order = ListCells(memories, sources, links), order
        self._groups = groups
        self._lines = make_lines(order, groups, self._collapsed)
        self._selected = np.zeros(len(memories), dtype=np.bool_)
        self.has_selected = False
        self._unsaved = frozenset()
        self.endResetModel()

    def set_moment(self, now: int, trust: FloatArray | None) -> None:
        """Say for which moment idle days are counted, and the trust of each memory's source.

        Trust is NaN where none is set; None shows no trust at all. Goes before `set_scores`,
        which makes views paint.
        """
        self._cells = replace(self._cells, now=now, trust=trust)

    def set_split(self, *, on: bool) -> None:
        """Show the score before the preview below each one that it moves."""
        if on != self.is_split:
            self.is_split = on
            if len(self._lines):
                last = self.index(len(self._lines) - 1, self.columnCount() - 1)
                self.dataChanged.emit(self.index(0, 0), last)

    def set_unsaved(self, rows: frozenset[int]) -> None:
        """Mark the memories in these rows of the table as having unsaved typing."""
        changed, self._unsaved = rows ^ self._unsaved, rows
        for row in changed:
            if (place := self.view_row(row)) >= 0:
                cell = self.index(place, Column.TITLE)
                self.dataChanged.emit(cell, cell)

    def set_scores(self, scores: Scores, committed: Scores | None = None) -> None:
        """Show scores of every row of the table; `committed` are the stored ones in a preview."""
        if len(scores) != len(self._cells.table):
            raise ValueError(f"{len(scores)} scores for {len(self._cells.table)} memories")
        self._cells = replace(self._cells, scores=scores, committed=committed)
        if len(self._lines):
            first = self.index(0, Column.CONFIDENCE)
            last = self.index(len(self._lines) - 1, Column.CUT_IMPORTANCE)
            self.dataChanged.emit(first, last)

    def set_selected(self, marks: BoolArray) -> None:
        """Mark rows of the table as selected; views are told by their owner to paint."""
        self._selected = marks
        self.has_selected = bool(marks.any())

    def set_collapsed(self, names: frozenset[str]) -> None:
        """Show only the names of these groups, not their members."""
        self._collapsed = names
        self.set_order(self._order, self._groups)

    def set_order(self, order: IntArray, groups: ListGroups | None = None) -> None:
        """Show the memories in another order, or others of the same table.

        The current memory stays so while it is in `order` and its group isn't collapsed.
        """
        # Said to be about rows: the header would paint itself anew for each new order.
        _emit_of_rows(self.layoutAboutToBeChanged)
        old = self.persistentIndexList()
        rows = [int(self._lines[index.row()]) for index in old]
        names = self._groups.names if self._groups is not None else ()
        self._order, self._groups = order, groups
        self._lines = make_lines(order, groups, self._collapsed)
        if old:
            # The few cells of the current row: looked up one row at a time.
            places = {row: self._place_again(row, names) for row in set(rows)}
            new = [
                self.index(places[row], index.column()) if places[row] >= 0 else QModelIndex()
                for row, index in zip(rows, old, strict=True)
            ]
            self.changePersistentIndexList(old, new)
        _emit_of_rows(self.layoutChanged)
        self.order_set.emit()

    def _place_again(self, line: int, names: tuple[str, ...]) -> int:
        """Where what a line showed is now; `names` are the groups of then."""
        if line >= 0:
            return self.view_row(line)
        now = self._groups.names if self._groups is not None else ()
        name = names[-1 - line]
        return self.group_row(now.index(name)) if name in now else -1

    def table_row(self, view_row: int) -> int:
        """The row of the memory table that is shown in a row of the view, < 0 for a group."""
        return int(self._lines[view_row])

    def table_rows(self, first: int, last: int) -> IntArray:
        """The rows of the memory table that are shown from one row of the view to another."""
        low, high = sorted((first, last))
        lines = self._lines[max(low, 0) : high + 1]
        return lines[lines >= 0]

    def view_row(self, table_row: int | None) -> int:
        """Where a row of the memory table is shown, -1 when it isn't."""
        if table_row is None:
            return -1
        found = np.flatnonzero(self._lines == table_row)
        return int(found[0]) if len(found) else -1

    # Groups.

    @property
    def collapsed(self) -> frozenset[str]:
        """The names of the groups whose members aren't shown."""
        return self._collapsed

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups from top to bottom; none when the list isn't grouped."""
        return () if self._groups is None else self._groups.names

    def group_of(self, view_row: int) -> str | None:
        """The group that a row of the view belongs to, or names; None without groups."""
        if self._groups is None or not 0 <= view_row < len(self._lines):
            return None
        return self._groups.names[group_at(self._lines, view_row)]

    def group_of_table_row(self, table_row: int) -> str | None:
        """The group of a memory, shown or collapsed; None when it isn't in the list."""
        if self._groups is None:
            return None
        found = np.flatnonzero(self._order == table_row)
        if not len(found):
            return None
        at = int(np.searchsorted(self._groups.starts, found[0], side="right")) - 1
        return self._groups.names[at]

    def group_row(self, group: int) -> int:
        """Where a group is named, in rows of the view."""
        found = np.flatnonzero(self._lines == -1 - group)
        return int(found[0]) if len(found) else -1

    def group_line(self, view_row: int) -> tuple[str, int, bool] | None:
        """Name, number of members and whether they are shown; None for a memory's row."""
        line = int(self._lines[view_row])
        if line >= 0 or self._groups is None:
            return None
        name = self._groups.names[-1 - line]
        return name, int(self._groups.counts[-1 - line]), name not in self._collapsed

    def memory_id(self, view_row: int) -> str | None:
        """The id of the memory in a row of the view; `None` outside the list."""
        if not 0 <= view_row < len(self._lines) or self._lines[view_row] < 0:
            return None
        return self._cells.table.ids[self.table_row(view_row)]

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(COLUMN_TITLES)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMN_TITLES):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMN_TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in NUMBER_COLUMNS else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return COLUMNS[section].help
        return None

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._lines):
            return None
        row, column = int(self._lines[index.row()]), _COLUMNS[index.column()]
        if row < 0:
            return self._group_data(index.row(), column, role)
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == MEMORY_ID_ROLE:
            return self._cells.table.ids[row]
        if role == SCORE_ROLE:
            return self.score(row, column) if column in SCORE_COLUMNS else None
        if role == GHOST_ROLE:
            return self.ghost(row, column)
        if role == ARCHIVED_ROLE:
            return self.is_archived(row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in SCORE_COLUMNS | NUMBER_COLUMNS else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tool_tip(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{COLUMN_TITLES[column]}: {self._tool_tip(row, column)}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return tr("selected") if self.is_selected(row) else ""
        return self.is_selected(row) if role == SELECTED_ROLE else None

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        if not index.isValid() or index.row() >= len(self._lines):
            return Qt.ItemFlag.NoItemFlags
        if self._lines[index.row()] < 0:
            return Qt.ItemFlag.ItemIsEnabled
        drags = Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled
        return super().flags(index) | drags

    def _group_data(self, view_row: int, column: Column, role: int) -> object:
        named = self.group_line(view_row)
        if column != Column.TITLE or named is None:
            return None
        name, count, is_open = named
        counted = tr_n("1 memory", "{count:,} memories", count, count=count)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return f"{name}, {counted}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr(
                "Group {name}, {counted}, {what}",
                name=name,
                counted=counted,
                what=tr("expanded") if is_open else tr("collapsed"),
            )
        return None

    def is_selected(self, row: int) -> bool:
        """Whether a row of the table is marked as selected."""
        return row < len(self._selected) and bool(self._selected[row])

    # What the delegate reads: plain values by table row, without going through roles.

    @property
    def cells(self) -> ListCells:
        """What all cells are made of, as it is now."""
        return self._cells

    def text(self, row: int, column: int) -> str:
        """A cell as text."""
        return self._cells.text(row, column)

    def number(self, row: int, column: int) -> float:
        """A cell of a number column as a number, NaN for an empty one."""
        return self._cells.number(row, column)

    def score(self, row: int, column: int) -> float:
        """The score shown in a score column; NaN before scores were set."""
        return self._cells.score(row, column)

    def ghost(self, row: int, column: int) -> float | None:
        """The stored score where the preview differs from it, else `None`."""
        return self._cells.ghost(row, column)

    def is_archived(self, row: int) -> bool:
        """Whether the memory is archived."""
        return self._cells.is_archived(row)

    def is_unsaved(self, row: int) -> bool:
        """Whether something was typed in the memory that isn't in the vault yet."""
        return row in self._unsaved

    def _tool_tip(self, row: int, column: Column) -> str:
        said = self.text(row, column)
        if column == Column.SOURCE:
            return said or tr("no source")
        if column == Column.UPDATED:
            return format_moment(int(self._cells.table.updated_at[row]))
        if column == Column.CREATED:
            return format_moment(int(self._cells.table.created_at[row]))
        if column == Column.TITLE:
            said += " (archived)" if self.is_archived(row) else ""
            return tr("{said} (unsaved typing)", said=said) if self.is_unsaved(row) else said
        if column not in SCORE_COLUMNS:
            return said or tr("empty")
        ghost = self.ghost(row, column)
        return (
            said
            if ghost is None
            else tr("{said}, {ghost:.3f} before the preview", said=said, ghost=ghost)
        )


def _emit_of_rows(signal: Any) -> None:  # noqa: ANN401  the stubs know no overloads
    signal[_WITH_HINT].emit([], _ROWS_MOVE)
