"""The graph of the whole vault: chosen off the GUI thread, laid out in a process, then kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal

from mvdesk.arrays import NO_TIME
from mvdesk.errors import VaultError
from mvdesk.graphs.bulk_layout import arrange_plainly, compute_bulk_layout
from mvdesk.graphs.relations import path_weights
from mvdesk.graphs.strongest import find_strongest
from mvdesk.records import RELATIONS
from mvdesk.ui.panels.graph_pins import move_pin, read_pins
from mvdesk.ui.panels.neighbours import UNKNOWN_RELATION, Neighbours
from mvdesk.ui.plots.graph_picture import GraphPicture
from mvdesk.ui.process_lane import TookTooLong
from mvdesk.vault.questions.link_facts import find_link_facts
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import FloatArray, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.panels.graph_pins import Pinned, Place
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.questions.link_facts import LinkFacts
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

MOST_SHOWN: Final = 1_500
CAPS: Final = (500, 1_500, 5_000, 20_000)
_JOB: Final = "wholeGraph"
_SEED: Final = 7
_TOO_LONG: Final = tr(
    "The layout took too long and was stopped, so the memories stand in a spiral."
)
_FAILED: Final = tr("The layout ended early, so the memories stand in a spiral.")


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What the picture is to hold. `listed` are the rows to choose from, None: all unarchived."""

    vault: Vault
    snapshot: Snapshot
    scores: Scores
    listed: IntArray | None
    limit: int


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """A picture whose nodes have no places yet but those in `known`, NaN for the others."""

    picture: GraphPicture
    rows: IntArray
    known: FloatArray
    facts: LinkFacts
    pins: Mapping[str, Place]


def choose_strongest(wanted: Wanted) -> Chosen:
    """The picture's memories and links, and the places that are remembered for them."""
    snapshot, scores = wanted.snapshot, wanted.scores
    memories, links = snapshot.memories, snapshot.links
    listed = wanted.listed
    if listed is None:
        listed = np.flatnonzero(memories.archived_at == NO_TIME)
    weights = path_weights(links.relations)
    found = find_strongest(
        links.from_rows, links.to_rows, weights, scores.importance, listed, wanted.limit
    )
    rows = found.rows
    ids = tuple(memories.ids.text(row) for row in rows.tolist())
    relations = links.relations[found.edges].tolist()
    picture = GraphPicture(
        ids=ids,
        labels=tuple(memories.labels.text(row) for row in rows.tolist()),
        types=tuple(memories.type_names[code] for code in memories.type_codes[rows].tolist()),
        confidence=scores.confidence[rows],
        importance=scores.importance[rows],
        archived=memories.archived_at[rows] != NO_TIME,
        positions=np.zeros((len(rows), 2)),
        edges=found.ends,
        relations=tuple(RELATIONS[code] if code >= 0 else UNKNOWN_RELATION for code in relations),
        hidden=found.total - len(rows),
        sources=tuple(snapshot.source_key_of_row(row) or "" for row in rows.tolist()),
    )
    try:
        places = wanted.vault.companion.read_positions(wanted.vault.brain.id)
        pins = read_pins(wanted.vault)
    except VaultError:
        places, pins = {}, {}  # without them all is laid out anew
    nowhere = (np.nan, np.nan)
    known = np.array([places.get(key, nowhere) for key in ids], dtype=np.float64).reshape(-1, 2)
    return Chosen(picture, rows, known, find_link_facts(snapshot), pins)


class WholeGraph(QObject):
    """Makes the picture of the whole vault. The newest wish wins."""

    ready = Signal(object)  # Neighbours
    started = Signal()  # a layout that takes a moment
    problem_found = Signal(str)

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.limit = MOST_SHOWN
        self.follows_list = False
        self.facts: LinkFacts | None = None
        self.problem = ""  # why there is no proper layout, "" when there is one
        self.pins: dict[str, Place] = {}

    def make(self, *, afresh: bool = False) -> None:
        """Choose memories and lay them out; `afresh` forgets where they stood."""
        session = self._session
        listed = session.order.copy() if self.follows_list else None
        wanted = Wanted(session.vault, session.snapshot, session.scores, listed, self.limit)

        def work(_token: CancelToken) -> Chosen:
            return choose_strongest(wanted)

        session.jobs.run(_JOB, work, partial(self._on_chosen, afresh))

    def pin(self, memory_id: str, place: Place, before: Place) -> None:
        """Keep a memory where it was put; `before` is where it goes when that is undone."""
        self.pins.setdefault(memory_id, before)
        move_pin(self._session, self.pins, {memory_id: place})

    def unpin(self, memory_id: str) -> Place | None:
        """The place that a memory had before it was pinned, and has again; None: it isn't."""
        place = self.pins.pop(memory_id, None)
        if place is not None:
            move_pin(self._session, self.pins, {memory_id: place})
        return place

    def put(self, memory_id: str, pinned: Pinned) -> None:
        """Have a memory stand somewhere, pinned or not, as it did before."""
        before, place = pinned
        self.pins.pop(memory_id, None)
        if before is not None:
            self.pins[memory_id] = before
        move_pin(self._session, self.pins, {memory_id: place})

    def forget(self) -> None:
        """Another vault: nothing was wished for it yet."""
        self.limit, self.follows_list = MOST_SHOWN, False

    def cancel(self) -> None:
        """Forget what is under way."""
        self._session.jobs.cancel(_JOB)
        self._session.lane.cancel(_JOB)

    def _on_chosen(self, afresh: bool, chosen: Chosen) -> None:
        self.facts, self.pins = chosen.facts, dict(chosen.pins)
        pinned = np.array([key in self.pins for key in chosen.picture.ids], dtype=np.bool_)
        known = np.where(pinned[:, None], chosen.known, np.nan) if afresh else chosen.known
        self.problem = ""
        if np.isfinite(known).all():
            self._session.lane.cancel(_JOB)
            self._show(chosen, known)
            return
        self.started.emit()
        picture = chosen.picture
        self._session.lane.run(
            _JOB,
            compute_bulk_layout,
            (len(picture), picture.edges, _SEED, known, pinned),
            partial(self._on_laid_out, chosen),
            partial(self._on_failed, chosen),
        )

    def _on_laid_out(self, chosen: Chosen, positions: FloatArray) -> None:
        positions = np.round(positions, 2)  # as they are kept, so that nothing ever twitches
        self._show(chosen, positions)
        self._keep(chosen, positions)

    def _on_failed(self, chosen: Chosen, error: BaseException) -> None:
        picture = chosen.picture
        self.problem = _TOO_LONG if isinstance(error, TookTooLong) else _FAILED
        self._show(chosen, arrange_plainly(len(picture), picture.edges, chosen.known))
        self.problem_found.emit(self.problem)

    def _show(self, chosen: Chosen, positions: FloatArray) -> None:
        if self._session.is_open:
            self.ready.emit(Neighbours(chosen.picture.with_positions(positions), chosen.rows))

    def _keep(self, chosen: Chosen, positions: FloatArray) -> None:
        """Remember where everything stands, so that it stands there next time."""
        if not self._session.is_open:
            return
        vault = self._session.vault
        pairs = ((x, y) for x, y in positions.tolist())
        places = dict(zip(chosen.picture.ids, pairs, strict=True))
        save = partial(vault.companion.write_positions, vault.brain.id, places)
        # Places that can't be kept are no loss: the next layout is the same.
        self._session.jobs.write(save, _ignore, failed=_ignore)


def _ignore(_: object) -> None:
    pass
