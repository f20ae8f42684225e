"""Title, key, tags and source of every memory as one block, to look pieces up in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mvdesk.store.folding import fold_text

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray
    from mvdesk.vault.snapshot import Snapshot


class Haystack:
    """What can be searched before the texts are indexed."""

    def __init__(self, snapshot: Snapshot) -> None:
        memories = snapshot.memories
        sources = list(snapshot.sources.texts)
        parts = [
            fold_text(
                f"{label}\n{key or ''}\n{tags or ''}\n{sources[source] if source >= 0 else ''}\n"
            ).encode("utf-8", "surrogatepass")
            for label, key, tags, source in zip(
                memories.labels,
                memories.keys,
                memories.tags,
                memories.source_rows.tolist(),
                strict=True,
            )
        ]
        self._block = b"".join(parts)
        self._ends = np.cumsum(np.fromiter((len(part) for part in parts), np.int64, len(parts)))

    def find(self, piece: str) -> BoolArray:
        """Marks the memories in which a folded piece occurs."""
        word = piece.encode("utf-8", "surrogatepass")
        marks = np.zeros(len(self._ends), dtype=np.bool_)
        ends = self._ends
        position = self._block.find(word)
        while 0 <= position < len(self._block):
            row = int(np.searchsorted(ends, position, side="right"))
            marks[row] = True
            position = self._block.find(word, int(ends[row]))
        return marks
