"""What the graph's looks are made of: colours, suggested links, a range of scores, facts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.ui.chosen import ListFilter
from mvdesk.ui.panels.graph_colours import ColourChoice, GraphColours, list_components
from mvdesk.ui.panels.graph_facts import title_of_group
from mvdesk.ui.panels.graph_look_menu import LookCalls, LookState, fill_look_menu
from mvdesk.ui.panels.neighbours import find_worths_in
from mvdesk.ui.plots.graph_filter import NO_FILTER
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from mvdesk.arrays import IntArray
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.graph_facts import GraphFacts
    from mvdesk.ui.panels.neighbours import Neighbours
    from mvdesk.ui.plots.graph_colouring import Colouring, ColourKind
    from mvdesk.ui.plots.graph_filter import GraphFilter
    from mvdesk.ui.plots.graph_scene import GraphView
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.score_range import ScoreRange
    from mvdesk.vault.questions.link_facts import Group, LinkFacts

_TURNS: Final[tuple[ColourKind, ...]] = ("confidence", "importance", "source", "community")
_GROUP_JOB: Final = "graphGroup"
_WORTH_JOB: Final = "graphWorth"


class GraphLook(QObject):
    """Joins the view with what is chosen about its looks. The panel owns the filter."""

    filter_wanted = Signal(object)  # GraphFilter
    follow_wanted = Signal(bool)  # whether the whole graph is to follow the list
    changed = Signal()  # colours or suggested links: the table may say something else

    def __init__(
        self,
        session: VaultSession,
        view: GraphView,
        facts: GraphFacts,
        score_range: ScoreRange,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._view = session, view
        self._facts, self._range = facts, score_range
        self._wanted = NO_FILTER
        self._shown: Neighbours | None = None
        self._has_overview = True
        self._is_filtering = False  # a fact is shown alone, and was chosen here
        self._followed_before = False
        self._colours = GraphColours(session, self)
        self._colours.coloured.connect(self._on_coloured)
        self._colours.inferred_found.connect(self._on_inferred_found)
        self._colours.problem_found.connect(session.messages.notice)
        score_range.range_edited.connect(self._on_range_edited)
        score_range.ended.connect(self._end_range)
        score_range.list_requested.connect(self._list_range)
        facts.fact_chosen.connect(self._on_fact_chosen)
        facts.group_chosen.connect(self._on_group_chosen)
        facts.ended.connect(self._on_fact_ended)
        session.order_changed.connect(self._on_order_changed)
        session.selection_changed.connect(self._find_worths)

    # In

    def set_shown(self, shown: Neighbours | None, facts: LinkFacts | None) -> None:
        """Another picture; `facts` are those of the whole vault, None around one memory."""
        self._facts.set_facts(facts)
        self._facts.set_only(self._session.only if self._session.is_open else None)
        self._colours.set_shown(shown)
        self._shown = shown
        self._find_worths()

    def set_filter(self, wanted: GraphFilter) -> None:
        """What is left out now."""
        before, self._wanted = self._wanted, wanted
        if wanted.inferred != self._colours.shows_inferred:
            self._colours.show_inferred(wanted.inferred)
        if wanted.is_ranged or before.is_ranged:
            self._range.set_range(wanted.score, wanted.low, wanted.high)

    def follow_scores(self) -> None:
        """The scores moved."""
        self._colours.follow_scores()

    def forget(self) -> None:
        """Another vault: colours say the confidence again, nothing is left out."""
        self._is_filtering = False
        self._colours.choose(ColourChoice())
        self._range.hide()

    def fill_menu(self, menu: QMenu) -> None:
        """The part of the panel's menu that is about looks."""
        session = self._session
        state = LookState(
            choice=self._colours.choice,
            components=list_components(session) if session.is_open else [],
            has_inferred=self._wanted.inferred,
            sources=self._view.source_entries,
            has_range=not self._range.isHidden(),
            has_overview=self._has_overview,
        )
        calls = LookCalls(
            choose=self._colours.choose,
            show_inferred=self._show_inferred,
            toggle_source=self._toggle_source,
            show_all_sources=self._show_all_sources,
            show_range=self._show_range,
            show_overview=self._show_overview,
        )
        fill_look_menu(menu, state, calls)

    # Colours and suggested links.

    def choose_next(self) -> None:
        """Have the colours say the next thing; after a component they say the confidence."""
        kind = self._colours.choice.kind
        turn = _TURNS.index(kind) + 1 if kind in _TURNS else 0
        chosen = _TURNS[turn % len(_TURNS)]
        self._colours.choose(ColourChoice(chosen))
        self._view.say(tr("Colours: {chosen}", chosen=chosen))

    @Slot(object)
    def _on_coloured(self, colouring: Colouring | None) -> None:
        self._view.set_colouring(colouring)
        self.changed.emit()

    @Slot(object, object, str)
    def _on_inferred_found(self, pairs: IntArray, labels: tuple[str, ...], left_out: str) -> None:
        self._view.set_inferred(pairs, labels)
        if left_out:
            self._session.messages.notice(f"{left_out}.")
        elif self._wanted.inferred and not len(pairs) and self._view.picture.ids:
            self._session.messages.notice(tr("No unlinked memories here share enough tags."))
        self.changed.emit()

    @Slot()
    def _find_worths(self, _selected: object = None) -> None:
        """What the links of the selected memory are worth, in the whole graph."""
        session, shown = self._session, self._shown
        selected = session.selected_id
        if shown is None or not session.is_open or shown.picture.centre is not None:
            return
        if selected is None or selected not in shown.picture.ids:
            self._view.set_worths({})
            return
        snapshot, model, now = session.snapshot, session.model, session.now

        def work(_token: CancelToken) -> dict[tuple[str, str, str], str]:
            return find_worths_in(snapshot, model, now, shown, selected)

        session.jobs.run(_WORTH_JOB, work, self._view.set_worths)

    def _show_inferred(self, on: bool) -> None:
        self.filter_wanted.emit(replace(self._wanted, inferred=on))

    def _toggle_source(self, source: str) -> None:
        self.filter_wanted.emit(self._wanted.toggled("source", source))

    def _show_all_sources(self) -> None:
        self.filter_wanted.emit(replace(self._wanted, sources_off=frozenset()))

    def _show_overview(self, on: bool) -> None:
        self._has_overview = on
        self._view.set_overview(on)

    # A range of scores.

    def _show_range(self, on: bool) -> None:
        if not on:
            self._end_range()
            return
        self._range.set_range(self._wanted.score, self._wanted.low, self._wanted.high)
        self._range.show()
        self._range.setFocus()

    @Slot(str, float, float)
    def _on_range_edited(self, score: ScoreKind, low: float, high: float) -> None:
        self.filter_wanted.emit(replace(self._wanted, score=score, low=low, high=high))

    @Slot()
    def _end_range(self) -> None:
        had_focus = self._range.isAncestorOf(self._range.focusWidget() or self._view)
        self._range.hide()
        self.filter_wanted.emit(replace(self._wanted, low=0.0, high=1.0))
        if had_focus:
            self._view.setFocus()

    @Slot()
    def _list_range(self) -> None:
        """The list's range ends before its upper bound, the graph's with it."""
        wanted = self._wanted
        high = 1.0 if wanted.high >= 1.0 else wanted.high + 0.001
        self._session.set_only(ListFilter("range", wanted.score, low=wanted.low, high=high))

    # Facts.

    def _show_only(self, only: ListFilter) -> None:
        if not self._is_filtering:
            self._is_filtering = True
            self.follow_wanted.emit(True)
        self._session.set_only(only)

    @Slot(str, str)
    def _on_fact_chosen(self, fact: str, title: str) -> None:
        self._show_only(ListFilter("fact", component=fact, title=title))

    @Slot(str, object)
    def _on_group_chosen(self, name: str, group: Group) -> None:
        ids, rows = self._session.snapshot.memories.ids, group.rows

        def work(_token: CancelToken) -> frozenset[str]:
            return frozenset(ids.text(row) for row in rows.tolist())

        title = title_of_group(name, group)
        self._session.jobs.run(_GROUP_JOB, work, partial(self._on_members, name, title))

    def _on_members(self, name: str, title: str, members: frozenset[str]) -> None:
        self._show_only(ListFilter("members", component=name, title=title, members=members))

    @Slot()
    def _on_fact_ended(self) -> None:
        self._session.set_only(None)

    @Slot()
    def _on_order_changed(self) -> None:
        """Whoever ended it, here or in the list: both show everything again."""
        only = self._session.only if self._session.is_open else None
        self._facts.set_only(only)
        if self._is_filtering and (only is None or only.kind not in ("fact", "members")):
            self._is_filtering = False
            self.follow_wanted.emit(False)
