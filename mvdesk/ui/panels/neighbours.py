"""What the graph shows around a memory, computed off the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.graphs.layout import compute_layout
from mvdesk.graphs.neighbourhood import count_beyond, find_neighbourhood
from mvdesk.records import RELATIONS
from mvdesk.scoring.engine import evaluate
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.verdict import format_delta
from mvdesk.ui.panels.graph_shape import NO_SHAPE, GraphShape
from mvdesk.ui.plots.graph_fold import HUB_LINKS
from mvdesk.ui.plots.graph_picture import GraphPicture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import BoolArray, FloatArray, Int32Array, IntArray
    from mvdesk.graphs.neighbourhood import Neighbourhood
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.snapshot import Snapshot

MOST_SHOWN: Final = 150
_SEED: Final = 7
_KEPT_SHARE: Final = 0.6
"""With this share of the memories in the picture before, those stay where they were."""
UNKNOWN_RELATION: Final = "related"  # a relation we don't know is drawn like the plainest one


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What is asked for. `places` are positions by memory id of the picture before.

    `centre_before` is the memory in the middle of that one, "" when there was none. `pinned`
    are places that the person chose.
    """

    snapshot: Snapshot
    scores: Scores
    model: ScoreModel
    now: int
    row: int
    depth: int
    places: Mapping[str, tuple[float, float]]
    centre_before: str
    aspect: float
    shape: GraphShape = NO_SHAPE
    pinned: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """A picture and the rows of the memory table that its nodes stand for."""

    picture: GraphPicture
    rows: IntArray


def compute_neighbours(wanted: Wanted) -> Neighbours:
    """The memory of `wanted.row` among those it is linked with, laid out."""
    snapshot, scores = wanted.snapshot, wanted.scores
    memories, links = snapshot.memories, snapshot.links
    barred, opened = _find_barred(wanted)
    found = find_neighbourhood(
        links.from_rows,
        links.to_rows,
        wanted.row,
        wanted.depth,
        MOST_SHOWN,
        _link_strengths(wanted),
        barred=barred,
        opened=opened,
    )
    rows = found.rows
    beyond = count_beyond(links.from_rows, links.to_rows, rows)
    is_open = ~barred[rows] | np.isin(rows, opened)
    is_open[0] = True
    beyond[is_open] = 0
    ids = tuple(memories.ids.text(row) for row in rows.tolist())
    fixed = _find_fixed(wanted, ids)
    positions = compute_layout(
        len(rows), found.ends, seed=_SEED, fixed=fixed, centre=0, aspect=wanted.aspect
    )
    relations = links.relations[found.edges].tolist()
    picture = GraphPicture(
        ids=ids,
        labels=tuple(memories.labels.text(row) for row in rows.tolist()),
        types=tuple(memories.type_names[code] for code in memories.type_codes[rows].tolist()),
        confidence=scores.confidence[rows],
        importance=scores.importance[rows],
        archived=memories.archived_at[rows] != NO_TIME,
        positions=positions,
        edges=found.ends,
        relations=tuple(RELATIONS[code] if code >= 0 else UNKNOWN_RELATION for code in relations),
        worths=_worths(wanted, found),
        centre=0,
        hidden=found.truncated,
        sources=tuple(snapshot.source_key_of_row(row) or "" for row in rows.tolist()),
        beyond=beyond,
    )
    return Neighbours(picture, rows)


def _find_barred(wanted: Wanted) -> tuple[BoolArray, IntArray]:
    """The rows that the picture doesn't go beyond, and those that the person opened."""
    snapshot, shape = wanted.snapshot, wanted.shape
    barred: BoolArray = snapshot.link_counts[:, 0] > HUB_LINKS
    for memory_id in shape.folded | shape.stopped:
        row = snapshot.row_of(memory_id)
        if row is not None:
            barred[row] = True
    known = (snapshot.row_of(memory_id) for memory_id in shape.opened - shape.folded)
    opened = [row for row in known if row is not None]
    return barred, np.array(opened, dtype=np.intp)


