"""Memories found by a few letters of their title or key, or by the start of their id."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.ui.letters import EXACT, LetterIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.vault.snapshot import Snapshot

MOST_FOUND: Final = 50
_COMPARED: Final = 400
_ID_LETTERS: Final = 4


@dataclass(frozen=True, slots=True)
class FoundTitle:
    """One memory that was found, and how: the lower the rank, the better."""

    row: int
    rank: int


@dataclass(slots=True, eq=False)
class TitleFinder:
    """Looks in one snapshot. Made in a job: folding a million titles takes a second."""

    snapshot: Snapshot
    _letters: LetterIndex = field(init=False)

    def __post_init__(self) -> None:
        memories = self.snapshot.memories
        self._letters = LetterIndex(
            f"{label or ''} {key or ''}"
            for label, key in zip(memories.labels, memories.keys, strict=True)
        )

    def find(
        self, text: str, *, recent: Sequence[int] = (), limit: int = MOST_FOUND
    ) -> list[FoundTitle]:
        """The best matches first; `recent` rows before others that match as well.

        Every word must be found. Without a word the recent ones are found. Archived memories
        come after all others.
        """
        words = text.casefold().split()
        if not words:
            known = [row for row in recent if 0 <= row < len(self._letters)]
            return [FoundTitle(row, EXACT) for row in known[:limit]]
        by_id = self._by_id(text.strip())
        rows, ranks, spread, lengths = self._letters.find(words)
        archived = self.snapshot.memories.archived_at[rows] != NO_TIME
        is_recent = np.isin(rows, np.asarray(recent, dtype=np.intp))
        order = np.lexsort((lengths, spread, ~is_recent, ranks, archived))
        best = order[: limit + len(by_id)]
        found = [FoundTitle(row, EXACT) for row in by_id]
        pairs = zip(rows[best].tolist(), ranks[best].tolist(), strict=True)
        found += [FoundTitle(row, rank) for row, rank in pairs if row not in by_id]
        return found[:limit]

    def _by_id(self, text: str) -> list[int]:
        """Rows whose id is the text, or begins with it where it is long enough."""
        row = self.snapshot.row_of(text)
        if row is not None:
            return [row]
        if len(text) < _ID_LETTERS or not set(text.lower()) <= set("0123456789abcdef-"):
            return []
        data, starts = self.snapshot.memories.ids.block
        rows: list[int] = []
        at, wanted = -1, text.lower().encode()
        for _ in range(_COMPARED):
            at = data.find(wanted, at + 1)
            if at < 0 or len(rows) == 5:
                break
            row = int(np.searchsorted(starts, starts.dtype.type(at), side="right")) - 1
            if starts[row] == at:
                rows.append(row)
        return rows
