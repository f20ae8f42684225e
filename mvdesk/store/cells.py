"""Cells of small tables as values: a strange file may hold anything in them."""

from __future__ import annotations

import math
from typing import Final


class BrokenText(bytes):
    """A text cell whose bytes are not UTF-8: kept as they are."""


def text_of(value: object) -> str | None:
    """A cell as text, `None` for an empty one; bytes that aren't UTF-8 are replaced."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return None if value is None else str(value)


def whole_of(value: object) -> int:
    """A cell as a whole number, 0 where there is none."""
    fits = isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    return int(value) if fits else 0  # type: ignore[call-overload] # as the line above saw


REPLACED: Final = "\ufffd"
"""Stands for bytes of a file that are no text."""


def is_storable(text: str) -> bool:
    """Whether SQLite could hold it at all: what has half of a character is nowhere."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
