"""Groups of memories that are linked more among themselves than with others.

By igraph's Leiden method on modularity, seeded. igraph holds the interpreter's lock, so this
runs in a process of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mvdesk.graphs.draws import Draws

if TYPE_CHECKING:
    from mvdesk.arrays import IntArray

_ROUNDS = 4


def compute_communities(node_count: int, edges: IntArray, seed: int) -> IntArray:
    """The community of each node: 0 for the largest, then by size; −1 for a node that is alone.

    `edges` are pairs of node numbers, their direction ignored; links of the same two count once
    each, links to itself don't. Of communities of the same size the one with the lowest node
    comes first. Equal arguments give equal communities.
    """
    found = np.full(node_count, -1, dtype=np.intp)
    pairs = np.sort(np.asarray(edges, dtype=np.intp).reshape(-1, 2), axis=1)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    if not len(pairs):
        return found
    # Here alone, for start-up time: the window refers to this module and never runs it.
    import igraph

    unique, weights = np.unique(pairs, axis=0, return_counts=True)
    igraph.set_random_number_generator(Draws(seed))
    graph = igraph.Graph(node_count, unique.tolist())
    parts = graph.community_leiden(
        objective_function="modularity", weights=weights.tolist(), n_iterations=_ROUNDS
    )
    members = np.array(parts.membership, dtype=np.intp)
    sizes = np.bincount(members)
    _, firsts = np.unique(members, return_index=True)
    order = np.lexsort((firsts, -sizes))
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    linked = np.zeros(node_count, dtype=np.bool_)
    linked[unique] = True
    found[linked] = rank[members[linked]]
    return found
