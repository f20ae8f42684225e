"""Which memories a question about the graph starts from, when it is asked in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.vault.questions.words import find_words, is_latin, similarity
from mvdesk.vault.tags import parse_tags

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mvdesk.arrays import IntArray
    from mvdesk.records import Memory
    from mvdesk.vault.snapshot import Snapshot

MOST_SEEDS: Final = 8
NEWEST_SEEDS: Final = 3
"""How many of the newest memories stand in for seeds when none are named."""

_QUERY_WORDS: Final = 24


@dataclass(frozen=True, slots=True)
class Matching:
    """How well a memory fits a query: the weight of holding it whole, and of its words.

    `by_share`: words count by the share of the query's words that the memory has; else by
    how alike both sets of words are.
    """

    whole: float
    words: float
    word_limit: int
    by_share: bool = False
    tags: bool = False


FOR_SUGGESTIONS: Final = Matching(0.7, 0.3, 120, by_share=True)
FOR_SUBGRAPH: Final = Matching(0.7, 0.3, 100)
FOR_NEIGHBOURS: Final = Matching(0.75, 0.25, 100, tags=True)
"""How the server's three tools match, each in its own way."""


def newest_first(snapshot: Snapshot) -> IntArray:
    """The rows of memories that are not archived, the last one made first."""
    rows = np.flatnonzero(snapshot.memories.archived_at == NO_TIME)
    return rows[np.argsort(-snapshot.memories.created_at[rows], kind="stable")]


def rows_with_tag(snapshot: Snapshot, tag: str, rows: Iterable[int]) -> list[int]:
    """Those of the rows whose memories have a tag, however it is written."""
    wanted = parse_tags(tag)[:1]
    tags = snapshot.memories.tags
    return [row for row in rows if wanted and wanted[0] in parse_tags(tags[row])]


def find_seeds(
    snapshot: Snapshot,
    memories: Iterable[Memory],
    query: str,
    matching: Matching,
    *,
    limit: int = MOST_SEEDS,
) -> list[int]:
    """The rows of the memories that fit a query best, at most `limit`; none for a blank one.

    `memories` are those that may be seeds; of equal ones the newest comes first.
    """
    query = query.strip().lower()
    if not query:
        return []
    latin = is_latin(query)
    words = frozenset(find_words(query, _QUERY_WORDS, latin=latin))
    found: list[tuple[float, int, int]] = []
    for memory in memories:
        row = snapshot.row_of(memory.id)
        score = _fit(memory, query, words, matching, latin=latin)
        if row is not None and score > 0:
            found.append((-score, -memory.created_at, row))
    return [row for _, _, row in sorted(found)[:limit]]


def _fit(
    memory: Memory, query: str, words: frozenset[str], matching: Matching, *, latin: bool
) -> float:
    parts = [memory.id, memory.title, memory.key, memory.content]
    parts += [memory.tags] if matching.tags else []
    text = " ".join(part or "" for part in (*parts, memory.source)).lower()
    theirs = frozenset(find_words(text, matching.word_limit, latin=latin))
    if matching.by_share:
        part = len(words & theirs) / len(words) if words else 0.0
    else:
        part = similarity(theirs, words)
    return (matching.whole if query in text else 0.0) + part * matching.words
