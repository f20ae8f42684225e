"""Which scores are low for their type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray
    from mvdesk.vault.snapshot import Snapshot

LOW_PERCENTILE: Final = 20


def find_low(snapshot: Snapshot, scores: FloatArray) -> BoolArray:
    """Marks scores below the 20th percentile of the active memories of the same type."""
    memories = snapshot.memories
    active = memories.archived_at == NO_TIME
    marks = np.zeros(len(memories), dtype=np.bool_)
    for code in range(len(memories.type_names)):
        alike = memories.type_codes == code
        values = scores[alike & active]
        if len(values):
            marks |= alike & (scores < np.percentile(values, LOW_PERCENTILE))
    return marks
