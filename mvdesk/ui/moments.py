"""Moments as people read them: local time, with the distance from UTC where it matters."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDate, QLocale, QTime

from mvdesk.arrays import NO_TIME
from mvdesk.ui.language import speaks_english
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from time import struct_time

_MONTHS: Final = (tr("Jan"), tr("Feb"), tr("Mar"), tr("Apr"), tr("May"), tr("Jun"),
           tr("Jul"), tr("Aug"), tr("Sep"), tr("Oct"), tr("Nov"), tr("Dec"))  # fmt: skip


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
    if speaks_english():
        return f"{local.tm_mday} {_MONTHS[local.tm_mon - 1]} {local.tm_year}"
    form = QLocale().dateFormat(QLocale.FormatType.ShortFormat)
    form = form if "yyyy" in form else form.replace("yy", "yyyy")
    return QLocale().toString(QDate(local.tm_year, local.tm_mon, local.tm_mday), form)


def format_moment(moment: int) -> str:
    """The minute too, with its distance from UTC."""
    if format_day(moment) == "–":
        return tr("no date")
    local = time.localtime(moment)
    hours, minutes = divmod(abs(local.tm_gmtoff) // 60, 60)
    sign = "−" if local.tm_gmtoff < 0 else "+"
    return tr(
        "{moment} (UTC{sign}{hours:02}:{minutes:02})",
        moment=format_minute(moment),
        sign=sign,
        hours=hours,
        minutes=minutes,
    )


def format_minute(moment: int) -> str:
    """A minute in local time, such as "28 Nov 2026, 14:05"; "–" when there is none."""
    day = format_day(moment)
    return day if day == "–" else f"{day}, {_clock(time.localtime(moment))}"


def _clock(local: struct_time) -> str:
    if speaks_english():
        return f"{format_number(local.tm_hour, '02')}:{format_number(local.tm_min, '02')}"
    at = QTime(local.tm_hour, local.tm_min)
    return QLocale().toString(at, QLocale.FormatType.ShortFormat)
