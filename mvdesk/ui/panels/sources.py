"""Sources: all of them with their trust, or the one of the selected memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mvdesk.arrays import NO_TIME
from mvdesk.ui.models.source_columns import (
    DESCENDING_FIRST,
    TITLES,
    SourceColumn,
    SourceColumns,
    find_sources,
    order_sources,
)
from mvdesk.ui.models.source_delegate import SourceDelegate
from mvdesk.ui.models.source_table import SourceTableModel
from mvdesk.ui.moments import format_day
from mvdesk.ui.panels.source_detail import SourceDetail
from mvdesk.ui.panels.source_tracks import SourceTracks
from mvdesk.ui.source_watch import SourceWatch
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.ui.widgets.table_view import TableView
from mvdesk.ui.widgets.tall_area import TallArea
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent

    from mvdesk.ui.looking import Highlight
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

_C = SourceColumn
_ONE: Final = {_C.MEMORIES: 96, _C.TRUST: 68, _C.STATE: 76}
"""Columns and widths in px at scale 1 while only one source is shown; the name takes the rest."""
_ALL: Final = {
    _C.TRUST: 132,
    _C.MEMORIES: 86,
    _C.RANGE: 66,
    _C.MEAN: 64,
    _C.CONTRADICTED: 112,
    _C.LEVERAGE: 84,
    _C.LAST_USED: 104,
    _C.STATE: 80,
}
"""Columns of the whole table and their widths, the first ones for narrow panels."""
_NAME_PX: Final = 136
"""What the others leave to the names."""
_SORTS: Final = (
    _C.SOURCE, _C.MEMORIES, _C.TRUST, _C.STATE, _C.MEAN, _C.RANGE, _C.CONTRADICTED,
    _C.LAST_USED, _C.LEVERAGE,
)  # fmt: skip
_SLIDER_KEYS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_U, Qt.Key.Key_Delete)
"""What the table leaves to the slider; the other keys of the slider move through rows here."""
_FACTS_AFTER_MS: Final = 120
_HEADER_PX: Final = 33
_STATE_FROM_PX: Final = 340
_UNLIMITED_PX: Final = 16_777_215
_NOTHING: Final = tr("Select a memory to see how far its source is trusted.")
_NO_SOURCES: Final = tr("No memory names a source yet, and no trust is stored.")
_MEASURING: Final = tr("Measuring the sources…")
_NOT_FOUND: Final = tr("No source has these words in its name or its spellings.")
_NO_SOURCE: Final = tr("This memory names no source. Name its source first, in the editor.")


class SourcesPanel(QWidget):
    """Session and table of sources, joined: what is moved here is a preview.

    It shows all sources, or is compact and shows only the selected memory's.
    """

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sourcesPanel")
        self.setAccessibleName(tr("Sources"))
        self._session = session
        self._is_compact = True
        self._sort: tuple[int, bool] = (_C.LEVERAGE, True)
        self._watch = SourceWatch(session, self)
        self._facts_soon = QTimer(self)
        self._facts_soon.setSingleShot(True)
        self._facts_soon.setInterval(_FACTS_AFTER_MS)
        self._facts_soon.timeout.connect(self._show_facts)
        self._build()
        self._connect()
        self._arrange()
        self._refresh()

    @Slot(str)
    def show_for(self, workspace: str) -> None:
        """All sources in the workspace that is named after them, one elsewhere."""
        is_compact = workspace != "sources"
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self._arrange()
            self._refresh()

    def focus_filter(self) -> None:
        """Put the caret into the filter field, its text selected."""
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    # Building.

    def _build(self) -> None:
        self.header = PanelHeader(tr("Source"))
        self._sorts = Choice(tr("Sort the sources by"))
        self._sorts.setObjectName("sourceSort")
        self._sorts.set_choices(
            [(str(int(c)), tr("By {what}", what=TITLES[c].lower())) for c in _SORTS]
        )
        self._sorts.setToolTip(tr("Sort the sources by this; a click on a column does, too"))
        set_role(self._sorts, "compact")
        self.header.add_action(self._sorts)
        self._filter = SearchField(tr("Filter sources"))
        self._filter.setObjectName("sourceFilter")
        self._model = SourceTableModel(self)
        self._table = TableView(tr("Sources"))
        self._table.setObjectName("sourceTable")
        self._table.setModel(self._model)
        delegate = SourceDelegate(self._model, self._table)
        self._table.setItemDelegate(delegate)
        self._table.set_descending_first(frozenset(int(c) for c in DESCENDING_FIRST))
        self._table.set_keeps_current(True)
        self._table.installEventFilter(self)
        self._detail = SourceDetail(self._session)
        self._tracks = SourceTracks(self._table, self._model, delegate, self._detail)
        self._filter_row = QWidget()
        field = QVBoxLayout(self._filter_row)
        field.setContentsMargins(12, 8, 12, 8)
        field.addWidget(self._filter)
        self._empty = EmptyState(_NOTHING, icon_name="sources")
        self._scroll = TallArea(self._detail)
        self._scroll.setObjectName("sourceScroll")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._table)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        for part in (self.header, self._filter_row, self._pages, self._scroll):
            self._column.addWidget(part)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _connect(self) -> None:
        session = self._session
        for moved in (session.vault_opened, session.vault_closed, session.vault_changed):
            moved.connect(self._on_changed)
        session.scores_changed.connect(self._on_changed)
        session.selection_changed.connect(self._on_selection_changed)
        session.preview_view_changed.connect(self._on_view_changed)
        session.looking.highlight_changed.connect(self._on_highlight_changed)
        session.looking.source_changed.connect(self._on_source_changed)
        self._watch.sources_changed.connect(self._on_sources_changed)
        self._watch.values_changed.connect(self._on_values_changed)
        self._table.selectionModel().currentRowChanged.connect(self._on_row_chosen)
        self._table.sort_requested.connect(self._on_sort_requested)
        self._table.row_activated.connect(self._on_row_activated)
        self._sorts.value_chosen.connect(self._on_sort_chosen)
        self._filter.textChanged.connect(self._on_filter_changed)
        self._filter.leave_requested.connect(self._on_filter_left)
        self._filter.returnPressed.connect(self._on_filter_left)
        self._empty.action_requested.connect(self._filter.clear)

    def _arrange(self) -> None:
        """One source or all of them: what is there, and who has the keyboard."""
        compact = self._is_compact
        self.header.set_title(tr("Source") if compact else tr("Sources"))
        self._detail.set_titled(on=not compact)
        self._sorts.setVisible(not compact)
        self._filter_row.setVisible(not compact)
        self._table.horizontalHeader().setSectionsClickable(not compact)
        set_role(self._table, "plain" if compact else "")
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        usual = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self._table.setVerticalScrollBarPolicy(off if compact else usual)
        self._column.setStretchFactor(self._pages, 0 if compact else 1)
        self._column.setStretchFactor(self._scroll, 1 if compact else 0)
        self.setFocusProxy(self._detail if compact else self._table)
        self._table.set_sort(-1 if compact else self._sort[0], self._sort[1])
        self._sorts.set_value(str(int(self._sort[0])))
        self._watch.set_active(not compact and self.isVisible())
        self._fit()

    def _fit(self) -> None:
        """As many columns as there is room for; a table of one source is as high as its row."""
        look = applied()
        width = self.width() / look.scale
        if self._is_compact:
            shown = {int(c): px for c, px in _ONE.items()}
            if width < _STATE_FROM_PX:
                del shown[_C.STATE]
        else:
            shown = _columns_within(width, self._sort[0])
        for column in _C:
            self._table.setColumnHidden(column, column != _C.SOURCE and column not in shown)
        self._table.set_column_widths(shown, _C.SOURCE)
        row = self._table.verticalHeader().defaultSectionSize()
        if self._is_compact and self._pages.currentIndex():
            self._pages.setFixedHeight(look.px(_HEADER_PX) + row)
        else:
            self._pages.setMinimumHeight(0 if self._is_compact else look.px(_HEADER_PX) + 2 * row)
            self._pages.setMaximumHeight(_UNLIMITED_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._watch.set_active(not self._is_compact)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._facts_soon.stop()
        self._watch.set_active(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The slider's keys work in the table, too."""
        if event.type() == QEvent.Type.KeyPress and watched is self._table:
            key = cast("QKeyEvent", event)
            # Not for a source that the filter leaves out: nobody would see which one moves.
            is_listed = self._table.currentIndex().isValid()
            if key.key() in _SLIDER_KEYS and self._detail.key is not None and is_listed:
                slider = self._detail.control.slider
                if slider.isEnabled():
                    QCoreApplication.sendEvent(slider, event)
                    return True
        return super().eventFilter(watched, event)

    # Showing.

    def _refresh(self) -> None:
        if self._is_compact:
            self._show_one()
        else:
            self._show_order()
            self._show_all()

    def _show_one(self) -> None:
        """The source of the selected memory."""
        session = self._session
        row = session.selected_row if session.is_open else None
        key = None if row is None else session.snapshot.source_key_of_row(row)
        self._show_page("" if row is not None else _NOTHING)
        self._scroll.setVisible(row is not None)
        columns = _one_source(session, key) if row is not None else SourceColumns.empty()
        if columns.keys != self._model.columns.keys:
            self._model.set_sources(columns, columns, np.arange(len(columns)))
        else:
            self._model.set_values(columns, columns)
        self.header.set_detail("")
        self._detail.set_facts("")
        refused = row is not None and key is None
        self._detail.set_source(key, _NO_SOURCE if refused else "")

    def _show_all(self) -> None:
        """The table, as far as it was measured, and the source that is looked at."""
        session, columns = self._session, self._watch.columns
        self._scroll.setVisible(bool(len(columns)))
        if len(columns) and columns.place(session.looking.source_key) < 0:
            self._choose_first()
        self._detail.set_source(session.looking.source_key)
        self._show_facts()

    def _show_page(self, sentence: str, action: str = "") -> None:
        """The table, or a sentence in its place with what to do about it."""
        page = 0 if sentence else 1
        if sentence:
            self._empty.set_text(sentence, action)
        if page != self._pages.currentIndex():
            self._pages.setCurrentIndex(page)
            self._fit()

    def _choose_first(self) -> None:
        """The source of the selected memory, else the first of the table."""
        session = self._session
        row = session.selected_row
        key = None if row is None else session.snapshot.source_key_of_row(row)
        if self._watch.columns.place(key) < 0:
            key = self._model.key(0)
        session.looking.set_source(key)

    def _show_facts(self) -> None:
        """What the table has no room for."""
        self._facts_soon.stop()
        if self._is_compact:
            return
        columns, key = self._watch.columns, self._detail.key
        place = columns.place(key)
        if place < 0:
            self._detail.set_facts("")
            return
        model, parts = self._model, []
        said = model.tool_tip(place, _C.CONTRADICTED)
        if columns.contradicted[place]:
            parts.append(tr("contradicted: {said}", said=said))
        parts.append(model.tool_tip(place, _C.LEVERAGE))
        if columns.last_used[place] != NO_TIME:
            parts.append(
                tr("last used {last_used}", last_used=format_day(int(columns.last_used[place])))
            )
        ways = columns.spellings.get(columns.keys[place], ())
        if ways:
            parts.append(
                tr("written as ")
                + ", ".join(f"“{w.text}” ({format_number(w.memories, ',')})" for w in ways)
            )
        self._detail.set_facts(" · ".join(parts))

    def _show_order(self) -> None:
        """Sort and filter anew, by the values that are shown."""
        columns = self._watch.columns
        column, descending = self._sort
        order = order_sources(columns, column, descending=descending)
        found = find_sources(columns, self._filter.text(), order)
        if len(self._model.columns) != len(columns) or self._model.columns.keys != columns.keys:
            self._model.set_sources(columns, self._watch.before, found)
        else:
            self._model.set_values(columns, self._watch.before)
            self._model.set_order(found)
        if not len(columns):
            self._show_page(_NO_SOURCES if self._watch.is_known else _MEASURING)
        else:
            self._show_page("" if len(found) else _NOT_FOUND, tr("Clear the filter"))
        every = f"{format_number(len(columns), ',')} {tr_n('source', 'sources', len(columns))}"
        is_all = len(found) == len(columns)
        self.header.set_detail(
            every if is_all else tr("{found:,} of {every}", found=len(found), every=every)
        )
        self._point()

    def _point(self) -> None:
        """Select the row of the source that is looked at."""
        place = self._model.columns.place(self._session.looking.source_key)
        self._table.select_row(self._model.view_row(place) if place >= 0 else -1)

    # What happens.

    @Slot()
    def _on_changed(self, _what: object = None) -> None:
        if self._is_compact:
            self._show_one()
        else:
            self._detail.refresh()
            if not self._watch.is_known:
                self._show_all()

    @Slot()
    def _on_sources_changed(self) -> None:
        if not self._is_compact:
            self._refresh()
            self._point()

    @Slot()
    def _on_values_changed(self) -> None:
        if not self._is_compact:
            self._model.set_values(self._watch.columns, self._watch.before)
            if not self._facts_soon.isActive():
                self._facts_soon.start()  # words lay the panel out: not in every frame of a drag

    @Slot(object)
    def _on_selection_changed(self, _memory_id: str | None) -> None:
        if self._is_compact:
            self._show_one()
            if self._detail.key is not None:
                self._session.looking.set_source(self._detail.key)

    @Slot(object)
    def _on_source_changed(self, _key: str | None) -> None:
        if not self._is_compact:
            self._detail.set_source(self._session.looking.source_key)
            self._show_facts()
            self._point()

    @Slot(str)
    def _on_view_changed(self, view: str) -> None:
        self._model.set_split(on=view == "split")

    @Slot(object)
    def _on_highlight_changed(self, highlight: Highlight | None) -> None:
        """Mark the row while the source is the evidence that is looked at."""
        is_source = highlight is not None and highlight.source
        if not self._is_compact:
            session = self._session
            row = session.selected_row if is_source else None
            if row is not None:
                session.looking.set_source(session.snapshot.source_key_of_row(row))
        elif is_source and self._detail.key is not None:
            self._table.selectRow(0)
        else:
            self._table.clearSelection()

    @Slot()
    def _on_row_chosen(self) -> None:
        key = self._model.key(self._table.currentIndex().row())
        if not self._is_compact and key is not None:
            self._session.looking.set_source(key)

    @Slot(int)
    def _on_row_activated(self, _row: int) -> None:
        self._detail.control.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(int, bool)
    def _on_sort_requested(self, column: int, descending: bool) -> None:
        self._sort = (column, descending)
        self._table.set_sort(column, descending)
        self._sorts.set_value(str(column))
        self._fit()  # its column is shown, however narrow the table is
        self._show_order()

    @Slot(str)
    def _on_sort_chosen(self, value: str) -> None:
        column = int(value)
        self._on_sort_requested(column, column in DESCENDING_FIRST)

    @Slot(str)
    def _on_filter_changed(self, _text: str) -> None:
        self._show_order()

    @Slot()
    def _on_filter_left(self) -> None:
        """To the source that was found, unless the one that is looked at is among them."""
        if not self._table.currentIndex().isValid():
            self._table.select_row(0)
        self._table.setFocus(Qt.FocusReason.TabFocusReason)


