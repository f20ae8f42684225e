"""Reinforce: who gains and who loses with a memory, before it is written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.dialogs.switcher import Switcher
from mvdesk.ui.memory_search import MemorySearch
from mvdesk.ui.plots.heat_chart import HeatChart
from mvdesk.ui.reinforce_content import (
    TITLES,
    describe_reinforcing,
    describe_way,
    heat_nodes,
    reinforcing_rows,
)
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.amount_field import AmountField, AmountSpec
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.ending_row import ending_row
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.modest_stack import ModestStack
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.vault.operations.reinforce import ReinforceSettings, plan_reinforce
from mvdesk.vault.plan import LINKS, MEMORIES
from mvdesk.vault.questions.reinforcing import ReinforcingRun, run_reinforcing
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault

_RUN: Final = "reinforcing"
_LEAST_PX: Final = 150
_AMOUNTS: Final = (
    AmountSpec("reinforceConfidence", tr("Base confidence"), tr("more"), -0.5, 0.5, 0.01,
               tr("What the memory itself gains, −0.5 to 0.5; below zero it loses.")),
    AmountSpec("reinforceImportance", tr("Base importance"), tr("more"), -0.5, 0.5, 0.01,
               tr("What the memory itself gains, −0.5 to 0.5; below zero it loses.")),
    AmountSpec("reinforceSpread", tr("Spread"), tr("of it"), 0, 1, 0.05,
               tr("The share of it that linked memories get, by relation; contradicts "
               "takes away.")),
    AmountSpec("reinforceHops", tr("Reach"), tr("links far"), 0, 3, 1,
               tr("How many links it travels, 0 to 3; it weakens with each."), is_whole=True),
)  # fmt: skip
_WIDTHS: Final = {1: 134, 2: 134, 3: 134, 4: 134, 5: 56, 6: 300}
_LEAST: Final = {1: 760, 2: 900, 4: 480, 5: 620, 6: 1040}
_HINT: Final = tr("Reinforce: letters of a title or key, an id, a link")
_VIEWS: Final = (("table", tr("Table")), ("graph", tr("Graph")))
_START: Final = tr(
    "Choose a memory, then preview what reinforcing it would do: it gains base values, and what "
    "is linked to it gains with it, or loses through a contradiction. Nothing is written by that."
)
_OUTDATED: Final = tr("The vault changed since this preview; preview it again before applying.")
_OTHER: Final = tr("The values or the memory changed; preview them before applying.")


class ReinforceSection(QWidget):
    """Session and reinforcement, joined.

    The seed is the memory that is selected, and stays while a preview of it is on screen:
    whoever gains can be looked at meanwhile.
    """

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reinforceSection")
        self._session = session
        self._run: ReinforcingRun | None = None
        self._asked: tuple[str, ReinforceSettings] | None = None
        self._is_outdated = False
        self._seed = ""
        self._search: MemorySearch | None = None
        self._build()
        self._connect()
        self._set_defaults()
        self._on_selected(session.selected_id)

    def _build(self) -> None:
        self._title = _label("reinforceSeed", "strong")
        self._choose = push_button(
            "reinforceChoose", tr("&Choose…"), tr("Another memory, by letters of its title")
        )
        self._selected = push_button("reinforceSelected", tr("The selected &one"))
        self._fields = [AmountField(spec) for spec in _AMOUNTS]
        self._preview = push_button(
            "reinforcePreview",
            tr("&Preview"),
            tr("See who gains and loses; writes nothing"),
            "primary",
        )
        self._defaults = push_button("reinforceDefaults", tr("Defau&lts"), tr("The usual values"))
        self._said = _label("reinforceSaid", "warning")
        self._summary = _label("reinforceSummary", "")
        self.table = KeyedTable(
            tr("Who gains and who loses"),
            TITLES,
            widths=_WIDTHS,
            stretch=0,
            numbers=frozenset((1, 2, 3, 4, 5)),
            least=_LEAST,
        )
        self.table.setObjectName("reinforceTable")
        self._empty = EmptyState(_START, icon_name="upkeep")
        self._pages = ModestStack()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.table)
        self.chart = HeatChart()
        self.chart.setObjectName("reinforceChart")
        self._pages.addWidget(cast("QWidget", self.chart))
        self._view = SegmentedControl(tr("Show"), _VIEWS)
        self._view.setObjectName("reinforceView")
        self._way = _label("reinforceWay", "mutedCaption")
        self._apply = push_button("reinforceApply", tr("&Apply"), role="primary")
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(flowing(*self._fields, gap=12))
        column.addWidget(
            flowing(self._preview, self._defaults, self._choose, self._selected, self._view, gap=8)
        )
        column.addWidget(self._said)
        column.addWidget(self._summary)
        column.addWidget(self._pages, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        content.setMinimumHeight(1)  # else what its rows need when they wrap counts
        self._scroll = scrolling("reinforceScroll", content)
        whole.addWidget(self._scroll, 1)
        self._way_box = SteadyBox(self._way)
        whole.addLayout(ending_row(self._way_box, self._apply))
        self.setFocusProxy(self._fields[0])
        self._restyle()

    def _connect(self) -> None:
        session = self._session
        session.selection_changed.connect(self._on_selected)
        session.vault_opened.connect(self._drop)
        session.vault_closing.connect(self._on_vault_closing)
        session.vault_changed.connect(self._on_vault_changed)
        session.write_finished.connect(self._on_write_finished)
        for field in self._fields:
            field.edited.connect(self._show_state)
            field.entered.connect(self._on_preview)
        self._preview.clicked.connect(self._on_preview)
        self._defaults.clicked.connect(self._on_defaults)
        self._apply.clicked.connect(self._on_apply)
        self._choose.clicked.connect(self._on_choose)
        self._selected.clicked.connect(self._on_take_selected)
        self._view.value_chosen.connect(self._on_view)
        self.table.key_selected.connect(self._on_key)
        self.table.key_activated.connect(session.select)
        self.chart.memory_chosen.connect(self._on_node)
        self.chart.memory_activated.connect(session.select)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _restyle(self) -> None:
        self._pages.setMinimumHeight(applied().px(_LEAST_PX))  # the rest scrolls

    # The values.

    def _set_defaults(self) -> None:
        usual = ReinforceSettings()
        values = (usual.delta_confidence, usual.delta_importance, usual.spread, usual.hops)
        for field, value in zip(self._fields, values, strict=True):
            field.set_value(value)

    def _read(self) -> ReinforceSettings | None:
        confidence, importance, spread, hops = (field.read().value for field in self._fields)
        if confidence is None or importance is None or spread is None or hops is None:
            return None
        return ReinforceSettings(confidence, importance, spread, int(hops), limit=None)

    @Slot()
    def _on_defaults(self, _checked: bool = False) -> None:
        self._set_defaults()
        self._show_state()

    # The memory.

    @Slot(object)
    def _on_selected(self, memory_id: str | None) -> None:
        if self._run is None:
            self._seed = memory_id or ""
        self._show_state()

    def take_selected(self) -> None:
        """Preview what reinforcing the selected memory would do."""
        if self._session.selected_id is not None:
            self._take(self._session.selected_id)

    @Slot(str)
    def _take(self, memory_id: str) -> None:
        self._seed = memory_id
        self._on_preview()
        self._show_state()

    @Slot()
    def _on_take_selected(self, _checked: bool = False) -> None:
        self.take_selected()

    @Slot()
    def _on_choose(self, _checked: bool = False) -> None:
        session = self._session
        if not session.is_open:
            return
        switcher = Switcher(self.window(), title=tr("Reinforce a memory"), hint=_HINT)
        selected = session.selected_id
        recent: list[str] = [] if selected is None else [selected]
        self._search = MemorySearch(session, switcher.picker, lambda: recent)
        switcher.picked.connect(self._take)
        switcher.finished.connect(self._search.stop)
        self._search.find("")
        switcher.open()

    @Slot()
    def _on_preview(self, _checked: bool = False) -> None:
        session, settings = self._session, self._read()
        if settings is None or not self._seed or not session.is_open:
            return
        self._asked = (self._seed, settings)
        work = partial(
            _run_job,
            partial(
                run_reinforcing,
                session.snapshot,
                session.committed_scores,
                session.model,
                self._seed,
                settings,
                scored_at=session.now,
            ),
        )
        session.jobs.run(_RUN, work, self._on_run, failed=self._on_failed)

    # Showing.

    def _on_run(self, run: ReinforcingRun) -> None:
        self._run = run
        self._is_outdated = run.snapshot is not self._session.snapshot
        self.table.set_rows(reinforcing_rows(run))
        nodes, left_out = heat_nodes(run)
        self.chart.set_nodes(nodes, left_out=left_out)
        if len(run):
            self.table.select_row(0)
            self.chart.set_current(self.table.current_key)
        self._show_state()
        focus = self.focusWidget()
        if len(run) and focus is not None and focus.hasFocus():
            self._pages.currentWidget().setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll.ensureWidgetVisible(self._pages, 0, 0)

    def _on_failed(self, error: BaseException) -> None:
        self._forget()
        self._session.messages.report(error)

    @Slot(str)
    def _on_view(self, _view: str) -> None:
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        session, run = self._session, self._run
        said = " ".join(one.said for one in (field.read() for field in self._fields) if one.said)
        self._said.setText(said)
        self._said.setVisible(bool(said))
        self._title.setText(self._describe_seed())
        self._preview.setEnabled(bool(self._seed) and self._read() is not None)
        refusal = self._refusal()
        has_rows = run is not None and len(run) > 0
        self._apply.setEnabled(has_rows and not refusal)
        self._apply.setToolTip(refusal or tr("Write all of it, as one step"))
        self._choose.setEnabled(session.is_open)
        is_other = session.selected_id is not None and session.selected_id != self._seed
        self._selected.setEnabled(session.is_open and is_other)
        self._selected.setToolTip(
            tr("Preview what reinforcing the selected memory would do")
            if is_other
            else tr("It is the selected memory already")
        )
        self._show_summary()
        self._pages.setCurrentIndex(int(has_rows) * (1 + int(self._view.value == "graph")))
        self._show_way(refusal if session.is_open and run is not None else "")

    def _show_summary(self) -> None:
        run = self._run
        said = "" if run is None else describe_reinforcing(run)
        if run is not None and len(run) and self._view.value == "graph":
            said = f"{said} {self.chart.picture_text}"
        self._summary.setText(said)
        self._summary.setVisible(run is not None)

    def _describe_seed(self) -> str:
        session = self._session
        row = session.snapshot.row_of(self._seed) if session.is_open and self._seed else None
        if row is None:
            return tr("No memory is chosen.")
        return tr("Reinforce: {labels}", labels=session.snapshot.memories.labels.text(row))

    def _show_way(self, refusal: str) -> None:
        run, place = self._run, self.table.currentIndex().row()
        set_role(self._way, "warning" if refusal else "mutedCaption")
        way = describe_way(run, place) if run is not None and 0 <= place < len(run) else ""
        self._way.setText(refusal or way)
        self._way_box.follow()

    def _refusal(self) -> str:
        session = self._session
        if session.is_open and session.read_only_reason:
            return session.read_only_reason
        if self._is_outdated:
            return _OUTDATED
        return _OTHER if self._asked != (self._seed, self._read()) else ""

    # What happens.

    @Slot(str)
    def _on_key(self, key: str) -> None:
        self.chart.set_current(key)
        self._show_way(self._refusal())

    @Slot(str)
    def _on_node(self, memory_id: str) -> None:
        self.table.set_current(memory_id)
        self._show_way(self._refusal())

    @Slot()
    def _drop(self) -> None:
        self._session.jobs.cancel(_RUN)
        self._forget()

    def _forget(self) -> None:
        self._run, self._asked, self._is_outdated = None, None, False
        self.table.set_rows(())
        self.chart.set_nodes(())
        self._show_state()

    @Slot()
    def _on_vault_closing(self) -> None:
        self._seed = ""
        self._drop()

    @Slot(object)
    def _on_vault_changed(self, changes: ChangeSet) -> None:
        if self._run is not None and (changes.touches(MEMORIES) or changes.touches(LINKS)):
            self._is_outdated = True
        self._show_state()

    @Slot(str, bool)
    def _on_write_finished(self, action: str, is_written: bool) -> None:
        if action == "reinforce" and is_written:
            self._drop()

    @Slot()
    def _on_apply(self, _checked: bool = False) -> None:
        if self._run is not None and len(self._run) and not self._refusal():
            self._session.write("reinforce", partial(_plan, self._run))


def _label(name: str, role: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        set_role(label, role)
    return label


def _run_job(work: partial[ReinforcingRun], _token: CancelToken) -> ReinforcingRun:
    return work()


def _plan(run: ReinforcingRun, _vault: Vault) -> Plan:
    """What is on screen: a guard says when that moved."""
    return plan_reinforce(run.snapshot, run.found)
