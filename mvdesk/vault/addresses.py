"""Links to a memory that other programs can keep: mvdesk://memory/ID?brain=BRAIN.

They name the memory and its brain, not the file: a vault may move. Whoever opens one looks
in the open vault first, then in the vaults opened lately.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

SCHEME: Final = "mvdesk"
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class Address:
    """Which memory of which brain; `brain_id` is "" where the link doesn't say."""

    memory_id: str
    brain_id: str = ""


def format_address(address: Address) -> str:
    """The link as text."""
    brain = f"?brain={quote(address.brain_id, safe='')}" if address.brain_id else ""
    return f"{SCHEME}://memory/{quote(address.memory_id, safe='')}{brain}"


def parse_address(text: str) -> Address | None:
    """What a link means; None for anything else, however it is damaged."""
    text = text.strip()
    if len(text) > _LONGEST or not text.lower().startswith(f"{SCHEME}://"):
        return None
    try:
        parts = urlsplit(text)
        brains = parse_qs(parts.query).get("brain", [""])
    except ValueError:
        return None
    memory_id = unquote(parts.path.removeprefix("/")).strip()
    if parts.netloc.lower() != "memory" or not memory_id or "/" in memory_id:
        return None
    return Address(memory_id, brains[0])
