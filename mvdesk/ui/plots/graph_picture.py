"""What a graph picture shows, and its geometry: sizes, edges, heads. Arrays only, no Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import BoolArray, FloatArray, IntArray

SMALLEST_RADIUS: Final = 8.0
LARGEST_RADIUS: Final = 24.0
SQUARE_HALF: Final = 0.886
DIAMOND_HALF: Final = 1.253
RAMP_STEPS: Final = 5
_ALIKE: Final = 0.7
LANE_PX: Final = 9.0
"""How far apart links of the same two memories run."""


def _no_pairs() -> IntArray:
    return np.empty((0, 2), dtype=np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class GraphPicture:
    """Memories as nodes and links as edges.

    `confidence` and `importance` are scores in [0, 1]; `positions` px at zoom 1, shape (n, 2),
    y downwards; `edges` pairs of node numbers from → to, shape (m, 2), with their `relations`.
    `worths` are what links of the centre are worth to it ("+0.065"), `None` where there is
    nothing to say. `hidden` counts the memories within reach that are not in the picture,
    `beyond` for each node those that it is linked with and folded stands for.
    `sources` are normalised, "" for none, or none of all where nobody asks for them. `inferred`
    are pairs of nodes that nobody linked but shared tags suggest, shape (k, 2), with what is
    written on each.
    """

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    types: tuple[str, ...]
    confidence: FloatArray
    importance: FloatArray
    archived: BoolArray
    positions: FloatArray
    edges: IntArray
    relations: tuple[str, ...]
    worths: tuple[str | None, ...] | None = None
    centre: int | None = None
    hidden: int = 0
    sources: tuple[str, ...] = ()
    inferred: IntArray = field(default_factory=_no_pairs)
    inferred_labels: tuple[str, ...] = ()
    beyond: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def __post_init__(self) -> None:
        if len(self.beyond) != len(self.ids):
            object.__setattr__(self, "beyond", np.zeros(len(self.ids), dtype=np.intp))
        # An empty list of edges has no type and no width of its own.
        edges = np.asarray(self.edges, dtype=np.intp).reshape(-1, 2)
        object.__setattr__(self, "edges", edges)
        inferred = np.asarray(self.inferred, dtype=np.intp).reshape(-1, 2)
        object.__setattr__(self, "inferred", inferred)

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def empty(cls) -> GraphPicture:
        """A picture without nodes."""
        none = np.empty(0, dtype=np.float64)
        return cls(
            ids=(),
            labels=(),
            types=(),
            confidence=none,
            importance=none,
            archived=np.empty(0, dtype=np.bool_),
            positions=np.empty((0, 2)),
            edges=np.empty((0, 2), dtype=np.intp),
            relations=(),
        )

    def with_positions(self, positions: FloatArray) -> GraphPicture:
        """The same picture with its nodes elsewhere."""
        return replace(self, positions=positions)

    def with_inferred(self, pairs: IntArray, labels: tuple[str, ...]) -> GraphPicture:
        """The same picture with other inferred links."""
        return replace(self, inferred=pairs, inferred_labels=labels)

    def neighbours_of(self, node: int) -> IntArray:
        """Nodes linked with this one, ascending, each once."""
        others = np.concatenate(
            (self.edges[self.edges[:, 0] == node, 1], self.edges[self.edges[:, 1] == node, 0])
        )
        found: IntArray = np.unique(others[others != node])
        return found

    def hops_of(self, node: int) -> int:
        """How many links a node is away from the centre; as many as there are when none lead."""
        reached = np.zeros(len(self), dtype=np.bool_)
        reached[[] if self.centre is None else [self.centre]] = True
        for hops in range(len(self)):
            if reached[node]:
                return hops
            touched = self.edges[reached[self.edges].any(axis=1)]
            reached[touched.ravel()] = True
        return len(self)

    def table(self) -> list[tuple[str, str, str, str, int]]:
        """Title, type, confidence, importance and number of links shown, for every node."""
        links = np.bincount(self.edges.reshape(-1), minlength=len(self)).tolist()
        return [
            (
                self.labels[node],
                self.types[node],
                format_number(self.confidence[node], ".3f"),
                format_number(self.importance[node], ".3f"),
                links[node],
            )
            for node in range(len(self))
        ]

    def describe(self) -> str:
        """How much there is to see, in a sentence."""
        memories = tr_n("{n:,} memory", "{n:,} memories", len(self), n=len(self))
        links = tr_n("{n:,} link", "{n:,} links", len(self.edges), n=len(self.edges))
        if not len(self.inferred):
            return f"{memories}, {links}."
        return tr(
            "{memories}, {links}, {inferred:,} suggested by shared tags.",
            memories=memories,
            links=links,
            inferred=len(self.inferred),
        )

    def describe_node(self, node: int) -> str:
        """A node as a screen reader says it."""
        links = int((self.edges == node).sum())
        parts = [
            self.labels[node],
            self.types[node],
            tr("confidence {confidence:.3f}", confidence=self.confidence[node]),
            tr("importance {importance:.3f}", importance=self.importance[node]),
            tr_n("{n:,} link", "{n:,} links", links, n=links),
        ]
        if self.archived[node]:
            parts.append(tr("archived"))
        if self.beyond[node]:
            parts.append(tr("{beyond:,} more behind it", beyond=self.beyond[node]))
        return ", ".join(parts)


def is_same_picture(one: GraphPicture, other: GraphPicture) -> bool:
    """Whether only the scores may differ, so that the view needn't move."""
    return (
        one.ids == other.ids
        and one.labels == other.labels
        and one.types == other.types
        and one.relations == other.relations
        and one.worths == other.worths
        and one.hidden == other.hidden
        and np.array_equal(one.beyond, other.beyond)
        and np.array_equal(one.edges, other.edges)
        and np.array_equal(one.archived, other.archived)
        and np.array_equal(one.importance, other.importance)
        and np.array_equal(one.positions, other.positions)
    )


