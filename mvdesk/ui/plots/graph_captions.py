"""Which texts a graph shows, measured and placed: titles by nodes, relations and worth on edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

from mvdesk.ui.plots.graph_labels import LabelBox, LabelPlacer
from mvdesk.ui.plots.graph_picture import find_reach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import FloatArray
    from mvdesk.ui.plots.graph_picture import EdgeLines, GraphPicture
    from mvdesk.ui.theme import Look

_WIDEST_PX: Final = 150.0
_WIDEST_HOVERED_PX: Final = 320.0


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A text with its place. `node` is `None` for an edge's label."""

    text: str
    box: LabelBox
    node: int | None = None


def place_captions(
    *,
    picture: GraphPicture,
    places: FloatArray,
    radii: FloatArray,
    lines: EdgeLines,
    look: Look,
    area: LabelBox,
    blocked: Sequence[LabelBox] = (),
    selected: int | None = None,
    hovered: int | None = None,
) -> list[PlacedLabel]:
    """The texts that find room: hovered and selected node, edges, then nodes by importance.

    While a node is hovered, only it and its neighbours are named, and its edges say their
    relation; otherwise edges say what they are worth to the centre. Texts stay inside `area`
    and out of the `blocked` boxes.
    """
    expected = len(picture) + len(picture.edges) + len(blocked)
    reaches = radii * np.array([find_reach(kind) for kind in picture.types])
    placer = LabelPlacer(places, reaches, area, expected)
    for box in blocked:
        placer.block(box)
    first = list(dict.fromkeys(node for node in (hovered, selected) if node is not None))
    rest = [n for n in np.argsort(-picture.importance, kind="stable").tolist() if n not in first]
    if hovered is not None:
        near = {hovered, *picture.neighbours_of(hovered).tolist()}
        first, rest = [n for n in first if n in near], [n for n in rest if n in near]
    plain = look.font("caption")
    strong = look.font("caption")
    strong.setWeight(QFont.Weight.DemiBold)
    widest = _WIDEST_PX * look.scale, _WIDEST_HOVERED_PX * look.scale
    writer = _Writer(
        picture, placer, QFontMetricsF(plain), QFontMetricsF(strong), widest, selected, hovered
    )
    labels = [writer.name_node(node) for node in first]
    labels += [writer.label_edge(edge, lines) for edge in range(len(picture.edges))]
    labels += [writer.name_node(node) for node in rest]
    return [label for label in labels if label is not None]


@dataclass(frozen=True, slots=True)
class _Writer:
    picture: GraphPicture
    placer: LabelPlacer
    plain: QFontMetricsF
    strong: QFontMetricsF
    widest: tuple[float, float]  # of a node's label usually, and while it is hovered
    selected: int | None
    hovered: int | None

    def name_node(self, node: int) -> PlacedLabel | None:
        metrics = self.strong if node == self.selected else self.plain
        widest = self.widest[node == self.hovered]
        title = self.picture.labels[node]
        text = metrics.elidedText(title, Qt.TextElideMode.ElideRight, widest)
        must = node in (self.selected, self.hovered)
        width, height = metrics.horizontalAdvance(text), metrics.height()
        box = self.placer.place_by_node(node, width, height, must=must)
        return None if box is None else PlacedLabel(text, box, node)

    def label_edge(self, edge: int, lines: EdgeLines) -> PlacedLabel | None:
        worth = self.picture.worths[edge] if self.picture.worths else None
        name = ""
        if self.hovered is not None:
            if self.hovered not in self.picture.edges[edge]:
                return None
            name = self.picture.relations[edge].replace("_", " ")
        text = " ".join(part for part in (name, worth) if part)
        if not text or not lines.shown[edge]:
            return None
        width, height = self.plain.horizontalAdvance(text), self.plain.height()
        box = self.placer.place_on_line(lines.starts[edge], lines.ends[edge], width, height)
        return None if box is None else PlacedLabel(text, box)
