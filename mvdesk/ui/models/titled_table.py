"""The part of a table model that only depends on its columns: how many, their titles and sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

ModelIndex = QModelIndex | QPersistentModelIndex

LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TitledTableModel(QAbstractTableModel):
    """Columns with titles, numbers set to the right; a subclass knows the rows."""

    def __init__(
        self,
        titles: Sequence[str],
        numbers: frozenset[int] = frozenset(),
        parent: QObject | None = None,
    ) -> None:
        """`numbers` are the columns that are set to the right."""
        super().__init__(parent)
        self._titles = tuple(titles)
        self._numbers = numbers

    def side(self, column: int) -> Qt.AlignmentFlag:
        """Where a column's title and cells stand."""
        return RIGHT if column in self._numbers else LEFT

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._titles)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._titles):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return self.side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None
