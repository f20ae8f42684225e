"""What a preview does to saved searches, and how far trust can reach there at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

_NOTHING: Final = tr(
    "No saved searches yet. Type below what an assistant would search for and save it: then you "
    "see here what a preview does to the answers."
)
_LOOKING: Final = tr("Looking the saved searches up…")
_LEAST_LIST_PX: Final = 150


@dataclass(frozen=True, slots=True)
class SearchLine:
    """One saved search: how many of its `of` best hits stay, who comes in, who goes out.

    `kept` is None without a preview; `best` is the title of the first hit.
    """

    text: str
    of: int
    kept: int | None
    moved: bool
    entered: tuple[str, ...]
    left: tuple[str, ...]
    best: str


class SearchesPage(QWidget):
    """Shows SearchLines, and the field that saves one more. Knows no session."""

    save_requested = Signal(str)  # the text of a search
    remove_requested = Signal(str)
    search_activated = Signal(str)  # to be looked at in the list

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build()
        self._field.returnPressed.connect(self._on_save)
        self._field.textChanged.connect(self._on_typed)
        self._save.clicked.connect(self._on_save)
        self._remove.clicked.connect(self._on_remove)
        self.table.key_activated.connect(self.search_activated)
        self.table.key_selected.connect(self._on_selected)

    def _build(self) -> None:
        self._reach = QLabel()
        self._reach.setObjectName("retrievalReach")
        self._reach.setTextFormat(Qt.TextFormat.PlainText)
        self._reach.setWordWrap(True)
        self._reach.setContentsMargins(12, 8, 12, 6)
        set_role(self._reach, "secondary")
        self.table = KeyedTable(
            tr("Saved searches"),
            (tr("Search"), tr("Top 10"), tr("Comes in"), tr("Goes out")),
            widths={1: 108, 2: 150, 3: 150},
            stretch=0,
            least={2: 380, 3: 520},
        )
        self.table.setObjectName("searchesTable")
        self._empty = EmptyState(_LOOKING, icon_name="search")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.table)
        self._field = QLineEdit()
        self._field.setObjectName("searchToSave")
        self._field.setAccessibleName(tr("Search to save"))
        self._field.setPlaceholderText(tr("A search to watch"))
        self._field.setMaxLength(400)
        set_role(self._field, "compact")
        self._save = QPushButton(tr("Save search"))
        self._save.setObjectName("saveSearch")
        self._save.setToolTip(tr("Keep this search with the vault (Enter)"))
        self._save.setEnabled(False)
        set_role(self._save, "small")
        self._remove = IconButton("delete", tr("Remove the chosen search (Del)"))
        self._remove.setObjectName("removeSearch")
        self._remove.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._remove.setEnabled(False)
        line = QHBoxLayout()
        line.setContentsMargins(12, 6, 8, 8)
        line.setSpacing(8)
        line.addWidget(self._field, 1)
        line.addWidget(self._save)
        line.addWidget(self._remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._reach)
        column.addWidget(self._pages, 1)
        column.addLayout(line)
        self.setFocusProxy(self._field)

    # In

    def set_searches(self, lines: Sequence[SearchLine] | None, reach: str) -> None:
        """Show searches, None while they are looked up. `reach` is the honest line above."""
        self._reach.setText(reach)
        self.setToolTip(reach)
        self._fit_reach()
        self._empty.set_text(_LOOKING if lines is None else _NOTHING)
        self._pages.setCurrentIndex(1 if lines else 0)
        self.table.set_rows([_row(line) for line in lines or ()])
        self._remove.setEnabled(self.table.current_key is not None)

    def suggest(self, text: str) -> None:
        """Put a search into the field, unless something was typed there."""
        if not self._field.text():
            self._field.setText(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_reach()

    def _fit_reach(self) -> None:
        """Where there is little room the searches need it; the line is a tool tip then."""
        needed = self._reach.heightForWidth(max(self.width(), 1)) + applied().px(_LEAST_LIST_PX)
        self._reach.setVisible(bool(self._reach.text()) and self.height() >= needed)

    # What happens.

    @Slot()
    def _on_save(self) -> None:
        if text := self._field.text().strip():
            self._field.clear()
            self.save_requested.emit(text)

    @Slot()
    def _on_remove(self) -> None:
        if (key := self.table.current_key) is not None:
            self.remove_requested.emit(key)

    @Slot(str)
    def _on_typed(self, text: str) -> None:
        self._save.setEnabled(bool(text.strip()))

    @Slot(str)
    def _on_selected(self, _key: str) -> None:
        self._remove.setEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.table.hasFocus():
            self._on_remove()
        else:
            super().keyPressEvent(event)


def _row(line: SearchLine) -> PlainRow:
    if not line.of:
        kept, tone = tr("no hits"), ""
    elif line.kept is None:
        kept, tone = f"{line.of}", ""
    elif line.kept == line.of and not line.entered:
        kept, tone = (tr("other order"), "") if line.moved else (tr("the same"), "")
    else:
        kept, tone = tr("{kept} of {of} stay", kept=line.kept, of=line.of), "accent"
    entered, left = ", ".join(line.entered), ", ".join(line.left)
    tips = [
        tr("Best: {best}", best=line.best) if line.best else "",
        tr("Enter shows it in the list"),
    ]
    tips += [
        tr("Comes in: {entered}", entered=entered) if entered else "",
        tr("Goes out: {left}", left=left) if left else "",
    ]
    return PlainRow(
        line.text,
        (line.text, kept, entered, left),
        ("", tone),
        tip="\n".join(tip for tip in tips if tip),
    )
