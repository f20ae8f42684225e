"""The part of a whole link graph that a picture can hold: the strongest memories first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, IntArray

Rows = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Strongest:
    """Memories and the links among them.

    `rows` are rows of the memory table, ascending; `edges` rows of the link table, `ends` the
    same links as positions in `rows`, shape (m, 2). `total` is how many memories there were to
    choose from.
    """

    rows: IntArray
    edges: IntArray
    ends: IntArray
    total: int


def find_strongest(
    from_rows: Rows,
    to_rows: Rows,
    weights: FloatArray,
    importance: FloatArray,
    allowed: Rows,
    limit: int,
) -> Strongest:
    """At most `limit` of the `allowed` rows, those with the weightiest links among them first.

    `weights` is a number per link, its sign ignored; of equally linked memories the more
    important ones come first, then the lower row. Links to a memory that isn't there (−1) or
    to itself are passed over.
    """
    inside = np.zeros(len(importance) + 1, dtype=np.bool_)  # the last for rows of −1
    inside[allowed] = True
    usable = inside[from_rows] & inside[to_rows] & (from_rows != to_rows)
    links = np.flatnonzero(usable)
    strength = np.zeros(len(importance))
    for ends in (from_rows[links], to_rows[links]):
        strength += np.bincount(ends, np.abs(weights[links]), len(importance))
    candidates = np.sort(np.asarray(allowed, dtype=np.intp))
    order = np.lexsort((candidates, -importance[candidates], -strength[candidates]))
    rows = np.sort(candidates[order[:limit]])
    place = np.full(len(importance) + 1, -1, dtype=np.intp)
    place[rows] = np.arange(len(rows))
    ends_shown = np.column_stack((place[from_rows[links]], place[to_rows[links]]))
    shown = (ends_shown >= 0).all(axis=1)
    return Strongest(rows, links[shown], ends_shown[shown], len(candidates))
