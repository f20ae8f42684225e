"""Rows that come in pages: what isn't there yet is asked for when it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, Qt, Signal

from mvdesk.ui.models.titled_table import ModelIndex, TitledTableModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

PAGE: Final = 200


class PagedLinesModel(TitledTableModel):
    """Shows `count` rows of texts, of which only those looked at are known."""

    page_wanted = Signal(int)  # from 0

    def __init__(self, titles: Sequence[str], parent: QObject) -> None:
        super().__init__(titles, parent=parent)
        self._count = 0
        self._pages: dict[int, Sequence[Sequence[str]]] = {}
        self._asked: set[int] = set()

    def set_count(self, count: int) -> None:
        """Show other rows, none of them known yet."""
        self.beginResetModel()
        self._count = count
        self._pages, self._asked = {}, set()
        self.endResetModel()

    def set_page(self, page: int, rows: Sequence[Sequence[str]]) -> None:
        """Fill in a page."""
        self._pages[page] = rows
        last = min((page + 1) * PAGE, self._count) - 1
        if last >= page * PAGE:
            ends = (self.index(page * PAGE, 0), self.index(last, len(self._titles) - 1))
            self.dataChanged.emit(*ends)

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else self._count

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            return None
        page, place = divmod(index.row(), PAGE)
        rows = self._pages.get(page)
        if rows is None:
            if page not in self._asked:
                self._asked.add(page)
                self.page_wanted.emit(page)
            return "…" if index.column() == 0 else ""
        return rows[place][index.column()] if place < len(rows) else ""
