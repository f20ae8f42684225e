"""The actions about the list: columns, rows, groups, copies, exports, links by dragging."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction, QCursor, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from mvdesk.records import RELATIONS, shortened
from mvdesk.ui.bulk import BulkChoice
from mvdesk.ui.bulk_commands import ACTIONS
from mvdesk.ui.list_text import ExportCancelled, as_csv, as_text, export_csv
from mvdesk.ui.settings import ListLook
from mvdesk.ui.widgets.menu_heading import add_heading
from mvdesk.ui.widgets.selecting_table import dragged_ids
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from PySide6.QtGui import QDragMoveEvent, QDropEvent

    from mvdesk.arrays import IntArray
    from mvdesk.ui.actions import Actions
    from mvdesk.ui.bulk_commands import BulkCommands
    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.list_text import ListTable
    from mvdesk.ui.panels.memories import MemoriesPanel
    from mvdesk.ui.plots.graph_scene import GraphView
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import Settings

_ABOUT_ONE: Final = ("pin", "linkTo", "upkeepReinforce")
_COPIED: Final = ("copyMemoryLink", "copyRows", "copyRowsCsv")
_GROUPINGS: Final = {"groupNone": "", "groupSource": "source", "groupType": "type"}
_MOST_COPIED: Final = 100_000
_COPIED_AT_ONCE: Final = 100
_COPY_JOB: Final = tr("copy list")
_LETTERS: Final = {
    "related": "&related",
    "supports": "&supports",
    "contradicts": "&contradicts",
    "supersedes": "s&upersedes",
    "causes": "c&auses",
    "example_of": tr("&example of"),
}


class ListCommands(QObject):
    """Shows the list as it was left last time, and does what its actions and menus ask for."""

    def __init__(
        self,
        session: VaultSession,
        settings: Settings,
        actions: Actions,
        panel: MemoriesPanel,
        bulk: BulkCommands,
        files: FileDialogs,
    ) -> None:
        super().__init__(panel)
        self._session, self._settings = session, settings
        self._actions, self._panel, self._bulk, self._files = actions, panel, bulk, files
        self._graph: GraphView | None = None
        self._dropped: tuple[Sequence[str], str] = ((), "")
        self._look = settings.read_list_look()
        panel.columns.choose(self._look.columns)
        panel.set_compact(self._look.compact)
        actions["compactRows"].setChecked(self._look.compact)
        menu = QMenu(panel.selection_bar)
        bulk.fill_menu(menu)
        panel.selection_bar.set_menu(menu)
        self._connect()

    def _connect(self) -> None:
        actions, panel, session = self._actions, self._panel, self._session
        panel.columns.changed.connect(self._keep)
        panel.row_menu_opening.connect(self._on_row_menu_opening)
        panel.delete_requested.connect(actions["deleteSelected"].trigger)
        panel.copy_requested.connect(actions["copyRows"].trigger)
        panel.links_dropped.connect(self._on_links_dropped)
        session.vault_opened.connect(self._on_vault_opened)
        session.order_changed.connect(self._show)
        for name, slot in (
            ("chooseColumns", self._on_choose_columns),
            ("exportList", self._on_export),
            ("copyRows", self._on_copy),
            ("copyRowsCsv", self._on_copy_csv),
            ("collapseGroups", self._on_collapse),
            ("expandGroups", self._on_expand),
            *((name, self._on_group) for name in _GROUPINGS),
        ):
            actions[name].triggered.connect(slot)
        actions["compactRows"].toggled.connect(self._on_compact)

    # How the list looks.

    @Slot()
    def _keep(self) -> None:
        compact = self._actions["compactRows"].isChecked()
        session = self._session
        group = session.group if session.is_open else self._settings.read_list_look().group
        self._look = ListLook(self._panel.columns.chosen, compact, group)
        self._settings.write_list_look(self._look)

    @Slot()
    def _on_vault_opened(self) -> None:
        self._look = replace(self._look, group=self._settings.read_list_look().group)
        self._session.set_group(self._look.group)
        self._show()

    @Slot()
    def _show(self) -> None:
        for name, kind in _GROUPINGS.items():
            self._actions[name].setChecked(self._session.group == kind)

    @Slot(bool)
    def _on_choose_columns(self, _checked: bool) -> None:
        if self._session.is_open:
            self._panel.columns.ask()

    @Slot(bool)
    def _on_compact(self, on: bool) -> None:
        self._panel.set_compact(on)
        self._keep()

    @Slot(bool)
    def _on_group(self, _checked: bool) -> None:
        action = self.sender()
        assert isinstance(action, QAction)
        self._session.set_group(_GROUPINGS[action.objectName().removesuffix("Action")])
        self._keep()

    @Slot(bool)
    def _on_collapse(self, _checked: bool) -> None:
        self._panel.selecting.collapse_all()

    @Slot(bool)
    def _on_expand(self, _checked: bool) -> None:
        self._panel.selecting.collapse(frozenset())

    @Slot(object)
    def _on_row_menu_opening(self, menu: QMenu) -> None:
        """Before the copies that the panel offers: what is done with the memory and with all."""
        copies = next(action for action in menu.actions() if action.text() == tr("Copy title"))
        for names in (_ABOUT_ONE, tuple(ACTIONS)):
            for name in names:
                menu.insertAction(copies, self._actions[name])
            menu.insertSeparator(copies)
        menu.addActions([self._actions[name] for name in _COPIED])

    # Copies and exports.

    def _selected_rows(self) -> IntArray:
        """What is selected, in the order of the list; what it doesn't show comes last."""
        session = self._session
        if not session.is_open:
            return np.empty(0, dtype=np.intp)
        marks = session.selection.marks
        listed = session.order[marks[session.order]]
        hidden = marks.copy()
        hidden[listed] = False
        return np.concatenate((listed, np.flatnonzero(hidden)))[:_MOST_COPIED]

    @Slot(bool)
    def _on_copy(self, _checked: bool) -> None:
        self._copy(as_text)

    @Slot(bool)
    def _on_copy_csv(self, _checked: bool) -> None:
        self._copy(as_csv)

    def _copy(self, make_text: Callable[[ListTable], str]) -> None:
        """Copy what is selected: a screenful at once, more of it in a job."""
        rows = self._selected_rows()
        if not len(rows):
            return
        table = self._panel.list_table(rows)
        if len(rows) <= _COPIED_AT_ONCE:
            self._session.jobs.cancel(_COPY_JOB)
            QGuiApplication.clipboard().setText(make_text(table))
        else:
            done = partial(self._on_copied, len(rows), self._session.selection.count)
            self._session.jobs.run(_COPY_JOB, partial(_make_text, make_text, table), done)

    def _on_copied(self, copied: int, selected: int, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        of = "" if copied == selected else tr(", the first of {selected:,}", selected=selected)
        self._session.messages.notice(
            tr("{copied:,} memories are copied{of}.", copied=copied, of=of)
        )

    @Slot(bool)
    def _on_export(self, _checked: bool) -> None:
        session = self._session
        if not session.is_open:
            return
        path = self._files.ask_table(self._panel.window(), f"{session.vault.name}.csv")
        if path is None:
            return
        table = self._panel.list_table(session.order)
        session.jobs.run(
            "export list",
            partial(export_csv, table, path),
            partial(self._on_exported, path),
            failed=self._on_export_failed,
        )

    def _on_exported(self, path: Path, count: int) -> None:
        said = tr_n("1 memory is", "{count:,} memories are", count, count=count)
        self._session.messages.notice(tr("{said} in {name}.", said=said, name=path.name))

    def _on_export_failed(self, error: BaseException) -> None:
        if not isinstance(error, ExportCancelled):
            self._session.messages.report(error)

    # Links by dragging: onto another row, or onto a memory of the graph.

    def attach_graph(self, panel: QWidget) -> None:
        """Take rows that are dropped onto the graph, too."""
        graph = self._graph = cast("GraphView", panel.findChild(QWidget, "graphView"))
        graph.viewport().setAcceptDrops(True)
        graph.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)
        if self._graph is None or event.type() not in kinds:
            return False
        drag: QDragMoveEvent | QDropEvent = event  # type: ignore[assignment]
        ids = dragged_ids(drag.mimeData())
        if not ids:
            drag.ignore()
            return False
        drag.acceptProposedAction()  # beside a memory, too: only so can it be said what to do
        if event.type() == QEvent.Type.Drop:
            target = self._graph.memory_at(drag.position().toPoint())
            if target is not None:
                self._on_links_dropped(ids, target)
            else:
                self._session.messages.notice(tr("To link, drop onto a memory of the graph."))
        return True

    @Slot(object, str)
    def _on_links_dropped(self, ids: Sequence[str], target_id: str) -> None:
        """Ask for the relation; Escape leaves everything as it is."""
        session = self._session
        others = [memory_id for memory_id in ids if memory_id != target_id]
        if session.read_only_reason:
            session.messages.notice(session.read_only_reason)
            return
        if not others:
            session.messages.notice(tr("A memory can't be linked to itself."))
            return
        self._dropped = (others, target_id)
        menu = self.make_relation_menu(self._panel.window())
        menu.popup(QCursor.pos())

    def make_relation_menu(self, parent: QWidget) -> QMenu:
        """The menu that asks how what was dropped is linked."""
        ids, target_id = self._dropped
        menu = QMenu(parent)
        menu.setObjectName("relationMenu")
        named = self._title(ids[0]) if len(ids) == 1 else tr("{ids:,} memories", ids=len(ids))
        add_heading(menu, tr("Link {named} to {title}", named=named, title=self._title(target_id)))
        menu.addSeparator()
        for relation in RELATIONS:
            menu.addAction(_LETTERS[relation]).setData(relation)
        menu.triggered.connect(self._on_relation_chosen)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _title(self, memory_id: str) -> str:
        row = self._session.snapshot.row_of(memory_id)
        label = "" if row is None else self._session.snapshot.memories.labels.text(row)
        return f"“{shortened(' '.join(label.split()))}”"

    @Slot(QAction)
    def _on_relation_chosen(self, action: QAction) -> None:
        ids, target_id = self._dropped
        choice = BulkChoice("link", target_id=target_id, relation=str(action.data()))
        self._bulk.write(ids, choice)


def _make_text(make_text: Callable[[ListTable], str], table: ListTable, _token: CancelToken) -> str:
    return make_text(table)
