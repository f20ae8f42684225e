"""What moved between two snapshots of a brain, whoever moved it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from mvdesk.arrays import LinkTable
from mvdesk.vault.changes import ChangeSet
from mvdesk.vault.plan import LINKS, MEMORIES, TRUST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mvdesk.arrays import BoolArray, IntArray, MemoryTable, Offsets, StringColumn
    from mvdesk.vault.snapshot import Snapshot

# These index other tables, whose rows differ: the checksum of the texts tells what they say.
_BY_CHECKSUM = ("type_codes", "source_rows")


def compare_snapshots(old: Snapshot, new: Snapshot, tables: Iterable[str] = ()) -> ChangeSet:
    """Every memory, link and source that is not in both snapshots, or not the same.

    As for a write of ours, the ends of changed links are among the memories. `tables` names
    what else moved.
    """
    moved = _Moved(old, new)
    moved.compare_memories()
    moved.compare_links()
    moved.compare_sources()
    return ChangeSet(
        memory_ids=frozenset(moved.memory_ids),
        source_keys=frozenset(moved.source_keys),
        link_ids=frozenset(moved.link_ids),
        tables=frozenset((*moved.tables, *tables)),
    )


class _Moved:
    """Collects what moved; links come after memories, whose rows they name."""

    def __init__(self, old: Snapshot, new: Snapshot) -> None:
        self.old, self.new = old, new
        self.memory_ids: set[str] = set()
        self.source_keys: set[str] = set()
        self.link_ids: set[str] = set()
        self.tables: set[str] = set()
        self._new_rows: IntArray | None = None  # of old memories, −1 for those that are gone

    def compare_memories(self) -> None:
        old, new = self.old.memories, self.new.memories
        if old is new:
            return
        both = align(old.ids, new.ids)
        if not both.is_same:
            self._new_rows = both.moved()
        differ = _differing(old, new, both, _BY_CHECKSUM)
        old_rows = [*both.removed.tolist(), *both.old_rows[differ].tolist()]
        new_rows = [*both.added.tolist(), *both.new_rows[differ].tolist()]
        self._add_memories(self.old, old_rows)
        self._add_memories(self.new, new_rows)
        for snapshot, rows in ((self.old, old_rows), (self.new, new_rows)):
            self.source_keys.update(key for row in rows if (key := snapshot.source_key_of_row(row)))
        if self.memory_ids:
            self.tables.add(MEMORIES)

    def compare_links(self) -> None:
        old, new = self.old.links, self.new.links
        if old is new:
            return
        both = align(old.ids, new.ids)
        differ = _differing(old, new, both, ("from_rows", "to_rows"))
        for name in ("from_rows", "to_rows"):
            rows = getattr(old, name)
            if self._new_rows is not None:
                rows = np.append(self._new_rows, -1)[rows]
            differ |= rows[both.old_rows] != getattr(new, name)[both.new_rows]
        old_rows = [*both.removed.tolist(), *both.old_rows[differ].tolist()]
        new_rows = [*both.added.tolist(), *both.new_rows[differ].tolist()]
        for snapshot, rows in ((self.old, old_rows), (self.new, new_rows)):
            links = snapshot.links
            self.link_ids.update(links.ids.text(row) for row in rows)
            ends = [int(e[row]) for row in rows for e in (links.from_rows, links.to_rows)]
            self._add_memories(snapshot, [row for row in ends if row >= 0])
        if self.link_ids:
            self.tables.add(LINKS)

    def compare_sources(self) -> None:
        old, new = (
            {
                key: (None if np.isnan(trust) else float(trust), note)
                for key, trust, note in zip(
                    snapshot.sources.keys,
                    snapshot.sources.trust,
                    snapshot.sources.notes,
                    strict=True,
                )
            }
            for snapshot in (self.old, self.new)
        )
        unset = (None, None)
        moved = {key for key in old | new if old.get(key, unset) != new.get(key, unset)}
        if moved:
            self.tables.add(TRUST)
        self.source_keys |= moved | (old.keys() ^ new.keys())

    def _add_memories(self, snapshot: Snapshot, rows: Iterable[int]) -> None:
        self.memory_ids.update(snapshot.memories.ids.text(row) for row in rows)


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """The rows of two columns of ids that hold the same id, and the rows without partner."""

    old_rows: IntArray
    new_rows: IntArray
    removed: IntArray
    added: IntArray

    @property
    def is_same(self) -> bool:
        """The columns are equal."""
        return not (len(self.removed) or len(self.added)) and bool(
            (self.old_rows == self.new_rows).all()
        )

    def moved(self) -> IntArray:
        """The new row of each old one, −1 for those that are gone."""
        rows = np.full(len(self.old_rows) + len(self.removed), -1, dtype=np.intp)
        rows[self.old_rows] = self.new_rows
        return rows


def align(old: StringColumn, new: StringColumn) -> Alignment:
    """Which rows of two columns of distinct ids belong together.

    Quick when the columns begin and end alike, as they do after a few changes.
    """
    head = _equal_rows(old, new)
    tail = min(_equal_rows_at_end(old, new), len(old) - head, len(new) - head)
    old_middle = range(head, len(old) - tail)
    new_middle = range(head, len(new) - tail)
    place = {new.text(row): row for row in new_middle}
    pairs: list[tuple[int, int]] = []
    removed: list[int] = []
    for row in old_middle:
        partner = place.pop(old.text(row), None)
        if partner is None:
            removed.append(row)
        else:
            pairs.append((row, partner))
    middle = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    heads = np.arange(head)
    return Alignment(
        np.concatenate((heads, middle[:, 0], np.arange(len(old) - tail, len(old)))),
        np.concatenate((heads, middle[:, 1], np.arange(len(new) - tail, len(new)))),
        np.array(removed, dtype=np.intp),
        np.array(sorted(place.values()), dtype=np.intp),
    )


def _equal_rows(old: StringColumn, new: StringColumn) -> int:
    """How many rows at the start are equal."""
    (old_data, old_ends), (new_data, new_ends) = _bytes_of(old), _bytes_of(new)
    count = min(len(old), len(new))
    same_ends = _first_true(old_ends[: count + 1] != new_ends[: count + 1]) - 1
    length = int(old_ends[same_ends])
    at = _first_true(old_data[:length] != new_data[:length])
    return int(np.searchsorted(old_ends[: same_ends + 1], at, side="right")) - 1


def _equal_rows_at_end(old: StringColumn, new: StringColumn) -> int:
    (old_data, old_ends), (new_data, new_ends) = _bytes_of(old), _bytes_of(new)
    count = min(len(old), len(new))
    from_end = [(ends[-1] - ends[::-1])[: count + 1] for ends in (old_ends, new_ends)]
    same_ends = _first_true(from_end[0] != from_end[1]) - 1
    length = int(from_end[0][same_ends])
    differ = old_data[len(old_data) - length :] != new_data[len(new_data) - length :]
    at = _first_true(differ[::-1])
    return int(np.searchsorted(from_end[0][: same_ends + 1], at, side="right")) - 1


def _bytes_of(column: StringColumn) -> tuple[np.ndarray, Offsets]:
    data, offsets = column.block
    return np.frombuffer(data, dtype=np.uint8), offsets


def _first_true(marks: BoolArray) -> int:
    """Where the first True is, the length when there is none."""
    return int(np.argmax(marks)) if marks.any() else len(marks)


def _differing(
    old: MemoryTable | LinkTable,
    new: MemoryTable | LinkTable,
    both: Alignment,
    leave: tuple[str, ...],
) -> BoolArray:
    """Which of the rows that both have differ in any column but those to `leave`."""
    differ = np.zeros(len(both.old_rows), dtype=np.bool_)
    for column in fields(old):
        before, after = getattr(old, column.name), getattr(new, column.name)
        if before is after or column.name in leave:
            continue
        if isinstance(before, np.ndarray):
            # By their bits: a value that is no number equals itself.
            kind = f"u{before.dtype.itemsize}"
            differ |= before.view(kind)[both.old_rows] != after.view(kind)[both.new_rows]
        elif column.name == "labels" and isinstance(old, LinkTable):
            differ |= _differing_texts(before, after, both)
    return differ


def _differing_texts(old: StringColumn, new: StringColumn, both: Alignment) -> BoolArray:
    """Which of the rows that both have hold other texts."""
    missing = [
        np.unpackbits(np.frombuffer(c.blobs()[2], np.uint8), count=len(c)) for c in (old, new)
    ]
    differ: BoolArray = missing[0][both.old_rows] != missing[1][both.new_rows]
    head, tail = _equal_rows(old, new), _equal_rows_at_end(old, new)
    stays = (both.old_rows == both.new_rows) & (both.old_rows < head)
    to_end = len(old) - both.old_rows
    stays |= (to_end == len(new) - both.new_rows) & (to_end <= tail)
    for place in np.flatnonzero(~(stays | differ)).tolist():
        differ[place] = old[both.old_rows[place]] != new[both.new_rows[place]]
    return differ
