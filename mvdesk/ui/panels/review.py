"""The review queue: the most urgent memory first, looked after with one key."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mvdesk.errors import BadValue, MemoryNotFound
from mvdesk.ui.going_on import follow_key, skip_key
from mvdesk.ui.panels.reading_page import ReadingPage
from mvdesk.ui.review_content import (
    CareQuestion,
    care_rows,
    find_cares,
    find_queue,
    queue_rows,
    urgency_parts,
)
from mvdesk.ui.review_done import ReviewDone
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.ui.widgets.urgency_bars import UrgencyBars
from mvdesk.vault.questions.review_outcomes import plan_care
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from mvdesk.records import Memory
    from mvdesk.ui.review_content import Queue
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.review_outcomes import Care, CareOutcome
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

GOAL: Final = 10
"""So many a day keep a vault fresh, and take a few minutes."""
_QUEUE_JOB: Final = "reviewQueue"
_CARE_JOB: Final = "reviewCare"
_SOON_MS: Final = 30
_TITLES: Final = (tr("Urgency"), tr("Memory"), tr("Type"), tr("Untouched"), tr("Links"))
_CARES: Final = (
    tr("Key"),
    tr("What to do"),
    tr("Confidence"),
    tr("Importance"),
    tr("Urgency"),
    tr("What that is"),
)
_LOOKING: Final = tr("Looking for memories that want a second look…")
_EMPTY: Final = tr(
    "Nothing wants a second look: only memories of importance 0.40 or more, confidence 0.80 or "
    "less and an age of a week are asked about."
)


class ReviewPanel(QWidget):
    """Session and queue, joined. Choosing a memory here selects it everywhere."""

    available_changed = Signal()
    edit_requested = Signal()
    contradict_requested = Signal()

    def __init__(
        self, session: VaultSession, _theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("reviewPanel")
        self.setAccessibleName(tr("Review queue"))
        self._session = session
        self._queue: Queue | None = None
        self._key: str | None = None
        self._caring = ""  # the memory that a write is under way for
        self._edited = ""  # the one that was opened in the editor from here
        self._back = ""  # what an undo brings back, until it is listed
        self._is_stale = True
        self._done = ReviewDone(session, self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._find)
        self._build()
        self._connect()
        self.refresh()

    def _build(self) -> None:
        self.header = PanelHeader(tr("Review queue"))
        self.table = KeyedTable(
            tr("Memories to review, the most urgent first"),
            _TITLES,
            widths={0: 84, 2: 84, 3: 96, 4: 64},
            stretch=1,
            numbers=frozenset({0, 3, 4}),
            least={2: 520, 3: 420, 4: 460},
        )
        self.table.setObjectName("reviewTable")
        self._bars = UrgencyBars(tr("Urgency"))
        self._bars.setObjectName("urgencyBars")
        self._text = ReadingPage()
        self._text.setObjectName("reviewText")
        self.cares = KeyedTable(
            tr("What to do with it, and what that does"),
            _CARES,
            widths={0: 48, 1: 104, 2: 128, 3: 128, 4: 128},
            stretch=5,
            least={5: 640, 3: 480},
        )
        self.cares.setObjectName("reviewChoices")
        self._detail = QWidget()
        self._bars_column = QVBoxLayout()
        self._bars_column.addWidget(self._bars)
        self._bars_column.addStretch(1)
        sides = QHBoxLayout()
        sides.setSpacing(0)
        sides.addWidget(self._text, 3)
        sides.addLayout(self._bars_column, 2)
        below = QVBoxLayout(self._detail)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addLayout(sides, 3)
        below.addWidget(self.cares, 2)
        self._empty = EmptyState(_LOOKING, icon_name="eye")
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        scroll = scrolling("reviewScroll", self._detail)  # a low window has room for a part of it
        set_role(self._detail, "surface")
        split.addWidget(scroll)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(split)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._pages, 1)
        self.setFocusProxy(self.table)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._restyle()

    def _connect(self) -> None:
        session = self._session
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_vault_closed)
        session.vault_changed.connect(self.refresh)
        session.scores_changed.connect(self._read)
        session.memory_loaded.connect(self._on_memory_loaded)
        session.write_finished.connect(self._on_write_finished)
        self._done.changed.connect(self.refresh)
        self._done.given_back.connect(self._on_given_back)
        self.table.key_selected.connect(self._on_selected)
        self.cares.key_activated.connect(self.care)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is about to change."""
        running = any(self._session.jobs.is_running(key) for key in (_QUEUE_JOB, _CARE_JOB))
        return not (running or self._soon.isActive() or self._caring)

    @property
    def can_care(self) -> bool:
        """Whether a memory is on screen that can be looked after."""
        is_there = self._key is not None and self._session.is_open
        is_seen = not self.visibleRegion().isEmpty()  # not behind a tab either
        return is_seen and is_there and not self._session.read_only_reason

    # Showing.

    @Slot()
    def refresh(self, _what: object = None) -> None:
        """Something moved."""
        self._is_stale = True
        if self.isVisible() and self._session.is_open:
            self._soon.start()

    @Slot()
    def _find(self) -> None:
        session = self._session
        if not session.is_open:
            return
        self._is_stale = False
        work = partial(find_queue, session.snapshot, self._done.ids, session.now)
        session.jobs.run(_QUEUE_JOB, work, self._on_found)

    def _on_found(self, queue: Queue) -> None:
        self._queue = queue
        before = [row.key for row in self.table.rows]
        rows = queue_rows(queue)
        self.table.set_rows(rows)
        keys = [row.key for row in rows]
        if self._back in keys:
            self._key, self._back = self._back, ""
        self._key = follow_key(before, self._key, keys)
        self.table.set_current(self._key)
        done = len(self._done.ids)
        goal = tr("{done} of {goal} done today", done=done, goal=max(GOAL, done))
        self.header.set_detail(
            tr("{goal}  ·  {total:,} in the queue", goal=goal, total=queue.total)
        )
        self._empty.set_text(_EMPTY if not done else f"{goal}. {_EMPTY}")
        self._pages.setCurrentIndex(int(bool(rows)))
        self._read()

    def select_shown(self) -> None:
        """Select the memory on screen; a queue behind a tab leaves the selection alone."""
        if self._key is not None and not self.visibleRegion().isEmpty():
            self._session.select(self._key)

    @Slot()
    def _read(self) -> None:
        """What there is to know of the memory on screen."""
        session, key = self._session, self._key
        if not self.isVisible() or not session.is_open:
            return
        session.jobs.cancel(_CARE_JOB)
        parts = None if key is None or self._queue is None else urgency_parts(self._queue, key)
        self._bars.set_parts(*(parts or ([], 0.0)))
        self.available_changed.emit()
        row = None if key is None else session.snapshot.row_of(key)
        if key is None or row is None:
            self.cares.set_rows([])
            return
        self.select_shown()
        source = session.snapshot.source_key_of_row(row)
        trust = None if source is None else session.trust_of(source)
        question = CareQuestion(
            session.vault,
            session.snapshot,
            session.model,
            session.now,
            key,
            np.nan if trust is None else trust,
        )
        session.jobs.run(
            _CARE_JOB, partial(find_cares, question), self._on_cares, failed=self._on_failed
        )
        if session.selected_memory is not None:
            self._on_memory_loaded(session.selected_memory)

    def _on_cares(self, found: tuple[str, tuple[CareOutcome, ...]]) -> None:
        if found[0] == self._key:
            self.cares.set_rows(care_rows(found[1]))

    def _on_failed(self, error: BaseException) -> None:
        self.cares.set_rows([])
        if not isinstance(error, MemoryNotFound | BadValue):  # else the queue is read anew soon
            self._session.messages.report(error)

    @Slot(str)
    def _on_given_back(self, memory_id: str) -> None:
        """Go to what an undo brings back, once it is in the queue again."""
        self._back = memory_id

    @Slot(object)
    def _on_memory_loaded(self, memory: Memory) -> None:
        if memory.id == self._key:
            self._text.set_texts({name: getattr(memory, name) or "" for name in _FIELDS})

    @Slot(str)
    def _on_selected(self, key: str) -> None:
        self._key, self._back = key, ""
        self._read()

    @Slot()
    def _on_vault_opened(self) -> None:
        self._key = self._queue = None
        self._empty.set_text(_LOOKING)
        self._pages.setCurrentIndex(0)
        self.refresh()

    @Slot()
    def _on_vault_closed(self) -> None:
        self._soon.stop()
        self._caring = self._edited = self._back = ""
        self._key = self._queue = None
        self.table.set_rows([])
        self.available_changed.emit()

    # Looking after.

    @Slot(str)
    def care(self, name: str) -> None:
        """Do one of the things with the memory on screen, and go to the next one."""
        session, key = self._session, self._key
        if key is None or not self.can_care or self._caring:
            return
        session.select(key)
        if name == "edit":
            self._edited = key
            self.edit_requested.emit()
        elif name == "contradict":
            self._edited = key
            self.contradict_requested.emit()
        else:
            self._caring = key
            now = session.current_time()
            make_plan = partial(_plan, session.snapshot, key, cast("Care", name), now)
            session.write("review", make_plan)

    def skip(self) -> None:
        """Go to the next memory, after the last to the first."""
        keys = [row.key for row in self.table.rows]
        if keys:
            self._key = skip_key(keys, self._key)
            self.table.set_current(self._key)
            self._read()

    @Slot(str, bool)
    def _on_write_finished(self, action: str, written: bool) -> None:
        if action == "review":
            done, self._caring = self._caring, ""
            if written and done:
                self._done.note_step(done)
        elif action in ("save", "link") and written and self._edited == self._session.selected_id:
            done, self._edited = self._edited, ""
            if done:
                self._done.note_step(done)

    # Events.

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.refresh()
        else:
            self._read()
        self.available_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.available_changed.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_bars_column"):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        self._bars_column.setContentsMargins(look.px(8), look.px(14), look.px(12), look.px(8))
        self.table.setMinimumHeight(look.px(88))
        self.cares.setMinimumHeight(look.px(88))
        self.cares.setMaximumHeight(look.px(166))
        self._text.setMinimumHeight(look.px(134))


_FIELDS: Final = ("title", "type", "key", "source", "tags", "content")


def _plan(snapshot: Snapshot, memory_id: str, care: Care, now: int, vault: Vault) -> Plan:
    return plan_care(vault, snapshot, memory_id, care, now=now)
