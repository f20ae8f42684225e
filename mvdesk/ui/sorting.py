"""What each column of the list is sorted by, as whole numbers that sort quickly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.ui.models.list_columns import SORT_KEYS

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, FloatArray, Int64Array, IntArray
    from mvdesk.scoring.engine import Scores
    from mvdesk.vault.snapshot import Snapshot

SORT_COLUMNS: Final = SORT_KEYS
SCORED: Final = (
    "confidence",
    "importance",
    "raw_confidence",
    "raw_importance",
    "cut_confidence",
    "cut_importance",
)
"""Columns whose places follow the scores; those of all others are ranks, made once."""

_EMPTY: Final = np.int64(2**31 - 2)  # the place of an empty cell: last either way
_MOST: Final = np.int64(2**31 - 3)
_PARTS: Final = 1e6  # raw scores are told apart to a millionth
_SHIFT: Final = 1000.0  # more than any raw score is below zero


def order_by_place(places: Int64Array, rows: IntArray, *, descending: bool) -> IntArray:
    """`rows` sorted by place; ties stay as they are in `rows`, empty cells come last.

    `places` belong to `rows`.
    """
    keys = np.where(places == _EMPTY, _EMPTY, _MOST - places) if descending else places
    packed = (keys << np.int64(32)) | np.arange(len(rows), dtype=np.int64)
    packed.sort()
    order: IntArray = rows[packed & np.int64(0xFFFFFFFF)]
    return order


def rank_cells(ranks: Int64Array, is_empty: BoolArray) -> Int64Array:
    """Ranks of texts as places, those of empty cells last."""
    return np.where(is_empty, _EMPTY, ranks)


def rank_values(column: str, snapshot: Snapshot) -> Int64Array:
    """The places of a column of numbers or times that no score moves.

    Trust is the stored one: rows stay where they are while another is tried.
    """
    memories = snapshot.memories
    values: np.ndarray
    if column in ("base_confidence", "base_importance"):
        values = np.clip(getattr(memories, column), 0.0, 1.0)
    elif column == "trust":
        values = snapshot.trust_per_row()
    elif column == "idle":
        values = -seen_at(snapshot).astype(np.float64)  # seen long ago is idle for long
    elif column in ("created", "updated"):
        values = getattr(memories, f"{column}_at")  # missing ones are the earliest
    elif column == "links":
        values = snapshot.link_counts[:, 0]
    elif column == "recalls":
        values = memories.access_count
    else:
        assert column == "length", column
        values = memories.content_length
    ranks = np.unique(values, return_inverse=True)[1].astype(np.int64)
    return rank_cells(ranks, np.isnan(values)) if values.dtype.kind == "f" else ranks


def places_by_score(column: str, scores: Scores, rows: IntArray) -> Int64Array:
    """The places of `rows` in a column of raw scores, or of what is cut off them."""
    kind = column.removeprefix("raw_").removeprefix("cut_")
    values: FloatArray = getattr(scores, f"raw_{kind}")[rows]
    if column.startswith("cut_"):
        values = cut_of(values)
    is_empty = np.isnan(values)
    bounded = np.clip(np.where(is_empty, 0.0, values), -_SHIFT, _SHIFT)
    return rank_cells(np.rint((bounded + _SHIFT) * _PARTS).astype(np.int64), is_empty)


def cut_of(raw: FloatArray) -> FloatArray:
    """What cutting to [0, 1] adds to raw scores, NaN where nothing is cut."""
    cut = np.clip(raw, 0.0, 1.0) - raw
    return np.where(cut == 0.0, np.nan, cut)


def seen_at(snapshot: Snapshot) -> Int64Array:
    """When each memory was last edited or recalled, in epoch seconds; `NO_TIME` for never."""
    memories = snapshot.memories
    edited = np.where(memories.updated_at == NO_TIME, memories.created_at, memories.updated_at)
    return np.maximum(edited, memories.last_accessed_at)
