"""A vault in numbers: how much of what, how it hangs together, how the scores are spread."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.graphs.components import find_components
from mvdesk.records import RELATIONS
from mvdesk.scoring.rounding import round3
from mvdesk.vault.questions.seeds import newest_first
from mvdesk.vault.questions.subgraph import find_inferred_links
from mvdesk.vault.tags import parse_tags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import FloatArray, Int8Array, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.questions.subgraph import InferredLink
    from mvdesk.vault.snapshot import Snapshot

RECENT: Final = 5
BUCKETS: Final = 10
_PAIRED_TAGS: Final = 20
_SAMPLES: Final = 5


@dataclass(frozen=True, slots=True)
class Counts:
    """How many memories and links there are. Types and their scores leave the archive out.

    `recent` are the rows of the memories made last; the averages are of their scores, None
    without any.
    """

    active: int
    archived: int
    by_type: Mapping[str, int]
    by_relation: Mapping[str, int]
    recent: tuple[int, ...]
    recent_confidence: float | None
    recent_importance: float | None


class Hub(NamedTuple):
    """A memory with many links: how many of each relation, "inferred" ones too."""

    row: int
    degree: int
    relations: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GraphStats:
    """How the active memories hang together, over archived ones too, as on the server.

    `isolated` have no link at all. `density` is links per pair of memories. Averages are None
    without memories. `hubs` are the most linked memories, the most linked first.
    """

    nodes: int
    links: int
    inferred: tuple[InferredLink, ...]
    components: int
    isolated: int
    largest_component: int
    density: float
    relations: Mapping[str, int]
    confidence: float | None
    importance: float | None
    hubs: tuple[Hub, ...]


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag, how many active memories have it, and the rows of the newest of them."""

    tag: str
    count: int
    samples: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TagStats:
    """Tags and pairs of tags, the commonest first; `unique` counts all tags."""

    memories: int
    unique: int
    tags: tuple[TagCount, ...]
    pairs: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """How many active memories score in each tenth from 0 to 1; 1 belongs to the last."""

    confidence: tuple[int, ...]
    importance: tuple[int, ...]


def count_all(snapshot: Snapshot, scores: Scores) -> Counts:
    """Memories by type, links by relation, and the newest memories."""
    table = snapshot.memories
    newest = newest_first(snapshot)
    types = Counter(table.type_codes[newest].tolist())
    by_type = {table.type_names[code]: count for code, count in types.items()}
    relations = Counter(_relation(code) for code in snapshot.links.relations.tolist())
    recent = newest[:RECENT]
    return Counts(
        active=len(newest),
        archived=len(table) - len(newest),
        by_type=dict(sorted(by_type.items())),
        by_relation=dict(sorted(relations.items())),
        recent=tuple(recent.tolist()),
        recent_confidence=_mean(scores.confidence[recent]),
        recent_importance=_mean(scores.importance[recent]),
    )


def measure_graph(
    snapshot: Snapshot,
    scores: Scores,
    *,
    max_inferred: int,
    include_inferred: bool = True,
    hubs: int = 12,
) -> GraphStats:
    """Components, density and hubs. `max_inferred` is that of the brain's policy."""
    links, newest = snapshot.links, newest_first(snapshot)
    every = np.arange(len(links))
    inferred: list[InferredLink] = []
    if include_inferred:
        inferred = find_inferred_links(snapshot, newest.tolist(), every, limit=max_inferred)
    starts = np.append(links.from_rows, [one.from_row for one in inferred]).astype(np.intp)
    ends = np.append(links.to_rows, [one.to_row for one in inferred]).astype(np.intp)
    codes = np.append(_known(links.relations), np.full(len(inferred), len(RELATIONS)))
    roots = find_components(starts, ends, len(snapshot.memories))
    sizes = np.bincount(roots, minlength=len(roots))
    found = np.unique(roots[newest])
    degrees = _degrees(starts, ends, codes, len(snapshot.memories))
    total, count = len(starts), len(newest)
    named = [*RELATIONS, "inferred"]
    by_relation = np.bincount(codes, minlength=len(named)).tolist()
    return GraphStats(
        nodes=count,
        links=len(links),
        inferred=tuple(inferred),
        components=len(found),
        isolated=int((degrees[newest].sum(axis=1) == 0).sum()),
        largest_component=int(sizes[found].max(initial=0)),
        density=round3(2 * total / (count * (count - 1))) if count > 1 else 0.0,
        relations=dict(zip(named, by_relation, strict=True)),
        confidence=_mean(scores.confidence[newest]),
        importance=_mean(scores.importance[newest]),
        hubs=_hubs(snapshot, newest, degrees, hubs),
    )


