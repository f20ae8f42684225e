"""Which columns the list shows, in which order and how wide: by the room, or as chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHeaderView, QMenu

from mvdesk.ui.models.list_columns import COLUMNS, SORT_KEYS, Column
from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.column_dialog import ColumnDialog
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.widgets.table_view import TableView

Widths = tuple[tuple[str, int], ...]
"""Names of columns from left to right, each with its width in px at text scale 1."""

LEAST_TITLE_PX: Final = 140
LEAST_COLUMN_PX: Final = 40
LARGEST_COLUMN_PX: Final = 2_000
_BY_ROOM: Final = (
    (0, {Column.CONFIDENCE: 108}),
    (340, {Column.CONFIDENCE: 108, Column.IMPORTANCE: 108}),
    (440, {Column.TYPE: 60, Column.CONFIDENCE: 108, Column.IMPORTANCE: 108}),
    (540, {Column.TYPE: 60, Column.SOURCE: 96, Column.CONFIDENCE: 108, Column.IMPORTANCE: 108}),
    (600, {Column.TYPE: 92, Column.SOURCE: 104, Column.CONFIDENCE: 116, Column.IMPORTANCE: 116}),
    (
        800,
        {
            Column.TYPE: 92,
            Column.SOURCE: 120,
            Column.CONFIDENCE: 136,
            Column.IMPORTANCE: 136,
            Column.UPDATED: 108,
        },
    ),
)
"""From which width in px which columns are shown, and how wide; the title takes the rest."""


class ListColumns(QObject):
    """Arranges the columns of the list's table.

    Until somebody chooses, as many columns are shown as there is room for. What is chosen,
    moved or widened by hand stays, and the table scrolls sideways where that needs more room.
    """

    changed = Signal()  # by the person
    sort_requested = Signal(int, bool)  # column, descending; from the header's menu

    def __init__(self, table: TableView) -> None:
        super().__init__(table)
        self._table = table
        self._chosen: Widths = ()
        self._shown: dict[Column, int] = {}
        self._is_placing = False
        table.resized.connect(self.fit)
        header = table.horizontalHeader()
        header.setSectionsMovable(True)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._on_menu_requested)
        header.sectionMoved.connect(self._on_section_moved)
        header.sectionResized.connect(self._on_section_resized)

    @property
    def chosen(self) -> Widths:
        """What the person chose, empty for as many as there is room for."""
        return self._chosen

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns from left to right."""
        header = self._table.horizontalHeader()
        places = (header.logicalIndex(place) for place in range(header.count()))
        return tuple(Column(c) for c in places if not header.isSectionHidden(c))

    def choose(self, widths: Widths) -> None:
        """Show these columns; none means as many as there is room for. Never emits."""
        known = dict(widths)
        clean = {
            name: min(max(width, LEAST_COLUMN_PX), LARGEST_COLUMN_PX)
            for name, width in known.items()
            if name in SORT_KEYS
        }
        if clean and "title" not in clean:
            clean = {"title": LEAST_TITLE_PX, **clean}
        self._chosen = tuple(clean.items())
        self._shown = {}
        self.fit()

    @Slot()
    def fit(self) -> None:
        """Follow the width of the table."""
        if self._chosen:
            self._fit_chosen()
            return
        width = self._table.width() / applied().scale
        columns = next(shown for least, shown in reversed(_BY_ROOM) if width >= least)
        if columns != self._shown:
            self._shown = columns
            self._place([Column.TITLE, *columns])
            self._table.set_column_widths({int(c): w for c, w in columns.items()}, Column.TITLE)

    def ask(self) -> ColumnDialog:
        """Open the dialog that chooses columns."""
        shown = [COLUMNS[column].name for column in self.shown]
        widths = dict(self._widths_now())
        dialog = ColumnDialog(
            [(s.name, s.title, s.help, widths.get(s.name, s.width)) for s in COLUMNS],
            shown,
            "title",
            self._table.window(),
        )
        dialog.chosen.connect(self._on_chosen)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    # Placing.

    def _fit_chosen(self) -> None:
        look, header = applied(), self._table.horizontalHeader()
        columns = {COLUMNS[SORT_KEYS.index(name)].column: width for name, width in self._chosen}
        if columns != self._shown:
            self._shown = columns
            self._place(list(columns))
            rest = {int(c): w for c, w in columns.items() if c != Column.TITLE}
            self._is_placing = True
            self._table.set_column_widths(rest, -1)
            self._is_placing = False
        others = sum(header.sectionSize(c) for c in columns if c != Column.TITLE)
        least = look.px(max(columns[Column.TITLE], LEAST_TITLE_PX))
        self._is_placing = True
        header.resizeSection(Column.TITLE, max(least, self._table.viewport().width() - others))
        self._is_placing = False

    def _place(self, columns: list[Column]) -> None:
        """Show `columns` in this order and hide the others."""
        header = self._table.horizontalHeader()
        self._is_placing = True
        others = [column for column in Column if column not in columns]
        for place, column in enumerate([*columns, *others]):
            header.moveSection(header.visualIndex(column), place)
            self._table.setColumnHidden(column, column in others)
        self._is_placing = False

    def _widths_now(self) -> Widths:
        """The columns as they are, for keeping; the title's width is the least it gets."""
        look, header = applied(), self._table.horizontalHeader()
        known = dict(self._chosen)
        return tuple(
            (
                COLUMNS[column].name,
                known.get("title", LEAST_TITLE_PX)
                if column == Column.TITLE
                else round(header.sectionSize(column) / look.scale),
            )
            for column in self.shown
        )

    def _keep(self, widths: Widths) -> None:
        self.choose(widths)
        self.changed.emit()

    # What the person does.

    @Slot(int, int, int)
    def _on_section_moved(self, _column: int, _old: int, _new: int) -> None:
        if not self._is_placing:
            self._keep(self._widths_now())

    @Slot(int, int, int)
    def _on_section_resized(self, column: int, _old: int, new: int) -> None:
        look, header = applied(), self._table.horizontalHeader()
        if self._is_placing or header.isSectionHidden(column):
            return
        if header.sectionResizeMode(column) == QHeaderView.ResizeMode.Stretch:
            return
        if column != Column.TITLE and new == look.px(self._shown.get(Column(column), 0)):
            return  # following the text scale
        widths = dict(self._widths_now())
        widths[COLUMNS[column].name] = round(new / look.scale)
        self._chosen = tuple(widths.items())
        self._shown = {Column(SORT_KEYS.index(name)): width for name, width in widths.items()}
        # Kept for the next change of scale; while the pointer holds an edge, no other moves.
        self._table.note_column_widths(
            {int(c): w for c, w in self._shown.items() if c != Column.TITLE}
        )
        self.changed.emit()

    @Slot(object)
    def _on_chosen(self, widths: Widths) -> None:
        self._keep(widths)

    @Slot(QPoint)
    def _on_menu_requested(self, place: QPoint) -> None:
        header = self._table.horizontalHeader()
        menu = self.make_menu(header.logicalIndexAt(place))
        menu.popup(header.viewport().mapToGlobal(place))

    def make_menu(self, column: int) -> QMenu:
        """The menu of a column's header; −1 for the room beside them."""
        menu = QMenu(self._table)
        menu.setObjectName("columnMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if column >= 0:
            title = COLUMNS[column].title
            for name, what in (
                (tr("Sort ascending"), "ascending"),
                (tr("Sort descending"), "descending"),
            ):
                menu.addAction(name).setData((what, column))
            if column != Column.TITLE:
                menu.addAction(tr("Hide {title}", title=title)).setData(("hide", column))
            menu.addSeparator()
        for spec in COLUMNS[1:]:
            action = menu.addAction(spec.title)
            action.setCheckable(True)
            action.setChecked(spec.column in self.shown)
            action.setToolTip(spec.help)
            action.setData(("toggle", int(spec.column)))
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addAction(tr("Choose columns…")).setData(("ask", -1))
        usual = menu.addAction(tr("As many as there is room for"))
        usual.setData(("usual", -1))
        usual.setEnabled(bool(self._chosen))
        menu.triggered.connect(self._on_menu_triggered)
        return menu

    @Slot(QAction)
    def _on_menu_triggered(self, action: QAction) -> None:
        what, column = action.data()
        if what in ("ascending", "descending"):
            self.sort_requested.emit(column, what == "descending")
        elif what == "ask":
            self.ask()
        elif what == "usual":
            self._keep(())
        else:
            self._toggle(Column(column))

    def _toggle(self, column: Column) -> None:
        spec, widths = COLUMNS[column], dict(self._widths_now())
        if spec.name in widths:
            del widths[spec.name]
        else:
            widths[spec.name] = spec.width
        self._keep(tuple(widths.items()))
