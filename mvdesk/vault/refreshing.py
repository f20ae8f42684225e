"""A snapshot's tables brought up to date by what changed, without reading the rest."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from mvdesk.arrays import LinkTable, MemoryTable, SourceTable, StringColumn, spliced
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.building import (
    MAX_TYPES,
    build_links,
    build_memories,
    build_sources,
    canonical_texts,
    canonical_types,
    columns_of_links,
    columns_of_memories,
    trust_of,
)
from mvdesk.vault.lookup import IdIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from mvdesk.arrays import Int8Array, Int32Array, Int64Array, IntArray
    from mvdesk.records import Link, Memory, SourceTrust

_Table = TypeVar("_Table", MemoryTable, LinkTable)
_BytesArray = npt.NDArray[np.bytes_]

_FEW_KEYS: Final = 64
"""So many rows are looked for one by one; for more the ids are made an array."""


@dataclass(frozen=True, slots=True)
class Splice:
    """Rows taken out of a table and rows put in, in the table's order (created_at, id).

    `removed` and `places` are ascending rows of the old table; a new row goes before the old
    row at its place. `replaced` are the removed rows that come back with other values.
    """

    removed: list[int]
    places: list[int]
    replaced: list[int]

    @property
    def keeps_rows(self) -> bool:
        """Every row stays where it is; some have other values."""
        return self.removed == self.replaced and len(self.places) == len(self.replaced)

    def only_appends(self, count: int) -> bool:
        """Rows are put in after all of `count` old ones, which stay."""
        return not self.removed and all(place == count for place in self.places)

    def moved(self, count: int) -> IntArray:
        """The new row of each of `count` old ones, −1 for those taken out."""
        old = np.arange(count)
        before = np.searchsorted(self.removed, old)
        rows: IntArray = old - before + np.searchsorted(self.places, old, side="right")
        # A replaced row is itself the last of those put in at its place.
        back = rows[self.replaced] - 1
        rows[self.removed] = -1
        rows[self.replaced] = back
        return rows


def refresh_memories(
    table: MemoryTable, texts: StringColumn, gone_rows: Collection[int], memories: Sequence[Memory]
) -> tuple[MemoryTable, StringColumn, Splice] | None:
    """The table without `gone_rows` and with `memories`, and the source texts it then indexes.

    `gone_rows` are those of `memories`, and of memories that were deleted. None when the
    table can't tell: it has so many types that some were put together, or a memory's place
    in the order moved.
    """
    if not gone_rows and not memories:
        return table, texts, Splice([], [], [])
    memories = sorted(memories, key=lambda memory: (memory.created_at, _bytes(memory.id)))
    fresh, fresh_texts = build_memories([columns_of_memories(memories)] if memories else [])
    if len(table.type_names) + len(fresh.type_names) > MAX_TYPES:
        return None
    splice = _find_splice(table, gone_rows, [(m.created_at, m.id) for m in memories])
    ids = {memory.id for memory in memories}
    if len(splice.replaced) != sum(table.ids[row] in ids for row in gone_rows):
        return None
    names = (*table.type_names, *(n for n in fresh.type_names if n not in table.type_names))
    type_codes = np.array([names.index(name) for name in fresh.type_names], dtype=np.int8)
    of_fresh, new_texts = _numbered(texts, [text or "" for text in fresh_texts])
    fresh = replace(
        fresh,
        type_codes=type_codes[fresh.type_codes],
        source_rows=np.append(of_fresh, np.int32(-1))[fresh.source_rows],
    )
    merged = _spliced_table(table, fresh, splice)
    source_rows, codes = merged.source_rows, merged.type_codes
    if new_texts or splice.removed:  # else every text is still in use, and there is no other
        texts, source_rows = _texts_in_use(texts, new_texts, source_rows, table.source_rows)
    if splice.removed or len(names) > len(table.type_names):
        names, codes = _types_in_use(names, codes, table)
    merged = replace(merged, type_names=names, type_codes=codes, source_rows=source_rows)
    return merged, texts, splice


def refresh_links(
    links: LinkTable,
    counts: Int32Array,
    changed_ids: Collection[str],
    fresh: Sequence[Link],
    rows_of: Callable[[Sequence[str]], IntArray],
    splice: Splice,
    memory_count: int,
    made_ids: Collection[str] = (),
) -> tuple[LinkTable, Int32Array]:
    """The link table with the links `changed_ids` as in `fresh` (gone where not in it).

    `counts` are the link counts of the memories, to which `splice` happened; there are
    `memory_count` of them now. `made_ids` are links known not to be in the table yet.
    """
    if splice.only_appends(len(counts)):
        more = np.zeros((len(splice.places), counts.shape[1]), dtype=np.int32)
        counts = np.concatenate((counts, more))
    elif not splice.keeps_rows:
        moved = splice.moved(len(counts))
        old_counts, counts = counts, np.zeros((memory_count, counts.shape[1]), dtype=np.int32)
        counts[moved[moved >= 0]] = old_counts[moved >= 0]
        rows = np.append(moved, -1).astype(np.int32)
        links = replace(links, from_rows=rows[links.from_rows], to_rows=rows[links.to_rows])
    if not changed_ids:
        return links, counts
    kept = [link for link in fresh if link.id in changed_ids]
    kept.sort(key=lambda link: (link.created_at, _bytes(link.id)))
    gone = _rows_of_links(links, changed_ids, kept, made_ids)
    table = build_links([columns_of_links(kept)] if kept else [], lambda ids: rows_of(ids).tolist())
    counts = counts.copy()
    _count(counts, links, gone, -1)
    _count(counts, table, range(len(table)), 1)
    found = _find_splice(links, gone, [(link.created_at, link.id) for link in kept])
    return _spliced_table(links, table, found), counts


def refresh_sources(
    old: SourceTable,
    texts: StringColumn,
    memories: MemoryTable,
    old_memories: MemoryTable,
    trust: Sequence[SourceTrust],
) -> SourceTable:
    """The sources of `memories` under the stored trust; `texts` are those its rows index."""
    if texts is not old.texts:
        keys = [normalise_source_key(text) for text in texts]
        return build_sources(texts, keys, memories.source_rows, trust)
    keys = [old.keys[key] if key >= 0 else "" for key in old.text_keys.tolist()]
    stored = {row.source_key: row for row in trust if row.source_key}
    same_keys = {*keys, *stored} - {""} == set(old.keys)
    if same_keys and memories.source_rows is old_memories.source_rows:
        values, notes = trust_of(old.keys, stored)
        return replace(old, trust=values, notes=notes)
    return build_sources(texts, keys, memories.source_rows, trust)


def _count(counts: Int32Array, links: LinkTable, rows: Sequence[int], step: int) -> None:
    """Count some links in (+1) or out (−1), as `count_links` does."""
    places = np.asarray(rows, dtype=np.intp)
    relations = links.relations[places]
    for ends in (links.from_rows[places], links.to_rows[places]):
        np.add.at(counts[:, 0], ends[ends >= 0], step)
        for relation in range(1, counts.shape[1]):
            np.add.at(counts[:, relation], ends[(ends >= 0) & (relations == relation)], step)


def find_rows(table: MemoryTable | LinkTable, keys: Sequence[tuple[int, str]]) -> list[int]:
    """The row of each memory or link, given as (created_at, id); −1 for one not there."""
    return [place if is_there else -1 for place, is_there in find_places(table, keys)]


def find_places(
    table: MemoryTable | LinkTable, keys: Sequence[tuple[int, str]]
) -> list[tuple[int, bool]]:
    """Where (created_at, id) are in the order of a table, or belong; and whether they are there."""
    if len(keys) > _FEW_KEYS and (ids := _as_array(table.ids, keys)) is not None:
        return _find_many(table.created_at, ids, keys)
    return [_find_place(table, created_at, row_id) for created_at, row_id in keys]


def _as_array(column: StringColumn, keys: Sequence[tuple[int, str]]) -> _BytesArray | None:
    """Ids of one length, as most are, for searching in bulk; None for others."""
    even = column.even
    # numpy takes zeros at the end for padding.
    if even is None or b"\0" in column.block[0] or any("\0" in row_id for _, row_id in keys):
        return None
    return even


def _find_many(
    created: Int64Array, ids: _BytesArray, keys: Sequence[tuple[int, str]]
) -> list[tuple[int, bool]]:
    times = np.array([created_at for created_at, _ in keys], dtype=np.int64)
    wanted = np.array([_bytes(row_id) for _, row_id in keys])
    places, is_there = np.zeros(len(keys), dtype=np.intp), np.zeros(len(keys), dtype=np.bool_)
    lows, highs = (np.searchsorted(created, times, side=side) for side in ("left", "right"))
    order = np.argsort(times, kind="stable")
    starts = np.flatnonzero(np.diff(times[order], prepend=times[order[0]] - 1))
    for mine in np.split(order, starts[1:]):
        low, high = int(lows[mine[0]]), int(highs[mine[0]])
        alike = ids[low:high]
        found = np.searchsorted(alike, wanted[mine])
        places[mine] = low + found
        inside = found < len(alike)
        is_there[mine[inside]] = alike[found[inside]] == wanted[mine[inside]]
    return list(zip(places.tolist(), is_there.tolist(), strict=True))


def _rows_of_links(
    links: LinkTable,
    changed_ids: Collection[str],
    kept: Sequence[Link],
    made_ids: Collection[str],
) -> list[int]:
    rows = find_rows(links, [(link.created_at, link.id) for link in kept])
    seen = {link.id for link, row in zip(kept, rows, strict=True) if row >= 0}
    # To look for an id takes a pass over all of them.
    unseen = list(set(changed_ids) - seen - set(made_ids))
    found = IdIndex(links.ids).rows_of(unseen).tolist()
    return sorted({row for row in (*rows, *found) if row >= 0})


def _find_place(table: MemoryTable | LinkTable, created_at: int, row_id: str) -> tuple[int, bool]:
    """Where a row is in the order (created_at, id), or belongs; and whether it is there."""
    created: Int64Array = table.created_at
    low = int(np.searchsorted(created, created_at))
    high = int(np.searchsorted(created, created_at, side="right"))
    # SQLite orders texts by their bytes.
    place = bisect_left(
        range(high), _bytes(row_id), low, high, key=lambda row: _bytes(table.ids.text(row))
    )
    return place, place < high and table.ids[place] == row_id


def _find_splice(
    table: MemoryTable | LinkTable, gone: Collection[int], keys: Sequence[tuple[int, str]]
) -> Splice:
    found = find_places(table, keys)
    places, replaced = [place for place, _ in found], [place for place, there in found if there]
    return Splice(sorted(gone), places, replaced)


def _spliced_table(table: _Table, fresh: _Table, splice: Splice) -> _Table:
    columns: dict[str, Any] = {}
    for field in fields(table):
        old, new = getattr(table, field.name), getattr(fresh, field.name)
        if isinstance(old, StringColumn):
            columns[field.name] = _spliced_texts(old, list(new), splice)
        elif isinstance(old, np.ndarray):
            columns[field.name] = _spliced_array(old, new, splice)
    return replace(table, **columns)


def _spliced_texts(old: StringColumn, new: list[str | None], splice: Splice) -> StringColumn:
    if splice.keeps_rows:
        if [old[row] for row in splice.replaced] == new:
            return old  # most edits leave most columns as they are: nothing is copied
        return old.replaced(splice.replaced, new)
    return old.spliced(splice.removed, splice.places, new)


def _spliced_array(old: Any, new: Any, splice: Splice) -> Any:  # noqa: ANN401  arrays of any kind
    if splice.keeps_rows:
        if old[splice.replaced].tobytes() == new.tobytes():
            return old
        changed = old.copy()
        changed[splice.replaced] = new
        return changed
    return spliced(old, splice.removed, splice.places, new)


def _numbered(texts: StringColumn, wanted: Sequence[str]) -> tuple[Int32Array, list[str]]:
    """The row of each wanted text in the sorted `texts`; unknown ones are numbered past them."""
    rows: list[int] = []
    unknown: list[str] = []
    for text in wanted:
        place = bisect_left(range(len(texts)), text, key=texts.text)
        if place == len(texts) or texts[place] != text:
            place = len(texts) + len(unknown)
            unknown.append(text)
        rows.append(place)
    return np.array(rows, dtype=np.int32), unknown


def _texts_in_use(
    texts: StringColumn, new_texts: list[str], rows: Int32Array, old_rows: Int32Array
) -> tuple[StringColumn, Int32Array]:
    if rows is old_rows:
        return texts, rows
    if not new_texts and np.bincount(rows[rows >= 0], minlength=len(texts)).all():
        return texts, rows
    kept, rows = canonical_texts([*(text or "" for text in texts), *new_texts], rows)
    return StringColumn.of(kept), rows


def _types_in_use(
    names: tuple[str, ...], codes: Int8Array, old: MemoryTable
) -> tuple[tuple[str, ...], Int8Array]:
    if codes is old.type_codes:
        return old.type_names, codes
    return canonical_types(names, codes)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
