"""What a search finds, in the order of relevance and worth. Follows vault.md, "Search"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.questions.conditions import superseding_links
from mvdesk.vault.questions.query import Either, Query, Word
from mvdesk.vault.tags import parse_tags

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.vault.questions.conditions import Moment
    from mvdesk.vault.questions.matching import Matches
    from mvdesk.vault.searching import Searcher
    from mvdesk.vault.snapshot import Snapshot

MAX_LIMIT: Final = 50


@dataclass(frozen=True, slots=True)
class FindSettings:
    """Which hits count. `min_score` is compared with the confidence score.

    `tags` must all be there, spelled in whatever case. `limit` keeps the best ones, None: all.
    With `quick` hits are not weighed by their texts: the first to be shown while typing.
    """

    type: str | None = None
    tags: tuple[str, ...] = ()
    source: str | None = None
    min_score: float = 0.0
    archived: bool = False
    limit: int | None = 20
    quick: bool = False

    def clamped(self) -> FindSettings:
        """The settings moved into the ranges that the server allows. All are finite."""
        return replace(
            self,
            min_score=min(max(self.min_score, 0.0), 1.0),
            limit=None if self.limit is None else min(max(self.limit, 1), MAX_LIMIT),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """What was found, the best first, as rows of the memory table.

    `relevance` is the text's alone, 1 for the best hit; `blended` is what the order goes by.
    `is_superseded` and `is_loser` tell why a hit is further down. `total` counts those that
    the limit left out, too. `is_any` says that no memory has all words, and these have some.
    """

    rows: IntArray
    relevance: FloatArray
    blended: FloatArray
    is_superseded: BoolArray
    is_loser: BoolArray
    total: int
    is_any: bool = False


def find_memories(
    searcher: Searcher,
    snapshot: Snapshot,
    moment: Moment,
    query: Query,
    settings: FindSettings,
) -> Hits:
    """The memories that a query asks for, the best first. Never raises.

    Every word must be there, the last one as the beginning of a word; what looks like no word
    may be anywhere inside a text or begin an id. Where nothing holds all words, any will do.
    """
    matches, is_any = look_up(searcher, snapshot, query, ranked=not settings.quick)
    return order_hits(matches, moment, settings, is_any=is_any)


def look_up(
    searcher: Searcher, snapshot: Snapshot, query: Query, *, ranked: bool = True
) -> tuple[Matches, bool]:
    """A query looked up, and whether any of its words do because no memory has all."""
    matches = searcher.find(snapshot, query, ranked=ranked)
    words = [part for part in query.parts if isinstance(part, Word)]
    if len(words) < 2 or np.logical_and.reduce([matches.known[word] for word in words]).any():
        return matches, False
    others = [part for part in query.parts if not isinstance(part, Word)]
    query = replace(query, parts=(Either(tuple(words)), *others))
    return searcher.find(snapshot, query, ranked=ranked), True


def order_hits(
    matches: Matches, moment: Moment, settings: FindSettings, *, is_any: bool = False
) -> Hits:
    """The hits among what was looked up, under these scores."""
    query, snapshot = matches.query, matches.snapshot
    rows = np.flatnonzero(matches.marks(moment) & (not query.is_empty))
    rows = rows[_fitting(snapshot, moment, rows, settings, query)]
    order = matches.order(rows, moment.scores)[: settings.limit]
    relevance = np.zeros(len(snapshot.memories))
    relevance[rows] = matches.relevance(rows)
    nothing = np.zeros(len(order), dtype=np.bool_)
    penalties = matches.penalties
    return Hits(
        order,
        relevance[order],
        matches.blend(order, relevance[order], moment.scores),
        penalties.superseded[order] if penalties else nothing,
        penalties.lost[order] if penalties else nothing,
        len(rows),
        is_any,
    )


def find_superseding(snapshot: Snapshot, row: int) -> list[str]:
    """The ids of the memories that supersede this one, each once, oldest link first."""
    links = snapshot.links
    found = np.flatnonzero(superseding_links(snapshot) & (links.to_rows == row))
    ids = snapshot.memories.ids
    return list(dict.fromkeys(ids.text(int(links.from_rows[link])) for link in found))


def _fitting(
    snapshot: Snapshot, moment: Moment, rows: IntArray, settings: FindSettings, query: Query
) -> BoolArray:
    table = snapshot.memories
    keep: BoolArray = moment.scores.confidence[rows] >= settings.min_score
    if not settings.archived and not query.asks_for_archived:
        keep &= table.archived_at[rows] == NO_TIME
    if settings.type is not None:
        names = [name == settings.type.lower() for name in table.type_names]
        keep &= np.array([*names, False], dtype=np.bool_)[table.type_codes[rows]]
    if settings.source is not None:
        wanted = snapshot.rows_of_source(normalise_source_key(settings.source))
        keep &= np.isin(rows, wanted)
    if settings.tags:
        wanted_tags = set(parse_tags(",".join(settings.tags)))
        has = [wanted_tags.issubset(parse_tags(table.tags[row])) for row in rows.tolist()]
        keep &= np.array(has, dtype=np.bool_)
    return keep
