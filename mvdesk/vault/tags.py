"""The tags of a memory, out of the comma-separated text that the vault keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.scoring.whitespace import trim

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TAGS: Final = 64
"""How many of a memory's tags count, as on the server; repeated ones are counted first."""


def parse_tags(text: str | None) -> tuple[str, ...]:
    """The tags trimmed and lower-cased, each once, in the order written; empty ones left out."""
    if not text:
        return ()
    named = [tag for part in text.split(",") if (tag := trim(part).lower())]
    return tuple(dict.fromkeys(named[:MAX_TAGS]))


def join_tags(tags: Iterable[str]) -> str | None:
    """The text that a vault keeps for these tags, None for none."""
    return ",".join(tags) or None
