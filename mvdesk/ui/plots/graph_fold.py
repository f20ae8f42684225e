"""Which memories of a graph of the whole vault are folded into the counter of a hub. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, IntArray
    from mvdesk.ui.plots.graph_filter import GraphFilter
    from mvdesk.ui.plots.graph_picture import GraphPicture

HUB_LINKS: Final = 25
"""A memory linked with more others than this is a hub."""


def find_folds(picture: GraphPicture, wanted: GraphFilter) -> tuple[BoolArray, IntArray]:
    """Marks the nodes that are folded away, and how many of them each node stands for.

    Folded are those that hang on a folded memory and nothing else. A picture around a memory
    was chosen with that in mind: nothing of it is folded.
    """
    away = np.zeros(len(picture), dtype=np.bool_)
    counts = np.zeros(len(picture), dtype=np.intp)
    if picture.centre is not None or not wanted.folds_hubs:
        return away, counts
    pairs = np.sort(picture.edges, axis=1)
    pairs = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
    linked = np.bincount(pairs.ravel(), minlength=len(picture))
    named = [
        memory_id in wanted.folded or (count > HUB_LINKS and memory_id not in wanted.opened)
        for memory_id, count in zip(picture.ids, linked.tolist(), strict=True)
    ]
    closed = np.array(named, dtype=np.bool_)
    for leaf, hub in ((pairs[:, 0], pairs[:, 1]), (pairs[:, 1], pairs[:, 0])):
        hangs = (linked[leaf] == 1) & closed[hub] & ~closed[leaf]
        away[leaf[hangs]] = True
        counts += np.bincount(hub[hangs], minlength=len(picture))
    return away, counts
