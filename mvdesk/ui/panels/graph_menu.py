"""The menu of the graph: what is shown, and what can be left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from mvdesk.ui.panels.whole_graph import CAPS
from mvdesk.ui.widgets.menu_entries import add_choice, add_entry, add_submenu, add_switch
from mvdesk.wording import tr

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
        (tr("&Undo"), state.undo, calls.undo, "Ctrl+Z"),
        (tr("Re&do"), state.redo, calls.redo, "Ctrl+Shift+Z"),
    ):
        words = " ".join(label.split()).replace("&", "&&")
        add_entry(menu, f"{verb}: {words}" if words else verb, do, is_possible=bool(words), key=key)
    menu.addSeparator()
    _fill_shown(menu, state, calls)
    menu.addSeparator()
    title = state.current if len(state.current) <= 30 else f"{state.current[:29]}…"
    _fill_current(menu, title.replace("&", "&&"), state, calls)
    menu.addSeparator()
    _fill_view(menu, state, calls)


def _fill_shown(menu: QMenu, state: MenuState, calls: MenuCalls) -> None:
    """What is shown, and how."""
    if state.is_whole:
        fill_cap_menu(add_submenu(menu, tr("Show at &most")), state.limit, calls.set_limit)
        add_switch(menu, tr("Follow the &list"), state.follows_list, calls.set_follows_list)
    calls.fill_look(menu)
    only = state.wanted.contradictions
    add_switch(menu, tr("Only &contradictions"), only, calls.set_contradictions)
    for title, kind in ((tr("&Relations"), "relation"), (tr("&Types"), "type")):
        part = add_submenu(menu, title)
        for entry in state.entries:
            if entry.kind == kind:
                toggle = partial(calls.toggle, kind, entry.name)
                add_choice(part, entry.text, not entry.is_off, toggle)
        part.menuAction().setEnabled(not part.isEmpty())


def _fill_current(menu: QMenu, title: str, state: MenuState, calls: MenuCalls) -> None:
    """What can be done with the memory that the keyboard is at; without a `title` there is none."""
    is_there, hidden = bool(title), len(state.wanted.hidden)
    hide = tr("&Hide “{title}”", title=title) if title else tr("&Hide a memory")
    show = tr("&Show the {hidden:,} hidden", hidden=hidden)
    stop = tr("Go on &beyond it again") if state.is_stopped else tr("Stop expansion &here")
    path = tr("&Path from the selected one to “{title}”", title=title) if title else tr("&Path")
    for words, do, is_possible, key in (
        (hide, calls.hide_current, is_there, "H"),
        (show, calls.show_hidden, hidden > 0, "Shift+H"),
        (tr("&Expand or collapse it"), calls.toggle_fold, is_there, "Space"),
        (stop, calls.stop, is_there, "Shift+E"),
        (path, calls.find_path, state.has_path, "Shift+Enter"),
        (tr("&Link it to another memory"), calls.link, is_there, "L"),
        (tr("Reinforce it…"), calls.reinforce, is_there, ""),
        (tr("&Zoom to it and its links"), calls.fit_current, is_there, "Shift+F"),
        (tr("&Unpin: back where it stood"), calls.unpin, state.is_pinned, "U"),
    ):
        add_entry(menu, words, do, is_possible=is_possible, key=key)


def _fill_view(menu: QMenu, state: MenuState, calls: MenuCalls) -> None:
    """What concerns the picture as a whole."""
    has_some = bool(state.entries)
    add_switch(menu, tr("As a &table\tT"), state.is_table, calls.set_as_table)
    add_entry(menu, tr("Find in the &graph"), calls.search, is_possible=has_some, key="/")
    add_entry(menu, tr("&Fit to the view"), calls.fit, key="F")
    if state.is_whole:
        add_entry(menu, tr("Lay &out afresh"), calls.lay_out_afresh)
    menu.addSeparator()
    picture, graphml = calls.export_picture, calls.export_graphml
    add_entry(menu, tr("Export &picture…"), picture, is_possible=has_some, key="Ctrl+E")
    add_entry(menu, tr("Export as &GraphML…"), graphml, is_possible=has_some)


def fill_cap_menu(menu: QMenu, limit: int, set_limit: Callable[[int], object]) -> None:
    """The choice of how many memories are shown."""
    menu.clear()
    for old in menu.findChildren(QActionGroup):
        old.deleteLater()  # the menu's own actions go with clear(), their group doesn't
    group = QActionGroup(menu)
    for cap in CAPS:
        choose = partial(set_limit, cap)
        group.addAction(add_choice(menu, tr("{cap:,} memories", cap=cap), cap == limit, choose))
