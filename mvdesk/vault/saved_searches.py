"""Searches that a person keeps, to see what a change of trust does to their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.errors import BadValue
from mvdesk.vault.operations.fields import clean_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.store.companion import Companion

MAX_SEARCHES: Final = 20
MAX_LENGTH: Final = 400


def read_searches(companion: Companion, brain_id: str) -> tuple[str, ...]:
    """The saved searches of a brain, in the person's order. Raises VaultError."""
    stored = companion.read_setting(_setting(brain_id))
    if not isinstance(stored, list):
        return ()
    return tuple(text for text in stored if isinstance(text, str) and text.strip())


def write_searches(companion: Companion, brain_id: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Keep these searches in place of the former ones; gives back what is kept.

    Blank ones and repeats are left out. Raises BadValue for more than 20 or for one of more
    than 400 characters, VaultError when the companion can't be written.
    """
    clean = [" ".join((clean_text("search", text) or "").split()) for text in texts]
    kept = tuple(dict.fromkeys(text for text in clean if text))
    if len(kept) > MAX_SEARCHES:
        raise BadValue(
            "search", f"these are {len(kept)}.", f"Remove some: {MAX_SEARCHES} are kept."
        )
    longest = max(map(len, kept), default=0)
    if longest > MAX_LENGTH:
        raise BadValue("search", f"it has {longest} characters.", f"At most {MAX_LENGTH} are kept.")
    companion.write_setting(_setting(brain_id), list(kept) or None)
    return kept


def _setting(brain_id: str) -> str:
    return f"searches/{brain_id}"
