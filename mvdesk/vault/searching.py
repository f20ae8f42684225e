"""Searches of one open vault: what a query asks of its texts, looked up once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.engine import Scores
from mvdesk.store.folding import fold_text, has_letters, storable
from mvdesk.store.search import Phrase
from mvdesk.vault.inside_words import InsideWords
from mvdesk.vault.questions.conditions import (
    Moment,
    make_fit,
    mark_superseded,
    mark_text,
    rows_marked,
)
from mvdesk.vault.questions.haystack import Haystack
from mvdesk.vault.questions.matching import ByAge, Matches, Penalties, is_moving, mark_node
from mvdesk.vault.questions.query import Word
from mvdesk.vault.questions.query_operators import Flag
from mvdesk.vault.rules import read_resolutions
from mvdesk.vault.text_rows import RowHits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.arrays import BoolArray, FloatArray, Int64Array
    from mvdesk.records import ConflictResolution
    from mvdesk.vault.questions.matching import Leaf, Way
    from mvdesk.vault.questions.query import Condition, Query
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.text_rows import TextRows
    from mvdesk.vault.vault import Vault

TEXTS: Final = ("title", "key", "source", "tag")
"""Operators about texts, whose values may be found inside of words."""
_DECIDED: Final = ("resolved", "superseded")
_LEAST_ID: Final = 4
_ID: Final = re.compile("[0-9a-f-]+", re.IGNORECASE)
# Scripts that put no spaces between words and whose signs are no letters to FTS5.
_NO_NUMBERS: Final = np.empty(0, dtype=np.float64)
_NO_SCORES: Final = Scores(_NO_NUMBERS, _NO_NUMBERS, _NO_NUMBERS, _NO_NUMBERS)
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")


class Searcher:
    """Looks queries up for snapshots of one vault. Safe for several threads."""

    def __init__(self, vault: Vault, *, is_local: bool = True) -> None:
        """`is_local` says that days in queries are those of the system's time zone, not UTC's."""
        self._vault, self._is_local = vault, is_local
        self._texts = vault.text_rows
        self._inside = InsideWords(PUBLISHED_V1.keywords)
        self._haystack: tuple[Snapshot, Haystack] | None = None
        self._ages: tuple[Int64Array, ByAge] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether words are looked for in texts, too: the index was filled."""
        return self._vault.text_index.is_filled

    def find(
        self,
        snapshot: Snapshot,
        query: Query,
        *,
        ranked: bool = True,
        apart: bool = False,
        cancelled: Callable[[], bool] | None = None,
    ) -> Matches:
        """Everything about a query that needs texts, links or dates; slow, for a job.

        Without `ranked` hits aren't weighed, which is several times faster for short
        beginnings of words. `apart` looks every word up by itself, so that `Matches.mark` is
        right for each; usually it is for all of them together. Raises LookupCancelled.
        """
        lookup = _Lookup(self, self._texts, snapshot, ranked, cancelled)
        known: dict[Leaf, BoolArray] = {} if apart else lookup.mark_together(query)
        for leaf, wanted in query.leaves():
            if isinstance(leaf, Word):
                if leaf not in known or (wanted and leaf not in lookup.together):
                    known[leaf] = lookup.mark_word(leaf, wanted=wanted)
            elif leaf.name in TEXTS and leaf not in known:
                known[leaf] = lookup.mark_text(leaf, wanted=wanted)
            elif leaf.name == "insideword" and leaf not in known:
                known[leaf] = self._mark_inside(leaf, snapshot, cancelled)
        moving = tuple(part for part in query.parts if is_moving(part))
        nothing = Moment(_NO_SCORES, _NO_SCORES, _NO_NUMBERS, 0, self._is_local)
        fixed = np.ones(len(snapshot.memories), dtype=np.bool_)
        for part in query.parts:
            if part not in moving:
                fixed = fixed & mark_node(part, known, snapshot, nothing)
        weighed = ranked and lookup.strengths is not None
        penalties = self._penalties(snapshot) if lookup.strengths is not None else None
        return Matches(
            query=query,
            snapshot=snapshot,
            known=known,
            strengths=lookup.strengths,
            ways=lookup.ways,
            penalties=penalties,
            is_weighed=weighed,
            fixed=fixed,
            moving=moving,
            by_age=self._by_age(snapshot) if lookup.strengths is not None else None,
        )

    def moment(
        self,
        snapshot: Snapshot,
        scores: Scores,
        now: int,
        *,
        stored: Scores | None = None,
        trust: FloatArray | None = None,
    ) -> Moment:
        """What moves, for `Matches.marks`; `stored` and `trust` are given while previewing."""
        shown_trust = snapshot.trust_per_row() if trust is None else trust
        return Moment(scores, stored or scores, shown_trust, now, self._is_local)

    def _by_age(self, snapshot: Snapshot) -> ByAge:
        kept = self._ages
        if kept is None or kept[0] is not snapshot.memories.updated_at:
            times = snapshot.memories.updated_at
            kept = self._ages = (times, ByAge.of(times))
        return kept[1]

    def _penalties(self, snapshot: Snapshot) -> Penalties:
        return Penalties(
            mark_superseded(snapshot), mark_losers(snapshot, read_resolutions(self._vault))
        )

    def _mark_inside(
        self, leaf: Condition, snapshot: Snapshot, cancelled: Callable[[], bool] | None
    ) -> BoolArray:
        marks = self._inside.mark(self._vault, snapshot, cancelled)
        return marks if leaf.value == Flag() else ~marks

    def find_in_fields(self, snapshot: Snapshot, piece: str) -> BoolArray:
        """Marks the memories with a folded piece in title, key, tags or source."""
        kept = self._haystack
        if kept is None or kept[0] is not snapshot:
            kept = self._haystack = (snapshot, Haystack(snapshot))
        return kept[1].find(piece)


