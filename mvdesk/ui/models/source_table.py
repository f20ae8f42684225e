"""The table of sources as a Qt table model: arrays in, cells out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from mvdesk.ui.models.source_columns import EXPLAINED, TITLES, SourceColumn, SourceColumns
from mvdesk.ui.moments import format_day, format_moment
from mvdesk.ui.widgets.score_bar import format_score
from mvdesk.ui.widgets.trust_slider import format_trust
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from mvdesk.arrays import IntArray

ModelIndex = QModelIndex | QPersistentModelIndex

SOURCE_KEY_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The key of the source."""
NUMBERS: Final = frozenset(
    {
        SourceColumn.MEMORIES,
        SourceColumn.TRUST,
        SourceColumn.MEAN,
        SourceColumn.CONTRADICTED,
        SourceColumn.LEVERAGE,
    }
)
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NO_ROWS: Final = np.empty(0, dtype=np.intp)


class SourceTableModel(QAbstractTableModel):
    """Sources in the order that its owner decided, with the values before a preview."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = SourceColumns.empty()
        self.before = self.columns  # the same sources as they are stored
        self.is_split = False
        self._order: IntArray = _NO_ROWS  # view row -> source

    def set_sources(self, columns: SourceColumns, before: SourceColumns, order: IntArray) -> None:
        """Show other sources. `before` are the same ones without a preview."""
        self.beginResetModel()
        self.columns, self.before, self._order = columns, before, order
        self.endResetModel()

    def set_values(self, columns: SourceColumns, before: SourceColumns) -> None:
        """Show other values of the same sources."""
        if columns is self.columns and before is self.before:
            return
        old, is_new = self.columns, before is not self.before
        self.columns, self.before = columns, before
        if is_new:
            self._emit_changed(0, len(self._order) - 1)
            return
        # In a preview only what is tried moves, or was tried before.
        same = (old.trust == columns.trust) | (np.isnan(old.trust) & np.isnan(columns.trust))
        for source in np.flatnonzero(~same).tolist():
            if (place := self.view_row(source)) >= 0:
                self._emit_changed(place, place)

    def _emit_changed(self, first: int, last: int) -> None:
        if last >= first:
            end = self.index(last, len(TITLES) - 1)
            self.dataChanged.emit(self.index(first, SourceColumn.SOURCE), end)

    def set_split(self, *, on: bool) -> None:
        """Show the values before beside those of the preview."""
        if on != self.is_split:
            self.is_split = on
            self._emit_changed(0, len(self._order) - 1)

    def set_order(self, order: IntArray) -> None:
        """Show the sources in another order, or others of the same; selected ones stay so."""
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        sources = [int(self._order[index.row()]) for index in old]
        self._order = order
        places = {source: self.view_row(source) for source in set(sources)}
        new = [
            self.index(places[source], index.column()) if places[source] >= 0 else QModelIndex()
            for source, index in zip(sources, old, strict=True)
        ]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()

    def source_row(self, view_row: int) -> int:
        """The place in the columns of the source in a row of the view."""
        return int(self._order[view_row])

    def view_row(self, source: int) -> int:
        """Where a source is shown, -1 when it isn't."""
        found = np.flatnonzero(self._order == source)
        return int(found[0]) if len(found) else -1

    def key(self, view_row: int) -> str | None:
        """The key of the source in a row of the view; None outside the table."""
        if not 0 <= view_row < len(self._order):
            return None
        return self.columns.keys[self.source_row(view_row)]

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(TITLES)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(TITLES):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return EXPLAINED[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in NUMBERS else _LEFT
        return None

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._order):
            return None
        row, column = self.source_row(index.row()), SourceColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == SOURCE_KEY_ROLE:
            return self.columns.keys[row]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in NUMBERS else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tool_tip(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{TITLES[column]}: {self.tool_tip(row, column)}"
        return None

    # What the delegate reads: plain values by source, without going through roles.

    def text(self, row: int, column: int) -> str:
        """A cell as text."""
        columns = self.columns
        if column == SourceColumn.SOURCE:
            return columns.keys[row]
        if column == SourceColumn.MEMORIES:
            return format_number(int(columns.active[row]), ",")
        if column == SourceColumn.TRUST:
            return format_trust(self.trust(row))
        if column == SourceColumn.STATE:
            return columns.state(row)
        if column == SourceColumn.MEAN:
            return format_score(float(columns.mean[row]))
        if column == SourceColumn.RANGE:
            low, high = float(columns.low[row]), float(columns.high[row])
            return "–" if math.isnan(low) else tr("{low:.2f} to {high:.2f}", low=low, high=high)
        if column == SourceColumn.CONTRADICTED:
            share = float(columns.contradicted_share[row])
            return f"{format_number(100 * share, '.0f')} %" if columns.contradicted[row] else "–"
        if column == SourceColumn.LAST_USED:
            return format_day(int(columns.last_used[row]))
        leverage = float(columns.leverage[row])
        return "–" if math.isnan(leverage) else format_number(leverage, ",.1f")

    def trust(self, row: int) -> float | None:
        """The trust that counts now, None for "not set"."""
        return _number(float(self.columns.trust[row]))

    def stored(self, row: int) -> float | None:
        """The trust in the file, None for "not set"."""
        return _number(float(self.columns.stored[row]))

    def is_tried(self, row: int) -> bool:
        """Whether the row shows values of a preview."""
        return self.columns.state(row) == "preview"

    def spellings(self, row: int) -> int:
        """In how many ways memories write the source."""
        return len(self.columns.spellings.get(self.columns.keys[row], ())) or 1

    def tool_tip(self, row: int, column: int) -> str:
        """All that a cell stands for, in words."""
        columns, said = self.columns, self.text(row, column)
        if column == SourceColumn.SOURCE:
            ways = columns.spellings.get(columns.keys[row], ())
            lines = [f"{one.text}  ({format_number(one.memories, ',')})" for one in ways]
            return "\n".join([said, tr("written as:"), *lines]) if lines else said
        if column == SourceColumn.MEMORIES:
            archived = int(columns.archived[row])
            return (
                tr("{said}, and {archived:,} archived", said=said, archived=archived)
                if archived
                else said
            )
        if column == SourceColumn.TRUST:
            stored = (
                tr(", stored: {stored}", stored=format_trust(self.stored(row)))
                if self.is_tried(row)
                else ""
            )
            return said + stored
        if column == SourceColumn.MEAN and self.is_tried(row):
            return tr(
                "{said}, {mean} before the preview",
                said=said,
                mean=format_score(float(self.before.mean[row])),
            )
        if column == SourceColumn.RANGE and said != "–":
            parts = (columns.low, columns.median, columns.high)
            five, half, most = (format_score(float(part[row])) for part in parts)
            return tr(
                "5 % up to {five}, half up to {half}, 95 % up to {most}",
                five=five,
                half=half,
                most=most,
            )
        if column == SourceColumn.CONTRADICTED:
            return tr(
                "{contradicted:,} of {active:,}",
                contradicted=int(columns.contradicted[row]),
                active=int(columns.active[row]),
            )
        if column == SourceColumn.LAST_USED:
            return format_moment(int(columns.last_used[row]))
        if column == SourceColumn.LEVERAGE and said != "–":
            return tr(
                "{movable:,} of {active:,} memories can still move, by {said} points together",
                movable=int(columns.movable[row]),
                active=int(columns.active[row]),
                said=said,
            )
        return said


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
