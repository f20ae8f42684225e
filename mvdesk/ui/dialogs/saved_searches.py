"""Saved searches: their names, what they look for, how much they find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.theme import applied
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtWidgets import QWidget

_SIZE: Final = QSize(640, 420)
_EXPLAINED: Final = tr(
    "Up to 20 searches are kept for each brain. What a change of trust does to them is shown "
    "under Effect on saved searches."
)
_NONE: Final = tr("No search is saved yet. Type one, then save it from the menu beside the box.")


class SavedSearchesDialog(TableDialog):
    """Lists saved searches. What is asked for is done by whoever listens."""

    open_requested = Signal(str)  # the text of a search
    rename_requested = Signal(str)
    remove_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("savedSearchesDialog", tr("Saved searches"), _SIZE, parent)
        self._saved: Sequence[tuple[str, str]] = ()
        self._text = self.add_sentence("savedSearchesText", _EXPLAINED, "secondary")
        self._table, self._model = self.add_table(
            "savedSearchesTable",
            tr("Saved searches"),
            (tr("Name"), tr("Search"), tr("Found")),
            {0: 200, 2: 80},
            1,
            (2,),
        )
        self._table.row_activated.connect(self._on_row_activated)
        self._rename = push_button(
            "savedRename", tr("Re&name…"), tr("Give the chosen search a name")
        )
        self._remove = push_button(
            "savedRemove", tr("&Delete"), tr("Forget the chosen search (Del)")
        )
        close = push_button("savedClose", tr("Close"))
        self._open = push_button(
            "savedOpen", tr("&Search"), tr("Search for it in the list"), "primary"
        )
        self._rename.clicked.connect(self._on_rename)
        self._remove.clicked.connect(self._on_remove)
        close.clicked.connect(self.reject)
        self._open.clicked.connect(self._on_open)
        self.add_buttons(self._rename, self._remove, None, close, self._open)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self._table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._on_remove)

    def set_searches(self, saved: Sequence[tuple[str, str]], counts: Mapping[str, int]) -> None:
        """Show these, as names and texts; `counts` by text, as far as they are known."""
        row = self._table.currentIndex().row()
        self._saved = saved
        self._model.set_rows(
            [
                (name, text, format_number(counts[text], ",") if text in counts else "…")
                for name, text in saved
            ]
        )
        if saved:
            self._table.select_row(min(max(row, 0), len(saved) - 1))
        self._text.setText(_EXPLAINED if saved else _NONE)
        for button in (self._rename, self._remove, self._open):
            button.setEnabled(bool(saved))

    @property
    def _chosen(self) -> str:
        row = self._table.currentIndex().row()
        return self._saved[row][1] if 0 <= row < len(self._saved) else ""

    @Slot(int)
    def _on_row_activated(self, _row: int) -> None:
        self._on_open()

    @Slot()
    def _on_open(self) -> None:
        if self._chosen:
            self.open_requested.emit(self._chosen)
            self.accept()

    @Slot()
    def _on_rename(self) -> None:
        if self._chosen:
            self.rename_requested.emit(self._chosen)

    @Slot()
    def _on_remove(self) -> None:
        if self._chosen:
            self.remove_requested.emit(self._chosen)


class SearchNameDialog(QDialog):
    """Asks what a search is to be called; no name is a name, too: the search itself."""

    named = Signal(str, str)  # the search, its name

    def __init__(self, text: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        look = applied()
        self._search = text
        self.setObjectName("searchNameDialog")
        self.setWindowTitle(tr("Save the search"))
        self.setMinimumWidth(look.px(380))
        self._name = QLineEdit("" if name == text else name)
        self._name.setObjectName("searchName")
        self._name.setAccessibleName(tr("Name of the search"))
        self._name.setPlaceholderText(text)
        self._name.setMaxLength(60)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[look.px(16)] * 4)
        column.setSpacing(look.px(12))
        column.addWidget(self._name)
        save = push_button("searchNameSave", tr("&Save"), role="primary")
        save.setDefault(True)
        save.clicked.connect(self._on_save)
        column.addWidget(save, 0, Qt.AlignmentFlag.AlignRight)
        self._name.returnPressed.connect(self._on_save)

    @Slot()
    def _on_save(self) -> None:
        if self.isVisible():  # Enter presses the button as well
            self.named.emit(self._search, self._name.text())
            self.accept()