class _Lookup:
    """Looks the words of one query up."""

    def __init__(
        self,
        searcher: Searcher,
        texts: TextRows,
        snapshot: Snapshot,
        ranked: bool,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self.strengths: FloatArray | None = None
        self.ways: dict[Leaf, Way] = {}
        self.together: frozenset[Word] = frozenset()
        self._searcher, self._texts, self._snapshot = searcher, texts, snapshot
        self._ranked, self._cancelled = ranked, cancelled

    def mark_together(self, query: Query) -> dict[Leaf, BoolArray]:
        """Marks of the plain words that must all hold: of those that hold all of them.

        Nothing where that can't be told at once: then each has to be looked up by itself.
        """
        words = [
            part
            for part in query.parts
            if isinstance(part, Word) and not part.is_exact and self._is_plain(part)
        ]
        if len(words) < 2 or not self._searcher.is_complete:
            return {}
        phrases = [Phrase(*_read_word(word)) for word in words]
        hits = self._texts.find_phrases(
            self._snapshot, phrases, ranked=self._ranked, cancelled=self._cancelled
        )
        if not len(hits.rows):
            return {}  # one of them may be inside of words
        self.together = frozenset(words)
        self.ways |= dict.fromkeys(words, "words")
        self._add(hits)
        return dict.fromkeys(words, rows_marked(hits.rows, self._snapshot))

    def _is_plain(self, word: Word) -> bool:
        """Whether FTS5 alone tells who holds a word."""
        text = _read_word(word)[0]
        is_id = len(text) >= _LEAST_ID and _ID.fullmatch(text) is not None
        return has_letters(text) and not _UNSPACED.search(text) and not is_id

    def mark_text(self, condition: Condition, *, wanted: bool) -> BoolArray:
        """Marks the memories whose title, key, source or tags fit.

        What begins no word of any may be inside of words, if it is wanted.
        """
        marks = self._mark_text(condition)
        if wanted and not marks.any() and not condition.is_exact and condition.sign == ":":
            inside = self._mark_text(condition, inside=True)
            if inside.any():
                self.ways[condition] = "inside"
                return inside
        return marks

    def _mark_text(self, condition: Condition, *, inside: bool = False) -> BoolArray:
        text = " ".join(fold_text(storable(str(condition.value))).split())
        is_word = has_letters(text) and not _UNSPACED.search(text)
        if condition.name != "title" or not self._searcher.is_complete or "," in text:
            return mark_text(condition, self._snapshot, inside=inside)
        if not inside and not is_word:
            return mark_text(condition, self._snapshot)
        # Titles are many: only those of memories that hold the text somewhere are looked at.
        hits = self._find_piece(text) if inside else self._find_beginning(text)
        labels, fits = self._snapshot.memories.labels, make_fit(condition, inside=inside)
        return rows_marked(
            [row for row in hits.rows.tolist() if fits(labels.text(row))], self._snapshot
        )

    def _find_beginning(self, text: str) -> RowHits:
        return self._texts.find_phrases(
            self._snapshot, [Phrase(text, True)], ranked=False, cancelled=self._cancelled
        )

    def mark_word(self, word: Word, *, wanted: bool) -> BoolArray:
        """Marks the memories that hold a word; how strongly counts when it is wanted.

        What is no whole word anywhere may be inside of words, if it is wanted.
        """
        text, is_beginning = _read_word(word)
        if not self._searcher.is_complete:
            self.ways[word] = "fields"
            marks = self._searcher.find_in_fields(self._snapshot, text)
            rows = np.flatnonzero(marks)
            hits = RowHits(rows, np.ones(len(rows)))
        else:
            hits = self._find(word, text, is_beginning, wanted)
        if wanted:
            self._add(hits)
        return rows_marked(hits.rows, self._snapshot)

    def _add(self, hits: RowHits) -> None:
        if self.strengths is None:
            self.strengths = np.zeros(len(self._snapshot.memories))
        self.strengths[hits.rows] += hits.strengths

    def _find(self, word: Word, text: str, is_beginning: bool, wanted: bool) -> RowHits:
        self.ways[word] = "words"
        if not has_letters(text) or _UNSPACED.search(text):
            self.ways[word] = "inside"
            return self._find_piece(text)
        hits = self._texts.find_phrases(
            self._snapshot,
            [Phrase(text, is_beginning)],
            ranked=self._ranked,
            cancelled=self._cancelled,
        )
        if word.is_exact and not text.replace(" ", "").isalnum():
            # FTS5 doesn't see what is between words.
            as_typed = np.isin(hits.rows, self._find_piece(text).rows)
            hits = RowHits(hits.rows[as_typed], hits.strengths[as_typed])
        if not len(hits.rows) and wanted and not word.is_exact:
            self.ways[word] = "inside"
            hits = self._find_piece(text)
        if len(text) >= _LEAST_ID and _ID.fullmatch(text):
            hits = self._with_ids(hits, text)
        return hits

    def _find_piece(self, text: str) -> RowHits:
        return self._texts.find_piece(self._snapshot, text, cancelled=self._cancelled)

    def _with_ids(self, hits: RowHits, beginning: str) -> RowHits:
        """Whoever types the beginning of an id wants that memory before those that mention it."""
        rows = self._texts.find_id(self._snapshot, beginning)
        if not len(rows):
            return hits
        top = float(hits.strengths.max(initial=1.0))
        others = ~np.isin(hits.rows, rows)
        return RowHits(
            np.concatenate((rows, hits.rows[others])),
            np.concatenate((np.full(len(rows), top), hits.strengths[others])),
        )


def _read_word(word: Word) -> tuple[str, bool]:
    """A word as it is looked up, and whether it may go on."""
    text = " ".join(fold_text(storable(word.text)).split())
    if not word.is_exact and len(text) > 1 and text.endswith("*"):
        return text.rstrip("*") or "*", True
    return text, word.is_beginning


def mark_losers(snapshot: Snapshot, resolutions: Sequence[ConflictResolution]) -> BoolArray:
    """Which memories lost a conflict that was decided for the other one."""
    marks = np.zeros(len(snapshot.memories), dtype=np.bool_)
    for one in resolutions:
        if one.status in _DECIDED and one.canonical_id in (one.a_id, one.b_id):
            loser = one.b_id if one.canonical_id == one.a_id else one.a_id
            if (row := snapshot.row_of(loser)) is not None:
                marks[row] = True
    return marks
