"""Memories to link to, found by words of their title while somebody types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.arrays import NO_TIME

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.vault.snapshot import Snapshot

MOST_OFFERED: Final = 5
_MOST_COMPARED: Final = 200
_ROWS_BETWEEN_LOOKS: Final = 2_000


def find_titles(
    snapshot: Snapshot, text: str, *, without: str, cancelled: Callable[[], bool]
) -> list[tuple[str, str]]:
    """Ids and titles of a few active memories whose title has every word of `text`.

    Titles that begin so come first, shorter ones before longer. A whole id finds its memory,
    archived or not. `without` is the id of the memory that is to be linked. Stops early, with
    what it has, once `cancelled()`.
    """
    words = text.casefold().split()
    memories = snapshot.memories
    row = snapshot.row_of(text.strip())
    if row is not None and text.strip() != without:
        return [(text.strip(), memories.labels.text(row))]
    if not words:
        return []
    active = (memories.archived_at == NO_TIME).tolist()
    found: list[tuple[bool, int, int, str]] = []
    for number, label in enumerate(memories.labels):
        if number % _ROWS_BETWEEN_LOOKS == 0 and cancelled():
            break
        folded = (label or "").casefold()
        if active[number] and all(word in folded for word in words):
            found.append((not folded.startswith(words[0]), len(folded), number, label or ""))
            if len(found) == _MOST_COMPARED:
                break
    found.sort()
    named = [(memories.ids.text(number), label) for _, _, number, label in found]
    return [(memory_id, label) for memory_id, label in named if memory_id != without][:MOST_OFFERED]
