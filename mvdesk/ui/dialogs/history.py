"""What became of one memory: its steps, what each changed, and the way back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.diff_view import DiffView
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.widgets.diff_view import DiffPart

_SIZE: Final = QSize(780, 640)
_AGAINST: Final = (("before", tr("What it changed")), ("now", tr("Compared with now")))
_NOTHING: Final = tr("Nothing is told about this memory: the log of the vault doesn't name it.")


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One step as the table shows it. `can_return`: what it held then differs from now."""

    when: str
    what: str
    can_return: bool


class HistoryDialog(TableDialog):
    """Lists steps, the newest first. Whoever listens compares the versions and writes."""

    compare_requested = Signal(int, str)  # the step's place, "before" or "now"
    return_requested = Signal(int)

    def __init__(self, title: str, parent: QWidget, *, refusal: str = "") -> None:
        """`refusal` says why nothing can be written, "" when it can."""
        super().__init__("historyDialog", tr("History"), _SIZE, parent)
        self._refusal = refusal
        self._lines: Sequence[HistoryLine] = ()
        self.add_sentence("historyMemory", title, "section")
        self._table, self._model = self.add_table(
            "historyTable", tr("Steps, the newest first"), (tr("When"), tr("What")), {0: 170}, 1
        )
        self._table.setMinimumHeight(120)
        self._table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        row = QHBoxLayout()
        self._against = SegmentedControl(tr("Show"), _AGAINST)
        self._against.setObjectName("historyAgainst")
        self._against.value_chosen.connect(self._on_against_chosen)
        self._said = QLabel()
        self._said.setObjectName("historySaid")
        self._said.setWordWrap(True)
        set_role(self._said, "mutedCaption")
        row.addWidget(self._against)
        row.addWidget(self._said, 1)
        self.column.addLayout(row)
        self._view = DiffView()
        self._view.setObjectName("historyDiff")
        self._view.setAccessibleName(tr("What differs"))
        self.column.addWidget(self._view, 2)
        close = push_button("historyClose", tr("Close"))
        close.clicked.connect(self.reject)
        self._return = push_button(
            "historyReturn",
            tr("&Bring this version back"),
            refusal or tr("Give the memory what it held after this step; undo takes that back"),
            "primary",
        )
        self._return.clicked.connect(self._on_return)
        self.add_buttons(None, close, self._return)
        self.set_lines(())
        self._said.setText(tr("Looking at the log…"))

    def set_lines(self, lines: Sequence[HistoryLine]) -> None:
        """Show the steps; the chosen place stays."""
        place = max(self.place, 0)
        self._lines = tuple(lines)
        self._model.set_rows([(line.when, line.what) for line in lines])
        self._view.set_parts(())
        self._said.setText("" if lines else _NOTHING)
        self._return.setEnabled(False)
        if lines:
            self._table.select_row(min(place, len(lines) - 1))
            self._table.setFocus()

    def set_parts(self, parts: Sequence[DiffPart], said: str) -> None:
        """Show what the chosen step changed, and a sentence about it."""
        self._view.set_parts(parts)
        self._said.setText(said)

    @property
    def place(self) -> int:
        """The chosen step's place, -1 for none."""
        return self._table.currentIndex().row()

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._ask()

    @Slot(str)
    def _on_against_chosen(self, _value: str) -> None:
        self._ask()

    def _ask(self) -> None:
        place = self.place
        if 0 <= place < len(self._lines):
            self._return.setEnabled(self._lines[place].can_return and not self._refusal)
            self.compare_requested.emit(place, self._against.value)

    @Slot(bool)
    def _on_return(self, _checked: bool = False) -> None:
        if 0 <= self.place < len(self._lines):
            self.return_requested.emit(self.place)