def count_tags(
    snapshot: Snapshot, *, limit: int = 20, min_count: int = 2, include_pairs: bool = True
) -> TagStats:
    """The tags that at least `min_count` active memories have, and which go together."""
    newest = newest_first(snapshot).tolist()
    members: dict[str, list[int]] = {}
    pairs: Counter[tuple[str, str]] = Counter()
    for row in newest:
        tags = parse_tags(snapshot.memories.tags[row])
        for tag in tags:
            members.setdefault(tag, []).append(row)
        if include_pairs:
            pairs.update(combinations(sorted(tags[:_PAIRED_TAGS]), 2))
    common = [(tag, rows) for tag, rows in members.items() if len(rows) >= min_count]
    common.sort(key=lambda one: (-len(one[1]), one[0]))
    together = [(*pair, count) for pair, count in pairs.items() if count >= max(2, min_count - 1)]
    together.sort(key=lambda one: (-one[2], one[:2]))
    return TagStats(
        memories=len(newest),
        unique=len(members),
        tags=tuple(
            TagCount(tag, len(rows), tuple(rows[:_SAMPLES])) for tag, rows in common[:limit]
        ),
        pairs=tuple(together[: min(25, limit)]),
    )


def spread_of_scores(snapshot: Snapshot, scores: Scores) -> Spread:
    """How the scores of the active memories are spread."""
    rows = snapshot.memories.archived_at == NO_TIME

    def count(values: FloatArray) -> tuple[int, ...]:
        # By thousandths: 0.3 · 10 is below 3 as a double, and its memory in the wrong tenth.
        tenth = np.minimum(np.rint(values[rows] * 1000).astype(np.intp) // 100, BUCKETS - 1)
        return tuple(np.bincount(tenth, minlength=BUCKETS).tolist())

    return Spread(count(scores.confidence), count(scores.importance))


def _relation(code: int) -> str:
    return RELATIONS[code] if code >= 0 else "related"


def _known(codes: Int8Array) -> IntArray:
    return np.where(codes < 0, RELATIONS.index("related"), codes).astype(np.intp)


def _degrees(starts: IntArray, ends: IntArray, codes: IntArray, count: int) -> IntArray:
    """Links per memory and relation; inferred ones are the last column."""
    width = len(RELATIONS) + 1
    cells = np.zeros((count, width), dtype=np.intp)
    for rows in (starts, ends):
        there = rows >= 0
        np.add.at(cells, (rows[there], codes[there]), 1)
    return cells


def _hubs(snapshot: Snapshot, rows: IntArray, degrees: IntArray, limit: int) -> tuple[Hub, ...]:
    totals = degrees[rows].sum(axis=1)
    ids = snapshot.memories.ids
    least = np.sort(totals)[::-1][:limit].min(initial=0) if len(rows) else 0
    # Sorted by id among equals, which only the few that may be shown need.
    near = [
        (-int(total), ids.text(row), row)
        for row, total in zip(rows.tolist(), totals.tolist(), strict=True)
        if total >= least
    ]
    named = [*RELATIONS, "inferred"]
    return tuple(
        Hub(row, -total, dict(zip(named, degrees[row].tolist(), strict=True)))
        for total, _, row in sorted(near)[:limit]
    )


def _mean(values: FloatArray) -> float | None:
    # Added up from left to right, as the server does.
    return round3(float(np.cumsum(values)[-1]) / len(values)) if len(values) else None
