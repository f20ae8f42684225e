"""Conflicts: facts that contradict each other, side by side, decided with a key."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHeaderView,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mvdesk.errors import MemoryNotFound
from mvdesk.ui.conflict_filter import KINDS, PairFilter, find_matching, say_matching
from mvdesk.ui.conflict_lines import STATES, conflict_rows, say_state
from mvdesk.ui.conflict_watch import watch_conflicts
from mvdesk.ui.going_on import follow_key, skip_key
from mvdesk.ui.pair_content import PairQuestion, find_pair
from mvdesk.ui.panels.conflict_detail import ConflictDetail
from mvdesk.ui.plans import new_id
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.pair_filter_bar import PairFilterBar
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.vault.questions.conflict_choices import CHOICES, PairState, plan_choice_as_seen
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from mvdesk.ui.conflict_filter import Matching
    from mvdesk.ui.conflict_lines import Sentences
    from mvdesk.ui.conflict_watch import Inbox
    from mvdesk.ui.pair_content import PairContent
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.conflict_choices import Choice
    from mvdesk.vault.vault import Vault

_PAIR_JOB: Final = "conflictPair"
_FILTER_JOB: Final = "conflictFilter"
_LOOKING: Final = tr("Looking for facts that contradict each other…")
_TITLES: Final = (
    tr("Why"),
    "A",
    tr("Conf. A"),
    "B",
    tr("Conf. B"),
    tr("Since"),
    tr("Link costs A / B"),
)
_LEAST_LIST_PX: Final = 88
_LEAST_DETAIL_PX: Final = 120
_ROOMY_PX: Final = 500
"""A panel lower than this has no room for all choices: they are buttons below it as well."""
_ACTIONS: Final = {"below": tr("Show them"), "every": tr("Show all")}


class ConflictsPanel(QWidget):
    """Session and list of pairs, joined."""

    available_changed = Signal()  # whether a pair can be decided about
    explain_requested = Signal(str)  # memory id

    def __init__(
        self, session: VaultSession, _theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("conflictsView")
        self.setAccessibleName(tr("Conflicts"))
        self._session = session
        self._watch = watch_conflicts(session)
        self._key: str | None = None
        self._deciding = "", 0  # the pair that is being written about, the step before
        self._steps: dict[int, str] = {}  # the pair that a step decided about
        self._undone = 0  # the step that redo would do again
        self._back = ""  # the pair that an undo brings back, until it is listed
        self._is_stale = True
        self._build()
        self._watch.changed.connect(self._show)
        session.vault_opened.connect(self._on_vault_opened)
        session.write_finished.connect(self._on_write_finished)
        session.undo_changed.connect(self._on_undo_changed)
        self._show()

    def _build(self) -> None:
        self.header = PanelHeader(tr("Conflicts"))
        self._wanted = PairFilterBar(STATES, KINDS)
        self._wanted.changed.connect(self._on_wanted)
        self._rule = ElidedLabel(steady=True)
        self._rule.setObjectName("conflictRule")
        set_role(self._rule, "secondary")
        self.table = KeyedTable(
            tr("Pairs of facts that contradict each other"),
            _TITLES,
            widths={0: 164, 2: 80, 4: 80, 5: 76, 6: 140},
            stretch=1,
            numbers=frozenset({2, 4, 5, 6}),
            least={2: 560, 4: 560, 5: 640, 6: 780},
        )
        self.table.setObjectName("conflictTable")
        both = QHeaderView.ResizeMode.Stretch  # A and B have the same room
        self.table.horizontalHeader().setSectionResizeMode(3, both)
        self.table.key_selected.connect(self._on_selected)
        self.detail = ConflictDetail()
        self._wanted.leave_requested.connect(self.table.setFocus)
        self.detail.choice_made.connect(self.choose)
        self.detail.leave_requested.connect(self.table.setFocus)
        self.detail.open_requested.connect(self.explain_requested)
        self._empty = EmptyState(_LOOKING, icon_name="conflicts")
        self._empty.action_requested.connect(self._on_empty_action)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.table)
        self._scroll = scrolling("conflictScroll", self.detail)  # a low window has room for a part
        set_role(self.detail, "surface")
        self._split.addWidget(self._scroll)
        self._split.setStretchFactor(0, 2)
        self._split.setStretchFactor(1, 3)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._split)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        head = QVBoxLayout()
        head.setContentsMargins(12, 6, 12, 6)
        head.setSpacing(4)
        head.addWidget(self._wanted)
        head.addWidget(self._rule)
        column.addLayout(head)
        column.addWidget(self._pages, 1)
        column.addWidget(self.detail.row)
        self.setFocusProxy(self.table)
        self._restyle()
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is about to change."""
        jobs = self._session.jobs
        running = any(jobs.is_running(key) for key in (_PAIR_JOB, _FILTER_JOB))
        return self._watch.is_settled and not (running or self._wanted.is_waiting)

    @property
    def can_decide(self) -> bool:
        """Whether a pair is on screen that a choice would be written for."""
        return (
            not self.visibleRegion().isEmpty()  # also not behind a tab
            and self.detail.content is not None
            and not self._session.read_only_reason
        )

    @property
    def pair(self) -> tuple[str, str] | None:
        """Both ids of the pair on screen."""
        if self._key is None or self.detail.content is None or self.visibleRegion().isEmpty():
            return None
        a_id, b_id = self._key.split("\n")
        return a_id, b_id

    def show_state(self, state: str) -> None:
        """List the "open" pairs, those "below" the threshold, or the "decided" ones."""
        self._wanted.set_state(state)
        self._on_wanted()

    # Showing.

    @Slot()
    def _on_vault_opened(self) -> None:
        self._key, self._back, self._steps = None, "", {}
        self.detail.set_content(None)
        self._wanted.set_state("open")

    @Slot()
    def _show(self) -> None:
        """The list; the pair on screen stays as long as it is listed."""
        if not self.isVisible():
            self._is_stale = True
            return
        self._is_stale = False
        inbox, wanted, session = self._watch.inbox, self._wanted, self._session
        session.jobs.cancel(_FILTER_JOB)
        if inbox is None:
            self._empty.set_text(_LOOKING if session.is_open else "")
            self._rule.setText("")
            self._pages.setCurrentWidget(self._empty)
            self._fit_choices()
            return
        self.header.set_detail(
            tr(
                "{open_total:,} open at {threshold:.2f}",
                open_total=inbox.open_total,
                threshold=inbox.threshold,
            )
        )
        if not wanted.asks:
            self._show_pairs(inbox, say_state(inbox, wanted.state))
            return
        asked = PairFilter(wanted.state, wanted.kind, wanted.text)
        work = partial(find_matching, inbox, asked, session.model, session.now)
        session.jobs.run(_FILTER_JOB, work, self._on_matching)

    def _on_matching(self, found: Matching) -> None:
        if found.source is self._watch.inbox:  # else it is looked for anew
            self._show_pairs(found.inbox, say_matching(found))

    def _show_pairs(self, inbox: Inbox, words: Sentences) -> None:
        rows = conflict_rows(inbox, self._wanted.state, self._session.now)
        self._rule.setText(words.rule if rows else "")
        before = [row.key for row in self.table.rows]
        self.table.set_rows(rows)
        self._empty.set_text(words.empty, _ACTIONS.get(words.action, ""))
        self._pages.setCurrentWidget(self._split if rows else self._empty)
        self._fit_choices()
        keys = [row.key for row in rows]
        if self._back in keys:
            self._key, self._back = self._back, ""
        self._key = follow_key(before, self._key, keys)
        self.table.set_current(self._key)
        self._read_pair()

    def _read_pair(self) -> None:
        """What the pair says and what each choice does, under the scores of now."""
        session = self._session
        session.jobs.cancel(_PAIR_JOB)
        question = None
        if self._key is not None and session.is_open:
            a_id, b_id = self._key.split("\n")
            question = PairQuestion.of(session, a_id, b_id)
        if question is None:
            self._set_content(None)
            return
        work = partial(find_pair, question)
        session.jobs.run(_PAIR_JOB, work, self._set_content, failed=self._on_pair_failed)

    def _set_content(self, content: PairContent | None) -> None:
        self.detail.set_content(content)
        self.detail.setEnabled(content is not None)
        self.available_changed.emit()

    def _on_pair_failed(self, error: BaseException) -> None:
        self._set_content(None)
        if not isinstance(error, MemoryNotFound | KeyError):  # else the list is read anew soon
            self._session.messages.report(error)

    @Slot(str)
    def _on_selected(self, key: str) -> None:
        self._key, self._back = key, ""
        self._read_pair()

    @Slot()
    def _on_wanted(self) -> None:
        self._key = None
        self._show()

    @Slot()
    def _on_empty_action(self) -> None:
        self.show_state(self._wanted.state if self._wanted.asks else "below")

    # Deciding.

    @Slot(str)
    def choose(self, name: str) -> None:
        """Write one of the choices about the pair on screen, and go to the next one."""
        content = self.detail.content
        choice = next((one for one in CHOICES if one == name), None)
        if content is None or choice is None or not self.can_decide:
            return
        make_plan = partial(
            _plan,
            content.state,
            choice,
            self.detail.note,
            self.detail.retires,
            self._session.current_time(),
        )
        self._deciding = self._key or "", self._session.undo_id
        self._session.write("conflict", make_plan)

    def skip(self) -> None:
        """Go to the next pair, after the last to the first."""
        keys = [row.key for row in self.table.rows]
        if keys:
            self._key = skip_key(keys, self._key)
            self.table.set_current(self._key)
            self._read_pair()

    @Slot(str, bool)
    def _on_write_finished(self, action: str, written: bool) -> None:
        if action != "conflict":
            return
        key, before = self._deciding
        if not written:
            self._watch.forget_index()  # somebody else was there first
        elif self._session.undo_id != before:
            self._steps[self._session.undo_id] = key

    @Slot(str, str)
    def _on_undo_changed(self, _undo: str, _redo: str) -> None:
        """Go to the pair that an undo brings back, once it is listed again."""
        undone = self._session.redo_id
        if undone != self._undone:
            self._undone = undone
            self._back = self._steps.get(undone, "")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._show()
        self.available_changed.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_pages"):
            self._restyle()

    def _restyle(self) -> None:
        self.table.setMinimumHeight(applied().px(_LEAST_LIST_PX))
        self._scroll.setMinimumHeight(applied().px(_LEAST_DETAIL_PX))
        self._fit_choices()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_choices()

    def _fit_choices(self) -> None:
        """In a low panel every choice is on the screen all the same."""
        has_pairs = self._pages.currentWidget() is self._split
        self.detail.row.setVisible(has_pairs and self.height() < applied().px(_ROOMY_PX))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.available_changed.emit()


def _plan(
    seen: PairState, choice: Choice, note: str | None, retire: bool, now: int, vault: Vault
) -> Plan:
    return plan_choice_as_seen(
        vault, seen, choice, note=note, retire=retire, now=now, new_id=new_id
    )
