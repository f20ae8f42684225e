"""Duplicates: memories that may be the same one twice, side by side, to merge or to keep apart."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHeaderView, QLabel, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from mvdesk.errors import MemoryNotFound
from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.duplicate_rows import FoundDuplicates, make_duplicate_rows
from mvdesk.ui.going_on import follow_key
from mvdesk.ui.pair_content import PairQuestion, find_two
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.pair_view import PairView
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.vault.not_duplicates import change_apart, read_apart
from mvdesk.vault.questions.duplicates import SearchCancelled, find_duplicates
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.models.plain_rows import PlainRow
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.pair_view import PairSide
    from mvdesk.vault.not_duplicates import Apart
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_FIND: Final = "duplicates"
_ROWS: Final = "duplicateRows"
_PAIR: Final = "duplicatePair"
_APART: Final = "duplicatesApart"
_TITLES: Final = (tr("Alike"), "A", "B", tr("Why"))
_STATES: Final = (
    ("all", tr("All")),
    ("text", tr("Same text")),
    ("near", tr("Nearly same")),
    ("key", tr("Same key")),
    ("title", tr("Same title, source")),
    ("apart", tr("Kept apart")),
)
_AT_ONCE: Final = 20_000
"""In a vault with more memories the person asks for the search to be done again."""
_LEAST_LIST_PX: Final = 112
_LEAST_PAIR_PX: Final = 132
_QUIET_MS: Final = 200
_NONE: Final = tr(
    "No duplicates: no two memories have the same or nearly the same text, the same key, or the "
    "same title and source."
)
_STOPPED: Final = tr("The search was stopped.")
_LOOK: Final = tr("Look for duplicates")


class DuplicatesSection(QWidget):
    """Session and pairs, joined. Looks when it is first shown."""

    available_changed = Signal()  # whether a pair is on screen
    merge_requested = Signal(str, str)  # both ids
    _said = Signal(str)  # from the worker: how far the search is

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("duplicatesSection")
        self.setAccessibleName(tr("Duplicates"))
        self._session = session
        self._found: FoundDuplicates | None = None
        self._is_stale = True
        self._is_waiting = False  # for a search that is shown going on
        self._keeping = 0  # pairs that are being remembered
        self._key: str | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._show)
        self._build()
        self._said.connect(self._on_said)
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_changed.connect(self._on_vault_changed)
        session.vault_closing.connect(self._forget)
        if session.is_open:
            self._on_vault_opened()

    def _build(self) -> None:
        self._which = SegmentedControl(tr("Reason"), _STATES)
        self._which.setObjectName("duplicatesReason")
        self._which.value_chosen.connect(self._on_which)
        self._search = SearchField(tr("Filter by words"))
        self._search.setToolTip(tr("Words of a title, key or tag of either"))
        self._search.setObjectName("duplicatesSearch")
        self._search.textChanged.connect(self._soon.start)
        self.table = KeyedTable(
            tr("Pairs of memories that may be the same one"),
            _TITLES,
            widths={0: 64, 3: 248},
            stretch=1,
            numbers=frozenset((0,)),
            least={3: 600},
        )
        self.table.setObjectName("duplicatesTable")
        both = QHeaderView.ResizeMode.Stretch  # A and B have the same room
        self.table.horizontalHeader().setSectionResizeMode(2, both)
        self.table.key_selected.connect(self._on_selected)
        self.table.key_activated.connect(self._on_merge)
        self._search.leave_requested.connect(self.table.setFocus)
        self._pair = PairView()
        self._pair.open_requested.connect(self._session.select)
        self._empty = EmptyState(_NONE, icon_name="memories")
        self._empty.setObjectName("duplicatesEmpty")
        self._empty.action_requested.connect(self._on_empty_action)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.table)
        self._split.addWidget(self._pair)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._split)
        self._count = QLabel()
        self._count.setObjectName("duplicatesSaid")
        self._count.setTextFormat(Qt.TextFormat.PlainText)
        self._count.setWordWrap(True)
        set_role(self._count, "mutedCaption")
        self._merge = push_button("duplicatesMerge", tr("&Merge…"), role="primary")
        self._apart = push_button("duplicatesApart", tr("&Not duplicates"))
        self._again = push_button("duplicatesAgain", tr("&Look again"))
        self._merge.clicked.connect(self._on_merge)
        self._apart.clicked.connect(self._on_apart)
        self._again.clicked.connect(self._look)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(8)
        content = QWidget()
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(8)
        inside.addWidget(flowing(self._which, self._search, gap=8))
        inside.addWidget(self._pages, 1)
        column.addWidget(scrolling("duplicatesScroll", content), 1)
        column.addWidget(self._count)
        column.addWidget(flowing(self._merge, self._apart, self._again, gap=8))
        self.setFocusProxy(self.table)
        self._restyle()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_pages"):
            self._restyle()

    def _restyle(self) -> None:
        self.table.setMinimumHeight(applied().px(_LEAST_LIST_PX))
        self._pair.setMinimumHeight(applied().px(_LEAST_PAIR_PX))

    @property
    def is_settled(self) -> bool:
        """Whether nothing is about to change."""
        jobs = self._session.jobs
        running = any(jobs.is_running(key) for key in (_FIND, _ROWS, _PAIR, _APART))
        return not (running or self._keeping or self._soon.isActive())

    @property
    def pair(self) -> tuple[str, str] | None:
        """The pair on screen."""
        if self._key is None or self.visibleRegion().isEmpty():
            return None
        a_id, b_id = self._key.split("\n")
        return a_id, b_id

    # Looking.

    @Slot()
    def _look(self) -> None:
        session = self._session
        if not session.is_open:
            return
        self._look_again()
        self._is_waiting = True
        self._empty.set_text(tr("Reading texts…"), tr("Stop"))
        self._pages.setCurrentWidget(self._empty)
        self._show_state()

    @Slot(str)
    def _on_said(self, sentence: str) -> None:
        if self._is_waiting:
            self._empty.set_text(f"{sentence}…", tr("Stop"))

    def _on_found(self, found: FoundDuplicates) -> None:
        self._found, self._is_waiting = found, False
        self._show()

    def _on_failed(self, error: BaseException) -> None:
        self._is_waiting = False
        self._empty.set_text(tr("The texts can't be compared."), _LOOK)
        self._show_state()
        if not isinstance(error, SearchCancelled):
            self._session.messages.report(error)

    @Slot()
    def _on_empty_action(self) -> None:
        if self._is_waiting:
            self._session.jobs.cancel(_FIND)
            self._is_waiting, self._is_stale = False, True
            if self._found is not None:
                self._show()
            else:
                self._empty.set_text(_STOPPED, _LOOK)
                self._show_state()
        elif self._found is None:
            self._look()
        else:
            self._search.clear()
            self._which.set_value("all")
            self._show()

    # Showing.

    @Slot()
    def _show(self) -> None:
        """The list; the pair on screen stays as long as it is listed."""
        found, session = self._found, self._session
        if found is None or not session.is_open or self._is_waiting:
            return
        words = self._search.text().casefold().split()
        work = partial(make_duplicate_rows, found, session.snapshot, self._which.value, words)
        session.jobs.run(_ROWS, work, self._on_rows)

    def _on_rows(self, rows: list[PlainRow]) -> None:
        if self._is_waiting:
            return
        before = [row.key for row in self.table.rows]
        self.table.set_rows(rows)
        keys = [row.key for row in rows]
        self._key = follow_key(before, self._key, keys)
        self.table.set_current(self._key)
        if not rows:
            self._say_empty()
        self._pages.setCurrentWidget(self._split if rows else self._empty)
        self._read_pair()
        self._show_state()

    def _say_empty(self) -> None:
        if self._search.text().strip():
            self._empty.set_text(tr("No pair has these words."), tr("Show all"))
        elif self._which.value == "apart":
            self._empty.set_text(tr("No pair was said to be no duplicate."), tr("Show all"))
        elif self._which.value != "all" and self._shown_total():
            self._empty.set_text(tr("No pair has this reason."), tr("Show all"))
        else:
            self._empty.set_text(_NONE)

    def _shown_total(self) -> int:
        return self._found.duplicates.total if self._found is not None else 0

    def _read_pair(self) -> None:
        session = self._session
        session.jobs.cancel(_PAIR)
        question = None
        if self._key is not None:
            question = PairQuestion.of(session, *self._key.split("\n"))
        self._pair.setEnabled(question is not None)
        if question is not None:
            work = partial(find_two, question)
            session.jobs.run(_PAIR, work, self._on_pair, failed=self._on_pair_failed)
        self.available_changed.emit()

    def _on_pair(self, sides: tuple[PairSide, PairSide]) -> None:
        self._pair.set_sides(*sides)

    def _on_pair_failed(self, error: BaseException) -> None:
        if not isinstance(error, MemoryNotFound | KeyError):  # else the list is made anew soon
            self._session.messages.report(error)

    def _show_state(self) -> None:
        found, running = self._found, self._is_waiting
        listed = len(self.table.rows)
        has_pair = bool(listed) and self._key is not None and not running
        is_apart = self._which.value == "apart"
        if found is None or running:
            self._count.setText("")
        else:
            total, pairs = found.duplicates.total, len(found.duplicates.pairs)
            said = tr_n("{total:,} pair found", "{total:,} pairs found", total, total=total)
            cut = tr(", the likeliest {pairs:,} are listed", pairs=pairs) if pairs < total else ""
            old = tr("  ·  The vault changed since: look again.") if self._is_stale else ""
            self._count.setText(
                tr(
                    "{said}{cut}; {apart:,} kept apart.{old}",
                    said=said,
                    cut=cut,
                    apart=len(found.apart),
                    old=old,
                )
            )
        refusal = (self._session.read_only_reason or "") if self._session.is_open else ""
        self._merge.setToolTip(refusal or tr("See both and the outcome side by side (Enter or M)"))
        self._merge.setEnabled(has_pair)
        self._apart.setText(tr("&Offer it again") if is_apart else tr("&Not duplicates"))
        self._apart.setToolTip(
            tr("List the pair among the duplicates again")
            if is_apart
            else tr("Remember that the two are not the same one (N); nothing in the vault changes")
        )
        self._apart.setEnabled(has_pair)
        self._again.setEnabled(self._session.is_open and not running)
        self._again.setToolTip(tr("Compare all texts again"))

    @Slot(str)
    def _on_selected(self, key: str) -> None:
        self._key = key
        self._read_pair()

    @Slot(str)
    def _on_which(self, _value: str) -> None:
        self._show()

    # What happens.

    @Slot()
    def _on_merge(self, _what: object = None) -> None:
        if self._key is not None and self.table.rows:
            a_id, b_id = self._key.split("\n")
            self.merge_requested.emit(a_id, b_id)

    @Slot()
    def _on_apart(self, _checked: bool = False) -> None:
        self.keep_apart()

    def keep_apart(self) -> None:
        """Remember that the pair on screen is none; in the list of those, forget it."""
        session, pair = self._session, self.pair
        if pair is None or not self._apart.isEnabled():
            return
        vault, apart = session.vault, self._which.value != "apart"
        keep = partial(change_apart, vault.companion, vault.brain.id, [pair], apart=apart)
        self._keeping += 1
        session.jobs.write(keep, self._on_kept, failed=self._on_not_kept)

    def _on_not_kept(self, error: BaseException) -> None:
        self._keeping -= 1
        self._session.messages.report(error)

    def _on_kept(self, apart: Apart) -> None:
        self._keeping -= 1
        self._set_apart(apart)

    def _set_apart(self, apart: Apart) -> None:
        if self._found is not None:
            gone = self._found.apart - apart
            self._found = FoundDuplicates(self._found.snapshot, self._found.duplicates, apart)
            if gone and not self._is_large:
                self._is_stale = True  # the pair may not have been looked for
            self._show()

    @property
    def _is_large(self) -> bool:
        return len(self._session.snapshot.memories) > _AT_ONCE

    @Slot()
    def _on_vault_opened(self) -> None:
        self._forget()
        if self.isVisible():
            self._look()

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        self._is_stale = True
        if not self.isVisible() or self._found is None:
            return
        self._show()  # without those that are gone
        if not self._is_large:
            self._look_again()

    def _look_again(self) -> None:
        """Behind what is shown; it stays until then."""
        session = self._session
        self._is_stale = False
        work = partial(_find, session.vault, session.snapshot, self._said.emit)
        session.jobs.run(_FIND, work, self._on_found, failed=self._on_failed)

    @Slot()
    def _forget(self) -> None:
        self._soon.stop()
        for key in (_FIND, _ROWS, _PAIR, _APART):
            self._session.jobs.cancel(key)
        self._found, self._key, self._is_stale = None, None, True
        self._is_waiting = False
        self.table.set_rows([])
        self._empty.set_text("", _LOOK)
        self._pages.setCurrentWidget(self._empty)
        self.available_changed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._session.is_open and not self._session.jobs.is_running(_FIND):
            if self._found is None:
                self._look()
            elif self._is_stale and not self._is_large:
                self._look_again()
            else:  # the editor keeps pairs apart, too
                work = partial(_read_apart, self._session.vault)
                self._session.jobs.run(_APART, work, self._set_apart)
        self.available_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.available_changed.emit()


def _find(vault: Vault, snapshot: Snapshot, say: object, token: CancelToken) -> FoundDuplicates:
    apart = read_apart(vault.companion, vault.brain.id)
    found = find_duplicates(
        vault,
        snapshot,
        apart=apart,
        cancelled=token.is_cancelled,
        progress=say,  # type: ignore[arg-type] # a signal's emit
    )
    return FoundDuplicates(snapshot, found, apart)


def _read_apart(vault: Vault, _token: CancelToken) -> Apart:
    return read_apart(vault.companion, vault.brain.id)
