"""Which of many nodes are named: the weighty ones in view that find room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

from mvdesk.ui.plots.graph_captions import PlacedLabel
from mvdesk.ui.plots.graph_labels import LabelBox, LabelPlacer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import FloatArray
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.theme import Look

_WIDEST_PX: Final = 130.0
_TRIES: Final = 70
_MOST: Final = 36
_MOST_TOLD: Final = 40


def place_bulk_captions(
    picture: GraphPicture,
    places: FloatArray,
    radii: FloatArray,
    look: Look,
    area: LabelBox,
    blocked: Sequence[LabelBox],
    first: Sequence[int],
    lit: Sequence[int] = (),
) -> list[PlacedLabel]:
    """Titles of the `first` nodes in any case, then by importance as far as there is room.

    Of nodes that are `lit` no others are named. Titles keep off each other and off the larger
    nodes; over a crowd of small ones they may lie.
    """
    right, bottom = area.left + area.width, area.top + area.height
    x, y = places.T
    seen = np.flatnonzero((x > area.left) & (x < right) & (y > area.top) & (y < bottom))
    told, visible = first, set(seen.tolist())
    first = [node for node in first if node in visible]  # no title without its node
    ranked = seen[np.argsort(-picture.importance[seen], kind="stable")][:_TRIES].tolist()
    wanted = list(dict.fromkeys([*first, *(lit or ranked)]))[:_TRIES]
    solid = np.unique([*wanted, *(seen if len(seen) <= 4 * _TRIES else ())]).astype(np.intp)
    place_of = {node: place for place, node in enumerate(solid.tolist())}
    edges = _find_told(picture, told)
    expected = len(wanted) + len(blocked) + len(edges)
    placer = LabelPlacer(places[solid], radii[solid], area, expected)
    for box in blocked:
        placer.block(box)
    plain, bold = look.font("caption"), look.font("caption")
    bold.setWeight(QFont.Weight.DemiBold)
    metrics, strong = QFontMetricsF(plain), QFontMetricsF(bold)
    found: list[PlacedLabel] = []
    for edge, text in edges:
        start, end = places[picture.edges[edge]]
        wide, high = metrics.horizontalAdvance(text), metrics.height()
        on_line = placer.place_on_line(start, end, wide, high)
        if on_line is not None:
            found.append(PlacedLabel(text, on_line))
    for node in wanted:
        if node not in place_of or len(found) >= _MOST:
            continue
        must = node in first
        used = strong if must else metrics
        elide = Qt.TextElideMode.ElideRight
        text = used.elidedText(picture.labels[node], elide, _WIDEST_PX * look.scale)
        width, height = used.horizontalAdvance(text), used.height()
        box_found = placer.place_by_node(place_of[node], width, height, must=must)
        if box_found is not None:
            found.append(PlacedLabel(text, box_found, node))
    return found


def _find_told(picture: GraphPicture, first: Sequence[int]) -> list[tuple[int, str]]:
    """Edges of the `first` nodes that say what they are worth, with the text."""
    if picture.worths is None or not first:
        return []
    touching = np.flatnonzero(np.isin(picture.edges, first).any(axis=1))[:_MOST_TOLD].tolist()
    texts = [(edge, picture.worths[edge]) for edge in touching]
    return [(edge, text) for edge, text in texts if text]
