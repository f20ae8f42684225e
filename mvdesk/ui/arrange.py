"""Which memories the list shows, in which order: arrays in, an array of rows out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.ui.sorting import SCORED, order_by_place, places_by_score, rank_cells, rank_values
from mvdesk.vault.questions.ordering import order_by_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mvdesk.arrays import BoolArray, Int64Array, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.ui.chosen import ListFilter
    from mvdesk.vault.snapshot import Snapshot

_QUICK: Final = (*SCORED, "created", "updated")
_COMPARED_BYTES: Final = 64


def text_ranks(texts: Iterable[str | None], count: int) -> Int64Array:
    """The place of each text among all, by code points of the case-folded text.

    Equal texts share a place, and so do texts alike in their first 64 bytes. The sorting is
    numpy's, eight bytes at a time: Python's would hold the interpreter lock throughout.
    """
    folded = [(text or "").casefold().encode("utf-8", "surrogatepass") for text in texts]
    lengths = np.fromiter((len(text) for text in folded), np.int64, count)
    starts = np.concatenate(([0], np.cumsum(lengths)))[:count].astype(np.int64)
    ends = starts + lengths
    block = np.frombuffer(b"".join(folded) + b"\0", dtype=np.uint8)
    ranks = np.zeros(count, dtype=np.int64)
    open_rows = np.arange(count, dtype=np.int64)
    for offset in range(0, _COMPARED_BYTES, 8):
        places = starts[open_rows, None] + np.arange(offset, offset + 8)
        inside = places < ends[open_rows, None]
        letters = np.where(inside, block[np.minimum(places, len(block) - 1)], 0)
        keys = np.ascontiguousarray(letters.astype(np.uint8)).view(">u8").ravel()
        open_rows = _split_ties(ranks, open_rows, keys.astype(np.uint64))
        if not len(open_rows):
            break
    return ranks


def _split_ties(ranks: Int64Array, rows: Int64Array, keys: np.ndarray) -> Int64Array:
    """Refine the ranks of tied `rows` by `keys` in place; gives back the rows still tied."""
    if not len(rows):
        return rows
    order = np.lexsort((keys, ranks[rows]))
    rows, keys = rows[order], keys[order]
    old = ranks[rows]
    new_group = np.concatenate(([True], old[1:] != old[:-1]))
    new_place = new_group | np.concatenate(([True], keys[1:] != keys[:-1]))
    positions = np.arange(len(rows))
    group_start = np.maximum.accumulate(np.where(new_group, positions, 0))
    place_start = np.maximum.accumulate(np.where(new_place, positions, 0))
    ranks[rows] = old + (place_start - group_start)
    alone = new_place & np.concatenate((new_place[1:], [True]))
    return rows[~alone]


def order_by_time(times: Int64Array, rows: IntArray, *, descending: bool) -> IntArray:
    """`rows` sorted by time, ties by row; missing times count as the earliest."""
    values = times[rows]
    # ~ turns the order round without the overflow that - has at NO_TIME.
    return rows[np.argsort(~values if descending else values, kind="stable")]


class Haystack:
    """Title, key, tags and source of every memory, case-folded, to look words up in."""

    def __init__(self, snapshot: Snapshot) -> None:
        memories = snapshot.memories
        sources = [(text or "").casefold() for text in snapshot.sources.texts]
        texts = [
            f"{label}\n{key or ''}\n{tags or ''}\n".casefold()
            + (sources[source] if source >= 0 else "")
            + "\n"
            for label, key, tags, source in zip(
                memories.labels,
                memories.keys,
                memories.tags,
                memories.source_rows.tolist(),
                strict=True,
            )
        ]
        parts = [text.encode("utf-8", "surrogatepass") for text in texts]
        self._block = b"".join(parts)
        self._ends = np.cumsum(np.fromiter((len(part) for part in parts), np.int64, len(parts)))

    def find(self, words: Sequence[str]) -> BoolArray:
        """Marks the memories in which every one of the case-folded `words` occurs."""
        found = np.ones(len(self._ends), dtype=np.bool_)
        for word in words:
            found &= self._rows_with(word.encode("utf-8", "surrogatepass"))
        return found

    def _rows_with(self, word: bytes) -> BoolArray:
        marks = np.zeros(len(self._ends), dtype=np.bool_)
        ends = self._ends
        position = self._block.find(word)
        while position >= 0:
            row = int(np.searchsorted(ends, position, side="right"))
            marks[row] = True
            position = self._block.find(word, int(ends[row]))
        return marks


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What the person asked the list to show: `filter_text` is case-folded words.

    `only` is a filter besides them, None for all. `group` is what the list is grouped by, one
    of `GROUPINGS`.
    """

    column: str = "confidence"
    descending: bool = True
    filter_text: str = ""
    archived: bool = False
    only: ListFilter | None = None
    group: str = ""


