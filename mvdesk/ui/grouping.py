"""The list in groups: by source, whose spellings count as one, or by type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.ui.sorting import order_by_place
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.arrays import Int64Array, IntArray
    from mvdesk.vault.snapshot import Snapshot

GROUPINGS: Final = ("", "source", "type")
"""What the list can be grouped by; "" for no groups."""
NO_SOURCE: Final = tr("No source")


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of a list, from top to bottom: names, and where each starts in the order."""

    kind: str
    names: tuple[str, ...]
    starts: IntArray
    counts: IntArray

    def __len__(self) -> int:
        return len(self.names)


def grouped(order: IntArray, snapshot: Snapshot, kind: str) -> IntArray:
    """`order` with the members of each group together; inside a group it stays as it is."""
    if not kind:
        return order
    return order_by_place(_codes(snapshot, kind)[order], order, descending=False)


def find_groups(order: IntArray, snapshot: Snapshot, kind: str) -> Groups | None:
    """The groups of an order that `grouped` made; None without grouping."""
    if not kind:
        return None
    codes = _codes(snapshot, kind)[order]
    starts = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1]))[: len(codes)])
    names = snapshot.sources.keys if kind == "source" else sorted(snapshot.memories.type_names)
    found = [names[c] if c < len(names) else NO_SOURCE for c in codes[starts].tolist()]
    counts = np.diff(np.append(starts, len(order)))
    return Groups(kind, tuple(found), starts, counts)


def _codes(snapshot: Snapshot, kind: str) -> Int64Array:
    """The group of every memory, as a number; groups are listed by it."""
    memories, sources = snapshot.memories, snapshot.sources
    if kind == "source":
        # Keys are sorted; memories without one come last.
        keys = np.where(sources.text_keys < 0, len(sources.keys), sources.text_keys)
        codes: Int64Array = np.append(keys, len(sources.keys))[memories.source_rows]
        return codes.astype(np.int64)
    names = sorted(memories.type_names)
    places = np.array([names.index(name) for name in memories.type_names], dtype=np.int64)
    return places[memories.type_codes] if len(places) else np.zeros(0, dtype=np.int64)
