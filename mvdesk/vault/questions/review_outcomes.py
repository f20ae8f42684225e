"""What looking after a memory of the review queue would do to its scores and its urgency."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from mvdesk.scoring.engine import evaluate
from mvdesk.vault.operations.forget import plan_archive
from mvdesk.vault.operations.reinforce import (
    ReinforceSettings,
    find_reinforcement,
    plan_reinforce,
)
from mvdesk.vault.operations.touch import plan_touch
from mvdesk.vault.questions.foresee import snapshot_after
from mvdesk.vault.questions.review import ReviewSettings, find_review_queue

if TYPE_CHECKING:
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

Care = Literal["true", "reinforce", "archive"]
CARES: Final[tuple[Care, ...]] = ("true", "reinforce", "archive")


@dataclass(frozen=True, slots=True)
class Standing:
    """Both scores of a memory, in [0, 1], and its urgency; None when it isn't in the queue."""

    confidence: float
    importance: float
    urgency: float | None


@dataclass(frozen=True, slots=True)
class CareOutcome:
    """What one way of looking after a memory comes to; `others` memories move besides."""

    care: Care
    plan: Plan
    before: Standing
    after: Standing
    others: int


def plan_care(vault: Vault, snapshot: Snapshot, memory_id: str, care: Care, *, now: int) -> Plan:
    """The plan of one way. Raises MemoryNotFound, or BadValue for one in the archive."""
    if care == "reinforce":
        found = find_reinforcement(snapshot, memory_id, ReinforceSettings())
        return plan_reinforce(snapshot, found)
    memory = vault.read_memory(memory_id)
    if care == "archive":
        return plan_archive([memory], brain_id=memory.brain_id, now=now)
    return plan_touch(memory, now=now)


def find_care_outcomes(
    vault: Vault,
    snapshot: Snapshot,
    memory_id: str,
    model: ScoreModel,
    now: int,
    trust: float,
    settings: ReviewSettings,
) -> tuple[CareOutcome, ...]:
    """What every way comes to. `trust` is that to score with, NaN for not set. Raises as above."""
    before = stand(snapshot, memory_id, model, now, trust, settings)
    made = []
    for care in CARES:
        plan = plan_care(vault, snapshot, memory_id, care, now=now)
        ahead = snapshot_after(vault, snapshot, plan)
        after = stand(ahead, memory_id, model, now, trust, settings)
        others = {change.key.id for change in plan.changes} - {memory_id}
        made.append(CareOutcome(care, plan, before, after, len(others)))
    return tuple(made)


def stand(
    snapshot: Snapshot,
    memory_id: str,
    model: ScoreModel,
    now: int,
    trust: float,
    settings: ReviewSettings,
) -> Standing:
    """Where a memory of the snapshot stands."""
    row = int(snapshot.rows_of([memory_id])[0])
    inputs = snapshot.inputs(model).taken([row]).with_trust(np.array([trust]))
    scores = evaluate(inputs, model, now)
    queue = find_review_queue(snapshot, settings, now=now)
    places = np.flatnonzero(queue.rows == row)
    urgency = float(queue.urgency[places[0]]) if len(places) else None
    return Standing(float(scores.confidence[0]), float(scores.importance[0]), urgency)
