"""Links that nobody made but shared tags suggest."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from mvdesk.scoring.rounding import round3

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LEAST_SCORE: Final = 0.75
MOST_PER_TAG: Final = 30
"""A tag joins only so many memories, the first ones: a common tag says little."""


class InferredEdge(NamedTuple):
    """Two memories, as positions in what was asked about, the smaller first.

    `score` is rounded to three decimals; `tags` are the shared ones that count.
    """

    one: int
    other: int
    score: float
    tags: tuple[str, ...]


def find_inferred(tag_lists: Iterable[Sequence[str]], *, limit: int) -> list[InferredEdge]:
    """The best `limit` pairs that share tags, best first, linked or not.

    `tag_lists` has one memory's tags per entry, newest memory first: of a tag with more than
    30 memories the first 30 count. A shared tag adds 1/√(memories that count) to a pair, which
    must reach 0.75. Follows vault.md, "Inferred edges".
    """
    members: dict[str, list[int]] = {}
    for place, tags in enumerate(tag_lists):
        for tag in tags:
            members.setdefault(tag, []).append(place)
    scores: dict[tuple[int, int], float] = {}
    shared: dict[tuple[int, int], list[str]] = {}
    for tag, places in members.items():
        counted = places[:MOST_PER_TAG]
        weight = 1 / math.sqrt(len(counted))
        for pair in combinations(counted, 2):
            # Added up tag by tag in this order: the last bit may decide the rounding.
            scores[pair] = scores.get(pair, 0.0) + weight
            shared.setdefault(pair, []).append(tag)
    edges = [
        InferredEdge(*pair, round3(score), tuple(shared[pair])) for pair, score in scores.items()
    ]
    good = [edge for edge in edges if edge.score >= LEAST_SCORE]
    good.sort(key=lambda edge: -edge.score)  # stable, so that ties keep the order of tags
    return good[:limit]