def find_radii(importance: FloatArray) -> FloatArray:
    """Node radii in px at zoom 1: the area grows with importance, 8 to 24."""
    share = np.clip(np.nan_to_num(importance), 0.0, 1.0)
    low, high = SMALLEST_RADIUS**2, LARGEST_RADIUS**2
    radii: FloatArray = np.sqrt(low + share * (high - low))
    return radii


def find_reach(kind: str) -> float:
    """How far a type's shape reaches, in radii; all shapes have the area of the circle."""
    return {"fact": SQUARE_HALF * 2**0.5, "journal": DIAMOND_HALF}.get(kind, 1.0)


def find_ramp_steps(confidence: FloatArray) -> IntArray:
    """The step of the confidence ramp for each node, 0 (low) to 4 (high)."""
    share = np.clip(np.nan_to_num(confidence), 0.0, 1.0)
    return np.minimum((share * RAMP_STEPS).astype(np.intp), RAMP_STEPS - 1)


def find_lanes(edges: IntArray) -> FloatArray:
    """Sideways offset in px of each edge, so that links of the same two memories show apart.

    To the left of the way from the lower node number to the higher, whichever way it points.
    """
    lanes = np.zeros(len(edges))
    if not len(edges):
        return lanes
    low, high = edges.min(axis=1), edges.max(axis=1)
    # As numbers: unique rows would be sorted byte by byte, which takes ten times as long.
    _, inverse, counts = np.unique(
        low * (int(high.max()) + 1) + high, return_inverse=True, return_counts=True
    )
    pair = inverse.reshape(-1)
    order = np.argsort(pair, kind="stable")
    seen = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
    lanes[order] = (seen - (counts[pair[order]] - 1) / 2) * LANE_PX
    return lanes