def _find_fixed(wanted: Wanted, ids: tuple[str, ...]) -> dict[int, tuple[float, float]]:
    """The nodes that stay where they are: all known ones, when most of the picture is known.

    Those that are pinned stay in any case.
    """
    known = [node for node, memory_id in enumerate(ids) if memory_id in wanted.places]
    if len(known) < _KEPT_SHARE * len(ids) and wanted.centre_before != ids[0]:
        known = []
    fixed = {node: wanted.places[ids[node]] for node in known}
    pins = {node: wanted.pinned[key] for node, key in enumerate(ids) if key in wanted.pinned}
    return fixed | pins


def compute_link_effects(
    snapshot: Snapshot, model: ScoreModel, now: int, row: int, changes: Int32Array
) -> FloatArray:
    """How a memory's confidence moves when its link counts do, in score points.

    `changes` has a row per case, in the columns of `link_counts`. By scoring again, never by
    taking a bar away.
    """
    inputs = snapshot.inputs(model)
    cases = inputs.taken(np.full(len(changes) + 1, row, dtype=np.intp))
    counts = cases.link_counts.copy()
    counts[1:] += changes
    scored = evaluate(replace(cases, link_counts=counts), model, now)
    effects: FloatArray = scored.confidence[1:] - scored.confidence[0]
    return effects


def _steps(relations: IntArray, by: int) -> Int32Array:
    """Changes of the link counts by one link of each relation, shape (n, 6)."""
    changes = np.zeros((len(relations), 6), dtype=np.int32)
    changes[:, 0] = by
    typed = relations > 0  # "related" and unknown ones count in the total alone
    changes[np.flatnonzero(typed), relations[typed]] = by
    return changes


def _link_strengths(wanted: Wanted) -> FloatArray:
    """What one more link of a link's relation would do to the centre: the strongest stay in."""
    changes = _steps(np.arange(len(RELATIONS)), 1)
    effects = compute_link_effects(wanted.snapshot, wanted.model, wanted.now, wanted.row, changes)
    strengths: FloatArray = effects[wanted.snapshot.links.relations]
    return strengths


def _worths(wanted: Wanted, found: Neighbourhood) -> tuple[str | None, ...]:
    """What each link of the centre is worth to its confidence, by leaving it out."""
    touching = np.flatnonzero((found.ends == 0).any(axis=1))
    relations = wanted.snapshot.links.relations[found.edges[touching]].astype(np.intp)
    said = find_worths(wanted.snapshot, wanted.model, wanted.now, wanted.row, relations)
    worths: list[str | None] = [None] * len(found.edges)
    for edge, worth in zip(touching.tolist(), said, strict=True):
        worths[edge] = worth
    return tuple(worths)


def find_worths(
    snapshot: Snapshot, model: ScoreModel, now: int, row: int, relations: IntArray
) -> list[str | None]:
    """What each link of a memory is worth to its confidence, by leaving it out; None for nothing.

    `relations` are those of the links, as rows of RELATIONS, −1 for an unknown one.
    """
    effects = -compute_link_effects(snapshot, model, now, row, _steps(relations, -1))
    worths = map(round3, effects.tolist())
    return [format_delta(worth) if worth else None for worth in worths]


def find_worths_in(
    snapshot: Snapshot, model: ScoreModel, now: int, shown: Neighbours, memory_id: str
) -> dict[tuple[str, str, str], str]:
    """What the links of a memory in a picture are worth, by ids of both ends and relation."""
    picture = shown.picture
    node = picture.ids.index(memory_id)
    edges = np.flatnonzero((picture.edges == node).any(axis=1)).tolist()
    names = [picture.relations[edge] for edge in edges]
    codes = np.array([RELATIONS.index(name) if name in RELATIONS else -1 for name in names])
    row = int(shown.rows[node])
    worths = find_worths(snapshot, model, now, row, codes.astype(np.intp))
    found = {}
    for edge, name, worth in zip(edges, names, worths, strict=True):
        start, end = picture.edges[edge].tolist()
        if worth is not None:
            found[picture.ids[start], picture.ids[end], name] = worth
    return found
