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
    low, high = picture.edges.min(axis=1), picture.edges.max(axis=1)
    # As numbers: unique rows would be sorted byte by byte, which takes ten times as long.
    keys = np.unique((low * len(picture) + high)[low != high])
    low, high = keys // len(picture), keys % len(picture)
    linked = np.bincount(np.concatenate((low, high)), minlength=len(picture))
    closed: BoolArray = linked > HUB_LINKS
    if wanted.opened or wanted.folded:
        for node, memory_id in enumerate(picture.ids):
            if memory_id in wanted.folded:
                closed[node] = True
            elif memory_id in wanted.opened:
                closed[node] = False
    for leaf, hub in ((low, high), (high, low)):
        hangs = (linked[leaf] == 1) & closed[hub] & ~closed[leaf]
        away[leaf[hangs]] = True
        counts += np.bincount(hub[hangs], minlength=len(picture))
    return away, counts
