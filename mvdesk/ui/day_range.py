"""Ranges of days as people type them: a day, a month or a year at each end."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from mvdesk.wording import tr

_DAY: Final = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_HOW: Final = tr("write 2026-03-14, 2026-03 or 2026.")


@dataclass(frozen=True, slots=True)
class DayRange:
    """From `since` on, before `until`, in epoch seconds; None for no end on that side.

    `said` is a sentence where it makes no sense; both ends are None then.
    """

    since: int | None = None
    until: int | None = None
    said: str = ""


def parse_day_range(first: str, last: str) -> DayRange:
    """From the start of `first` to the end of `last`, in local time; a blank is no end."""
    ends: list[int | None] = []
    for text, is_end in ((first.strip(), False), (last.strip(), True)):
        if not text:
            ends.append(None)
            continue
        days = _days_of(text)
        if days is None:
            return DayRange(said=tr("“{text}” is no day: {how}", text=text[:20], how=_HOW))
        ends.append(_moment(days[1] if is_end else days[0]))
    since, until = ends
    if since is not None and until is not None and until <= since:
        return DayRange(said=tr("The range ends before it begins."))
    return DayRange(since, until)


def _days_of(text: str) -> tuple[date, date] | None:
    """The first day, and the one after the last."""
    found = _DAY.fullmatch(text)
    if found is None:
        return None
    year, month, day = (None if part is None else int(part) for part in found.groups())
    try:
        start = date(year or 0, 1 if month is None else month, 1 if day is None else day)
        if day is not None:
            return start, start + timedelta(days=1)
        if month is not None:
            return start, date(start.year + month // 12, month % 12 + 1, 1)
        return start, date(start.year + 1, 1, 1)
    except (ValueError, OverflowError):  # no such day, or no day after it
        return None


def _moment(day: date) -> int:
    return int(time.mktime((day.year, day.month, day.day, 0, 0, 0, 0, 0, -1)))
