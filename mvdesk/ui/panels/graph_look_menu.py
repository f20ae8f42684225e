"""The part of the graph's menu that is about its looks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QActionGroup

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.panels.graph_colours import ColourChoice
from mvdesk.ui.widgets.menu_entries import add_choice, add_entry, add_submenu, add_switch
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QMenu

    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.plots.graph_legend import LegendEntry

MOST_SOURCES: Final = 24
"""Sources with an entry of their own."""


@dataclass(frozen=True, slots=True)
class LookState:
    """What the menu says. `components` are score, name and label; `sources` switches."""

    choice: ColourChoice
    components: Sequence[tuple[ScoreKind, str, str]]
    has_inferred: bool
    sources: Sequence[LegendEntry]
    has_range: bool
    has_overview: bool


@dataclass(frozen=True, slots=True)
class LookCalls:
    """What the menu does."""

    choose: Callable[[ColourChoice], object]
    show_inferred: Callable[[bool], object]
    toggle_source: Callable[[str], object]
    show_all_sources: Callable[[], object]
    show_range: Callable[[bool], object]
    show_overview: Callable[[bool], object]


def fill_look_menu(menu: QMenu, state: LookState, calls: LookCalls) -> None:
    """Add the entries to a menu."""
    colours = add_submenu(menu, tr("&Colours\tC"))
    colours.menuAction().setEnabled(bool(state.components))
    group = QActionGroup(colours)
    for kind, words in (
        ("confidence", tr("&Confidence")),
        ("importance", tr("&Importance")),
        ("source", tr("&Source")),
        ("community", tr("C&ommunity")),
    ):
        _choose(colours, group, words, ColourChoice(kind), state, calls)  # type: ignore[arg-type]
    heat = ColourChoice("reinforcement")
    _choose(colours, group, tr("What &reinforcing the selected one would move"), heat, state, calls)
    for score in ("confidence", "importance"):
        part = add_submenu(colours, tr("What lowers and raises {score}", score=KIND_WORDS[score]))
        for of, name, label in state.components:
            if of == score:
                choice = ColourChoice("component", name, of)
                _choose(part, group, label.replace("&", "&&"), choice, state, calls)
    add_switch(menu, tr("Links by shared t&ags"), state.has_inferred, calls.show_inferred)
    add_switch(menu, tr("Score ran&ge…"), state.has_range, calls.show_range)
    sources = add_submenu(menu, tr("&Sources"))
    sources.menuAction().setEnabled(bool(state.sources))
    for entry in state.sources[:MOST_SOURCES]:
        words = entry.text.replace("&", "&&")
        add_choice(sources, words, not entry.is_off, partial(calls.toggle_source, entry.name))
    sources.addSeparator()
    if len(state.sources) > MOST_SOURCES:
        rest = sources.addAction(
            tr("and {sources:,} with fewer memories", sources=len(state.sources) - MOST_SOURCES)
        )
        rest.setEnabled(False)
    are_some_off = any(entry.is_off for entry in state.sources)
    add_entry(sources, tr("Show &all sources"), calls.show_all_sources, is_possible=are_some_off)
    add_switch(menu, tr("Over&view map"), state.has_overview, calls.show_overview)
    menu.addSeparator()


def _choose(
    menu: QMenu,
    group: QActionGroup,
    words: str,
    choice: ColourChoice,
    state: LookState,
    calls: LookCalls,
) -> None:
    act = partial(calls.choose, choice)
    group.addAction(add_choice(menu, words, choice == state.choice, act))
