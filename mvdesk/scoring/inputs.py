"""What the engine takes: one array per input, one row per memory."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
CodeArray = npt.NDArray[np.signedinteger]
Int32Array = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
NumberArray = npt.NDArray[np.float64] | npt.NDArray[np.int64]

MISSING: Final = np.iinfo(np.int64).min
"""Stands for a missing number in whole ones, which know no NaN."""

LINK_COLUMNS: Final = (
    "link_count",
    "supports_count",
    "contradicts_count",
    "supersedes_count",
    "causes_count",
    "example_of_count",
)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreInputs:
    """Everything that scores depend on, besides the model and the time.

    `type_codes` index `type_names` (lower-cased). `trust` is NaN where none is set.
    `link_counts` has the columns `LINK_COLUMNS`. Times are epoch seconds, NaN for missing: a
    missing `updated_at` falls back to `created_at`, a missing `created_at` to now, a missing
    `last_accessed_at` (or one not above 0) means never recalled. Times and `access_count` may be
    whole numbers as well, `MISSING` for NaN: a vault has them so, and needs no copy. Bases and
    trust outside 0..1 are clamped by the engine; none may be NaN except trust and times.
    """

    base_confidence: FloatArray
    base_importance: FloatArray
    type_codes: CodeArray
    type_names: tuple[str, ...]
    certainty_hits: Int32Array
    hedge_hits: Int32Array
    importance_hits: Int32Array
    content_length: Int32Array
    source_named: BoolArray
    source_high: BoolArray
    source_low: BoolArray
    trust: FloatArray
    link_counts: Int32Array
    created_at: NumberArray
    updated_at: NumberArray
    access_count: NumberArray
    last_accessed_at: NumberArray

    def __post_init__(self) -> None:
        for name in _ARRAYS:
            if len(getattr(self, name)) != len(self.base_confidence):
                raise ValueError(f"{name} has another length than base_confidence")

    def __len__(self) -> int:
        return len(self.base_confidence)

    def taken(self, rows: IntArray | Sequence[int] | slice) -> ScoreInputs:
        """The inputs of some rows, in that order, numbers as floats. A slice copies nothing."""
        if isinstance(rows, slice):
            return replace(self, **{name: getattr(self, name)[rows] for name in _ARRAYS})
        rows = np.asarray(rows, dtype=np.intp)
        columns = {name: getattr(self, name)[rows] for name in _ARRAYS}
        columns |= {name: as_floats(columns[name]) for name in _NUMBERS}
        return replace(self, **columns)

    def with_trust(self, trust: FloatArray) -> ScoreInputs:
        """The same memories under other trust, NaN for not set; nothing is copied."""
        return replace(self, trust=trust)


def as_floats(numbers: NumberArray) -> FloatArray:
    """Times or counts as floats, missing ones as NaN."""
    floats = numbers.astype(np.float64, copy=False)
    if numbers.dtype != floats.dtype:
        floats[numbers == MISSING] = np.nan
    return floats


_NUMBERS: Final = ("created_at", "updated_at", "access_count", "last_accessed_at")
_ARRAYS: Final = tuple(field.name for field in fields(ScoreInputs) if field.name != "type_names")


def stack_inputs(rows: Sequence[ScoreInputs]) -> ScoreInputs:
    """Several inputs as one, in that order; there is at least one."""
    codes = {name: 0 for one in rows for name in one.type_names}
    codes = {name: code for code, name in enumerate(codes)}
    type_codes = [
        np.array([codes[name] for name in one.type_names], dtype=np.int32).take(one.type_codes)
        for one in rows
    ]
    stacked = {
        name: np.concatenate([getattr(one, name) for one in rows])
        for name in _ARRAYS
        if name != "type_codes"
    }
    return ScoreInputs(type_codes=np.concatenate(type_codes), type_names=tuple(codes), **stacked)
