"""The part of the graph's menu that is about its looks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from mvdesk.ui.panels.graph_colours import ColourChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    colours = _submenu(menu, "&Colours\tC")
    colours.menuAction().setEnabled(bool(state.components))
    group = QActionGroup(colours)
    for kind, words in (
        ("confidence", "&Confidence"),
        ("importance", "&Importance"),
        ("source", "&Source"),
        ("community", "C&ommunity"),
    ):
        _choose(colours, group, words, ColourChoice(kind), state, calls)  # type: ignore[arg-type]
    heat = ColourChoice("reinforcement")
    _choose(colours, group, "What &reinforcing the selected one would move", heat, state, calls)
    for score in ("confidence", "importance"):
        part = _submenu(colours, f"What lowers and raises {score}")
        for of, name, label in state.components:
            if of == score:
                choice = ColourChoice("component", name, of)
                _choose(part, group, label.replace("&", "&&"), choice, state, calls)
    _check(menu, "Links by shared t&ags", state.has_inferred, calls.show_inferred)
    _check(menu, "Score ran&ge…", state.has_range, calls.show_range)
    sources = _submenu(menu, "&Sources")
    sources.menuAction().setEnabled(bool(state.sources))
    for entry in state.sources[:MOST_SOURCES]:
        words = entry.text.replace("&", "&&")
        toggle = partial(_without_state, partial(calls.toggle_source, entry.name))
        _check(sources, words, not entry.is_off, toggle)
    sources.addSeparator()
    if len(state.sources) > MOST_SOURCES:
        rest = sources.addAction(f"and {len(state.sources) - MOST_SOURCES:,} with fewer memories")
        rest.setEnabled(False)
    everything = sources.addAction("Show &all sources")
    everything.setEnabled(any(entry.is_off for entry in state.sources))
    everything.triggered.connect(partial(_without_state, calls.show_all_sources))
    _check(menu, "Over&view map", state.has_overview, calls.show_overview)
    menu.addSeparator()


def _choose(
    menu: QMenu,
    group: QActionGroup,
    words: str,
    choice: ColourChoice,
    state: LookState,
    calls: LookCalls,
) -> None:
    act = partial(_without_state, partial(calls.choose, choice))
    group.addAction(_check(menu, words, choice == state.choice, act))


def _submenu(menu: QMenu, title: str) -> QMenu:
    part = QMenu(title, menu)
    menu.addMenu(part)
    return part


def _check(menu: QMenu, words: str, is_on: bool, do: Callable[[bool], object]) -> QAction:
    action = QAction(words, menu)
    action.setCheckable(True)
    action.setChecked(is_on)
    action.triggered.connect(do)
    menu.addAction(action)
    return action


def _without_state(do: Callable[[], object], _checked: bool = False) -> None:
    do()
