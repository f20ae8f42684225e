"""Which memories the list shows, in which order: arrays in, an array of rows out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.ui.sorting import SCORED, order_by_place, places_by_score, rank_cells, rank_values
from mvdesk.ui.text_ranks import rank_titles, text_ranks
from mvdesk.vault.questions.ordering import MovingOrder, order_by_score
from mvdesk.vault.questions.overlay import PatchedScores
from mvdesk.vault.questions.query import parse_query

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.arrays import BoolArray, FloatArray, Int64Array, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.ui.chosen import ListFilter
    from mvdesk.vault.questions.conditions import Moment
    from mvdesk.vault.questions.matching import Matches
    from mvdesk.vault.searching import Searcher
    from mvdesk.vault.snapshot import Snapshot

_MERGED_FROM: Final = 50_000
"""As many listed memories are sorted quicker by merging those that a preview moves."""
RELEVANCE: Final = "relevance"
"""The order of hits by how well they fit, as a column to sort by."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What the person asked the list to show: `filter_text` is what the search box holds.

    `only` is a filter besides it, None for all. `by_relevance`: where words are searched for,
    the best hits come first, and `column` waits. `group` is what the list is
    grouped by, one of `GROUPINGS`.
    """

    column: str = "confidence"
    descending: bool = True
    filter_text: str = ""
    archived: bool = False
    only: ListFilter | None = None
    group: str = ""
    by_relevance: bool = True

    def with_filter(self, text: str) -> Arrangement:
        """The same with another search; one without words has no order of its own to leave."""
        words = bool(parse_query(text).words)
        text = " ".join(text.split())
        return replace(self, filter_text=text, by_relevance=self.by_relevance or not words)

    def sorted_by(self, column: str, descending: bool) -> Arrangement:
        """The same in another order."""
        if column == RELEVANCE:
            return replace(self, by_relevance=True)
        is_searched = bool(parse_query(self.filter_text).words)
        return replace(self, column=column, descending=descending, by_relevance=not is_searched)

    @property
    def shown_column(self) -> str:
        """What the list is sorted by now."""
        is_searched = self.by_relevance and bool(parse_query(self.filter_text).words)
        return RELEVANCE if is_searched else self.column


def _are_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether two tuples have the same arrays, not only equal ones, and equal words."""
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    return all(a is b or (isinstance(a, str | bool) and a == b) for a, b in pairs)


def _no_moment() -> Moment:
    raise AssertionError("only a search compares with the moment")


