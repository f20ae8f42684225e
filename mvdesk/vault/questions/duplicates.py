"""Memories that may be the same one twice: pairs with the reasons, for a person to judge."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.whitespace import trim
from mvdesk.store.reading import read_contents
from mvdesk.vault.questions.near_texts import WordTable
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from mvdesk.arrays import IntArray
    from mvdesk.vault.not_duplicates import Apart
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

REASONS: Final = ("text", "near", "key", "title")
"""The same text; nearly the same; the same key; the same title and source."""
LEAST_SIMILARITY: Final = 0.6
MOST_LISTED: Final = 1_000
_MOST_MEASURED: Final = 20_000
_READ_AT_ONCE: Final = 1_024
_NONE: Final = 0
"""The mark of what is empty: no duplicate of anything."""
_WORTH: Final = {"text": 1.0, "key": 0.2, "title": 0.1}
"""What a reason counts beside the similarity, for the order."""
_REASONS_OF: Final = [
    tuple(reason for at, reason in enumerate(REASONS) if bits >> at & 1)
    for bits in range(1 << len(REASONS))
]


class SearchCancelled(Exception):
    """Whoever asked doesn't wait for the answer any more."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two memories by row: A is the one that a merge would keep.

    `similarity` is the share of words and word pairs of the texts that both have, in [0, 1].
    `copies` counts the memories with this very text, 1 where the texts differ.
    """

    a_row: int
    b_row: int
    reasons: tuple[str, ...]
    similarity: float
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The likeliest pairs first. `total` counts all that were found, `by_reason` as well."""

    pairs: tuple[Duplicate, ...]
    total: int
    by_reason: Mapping[str, int]


@dataclass(slots=True)
class _Texts:
    """The words of the active memories by place; equal marks are equal texts or titles."""

    rows: array[int] = field(default_factory=lambda: array("q"))
    words: WordTable = field(default_factory=WordTable)
    marks: array[int] = field(default_factory=lambda: array("q"))
    title_marks: array[int] = field(default_factory=lambda: array("q"))


def find_duplicates(
    vault: Vault,
    snapshot: Snapshot,
    *,
    apart: Apart = frozenset(),
    limit: int | None = MOST_LISTED,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[str], None] = lambda _: None,
) -> Duplicates:
    """Pairs of active memories that may be duplicates, those in `apart` left out.

    Of many alike each is paired with the one that a merge would keep, or with the one that
    it is most alike: not every pair is told. Keys and titles are compared trimmed and in
    lower case, texts also with folded white space. Nearly the same are texts of which six
    tenths of the words and word pairs are in both; those are found by samples, so that one
    in twenty of the least alike is missed. Raises SearchCancelled, and a VaultError when the
    file can't be read.
    """
    search = _Search(snapshot, apart, cancelled)
    texts = search.read(vault, progress)
    progress(tr("Comparing texts"))
    reasons: dict[tuple[int, int], int] = {}
    for reason, pairs in search.find(texts):
        bit = 1 << REASONS.index(reason)
        for pair in pairs:
            reasons[pair] = reasons.get(pair, 0) | bit
    if cancelled():
        raise SearchCancelled
    return search.rank(texts, reasons, limit)


