"""Searches that a person keeps, to see what a change of trust does to their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.errors import BadValue
from mvdesk.vault.operations.fields import clean_text
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.store.companion import Companion

MAX_SEARCHES: Final = 20
MAX_LENGTH: Final = 400
MAX_NAME: Final = 60


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
            "search",
            tr("these are {kept}.", kept=len(kept)),
            tr("Remove some: {max_searches} are kept.", max_searches=MAX_SEARCHES),
        )
    longest = max(map(len, kept), default=0)
    if longest > MAX_LENGTH:
        raise BadValue(
            "search",
            tr("it has {longest} characters.", longest=longest),
            tr("At most {max_length} are kept.", max_length=MAX_LENGTH),
        )
    companion.write_setting(_setting(brain_id), list(kept) or None)
    return kept


def read_names(companion: Companion, brain_id: str) -> dict[str, str]:
    """What the person calls saved searches, by their text; those without a name are left out."""
    stored = companion.read_setting(_names(brain_id))
    if not isinstance(stored, dict):
        return {}
    return {text: name for text, name in stored.items() if isinstance(name, str) and name.strip()}


def save_search(companion: Companion, brain_id: str, text: str, name: str = "") -> None:
    """Keep a search, or give one that is kept another name; "" for none. Raises as above."""
    kept = write_searches(companion, brain_id, (*read_searches(companion, brain_id), text))
    text = " ".join(text.split())
    label = " ".join((clean_text("name", name) or "").split())[:MAX_NAME]
    names = {**read_names(companion, brain_id), text: label}
    _write_names(companion, brain_id, names, kept)


def remove_search(companion: Companion, brain_id: str, text: str) -> None:
    """Forget a saved search and its name. Raises VaultError."""
    others = [one for one in read_searches(companion, brain_id) if one != text]
    kept = write_searches(companion, brain_id, others)
    _write_names(companion, brain_id, read_names(companion, brain_id), kept)


def _write_names(
    companion: Companion, brain_id: str, names: Mapping[str, str], kept: Sequence[str]
) -> None:
    wanted = {text: name for text, name in names.items() if name and text in kept}
    companion.write_setting(_names(brain_id), wanted or None)


def _names(brain_id: str) -> str:
    return f"search-names/{brain_id}"


def _setting(brain_id: str) -> str:
    return f"searches/{brain_id}"
