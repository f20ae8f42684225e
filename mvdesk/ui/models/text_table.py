"""A table of texts: for dialogs that list what they are about to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, Qt

from mvdesk.ui.models.titled_table import ModelIndex, TitledTableModel

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOWHERE = QModelIndex()


class TextTableModel(TitledTableModel):
    """Rows of texts under column titles. A sequence of rows may make them when asked."""

    def __init__(self, titles: Sequence[str], numbers: Sequence[int] = ()) -> None:
        """`numbers` are the columns aligned right."""
        super().__init__(titles, frozenset(numbers))
        self._rows: Sequence[Sequence[str]] = ()

    def set_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show other rows, each with a text for every column."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(
        self,
        index: ModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:  # noqa: ANN401 (Qt's roles have many types)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side(index.column())
        return None
