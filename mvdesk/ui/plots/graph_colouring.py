"""What the colours of a graph's nodes say: a score, a source, a community or a component."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.plots.graph_fill import NodeFill
from mvdesk.ui.plots.graph_picture import find_ramp_steps
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.ui.theme import Tokens

ColourKind = Literal[
    "confidence", "importance", "source", "community", "component", "reinforcement"
]
COLOUR_KINDS: Final[tuple[ColourKind, ...]] = (
    "confidence",
    "importance",
    "source",
    "community",
    "component",
    "reinforcement",
)
MOST_NAMED: Final = 8
"""Sources or communities with a colour of their own; the others share a neutral one."""

_LETTERS: Final = "ABCDEFGH"
_NUMBERS: Final = "12345678"
_SIGNS: Final = ("−", "−", "−", "", "+", "+", "+")


@dataclass(frozen=True, slots=True)
class ColourClass:
    """Nodes of one colour. `mark` stands on them, so that colour isn't needed to tell them."""

    name: str
    mark: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Colouring:
    """A class of colour per node.

    `codes` number the `classes`; `values` say of each node what its colour says of it, for
    tooltip and table, empty where the table says so anyway. `ends` are the words at both ends
    of a scale, None for classes without order.
    """

    kind: ColourKind
    title: str
    codes: IntArray
    classes: tuple[ColourClass, ...]
    values: tuple[str, ...] = ()
    ends: tuple[str, str] | None = None

    def taken(self, nodes: IntArray) -> Colouring:
        """That of some of the nodes."""
        values = tuple(self.values[node] for node in nodes.tolist()) if self.values else ()
        return replace(self, codes=self.codes[nodes], values=values)

    def fills(self, tokens: Tokens) -> tuple[NodeFill, ...]:
        """How each class is painted."""
        if self.kind in ("confidence", "importance"):
            return tuple(NodeFill(color) for color in tokens.confidence_ramp)
        if self.kind == "component":
            return tuple(
                NodeFill(color, one.mark, is_hatched=one.mark == "−")
                for color, one in zip(tokens.diverging, self.classes, strict=True)
            )
        colors = [*tokens.categories[: max(len(self.classes) - 1, 0)], tokens.hairline]
        return tuple(
            NodeFill(color, one.mark) for color, one in zip(colors, self.classes, strict=True)
        )


def colour_by_score(kind: Literal["confidence", "importance"], scores: FloatArray) -> Colouring:
    """Five steps from 0 to 1, in lightness alone."""
    steps = tuple(ColourClass("") for _ in range(5))
    return Colouring(kind, KIND_WORDS[kind], find_ramp_steps(scores), steps, (), ("0", "1"))


def colour_by_source(sources: Sequence[str]) -> Colouring:
    """The most frequent sources with a letter each, the others together; "" is no source."""
    names, codes, counts = np.unique(
        np.array(sources, dtype=np.str_), return_inverse=True, return_counts=True
    )
    is_named = names != ""
    order = np.lexsort((names, -counts, ~is_named))
    order = order[is_named[order]][:MOST_NAMED]
    classes = [
        ColourClass(str(names[code]), letter)
        for code, letter in zip(order.tolist(), _LETTERS, strict=False)
    ]
    rest = tr("other sources or none") if len(order) < len(names) else tr("no source")
    values = tuple(tr("source {name}", name=name) if name else tr("no source") for name in sources)
    ranks = _ranks(codes.reshape(-1), order, len(names))
    return Colouring("source", tr("source"), ranks, (*classes, ColourClass(rest)), values)


def colour_by_community(members: IntArray, names: Sequence[str]) -> Colouring:
    """The largest communities with a number each, the others together.

    `members` as of `compute_communities`; `names` are what each of the first ones is called.
    """
    count = min(int(members.max(initial=-1)) + 1, MOST_NAMED)
    classes = [
        ColourClass(names[number] if number < len(names) else "", _NUMBERS[number])
        for number in range(count)
    ]
    codes = np.where((members >= 0) & (members < count), members, count)
    values = tuple(
        tr("community {number:,}", number=number + 1) if number >= 0 else tr("in no community")
        for number in members.tolist()
    )
    last = ColourClass(tr("smaller ones or none"))
    return Colouring("community", tr("community"), codes, (*classes, last), values)


def colour_by_component(label: str, deltas: FloatArray) -> Colouring:
    """Seven steps from what lowers a score most over nothing to what raises it most.

    `deltas` are score points. Lowered ones are hatched and signed, so nothing rests on the hue.
    """
    most = max(float(np.abs(deltas).max(initial=0.0)), 0.001)
    share = np.abs(deltas) / most
    size = np.where(np.abs(deltas) < 0.0005, 0, np.clip(np.ceil(share * 3), 1, 3))
    codes = (3 + np.sign(deltas) * size).astype(np.intp)
    classes = tuple(ColourClass("", sign) for sign in _SIGNS)
    values = tuple(f"{label} {_signed(delta)}" for delta in deltas.tolist())
    ends = (_signed(-most), _signed(most))
    return Colouring("component", label, codes, classes, values, ends)


def name_communities(members: IntArray, links: IntArray, labels: Sequence[str]) -> list[str]:
    """What the largest communities are called: after their most linked memory.

    `links` counts the links of each node; of equally linked ones the first gives the name.
    """
    names = []
    for number in range(min(int(members.max(initial=-1)) + 1, MOST_NAMED)):
        nodes = np.flatnonzero(members == number)
        names.append(labels[int(nodes[links[nodes].argmax()])])
    return names


def _ranks(codes: IntArray, order: IntArray, count: int) -> IntArray:
    place = np.full(count, len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    ranks: IntArray = place[codes]
    return ranks


def _signed(delta: float) -> str:
    return (
        "0.000"
        if abs(delta) < 0.0005
        else f"{'+' if delta > 0 else '−'}{format_number(abs(delta), '.3f')}"
    )
