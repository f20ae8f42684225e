"""Which memories a filter besides the words lets through: marks for every memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from mvdesk.scoring.engine import evaluate_components
from mvdesk.vault.questions.distribution import thousandths_of
from mvdesk.vault.questions.link_facts import mark_fact
from mvdesk.vault.questions.low import find_low
from mvdesk.vault.questions.overlay import Overlay

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.snapshot import Snapshot

_PART: Final = 50_000


@dataclass(frozen=True, slots=True)
class ListFilter:
    """A filter of the list: "low" scores for their type, "below": a component below zero.

    Both look at what is stored, so that nothing leaves the list while a preview moves. "range"
    are the scores from `low` to below `high` (1 is in the last range), stored or under `trust`:
    the preview as it was when the range was chosen. "fact" is one of the link facts, named by
    `component`: "hubs", "alone" or "disputed"; "members" are some memories called `title`.
    """

    kind: Literal["low", "below", "range", "fact", "members"]
    score: ScoreKind = "confidence"
    component: str = ""
    low: float = 0.0
    high: float = 1.0
    trust: tuple[tuple[str, float | None], ...] = ()
    title: str = ""
    members: frozenset[str] = frozenset()


def find_chosen(
    wanted: ListFilter, snapshot: Snapshot, scores: Scores, model: ScoreModel, now: int
) -> BoolArray:
    """Marks the memories that a filter lets through."""
    if wanted.kind == "low":
        return find_low(snapshot, getattr(scores, wanted.score))
    if wanted.kind == "range":
        return _find_range(wanted, snapshot, scores, model, now)
    if wanted.kind == "fact":
        return mark_fact(snapshot, wanted.component)
    if wanted.kind == "members":
        marks = np.zeros(len(snapshot.memories), dtype=np.bool_)
        rows = [snapshot.row_of(memory_id) for memory_id in wanted.members]
        marks[[row for row in rows if row is not None]] = True
        return marks
    return _find_below(wanted, snapshot, model, now)


def _find_range(
    wanted: ListFilter, snapshot: Snapshot, scores: Scores, model: ScoreModel, now: int
) -> BoolArray:
    """Marks the scores of a range, before the preview or in it."""
    trust = dict(wanted.trust)
    marks = _lies_within(wanted, scores)
    if trust:
        marks |= _lies_within(wanted, Overlay(snapshot, model, now, scores).scores(trust))
    return marks


def _lies_within(wanted: ListFilter, scores: Scores) -> BoolArray:
    thousandths = thousandths_of(scores.of(wanted.score))
    low, high = round(wanted.low * 1000), round(wanted.high * 1000)
    marks: BoolArray = (thousandths >= low) & (thousandths < (high if high < 1000 else 1001))
    return marks


def _find_below(wanted: ListFilter, snapshot: Snapshot, model: ScoreModel, now: int) -> BoolArray:
    inputs = snapshot.inputs(model)
    marks = np.zeros(len(inputs), dtype=np.bool_)
    for start in range(0, len(inputs), _PART):  # every component of a million rows is much
        rows = np.arange(start, min(start + _PART, len(inputs)))
        breakdown = evaluate_components(inputs.taken(rows), model, now)
        names = getattr(breakdown, f"{wanted.score}_names")
        if wanted.component in names:
            deltas = getattr(breakdown, f"{wanted.score}_deltas")
            marks[rows] = deltas[:, names.index(wanted.component)] < 0
    return marks
