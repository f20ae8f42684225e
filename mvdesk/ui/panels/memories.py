"""The memory list: every memory of the brain in one table, sorted, filtered, selected."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QStackedWidget, QVBoxLayout, QWidget

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.list_text import ListTable
from mvdesk.ui.looking import Place
from mvdesk.ui.models.list_columns import COLUMNS, LARGEST_FIRST, SORT_KEYS, Column
from mvdesk.ui.models.memory_delegate import MemoryDelegate
from mvdesk.ui.models.memory_table import MemoryTableModel
from mvdesk.ui.panels.list_columns import ListColumns
from mvdesk.ui.panels.list_empty import why_empty
from mvdesk.ui.panels.list_selecting import ListSelecting
from mvdesk.ui.panels.search_bar import SearchBar
from mvdesk.ui.theme import is_look_change, set_role
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.selecting_table import SelectingTable
from mvdesk.ui.widgets.selection_bar import SelectionBar
from mvdesk.vault.questions.query import parse_query
from mvdesk.vault.questions.word_spans import find_field_spans
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent, QShowEvent

    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.snapshot import Snapshot

_ELSEWHERE: Final = tr(
    "The selected memory isn't in this list. The editor keeps it. <a href='why'>Why isn't it?</a>"
)
_IN_TEXT: Final = -1
_MARKED: Final[dict[int, str]] = {
    Column.TITLE: "title",
    Column.KEY: "key",
    Column.TAGS: "tag",
    Column.SOURCE: "source",
    _IN_TEXT: "",
}
_RELEVANCE: Final = ("relevance", True, tr("Relevance, best hits first"))
_ORDERS: Final = (
    ("title", False, tr("Title, A to Z")),
    ("type", False, tr("Type")),
    ("source", False, tr("Source")),
    ("confidence", False, tr("Confidence, lowest first")),
    ("confidence", True, tr("Confidence, highest first")),
    ("importance", False, tr("Importance, lowest first")),
    ("importance", True, tr("Importance, highest first")),
    ("updated", True, tr("Edited, newest first")),
    ("updated", False, tr("Edited, oldest first")),
    ("created", True, tr("Made, newest first")),
    ("created", False, tr("Made, oldest first")),
)


class MemoriesPanel(QWidget):
    """Session and table, joined: the same order, the same selection, the same scores."""

    new_requested = Signal()  # somebody wants to write a new memory
    why_requested = Signal(str)  # why is this memory listed, or isn't it? its id
    row_menu_opening = Signal(object)  # the QMenu of a row, to add to
    delete_requested = Signal()  # of what is selected
    copy_requested = Signal()
    links_dropped = Signal(object, str)  # ids of memories, the id of the one they were dropped on

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("memoriesPanel")
        self.setAccessibleName(tr("Memories"))
        self._session = session
        self._snapshot: Snapshot | None = None  # the one in the model
        self._is_stale = False  # others are in front, and scores or order moved
        self._goes_to_selected = False  # once the order asked for is there
        self._empty_action: Callable[[], None] = self.focus_search
        self._build()
        self._connect()
        self._show_all()

    def set_compact(self, is_compact: bool) -> None:
        """Lower rows, or the usual ones."""
        self._table.set_compact(is_compact)

    def list_table(self, rows: IntArray) -> ListTable:
        """These memories, with the columns that are shown, as the list shows them."""
        return ListTable(self._model.cells, rows, self.columns.shown)

    def focus_search(self) -> None:
        """Put the caret into the search box, its text selected."""
        self.search.focus_search()

    # Building.

    def _build(self) -> None:
        self.header = PanelHeader(tr("Memories"))
        self._sort = IconButton("sort", tr("Sort the list"))
        self._sort.setObjectName("sortButton")
        self._sort.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self._sort_menu = QMenu(self._sort)
        self._sort.setMenu(self._sort_menu)
        self._archived = IconButton("archive", tr("Show archived memories too"))
        self._archived.setObjectName("archivedToggle")
        self._archived.setCheckable(True)
        self._new = IconButton("add", tr("New memory (Ctrl+N)"))
        self._new.setObjectName("newMemory")
        for button in (self._sort, self._archived, self._new):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.header.add_action(button)
        self.search = SearchBar(self._session)
        self._model = MemoryTableModel(self)
        self._table = SelectingTable(tr("Memories"))
        self._table.setObjectName("memoryList")
        self._table.setModel(self._model)
        self._delegate = MemoryDelegate(self._model, self._table)
        self._table.setItemDelegate(self._delegate)
        self._table.set_descending_first(LARGEST_FIRST)
        self._table.set_keeps_current(True)
        self.columns = ListColumns(self._table)
        self.selection_bar = SelectionBar()
        self.selecting = ListSelecting(self._session, self._table, self._model, self.selection_bar)
        self._table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._empty = EmptyState()
        self._pages = QStackedWidget()
        self._pages.addWidget(self._table)
        self._pages.addWidget(self._empty)
        # Below the list: above it the rows would jump while somebody types a filter.
        self._elsewhere = QLabel(_ELSEWHERE)
        self._elsewhere.setObjectName("listNote")
        self._elsewhere.setWordWrap(True)
        self._elsewhere.setContentsMargins(12, 6, 12, 6)
        self._elsewhere.hide()
        set_role(self._elsewhere, "mutedCaption")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.search)
        column.addWidget(self._pages, 1)
        column.addWidget(self._elsewhere)
        column.addWidget(self.selection_bar)
        self.setFocusProxy(self._table)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _connect(self) -> None:
        session = self._session
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_vault_closed)
        session.vault_changed.connect(self._on_vault_changed)
        session.scores_changed.connect(self._on_scores_changed)
        session.order_changed.connect(self._on_order_changed)
        session.selection_changed.connect(self._on_session_selected)
        session.write_finished.connect(self._on_write_finished)
        session.preview_view_changed.connect(self._on_preview_view_changed)
        session.unsaved.changed.connect(self._show_unsaved)
        session.search_changed.connect(self._show_marks)
        self.search.left.connect(self._on_search_left)
        self._elsewhere.linkActivated.connect(self._on_why_absent)
        self._archived.toggled.connect(session.set_show_archived)
        self._new.clicked.connect(self._on_new_clicked)
        self._sort_menu.aboutToShow.connect(self._fill_sort_menu)
        self._sort_menu.triggered.connect(self._on_sort_chosen)
        self._table.sort_requested.connect(self._on_sort_requested)
        self.columns.sort_requested.connect(self._on_sort_requested)
        self.columns.changed.connect(self._on_columns_changed)
        self._table.delete_asked.connect(self.delete_requested)
        self._table.dropped.connect(self._on_dropped)
        self._table.copy_asked.connect(self.copy_requested)
        self._table.customContextMenuRequested.connect(self._on_context_menu_requested)
        self._empty.action_requested.connect(self._on_empty_action)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.columns.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_stale:  # it came to the front of its tabs: of that Qt says nothing else
            QTimer.singleShot(0, self, self._catch_up)

    def _is_seen(self) -> bool:
        """Whether it is shown, and not behind another panel's tab."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    @Slot()
    def _catch_up(self) -> None:
        if self._is_stale and self._session.is_open:
            self._is_stale = False
            self._on_scores_changed()
            self._on_order_changed()

    # Showing.

    def _show_all(self) -> None:
        """Put the session's memories into the table; what was in view stays there.

        That is the selected row, or the place scrolled to when the row is out of view.
        """
        session, scrolled = self._session, self._table.verticalScrollBar().value()
        selected_y = self._table.current_y()
        is_same = self._snapshot is not None and session.is_open
        self._snapshot = session.snapshot if session.is_open else None
        if self._snapshot is not None:
            snapshot = self._snapshot
            links = snapshot.link_counts[:, 0]
            self._model.set_table(
                snapshot.memories, snapshot.sources, session.order, links, session.groups
            )
            self.selecting.show_marks()
            self._show_scores()
            self._show_unsaved()
        self._show_selection()
        if is_same and selected_y is not None:
            self._table.put_current(selected_y)
        elif is_same:
            self._table.verticalScrollBar().setValue(scrolled)
        self._show_state()

    @Slot()
    def _on_columns_changed(self) -> None:
        if self._snapshot is not None and self._session.is_open:
            self._show_scores()

    def _show_scores(self) -> None:
        session = self._session
        committed = session.committed_scores if session.overlay else None
        self._model.set_moment(session.now, self._trust_shown())
        self._model.set_scores(session.scores, committed)

    def _trust_shown(self) -> FloatArray | None:
        """The trust of each memory's source, what is tried included; None when nobody sees it."""
        if Column.TRUST not in self.columns.shown:
            return None
        snapshot, tried = self._session.snapshot, self._session.overlay
        found = {snapshot.key_index(key): trust for key, trust in tried.items()}
        known = {key: trust for key, trust in found.items() if key is not None}
        return snapshot.trust_per_row(snapshot.sources.with_trust(known) if known else None)

    @Slot(str)
    def _on_preview_view_changed(self, view: str) -> None:
        self._model.set_split(on=view == "split")

    @Slot()
    def _show_unsaved(self) -> None:
        if self._snapshot is not None:
            rows = map(self._snapshot.row_of, self._session.unsaved.memory_ids)
            self._model.set_unsaved(frozenset(row for row in rows if row is not None))

    def _show_selection(self) -> None:
        session = self._session
        row = session.selected_row if session.is_open else None
        is_listed = self.selecting.show_current() >= 0
        if not is_listed and row is not None:
            is_listed = self._model.group_of_table_row(row) is not None
        self._elsewhere.setVisible(row is not None and not is_listed)

    def _show_state(self) -> None:
        """Counts, sort mark, filter and toggle, and the sentence when there is no row."""
        session = self._session
        if not session.is_open:
            self.header.set_detail("")
            return
        column = SORT_KEYS.index(session.sort_column) if session.sort_column in SORT_KEYS else -1
        self._table.set_sort(column, session.sort_descending)
        self._sort.set_text(
            tr("Sort the list (now: {order_name})", order_name=_order_name(session))
        )
        with QSignalBlocker(self._archived):
            self._archived.setChecked(session.show_archived)
        self._new.setEnabled(not session.read_only_reason)
        self._show_counts()

    def _show_counts(self) -> None:
        session = self._session
        shown, all_ = len(session.order), len(session.snapshot.memories)
        active = session.snapshot.active_count
        archived_too = session.show_archived or parse_query(session.filter_text).asks_for_archived
        listed = all_ if archived_too else active
        filters = self.search.count_filters()
        self.header.set_detail(_say_count(shown, listed, filters))
        self.selecting.show_counts()
        if not shown:
            why = why_empty(
                session,
                archived=all_ - active,
                listed=listed,
                filters=filters,
                clear=self.search.clear,
                start_new=self.new_requested.emit,
            )
            self._empty.set_text(why.text, why.action)
            self._empty_action = why.do
        focus = QApplication.focusWidget()
        has_focus = focus is not None and self._empty.isAncestorOf(focus)
        self._pages.setCurrentIndex(0 if shown else 1)
        if shown and has_focus:  # its button is gone: Qt would go on to whatever comes next
            self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _show_marks(self) -> None:
        """Mark what is searched for: in titles, keys, tags, sources, and in the editor's text."""
        matches = self._session.matches
        finders = {}
        for column, field in _MARKED.items():
            if matches is not None:
                words = find_field_spans(matches.query, matches.ways, field)
                if not words.is_empty:
                    finders[column] = words.find
        find = finders.pop(_IN_TEXT, None)
        self._delegate.marks.set_finders(finders)
        self._session.looking.set_word_finder(find)
        self._table.viewport().update()
        self._show_state()

    # What the session says.

    @Slot()
    def _on_vault_opened(self) -> None:
        self._snapshot = None
        self._show_all()
        self._table.scrollToTop()

    @Slot()
    def _on_vault_closed(self) -> None:
        self._show_all()

    @Slot(object)
    def _on_vault_changed(self, _changes: ChangeSet) -> None:
        self._show_all()

    @Slot()
    def _on_scores_changed(self) -> None:
        if self._snapshot is not self._session.snapshot:
            return  # the vault changed as well, and that is said next
        if self._is_seen():
            self._show_scores()
        else:
            self._is_stale = True

    @Slot()
    def _on_order_changed(self) -> None:
        if self._snapshot is not self._session.snapshot:
            return  # the vault changed as well, and that is said next
        if not self._is_seen():
            self._is_stale = True
            return
        self._model.set_order(self._session.order, self._session.groups)
        self._table.set_keeps_current(True)
        self._show_selection()
        if self._goes_to_selected:
            self._goes_to_selected = False
            self._table.put_current()
        self._show_state()

    @Slot(str, bool)
    def _on_write_finished(self, _action: str, written: bool) -> None:
        # Another program's write leaves alone what the person scrolled to; an own one doesn't.
        if written:
            self._table.put_current()

    @Slot(object)
    def _on_session_selected(self, _memory_id: str | None) -> None:
        self._show_selection()

    # What the person does.

    @Slot(int, bool)
    def _on_sort_requested(self, column: int, descending: bool) -> None:
        self._sort_by(SORT_KEYS[column], descending)

    @Slot(QAction)
    def _on_sort_chosen(self, action: QAction) -> None:
        key, descending = action.data()
        self._sort_by(str(key), bool(descending))

    def _sort_by(self, key: str, descending: bool) -> None:
        # Only a moving score keeps the selected row where it is on screen.
        session = self._session
        self._table.set_keeps_current(False)
        self._goes_to_selected = (key, descending) != (session.sort_column, session.sort_descending)
        session.set_sort(key, descending)
        self._show_state()

    @Slot(object, int)
    def _on_dropped(self, ids: list[str], place: int) -> None:
        target = self._model.memory_id(place)
        if target is not None:
            self.links_dropped.emit(ids, target)

    @Slot()
    def _on_search_left(self) -> None:
        """From the filter field to the list, onto its first row when none is selected."""
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self._table.selectionModel().hasSelection():
            self._table.select_row(0)

    @Slot(str)
    def _on_why_absent(self, _link: str) -> None:
        if self._session.selected_id is not None:
            self.why_requested.emit(self._session.selected_id)

    @Slot()
    def _on_new_clicked(self) -> None:
        self.new_requested.emit()

    @Slot()
    def _on_empty_action(self) -> None:
        self._empty_action()

    @Slot()
    def _fill_sort_menu(self) -> None:
        menu, session = self._sort_menu, self._session
        menu.clear()
        for key, descending, name in self._orders():
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked((key, descending) == (session.sort_column, session.sort_descending))
            action.setData((key, descending))

    def _orders(self) -> list[tuple[str, bool, str]]:
        """The usual orders, and by each further column that is shown, both ways."""
        usual = {key for key, _, _ in _ORDERS}
        further = [COLUMNS[c] for c in self.columns.shown if COLUMNS[c].name not in usual]
        ways = ((True, "descending"), (False, "ascending"))
        more = [(s.name, way, f"{s.title}, {said}") for s in further for way, said in ways]
        first = [_RELEVANCE] if parse_query(self._session.filter_text).words else []
        return [*first, *_ORDERS, *more]

    @Slot(QPoint)
    def _on_context_menu_requested(self, place: QPoint) -> None:
        index = self._table.indexAt(place)
        row = index.row() if index.isValid() else self._table.currentIndex().row()
        memory_id = self._model.memory_id(row)
        if memory_id is None:
            return
        title = self._model.text(self._model.table_row(row), Column.TITLE)
        menu = QMenu(self._table)
        menu.setObjectName("memoryMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        kind = "importance" if index.column() == Column.IMPORTANCE else "confidence"
        score = getattr(self._session.scores, kind)[self._model.table_row(row)]
        why = menu.addAction(
            tr("Why is its {kind} {score:.2f}?", kind=KIND_WORDS[kind], score=score)
        )
        why.triggered.connect(partial(self._on_why_asked, memory_id, kind))
        menu.addSeparator()
        for name, text in ((tr("Copy title"), title), (tr("Copy id"), memory_id)):
            action = menu.addAction(name)
            action.triggered.connect(partial(_copy, text))
        if self._session.filter_text:
            menu.addAction(tr("Why is it found?"), partial(self.why_requested.emit, memory_id))
        self.row_menu_opening.emit(menu)
        menu.popup(self._table.viewport().mapToGlobal(place))

    def _on_why_asked(self, memory_id: str, kind: str, _checked: bool = False) -> None:
        self._session.select(memory_id)
        self._session.looking.go_to(Place("explain", kind))


def _copy(text: str, _checked: bool = False) -> None:
    QGuiApplication.clipboard().setText(text)


def _say_count(shown: int, listed: int, filters: int) -> str:
    if not filters:
        return _count(listed)
    return tr("{shown:,} of {listed:,}", shown=shown, listed=listed) + (
        tr(", {filters} filters", filters=filters) if filters > 1 else ""
    )


def _count(number: int) -> str:
    return tr_n("1 memory", "{number:,} memories", number, number=number)


def _order_name(session: VaultSession) -> str:
    wanted = (session.sort_column, session.sort_descending)
    if session.sort_column == _RELEVANCE[0]:
        return _RELEVANCE[2]
    column = COLUMNS[SORT_KEYS.index(session.sort_column)]
    other = f"{column.title}, {tr('descending') if session.sort_descending else tr('ascending')}"
    return next((name for *order, name in _ORDERS if tuple(order) == wanted), other)
