"""A year of weekly decay, before anybody relies on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from mvdesk.ui.fading_words import AHEAD_TITLES, AHEAD_WIDTHS, describe_outlook, outlook_rows
from mvdesk.ui.plots.distribution import Distribution
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.vault.questions.fading_ahead import Outlook

_ASK: Final = tr("What would these values make of the vault if they decayed every week for a year?")
_BUSY: Final = tr("Decaying a copy in memory week by week, for a year…")


class DecayAheadPage(QWidget):
    """A row for each stop of the year; the chosen one as a distribution below."""

    asked = Signal()
    threshold_moved = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outlook: Sequence[Outlook] | None = None
        self._threshold = 0.7
        self._said = QLabel()
        self._said.setObjectName("aheadSaid")
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        self._said.setWordWrap(True)
        self._said_box = SteadyBox(self._said)
        self.table = KeyedTable(
            tr("A year of weekly decay"),
            AHEAD_TITLES,
            widths=AHEAD_WIDTHS,
            stretch=0,
            numbers=frozenset((1, 2, 3, 4)),
            least={4: 620, 1: 420},
        )
        self.table.setObjectName("aheadTable")
        self.plot = Distribution()
        self.plot.setObjectName("aheadDistribution")
        self._empty = EmptyState(_ASK, tr("Look a year ahead"), icon_name="clock")
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 4, 12, 4)
        column.setSpacing(6)
        column.addWidget(self._said_box)
        column.addWidget(self.table, 1)
        column.addWidget(cast("QWidget", self.plot), 1)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self._empty.action_requested.connect(self.asked)
        self.plot.threshold_moved.connect(self.threshold_moved)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_changed)

    def set_outlook(
        self, outlook: Sequence[Outlook] | None, threshold: float, *, is_busy: bool
    ) -> None:
        """Show a year, the wait for it, or the offer to look at it."""
        self._outlook, self._threshold = outlook, threshold
        if outlook is None:
            self._empty.set_text(
                _BUSY if is_busy else _ASK, "" if is_busy else tr("Look a year ahead")
            )
            self._pages.setCurrentIndex(0)
            return
        self._said.setText(describe_outlook(outlook, threshold))
        self._said_box.follow()
        self.table.set_rows(outlook_rows(outlook, threshold))
        if self.table.current_key is None:
            self.table.set_current(str(len(outlook) - 1))
        self._pages.setCurrentIndex(1)
        self._show_stop()

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._show_stop()

    def _show_stop(self) -> None:
        key = self.table.current_key
        if self._outlook is None or key is None:
            return
        stop = self._outlook[int(key)]
        self.plot.setAccessibleName(
            tr("Distribution of the confidence after {months} months", months=stop.months)
        )
        self.plot.set_counts(stop.kept.bins().tolist(), stop.decayed.bins().tolist())
        self.plot.set_threshold(self._threshold)
        self.plot.set_summary(
            tr(
                "After {months} months; dashed: left alone, filled: with weekly decay",
                months=stop.months,
            )
        )
