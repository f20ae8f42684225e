"""The graph: the selected memory among those it is linked with."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent

from mvdesk.ui.looking import Place
from mvdesk.ui.panels.graph_evidence import find_evidence
from mvdesk.ui.panels.graph_frame import WHOLE, GraphFrame
from mvdesk.ui.panels.graph_keys import is_own_key, is_redo, is_undo
from mvdesk.ui.panels.graph_linking import GraphLinking
from mvdesk.ui.panels.graph_look import GraphLook
from mvdesk.ui.panels.graph_menu import MenuCalls, MenuState, fill_cap_menu, fill_graph_menu
from mvdesk.ui.panels.graph_paths import PathFinder
from mvdesk.ui.panels.graph_pinning import GraphPinning
from mvdesk.ui.panels.graph_shaping import GraphShaping
from mvdesk.ui.panels.graph_trail import Trail
from mvdesk.ui.panels.neighbours import (
    Neighbours,
    Wanted,
    compute_neighbours,
)
from mvdesk.ui.panels.whole_graph import WholeGraph
from mvdesk.ui.plots.graph_filter import NO_FILTER, GraphFilter
from mvdesk.ui.plots.graph_picture import is_same_picture
from mvdesk.ui.plots.graph_scene import EMPTY_TEXT
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.panels.graph_pinning import Pins
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.theme import ThemeController

_JOB: Final = "graph"
_DEPTHS: Final = {
    Qt.Key.Key_1: "1",
    Qt.Key.Key_2: "2",
    Qt.Key.Key_3: "3",
    Qt.Key.Key_0: WHOLE,
}
_LAYING_OUT: Final = tr("Laying out…")
_LOOKING: Final = tr("Looking up its links…")
_NOTHING_LISTED: Final = tr("No memories to show: the list is empty.")
_FIRST_FILTER: Final = replace(NO_FILTER, folds_hubs=True)
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_PAD: Final = Qt.KeyboardModifier.KeypadModifier


class GraphPanel(GraphFrame):
    """Session and graph, joined: neighbours up to three links away or the whole vault.

    Its colours are those of the preview.
    """

    reinforce_requested = Signal()  # of the memory that is selected
    graphml_requested = Signal(object)  # GraphPicture
    picture_requested = Signal(object)  # the GraphView

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Neighbours | None = None
        self._is_stale = True
        self._trail = Trail()
        self._wanted = _FIRST_FILTER
        self._whole = WholeGraph(session, self)
        self._shaping = GraphShaping(session, self)
        self._linking = GraphLinking(session, self._view, self._link_line, self._shaping)
        self._pinning = GraphPinning(session, self._shaping, self)
        self._path = PathFinder(session, self._path_row, self)
        self._look = GraphLook(session, self._view, self._facts_row, self._range_row, self)
        self._connect()
        self._view.set_filter(self._wanted)
        self._view.set_movable(True)
        if session.is_open:
            self._shaping.load()
            self._pinning.load()
        self._refresh()

    def _connect(self) -> None:
        session = self._session
        session.selection_changed.connect(self._on_selection_changed)
        session.vault_changed.connect(self._on_changed)
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_changed)
        session.scores_changed.connect(self._on_scores_changed)
        session.model_changed.connect(self._on_changed)
        session.looking.highlight_changed.connect(self._on_highlight_changed)
        self._shaping.changed.connect(self._on_shape_changed)
        self._pinning.placed.connect(self._on_placed)
        self._pinning.loaded.connect(self._on_pins_loaded)
        self._view.node_clicked.connect(session.select)
        self._view.fold_toggled.connect(self._on_fold_toggled)
        self._view.node_activated.connect(self._on_node_activated)
        self._view.legend_toggled.connect(self._on_legend_toggled)
        self._view.node_moved.connect(self._on_node_moved)
        self._view.path_requested.connect(self._on_path_requested)
        self._path.found.connect(self._show_marks)
        self._table.memory_selected.connect(session.select)
        self._table.memory_activated.connect(self._on_node_activated)
        self._whole.ready.connect(self._on_computed)
        self._whole.started.connect(self._on_layout_started)
        self._whole.problem_found.connect(session.messages.notice)
        self._look.filter_wanted.connect(self._set_filter)
        self._look.follow_wanted.connect(self._set_follows_list)
        self._look.changed.connect(self._on_look_changed)
        session.order_changed.connect(self._on_order_changed)
        self._depth.value_chosen.connect(self._on_depth_chosen)
        self._menu.aboutToShow.connect(self._on_menu_opening)
        self._back.clicked.connect(self._on_back_clicked)
        self._forward.clicked.connect(self._on_forward_clicked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._find_act(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def _find_act(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does here; None for nothing."""
        if is_undo(event):
            return self._shaping.undo
        if is_redo(event):
            return self._shaping.redo
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~_PAD
        if modifiers == _SHIFT:
            shifted = {Qt.Key.Key_H: self._shaping.show_hidden, Qt.Key.Key_E: self._stop_current}
            return shifted.get(key)
        if modifiers or (key == Qt.Key.Key_Escape and self._path.shown is None):
            return None
        if key in _DEPTHS:
            return partial(self._go_to_depth, _DEPTHS[key])
        acts: dict[Qt.Key, Callable[[], object]] = {
            Qt.Key.Key_Backspace: self._on_back_clicked,
            Qt.Key.Key_BracketLeft: self._on_back_clicked,
            Qt.Key.Key_BracketRight: self._on_forward_clicked,
            Qt.Key.Key_Slash: self._search.start,
            Qt.Key.Key_T: self._toggle_table,
            Qt.Key.Key_Escape: self._path.forget,
            Qt.Key.Key_U: self._unpin_current,
            Qt.Key.Key_H: self._hide_current,
            Qt.Key.Key_C: self._look.choose_next,
            Qt.Key.Key_Menu: self._more.showMenu,
        }
        return acts.get(key)

    def _go_to_depth(self, depth: str) -> None:
        self._depth.set_value(depth)
        self._refresh()

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and is_own_key(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._refresh()

    # Showing.

    @property
    def shaping(self) -> GraphShaping:
        """The steps of this view, with the vault's between them."""
        return self._shaping

    @property
    def _is_whole(self) -> bool:
        return self._depth.value == WHOLE

    def _refresh(self) -> None:
        """Compute the picture that is asked for; a hidden panel waits until it is seen."""
        session = self._session
        row = session.selected_row if session.is_open else None
        is_wanted = session.is_open and (self._is_whole or row is not None)
        self._is_stale = is_wanted and not self.isVisible()
        self._show_steps()
        if not is_wanted:
            session.jobs.cancel(_JOB)
            self._whole.cancel()
            self._shown = None
            self._view.set_empty_text(EMPTY_TEXT)
            self._view.set_graph(None)
            self.header.set_detail("")
            self._show_banner(0, 0)
            self._look.set_shown(None, None)
        elif self._is_stale:
            return
        elif self._is_whole:
            session.jobs.cancel(_JOB)
            self._whole.make()
        elif row is not None:
            self._whole.cancel()
            self._refresh_around(row)

    def _refresh_around(self, row: int) -> None:
        session = self._session
        before = self._shown.picture if self._shown else None
        if before is None:
            self._view.set_empty_text(_LOOKING)
            self._view.set_graph(None)
        wanted = Wanted(
            snapshot=session.snapshot,
            scores=session.scores,
            model=session.model,
            now=session.now,
            row=row,
            depth=int(self._depth.value),
            places=self._places(),
            centre_before=before.ids[0] if before and before.centre == 0 else "",
            aspect=self._view.width() / max(self._view.height(), 1),
            shape=self._shaping.shape,
            pinned=dict(self._pinning.around(session.snapshot.memories.ids.text(row)).places),
        )

        session.jobs.run(_JOB, lambda _token: compute_neighbours(wanted), self._on_computed)

    def _places(self) -> Mapping[str, tuple[float, float]]:
        if self._shown is None or self._shown.picture.centre is None:
            return {}
        picture = self._shown.picture
        places = ((float(x), float(y)) for x, y in picture.positions)
        return dict(zip(picture.ids, places, strict=True))

    def _on_computed(self, found: Neighbours) -> None:
        picture, old = found.picture, self._shown
        is_whole, edges = picture.centre is None, len(picture.edges)
        if is_whole != self._is_whole:
            return  # the other one was asked for meanwhile
        stays = old is not None and (old.picture.centre is None) == is_whole
        self._shown = found
        self._view.set_empty_text(_NOTHING_LISTED if is_whole else EMPTY_TEXT)
        shown = len(picture)
        if is_whole:
            self._show_banner(shown, shown + picture.hidden)
            picture = replace(picture, hidden=0)
            self.header.set_detail(tr("{n:,} memories, {edges:,} links", n=shown, edges=edges))
        else:
            self._show_banner(0, 0)
            around = shown - 1 + picture.hidden
            self.header.set_detail(tr("{n:,} around this one", n=around) if around else "")
        if old is None or not stays or not is_same_picture(old.picture, found.picture):
            self._view.set_graph(picture, keep_view=is_whole and stays)
        self._view.set_pinned(self._pins.pins)
        self._view.set_selected(self._session.selected_id)
        self._recolour()
        self._look.set_shown(found, self._whole.facts if is_whole else None)
        self._show_marks()
        self._search.refresh()
        if not self._table.isHidden():
            self._show_table()

    def _show_banner(self, shown: int, total: int) -> None:
        """Which part of the vault is shown, and that it isn't laid out."""
        problem = self._whole.problem if self._is_whole else ""
        said = tr("{shown:,} of {total:,} shown: strongest first", shown=shown, total=total)
        parts = [said] * (shown < total)
        self._banner.setVisible(bool(parts or problem))
        self._banner_text.setText(". ".join([*parts, problem]) if problem else "".join(parts))
        fill_cap_menu(self._caps, self._whole.limit, self._set_limit)
        if problem:
            self._caps.addSeparator()
            self._caps.addAction(tr("Lay out again")).triggered.connect(self._on_again_wanted)

    @Slot()
    def _on_again_wanted(self) -> None:
        self._lay_out_afresh()

    def _recolour(self) -> None:
        """The colours of the shown scores, whatever the picture was computed with."""
        if self._shown is not None and self._session.is_open:
            scores, rows = self._session.scores, self._shown.rows
            self._view.set_scores(scores.confidence[rows], scores.importance[rows])
            self._look.follow_scores()

    @Slot()
    def _show_marks(self) -> None:
        """Bring out the links of the path, or those that are the evidence looked at."""
        highlight, shown = self._session.looking.highlight, self._shown
        if self._path.shown is not None:
            self._view.set_marked_links(self._path.shown.links)
            return
        if highlight is None or shown is None or not self._session.is_open:
            self._view.set_marked_links(frozenset())
            return
        row = self._session.selected_row
        self._view.set_marked_links(find_evidence(self._session.snapshot, highlight.links, row))

    def _show_steps(self) -> None:
        self._back.setEnabled(self._trail.has(-1))
        self._forward.setEnabled(self._trail.has(1))

    def _step(self, by: int) -> None:
        """Select the memory visited before or after, past those that are gone."""
        memory_id = self._trail.step(by, self._session.snapshot.row_of)
        if memory_id is not None:
            self._session.select(memory_id)

    # What happens.

    @Slot(object)
    def _on_selection_changed(self, memory_id: str | None) -> None:
        if memory_id is not None:
            self._trail.visit(memory_id)
        if self._is_whole and self._shown is not None:
            self._show_steps()
            self._view.set_selected(memory_id)
            self._show_marks()
        else:
            self._refresh()

    @Slot()
    def _on_vault_opened(self) -> None:
        self._trail = Trail()
        self._shown = None
        self._whole.forget()
        self._path.forget()
        self._linking.leave()
        self._look.forget()
        self._set_filter(_FIRST_FILTER)
        self._shaping.load()
        self._pinning.load()
        self._refresh()

    @Slot()
    def _on_changed(self, _what: object = None) -> None:
        self._refresh()

    @Slot()
    def _on_scores_changed(self) -> None:
        self._recolour()

    @Slot(object)
    def _on_highlight_changed(self, _highlight: object) -> None:
        self._show_marks()

    @Slot(str)
    def _on_depth_chosen(self, _depth: str) -> None:
        self._refresh()

    @Slot(str)
    def _on_node_activated(self, memory_id: str) -> None:
        self._session.select(memory_id)
        self._session.looking.go_to(Place("editor", "content"))

    @Slot()
    def _on_order_changed(self) -> None:
        if self._is_whole and self._whole.follows_list:
            self._refresh()

    @Slot()
    def _on_layout_started(self) -> None:
        self.header.set_detail(_LAYING_OUT)
        if self._shown is None or self._shown.picture.centre is not None:
            self._view.set_empty_text(_LAYING_OUT)
            self._view.set_graph(None)

    @property
    def _pins(self) -> Pins:
        """Those of the graph that is shown."""
        picture = None if self._shown is None else self._shown.picture
        if picture is None or picture.centre is None:
            return self._whole
        return self._pinning.around(picture.ids[picture.centre])

    @Slot(str, float, float)
    def _on_node_moved(self, memory_id: str, x: float, y: float) -> None:
        before = self._place_of(memory_id)
        if before is not None:
            self._pinning.drag(self._pins, memory_id, before, (x, y))

    def _unpin_current(self) -> None:
        """Have the node back where it stood before it was dragged."""
        current = self._view.current_id
        before = None if current is None else self._place_of(current)
        if current is not None and before is not None:
            self._pinning.unpin(self._pins, current, before)

    def _place_of(self, memory_id: str) -> tuple[float, float] | None:
        picture = None if self._shown is None else self._shown.picture
        if picture is None or memory_id not in picture.ids:
            return None
        x, y = picture.positions[picture.ids.index(memory_id)].tolist()
        return (x, y)

    @Slot(object, str, float, float)
    def _on_placed(self, pins: Pins, memory_id: str, x: float, y: float) -> None:
        """Show a memory where it was put, if that was in the graph that is shown."""
        shown = self._shown
        if shown is None or pins is not self._pins:
            return
        self._view.set_pinned(pins.pins)
        if memory_id in shown.picture.ids:
            self._view.put_node(memory_id, (x, y))
            positions = shown.picture.positions.copy()
            positions[shown.picture.ids.index(memory_id)] = (x, y)
            self._shown = replace(shown, picture=shown.picture.with_positions(positions))

    @Slot()
    def _on_pins_loaded(self) -> None:
        if not self._is_whole:
            self._refresh()

    @Slot(str)
    def _on_path_requested(self, memory_id: str) -> None:
        start = self._session.selected_id
        if start is not None:
            self._path.ask(start, memory_id)

    def _find_path(self) -> None:
        if self._view.current_id is not None:
            self._on_path_requested(self._view.current_id)

    def _toggle_table(self) -> None:
        self._set_as_table(self._table.isHidden())

    def _set_as_table(self, on: bool) -> None:
        """The same as rows, and back."""
        had_focus = self._view.hasFocus() or self._table.hasFocus()
        self._show_table()
        self._table.setVisible(on)
        self._view.setVisible(not on)
        self.setFocusProxy(self._table if on else self._view)
        if had_focus:
            self.setFocus()

    def _show_table(self) -> None:
        self._table.set_picture(self._view.picture, self._view.current_id, self._view.colouring)

    # Leaving out.

    def _set_filter(self, wanted: GraphFilter) -> None:
        self._wanted = wanted
        self._look.set_filter(wanted)
        self._view.set_filter(wanted)
        self._search.refresh()
        if not self._table.isHidden():
            self._show_table()

    @Slot(str, str)
    def _on_legend_toggled(self, kind: str, name: str) -> None:
        self._set_filter(self._wanted.toggled(kind, name))

    def _set_contradictions(self, only: bool) -> None:
        self._set_filter(replace(self._wanted, contradictions=only))

    def _hide_current(self) -> None:
        current = self._view.current_id
        centre = self._view.picture.centre
        if current is None:
            return
        if centre is not None and current == self._view.picture.ids[centre]:
            self._session.messages.notice(tr("The memory in the middle can't be hidden."))
            return
        self._shaping.hide(current)

    def _stop_current(self) -> None:
        current = self._view.current_id
        if current is not None:
            self._shaping.stop(current)

    def _toggle_current(self) -> None:
        if self._view.current_id is not None:
            self._on_fold_toggled(self._view.current_id)

    @Slot(str)
    def _on_fold_toggled(self, memory_id: str) -> None:
        """Expand a memory, or fold what hangs on it alone into its counter."""
        picture, shape = self._view.picture, self._shaping.shape
        node = picture.ids.index(memory_id)
        if node == picture.centre:
            self._session.messages.notice(tr("The memory in the middle is always expanded."))
            return
        is_folded = bool(picture.beyond[node]) or memory_id in shape.folded
        if not is_folded and not self._is_whole and memory_id not in shape.opened:
            is_folded = picture.hops_of(node) >= int(self._depth.value)
        if is_folded:
            self._shaping.open(memory_id)
        else:
            self._shaping.fold(memory_id)

    @Slot()
    def _on_shape_changed(self) -> None:
        shape = self._shaping.shape
        self._set_filter(
            replace(
                self._wanted,
                hidden=shape.hidden,
                folded=shape.folded | (shape.stopped - shape.opened),
                opened=shape.opened,
            )
        )
        if not self._is_whole:
            self._refresh()

    def _fit_current(self) -> None:
        if self._view.current_id is not None:
            self._view.fit_to(self._view.current_id)

    def _set_limit(self, limit: int) -> None:
        self._whole.limit = limit
        self._refresh()

    def _set_follows_list(self, follows: bool) -> None:
        self._whole.follows_list = follows
        self._refresh()

    @Slot()
    def _on_look_changed(self) -> None:
        if not self._table.isHidden():
            self._show_table()

    def _lay_out_afresh(self) -> None:
        self._whole.make(afresh=True)

    def _export(self) -> None:
        self.graphml_requested.emit(self._view.picture)

    def _reinforce_current(self) -> None:
        if self._view.current_id is not None:
            self._session.select(self._view.current_id)
            self.reinforce_requested.emit()

    def _export_picture(self) -> None:
        if self._shown is not None:
            self.picture_requested.emit(self._view)

    @Slot()
    def _on_menu_opening(self) -> None:
        picture, current = self._view.picture, self._view.current_id
        selected = self._session.selected_id
        state = MenuState(
            is_whole=self._is_whole,
            limit=self._whole.limit,
            follows_list=self._whole.follows_list,
            wanted=self._wanted,
            entries=self._view.legend_entries,
            has_path=current is not None and selected is not None and current != selected,
            is_table=not self._table.isHidden(),
            is_pinned=current in self._pins.pins,
            current="" if current is None else picture.labels[picture.ids.index(current)],
            is_stopped=current in self._shaping.shape.stopped,
            undo=self._shaping.undo_label,
            redo=self._shaping.redo_label,
        )
        calls = MenuCalls(
            set_limit=self._set_limit,
            set_follows_list=self._set_follows_list,
            toggle=self._on_legend_toggled,
            set_contradictions=self._set_contradictions,
            hide_current=self._hide_current,
            show_hidden=self._shaping.show_hidden,
            fill_look=self._look.fill_menu,
            stop=self._stop_current,
            toggle_fold=self._toggle_current,
            undo=self._shaping.undo,
            redo=self._shaping.redo,
            fit_current=self._fit_current,
            link=self._linking.begin,
            reinforce=self._reinforce_current,
            search=self._search.start,
            unpin=self._unpin_current,
            find_path=self._find_path,
            set_as_table=self._set_as_table,
            fit=self._view.fit,
            lay_out_afresh=self._lay_out_afresh,
            export_picture=self._export_picture,
            export_graphml=self._export,
        )
        fill_graph_menu(self._menu, state, calls)

    @Slot()
    def _on_back_clicked(self) -> None:
        self._step(-1)

    @Slot()
    def _on_forward_clicked(self) -> None:
        self._step(1)
