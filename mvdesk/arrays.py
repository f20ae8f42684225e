"""A whole vault as arrays: what a hundred thousand memories look like to scoring and lists.

Texts are kept as one block of UTF-8 with offsets: a million titles as Python strings
would cost more memory than the whole budget.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

IntArray = npt.NDArray[np.intp]
Int8Array = npt.NDArray[np.int8]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

_FEW_EDITS: Final = 64
"""So many edits of a column are quicker piece by piece than with marks for every row."""

_FOLDED_ROWS: Final = 8_192
"""So many texts are folded at one go: the interpreter lock is held for a millisecond."""

_NARROW_BYTES: Final = 2**31
"""Blocks of fewer bytes are divided by 32-bit offsets: half the memory."""

Offsets = npt.NDArray[np.signedinteger]

_Scalar = TypeVar("_Scalar", bound=np.generic)

NO_TIME: Final = np.iinfo(np.int64).min
"""Stands for NULL in the time columns."""


class StringColumn:
    """An immutable column of texts, `None` where the file has NULL."""

    __slots__ = ("_data", "_null", "_offsets")

    def __init__(self, data: bytes, offsets: Offsets, null: BoolArray) -> None:
        """`offsets` has one entry more than there are texts; `null` marks the missing ones."""
        self._data = data
        self._offsets: Offsets = offsets.astype(_offset_type(len(data)), copy=False)
        # What is the same in every row takes no room: links hardly ever have labels.
        if not data:
            self._offsets = np.broadcast_to(self._offsets[:1].copy(), len(offsets))
        if len(null) and (null.all() or not null.any()):
            null = np.broadcast_to(null[:1].copy(), len(null))
        self._null = null

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> StringColumn:
        """A column of `texts`. Lone surrogates survive the round trip."""
        known = list(texts)
        null = np.zeros(len(known), dtype=np.bool_)
        if None in known:
            null[:] = [text is None for text in known]
        filled = [text or "" for text in known]
        data = "".join(filled).encode("utf-8", "surrogatepass")
        lengths = np.fromiter(map(len, filled), np.int64, len(filled))
        if len(data) != lengths.sum():  # not plain ASCII: bytes and characters differ
            sizes = (len(text.encode("utf-8", "surrogatepass")) for text in filled)
            lengths = np.fromiter(sizes, np.int64, len(filled))
        offsets = np.zeros(len(filled) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        return cls(data, offsets, null)

    @classmethod
    def joined(cls, columns: Sequence[StringColumn]) -> StringColumn:
        """One column of the rows of several, one after the other."""
        starts = np.cumsum([0, *(len(c._data) for c in columns)])
        offsets = [
            c._offsets[:-1].astype(np.int64) + s for c, s in zip(columns, starts[:-1], strict=True)
        ]
        nulls = [np.empty(0, dtype=np.bool_), *(c._null for c in columns)]
        return cls(
            b"".join(c._data for c in columns),
            np.concatenate([*offsets, starts[-1:]]).astype(np.int64),
            np.concatenate(nulls),
        )

    def __len__(self) -> int:
        return len(self._null)

    def __getitem__(self, row: int) -> str | None:
        row = int(row)
        if row < 0:
            row += len(self._null)
        if self._null[row]:
            return None
        start, end = self._offsets[row], self._offsets[row + 1]
        return self._data[start:end].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str | None]:
        offsets = self._offsets.tolist()
        data = self._data
        for row, missing in enumerate(self._null.tolist()):
            if missing:
                yield None
            else:
                yield data[offsets[row] : offsets[row + 1]].decode("utf-8", "surrogatepass")

    def text(self, row: int) -> str:
        """The text of a row, "" where it is missing."""
        return self[row] or ""

    def replaced(self, rows: Sequence[int], texts: Sequence[str | None]) -> StringColumn:
        """The column with other texts in `rows` (ascending, without repeats)."""
        return self.spliced(rows, rows, texts)

    def spliced(
        self, removed: Sequence[int], places: Sequence[int], texts: Sequence[str | None]
    ) -> StringColumn:
        """The column without the rows in `removed`, and with `texts` before the rows `places`.

        Both are ascending rows of this column; `places` may repeat one, and hold its length
        to append.
        """
        encoded = [b"" if t is None else t.encode("utf-8", "surrogatepass") for t in texts]
        longest = len(self._data) + sum(map(len, encoded))
        offsets = self._offsets.astype(_offset_type(longest), copy=False)
        missing = np.array([text is None for text in texts], dtype=np.bool_)
        edits = [(place, 0, text) for place, text in zip(places, encoded, strict=True)]
        edits += [(row, 1, b"") for row in removed]
        edits.sort(key=lambda edit: edit[:2])
        data: list[bytes] = []
        starts: list[Offsets] = []
        done = shift = 0
        for row, is_removed, text in edits:
            data += (self._data[offsets[done] : offsets[row]], text)
            starts.append(_shifted(offsets[done:row], shift))
            if is_removed:
                shift -= int(offsets[row + 1] - offsets[row])
            else:
                starts.append(offsets[row : row + 1] + shift)
                shift += len(text)
            done = row + is_removed
        data.append(self._data[offsets[done] :])
        starts.append(_shifted(offsets[done:], shift))
        null = spliced(self._null, removed, places, missing)
        return StringColumn(b"".join(data), np.concatenate(starts), null)

    @property
    def block(self) -> tuple[bytes, Offsets]:
        """The texts as one block of UTF-8, and where each begins, the end as last; no copies."""
        return self._data, self._offsets

    @property
    def even(self) -> npt.NDArray[np.bytes_] | None:
        """The texts as an array, without a copy; None unless all are of one length in bytes.

        As ids mostly are. numpy takes zeros at the end of a text for padding.
        """
        data, width = self._data, len(self._data) // max(len(self), 1)
        if not width or not np.array_equal(self._offsets, np.arange(0, len(data) + 1, width)):
            return None
        return np.frombuffer(data, dtype=f"S{width}")

    def folded(self) -> tuple[bytes, Offsets]:
        """The case-folded texts as one block of UTF-8, and where each begins, the end as last.

        A missing text is an empty one.
        """
        data, offsets = self._data, self._offsets
        if data.isascii():
            return data.lower(), offsets
        lengths = np.diff(offsets).astype(np.int64)
        pieces: list[bytes] = []
        for first in range(0, len(lengths), _FOLDED_ROWS):
            rows = slice(first, first + _FOLDED_ROWS)
            ends = offsets[first : first + _FOLDED_ROWS + 1]
            piece, lengths[rows] = _folded(data[ends[0] : ends[-1]], ends - ends[0])
            pieces.append(piece)
        return b"".join(pieces), np.concatenate(([0], np.cumsum(lengths)))

    def taken(self, rows: npt.NDArray[np.integer]) -> StringColumn:
        """The column's rows in another order, or some of them."""
        return StringColumn.of([self[int(row)] for row in rows])

    def blobs(self) -> tuple[bytes, bytes, bytes]:
        """Texts, offsets and missing marks for storing; `from_blobs` reads them."""
        offsets = self._offsets if self._data else np.array([len(self)], dtype=np.int64)
        return self._data, offsets.tobytes(), np.packbits(self._null).tobytes()

    @classmethod
    def from_blobs(cls, data: bytes, offsets: bytes, null: bytes) -> StringColumn:
        """The column that `blobs` took apart. Raises ValueError when the parts don't fit."""
        if data:
            ends: Offsets = np.frombuffer(offsets, dtype=_offset_type(len(data)))
        else:
            (known,) = np.frombuffer(offsets, dtype=np.int64).tolist()
            ends = np.broadcast_to(np.zeros(1, dtype=np.int32), known + 1)
        count = len(ends) - 1
        if count < 0 or len(null) != (count + 7) // 8 or ends[0] != 0 or ends[-1] != len(data):
            raise ValueError("the stored column is cut short")
        if data and np.any(ends[1:] < ends[:-1]):
            raise ValueError("the stored column's offsets don't ascend")
        marks = np.unpackbits(np.frombuffer(null, dtype=np.uint8), count=count)
        return cls(data, ends, marks.astype(np.bool_))


