"""Sources worth a look: which, why, and the way there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOTHING: Final = tr(
    "No source stands out: none is contradicted far more than the rest, those with many memories "
    "have a trust, and none is spelled in two ways."
)
_LOOKING: Final = tr("Looking through the sources…")


@dataclass(frozen=True, slots=True)
class SuggestionLine:
    """One source that stands out. `kind` is "contradicted", "unset" or "split"."""

    key: str
    source: str
    kind: str
    why: str


class SuggestionsPage(QWidget):
    """Shows SuggestionLines. Knows no session."""

    go_requested = Signal(str)  # key of the line
    unify_requested = Signal(str)  # key of a line about a split source

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: dict[str, SuggestionLine] = {}
        self.table = KeyedTable(
            tr("Sources worth a look"), (tr("Source"), tr("Why")), widths={0: 130}, stretch=1
        )
        self.table.setObjectName("suggestionsTable")
        self._why = QLabel()
        self._why.setObjectName("suggestionWhy")
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        self._why.setWordWrap(True)
        self._why.setContentsMargins(12, 6, 12, 0)
        set_role(self._why, "secondary")
        self._go = QPushButton(tr("Go"))
        self._go.setObjectName("goToSource")
        self._go.setToolTip(tr("Select this source, to try another trust (Enter)"))
        self._unify = QPushButton(tr("Unify…"))
        self._unify.setObjectName("unifySources")
        self._unify.setToolTip(tr("See what unifying them would write"))
        for button in (self._go, self._unify):
            set_role(button, "small")
        self._empty = EmptyState(_LOOKING, icon_name="sources")
        page = QWidget()
        within = QVBoxLayout(page)
        within.setContentsMargins(0, 0, 0, 0)
        within.setSpacing(0)
        within.addWidget(self.table, 1)
        within.addWidget(self._why)
        within.addWidget(flowing(self._go, self._unify, margins=(12, 6, 12, 8)))
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.setFocusProxy(self.table)
        self.table.key_selected.connect(self._on_selected)
        self.table.key_activated.connect(self.go_requested)
        self._go.clicked.connect(self._on_go)
        self._unify.clicked.connect(self._on_unify)
        self._show_available()

    def set_suggestions(self, lines: Sequence[SuggestionLine] | None) -> None:
        """Show suggestions, None while they are looked for. Never emits."""
        self._lines = {line.key: line for line in lines or ()}
        self._empty.set_text(_LOOKING if lines is None else _NOTHING)
        self.table.set_rows(
            [PlainRow(line.key, (line.source, line.why), tip=line.why) for line in lines or ()]
        )
        if lines and self.table.current_key is None:
            self.table.set_current(lines[0].key)
        self._pages.setCurrentIndex(1 if lines else 0)
        self._show_available()

    def _show_available(self) -> None:
        line = self._lines.get(self.table.current_key or "")
        self._go.setEnabled(line is not None)
        self._unify.setEnabled(line is not None and line.kind == "split")
        self._why.setText("" if line is None else f"{line.source}: {line.why}")

    @Slot(str)
    def _on_selected(self, _key: str) -> None:
        self._show_available()

    @Slot()
    def _on_go(self) -> None:
        if (key := self.table.current_key) is not None:
            self.go_requested.emit(key)

    @Slot()
    def _on_unify(self) -> None:
        if (key := self.table.current_key) is not None:
            self.unify_requested.emit(key)
