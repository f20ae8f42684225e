"""The dates of a memory that its ages count from, and when an age is reached."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from mvdesk.scoring.engine import DAY_SECONDS
from mvdesk.scoring.saying import format_short, tr, tr_n

if TYPE_CHECKING:
    from mvdesk.scoring.subject import Subject

_LAST_SECOND: Final = 253_402_300_799
"""The end of the year 9999; a time after it is no date, such as milliseconds for seconds."""

_CLOCKS_DIFFER_S: Final = 900.0
"""Moments that are shown lag behind what is written, and clocks of two machines differ."""


def is_ahead(written: float, now: float) -> bool:
    """Whether a date is in the future: by more than clocks differ."""
    return written - now > _CLOCKS_DIFFER_S


def idle_since(subject: Subject) -> float | None:
    """When idle time began: the last edit, or a later recall in a model with recalls."""
    written = written_at(subject)
    recalled = recalled_at(subject)
    if written is None or recalled is None or subject.model.use is None:
        return written
    return max(written, recalled)


def written_at(subject: Subject) -> float | None:
    """The last edit, else the creation; None for a memory without dates."""
    for times in (subject.inputs.updated_at, subject.inputs.created_at):
        if not math.isnan(times[0]):
            return float(times[0])
    return None


def recalled_at(subject: Subject) -> float | None:
    """The last recall, None for never."""
    last = float(subject.inputs.last_accessed_at[0])
    return last if last > 0 else None


def first_second(since: float | None, days: float, *, beyond: bool = False) -> int | None:
    """The first whole second with an age of `days` or more; `beyond`: of more than that.

    None when there is no such second, or none that dates reach.
    """
    if since is None or days <= 0.0 or not abs(since) <= _LAST_SECOND:
        return None
    # The engine's own division decides, which may fall to either side of the step.
    second = math.ceil(since + days * DAY_SECONDS) - 2
    while not _is_reached((second - since) / DAY_SECONDS, days, beyond):
        second += 1
    return second if second <= _LAST_SECOND else None


def _is_reached(age: float, days: float, beyond: bool) -> bool:
    return age > days if beyond else age >= days


def format_wait(days: float) -> str:
    """How long until then: "in 2 days", "in 5 hours", "within the hour"."""
    if days >= 1.0:
        count = round(days)
        return tr_n("in {count:,} day", "in {count:,} days", count, count=count)
    hours = round(days * 24)
    if hours < 1:
        return tr("within the hour")
    return tr_n("in {count:,} hour", "in {count:,} hours", hours, count=hours)


def format_day(seconds: float) -> str:
    """The day of a time in epoch seconds, UTC; the number, said to be none, for one without."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
    except (OverflowError, OSError, ValueError):
        return tr("(not a date) {seconds:.0f}", seconds=seconds)


def format_days(days: float) -> str:
    """A number of days, with one decimal where it is not whole."""
    text = format_short(days)
    return tr("{text} day", text=text) if text == "1" else tr("{text} days", text=text)
