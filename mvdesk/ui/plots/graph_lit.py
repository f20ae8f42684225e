"""What of a graph stays bright while the rest is dimmed. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray
    from mvdesk.ui.plots.graph_picture import GraphPicture


def find_lit(
    picture: GraphPicture, hovered: int | None, marked: frozenset[tuple[str, str, str]]
) -> tuple[BoolArray | None, BoolArray | None]:
    """Bright nodes and edges: the node pointed at with its links, else the marked links.

    `marked` are links as ids of both ends and relation. None for both when nothing is dimmed.
    """
    nodes = np.zeros(len(picture), dtype=np.bool_)
    if hovered is not None:
        nodes[hovered] = True
        nodes[picture.neighbours_of(hovered)] = True
        return nodes, (picture.edges == hovered).any(axis=1)
    if not marked:
        return None, None
    ends = ((picture.ids[start], picture.ids[end]) for start, end in picture.edges.tolist())
    links = zip(ends, picture.relations, strict=True)
    found = [(*pair, relation) in marked for pair, relation in links]
    if not any(found):
        return None, None
    edges = np.array(found)
    nodes[picture.edges[edges].ravel()] = True
    return nodes, edges


def find_lit_hits(picture: GraphPicture, found: frozenset[str]) -> tuple[BoolArray, BoolArray]:
    """Bright nodes and edges while something is looked for: the hits and the links of two."""
    nodes = np.array([memory_id in found for memory_id in picture.ids], dtype=np.bool_)
    edges: BoolArray = nodes[picture.edges[:, 0]] & nodes[picture.edges[:, 1]]
    return nodes, edges


def find_pinned(picture: GraphPicture, pinned: frozenset[str]) -> tuple[int, ...]:
    """The nodes of some memories."""
    if not pinned:
        return ()
    return tuple(node for node, key in enumerate(picture.ids) if key in pinned)


def find_lit_names(lit: BoolArray | None) -> list[int]:
    """The bright nodes, all of which are to be named as far as there is room."""
    return [] if lit is None else np.flatnonzero(lit).tolist()
