"""The memories around some others, with the links among them, made or suggested by tags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mvdesk.arrays import NO_TIME
from mvdesk.graphs.inferred import find_inferred
from mvdesk.graphs.reach import find_reached
from mvdesk.records import RELATIONS
from mvdesk.vault.questions.seeds import newest_first
from mvdesk.vault.tags import parse_tags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, Int64Array, IntArray
    from mvdesk.vault.snapshot import Snapshot


class InferredLink(NamedTuple):
    """Two memories, as rows, that share tags and aren't linked; the smaller id comes first."""

    from_row: int
    to_row: int
    score: float
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Subgraph:
    """Memories within reach of some seeds.

    `rows` are rows of the memory table, seeds first, then nearest first; `hops` is each one's
    distance. `links` are rows of the link table with both ends inside.
    """

    rows: IntArray
    hops: IntArray
    links: IntArray
    inferred: tuple[InferredLink, ...]


def find_subgraph(
    snapshot: Snapshot,
    seeds: Sequence[int],
    *,
    radius: int,
    limit: int,
    include_inferred: bool = True,
    max_inferred: int,
) -> Subgraph:
    """All active memories within `radius` links of a seed, at most `limit`.

    Links are walked in both directions. `max_inferred` is that of the brain's policy; tags
    are counted among the memories found. Follows vault.md, "Neighbourhood".
    """
    links = _active_links(snapshot)
    rows, hops = find_reached(
        snapshot.links.from_rows[links],
        snapshot.links.to_rows[links],
        seeds,
        depth=radius,
        limit=limit,
    )
    is_inside = _marks(snapshot, rows)
    inside = _within(snapshot, links, is_inside)
    inferred: list[InferredLink] = []
    if include_inferred:
        among = [row for row in newest_first(snapshot).tolist() if is_inside[row]]
        inferred = find_inferred_links(snapshot, among, inside, limit=max_inferred)
    return Subgraph(rows, hops, inside, tuple(inferred))


def find_neighbours(
    snapshot: Snapshot,
    seed: int,
    *,
    hops: int,
    limit: int,
    relation: str | None = None,
    include_inferred: bool = True,
    max_inferred: int,
) -> Subgraph:
    """The active memories within `hops` links of one, at most `limit`.

    Inferred links are walked too, unless a `relation` other than "related" is asked for. Tags
    are counted among all active memories.
    """
    links = _active_links(snapshot)
    if relation is not None:
        links = links[snapshot.links.relations[links] == RELATIONS.index(relation)]
    inferred: list[InferredLink] = []
    if include_inferred and relation in (None, "related"):
        everyone = newest_first(snapshot).tolist()
        inferred = find_inferred_links(snapshot, everyone, links, limit=max_inferred)
    starts = np.array([one.from_row for one in inferred], dtype=np.intp)
    ends = np.array([one.to_row for one in inferred], dtype=np.intp)
    rows, distance = find_reached(
        np.concatenate((snapshot.links.from_rows[links], starts)),
        np.concatenate((snapshot.links.to_rows[links], ends)),
        [seed],
        depth=hops,
        limit=limit,
    )
    is_inside = _marks(snapshot, rows)
    shown = tuple(one for one in inferred if is_inside[one.from_row] and is_inside[one.to_row])
    return Subgraph(rows, distance, _within(snapshot, links, is_inside), shown)


def find_inferred_links(
    snapshot: Snapshot, rows: Sequence[int], links: IntArray, *, limit: int
) -> list[InferredLink]:
    """The best `limit` pairs among `rows` (newest first) that share tags, less the linked ones.

    `links` are the rows of the link table that count as links.
    """
    table = snapshot.memories
    found: list[InferredLink] = []
    for edge in find_inferred([parse_tags(table.tags[row]) for row in rows], limit=limit):
        ends = rows[edge.one], rows[edge.other]
        first, second = sorted(ends, key=table.ids.text)
        found.append(InferredLink(first, second, edge.score, edge.tags))
    # After the cut, as on the server: linked pairs take up room, and fewer are left.
    inferred = np.array([one[:2] for one in found], dtype=np.int64).reshape(-1, 2)
    linked = np.column_stack((snapshot.links.from_rows[links], snapshot.links.to_rows[links]))
    known = np.isin(_pair_numbers(inferred, len(table)), _pair_numbers(linked, len(table)))
    return [one for one, is_linked in zip(found, known.tolist(), strict=True) if not is_linked]


def _pair_numbers(ends: npt.NDArray[np.integer[Any]], count: int) -> Int64Array:
    """A number for each pair of rows, the same in either order."""
    low, high = ends.min(axis=1).astype(np.int64), ends.max(axis=1)
    numbers: Int64Array = low * count + high
    return numbers


def _active_links(snapshot: Snapshot) -> IntArray:
    """The rows of links between memories that are there and not archived."""
    active = np.append(snapshot.memories.archived_at == NO_TIME, False)  # for the row −1
    links = snapshot.links
    return np.flatnonzero(active[links.from_rows] & active[links.to_rows])


def _marks(snapshot: Snapshot, rows: IntArray) -> BoolArray:
    marks = np.zeros(len(snapshot.memories), dtype=np.bool_)
    marks[rows] = True
    return marks


def _within(snapshot: Snapshot, links: IntArray, is_inside: BoolArray) -> IntArray:
    starts, ends = snapshot.links.from_rows[links], snapshot.links.to_rows[links]
    return links[is_inside[starts] & is_inside[ends]]
