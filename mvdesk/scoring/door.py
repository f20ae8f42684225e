"""The JSON door: a scoring case given by another program, checked value by value.

Nothing is converted: a number given as a text, a list or a truth value is refused with the
field's name. As on the server a numeric field that is null counts as 0, and one that is
missing takes its default.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeVar

from mvdesk.scoring.case import Case, LinkStats
from mvdesk.scoring.inputs import LINK_COLUMNS

MAX_COUNT: Final = 2**31 - 1
MAX_NOW: Final = 8.64e12
"""The last second that ECMAScript has a date for."""

N = TypeVar("N", float, None)

_TEXTS: Final = ("type", "title", "key", "content", "tags", "source")


class InputError(ValueError):
    """A value that scoring can't take; `field` names where, `expected` what belongs there."""

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field}: expected {expected}")
        self.field = field
        self.expected = expected


def read_case(data: object) -> Case:
    """The case in a JSON value {memory, link_stats, now, source_trust}.

    `memory` has the server's names (`confidence` and `importance` are the bases); keys that
    are not listed there are left alone. `link_stats` and `source_trust` may be missing or
    null. Raises InputError naming the first field that is wrong.
    """
    if not isinstance(data, dict):
        raise InputError("case", "an object with memory, link_stats, now and source_trust")
    memory = data.get("memory")
    if not isinstance(memory, dict):
        raise InputError("memory", "an object")
    trust = data.get("source_trust")
    return Case(
        now=_read_now(data),
        **{name: _read_text(memory, name) for name in _TEXTS},
        base_confidence=_read_number(memory, "confidence", 0.7),
        base_importance=_read_number(memory, "importance", 0.5),
        created_at=_read_number(memory, "created_at", None),
        updated_at=_read_number(memory, "updated_at", None),
        access_count=_read_number(memory, "access_count", 0.0),
        last_accessed_at=_read_number(memory, "last_accessed_at", None),
        links=_read_links(data.get("link_stats")),
        trust=None if trust is None else _check_number("source_trust", trust),
    )


def _read_text(memory: dict[str, Any], name: str) -> str | None:
    value = memory.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"memory.{name}", "a text or null")
    return value


def _read_number(memory: dict[str, Any], name: str, default: N) -> float | N:
    if name not in memory:
        return default
    value = memory[name]
    return 0.0 if value is None else _check_number(f"memory.{name}", value)


def _check_number(field: str, value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise InputError(field, "a finite number")


def _read_now(data: dict[str, Any]) -> int:
    now = data.get("now")
    if now is None:
        raise InputError("now", "a time in seconds since 1970")
    seconds = _check_number("now", now)
    if abs(seconds) > MAX_NOW:
        raise InputError("now", "a time in seconds since 1970")
    return math.floor(seconds)


def _read_links(stats: object) -> LinkStats:
    if stats is None:
        return LinkStats()
    if not isinstance(stats, dict):
        raise InputError("link_stats", "an object or null")
    return LinkStats(**{name: _read_count(stats, name) for name in LINK_COLUMNS})


def _read_count(stats: dict[str, Any], name: str) -> int:
    value = stats.get(name)
    if value is None:
        return 0
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole or not 0 <= value <= MAX_COUNT:
        raise InputError(f"link_stats.{name}", "a whole number from 0")
    return int(value)
