"""What a painting of many nodes is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QPaintEngine, QPainter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import BoolArray, FloatArray, IntArray
    from mvdesk.ui.plots.graph_captions import PlacedLabel
    from mvdesk.ui.plots.graph_fill import NodeFill
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.theme import Look


@dataclass(frozen=True, slots=True, eq=False)
class BulkScene:
    """All that is painted, in px of the view. `is_resting`: nothing moves, so take your time.

    `lanes` are how far aside each link runs, at rest; `current` has the keyboard's ring;
    `lit_nodes` and `lit_edges` stay bright, None: all do.
    """

    picture: GraphPicture
    steps: IntArray
    fills: Sequence[NodeFill]
    places: FloatArray
    radii: FloatArray
    lanes: FloatArray
    look: Look
    is_resting: bool
    labels: Sequence[PlacedLabel] = ()
    selected: int | None = None
    current: int | None = None
    pinned: Sequence[int] = ()
    lit_nodes: BoolArray | None = None
    lit_edges: BoolArray | None = None


def find_head_size(radii: FloatArray) -> float:
    """How large heads and lanes are beside nodes of such radii, 1 beside the largest."""
    return min(max(float(radii.max(initial=0.0)) / 24.0, 0.34), 1.0)


def is_on_pixels(painter: QPainter) -> bool:
    """Whether ready pixels may be copied: a drawing that can be magnified wants shapes."""
    return bool(painter.paintEngine().type() == QPaintEngine.Type.Raster)
