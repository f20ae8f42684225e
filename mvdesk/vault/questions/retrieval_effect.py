"""What tried trust does to what an assistant would retrieve, and how far trust can reach there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.arrays import NO_TIME
from mvdesk.vault.questions.find import FindSettings, look_up, order_hits
from mvdesk.vault.questions.matching import IMPORTANCE_SHARE, RELEVANCE_SHARE
from mvdesk.vault.questions.overlay import trust_per_row
from mvdesk.vault.questions.query import parse_query

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.questions.find import Hits
    from mvdesk.vault.questions.matching import Matches
    from mvdesk.vault.searching import Searcher
    from mvdesk.vault.snapshot import Snapshot

    Find = Callable[[str, Scores, Mapping[str, float | None]], Hits]

TOP: Final = 10
"""The hits of a search that are compared: what fits into an assistant's answer."""


@dataclass(frozen=True, slots=True)
class SearchChange:
    """The best hits of one saved search before and after, as rows, best first.

    `total_before` and `total_after` count all hits.
    """

    text: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    total_before: int
    total_after: int

    @property
    def kept(self) -> int:
        """How many of the best hits stay among them."""
        return len(set(self.before) & set(self.after))

    @property
    def left(self) -> tuple[int, ...]:
        """Those that are no longer among the best, in their old order."""
        return tuple(row for row in self.before if row not in self.after)

    @property
    def entered(self) -> tuple[int, ...]:
        """Those that are now, in their new order."""
        return tuple(row for row in self.after if row not in self.before)

    @property
    def is_same(self) -> bool:
        """Nothing moves, not even the order."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a change of scores moves a memory in the order of a search, in search points.

    `up` and `down` (both ≥ 0) are the most that any active memory gains and loses.
    """

    up: float
    down: float

    @property
    def most(self) -> float:
        """The larger of both: a text that fits better is worth 0.75."""
        return max(self.up, self.down)


def measure_search(
    text: str,
    before: Scores,
    after: Scores,
    find: Find,
    *,
    trust: Mapping[str, float | None] | None = None,
    top: int = TOP,
) -> SearchChange:
    """What one search gives before and after.

    `trust` are the tried values that made `after`: a search may ask for trust, too.
    """
    old, new = find(text, before, {}), find(text, after, trust or {})
    return SearchChange(
        text,
        tuple(old.rows[:top].tolist()),
        tuple(new.rows[:top].tolist()),
        old.total,
        new.total,
    )


def make_finder(
    searcher: Searcher, snapshot: Snapshot, now: int, settings: FindSettings | None = None
) -> Find:
    """A search that looks every text up once, whatever scores it is asked with then.

    Keep it while the snapshot is the same. `settings` are the usual ones unless given.
    """
    known: dict[str, tuple[Matches, bool]] = {}
    wanted = settings or FindSettings(limit=TOP)

    def find(text: str, scores: Scores, trust: Mapping[str, float | None]) -> Hits:
        if text not in known:
            known[text] = look_up(searcher, snapshot, parse_query(text))
        matches, is_any = known[text]
        per_row = trust_per_row(snapshot, trust)
        moment = searcher.moment(snapshot, scores, now, trust=per_row)
        return order_hits(matches, moment, wanted, is_any=is_any)

    return find


def measure_reach(snapshot: Snapshot, before: Scores, after: Scores) -> Reach:
    """The largest effect on a search of what moved between two scores."""
    active = snapshot.memories.archived_at == NO_TIME
    importance = (after.importance - before.importance)[active]
    confidence = (after.confidence - before.confidence)[active]
    moved = (1 - RELEVANCE_SHARE) * (
        IMPORTANCE_SHARE * importance + (1 - IMPORTANCE_SHARE) * confidence
    )
    return Reach(float(moved.max(initial=0.0)), float(-moved.min(initial=0.0)))


def trust_reach(model: ScoreModel, distance: float = 1.0) -> float:
    """The most that moving a source's trust by a distance can move a search, in any vault."""
    importance = model.trust_importance * distance
    confidence = model.trust_confidence * distance
    return (1 - RELEVANCE_SHARE) * (
        IMPORTANCE_SHARE * importance + (1 - IMPORTANCE_SHARE) * confidence
    )
