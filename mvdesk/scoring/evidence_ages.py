"""The step table of a component that depends on time, with where the memory stands in it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from mvdesk.scoring.dates import (
    first_second,
    format_day,
    format_days,
    idle_since,
    is_ahead,
    recalled_at,
    written_at,
)
from mvdesk.scoring.engine import DAY_SECONDS
from mvdesk.scoring.rounding import round3
from mvdesk.scoring.saying import format_number, format_short, tr
from mvdesk.scoring.verdict import format_delta

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.scoring.model import Recency, Stale, Step
    from mvdesk.scoring.subject import Subject

Since = Literal["last edit", "creation", "last recall", "nothing"]
SINCE_WORDS: Final = {
    "last edit": tr("last edit"),
    "creation": tr("creation"),
    "last recall": tr("last recall"),
    "nothing": tr("nothing"),
}


@dataclass(frozen=True, slots=True)
class StepRow:
    """What an age from `from_days` to `to_days` (None: for good) earns.

    `delta` at its beginning and `end_delta` at its end differ on a slope. `begins_at` is the
    first whole second in it, None for the first row and for a memory without a date; `here`
    marks the row that applies now.
    """

    from_days: float
    to_days: float | None
    delta: float
    end_delta: float
    begins_at: int | None = None
    here: bool = False

    def text(self) -> str:
        """One line, "from day 3 (2026-01-04) to day 14: +0.070 (you are here)"."""
        end = (
            tr("on")
            if self.to_days is None
            else tr("to day {number}", number=format_short(self.to_days))
        )
        value = _signed(self.delta)
        if self.end_delta != self.delta:
            value = tr(
                "{value} falling to {end_delta}", value=value, end_delta=_signed(self.end_delta)
            )
        day = "" if self.begins_at is None else f" ({format_day(self.begins_at)})"
        here = tr(" (you are here)") if self.here else ""
        return tr(
            "from day {number}{day} {end}: {value}{here}",
            number=format_short(self.from_days),
            day=day,
            end=end,
            value=value,
            here=here,
        )

    def to_json(self) -> dict[str, Any]:
        """Points to three decimals, times in epoch seconds."""
        return {
            "from_days": round3(self.from_days),
            "to_days": None if self.to_days is None else round3(self.to_days),
            "delta": round3(self.delta),
            "end_delta": round3(self.end_delta),
            "begins_at": self.begins_at,
            "here": self.here,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AgeEvidence:
    """The dates behind an age, and the steps it goes through. Times are epoch seconds.

    `days` run from `since`, None when there is nothing to count from. `dated_ahead` says that
    the memory is dated after now, which counts as age 0.
    """

    since: Since
    since_at: float | None
    days: float | None
    created_at: float | None
    updated_at: float | None
    last_accessed_at: float | None
    dated_ahead: bool
    steps: tuple[StepRow, ...]

    @property
    def next_step(self) -> StepRow | None:
        """The row after the one that applies, None after the last."""
        for place, row in enumerate(self.steps[:-1]):
            if row.here:
                return self.steps[place + 1]
        return None

    def head(self, day: Callable[[float], str] = format_day) -> str:
        """What the age counts from, with its date as `day` writes one."""
        if self.days is None or self.since_at is None:
            head = (
                tr("never recalled")
                if self.steps and not self._is_placed
                else tr("no date, counts as new")
            )
        elif self.dated_ahead and self.since != "last recall":
            head = tr("dated in the future: {day}; counts as new", day=day(self.since_at))
        else:
            head = tr(
                "{days} since the {since} ({day})",
                days=format_days(self.days),
                since=SINCE_WORDS[self.since],
                day=day(self.since_at),
            )
        return head

    def lines(self) -> list[str]:
        """What the age counts from, then the table."""
        return [self.head(), *(row.text() for row in self.steps)]

    @property
    def _is_placed(self) -> bool:
        return any(row.here for row in self.steps)

    def to_json(self) -> dict[str, Any]:
        """Dates, days and the table."""
        following = self.next_step
        return {
            "since": self.since,
            "since_at": self.since_at,
            "days": None if self.days is None else round3(self.days),
            "created_at": self.created_at,
            "updated_at": self.updated_at,
            "last_accessed_at": self.last_accessed_at,
            "dated_in_the_future": self.dated_ahead,
            "steps": [row.to_json() for row in self.steps],
            "next_step_at": None if following is None else following.begins_at,
        }


def find_recency(subject: Subject) -> AgeEvidence:
    """The step table of recency, over idle time."""
    return _of_idle(subject, _recency_rows(subject.model.recency), beyond=False)


def find_staleness(subject: Subject) -> AgeEvidence:
    """The step table of staleness, over idle time."""
    return _of_idle(subject, _stale_rows(subject.model.stale), beyond=True)


def find_recall(subject: Subject, steps: tuple[Step, ...]) -> AgeEvidence:
    """The step table of the last recall; no row applies to a memory never recalled."""
    last = recalled_at(subject)
    rows = _step_rows(steps)
    if steps:
        rows.append(StepRow(steps[-1].below_days, None, 0.0, 0.0))
    since: Since = "nothing" if last is None else "last recall"
    return _evidence(subject, since, last, rows, beyond=False)


def _of_idle(subject: Subject, rows: list[StepRow], *, beyond: bool) -> AgeEvidence:
    idle, written = idle_since(subject), written_at(subject)
    since: Since = "last edit"
    if idle is None:  # it counts as written now, whenever that is
        since = "nothing"
    elif idle != written:
        since = "last recall"
    elif math.isnan(subject.inputs.updated_at[0]):
        since = "creation"
    evidence = _evidence(subject, since, idle, rows, beyond=beyond)
    if idle is None and rows:
        first = replace(evidence.steps[0], here=True)
        return replace(evidence, steps=(first, *evidence.steps[1:]))
    return evidence


def _evidence(
    subject: Subject, since: Since, at: float | None, rows: list[StepRow], *, beyond: bool
) -> AgeEvidence:
    days = None if at is None else max((subject.now - at) / DAY_SECONDS, 0.0)
    written = written_at(subject)
    inputs = subject.inputs
    return AgeEvidence(
        since=since,
        since_at=at,
        days=days,
        created_at=_time(inputs.created_at[0]),
        updated_at=_time(inputs.updated_at[0]),
        last_accessed_at=recalled_at(subject),
        dated_ahead=written is not None and is_ahead(written, subject.now),
        steps=tuple(_placed(row, at, days, beyond) for row in rows),
    )


def _placed(row: StepRow, at: float | None, days: float | None, beyond: bool) -> StepRow:
    begins = first_second(at, row.from_days, beyond=beyond)
    if days is None:
        return replace(row, begins_at=begins)
    to_days = math.inf if row.to_days is None else row.to_days
    if beyond:
        here = (days > row.from_days or row.from_days == 0.0) and days <= to_days
    else:
        here = row.from_days <= days < to_days
    return replace(row, begins_at=begins, here=here)


def _step_rows(steps: tuple[Step, ...]) -> list[StepRow]:
    starts = [0.0, *(step.below_days for step in steps)]
    return [
        StepRow(start, step.below_days, step.delta, step.delta)
        for start, step in zip(starts, steps, strict=False)
    ]


def _recency_rows(recency: Recency) -> list[StepRow]:
    rows, start = _step_rows(recency.steps), recency.start_days
    floor = 0.0 - recency.floor
    if recency.per_year == 0.0 or recency.floor == 0.0:
        return [*rows, StepRow(start, None, 0.0, 0.0)]
    end = start + recency.floor / recency.per_year * 365
    return [*rows, StepRow(start, end, 0.0, floor), StepRow(end, None, floor, floor)]


def _stale_rows(stale: Stale) -> list[StepRow]:
    """No loss until a day, then a slope down to the cap."""
    after = stale.after_days
    rows = [StepRow(0.0, after, 0.0, 0.0)] if after else []
    first = 0.0 - min(stale.per_year * after / 365, stale.cap)
    cap = 0.0 - stale.cap
    if stale.per_year == 0.0 or first == cap:
        return [*rows, StepRow(after, None, first, first)]
    end = stale.cap / stale.per_year * 365
    return [*rows, StepRow(after, end, first, cap), StepRow(end, None, cap, cap)]


def _time(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _signed(points: float) -> str:
    return format_delta(round3(points)) if round3(points) else format_number(0.0, ".3f")