@dataclass(frozen=True, slots=True, eq=False)
class EdgeLines:
    """Edges on screen, in px: from border to border of their nodes. All of shape (m, 2).

    `shown` is false for edges whose nodes touch or overlap.
    """

    starts: FloatArray
    ends: FloatArray
    headings: FloatArray
    shown: BoolArray


def compute_edge_lines(
    places: FloatArray, radii: FloatArray, edges: IntArray, lanes: FloatArray, gap: float = 3.0
) -> EdgeLines:
    """Edges between nodes at `places` with `radii`, both in px on screen."""
    start, end = places[edges[:, 0]], places[edges[:, 1]]
    way = end - start
    length = np.hypot(way[:, 0], way[:, 1])
    heading = way / np.maximum(length, 1e-9)[:, None]
    forward = np.where(edges[:, 0] <= edges[:, 1], 1.0, -1.0)
    aside = np.column_stack((-heading[:, 1], heading[:, 0])) * (lanes * forward)[:, None]
    # A lane aside meets the node's border earlier than the line through its middle.
    first = _chord(radii[edges[:, 0]] + gap, lanes)
    last = _chord(radii[edges[:, 1]] + gap, lanes)
    return EdgeLines(
        starts=start + aside + heading * first[:, None],
        ends=end + aside - heading * last[:, None],
        headings=heading,
        shown=length > first + last + 2.0,
    )


def _chord(radii: FloatArray, lanes: FloatArray) -> FloatArray:
    half: FloatArray = np.sqrt(np.maximum(radii**2 - lanes**2, 0.0))
    return half


def find_node_at(places: FloatArray, radii: FloatArray, x: float, y: float) -> int | None:
    """The node under a point, all in px; small nodes can be hit a little beside (24 px)."""
    if not len(places):
        return None
    away = np.hypot(places[:, 0] - x, places[:, 1] - y)
    beside = away / np.maximum(radii + 2.0, 12.0)
    nearest = int(beside.argmin())
    return nearest if beside[nearest] <= 1.0 else None


def find_next_node(picture: GraphPicture, node: int, heading: tuple[float, float]) -> int | None:
    """Where an arrow key leads: the neighbour that lies best in that direction.

    Without a linked node that way any node there will do, so that every node can be reached;
    `None` when nothing lies that way.
    """
    neighbours = picture.neighbours_of(node)
    linked = _best_that_way(picture.positions, node, neighbours, heading)
    if linked is not None:
        return linked
    others = np.flatnonzero(np.arange(len(picture)) != node)
    return _best_that_way(picture.positions, node, others, heading)


def _best_that_way(
    positions: FloatArray, node: int, others: IntArray, heading: tuple[float, float]
) -> int | None:
    way = positions[others] - positions[node]
    length = np.hypot(way[:, 0], way[:, 1])
    along = way @ np.array(heading)
    ahead = along > 0.5 * length  # within 60 degrees
    if not ahead.any():
        return None
    cost = np.where(ahead, length * (2.0 - along / np.maximum(length, 1e-9)), np.inf)
    return int(others[cost.argmin()])


def is_much_alike(one: GraphPicture, other: GraphPicture) -> bool:
    """Whether most memories of each are in the other: some came, some went."""
    common = len(set(one.ids) & set(other.ids))
    return common > 0 and common >= _ALIKE * max(len(one), len(other))


def put_worths(
    picture: GraphPicture, worths: Mapping[tuple[str, str, str], str], node: int | None
) -> GraphPicture:
    """The picture with what the links of a node are worth, by ids of both ends and relation."""
    if node is None or not worths:
        return picture if picture.worths is None else replace(picture, worths=None)
    texts: list[str | None] = [None] * len(picture.edges)
    for edge in np.flatnonzero((picture.edges == node).any(axis=1)).tolist():
        start, end = picture.edges[edge].tolist()
        key = picture.ids[start], picture.ids[end], picture.relations[edge]
        texts[edge] = worths.get(key)
    return replace(picture, worths=tuple(texts))
