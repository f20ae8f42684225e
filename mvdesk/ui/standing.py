"""How the stored scores of one state are spread in each type of memory: what ranks are told by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.scoring.verdict import median_base
from mvdesk.vault.questions.distribution import ScoreCounts

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray, Int64Array
    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.snapshot import Snapshot

KINDS = ("confidence", "importance")


class Standing:
    """Looks each type up once, on any thread; `prepare` does so where nobody waits for it."""

    def __init__(self, snapshot: Snapshot, scores: Scores) -> None:
        self._snapshot, self._scores = snapshot, scores
        self._alike: dict[int, tuple[BoolArray, int]] = {}
        self._bases: dict[tuple[int, str], float | None] = {}
        self._counts: dict[tuple[int, str], Int64Array] = {}

    def rescored(self, scores: Scores) -> Standing:
        """That of the same memories with other scores, looked up as far as this one is."""
        made = Standing(self._snapshot, scores)
        made._alike, made._bases = self._alike, self._bases
        for code, kind in list(self._counts):
            made.counts(code, kind)
        return made

    def prepare(self, row: int) -> None:
        """Have all be quick about the type of a memory."""
        code = int(self._snapshot.memories.type_codes[row])
        for kind in KINDS:
            self.counts(code, kind)
            self.usual_base(code, kind)

    def alike(self, code: int) -> tuple[BoolArray, int]:
        """The active memories of a type, and how many they are."""
        alike = self._alike.get(code)
        if alike is None:
            memories = self._snapshot.memories
            marks = (memories.type_codes == code) & (memories.archived_at == NO_TIME)
            alike = self._alike[code] = (marks, int(np.count_nonzero(marks)))
        return alike

    def counts(self, code: int, kind: str) -> Int64Array:
        """How many active memories of a type have each score, per thousandth."""
        counts = self._counts.get((code, kind))
        if counts is None:
            marks, _ = self.alike(code)
            counts = self._counts[code, kind] = count_scores(column(self._scores, kind)[marks])
        return counts

    def usual_base(self, code: int, kind: str) -> float | None:
        """The median base of the active memories of a type."""
        about = (code, kind)
        if about not in self._bases:
            marks, _ = self.alike(code)
            memories = self._snapshot.memories
            bases = memories.base_confidence if kind == "confidence" else memories.base_importance
            self._bases[about] = median_base(bases[marks])
        return self._bases[about]


def column(scores: Scores, kind: str) -> FloatArray:
    """The scores of a kind."""
    return scores.confidence if kind == "confidence" else scores.importance


def count_scores(scores: FloatArray) -> Int64Array:
    """How many there are of each, per thousandth."""
    return ScoreCounts.of(scores).per_thousandth
