"""Memories that may be the same one twice: pairs with the reasons, for a person to judge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.whitespace import trim
from mvdesk.store.reading import read_contents
from mvdesk.vault.questions.near_texts import WordTable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from mvdesk.vault.not_duplicates import Apart
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

REASONS: Final = ("text", "near", "key", "title")
"""The same text; nearly the same; the same key; the same title and source."""
LEAST_SIMILARITY: Final = 0.6
MOST_LISTED: Final = 1_000
_MOST_MEASURED: Final = 20_000
_READ_AT_ONCE: Final = 2_048
_WORTH: Final = {"text": 1.0, "key": 0.2, "title": 0.1}
"""What a reason counts beside the similarity, for the order."""


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
    """The words of the active memories by place, and which have the same text."""

    rows: list[int] = field(default_factory=list)
    words: WordTable = field(default_factory=WordTable)
    groups: dict[bytes, list[int]] = field(default_factory=dict)  # rows
    titled: dict[tuple[int, str], list[int]] = field(default_factory=dict)  # rows
    place_of: dict[int, int] = field(default_factory=dict)


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
    progress("Comparing texts")
    reasons: dict[tuple[int, int], list[str]] = {}
    for reason, pairs in search.find(texts):
        for pair in pairs:
            reasons.setdefault(pair, []).append(reason)
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
                rows = self._snapshot.rows_of([memory_id for memory_id, _, _ in some])
                for row, (_, title, content) in zip(rows.tolist(), some, strict=True):
                    if row >= 0 and self._active[row]:
                        _add(texts, row, content)
                        self._add_title(texts, row, title or "")
                seen += len(some)
                progress(f"Reading texts: {min(seen, total):,} of {total:,}")
        return texts

    def find(self, texts: _Texts) -> Iterator[tuple[str, Iterable[tuple[int, int]]]]:
        """The pairs of each reason as rows, the one that a merge would keep first."""
        for rows in texts.groups.values():
            yield "text", self._around_one(rows)
        yield "near", self._near(texts)
        for rows in self._by_key():
            yield "key", self._around_one(rows)
        for rows in texts.titled.values():
            yield "title", self._around_one(rows)

    def rank(
        self, texts: _Texts, reasons: Mapping[tuple[int, int], list[str]], limit: int | None
    ) -> Duplicates:
        """The pairs with their similarity, the likeliest first."""
        copies = {row: len(rows) for rows in texts.groups.values() for row in rows}
        ends = [texts.place_of[row] for pair in reasons for row in pair]
        places = np.array(ends, dtype=np.intp).reshape(-1, 2)
        alike = texts.words.similarities(places[:, 0], places[:, 1])
        found: list[tuple[float, Duplicate]] = []
        for ((a, b), why), share in zip(reasons.items(), alike.tolist(), strict=True):
            same = "text" in why
            share = 1.0 if same else share
            worth = share + sum(_WORTH.get(reason, 0.0) for reason in why)
            count = copies[a] if same else 1
            found.append((worth, Duplicate(a, b, tuple(why), round(share, 3), count)))
        found.sort(key=lambda one: (-one[0], one[1].a_row, one[1].b_row))
        by_reason = Counter(reason for why in reasons.values() for reason in why)
        counted = {reason: by_reason[reason] for reason in REASONS}
        return Duplicates(tuple(pair for _, pair in found[:limit]), len(found), counted)

    def _around_one(self, rows: Collection[int]) -> Iterator[tuple[int, int]]:
        """Each with the first of those before it that it isn't kept apart from."""
        if len(rows) < 2:
            return
        ordered = sorted(rows, key=self._rank.__getitem__)
        for at, row in enumerate(ordered[1:], start=1):
            for other in ordered[:at]:
                if not self._is_apart(other, row):
                    yield other, row
                    break

    def _near(self, texts: _Texts) -> Iterator[tuple[int, int]]:
        """For each text the one that it is most alike; the same texts count once."""
        places = [
            texts.place_of[min(rows, key=self._rank.__getitem__)] for rows in texts.groups.values()
        ]
        found = texts.words.find_near(
            sorted(places), LEAST_SIMILARITY, _MOST_MEASURED, self._cancelled
        )
        told: set[int] = set()
        for pair in found:
            one, other = texts.rows[pair.one], texts.rows[pair.other]
            if (one in told and other in told) or self._is_apart(one, other):
                continue
            told |= {one, other}
            yield (one, other) if self._rank[one] < self._rank[other] else (other, one)

    def _by_key(self) -> Iterator[list[int]]:
        keys = self._snapshot.memories.keys
        groups: dict[str, list[int]] = {}
        for row in np.flatnonzero(self._active).tolist():
            if key := trim(keys.text(row)).lower():
                groups.setdefault(key, []).append(row)
        yield from groups.values()

    def _add_title(self, texts: _Texts, row: int, title: str) -> None:
        key = int(self._source_keys[row])
        if key >= 0 and (folded := " ".join(title.casefold().split())):
            texts.titled.setdefault((key, folded), []).append(row)

    def _is_apart(self, one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) in self._apart


def _add(texts: _Texts, row: int, content: str) -> None:
    folded = " ".join(content.casefold().split())
    texts.place_of[row] = len(texts.rows)
    texts.rows.append(row)
    texts.words.add(folded)
    if folded:
        digest = blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        texts.groups.setdefault(digest, []).append(row)
