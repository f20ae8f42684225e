"""What the graph's colours say, and the links that shared tags suggest: off the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.errors import BadValue
from mvdesk.graphs.communities import compute_communities
from mvdesk.graphs.inferred import find_inferred
from mvdesk.records import shortened
from mvdesk.scoring.engine import evaluate_components
from mvdesk.scoring.explain import COMPONENT_LABELS
from mvdesk.ui.plots.graph_colouring import (
    colour_by_community,
    colour_by_component,
    colour_by_score,
    colour_by_source,
    name_communities,
)
from mvdesk.vault.operations.reinforce import ReinforceSettings, find_reinforcement
from mvdesk.vault.tags import parse_tags
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.neighbours import Neighbours
    from mvdesk.ui.plots.graph_colouring import ColourKind
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.snapshot import Snapshot

MOST_INFERRED: Final = 300
"""Pairs that are shown at most, the best first."""

_COMPONENT_JOB: Final = "graphComponent"
_COMMUNITY_JOB: Final = "graphCommunity"
_INFERRED_JOB: Final = "graphInferred"
_SEED: Final = 7
_LONGEST_LABEL: Final = 30
_NO_COMMUNITIES: Final = tr(
    "The communities took too long to find, so the colours say the confidence."
)
_NO_INFERRED: Final = tr("The links by shared tags took too long to find and are left out.")


@dataclass(frozen=True, slots=True)
class ColourChoice:
    """What colours say; of a "component" also which one, of which score."""

    kind: ColourKind = "confidence"
    component: str = ""
    score: ScoreKind = "confidence"


class GraphColours(QObject):
    """Colours and inferred links of the picture shown last. The newest wish wins."""

    coloured = Signal(object)  # Colouring of the picture's nodes; None: the confidence
    inferred_found = Signal(object, object, str)  # pairs of nodes, labels, what was left out
    problem_found = Signal(str)

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Neighbours | None = None
        self.choice = ColourChoice()
        self.shows_inferred = False
        session.selection_changed.connect(self._on_selected)

    def choose(self, choice: ColourChoice) -> None:
        """Have the colours say something else."""
        self.choice = choice
        self._colour()

    def show_inferred(self, on: bool) -> None:
        """Look for links by shared tags, or for none."""
        self.shows_inferred = on
        self._infer()

    def set_shown(self, shown: Neighbours | None) -> None:
        """Colour another picture."""
        before, self._shown = self._shown, shown
        is_same = before is not None and shown is not None and _is_same(before, shown)
        if not is_same or self.choice.kind != "community":
            self._colour()
        if not is_same:
            self._infer()

    def follow_scores(self) -> None:
        """The scores moved: a preview, another model, another day."""
        if self.choice.kind in ("importance", "component"):
            self._colour()

    def _colour(self) -> None:
        session, shown = self._session, self._shown
        session.jobs.cancel(_COMPONENT_JOB)
        session.lane.cancel(_COMMUNITY_JOB)
        if shown is None or not session.is_open:
            return
        picture, kind = shown.picture, self.choice.kind
        if kind == "importance":
            self.coloured.emit(colour_by_score(kind, session.scores.importance[shown.rows]))
        elif kind == "source":
            self.coloured.emit(colour_by_source(picture.sources))
        elif kind == "component":
            self._colour_by_component(shown)
        elif kind == "reinforcement":
            label, gains = find_gains(session.snapshot, session.selected_id, shown)
            self.coloured.emit(colour_by_component(label, gains))
        elif kind == "community":
            session.lane.run(
                _COMMUNITY_JOB,
                compute_communities,
                (len(picture), picture.edges, _SEED),
                partial(self._on_communities, picture),
                self._on_no_communities,
            )
        else:
            self.coloured.emit(None)

    @Slot(object)
    def _on_selected(self, _memory_id: str | None) -> None:
        if self.choice.kind == "reinforcement":
            self._colour()

    def _colour_by_component(self, shown: Neighbours) -> None:
        session, choice = self._session, self.choice
        snapshot, model, now = session.snapshot, session.model, session.now
        trust = dict(session.overlay)

        def work(_token: CancelToken) -> FloatArray:
            return find_deltas(snapshot, model, now, shown, choice, trust)

        session.jobs.run(_COMPONENT_JOB, work, partial(self._on_deltas, choice))

    def _on_deltas(self, choice: ColourChoice, deltas: FloatArray) -> None:
        label = f"{COMPONENT_LABELS[choice.component]} ({choice.score})"
        self.coloured.emit(colour_by_component(label, deltas))

    def _on_communities(self, picture: GraphPicture, members: IntArray) -> None:
        links = np.bincount(picture.edges.reshape(-1), minlength=len(picture))
        names = name_communities(members, links, picture.labels)
        self.coloured.emit(colour_by_community(members, names))

    def _on_no_communities(self, _error: BaseException) -> None:
        self.choice = ColourChoice()
        self.coloured.emit(None)
        self.problem_found.emit(_NO_COMMUNITIES)

    def _infer(self) -> None:
        session, shown = self._session, self._shown
        session.lane.cancel(_INFERRED_JOB)
        if shown is None or not session.is_open or not self.shows_inferred:
            self.inferred_found.emit(np.empty((0, 2), dtype=np.intp), (), "")
            return
        memories = session.snapshot.memories
        # Newest first: of a common tag only the newest memories count.
        order = np.argsort(-memories.updated_at[shown.rows], kind="stable")
        tags = [parse_tags(memories.tags[row]) for row in shown.rows[order].tolist()]
        session.lane.run(
            _INFERRED_JOB,
            compute_inferred,
            (tags, order, shown.picture.edges, MOST_INFERRED),
            self._on_inferred,
            self._on_no_inferred,
        )

    def _on_inferred(self, found: tuple[IntArray, tuple[str, ...], int]) -> None:
        pairs, labels, total = found
        said = ""
        if total > len(pairs):
            said = tr(
                "{pairs:,} of {total:,} links by shared tags shown: the closest first",
                pairs=len(pairs),
                total=total,
            )
        self.inferred_found.emit(pairs, labels, said)

    def _on_no_inferred(self, _error: BaseException) -> None:
        self.problem_found.emit(_NO_INFERRED)


def compute_inferred(
    tags: list[tuple[str, ...]], order: IntArray, edges: IntArray, limit: int
) -> tuple[IntArray, tuple[str, ...], int]:
    """Pairs of nodes that share tags and aren't linked, what is written on each, and how many.

    `tags` are those of the nodes in `order`. At most `limit` pairs come back, the best first.
    """
    linked = {(min(pair), max(pair)) for pair in edges.tolist()}
    pairs: list[tuple[int, int]] = []
    labels: list[str] = []
    total = 0
    for edge in find_inferred(tags, limit=len(tags) ** 2):
        one, other = int(order[edge.one]), int(order[edge.other])
        if (min(one, other), max(one, other)) in linked:
            continue
        total += 1
        if len(pairs) < limit:
            pairs.append((one, other))
            count = len(edge.tags)
            labels.append(tr_n("{count:,} shared tag", "{count:,} shared tags", count, count=count))
    return np.array(pairs, dtype=np.intp).reshape(-1, 2), tuple(labels), total


def find_deltas(
    snapshot: Snapshot,
    model: ScoreModel,
    now: int,
    shown: Neighbours,
    choice: ColourChoice,
    trust: dict[str, float | None],
) -> FloatArray:
    """What a component adds to a score of each node, under tried values of `trust`."""
    inputs = snapshot.inputs(model).taken(shown.rows)
    if trust:
        tried = inputs.trust.copy()
        for node, source in enumerate(shown.picture.sources):
            if source in trust:
                value = trust[source]
                tried[node] = np.nan if value is None else value
        inputs = replace(inputs, trust=tried)
    breakdown = evaluate_components(inputs, model, now)
    is_confidence = choice.score == "confidence"
    names = breakdown.confidence_names if is_confidence else breakdown.importance_names
    deltas = breakdown.confidence_deltas if is_confidence else breakdown.importance_deltas
    if choice.component not in names:
        return np.zeros(len(shown.rows))  # this model has no such component
    column: FloatArray = deltas[:, names.index(choice.component)]
    return column


def find_gains(snapshot: Snapshot, seed: str | None, shown: Neighbours) -> tuple[str, FloatArray]:
    """What reinforcing a memory with the usual values adds to both bases of each node.

    Zero everywhere without a memory, and for one in the archive, which can't be reinforced.
    """
    gains = np.zeros(len(shown.rows))
    row = None if seed is None else snapshot.row_of(seed)
    if seed is None or row is None:
        return tr("Reinforcement: no memory is selected"), gains
    label = shortened(snapshot.memories.labels.text(row), _LONGEST_LABEL)
    try:
        moves = find_reinforcement(snapshot, seed, ReinforceSettings(limit=None)).moves
    except BadValue:
        return tr("Reinforcement: “{label}” is in the archive", label=label), gains
    whole = np.zeros(len(snapshot.memories))
    whole[moves.rows] = moves.confidence_after - moves.confidence_before
    whole[moves.rows] += moves.importance_after - moves.importance_before
    return tr("Reinforcing “{label}”: both bases", label=label), whole[shown.rows]


def list_components(session: VaultSession) -> list[tuple[ScoreKind, str, str]]:
    """The components that colours can say under the session's model: score, name and label."""
    nobody = session.snapshot.inputs(session.model).taken(np.empty(0, dtype=np.intp))
    breakdown = evaluate_components(nobody, session.model, session.now)
    found: list[tuple[ScoreKind, str, str]] = []
    found += [("confidence", name, COMPONENT_LABELS[name]) for name in breakdown.confidence_names]
    found += [("importance", name, COMPONENT_LABELS[name]) for name in breakdown.importance_names]
    return found


def _is_same(one: Neighbours, other: Neighbours) -> bool:
    return one.picture.ids == other.picture.ids and np.array_equal(
        one.picture.edges, other.picture.edges
    )