def _columns_within(width: float, sorted_by: int) -> dict[int, int]:
    """As many columns as fit into a table: what it is sorted by is seen before others."""
    order = sorted(_ALL, key=lambda column: column not in (_C.TRUST, sorted_by))
    shown: dict[int, int] = {}
    for column in order:
        if sum(shown.values()) + _ALL[column] + _NAME_PX > width:
            break
        shown[int(column)] = _ALL[column]
    return shown


def _one_source(session: VaultSession, key: str | None) -> SourceColumns:
    """One source as columns; what only the whole table shows is left unknown."""
    snapshot = session.snapshot
    index = None if key is None else snapshot.key_index(key)
    count = 0 if index is None else int(snapshot.active_per_source[index])
    trust = None if key is None else session.trust_of(key)
    stored = None if key is None else session.trust_of(key, committed=True)
    none, nothing = np.array([np.nan]), np.array([0])
    archived = 0 if index is None else int(snapshot.sources.counts[index]) - count
    return SourceColumns(
        keys=(key or tr("No source"),),
        notes=(None if index is None else snapshot.sources.notes[index],),
        active=np.array([count]),
        archived=np.array([archived]),
        stored=_number(stored),
        trust=_number(trust),
        mean=none,
        low=none,
        median=none,
        high=none,
        contradicted=nothing,
        last_used=np.array([NO_TIME]),
        movable=nothing,
        leverage=none,
    )


def _number(trust: float | None) -> np.ndarray:
    return np.array([np.nan if trust is None else trust])
