"""What of a graph picture is left out at the person's wish. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mvdesk.arrays import IntArray
    from mvdesk.ui.plots.graph_picture import GraphPicture


@dataclass(frozen=True, slots=True)
class GraphFilter:
    """Relations and types that are off, memories that are hidden.

    With `contradictions` only memories in a contradiction are shown, and only those links.
    """

    relations_off: frozenset[str] = frozenset()
    types_off: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    contradictions: bool = False

    def toggled(self, kind: str, name: str) -> GraphFilter:
        """With a "relation" or a "type" switched."""
        if kind == "relation":
            return replace(self, relations_off=self.relations_off ^ {name})
        return replace(self, types_off=self.types_off ^ {name})


NO_FILTER = GraphFilter()


def find_kept(picture: GraphPicture, wanted: GraphFilter) -> tuple[IntArray, IntArray]:
    """The nodes and the edges that pass a filter. The centre always does."""
    nodes = np.ones(len(picture), dtype=np.bool_)
    if wanted.types_off:
        nodes &= [kind not in wanted.types_off for kind in picture.types]
    if wanted.hidden:
        nodes &= [memory_id not in wanted.hidden for memory_id in picture.ids]
    edges = np.ones(len(picture.edges), dtype=np.bool_)
    if wanted.relations_off:
        edges &= [relation not in wanted.relations_off for relation in picture.relations]
    if wanted.contradictions:
        edges &= [relation == "contradicts" for relation in picture.relations]
        disputed = np.zeros(len(picture), dtype=np.bool_)
        disputed[picture.edges[edges].ravel()] = True
        nodes &= disputed
    if picture.centre is not None:
        nodes[picture.centre] = True
    edges &= nodes[picture.edges].all(axis=1)
    return np.flatnonzero(nodes), np.flatnonzero(edges)


def take_part(picture: GraphPicture, nodes: IntArray, edges: IntArray) -> GraphPicture:
    """The picture of some nodes and edges, in the same places; all of them give it back."""
    if len(nodes) == len(picture) and len(edges) == len(picture.edges):
        return picture
    place = np.full(len(picture), -1, dtype=np.intp)
    place[nodes] = np.arange(len(nodes))
    chosen, links = nodes.tolist(), edges.tolist()
    return replace(
        picture,
        ids=tuple(picture.ids[node] for node in chosen),
        labels=tuple(picture.labels[node] for node in chosen),
        types=tuple(picture.types[node] for node in chosen),
        confidence=picture.confidence[nodes],
        importance=picture.importance[nodes],
        archived=picture.archived[nodes],
        positions=picture.positions[nodes],
        edges=place[picture.edges[edges]],
        relations=tuple(picture.relations[link] for link in links),
        worths=None if picture.worths is None else tuple(picture.worths[link] for link in links),
        centre=None if picture.centre is None else int(place[picture.centre]),
    )