def _offset_type(length: int) -> type[np.signedinteger]:
    """What the offsets into so many bytes are kept as."""
    return np.int32 if length < _NARROW_BYTES else np.int64


def _folded(data: bytes, offsets: Offsets) -> tuple[bytes, Int64Array]:
    """The case-folded texts of a block, joined, and their lengths in bytes."""
    if data.isascii():
        # All that case folding does to ASCII.
        return data.lower(), np.diff(offsets).astype(np.int64)
    if b"\0" in data:
        ends = offsets.tolist()
        texts = [_fold(data[start:end]) for start, end in pairwise(ends)]
        return b"".join(texts), np.fromiter(map(len, texts), np.int64, len(texts))
    # Folded at one go, a mark that nothing else folds to between each two: folding looks at
    # one character at a time, and a call for each text would take ten times as long.
    marked = np.insert(np.frombuffer(data, dtype=np.uint8), offsets[1:-1], 0)
    folded = _fold(marked.tobytes())
    marks = np.flatnonzero(np.frombuffer(folded, dtype=np.uint8) == 0)
    lengths: Int64Array = np.diff(np.concatenate(([-1], marks, [len(folded)]))) - 1
    return folded.replace(b"\0", b""), lengths


def _fold(text: bytes) -> bytes:
    return text.decode("utf-8", "surrogatepass").casefold().encode("utf-8", "surrogatepass")


def _shifted(offsets: Offsets, shift: int) -> Offsets:
    return offsets + shift if shift else offsets


def spliced(
    column: npt.NDArray[_Scalar],
    removed: Sequence[int],
    places: Sequence[int],
    values: npt.NDArray[_Scalar],
) -> npt.NDArray[_Scalar]:
    """The array without the rows `removed` and with `values` before the rows `places`.

    As `StringColumn.spliced`: both ascend and are rows of `column`.
    """
    if len(removed) + len(places) <= _FEW_EDITS:
        return _spliced_by_pieces(column, removed, places, values)
    keep = np.ones(len(column), dtype=np.bool_)
    keep[np.asarray(removed, dtype=np.intp)] = False
    # A place moves up by the rows removed before it.
    moved = np.asarray(places, dtype=np.intp)
    moved = moved - np.searchsorted(np.asarray(removed, dtype=np.intp), moved)
    return np.insert(column[keep], moved, values, axis=0)


