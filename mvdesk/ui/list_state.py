"""How the list of a vault was left, kept in its companion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.ui.arrange import Arrangement
from mvdesk.ui.sorting import SORT_COLUMNS

if TYPE_CHECKING:
    from mvdesk.store.companion import Companion

MOST_CHARACTERS: Final = 400
"""A longer search is not kept."""


def read_list_state(companion: Companion, brain_id: str) -> Arrangement:
    """How the list was left when the vault was closed; the usual for what can't be read."""
    stored, usual = companion.read_setting(_setting(brain_id)), Arrangement()
    if not isinstance(stored, dict):
        return usual
    text, column = stored.get("search"), stored.get("sort")
    return Arrangement(
        column=column if column in SORT_COLUMNS else usual.column,
        descending=stored.get("descending") is not False,
        filter_text=text if isinstance(text, str) else "",
        archived=stored.get("archived") is True,
        by_relevance=stored.get("relevance") is not False,
    )


def write_list_state(companion: Companion, brain_id: str, arrangement: Arrangement) -> None:
    """Remember how the list is; nothing is written for the usual one. Raises VaultError."""
    text = arrangement.filter_text
    state: dict[str, object] | None = {
        "search": text if len(text) <= MOST_CHARACTERS else "",
        "sort": arrangement.column,
        "descending": arrangement.descending,
        "archived": arrangement.archived,
        "relevance": arrangement.by_relevance,
    }
    if state == _USUAL:
        state = None
    if companion.read_setting(_setting(brain_id)) != state:  # no file is made for nothing
        companion.write_setting(_setting(brain_id), state)


_USUAL: Final = {
    "search": "",
    "sort": Arrangement().column,
    "descending": True,
    "archived": False,
    "relevance": True,
}


def _setting(brain_id: str) -> str:
    return f"list/{brain_id}"
