"""The archive: what is in it and since when, the way back, and the way out for good."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, QTimer, Slot
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from mvdesk.arrays import NO_TIME
from mvdesk.ui.bulk import BulkChoice, make_plan
from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.dialogs.plan_preview import PlanPreview
from mvdesk.ui.models.ticked_table import TickedColumn, TickedTableModel
from mvdesk.ui.moments import format_day, format_minute
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.ui.widgets.ticking_table import TickingTable
from mvdesk.vault.questions.archive_reason import find_archive_reason
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from mvdesk.arrays import IntArray
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.archive_reason import ArchiveReason
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_FIND: Final = "archive"
_PLAN: Final = "archivePlan"
_WHY: Final = "archiveWhy"
_QUIET_MS: Final = 120
_TITLES: Final = (
    tr("Memory"),
    tr("Type"),
    tr("Source"),
    tr("In the archive since"),
    tr("Confidence"),
)
_WIDTHS: Final = {0: 40, 2: 80, 3: 170, 4: 150, 5: 108}
_LEAST: Final = {2: 560, 3: 640, 5: 460}
_NONE: Final = tr(
    "The archive is empty. Memories that are archived keep their texts and links, and are left "
    "out of the list, of searches and of what others score by."
)


class ArchiveSection(QWidget):
    """Session and archive, joined. What is ticked is meant, else the current row."""

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("archiveSection")
        self._session = session
        self._snapshot: Snapshot | None = None
        self._rows: IntArray = np.empty(0, dtype=np.intp)
        self._told_why = ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._find)
        self._build()
        self._connect()
        self._find()

    def _build(self) -> None:
        self._search = SearchField(tr("Search titles, keys, tags and sources of the archive"))
        self._search.setObjectName("archiveSearch")
        self._table = TickingTable(tr("Archived memories"), _LEAST)
        self._table.setObjectName("archiveTable")
        self._model = TickedTableModel(_TITLES, frozenset((5,)), self)
        self._table.setModel(self._model)
        self._table.set_column_widths(dict(_WIDTHS), 1)
        self._table.set_descending_first(frozenset((4, 5)))
        self._empty = EmptyState(_NONE, icon_name="archive")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._table)
        self._said = QLabel()
        self._said.setObjectName("archiveSaid")
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._said, "mutedCaption")
        self._why = QLabel()
        self._why.setObjectName("archiveWhy")
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        self._why.setWordWrap(True)
        self._restore = push_button("archiveRestore", tr("&Bring back"), role="primary")
        self._delete = push_button("archiveDelete", tr("De&lete…"))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(8)
        column.addWidget(self._search)
        column.addWidget(self._pages, 1)
        column.addWidget(self._why)
        column.addWidget(self._said)
        column.addWidget(flowing(self._restore, self._delete, gap=8))
        self.setFocusProxy(self._search)

    def _connect(self) -> None:
        session = self._session
        session.vault_opened.connect(self._find)
        session.vault_changed.connect(self._find_soon)
        session.scores_changed.connect(self._on_scores_changed)
        session.vault_closing.connect(self._on_vault_closing)
        self._search.textChanged.connect(self._find_soon)
        self._search.leave_requested.connect(self._table.setFocus)
        self._table.tick_asked.connect(self._model.toggle)
        self._table.all_asked.connect(self._on_all)
        self._table.none_asked.connect(self._on_none)
        self._table.sort_requested.connect(self._on_sort)
        self._table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self._model.ticks_changed.connect(self._show_state)
        self._restore.clicked.connect(self._on_restore)
        self._delete.clicked.connect(self._on_delete)

    # Showing.

    @Slot()
    def _find_soon(self, _what: object = None) -> None:
        self._soon.start()

    @Slot()
    def _find(self) -> None:
        session = self._session
        if session.is_open:
            work = partial(_find_archived, session.snapshot, self._search.text())
            session.jobs.run(_FIND, work, partial(self._on_found, session.snapshot))

    def _on_found(self, snapshot: Snapshot, rows: IntArray) -> None:
        if not self._session.is_open:
            return
        self._told_why = ""  # it may have come here anew
        kept = self._ticked_ids()
        current = self._current_id()
        self._snapshot, self._rows = snapshot, rows
        ids = snapshot.memories.ids
        ticked = np.array([ids.text(row) in kept for row in rows.tolist()], dtype=np.bool_)
        self._model.set_columns(self._columns(snapshot, rows), ticked)
        self._table.set_sort(4, descending=True)
        places = [n for n, row in enumerate(rows.tolist()) if ids.text(row) == current]
        if len(rows):
            self._table.select_row(places[0] if places else 0)
        self._show_state()

    def _columns(self, snapshot: Snapshot, rows: IntArray) -> list[TickedColumn]:
        table, session = snapshot.memories, self._session
        codes, since = table.type_codes[rows], table.archived_at[rows]

        def source_of(place: int) -> str:
            text = int(table.source_rows[rows[place]])
            return tr("no source") if text < 0 else snapshot.sources.texts[text] or ""

        def score_of(place: int) -> str:
            row = snapshot.memories.ids.text(int(rows[place]))
            shown = session.snapshot.row_of(row) if session.is_open else None
            return "" if shown is None else format_number(session.scores.confidence[shown], ".3f")

        return [
            TickedColumn(_TITLES[0], lambda place: table.labels.text(int(rows[place]))),
            TickedColumn(_TITLES[1], lambda p: table.type_names[codes[p]], lambda: codes),
            TickedColumn(_TITLES[2], source_of, lambda: table.source_rows[rows]),
            TickedColumn(_TITLES[3], lambda place: format_day(int(since[place])), lambda: since),
            TickedColumn(_TITLES[4], score_of),
        ]

    @Slot()
    def _show_state(self) -> None:
        count, ticked = len(self._rows), int(self._model.ticked.sum())
        text = self._search.text()
        if not count:
            found = tr("Nothing in the archive has these words. Clear the search to see all of it.")
            self._empty.set_text(found if text else _NONE)
        self._pages.setCurrentIndex(int(bool(count)))
        many = tr_n("memory", "memories", count)
        chosen = (
            tr("{ticked:,} ticked", ticked=ticked)
            if ticked
            else tr("Space ticks; without ticks the current row")
        )
        self._said.setText(
            tr(
                "{count:,} {many} in the archive{what} · {chosen}",
                count=count,
                many=many,
                what=tr(" found") if text else "",
                chosen=chosen,
            )
        )
        refusal = (self._session.read_only_reason or "") if self._session.is_open else ""
        named = tr(" {ticked:,} memories", ticked=ticked) if ticked > 1 else ""
        self._restore.setText(tr("&Bring back{named}", named=named))
        self._delete.setText(tr("De&lete{named}…", named=named))
        self._restore.setToolTip(refusal or tr("Back into the list, as one step"))
        self._delete.setToolTip(refusal or tr("Shows what would go before anything does"))
        for button in (self._restore, self._delete):
            button.setEnabled(bool(count) and not refusal)
        self._ask_why()

    def _ask_why(self) -> None:
        """Say how the current memory came here; its last lines in the log are looked at."""
        session, current = self._session, self._current_id()
        if current == self._told_why or not session.is_open or self._snapshot is None:
            return
        self._told_why = current
        self._why.clear()
        row = self._snapshot.row_of(current) if current else None
        if row is not None:
            since = int(self._snapshot.memories.archived_at[row])
            work = partial(_find_why, session.vault, current, since)
            session.jobs.run(_WHY, work, partial(self._on_why, current))

    def _on_why(self, memory_id: str, reason: ArchiveReason) -> None:
        if memory_id != self._current_id() or self._snapshot is None:
            return
        row = self._snapshot.row_of(reason.into_id) if reason.into_id else None
        into = (
            tr("a memory that is gone") if row is None else self._snapshot.memories.labels.text(row)
        )
        self._why.setText(describe_reason(reason, into))

    # What is meant.

    def _ticked_ids(self) -> set[str]:
        if self._snapshot is None:
            return set()
        ids = self._snapshot.memories.ids
        return {ids.text(row) for row in self._rows[self._model.ticked].tolist()}

    def _current_id(self) -> str:
        row = self._table.currentIndex().row()
        if self._snapshot is None or not 0 <= row < len(self._rows):
            return ""
        return self._snapshot.memories.ids.text(int(self._rows[self._model.place_of(row)]))

    def _meant(self) -> list[str]:
        ticked = self._ticked_ids()
        current = self._current_id()
        return sorted(ticked) or ([current] if current else [])

    # What happens.

    @Slot()
    def _on_vault_closing(self) -> None:
        self._soon.stop()
        for key in (_FIND, _PLAN, _WHY):
            self._session.jobs.cancel(key)
        self._told_why = ""
        self._why.clear()
        self._snapshot, self._rows = None, np.empty(0, dtype=np.intp)
        self._model.set_columns((), np.empty(0, dtype=np.bool_))

    @Slot()
    def _on_scores_changed(self) -> None:
        self._table.viewport().update()

    @Slot()
    def _on_all(self) -> None:
        self._model.set_ticked(np.ones(len(self._rows), dtype=np.bool_))

    @Slot()
    def _on_none(self) -> None:
        self._model.set_ticked(np.zeros(len(self._rows), dtype=np.bool_))

    @Slot(int, bool)
    def _on_sort(self, column: int, descending: bool) -> None:
        self._model.sort_by(column, descending)
        self._table.set_sort(column, descending)

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._ask_why()
        if self._table.hasFocus() and (memory_id := self._current_id()):
            self._session.select(memory_id)

    @Slot()
    def _on_restore(self, _checked: bool = False) -> None:
        if ids := self._meant():
            now = self._session.current_time()
            self._session.write("restoreMemories", partial(_plan, ids, "restore", now))

    @Slot()
    def _on_delete(self, _checked: bool = False) -> None:
        """Show what goes, links too, before it is written."""
        if ids := self._meant():
            session = self._session
            work = partial(_plan_in_job, session.vault, ids, session.current_time())
            session.jobs.run(_PLAN, work, self._on_planned, failed=session.messages.report)

    def _on_planned(self, plan: Plan) -> None:
        if plan.is_empty:
            self._session.messages.notice(tr("These memories are not there any more."))
            return
        preview = PlanPreview(plan, self.window(), apply_text=tr("Delete"))
        preview.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        preview.apply_requested.connect(self._on_apply_requested)
        preview.open()

    @Slot(object)
    def _on_apply_requested(self, plan: Plan) -> None:
        self._session.write("deleteMemories", partial(_as_shown, plan))


def _find_archived(snapshot: Snapshot, text: str, _token: CancelToken) -> IntArray:
    """The archived rows that hold every word somewhere, the newest in the archive first."""
    table = snapshot.memories
    rows = np.flatnonzero(table.archived_at != NO_TIME)
    rows = rows[np.argsort(-table.archived_at[rows], kind="stable")]
    words = text.casefold().split()
    if not words:
        return rows
    sources = [(source or "").casefold() for source in snapshot.sources.texts]
    found = []
    for row in rows.tolist():
        source = int(table.source_rows[row])
        texts = (table.labels[row], table.keys[row], table.tags[row])
        hay = "\n".join(one or "" for one in texts).casefold()
        if source >= 0:
            hay = f"{hay}\n{sources[source]}"
        if all(word in hay for word in words):
            found.append(row)
    return np.array(found, dtype=np.intp)


def describe_reason(reason: ArchiveReason, into: str) -> str:
    """How a memory came into the archive, as a sentence; `into` is a merge's other memory."""
    when = "" if reason.at is None else tr(" on {at}", at=format_minute(reason.at))
    if reason.way == "many":
        others = tr_n("one other", "{others:,} others", reason.others, others=reason.others)
        return tr("Archived{when}, in one step with {others}.", when=when, others=others)
    return {
        "alone": tr("Archived{when}, by itself.", when=when),
        "merged": tr("Archived{when}: it was merged into {into}.", when=when, into=into),
        "undone": tr("Archived again{when}: a step was taken back.", when=when),
        "restored": tr("Archived{when} by restoring a snapshot.", when=when),
        "imported": tr("Archived{when} by an import.", when=when),
    }.get(reason.way, tr("The log doesn't tell what put it into the archive."))


def _find_why(vault: Vault, memory_id: str, archived_at: int, _token: CancelToken) -> ArchiveReason:
    return find_archive_reason(vault, memory_id, archived_at)


def _plan(ids: list[str], kind: str, now: int, vault: Vault) -> Plan:
    return make_plan(vault, ids, BulkChoice(kind), now)


def _plan_in_job(vault: Vault, ids: list[str], now: int, _token: CancelToken) -> Plan:
    return _plan(ids, "delete", now, vault)


def _as_shown(plan: Plan, _vault: Vault) -> Plan:
    """What was previewed: a guard says when that moved."""
    return plan
