"""Reinforce: who gains and who loses with the selected memory, before it is written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.amount_field import AmountField, AmountSpec
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.vault.operations.reinforce import ReinforceSettings, plan_reinforce
from mvdesk.vault.plan import LINKS, MEMORIES
from mvdesk.vault.questions.reinforcing import ReinforcingRun, run_reinforcing

if TYPE_CHECKING:
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault

_RUN: Final = "reinforcing"
_LEAST_PX: Final = 200
_AMOUNTS: Final = (
    AmountSpec("reinforceConfidence", "Base confidence", "more", -0.5, 0.5, 0.01,
               "What the memory itself gains, −0.5 to 0.5; below zero it loses."),
    AmountSpec("reinforceImportance", "Base importance", "more", -0.5, 0.5, 0.01,
               "What the memory itself gains, −0.5 to 0.5; below zero it loses."),
    AmountSpec("reinforceSpread", "Spread", "of it", 0, 1, 0.05,
               "The share of it that linked memories get, by relation; contradicts takes away."),
    AmountSpec("reinforceHops", "Reach", "links far", 0, 3, 1,
               "How many links it travels, 0 to 3; it weakens with each.", is_whole=True),
)  # fmt: skip
_TITLES: Final = ("Memory", "Base conf.", "Base imp.", "Confidence", "Importance", "Links", "Way")
_WIDTHS: Final = {1: 134, 2: 134, 3: 134, 4: 134, 5: 56, 6: 300}
_LEAST: Final = {1: 760, 2: 900, 4: 480, 5: 620, 6: 1040}
_START: Final = (
    "Select a memory, then preview what reinforcing it would do: it gains base values, and what "
    "is linked to it gains with it, or loses through a contradiction. Nothing is written by that."
)
_OUTDATED: Final = "The vault changed since this preview; preview it again before applying."
_OTHER: Final = "The values or the selected memory changed; preview them before applying."


class ReinforceSection(QWidget):
    """Session and reinforcement, joined. The seed is the memory that is selected."""

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reinforceSection")
        self._session = session
        self._run: ReinforcingRun | None = None
        self._asked: tuple[str, ReinforceSettings] | None = None
        self._is_outdated = False
        self._seed = ""
        self._build()
        self._connect()
        self._set_defaults()
        self._on_selected(session.selected_id)

    def _build(self) -> None:
        self._title = _label("reinforceSeed", "strong")
        self._fields = [AmountField(spec) for spec in _AMOUNTS]
        self._preview = push_button(
            "reinforcePreview", "&Preview", "See who gains and loses; writes nothing", "primary"
        )
        self._defaults = push_button("reinforceDefaults", "De&faults", "The usual values")
        self._said = _label("reinforceSaid", "warning")
        self._summary = _label("reinforceSummary", "")
        self.table = KeyedTable(
            "Who gains and who loses",
            _TITLES,
            widths=_WIDTHS,
            stretch=0,
            numbers=frozenset((1, 2, 3, 4, 5)),
            least=_LEAST,
        )
        self.table.setObjectName("reinforceTable")
        self._empty = EmptyState(_START, icon_name="upkeep")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.table)
        self._way = _label("reinforceWay", "mutedCaption")
        self._apply = push_button("reinforceApply", "A&pply", role="primary")
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(flowing(*self._fields, gap=12))
        column.addWidget(flowing(self._preview, self._defaults, gap=8))
        column.addWidget(self._said)
        column.addWidget(self._summary)
        column.addWidget(self._pages, 1)
        column.addWidget(self._way)
        column.addWidget(self._apply, 0, Qt.AlignmentFlag.AlignRight)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolling("reinforceScroll", content))
        self.setFocusProxy(self._fields[0])
        self._restyle()

    def _connect(self) -> None:
        session = self._session
        session.selection_changed.connect(self._on_selected)
        session.vault_opened.connect(self._drop)
        session.vault_closing.connect(self._drop)
        session.vault_changed.connect(self._on_vault_changed)
        session.write_finished.connect(self._on_write_finished)
        for field in self._fields:
            field.edited.connect(self._show_state)
            field.entered.connect(self._on_preview)
        self._preview.clicked.connect(self._on_preview)
        self._defaults.clicked.connect(self._on_defaults)
        self._apply.clicked.connect(self._on_apply)
        self.table.key_selected.connect(self._on_key)
        self.table.key_activated.connect(session.select)

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

    @Slot(object)
    def _on_selected(self, memory_id: str | None) -> None:
        self._seed = memory_id or ""
        self._show_state()

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
        session.jobs.run(_RUN, work, self._on_run, failed=session.messages.report)

    # Showing.

    def _on_run(self, run: ReinforcingRun) -> None:
        self._run = run
        self._is_outdated = run.snapshot is not self._session.snapshot
        self.table.set_rows([_row(run, place) for place in range(len(run))])
        if len(run):
            self.table.select_row(0)
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
        self._apply.setToolTip(refusal or "Write all of it, as one step")
        self._summary.setText("" if run is None else _describe(run))
        self._summary.setVisible(run is not None)
        self._pages.setCurrentIndex(int(has_rows))
        self._show_way(refusal if session.is_open and run is not None else "")

    def _describe_seed(self) -> str:
        session = self._session
        row = session.snapshot.row_of(self._seed) if session.is_open and self._seed else None
        if row is None:
            return "No memory is selected."
        return f"Reinforce: {session.snapshot.memories.labels.text(row)}"

    def _show_way(self, refusal: str) -> None:
        run, place = self._run, self.table.currentIndex().row()
        set_role(self._way, "warning" if refusal else "mutedCaption")
        way = _way(run, place) if run is not None and 0 <= place < len(run) else ""
        self._way.setText(refusal or way)

    def _refusal(self) -> str:
        session = self._session
        if session.is_open and session.read_only_reason:
            return session.read_only_reason
        if self._is_outdated:
            return _OUTDATED
        return _OTHER if self._asked != (self._seed, self._read()) else ""

    # What happens.

    @Slot(str)
    def _on_key(self, _key: str) -> None:
        self._show_way(self._refusal())

    @Slot()
    def _drop(self) -> None:
        self._session.jobs.cancel(_RUN)
        self._run, self._asked, self._is_outdated = None, None, False
        self.table.set_rows(())
        self._show_state()

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


def _describe(run: ReinforcingRun) -> str:
    if not len(run):
        return "Nothing would change: these values move no base, or all are at their ends already."
    moves = run.found.moves
    gains = moves.confidence_after + moves.importance_after
    gains = gains - moves.confidence_before - moves.importance_before
    up, down = int((gains > 0).sum()), int((gains < 0).sum())
    loses = f", {down:,} lose through a contradiction or a minus" if down else ""
    return f"{up:,} gain{'s' if up == 1 else ''}{loses}."


def _row(run: ReinforcingRun, place: int) -> PlainRow:
    moves, row = run.found.moves, int(run.found.moves.rows[place])
    pairs = (
        (moves.confidence_before[place], moves.confidence_after[place]),
        (moves.importance_before[place], moves.importance_after[place]),
        (run.scores.confidence[row], run.after.confidence[row]),
        (run.scores.importance[row], run.after.importance[row]),
    )
    table = run.snapshot.memories
    hops = str(run.found.hops[place])
    texts = (table.labels.text(row), *(_pair(*pair) for pair in pairs), hops, _way(run, place))
    tones = ("", *(_tone(*pair) for pair in pairs))
    return PlainRow(table.ids.text(row), texts, tones, tip=_way(run, place))


def _pair(before: float, after: float) -> str:
    old, new = f"{before:.3f}", f"{after:.3f}"
    if old == new:
        return old
    return f"{old} {'↑' if after > before else '↓'} {new}"


def _tone(before: float, after: float) -> str:
    return "" if before == after else "positive" if after > before else "negative"


def _way(run: ReinforcingRun, place: int) -> str:
    """From the seed to a memory in words."""
    rows, relations = run.ways[place]
    labels = run.snapshot.memories.labels
    if len(rows) == 1:
        return "the memory itself"
    said = labels.text(rows[0])
    for relation, row in zip(relations, rows[1:], strict=True):
        said += f" —{relation}— {labels.text(row)}"
    return said


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
