"""How a picture is made to fill its view. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray

LARGEST_STRETCH: Final = 1.7
LARGEST_FIT_ZOOM: Final = 1.25
"""A picture of two nodes needn't fill the window."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A stretch for the positions, and the part of the stretched plane that the view shows."""

    stretch: FloatArray
    left: float
    top: float
    width: float
    height: float
    zoom: float


def compute_fit(
    positions: FloatArray, radii: FloatArray, width: float, height: float, scale: float
) -> Fit:
    """The view of `width` × `height` px that shows all nodes, as large as they fit.

    The picture is pulled wider or higher where the view has room to spare, never pressed
    together, so that nodes stay apart. Texts keep their size whatever the zoom: their room at
    the borders is in px of the screen and grows with the text `scale`.
    """
    side, foot = min(80.0 * scale, width / 5), 26.0 * scale
    room = np.maximum(np.array([width - 2 * side, height - 2 * foot]), 40.0)
    low, high = _extent(positions, radii)
    spare = room / np.maximum(high - low, 1.0)
    stretch = np.clip(spare / spare.min(), 1.0, LARGEST_STRETCH)
    low, high = _extent(positions * stretch, radii)
    zoom = min(*(room / np.maximum(high - low, 1.0)).tolist(), LARGEST_FIT_ZOOM)
    left, top = ((low + high) / 2 - np.array([width, height]) / zoom / 2).tolist()
    return Fit(stretch, left, top, width / zoom, height / zoom, zoom)


def _extent(positions: FloatArray, radii: FloatArray) -> tuple[FloatArray, FloatArray]:
    reach = radii[:, None]
    return (positions - reach).min(axis=0), (positions + reach).max(axis=0)
