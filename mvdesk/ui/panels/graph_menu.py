"""The menu of the graph: what is shown, and what can be left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from mvdesk.ui.panels.whole_graph import CAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.ui.plots.graph_filter import GraphFilter
    from mvdesk.ui.plots.graph_legend import LegendEntry


@dataclass(frozen=True, slots=True)
class MenuState:
    """What the menu says. `current` is the title of the memory that H hides, "" for none."""

    is_whole: bool
    limit: int
    follows_list: bool
    wanted: GraphFilter
    entries: Sequence[LegendEntry]
    current: str
    has_path: bool
    is_table: bool
    is_pinned: bool
    is_stopped: bool
    undo: str
    redo: str


@dataclass(frozen=True, slots=True)
class MenuCalls:
    """What the menu does."""

    set_limit: Callable[[int], object]
    set_follows_list: Callable[[bool], object]
    toggle: Callable[[str, str], object]
    set_contradictions: Callable[[bool], object]
    hide_current: Callable[[], object]
    show_hidden: Callable[[], object]
    fill_look: Callable[[QMenu], object]
    stop: Callable[[], object]
    toggle_fold: Callable[[], object]
    undo: Callable[[], object]
    redo: Callable[[], object]
    fit_current: Callable[[], object]
    link: Callable[[], object]
    reinforce: Callable[[], object]
    search: Callable[[], object]
    unpin: Callable[[], object]
    find_path: Callable[[], object]
    set_as_table: Callable[[bool], object]
    fit: Callable[[], object]
    lay_out_afresh: Callable[[], object]
    export_picture: Callable[[], object]
    export_graphml: Callable[[], object]


def fill_graph_menu(menu: QMenu, state: MenuState, calls: MenuCalls) -> None:
    """Make the menu's entries anew."""
    menu.clear()
    for child in menu.findChildren(QMenu):
        child.deleteLater()
    for verb, label, do, key in (
        ("&Undo", state.undo, calls.undo, "Ctrl+Z"),
        ("Re&do", state.redo, calls.redo, "Ctrl+Shift+Z"),
    ):
        words = " ".join(label.split()).replace("&", "&&")
        _add(menu, f"{verb}: {words}" if words else verb, do, bool(words), key)
    menu.addSeparator()
    if state.is_whole:
        fill_cap_menu(_submenu(menu, "Show at &most"), state.limit, calls.set_limit)
        _check(menu, "Follow the &list", state.follows_list, calls.set_follows_list)
    calls.fill_look(menu)
    only = state.wanted.contradictions
    _check(menu, "Only &contradictions", only, calls.set_contradictions)
    for title, kind in (("&Relations", "relation"), ("&Types", "type")):
        part = _submenu(menu, title)
        for entry in state.entries:
            if entry.kind == kind:
                switch = partial(_without_state, partial(calls.toggle, kind, entry.name))
                _check(part, entry.text, not entry.is_off, switch)
        part.menuAction().setEnabled(not part.isEmpty())
    menu.addSeparator()
    title = state.current if len(state.current) <= 30 else f"{state.current[:29]}…"
    words = f"&Hide “{title.replace('&', '&&')}”" if title else "&Hide a memory"
    _add(menu, words, calls.hide_current, bool(title), "H")
    hidden = len(state.wanted.hidden)
    _add(menu, f"&Show the {hidden:,} hidden", calls.show_hidden, hidden > 0, "Shift+H")
    _add(menu, "&Expand or collapse it", calls.toggle_fold, bool(title), "Space")
    words = "Go on &beyond it again" if state.is_stopped else "Stop expansion &here"
    _add(menu, words, calls.stop, bool(title), "Shift+E")
    menu.addSeparator()
    words = f"&Path from the selected one to “{title.replace('&', '&&')}”"
    _add(menu, words if title else "&Path", calls.find_path, state.has_path, "Shift+Enter")
    _check(menu, "As a &table\tT", state.is_table, calls.set_as_table)
    menu.addSeparator()
    _add(menu, "&Link it to another memory", calls.link, bool(title), "L")
    _add(menu, "Reinforce it…", calls.reinforce, bool(title))
    _add(menu, "Find in the &graph", calls.search, bool(state.entries), "/")
    _add(menu, "&Fit to the view", calls.fit, True, "F")
    _add(menu, "&Zoom to it and its links", calls.fit_current, bool(title), "Shift+F")
    _add(menu, "&Unpin: back where it stood", calls.unpin, state.is_pinned, "U")
    if state.is_whole:
        _add(menu, "Lay &out afresh", calls.lay_out_afresh, True)
    menu.addSeparator()
    _add(menu, "Export &picture…", calls.export_picture, bool(state.entries), "Ctrl+E")
    _add(menu, "Export as &GraphML…", calls.export_graphml, bool(state.entries))


def fill_cap_menu(menu: QMenu, limit: int, set_limit: Callable[[int], object]) -> None:
    """The choice of how many memories are shown."""
    menu.clear()
    for old in menu.findChildren(QActionGroup):
        old.deleteLater()  # the menu's own actions go with clear(), their group doesn't
    group = QActionGroup(menu)
    for cap in CAPS:
        action = _check(menu, f"{cap:,} memories", cap == limit, partial(_with, set_limit, cap))
        group.addAction(action)


def _submenu(menu: QMenu, title: str) -> QMenu:
    part = QMenu(title, menu)
    menu.addMenu(part)
    return part


def _add(
    menu: QMenu, words: str, do: Callable[[], object], is_possible: bool, key: str = ""
) -> None:
    # The key as text alone: as a shortcut it would act while the panel has no focus.
    action = QAction(f"{words}\t{key}" if key else words, menu)
    action.setEnabled(is_possible)
    action.triggered.connect(partial(_without_state, do))
    menu.addAction(action)


def _check(menu: QMenu, words: str, is_on: bool, do: Callable[[bool], object]) -> QAction:
    action = QAction(words, menu)
    action.setCheckable(True)
    action.setChecked(is_on)
    action.triggered.connect(do)
    menu.addAction(action)
    return action


def _without_state(do: Callable[[], object], _checked: bool = False) -> None:
    do()


def _with(do: Callable[[int], object], value: int, _checked: bool = False) -> None:
    do(value)
