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

_WIDTHS_PX: Final = (150.0, 90.0)
_NARROWEST_PX: Final = 60.0
_WIDEST_PX: Final = 280.0
_ROOMY_UP_TO: Final = 14  # nodes in the picture
_MOST_AVOIDED: Final = 400  # links that titles keep off
_ALL_NAMED_UP_TO: Final = 9  # the centre with eight neighbours


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
    lit: Sequence[int] = (),
) -> list[PlacedLabel]:
    """The texts that find room: hovered and selected node, edges, then nodes by importance.

    In a picture of few nodes all of them are named before edges.
    While a node is hovered, only it and its neighbours are named, and its edges say their
    relation; otherwise edges say what they are worth to the centre. Nodes that are `lit` are
    named alone. Texts stay inside `area` and out of the `blocked` boxes.
    """
    expected = len(picture) + len(picture.edges) + len(picture.inferred) + len(blocked)
    reaches = radii * np.array([find_reach(kind) for kind in picture.types])
    drawn = np.column_stack((lines.starts, lines.ends))[lines.shown]
    placer = LabelPlacer(places, reaches, area, expected, drawn[:_MOST_AVOIDED])
    for box in blocked:
        placer.block(box)
    first = list(dict.fromkeys(node for node in (hovered, selected) if node is not None))
    rest = [n for n in np.argsort(-picture.importance, kind="stable").tolist() if n not in first]
    if hovered is not None:
        near = {hovered, *picture.neighbours_of(hovered).tolist()}
        first, rest = [n for n in first if n in near], [n for n in rest if n in near]
    elif lit:
        first, rest = list(dict.fromkeys([*first, *lit])), []
    plain = look.font("caption")
    strong = look.font("caption")
    strong.setWeight(QFont.Weight.DemiBold)
    writer = _Writer(
        picture, placer, look.scale, QFontMetricsF(plain), QFontMetricsF(strong), selected, hovered
    )
    edges = range(len(picture.edges))
    labels = [writer.name_node(node) for node in first]
    if len(picture) <= _ALL_NAMED_UP_TO:
        # So few are all named; what edges are worth comes after.
        labels += [writer.name_node(node) for node in rest]
        labels += [writer.label_edge(edge, lines) for edge in edges]
    else:
        labels += [writer.label_edge(edge, lines) for edge in edges]
        labels += [writer.name_node(node) for node in rest]
    if not lit:
        labels += [
            writer.label_pair(pair, places[ends])
            for pair, ends in enumerate(picture.inferred)
            if hovered is None or hovered in ends
        ]
    found = [label for label in labels if label is not None]
    if len(picture) > _ROOMY_UP_TO and hovered is None:
        return found
    return [writer.lengthen(label) for label in found]


@dataclass(frozen=True, slots=True)
class _Writer:
    picture: GraphPicture
    placer: LabelPlacer
    scale: float
    plain: QFontMetricsF
    strong: QFontMetricsF
    selected: int | None
    hovered: int | None

    def name_node(self, node: int) -> PlacedLabel | None:
        """The title, shortened to what there is room for."""
        must = node in (self.selected, self.hovered)
        few = len(self.picture) <= _ALL_NAMED_UP_TO
        widths = (*_WIDTHS_PX, _NARROWEST_PX) if few else _WIDTHS_PX
        before = ""
        for widest in widths:
            last = widest == widths[-1]
            text, width, height = self.measure(node, widest)
            if text == before and not (must and last) and not few:
                break  # it was short enough already, and found no room
            before = text
            box = self.placer.place_by_node(
                node,
                width,
                height,
                must=must and last,
                thorough=few and widest < _WIDTHS_PX[0],
                careful=len(self.picture) <= _ROOMY_UP_TO,
            )
            if box is not None:
                return PlacedLabel(text, box, node)
        return None

    def lengthen(self, label: PlacedLabel) -> PlacedLabel:
        """More of a title that was shortened, once all the others have their room."""
        if label.node is None or not label.text.endswith("…"):
            return label
        text, width, height = self.measure(label.node, _WIDEST_PX)
        box = self.placer.replace_by_node(label.box, label.node, width, height)
        return label if box is None else PlacedLabel(text, box, label.node)

    def measure(self, node: int, widest: float) -> tuple[str, float, float]:
        metrics = self.strong if node == self.selected else self.plain
        text, room = self.picture.labels[node], widest * self.scale
        width = metrics.horizontalAdvance(text)
        if width > room:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            width = metrics.horizontalAdvance(text)
        return text, width, metrics.height()

    def label_pair(self, pair: int, ends: FloatArray) -> PlacedLabel | None:
        """Why an inferred link is there."""
        text = self.picture.inferred_labels[pair]
        width, height = self.plain.horizontalAdvance(text), self.plain.height()
        box = self.placer.place_on_line(ends[0], ends[1], width, height)
        return None if box is None else PlacedLabel(text, box)

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


def move_captions(
    labels: Sequence[PlacedLabel], before: FloatArray, places: FloatArray, share: float
) -> list[PlacedLabel]:
    """The same labels beside their nodes at other places: while the picture is being moved.

    `share` is the zoom by that of before. Edges' labels go along with the picture.
    """
    count = min(len(before), len(places))
    if not count:
        return []
    # Of all nodes at most one is being dragged.
    shift = np.median(places[:count] - before[:count] * share, axis=0)
    moved = []
    for label in labels:
        box = label.box
        if label.node is None:
            middle = np.array([box.left + box.width / 2, box.top + box.height / 2])
            dx, dy = (middle * share + shift - middle).tolist()
        elif label.node < count:
            dx, dy = (places[label.node] - before[label.node]).tolist()
        else:
            continue
        box = LabelBox(box.left + dx, box.top + dy, box.width, box.height)
        moved.append(PlacedLabel(label.text, box, label.node))
    return moved
