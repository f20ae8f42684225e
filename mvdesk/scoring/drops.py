"""When waiting will change the scores at one blow: the dated steps ahead of a memory."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from mvdesk.scoring.dates import first_second, format_wait, idle_since, recalled_at
from mvdesk.scoring.engine import DAY_SECONDS
from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.saying import tr
from mvdesk.scoring.subject import ScorePair, score_rows
from mvdesk.scoring.verdict import format_delta

if TYPE_CHECKING:
    from mvdesk.scoring.subject import Subject


@dataclass(frozen=True, slots=True)
class DatedStep:
    """A component's step that begins at a whole second, in epoch seconds."""

    at: int
    component: str
    days: float
    reason: str


@dataclass(frozen=True, slots=True)
class Drop:
    """A second at which the scores step.

    `before` holds one second earlier, `after` from `at` on if nothing else changes; `change` is
    the difference. `in_days` counts from the time of the question.
    """

    at: int
    in_days: float
    components: tuple[str, ...]
    reasons: tuple[str, ...]
    before: ScorePair
    after: ScorePair

    @property
    def change(self) -> ScorePair:
        """What the scores change by, usually below zero."""
        return self.after.minus(self.before)

    def text(self) -> str:
        """One line: "in 2 days: importance −0.050, leaves the 14-day window"."""
        change = self.change
        moved = [
            f"{KIND_WORDS[kind]} {format_delta(value)}"
            for kind, value in (
                ("confidence", change.confidence),
                ("importance", change.importance),
            )
            if value
        ]
        return f"{format_wait(self.in_days)}: {', '.join((*moved, *self.reasons))}"

    def to_json(self) -> dict[str, Any]:
        """The date, the changes of the scores and why."""
        return {
            "at": self.at,
            "in_days": round3(self.in_days),
            "confidence_change": self.change.confidence,
            "importance_change": self.change.importance,
            "components": list(self.components),
            "text": self.text(),
            "after": self.after.to_json(),
        }


def find_drops(subject: Subject) -> list[Drop]:
    """The steps ahead that move a rounded score, soonest first.

    Empty for a memory without a date, which never ages. The slow losses between steps are not
    among them; a memory held at 0 or 1 has steps that move nothing, and they are left out.
    """
    steps = [step for step in find_steps(subject) if step.at > subject.now]
    if not steps:
        return []
    groups = [(at, tuple(group)) for at, group in groupby(steps, key=attrgetter("at"))]
    times = [float(second) for at, _ in groups for second in (at - 1, at)]
    rows = subject.inputs.taken([0] * len(times))
    pairs = score_rows(rows, subject.model, np.array(times))
    drops = [
        Drop(
            at=at,
            in_days=(at - subject.now) / DAY_SECONDS,
            components=tuple(step.component for step in group),
            reasons=tuple(dict.fromkeys(step.reason for step in group)),
            before=before,
            after=after,
        )
        for (at, group), before, after in zip(groups, pairs[::2], pairs[1::2], strict=True)
    ]
    return [drop for drop in drops if drop.change.confidence or drop.change.importance]


def find_steps(subject: Subject) -> list[DatedStep]:
    """Every step that the ages of a memory reach, past ones too, in the order of their dates."""
    model = subject.model
    idle, recalled = idle_since(subject), recalled_at(subject)
    wanted = [
        (
            idle,
            step.below_days,
            "recency_signal",
            tr("leaves the {below_days:g}-day window", below_days=step.below_days),
        )
        for step in model.recency.steps
    ]
    if model.use is not None:
        wanted += [
            (
                recalled,
                step.below_days,
                "recall_recency_signal",
                tr(
                    "its last recall leaves the {below_days:g}-day window",
                    below_days=step.below_days,
                ),
            )
            for step in model.use.recall_steps
        ]
    steps = [
        DatedStep(at, component, days, reason)
        for since, days, component, reason in wanted
        if (at := first_second(since, days)) is not None
    ]
    stale = model.stale
    if stale.after_days and (at := first_second(idle, stale.after_days, beyond=True)) is not None:
        reason = tr("untouched for over {after_days:g} days", after_days=stale.after_days)
        steps.append(DatedStep(at, "stale_penalty", stale.after_days, reason))
    return sorted(steps, key=attrgetter("at"))