class _Search:
    def __init__(self, snapshot: Snapshot, apart: Apart, cancelled: Callable[[], bool]) -> None:
        self._snapshot, self._cancelled = snapshot, cancelled
        table = snapshot.memories
        self._active = table.archived_at == NO_TIME
        rows = [snapshot.rows_of(sorted(pair)).tolist() for pair in apart]
        self._apart = {(min(pair), max(pair)) for pair in rows}
        self._source_keys = np.append(snapshot.sources.text_keys, -1)[table.source_rows]
        # As `pick_primary`: the most important, then the newest.
        self._rank = np.empty(len(table), dtype=np.intp)
        order = np.lexsort((-table.created_at, -np.clip(table.base_importance, 0, 1)))
        self._rank[order] = np.arange(len(table))

    def read(self, vault: Vault, progress: Callable[[str], None]) -> _Texts:
        """The texts of the active memories in words; none of them is kept."""
        texts, seen, total = _Texts(), 0, len(self._snapshot.memories)
        with vault.file.read() as conn:
            brain = self._snapshot.brain_id
            for some in read_contents(conn, vault.file.schema, brain, chunk_rows=_READ_AT_ONCE):
                if self._cancelled():
                    raise SearchCancelled
                self._take(texts, some)
                seen += len(some)
                progress(
                    tr("Reading texts: {seen:,} of {total:,}", seen=min(seen, total), total=total)
                )
        return texts

    def _take(self, texts: _Texts, some: list[tuple[str, str | None, str]]) -> None:
        rows = self._snapshot.rows_of(list(map(itemgetter(0), some)))
        kept = np.flatnonzero((rows >= 0) & self._active[rows])
        rows = rows[kept]
        texts.rows.extend(rows.tolist())
        sources = self._source_keys[rows].tolist()
        for at, source in zip(kept.tolist(), sources, strict=True):
            _, title, content = some[at]
            folded = _fold(content)
            texts.words.add(folded)
            texts.marks.append(hash(folded) if folded else _NONE)
            named = _fold(title) if title and source >= 0 else ""
            texts.title_marks.append(hash((source, named)) if named else _NONE)

    def find(self, texts: _Texts) -> Iterator[tuple[str, Iterable[tuple[int, int]]]]:
        """The pairs of each reason as rows, the one that a merge would keep first."""
        rows = _numbers(texts.rows)
        for group in self._groups(rows, _numbers(texts.marks)):
            yield "text", self._around_one(group)
        yield "near", self._near(texts)
        for reason, among, marks in (
            ("key", np.flatnonzero(self._active), self._key_marks()),
            ("title", rows, _numbers(texts.title_marks)),
        ):
            for group in self._groups(among, marks):
                yield reason, self._around_one(group)

    def rank(
        self, texts: _Texts, reasons: Mapping[tuple[int, int], int], limit: int | None
    ) -> Duplicates:
        """The pairs with their similarity, the likeliest first."""
        ends = np.fromiter((row for pair in reasons for row in pair), np.intp, 2 * len(reasons))
        pairs = ends.reshape(-1, 2)
        bits = np.fromiter(reasons.values(), dtype=np.intp, count=len(reasons))
        place_of = np.zeros(len(self._active), dtype=np.intp)
        place_of[_numbers(texts.rows)] = np.arange(len(texts.rows))
        places = place_of[pairs]
        has = {reason: bits >> at & 1 == 1 for at, reason in enumerate(REASONS)}
        alike = np.ones(len(pairs))
        differ = np.flatnonzero(~has["text"])
        alike[differ] = texts.words.similarities(places[differ, 0], places[differ, 1])
        worth = alike + sum(has[reason] * much for reason, much in _WORTH.items())
        order = np.lexsort((pairs[:, 1], pairs[:, 0], -worth))[:limit]
        marks = _numbers(texts.marks)
        ranked = np.sort(marks)
        shown = marks[places[order, 0]]
        same = np.searchsorted(ranked, shown, "right") - np.searchsorted(ranked, shown)
        copies = np.where(has["text"][order], same, 1)
        told = tuple(
            Duplicate(a, b, _REASONS_OF[why], round(share, 3), count)
            for (a, b), why, share, count in zip(
                pairs[order].tolist(),
                bits[order].tolist(),
                alike[order].tolist(),
                copies.tolist(),
                strict=True,
            )
        )
        return Duplicates(told, len(pairs), {why: int(has[why].sum()) for why in REASONS})

    def _groups(self, rows: IntArray, marks: IntArray) -> Iterator[list[int]]:
        """Rows with the same mark, where several have it, each group by rank."""
        order = np.lexsort((self._rank[rows], marks))
        ranked = marks[order]
        is_same = np.append(ranked[1:] == ranked[:-1], False) & (ranked != _NONE)
        bounds = np.flatnonzero(np.diff(is_same.astype(np.int8), prepend=0, append=0))
        for start, end in bounds.reshape(-1, 2).tolist():
            yield rows[order[start : end + 1]].tolist()

    def _around_one(self, ordered: list[int]) -> Iterator[tuple[int, int]]:
        """Each with the first of those before it that it isn't kept apart from."""
        for at, row in enumerate(ordered[1:], start=1):
            for other in ordered[:1] if not self._apart else ordered[:at]:
                if not self._is_apart(other, row):
                    yield other, row
                    break

    def _near(self, texts: _Texts) -> Iterator[tuple[int, int]]:
        """For each text the one that it is most alike; the same texts count once."""
        marks, rank = _numbers(texts.marks), self._rank
        order = np.lexsort((rank[_numbers(texts.rows)], marks))
        ranked = marks[order]
        is_first = np.append(True, ranked[1:] != ranked[:-1]) if len(order) else order == 0
        places = np.sort(order[is_first & (ranked != _NONE)])
        found = texts.words.find_near(
            places.tolist(), LEAST_SIMILARITY, _MOST_MEASURED, self._cancelled
        )
        told: set[int] = set()
        for pair in found:
            one, other = texts.rows[pair.one], texts.rows[pair.other]
            if (one in told and other in told) or self._is_apart(one, other):
                continue
            told |= {one, other}
            yield (one, other) if rank[one] < rank[other] else (other, one)

    def _key_marks(self) -> IntArray:
        """For each active row a mark of its key, as it is compared."""
        column = self._snapshot.memories.keys
        found = array("q")
        for key, is_active in zip(column, self._active.tolist(), strict=True):
            if is_active:
                folded = trim(key).lower() if key else ""
                found.append(hash(folded) if folded else _NONE)
        return _numbers(found)

    def _is_apart(self, one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) in self._apart


def _fold(text: str) -> str:
    """For comparing: without case, and white space folded."""
    return " ".join((text.lower() if text.isascii() else text.casefold()).split())


def _numbers(numbers: array[int]) -> IntArray:
    return np.frombuffer(numbers, dtype=np.int64) if len(numbers) else np.empty(0, dtype=np.int64)
