"""What a relation is worth when something travels over its links, in either direction.

The order of both tables is that of `records.RELATIONS`. A relation that isn't known counts as
"related", as on the server; its code of −1 finds that weight at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.records import RELATIONS

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, Int8Array

PATH_WEIGHTS: Final = {
    "related": 0.62,
    "supports": 0.88,
    "contradicts": -0.75,
    "supersedes": 0.65,
    "causes": 0.82,
    "example_of": 0.7,
}
SPREAD_WEIGHTS: Final = {
    "related": 0.68,
    "supports": 1.0,
    "contradicts": -0.65,
    "supersedes": 0.72,
    "causes": 0.9,
    "example_of": 0.75,
}


def path_weights(relations: Int8Array) -> FloatArray:
    """How much each link speaks for a path over it, in [−1, 1]."""
    return _weights(PATH_WEIGHTS)[relations]


def spread_weights(relations: Int8Array) -> FloatArray:
    """What each link leaves of a signal that passes over it, in [−1, 1]."""
    return _weights(SPREAD_WEIGHTS)[relations]


def _weights(table: dict[str, float]) -> FloatArray:
    return np.array([*(table[name] for name in RELATIONS), table["related"]])
