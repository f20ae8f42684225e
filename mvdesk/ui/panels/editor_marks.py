"""Which places of the shown texts are marked: evidence that is looked at, words of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.records import Memory
    from mvdesk.ui.looking import Looking

_MARKED: Final = 100_000
"""Characters of a text up to which the words of a search are marked in it."""


def find_marks(
    looking: Looking, memory: Memory | None, shown: Mapping[str, str]
) -> dict[str, Sequence[tuple[int, int]]]:
    """Starts and ends in code points by field.

    Evidence is marked where the text is still the stored one, words wherever they are.
    """
    if memory is None:
        return {}
    highlight = looking.highlight
    if highlight is not None and highlight.memory_id == memory.id:
        return {
            name: places
            for name, places in highlight.spans.items()
            if shown[name] == stored_text(memory, name)
        }
    find = looking.word_finder
    if find is None:
        return {}
    return {name: tuple(find(text)) for name, text in shown.items() if len(text) <= _MARKED}


def stored_text(memory: Memory | None, name: str) -> str:
    """A text field as stored, "" for none."""
    return "" if memory is None else str(getattr(memory, name) or "")
