"""What a line of the changelog tells beside its sentence, whoever wrote it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mvdesk.records import HistoryEntry

_LONGEST: Final = 300
"""Digits: a whole number of more is larger than any fraction."""


def read_log_payload(line: HistoryEntry) -> dict[str, Any]:
    """The payload of a line; empty where that can't be read.

    A whole number that is no fraction any more is an endless one, so that numbers can be
    counted with; whoever does looks whether they are finite.
    """
    try:
        payload = json.loads(line.payload or "{}", parse_int=_whole)
    except (ValueError, RecursionError):  # another program wrote it
        return {}
    return payload if isinstance(payload, dict) else {}


def _whole(digits: str) -> float:
    return int(digits) if len(digits) <= _LONGEST else float(digits)
