"""The graph as a table: the same memories and links as rows, for keyboard and screen reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, Signal

from mvdesk.ui.models.text_table import TextTableModel
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.plots.graph_colouring import Colouring
    from mvdesk.ui.plots.graph_picture import GraphPicture

_COLUMNS: Final = (
    tr("Memory"),
    tr("Type"),
    tr("Confidence"),
    tr("Importance"),
    tr("Links"),
    tr("Colour"),
)
_NUMBERS: Final = (2, 3, 4)
_PANEL_KEYS: Final = "tT0123[]"


class GraphTable(TableView):
    """A row per memory shown, the most linked first. Enter opens, a click selects."""

    memory_selected = Signal(str)
    memory_activated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("The graph as a table"), parent)
        self._ids: list[str] = []
        self._model = TextTableModel(_COLUMNS, _NUMBERS)
        self._model.setParent(self)
        self.setModel(self._model)
        self.setProperty("role", "plain")
        self.set_column_widths({1: 72, 2: 96, 3: 96, 4: 56, 5: 160}, 0)
        self.horizontalHeader().setSectionsClickable(False)
        self.clicked.connect(self._on_row_clicked)
        self.row_activated.connect(self._on_row_activated)

    def set_picture(
        self, picture: GraphPicture, current: str | None, colouring: Colouring | None = None
    ) -> None:
        """Show what a picture shows; the row of `current` is the current one.

        With a column for what the colours say, where the others don't.
        """
        said = colouring.values if colouring is not None else ()
        self.setColumnHidden(5, not said)
        rows = picture.table()
        order = sorted(range(len(rows)), key=lambda node: (-rows[node][4], node))
        self._ids = [picture.ids[node] for node in order]
        self._model.set_rows(
            [
                (*rows[node][:4], format_number(rows[node][4], ","), said[node] if said else "")
                for node in order
            ]
        )
        if current in self._ids:
            self.setCurrentIndex(self._model.index(self._ids.index(current), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # A table would look for a row that begins so; here these are the panel's keys.
        if event.text() and event.text() in _PANEL_KEYS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _on_row_clicked(self, index: QModelIndex) -> None:
        self.memory_selected.emit(self._ids[index.row()])

    def _on_row_activated(self, row: int) -> None:
        self.memory_activated.emit(self._ids[row])
