"""What of a graph picture is left out at the person's wish. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from mvdesk.graphs.components import find_components
from mvdesk.ui.plots.graph_fold import find_folds

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, IntArray
    from mvdesk.ui.plots.graph_picture import GraphPicture


@dataclass(frozen=True, slots=True)
class GraphFilter:
    """Relations, types and sources (normalised) that are off, memories that are hidden.

    With `folds_hubs` hubs and `folded` memories stand for what hangs on them alone, unless
    they are `opened`. With `contradictions` only memories in a contradiction are shown, and
    only those links. Of the `score` those from `low` to `high` are shown, both included.
    `inferred` links are shown on request alone.
    """

    relations_off: frozenset[str] = frozenset()
    types_off: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    contradictions: bool = False
    sources_off: frozenset[str] = frozenset()
    score: Literal["confidence", "importance"] = "confidence"
    low: float = 0.0
    high: float = 1.0
    inferred: bool = False

    @property
    def is_ranged(self) -> bool:
        """Whether some scores are left out."""
        return self.low > 0.0 or self.high < 1.0

    folds_hubs: bool = False
    folded: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()

    def toggled(self, kind: str, name: str) -> GraphFilter:
        """With a "relation", "type" or "source" switched, or the "inferred" links."""
        if kind == "inferred":
            return replace(self, inferred=not self.inferred)
        if kind == "source":
            return replace(self, sources_off=self.sources_off ^ {name})
        if kind == "relation":
            return replace(self, relations_off=self.relations_off ^ {name})
        return replace(self, types_off=self.types_off ^ {name})


NO_FILTER = GraphFilter()


def find_kept(
    picture: GraphPicture, wanted: GraphFilter, folded: BoolArray | None = None
) -> tuple[IntArray, IntArray]:
    """The nodes and the edges that pass a filter. The centre always does.

    `folded` marks the nodes that are folded away, where that is known.
    """
    nodes = np.ones(len(picture), dtype=np.bool_)
    if wanted.types_off:
        nodes &= np.array([kind not in wanted.types_off for kind in picture.types], dtype=np.bool_)
    if wanted.sources_off and picture.sources:
        off = [source in wanted.sources_off for source in picture.sources]
        nodes &= ~np.array(off, dtype=np.bool_)
    if wanted.is_ranged:
        scores = picture.confidence if wanted.score == "confidence" else picture.importance
        # Thousandths, as they are shown: 0.7 is in a range from 0.7 on, whatever its last bit.
        thousandths = np.rint(scores * 1000)
        nodes &= thousandths >= round(wanted.low * 1000)
        nodes &= thousandths <= round(wanted.high * 1000)
    if wanted.hidden:
        nodes &= np.array(
            [memory_id not in wanted.hidden for memory_id in picture.ids], dtype=np.bool_
        )
    nodes &= ~(find_folds(picture, wanted)[0] if folded is None else folded)
    edges = np.ones(len(picture.edges), dtype=np.bool_)
    if wanted.relations_off:
        edges &= np.array(
            [relation not in wanted.relations_off for relation in picture.relations], dtype=np.bool_
        )
    if wanted.contradictions:
        edges &= np.array(
            [relation == "contradicts" for relation in picture.relations], dtype=np.bool_
        )
        disputed = np.zeros(len(picture), dtype=np.bool_)
        disputed[picture.edges[edges].ravel()] = True
        nodes &= disputed
    if picture.centre is not None:
        nodes[picture.centre] = True
    edges &= nodes[picture.edges].all(axis=1)
    if picture.centre is not None and wanted.hidden:
        nodes &= _hang_together(picture, nodes, picture.centre)
        edges &= nodes[picture.edges].all(axis=1)
    return np.flatnonzero(nodes), np.flatnonzero(edges)


def _hang_together(picture: GraphPicture, nodes: BoolArray, centre: int) -> BoolArray:
    """The nodes that links still lead to: who is hidden takes along what hangs on it alone."""
    edges = picture.edges[nodes[picture.edges].all(axis=1)]
    roots = find_components(edges[:, 0], edges[:, 1], len(picture))
    joined: BoolArray = roots == roots[centre]
    return joined


def take_part(
    picture: GraphPicture, nodes: IntArray, edges: IntArray, *, inferred: bool = True
) -> GraphPicture:
    """The picture of some nodes and edges, in the same places; all of them give it back.

    With the `inferred` links among these nodes, or with none.
    """
    everything = len(nodes) == len(picture) and len(edges) == len(picture.edges)
    if everything and (inferred or not len(picture.inferred)):
        return picture
    place = np.full(len(picture), -1, dtype=np.intp)
    place[nodes] = np.arange(len(nodes))
    chosen, links = nodes.tolist(), edges.tolist()
    pairs = place[picture.inferred]
    shown: BoolArray = np.all(pairs >= 0, axis=1)
    shown &= inferred
    return replace(
        picture,
        ids=tuple(picture.ids[node] for node in chosen),
        labels=tuple(picture.labels[node] for node in chosen),
        types=tuple(picture.types[node] for node in chosen),
        confidence=picture.confidence[nodes],
        importance=picture.importance[nodes],
        archived=picture.archived[nodes],
        positions=picture.positions[nodes],
        beyond=picture.beyond[nodes],
        edges=place[picture.edges[edges]],
        relations=tuple(picture.relations[link] for link in links),
        worths=None if picture.worths is None else tuple(picture.worths[link] for link in links),
        centre=None if picture.centre is None else int(place[picture.centre]),
        sources=tuple(picture.sources[node] for node in chosen) if picture.sources else (),
        inferred=pairs[shown],
        inferred_labels=tuple(
            picture.inferred_labels[pair] for pair in np.flatnonzero(shown).tolist()
        ),
    )
