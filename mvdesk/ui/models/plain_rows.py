"""Rows of ready-made texts, each with a key: what small tables show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt

from mvdesk.ui.models.titled_table import ModelIndex, TitledTableModel
from mvdesk.ui.theme import applied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject


@dataclass(frozen=True, slots=True)
class PlainRow:
    """A row: its key, a text for every column, and what its tool tip says besides.

    `tones` names tokens of the theme by column, "" for the usual text.
    """

    key: str
    texts: tuple[str, ...]
    tones: tuple[str, ...] = ()
    tip: str = ""

    def tone(self, column: int) -> str:
        return self.tones[column] if column < len(self.tones) else ""


class PlainRowsModel(TitledTableModel):
    """Shows rows as they are given. The same keys again only change the texts."""

    def __init__(
        self,
        titles: Sequence[str],
        numbers: frozenset[int] = frozenset(),
        parent: QObject | None = None,
    ) -> None:
        """`numbers` are the columns that are set to the right."""
        super().__init__(titles, numbers, parent)
        self._rows: tuple[PlainRow, ...] = ()

    @property
    def rows(self) -> tuple[PlainRow, ...]:
        return self._rows

    def set_titles(self, titles: Sequence[str]) -> None:
        """Name the columns anew; as many as before."""
        if tuple(titles) != self._titles:
            self._titles = tuple(titles)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(titles) - 1)

    def set_rows(self, rows: Sequence[PlainRow]) -> bool:
        """Show other rows. False when the keys stayed, and with them what is selected."""
        shown = tuple(rows)
        if shown == self._rows:
            return False
        if [row.key for row in shown] == [row.key for row in self._rows]:
            self._rows = shown
            last = self.index(len(shown) - 1, len(self._titles) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return False
        self.beginResetModel()
        self._rows = shown
        self.endResetModel()
        return True

    def row_of(self, key: str | None) -> int:
        """Where a key is, -1 where it isn't."""
        return next((n for n, row in enumerate(self._rows) if row.key == key), -1)

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row, column = self._rows[index.row()], index.column()
        text = row.texts[column]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side(column)
        if role == Qt.ItemDataRole.ForegroundRole:
            tone = row.tone(column)
            return applied().color(tone) if tone else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(part for part in (text, row.tip) if part)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._titles[column]}: {text}"
        return None
