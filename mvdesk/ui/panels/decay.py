"""Decay: what a dry run finds, what of it is wanted, and what a year of it would come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui import fading_words as words
from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.fading_watch import FadingWatch
from mvdesk.ui.models.ticked_table import TickedTableModel
from mvdesk.ui.panels.decay_ahead import DecayAheadPage
from mvdesk.ui.plots.distribution import Distribution
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.amount_field import AmountField
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.ending_row import ending_row
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.modest_stack import ModestStack
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.ui.widgets.ticking_table import TickingTable
from mvdesk.vault.operations.decay import DecaySettings
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mvdesk.arrays import BoolArray
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.changes import ChangeSet

_START: Final = tr(
    "A decay lowers the base values of memories that nobody touched for long and little links "
    "to. A dry run shows which, and what their scores become; nothing is written by it, and "
    "nothing here ever runs by itself."
)
_RUNNING: Final = tr("Looking for memories that fade…")
_OTHER_VALUES: Final = tr("The values changed since this dry run; run it again before applying.")
_VIEWS: Final = (
    ("table", tr("Memories")),
    ("spread", tr("Distribution")),
    ("ahead", tr("A year ahead")),
)
_BESIDE_PX: Final = 880
_FORM_PX: Final = 216
_LEAST_PX: Final = 150  # the rest scrolls
_DAYS: Final = 0


class DecaySection(QWidget):
    """Parameters, the table of a dry run, and the way to write what is ticked in it."""

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("decaySection")
        self._session = session
        self._watch = FadingWatch(session, self)
        self._asked: DecaySettings | None = None  # of the run on screen
        self._policy_days = DecaySettings().older_than_days
        self._days_typed = False
        self._again = ""
        self._written = ""
        self._build_form()
        self._build_results()
        self._build_foot()
        self._place()
        self._connect()
        self._set_defaults()
        self._show_run()

    # Building.

    def _build_form(self) -> None:
        self._fields = [AmountField(spec) for spec in words.AMOUNTS]
        self._run = push_button(
            "decayRun",
            tr("Dr&y run"),
            tr("See what would change (Enter in a field); writes nothing"),
            "primary",
        )
        self._defaults = push_button(
            "decayDefaults",
            tr("Defau&lts"),
            tr("The days of the vault's policy, and the usual rates"),
        )
        self._said = QLabel()
        self._said.setObjectName("decaySaid")
        self._said.setWordWrap(True)
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._said, "warning")
        self._said.hide()
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(8)
        column.addWidget(flowing(*self._fields, gap=12))
        column.addWidget(flowing(self._run, self._defaults, gap=8))
        column.addWidget(self._said)
        column.addStretch(1)
        self._form = content
        self._form.setObjectName("decayForm")

    def _build_results(self) -> None:
        self._table = TickingTable(tr("Memories that would fade"), words.LEAST)
        self._table.setObjectName("decayTable")
        self._model = TickedTableModel(words.TITLES, words.NUMBERS, self)
        self._table.setModel(self._model)
        self._table.set_column_widths(dict(words.WIDTHS), 1)
        self._table.set_descending_first(frozenset((2, 3, 8, 9)))
        self.plot = Distribution()
        self.plot.setObjectName("decayDistribution")
        self._crossing = QLabel()
        self._crossing.setObjectName("decayCrossing")
        self._crossing.setWordWrap(True)
        self._ahead = DecayAheadPage()
        spread = QWidget()
        column = QVBoxLayout(spread)
        column.setContentsMargins(12, 4, 12, 4)
        column.addWidget(self._crossing)
        column.addWidget(cast("QWidget", self.plot), 1)
        self._empty = EmptyState(_START, icon_name="upkeep")
        self._pages = ModestStack()
        self._ahead_scroll = scrolling("aheadScroll", self._ahead)  # it would keep all pages high
        for page in (self._empty, self._table, spread, self._ahead_scroll):
            self._pages.addWidget(page)

    def _build_foot(self) -> None:
        self._view = SegmentedControl(tr("Show"), _VIEWS)
        self._view.setObjectName("decayView")
        self._summary = QLabel()
        self._summary.setObjectName("decaySummary")
        self._summary.setTextFormat(Qt.TextFormat.PlainText)
        self._summary.setWordWrap(True)
        self._summary_box = SteadyBox(self._summary)
        self._all = push_button("decayAll", tr("Tick &all"), tr("Tick every row (Ctrl+A)"), "small")
        self._none = push_button(
            "decayNone", tr("Tick &none"), tr("Untick every row (Shift+Space)"), "small"
        )
        self._usual = push_button(
            "decayUsual",
            tr("As at f&irst"),
            tr("Untick what is important, pinned or recalled"),
            "small",
        )
        self._apply = push_button("decayApply", tr("Apply"), role="primary")
        self._note = QLabel()
        self._note.setObjectName("decayNote")
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setWordWrap(True)
        self._note_box = SteadyBox(self._note)

    def _place(self) -> None:
        ticks = flowing(self._view, self._all, self._none, self._usual, gap=8)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(12, 8, 12, 6)
        head.setSpacing(6)
        head.addWidget(self._summary_box)
        head.addWidget(ticks)
        right.addLayout(head)
        right.addWidget(self._pages, 1)
        content = QWidget()
        self._both = QBoxLayout(QBoxLayout.Direction.TopToBottom, content)
        self._both.setContentsMargins(0, 0, 0, 0)
        self._both.setSpacing(0)
        self._both.addWidget(self._form)
        self._both.addLayout(right, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        self._scroll = scrolling("decayScroll", content)
        whole.addWidget(self._scroll, 1)
        whole.addLayout(ending_row(self._note_box, self._apply))
        self.setFocusProxy(self._fields[_DAYS])

    def _connect(self) -> None:
        for field in self._fields:
            field.edited.connect(self._on_edited)
            field.entered.connect(self._on_run)
        self._run.clicked.connect(self._on_run)
        self._defaults.clicked.connect(self._on_defaults)
        self._table.tick_asked.connect(self._model.toggle)
        self._table.all_asked.connect(self._on_all)
        self._table.none_asked.connect(self._on_none)
        self._table.sort_requested.connect(self._on_sort)
        self._table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self._model.ticks_changed.connect(self._on_ticks_changed)
        self._all.clicked.connect(self._on_all)
        self._none.clicked.connect(self._on_none)
        self._usual.clicked.connect(self._on_usual)
        self._view.value_chosen.connect(self._on_view)
        self._apply.clicked.connect(self._on_apply)
        self._ahead.asked.connect(self._on_look_ahead)
        self._ahead.threshold_moved.connect(self._session.set_threshold)
        self.plot.threshold_moved.connect(self._session.set_threshold)
        self._session.threshold_changed.connect(self._on_threshold)
        watch = self._watch
        watch.run_changed.connect(self._show_run)
        watch.rescored.connect(self._on_rescored)
        watch.outlook_changed.connect(self._show_ahead)
        watch.counted.connect(self._on_counted)
        watch.days_changed.connect(self._on_days)
        watch.written.connect(self._on_written)
        self._session.vault_changed.connect(self._on_vault_changed)

    # The values.

    def _set_defaults(self) -> None:
        usual = DecaySettings()
        values = (
            self._policy_days,
            usual.max_link_count,
            usual.decay_confidence,
            usual.decay_importance,
        )
        for field, value in zip(self._fields, values, strict=True):
            field.set_value(value)

    @Slot(float)
    def _on_days(self, days: float) -> None:
        self._policy_days = days
        if not self._days_typed:
            self._fields[_DAYS].set_value(days)
            self._show_values()

    @Slot()
    def _on_defaults(self, _checked: bool = False) -> None:
        self._days_typed = False
        self._set_defaults()
        self._show_values()

    @Slot()
    def _on_edited(self) -> None:
        if self.sender() is self._fields[_DAYS]:
            self._days_typed = True
        self._show_values()

    def _read(self) -> DecaySettings | None:
        """What the fields say, within their ranges; None where one holds no number."""
        days, links, confidence, importance = (field.read().value for field in self._fields)
        if days is None or links is None or confidence is None or importance is None:
            return None
        return DecaySettings(days, int(links), confidence, importance, limit=None)

    def _show_values(self) -> None:
        said = " ".join(one.said for one in (field.read() for field in self._fields) if one.said)
        self._said.setText(said)
        self._said.setVisible(bool(said))
        self._run.setEnabled(self._session.is_open and self._read() is not None)
        self._watch.forget_outlook()
        self._show_state()

    @Slot()
    def _on_run(self, _checked: bool = False) -> None:
        settings = self._read()
        if settings is None or not self._session.is_open:
            return
        self._asked = settings
        self._written = ""
        self._watch.start(settings)
        self._summary.setText(_RUNNING)
        self._summary_box.follow()
        if self._view.value == "ahead":
            self._watch.look_ahead(settings)

    # The run.

    @Slot()
    def _show_run(self) -> None:
        run = self._watch.run
        if run is None:
            self._model.set_columns((), np.empty(0, dtype=np.bool_))
        elif not self._watch.outdated:
            self._again = ""
            self._model.set_columns(words.columns_of(run), run.kept_out == 0)
            self._table.set_sort(2, descending=True)
            if len(run):
                self._table.select_row(0)
                if self.isAncestorOf(self.focusWidget() or self):
                    self._table.setFocus(Qt.FocusReason.OtherFocusReason)
                    self._scroll.ensureWidgetVisible(self._pages, 0, 0)
            self._watch.count_again(self._model.ticked)
        self._show_values()
        self._show_page()

    @Slot()
    def _on_rescored(self) -> None:
        """Other scores of the same rows: ticks and order stay as they are."""
        run = self._watch.run
        if run is not None:
            self._model.change_columns(words.columns_of(run))
            self._show_state()

    @Slot()
    def _on_ticks_changed(self) -> None:
        self._watch.count_again(self._model.ticked)
        self._show_state()

    @Slot(int, int)
    def _on_counted(self, repeated: int, others: int) -> None:
        self._again = words.describe_again(repeated, others)
        self._show_state()

    @Slot(int)
    def _on_written(self, count: int) -> None:
        memories = tr_n("One memory", "{count:,} memories", count, count=count)
        self._written = tr("{memories} decayed. Ctrl+Z takes all of it back.", memories=memories)
        self._show_state()
        self._show_page()

    @Slot(object)
    def _on_vault_changed(self, _changes: ChangeSet) -> None:
        """What Ctrl+Z takes back is another step now, or the decay is taken back already."""
        if self._written:
            self._written = ""
            self._show_state()
            self._show_page()

    def _show_state(self) -> None:
        """Everything that depends on ticks and values."""
        run, ticked = self._watch.run, self._model.ticked
        has_rows = run is not None and len(run) > 0
        for button in (self._all, self._none, self._usual):
            button.setVisible(self._view.value == "table")
            button.setEnabled(has_rows)
        count = int(ticked.sum())
        noun = tr_n("memory", "memories", count)
        self._apply.setText(
            tr("A&pply to {count:,} {noun}", count=count, noun=noun) if count else tr("A&pply")
        )
        refusal = self._refusal(ticked)
        self._apply.setEnabled(has_rows and count > 0 and not refusal)
        self._apply.setToolTip(refusal or tr("Write what is ticked, as one step"))
        said = self._written or tr("Nothing has been looked at yet.")
        if run is not None:
            said = words.describe_run(run, ticked)
        self._say(self._summary, self._summary_box, said)
        note = refusal or (self._again if has_rows and count else "")
        set_role(self._note, "warning" if refusal and run is not None else "mutedCaption")
        self._say(self._note, self._note_box, note if run is not None else "")
        if has_rows:
            self._show_spread(ticked)

    @staticmethod
    def _say(label: QLabel, box: SteadyBox, text: str) -> None:
        if text != label.text():
            label.setText(text)
            box.follow()

    def _refusal(self, ticked: BoolArray) -> str:
        """Why what is on screen can't be written, "" when it can."""
        if self._session.is_open and self._session.read_only_reason:
            return self._session.read_only_reason
        if self._watch.outdated:
            return self._watch.outdated
        if self._watch.run is not None and self._read() != self._watch.run.decay.settings:
            return _OTHER_VALUES
        if ticked.any() or not ticked.size:
            return ""
        return tr("Tick a memory to apply the decay to it.")

    def _show_spread(self, ticked: BoolArray) -> None:
        run = self._watch.run
        if run is None:
            return
        counts = run.distribution(ticked)
        threshold = self._session.threshold
        said = words.describe_crossing(run, ticked, threshold)
        self._crossing.setText(said)
        self.plot.setAccessibleName(tr("Distribution of the confidence before and after the decay"))
        self.plot.set_counts(counts.before.bins().tolist(), counts.after.bins().tolist())
        self.plot.set_threshold(threshold)
        self.plot.set_summary(said)

    def _show_page(self) -> None:
        run, view = self._watch.run, self._view.value
        if view == "ahead":
            self._pages.setCurrentWidget(self._ahead_scroll)
        elif run is None or not len(run):
            said = self._written or (_START if run is None else words.describe_nothing(run))
            self._empty.set_text(said)
            self._pages.setCurrentWidget(self._empty)
        else:
            self._pages.setCurrentIndex(1 if view == "table" else 2)

    # What happens.

    @Slot(str)
    def _on_view(self, view: str) -> None:
        settings = self._read()
        if view == "ahead" and self._watch.outlook is None and settings is not None:
            self._on_look_ahead()
        self._show_state()
        self._show_page()

    @Slot()
    def _on_look_ahead(self) -> None:
        settings = self._read()
        if settings is not None and self._session.is_open:
            self._watch.look_ahead(settings)

    @Slot()
    def _show_ahead(self) -> None:
        self._ahead.set_outlook(
            self._watch.outlook, self._session.threshold, is_busy=self._watch.is_looking_ahead
        )

    @Slot(float)
    def _on_threshold(self, _threshold: float) -> None:
        self._show_ahead()
        self._show_spread(self._model.ticked)

    @Slot()
    def _on_all(self, _checked: bool = False) -> None:
        self._model.set_ticked(np.ones(self._model.rowCount(), dtype=np.bool_))

    @Slot()
    def _on_none(self, _checked: bool = False) -> None:
        self._model.set_ticked(np.zeros(self._model.rowCount(), dtype=np.bool_))

    @Slot()
    def _on_usual(self, _checked: bool = False) -> None:
        run = self._watch.run
        if run is not None:
            self._model.set_ticked(run.kept_out == 0)

    @Slot(int, bool)
    def _on_sort(self, column: int, descending: bool) -> None:
        self._model.sort_by(column, descending)
        self._table.set_sort(column, descending)

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        run = self._watch.run
        if run is not None and current.isValid() and self._table.hasFocus():
            row = int(run.decay.moves.rows[self._model.place_of(current.row())])
            self._session.select(run.snapshot.memories.ids.text(row))

    @Slot()
    def _on_apply(self, _checked: bool = False) -> None:
        ticked = self._model.ticked
        if not self._refusal(ticked):
            self._watch.apply(ticked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        look = applied()
        beside = self.width() >= look.px(_BESIDE_PX)
        ways = QBoxLayout.Direction
        self._both.setDirection(ways.LeftToRight if beside else ways.TopToBottom)
        form = look.px(_FORM_PX)
        self._form.setMinimumWidth(form if beside else 0)
        self._form.setMaximumWidth(form if beside else 16_777_215)
        self._pages.setMinimumHeight(look.px(_LEAST_PX))