class Arranger:
    """Orders and filters one snapshot. `prepare` is slow, for a job; the rest is quick."""

    def __init__(self, snapshot: Snapshot, searcher: Searcher) -> None:
        self._snapshot, self._searcher = snapshot, searcher
        self._ranks: dict[str, Int64Array] = {}
        self._found: dict[str, Matches] = {}
        # The filter, the marks of the search and of its `only`, and its rows.
        self._rows: tuple[bool, BoolArray | None, BoolArray | None, IntArray] | None = None
        # What was sorted ahead, for the first who asks.
        self._ahead: tuple[tuple[object, ...], IntArray] | None = None
        # What was sorted last under a preview, and what of it stays where it is.
        self._moving: tuple[tuple[object, ...], MovingOrder] | None = None

    def is_ready(self, arrangement: Arrangement) -> bool:
        """True when `order` needs no `prepare` for it."""
        column, text = arrangement.column, arrangement.filter_text
        ranked = column in SCORED or column in self._ranks
        return ranked and (not text or text in self._found)

    def is_refined(self, arrangement: Arrangement) -> bool:
        """False when another `prepare` would bring hits into a better order."""
        matches = self.matches(arrangement)
        by_relevance = arrangement.shown_column == RELEVANCE
        return matches is None or not by_relevance or matches.is_weighed

    def matches(self, arrangement: Arrangement) -> Matches | None:
        """The search, looked up; None without one, or before `prepare`."""
        return self._found.get(arrangement.filter_text)

    def forget_searches(self) -> None:
        """Look searches up again: the texts that they need have been indexed."""
        self._found = {}

    def prepare(
        self,
        arrangement: Arrangement,
        *,
        refined: bool = True,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """Make what `order` needs. Not `refined`, hits are found sooner and not weighed.

        Raises LookupCancelled.
        """
        column, text = arrangement.column, arrangement.filter_text
        if column not in SCORED and column not in self._ranks:
            self._ranks[column] = self._rank(column)
        known = self._found.get(text)
        if text and (known is None or (refined and not known.is_weighed)):
            matches = self._searcher.find(
                self._snapshot, parse_query(text), ranked=refined, cancelled=cancelled
            )
            others = {key: value for key, value in self._found.items() if key != text}
            # The shown one and the new one.
            self._found = dict(list(others.items())[-1:]) | {text: matches}

    def sort_ahead(
        self, scores: Scores, arrangement: Arrangement, chosen: BoolArray | None
    ) -> None:
        """Have the next `order` of the same be quick: for a job. Searches are left out."""
        if not arrangement.filter_text:
            order = self._sorted(scores, arrangement, _no_moment, chosen)
            self._ahead = ((scores, arrangement, chosen), order)

    def order(
        self,
        scores: Scores,
        arrangement: Arrangement,
        make_moment: Callable[[], Moment],
        chosen: BoolArray | None = None,
    ) -> IntArray:
        """The rows to show, sorted. `chosen` marks what the filter `only` lets through.

        `make_moment` tells what a search may compare with, and is asked when it does.

        Equal scores and times are in the order of the table, oldest first; where other
        columns tie, the best confidence comes first.
        """
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            (of_scores, of_arrangement, of_chosen), order = ahead
            is_same = of_scores is scores and of_chosen is chosen
            if is_same and of_arrangement == arrangement:
                return order
        return self._sorted(scores, arrangement, make_moment, chosen)

    def _sorted(
        self,
        scores: Scores,
        arrangement: Arrangement,
        make_moment: Callable[[], Moment],
        chosen: BoolArray | None,
    ) -> IntArray:
        descending, matches = arrangement.descending, self.matches(arrangement)
        rows, column = self._rows_of(arrangement, make_moment, chosen), arrangement.column
        if matches is not None and arrangement.shown_column == RELEVANCE:
            return matches.order(rows, scores)
        if column in ("confidence", "importance"):
            return self._by_score(column, scores, rows, descending=descending)
        if column in ("created", "updated"):
            return order_by_place(self._ranks[column][rows], rows, descending=descending)
        rows = order_by_score(scores.confidence, rows, descending=True)
        if column in SCORED:
            places = places_by_score(column, scores, rows)
        else:
            places = self._ranks[column][rows]
        return order_by_place(places, rows, descending=descending)

    def _by_score(
        self, column: str, scores: Scores, rows: IntArray, *, descending: bool
    ) -> IntArray:
        """Sorted by a score; where a preview moves some rows the others are sorted once."""
        values: FloatArray = getattr(scores, column)
        if not isinstance(scores, PatchedScores) or len(rows) < _MERGED_FROM:
            return order_by_score(values, rows, descending=descending)
        about = (scores.base, rows, column, descending, *scores.patched_rows)
        kept = self._moving
        if kept is None or not _are_same(kept[0], about):
            order = MovingOrder(values, rows, scores.patched_rows, descending=descending)
            kept = self._moving = (about, order)
        return kept[1].order(values)

    def _rows_of(
        self,
        arrangement: Arrangement,
        make_moment: Callable[[], Moment],
        chosen: BoolArray | None,
    ) -> IntArray:
        """The rows to show, ascending; the same array as last time for the same filter."""
        matches = self.matches(arrangement)
        found = None
        if matches is not None and not matches.query.is_empty:
            found = matches.marks(make_moment()) if matches.moving else matches.fixed
        archived = arrangement.archived or (matches is not None and matches.query.asks_for_archived)
        kept = self._rows
        if kept is None or kept[0] != archived or kept[1] is not found or kept[2] is not chosen:
            memories, shown = self._snapshot.memories, found
            if not archived:
                active = memories.archived_at == NO_TIME
                shown = active if shown is None else shown & active
            if chosen is not None:
                shown = chosen if shown is None else shown & chosen
            rows = np.arange(len(memories)) if shown is None else np.flatnonzero(shown)
            kept = self._rows = (archived, found, chosen, rows)
        return kept[3]

    def _rank(self, column: str) -> Int64Array:
        memories, sources = self._snapshot.memories, self._snapshot.sources
        if column == "title":
            return rank_titles(self._snapshot).astype(np.int64)
        if column in ("key", "tags"):
            texts = memories.keys if column == "key" else memories.tags
            is_empty = np.fromiter((not text for text in texts), np.bool_)
            return rank_cells(text_ranks(texts), is_empty)
        if column == "type":
            names = text_ranks(memories.type_names)
            return names[memories.type_codes] if len(names) else np.zeros(0, dtype=np.int64)
        if column == "source":
            places = text_ranks(sources.texts)
            is_blank = [not (text or "").strip() for text in sources.texts]
            rows = memories.source_rows
            return rank_cells(np.append(places, 0)[rows], np.append(is_blank, True)[rows])
        return rank_values(column, self._snapshot)
