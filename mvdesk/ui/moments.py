"""Moments as people read them: local time, with the distance from UTC where it matters."""

from __future__ import annotations

import time
from typing import Final

from mvdesk.arrays import NO_TIME

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun",
           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")  # fmt: skip


def format_day(moment: int) -> str:
    """A day in local time, such as "28 Nov 2026"; "–" when there is none."""
    if moment == NO_TIME:
        return "–"
    try:
        local = time.localtime(moment)
    except (OverflowError, OSError, ValueError):
        return "–"
    if not 1 <= local.tm_year <= 9999:
        return "–"  # a foreign file's nonsense, such as milliseconds
    return f"{local.tm_mday} {_MONTHS[local.tm_mon - 1]} {local.tm_year}"


def format_moment(moment: int) -> str:
    """The minute too, with its distance from UTC."""
    if format_day(moment) == "–":
        return "no date"
    local = time.localtime(moment)
    hours, minutes = divmod(abs(local.tm_gmtoff) // 60, 60)
    sign = "−" if local.tm_gmtoff < 0 else "+"
    at = f"{local.tm_hour:02}:{local.tm_min:02}"
    return f"{format_day(moment)}, {at} (UTC{sign}{hours:02}:{minutes:02})"


def format_minute(moment: int) -> str:
    """A minute in local time, such as "28 Nov 2026, 14:05"; "–" when there is none."""
    day = format_day(moment)
    if day == "–":
        return day
    local = time.localtime(moment)
    return f"{day}, {local.tm_hour:02}:{local.tm_min:02}"
