"""Where the memories that a reinforcement reaches stand around its seed, in px. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

_START: Final = -math.pi / 2
_GAP_PX: Final = 5.0


@dataclass(frozen=True, slots=True)
class HeatNode:
    """One memory that gains or loses. `before` is the place of the one it came from, −1 none.

    `confidence` and `importance` are what its bases gain, in base points; `relation` is that
    of the link it came over. `turned` says that a contradiction lies on the way.
    """

    memory_id: str
    title: str
    confidence: float
    importance: float
    before: int = -1
    relation: str = ""
    turned: bool = False

    @property
    def heat(self) -> float:
        """Both gains together; below zero for a loss."""
        return self.confidence + self.importance


@dataclass(frozen=True, slots=True)
class HeatPlace:
    """The disc of a node, and where its label stands; None where there is no room."""

    x: float
    y: float
    radius: float
    label: tuple[float, float, float, float] | None = None  # left, top, width, height


def compute_heat_layout(
    nodes: Sequence[HeatNode],
    size: tuple[float, float],
    line_height: float,
    label_widths: Sequence[float],
) -> tuple[HeatPlace, ...]:
    """The seed in the middle, a ring for each link further, who came over whom side by side.

    A node comes after the one it came from. Labels stand beside their discs and never overlap
    one another or a disc; those that change least go without where it is full.
    """
    if not nodes:
        return ()
    depths, angles = _spread(nodes)
    deepest = max(max(depths), 1)
    widest = min(max(label_widths, default=0.0), size[0] * 0.27)
    across = max(size[0] / 2 - widest - 4 * line_height / 3, size[0] / 5)
    down = max(size[1] / 2 - 1.6 * line_height, size[1] / 5)
    most = max(max((abs(node.heat) for node in nodes[1:]), default=0.0), 1e-9)
    discs = []
    for number, node in enumerate(nodes):
        share = depths[number] / deepest
        strength = 1.0 if not number else math.sqrt(min(abs(node.heat) / most, 1.0))
        discs.append(
            HeatPlace(
                size[0] / 2 + across * share * math.cos(angles[number]),
                size[1] / 2 + down * share * math.sin(angles[number]),
                line_height * (0.7 if not number else 0.22 + 0.4 * strength),
            )
        )
    return _with_labels(nodes, discs, size, line_height, label_widths)


def _spread(nodes: Sequence[HeatNode]) -> tuple[list[int], list[float]]:
    """How far out each node is, and its angle: a part of its parent's by its followers."""
    children: list[list[int]] = [[] for _ in nodes]
    depths = [0] * len(nodes)
    leaves = [1.0] * len(nodes)
    for number, node in enumerate(nodes):
        if node.before >= 0:
            children[node.before].append(number)
            depths[number] = depths[node.before] + 1
    for number in reversed(range(len(nodes))):
        if children[number]:
            leaves[number] = sum(leaves[child] for child in children[number])
    angles = [_START] * len(nodes)
    spans = [(_START, _START + 2 * math.pi)] * len(nodes)
    for number in range(len(nodes)):
        low, high = spans[number]
        angles[number] = (low + high) / 2
        step = (high - low) / leaves[number]
        for child in children[number]:
            spans[child] = (low, low + step * leaves[child])
            low += step * leaves[child]
    return depths, angles


def _with_labels(
    nodes: Sequence[HeatNode],
    discs: Sequence[HeatPlace],
    size: tuple[float, float],
    height: float,
    widths: Sequence[float],
) -> tuple[HeatPlace, ...]:
    taken = [
        (disc.x - disc.radius, disc.y - disc.radius, 2 * disc.radius, 2 * disc.radius)
        for disc in discs
    ]
    placed = list(discs)
    order = sorted(range(len(nodes)), key=lambda number: (number > 0, -abs(nodes[number].heat)))
    for number in order:
        disc, width = discs[number], widths[number]
        for left, top in _spots(disc, width, height, inward=disc.x < size[0] / 2 - 1):
            spot = (left, top, width, height)
            inside = left >= 0 and top >= 0 and left + width <= size[0] and top + height <= size[1]
            others = (one for place, one in enumerate(taken) if place != number)
            if inside and not any(_overlap(spot, other) for other in others):
                taken.append(spot)
                placed[number] = HeatPlace(disc.x, disc.y, disc.radius, spot)
                break
    return tuple(placed)


def _spots(
    disc: HeatPlace, width: float, height: float, *, inward: bool
) -> list[tuple[float, float]]:
    """Where a label may stand, the best place first: outwards, below, above, inwards."""
    middle = disc.y - height / 2
    left = (disc.x - disc.radius - _GAP_PX - width, middle)
    right = (disc.x + disc.radius + _GAP_PX, middle)
    centred = disc.x - width / 2
    below = (centred, disc.y + disc.radius + 1)
    above = (centred, disc.y - disc.radius - height - 1)
    return [left, below, above, right] if inward else [right, below, above, left]


def _overlap(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def node_at(places: Sequence[HeatPlace], x: float, y: float, reach: float) -> int | None:
    """The node whose disc or label is at a place; discs may be missed by `reach`."""
    best: tuple[float, int] | None = None
    for number, place in enumerate(places):
        distance = math.hypot(place.x - x, place.y - y) - place.radius
        if place.label is not None:
            left, top, width, height = place.label
            if left <= x <= left + width and top <= y <= top + height:
                distance = 0.0
        if distance <= reach and (best is None or distance < best[0]):
            best = (distance, number)
    return None if best is None else best[1]


def format_change(value: float) -> str:
    """Base points gained or lost, with their sign; nothing is 0.000."""
    text = format_number(abs(value), ".3f")
    if text == "0.000":
        return text
    return f"{'+' if value > 0 else chr(0x2212)}{text}"


def describe_node(node: HeatNode) -> str:
    """All that a node says, as a sentence."""
    way = (
        tr(", over {relation}", relation=node.relation)
        if node.relation
        else tr(", the memory itself")
    )
    return tr(
        "{title}: base confidence {change}, base importance {change_2}{way}",
        title=node.title,
        change=format_change(node.confidence),
        change_2=format_change(node.importance),
        way=way,
    )