class Arranger:
    """Orders and filters one snapshot. `prepare` is slow, for a job; the rest is quick."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._ranks: dict[str, Int64Array] = {}
        self._haystack: Haystack | None = None
        self._found: dict[str, BoolArray] = {}
        # The filter, the marks of its `only`, and its rows.
        self._rows: tuple[tuple[str, bool], BoolArray | None, IntArray] | None = None

    def is_ready(self, arrangement: Arrangement) -> bool:
        """True when `order` needs no `prepare` for it."""
        column, text = arrangement.column, arrangement.filter_text
        ranked = column in _QUICK or column in self._ranks
        return ranked and (not text or text in self._found)

    def prepare(self, arrangement: Arrangement) -> None:
        """Make what `order` needs."""
        column, text = arrangement.column, arrangement.filter_text
        if column not in _QUICK and column not in self._ranks:
            self._ranks[column] = self._rank(column)
        if text and text not in self._found:
            if self._haystack is None:
                self._haystack = Haystack(self._snapshot)
            found = dict(list(self._found.items())[-1:])  # the shown one and the new one
            found[text] = self._haystack.find(text.split())
            self._found = found

    def order(
        self, scores: Scores, arrangement: Arrangement, chosen: BoolArray | None = None
    ) -> IntArray:
        """The rows to show, sorted. `chosen` marks what the filter `only` lets through.

        Equal scores and times are in the order of the table, oldest first; where other
        columns tie, the best confidence comes first.
        """
        memories, descending = self._snapshot.memories, arrangement.descending
        rows, column = self._rows_of(arrangement, chosen), arrangement.column
        if column == "confidence":
            return order_by_score(scores.confidence, rows, descending=descending)
        if column == "importance":
            return order_by_score(scores.importance, rows, descending=descending)
        if column in ("created", "updated"):
            times = memories.created_at if column == "created" else memories.updated_at
            return order_by_time(times, rows, descending=descending)
        rows = order_by_score(scores.confidence, rows, descending=True)
        if column in SCORED:
            places = places_by_score(column, scores, rows)
        else:
            places = self._ranks[column][rows]
        return order_by_place(places, rows, descending=descending)

    def _rows_of(self, arrangement: Arrangement, chosen: BoolArray | None) -> IntArray:
        """The rows to show, ascending; the same array as last time for the same filter."""
        wanted = (arrangement.filter_text, arrangement.archived)
        kept = self._rows
        if kept is None or kept[0] != wanted or kept[1] is not chosen:
            memories, text = self._snapshot.memories, arrangement.filter_text
            shown = self._found[text] if text else None
            if not arrangement.archived:
                active = memories.archived_at == NO_TIME
                shown = active if shown is None else shown & active
            if chosen is not None:
                shown = chosen if shown is None else shown & chosen
            rows = np.arange(len(memories)) if shown is None else np.flatnonzero(shown)
            kept = self._rows = (wanted, chosen, rows)
        return kept[2]

    def _rank(self, column: str) -> Int64Array:
        memories, sources = self._snapshot.memories, self._snapshot.sources
        if column == "title":
            return text_ranks(memories.labels, len(memories))
        if column in ("key", "tags"):
            texts = memories.keys if column == "key" else memories.tags
            is_empty = np.fromiter((not text for text in texts), np.bool_, len(memories))
            return rank_cells(text_ranks(texts, len(memories)), is_empty)
        if column == "type":
            names = text_ranks(memories.type_names, len(memories.type_names))
            return names[memories.type_codes] if len(names) else np.zeros(0, dtype=np.int64)
        if column == "source":
            places = text_ranks(sources.texts, len(sources.texts))
            is_blank = [not (text or "").strip() for text in sources.texts]
            rows = memories.source_rows
            return rank_cells(np.append(places, 0)[rows], np.append(is_blank, True)[rows])
        return rank_values(column, self._snapshot)
