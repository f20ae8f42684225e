"""Memories whose text signal rests on keywords inside other words: "id" in "video"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.scoring.keywords import find_keyword_hits
from mvdesk.store.reading import read_texts
from mvdesk.vault.text_rows import LookupCancelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.arrays import BoolArray, IntArray
    from mvdesk.scoring.model import KeywordLists
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_BATCH: Final = 1_000


class InsideWords:
    """Knows of each text it has seen whether all its keywords are inside other words."""

    def __init__(self, keywords: KeywordLists) -> None:
        self._keywords = sorted({word for words in keywords.of_text for word in words})
        choices = "|".join(map(re.escape, self._keywords))
        # Only what is surely a whole word; the rest is looked at closely.
        self._whole = re.compile(
            rf"(?<![^\W_])(?<!['’])(?:{choices})(?![^\W_])(?!['’\u0300-\u036f])"
        )
        self._seen: dict[int, bool] = {}  # by checksum of the texts

    def mark(
        self, vault: Vault, snapshot: Snapshot, cancelled: Callable[[], bool] | None = None
    ) -> BoolArray:
        """Marks the memories that have keywords, none of them a word of its own.

        Reads the texts that it hasn't seen, a second for 100,000. Raises LookupCancelled.
        """
        table = snapshot.memories
        rows = np.flatnonzero(table.certainty_hits + table.hedge_hits + table.importance_hits)
        sums = table.text_checksum[rows].tolist()
        self._look(vault, snapshot, rows[[one not in self._seen for one in sums]], cancelled)
        marks = np.zeros(len(table), dtype=np.bool_)
        marks[rows] = [self._seen.get(one, False) for one in sums]
        return marks

    def _look(
        self,
        vault: Vault,
        snapshot: Snapshot,
        rows: IntArray,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        ids, sums = snapshot.memories.ids, snapshot.memories.text_checksum
        for start in range(0, len(rows), _BATCH):
            if cancelled is not None and cancelled():
                raise LookupCancelled
            some = rows[start : start + _BATCH].tolist()
            by_id = {ids.text(row): int(sums[row]) for row in some}
            with vault.file.read() as conn:
                texts = list(read_texts(conn, vault.file.schema, snapshot.brain_id, list(by_id)))
            for memory_id, _, title, key, content, tags, _ in texts:
                fields = {"title": title, "key": key, "content": content, "tags": tags}
                self._seen[by_id[memory_id]] = self._rests_inside(fields)

    def _rests_inside(self, fields: dict[str, str | None]) -> bool:
        lowered = " ".join((fields[name] or "").lower() for name in fields)
        if self._whole.search(lowered):
            return False
        return all(hit.inside_word for hit in find_keyword_hits(fields, self._keywords))
