"""The places of texts in alphabetical order, for a million of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import StringColumn
from mvdesk.store.text_hashes import hash_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from mvdesk.arrays import Int32Array, Int64Array
    from mvdesk.vault.snapshot import Snapshot

_COMPARED_BYTES: Final = 64


def rank_titles(snapshot: Snapshot) -> Int32Array:
    """The places of all titles, which the snapshot keeps from the first time on."""
    known = snapshot.title_ranks
    if not known:
        known.append(text_ranks(snapshot.memories.labels).astype(np.int32))
    return known[0]


def text_ranks(texts: Iterable[str | None]) -> Int64Array:
    """The place of each text among all, by code points of the case-folded text.

    Equal texts share a place, and so do texts alike in their first 64 bytes. The sorting is
    numpy's, eight bytes at a time: Python's would hold the interpreter lock throughout.
    Of equal texts one is sorted, as where thousands have one title.
    """
    column = texts if isinstance(texts, StringColumn) else StringColumn.of(texts)
    if not len(column):
        return np.zeros(0, dtype=np.int64)
    data, ends = column.folded()
    offsets = ends.astype(np.int64, copy=False)
    _, firsts, same_as = np.unique(
        hash_texts(data, offsets), return_index=True, return_inverse=True
    )
    places = _rank(
        np.frombuffer(data + b"\0", dtype=np.uint8), offsets[firsts], offsets[firsts + 1]
    )
    place_of = places[same_as]
    counts = np.bincount(place_of, minlength=len(firsts))
    ranks: Int64Array = (np.cumsum(counts) - counts)[place_of]
    return ranks


def _rank(block: npt.NDArray[np.uint8], starts: Int64Array, ends: Int64Array) -> Int64Array:
    """The places of the texts that are so far apart in a block, which has a byte more."""
    ranks = np.zeros(len(starts), dtype=np.int64)
    open_rows = np.arange(len(starts), dtype=np.int64)
    for offset in range(0, _COMPARED_BYTES, 8):
        keys = np.zeros(len(open_rows), dtype=np.uint64)
        first, last = starts[open_rows] + offset, ends[open_rows]
        for place in range(8):
            at = first + place
            inside = at < last
            np.minimum(at, len(block) - 1, out=at)
            keys <<= np.uint64(8)
            keys |= block[at] * inside
        open_rows = _split_ties(ranks, open_rows, keys)
        if not len(open_rows):
            break
    return ranks


def _split_ties(ranks: Int64Array, rows: Int64Array, keys: npt.NDArray[np.uint64]) -> Int64Array:
    """Refine the ranks of tied `rows` by `keys` in place; gives back the rows still tied."""
    old = ranks[rows]
    is_first = len(rows) == len(ranks) and not old.any()
    order = np.argsort(keys) if is_first else np.lexsort((keys, old))
    rows, keys, old = rows[order], keys[order], old[order]
    new_group = np.concatenate(([True], old[1:] != old[:-1]))
    new_place = new_group | np.concatenate(([True], keys[1:] != keys[:-1]))
    positions = np.arange(len(rows))
    group_start = np.maximum.accumulate(np.where(new_group, positions, 0))
    place_start = np.maximum.accumulate(np.where(new_place, positions, 0))
    ranks[rows] = old + (place_start - group_start)
    alone = new_place & np.concatenate((new_place[1:], [True]))
    return rows[~alone]
