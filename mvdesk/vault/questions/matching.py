"""A query looked up in one snapshot: which memories match, and how relevant each is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from mvdesk.vault.questions.conditions import MOVING, Moment, mark_condition
from mvdesk.vault.questions.query import Condition, Either, Every, Not, Query, Word
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import BoolArray, FloatArray, Int64Array, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.questions.query import Node
    from mvdesk.vault.snapshot import Snapshot

RELEVANCE_SHARE: Final = 0.75
IMPORTANCE_SHARE: Final = 0.6
SUPERSEDED_COST: Final = 0.20
LOSER_COST: Final = 0.25
_MOST: Final = 2.0  # more than any hit is worth
_PARTS: Final = 5e8  # hits are told apart to this part of a point; 31 bits hold it

Way = Literal["words", "inside", "fields"]
"""How a word was found: as a word, anywhere inside a text, or in title, key, tags and source
alone, as long as the texts aren't indexed. An operator's text that begins no word anywhere may be
"inside" of words, too."""

Leaf = Word | Condition


@dataclass(frozen=True, slots=True, eq=False)
class Penalties:
    """What puts a hit further down, per memory."""

    superseded: BoolArray
    lost: BoolArray  # a conflict that was decided for the other one


@dataclass(frozen=True, slots=True, eq=False)
class ByAge:
    """All rows, the newest first, and the place of each row among them."""

    rows: IntArray
    places: IntArray

    @classmethod
    def of(cls, updated_at: Int64Array) -> ByAge:
        rows = np.argsort(~updated_at, kind="stable")
        places = np.empty(len(rows), dtype=np.intp)
        places[rows] = np.arange(len(rows))
        return cls(rows, places)


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """What a query finds in a snapshot.

    `known` are the marks of what doesn't move without a write, `strengths` how well the wanted
    words fit each memory (all 1 where they weren't weighed), `ways` how each was found.
    """

    query: Query
    snapshot: Snapshot
    known: Mapping[Leaf, BoolArray]
    strengths: FloatArray | None
    ways: Mapping[Leaf, Way]
    penalties: Penalties | None
    is_weighed: bool
    fixed: BoolArray
    moving: tuple[Node, ...]
    by_age: ByAge | None

    def marks(self, moment: Moment) -> BoolArray:
        """Marks the memories that match; the same array again while nothing can move them."""
        if not self.moving:
            return self.fixed
        return reduce(np.logical_and, (self.mark(node, moment) for node in self.moving), self.fixed)

    def mark(self, node: Node, moment: Moment) -> BoolArray:
        """Marks the memories for which one part of the query holds."""
        return mark_node(node, self.known, self.snapshot, moment)

    @property
    def has_words(self) -> bool:
        """Whether hits can be ordered by relevance."""
        return self.strengths is not None

    def relevance(self, rows: IntArray) -> FloatArray:
        """How well the texts fit, 1 for the best of `rows`; 1 for all without words."""
        if self.strengths is None:
            return np.ones(len(rows))
        strengths = self.strengths[rows]
        best = float(strengths.max(initial=0.0))
        return strengths / best if best > 0 else strengths

    def blend(self, rows: IntArray, relevance: FloatArray, scores: Scores) -> FloatArray:
        """What the order of hits goes by: relevance and scores, less the penalties."""
        worth = IMPORTANCE_SHARE * scores.importance[rows]
        worth += (1 - IMPORTANCE_SHARE) * scores.confidence[rows]
        blended = RELEVANCE_SHARE * relevance + (1 - RELEVANCE_SHARE) * worth
        if self.penalties is not None:
            blended -= SUPERSEDED_COST * self.penalties.superseded[rows]
            blended -= LOSER_COST * self.penalties.lost[rows]
        return blended

    def order(self, rows: IntArray, scores: Scores) -> IntArray:
        """`rows` with the best hit first; newer ones first where nothing else decides."""
        blended = self.blend(rows, self.relevance(rows), scores)
        by_age = self.by_age or ByAge.of(self.snapshot.memories.updated_at)
        # The score above the place by age in one number: a tenth of what lexsort takes.
        packed = np.rint((_MOST - blended) * _PARTS).astype(np.int64)
        packed <<= 32
        packed |= by_age.places[rows]
        packed.sort()
        packed &= 0xFFFFFFFF
        order: IntArray = by_age.rows[packed]
        return order


def mark_node(
    node: Node, known: Mapping[Leaf, BoolArray], snapshot: Snapshot, moment: Moment
) -> BoolArray:
    """Marks the memories for which a part of a query holds."""
    if isinstance(node, Not):
        return ~mark_node(node.part, known, snapshot, moment)
    if isinstance(node, Either):
        parts = (mark_node(part, known, snapshot, moment) for part in node.parts)
        return reduce(np.logical_or, parts)
    if isinstance(node, Every):
        parts = (mark_node(part, known, snapshot, moment) for part in node.parts)
        return reduce(np.logical_and, parts)
    found = known.get(node)
    if found is not None:
        return found
    assert isinstance(node, Condition), tr("words are looked up before")
    return mark_condition(node, snapshot, moment)


def is_moving(node: Node) -> bool:
    """Whether a part of a query can change its mind without a write."""
    if isinstance(node, Not):
        return is_moving(node.part)
    if isinstance(node, (Either, Every)):
        return any(map(is_moving, node.parts))
    return isinstance(node, Condition) and (
        node.name in MOVING or (node.name in ("has", "no") and node.value == "trust")
    )
