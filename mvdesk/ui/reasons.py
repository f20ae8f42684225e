"""Why the selected memory scores as it does, to the bottom: computed in a job, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.errors import VaultError
from mvdesk.records import RELATIONS
from mvdesk.scoring.causes import find_causes
from mvdesk.scoring.drops import find_drops
from mvdesk.scoring.evidence_finder import find_evidence
from mvdesk.scoring.keywords import TEXT_FIELDS
from mvdesk.scoring.levers import find_levers
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.subject import LinkFact, Subject
from mvdesk.vault.questions.base_history import BaseChange, UpkeepLog, find_base_changes
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.arrays import BoolArray
    from mvdesk.records import Memory
    from mvdesk.scoring.causes import Cause
    from mvdesk.scoring.drops import Drop
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.evidence_record import MemoryEvidence
    from mvdesk.scoring.explain import Explanation
    from mvdesk.scoring.inverse import Direction
    from mvdesk.scoring.levers import WhatIf
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session_state import SessionState
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

HISTOGRAM_BINS: Final = 14
_GONE: Final = tr("a memory that is gone")


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """All that a job needs to know; `trust` is the shown one, None for "not set"."""

    snapshot: Snapshot
    scores: Scores
    model: ScoreModel
    now: int
    row: int
    trust: float | None
    memory: Memory
    explanation: Explanation
    vault: Vault
    upkeep: UpkeepLog

    @classmethod
    def of(cls, session: SessionState, upkeep: UpkeepLog | None = None) -> Asked | None:
        """About the selected memory; None until its text was read."""
        memory, row = session.selected_memory, session.selected_row if session.is_open else None
        if memory is None or row is None or memory.id != session.selected_id:
            return None
        snapshot = session.snapshot
        key = snapshot.source_key_of_row(row)
        return cls(
            snapshot=snapshot,
            scores=session.scores,
            model=session.model,
            now=session.now,
            row=row,
            trust=None if key is None else session.trust_of(key),
            memory=memory,
            explanation=session.explain(memory.id),
            vault=session.vault,
            upkeep=upkeep or UpkeepLog(),
        )


@dataclass(frozen=True, slots=True)
class Peers:
    """How the active memories of the same type score: counts of equal bins from 0 to 1."""

    type_name: str
    counts: tuple[int, ...]
    median: float

    @property
    def count(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True, eq=False)
class Reasons:
    """The evidence of both scores, the causes, the steps ahead, and how others score."""

    memory_id: str
    subject: Subject
    explanation: Explanation
    evidence: MemoryEvidence
    causes: tuple[Cause, ...]
    drops: tuple[Drop, ...]
    peers: Mapping[ScoreKind, Peers]
    base_changes: Mapping[ScoreKind, BaseChange]
    upkeep: UpkeepLog


@dataclass(frozen=True, slots=True)
class Question:
    """What is wanted of a score. `target` None is the median of the memory's type.

    `without` are kinds of levers that are switched off.
    """

    kind: ScoreKind = "confidence"
    direction: Direction = "raise"
    target: float | None = 0.7
    without: frozenset[str] = frozenset()

    def answer(self, reasons: Reasons) -> WhatIf:
        """What would bring the score there, exactly."""
        target = reasons.peers[self.kind].median if self.target is None else self.target
        return find_levers(reasons.subject, self.kind, target, self.direction, without=self.without)


def compute_reasons(asked: Asked, token: CancelToken) -> Reasons | None:
    """Everything about one memory; None when nobody waits for it any more."""
    subject = subject_of(asked)
    evidence = find_evidence(subject, asked.explanation)
    if token.is_cancelled():
        return None
    causes = tuple(find_causes(subject))
    if token.is_cancelled():
        return None
    base_changes, upkeep = _base_changes(asked)
    return Reasons(
        memory_id=asked.memory.id,
        subject=subject,
        explanation=asked.explanation,
        evidence=evidence,
        causes=causes,
        drops=tuple(find_drops(subject)),
        peers={
            "confidence": _peers(asked, asked.scores.confidence),
            "importance": _peers(asked, asked.scores.importance),
        },
        base_changes=base_changes,
        upkeep=upkeep,
    )


def _base_changes(asked: Asked) -> tuple[Mapping[ScoreKind, BaseChange], UpkeepLog]:
    def label_of(memory_id: str) -> str | None:
        row = asked.snapshot.row_of(memory_id)
        return None if row is None else asked.snapshot.memories.labels.text(row)

    try:
        upkeep = asked.upkeep.updated(asked.vault)
        return find_base_changes(asked.vault, asked.memory, upkeep, label_of), upkeep
    except VaultError:  # the file is gone or locked, which whoever polls it says
        return {}, asked.upkeep


def subject_of(asked: Asked) -> Subject:
    """The memory with its links, its texts and the trust of its source, as shown."""
    snapshot, memory = asked.snapshot, asked.memory
    key = snapshot.source_key_of_row(asked.row)
    place = None if key is None else snapshot.key_index(key)
    inputs = snapshot.inputs(asked.model).taken([asked.row])
    trust = np.array([np.nan if asked.trust is None else asked.trust])
    return Subject(
        inputs=inputs.with_trust(trust),
        model=asked.model,
        now=asked.now,
        source=memory.source,
        fields={name: getattr(memory, name) for name in TEXT_FIELDS},
        links=_links(asked),
        trust_note=None if place is None else snapshot.sources.notes[place],
        source_count=snapshot.active_beside(asked.row),
    )


def _links(asked: Asked) -> tuple[LinkFact, ...]:
    snapshot, row = asked.snapshot, asked.row
    links, memories = snapshot.links, snapshot.memories
    confidence, importance = asked.scores.confidence, asked.scores.importance
    found = []
    for number in snapshot.links_of_row(row).tolist():
        ends = int(links.from_rows[number]), int(links.to_rows[number])
        outgoing = ends[0] == row
        other = ends[1] if outgoing else ends[0]
        relation, there = int(links.relations[number]), other >= 0
        found.append(
            LinkFact(
                id=links.ids.text(number),
                relation=RELATIONS[relation] if relation >= 0 else tr("unknown relation"),
                outgoing=outgoing,
                other_id=memories.ids.text(other) if there else "",
                title=memories.labels.text(other) if there else _GONE,
                confidence=float(confidence[other]) if there else None,
                importance=float(importance[other]) if there else None,
                archived=there and int(memories.archived_at[other]) != NO_TIME,
                ends=2 if ends[0] == ends[1] else 1,
            )
        )
    return tuple(found)


def _peers(asked: Asked, scores: np.ndarray) -> Peers:
    values = scores[_alike(asked)]
    counts, _ = np.histogram(values, bins=HISTOGRAM_BINS, range=(0.0, 1.0))
    memories = asked.snapshot.memories
    name = memories.type_names[int(memories.type_codes[asked.row])]
    return Peers(name, tuple(counts.tolist()), round3(float(np.median(values))))


def _alike(asked: Asked) -> BoolArray:
    """The active memories of the same type, and the memory itself."""
    memories = asked.snapshot.memories
    marks: BoolArray = memories.type_codes == memories.type_codes[asked.row]
    marks &= memories.archived_at == NO_TIME
    marks[asked.row] = True
    return marks