def _spliced_by_pieces(
    column: npt.NDArray[_Scalar],
    removed: Sequence[int],
    places: Sequence[int],
    values: npt.NDArray[_Scalar],
) -> npt.NDArray[_Scalar]:
    pieces: list[npt.NDArray[_Scalar]] = []
    done = 0
    edits = [(place, 0, n) for n, place in enumerate(places)] + [(row, 1, 0) for row in removed]
    for row, is_removed, number in sorted(edits):
        pieces.append(column[done:row])
        if not is_removed:
            pieces.append(values[number : number + 1])
        done = row + is_removed
    return np.concatenate([*pieces, column[done:]])


@dataclass(frozen=True, slots=True, eq=False)
class MemoryTable:
    """Every memory of one brain, one row each, in the order (created_at, id).

    `labels` is what lists show (title, else key, else first words). `type_codes` index
    `type_names`, the types as found, lower-cased. `source_rows` index `SourceTable.texts`,
    -1 for no source. Times are epoch seconds, `NO_TIME` for NULL. Bases are in [0, 1] in a
    sound file; a foreign one may differ, scoring clamps. The hits and the length are text
    signals, counted with the keyword lists that all built-in models share. `text_checksum`
    tells one state of a memory's texts and type from another.
    """

    ids: StringColumn
    labels: StringColumn
    keys: StringColumn
    tags: StringColumn
    type_names: tuple[str, ...]
    type_codes: Int8Array
    source_rows: Int32Array
    base_confidence: FloatArray
    base_importance: FloatArray
    created_at: Int64Array
    updated_at: Int64Array
    archived_at: Int64Array
    access_count: Int64Array
    last_accessed_at: Int64Array
    last_decayed_at: Int64Array
    certainty_hits: Int32Array
    hedge_hits: Int32Array
    importance_hits: Int32Array
    content_length: Int32Array
    text_checksum: Int64Array

    def __len__(self) -> int:
        return len(self.type_codes)

    @classmethod
    def empty(cls) -> MemoryTable:
        """A table without rows."""
        none = StringColumn.of(())
        ints, counts = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32)
        floats = np.empty(0, dtype=np.float64)
        return cls(
            ids=none,
            labels=none,
            keys=none,
            tags=none,
            type_names=(),
            type_codes=np.empty(0, dtype=np.int8),
            source_rows=counts,
            base_confidence=floats,
            base_importance=floats,
            created_at=ints,
            updated_at=ints,
            archived_at=ints,
            access_count=ints,
            last_accessed_at=ints,
            last_decayed_at=ints,
            certainty_hits=counts,
            hedge_hits=counts,
            importance_hits=counts,
            content_length=counts,
            text_checksum=ints,
        )


@dataclass(frozen=True, slots=True, eq=False)
class LinkTable:
    """Every link of one brain. `from_rows` and `to_rows` index the memory table.

    -1 stands for a memory that is not there (an orphan link of a foreign file).
    `relations` index `records.RELATIONS`; -1 for a relation we don't know.
    """

    ids: StringColumn
    from_rows: Int32Array
    to_rows: Int32Array
    relations: Int8Array
    labels: StringColumn
    created_at: Int64Array

    def __len__(self) -> int:
        return len(self.relations)

    @classmethod
    def empty(cls) -> LinkTable:
        """A table without rows."""
        none, rows = StringColumn.of(()), np.empty(0, dtype=np.int32)
        return cls(
            ids=none,
            from_rows=rows,
            to_rows=rows,
            relations=np.empty(0, dtype=np.int8),
            labels=none,
            created_at=np.empty(0, dtype=np.int64),
        )


@dataclass(frozen=True, slots=True, eq=False)
class SourceTable:
    """The sources that memories name, and every source with a stored trust.

    `texts` are the distinct source texts as written; `text_keys` index `keys`, the distinct
    normalised ones (-1 for a text that is only white space). `trust` is in [0, 1], NaN for
    "not set". `counts` are the memories per key, archived ones too.
    """

    texts: StringColumn
    text_keys: Int32Array
    keys: tuple[str, ...]
    trust: FloatArray
    notes: tuple[str | None, ...]
    counts: Int32Array

    @classmethod
    def empty(cls) -> SourceTable:
        """A table without rows."""
        return cls(
            texts=StringColumn.of(()),
            text_keys=np.empty(0, dtype=np.int32),
            keys=(),
            trust=np.empty(0, dtype=np.float64),
            notes=(),
            counts=np.empty(0, dtype=np.int32),
        )

    def with_trust(self, changes: dict[int, float | None]) -> SourceTable:
        """The table with other trust for some keys (by index); `None` is "not set"."""
        trust = self.trust.copy()
        for key, value in changes.items():
            trust[key] = np.nan if value is None else value
        return replace(self, trust=trust)
