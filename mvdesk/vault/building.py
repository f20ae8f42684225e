"""The arrays of a snapshot, made from rows.

Types, source texts and source keys are sorted, so equal vaults give equal arrays, whether
they were read at once or brought up to date step by step.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mvdesk.arrays import NO_TIME, LinkTable, MemoryTable, SourceTable, StringColumn
from mvdesk.records import MEMORY_TYPES, RELATIONS, label_for
from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.signals import measure_texts, text_of
from mvdesk.store.reading import LinkColumns, MemoryColumns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mvdesk.arrays import FloatArray, Int32Array, Int64Array
    from mvdesk.records import Link, Memory, SourceTrust

_Table = TypeVar("_Table", MemoryTable, LinkTable)

MAX_TYPES: Final = 120
"""Distinct types that are told apart; those that a strange file has beyond them are "other"."""

_RELATION_CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(RELATIONS)}


def build_memories(chunks: Iterable[MemoryColumns]) -> tuple[MemoryTable, StringColumn]:
    """The memory table, and the sorted source texts that its `source_rows` index.

    A chunk's contents are measured and let go before the next one is asked for.
    """
    parts = [MemoryTable.empty()]
    type_codes = [np.empty(0, dtype=np.int32)]
    sources: dict[str, int] = {}
    types: dict[str, int] = {}
    for chunk in chunks:
        type_codes.append(_codes([name.lower() for name in chunk.types], types))
        parts.append(_build_part(chunk, _codes(chunk.sources, sources)))
    table = join_tables(parts)
    names, codes = canonical_types(list(types), np.concatenate(type_codes))
    texts, rows = canonical_texts(list(sources), table.source_rows)
    table = replace(table, type_names=names, type_codes=codes, source_rows=rows)
    return table, StringColumn.of(texts)


def build_links(
    chunks: Iterable[LinkColumns], rows_of: Callable[[Sequence[str]], Sequence[int]]
) -> LinkTable:
    """The link table. `rows_of` gives the rows of memories, −1 for those that aren't there."""
    parts = [LinkTable.empty()]
    for chunk in chunks:
        part = LinkTable(
            ids=StringColumn.of(chunk.ids),
            from_rows=np.array(rows_of(chunk.from_ids), dtype=np.int32),
            to_rows=np.array(rows_of(chunk.to_ids), dtype=np.int32),
            relations=_relation_codes(chunk.relations),
            labels=StringColumn.of(chunk.labels),
            created_at=chunk.created_at,
        )
        parts.append(part)
    return join_tables(parts)


def build_sources(
    texts: StringColumn,
    keys_of_texts: Sequence[str],
    source_rows: Int32Array,
    trust: Iterable[SourceTrust],
) -> SourceTable:
    """The sources that memories name and those with a stored trust.

    `keys_of_texts` are the normalised texts, "" for one of only white space. Trust counts
    for the very key it is stored under, as on the server; of several rows the last one.
    """
    stored = {row.source_key: row for row in trust if row.source_key}
    keys = tuple(sorted({key for key in keys_of_texts if key} | stored.keys()))
    place = {key: index for index, key in enumerate(keys)} | {"": -1}
    text_keys = np.array([place[key] for key in keys_of_texts], dtype=np.int32)
    per_text = np.bincount(source_rows[source_rows >= 0], minlength=len(texts))
    counts = np.zeros(len(keys), dtype=np.int32)
    np.add.at(counts, text_keys[text_keys >= 0], per_text[text_keys >= 0])
    values, notes = trust_of(keys, stored)
    return SourceTable(texts, text_keys, keys, values, notes, counts)


def trust_of(
    keys: Sequence[str], stored: Mapping[str, SourceTrust]
) -> tuple[FloatArray, tuple[str | None, ...]]:
    """Trust in [0, 1] and note of each source key, NaN and None where none is stored."""
    rows = [stored.get(key) for key in keys]
    values = [np.nan if row is None else min(max(row.trust, 0.0), 1.0) for row in rows]
    notes = tuple(row.notes if row else None for row in rows)
    return np.array(values, dtype=np.float64), notes


def count_links(links: LinkTable, memory_count: int) -> Int32Array:
    """Links touching each memory: total, then by relation, without "related".

    A link counts at both ends whatever its direction, so one from a memory to itself counts
    twice; an end that isn't there counts nowhere.
    """
    width = len(RELATIONS)
    counts = np.zeros((memory_count, width), dtype=np.int32)
    for ends in (links.from_rows, links.to_rows):
        # A relation we don't know (−1) counts as a link and nothing more, like "related" (0).
        cells = ends.astype(np.intp) * width + np.maximum(links.relations, 0)
        if ends.min(initial=0) < 0:
            cells = cells[ends >= 0]
        counts += np.bincount(cells, minlength=memory_count * width).reshape(-1, width)
    counts[:, 0] = counts.sum(axis=1)
    return counts


def relation_code(name: str) -> int:
    """The place of a relation in `RELATIONS`, −1 for one we don't know."""
    return _RELATION_CODES.get(name, -1)


def canonical_types(
    names: Sequence[str], codes: npt.NDArray[np.integer]
) -> tuple[tuple[str, ...], npt.NDArray[np.int8]]:
    """Types in use, MemoryVault's own first, then sorted; and the codes that index them."""
    used = np.bincount(codes, minlength=len(names)) > 0
    present = {name for name, is_used in zip(names, used.tolist(), strict=True) if is_used}
    known = [name for name in MEMORY_TYPES if name in present]
    others = sorted(present - set(MEMORY_TYPES))
    order = [*known, *others[:MAX_TYPES]]
    if len(others) > MAX_TYPES:
        order.append("other types")
    place = {name: code for code, name in enumerate(order)}
    moved = np.array([place.get(name, len(order) - 1) for name in names], dtype=np.int8)
    return tuple(order), moved[codes]


def canonical_texts(texts: Sequence[str], rows: Int32Array) -> tuple[list[str], Int32Array]:
    """Texts in use, sorted, and the rows that index them (−1 stays)."""
    used = np.bincount(rows[rows >= 0], minlength=len(texts)) > 0
    order = sorted(np.flatnonzero(used).tolist(), key=lambda n: texts[n])
    moved = np.full(len(texts) + 1, -1, dtype=np.int32)
    moved[order] = np.arange(len(order), dtype=np.int32)
    return [texts[n] for n in order], moved[rows]


def join_tables(parts: Sequence[_Table]) -> _Table:
    """One table of the rows of several; the first one's `type_names`."""
    columns: dict[str, Any] = {}
    for field in fields(parts[0]):
        values = [getattr(part, field.name) for part in parts]
        if isinstance(values[0], StringColumn):
            columns[field.name] = StringColumn.joined(values)
        elif not isinstance(values[0], tuple):
            columns[field.name] = np.concatenate(values)
    return replace(parts[0], **columns)


def checksum_of(*texts: str | None) -> int:
    """A number that tells the texts apart from others, missing ones from empty ones."""
    joined = "\0".join(["\1" if text is None else text for text in texts])
    return crc32(joined.encode("utf-8", "surrogatepass"))


def columns_of_memories(memories: Sequence[Memory]) -> MemoryColumns:
    """Records as columns."""

    def times(name: str) -> Int64Array:
        values = (getattr(memory, name) for memory in memories)
        return np.array([NO_TIME if v is None else v for v in values], dtype=np.int64)

    return MemoryColumns(
        ids=tuple(m.id for m in memories),
        types=tuple(m.type for m in memories),
        titles=tuple(m.title for m in memories),
        keys=tuple(m.key for m in memories),
        contents=tuple(m.content for m in memories),
        tags=tuple(m.tags for m in memories),
        sources=tuple(m.source for m in memories),
        confidence=np.array([m.confidence for m in memories], dtype=np.float64),
        importance=np.array([m.importance for m in memories], dtype=np.float64),
        archived_at=times("archived_at"),
        access_count=times("access_count"),
        last_accessed_at=times("last_accessed_at"),
        last_decayed_at=times("last_decayed_at"),
        created_at=times("created_at"),
        updated_at=times("updated_at"),
    )


def columns_of_links(links: Sequence[Link]) -> LinkColumns:
    """Records as columns."""
    return LinkColumns(
        ids=tuple(link.id for link in links),
        from_ids=tuple(link.from_id for link in links),
        to_ids=tuple(link.to_id for link in links),
        relations=tuple(link.relation_type for link in links),
        labels=tuple(link.label for link in links),
        created_at=np.array([link.created_at for link in links], dtype=np.int64),
    )


def _build_part(chunk: MemoryColumns, source_rows: Int32Array) -> MemoryTable:
    texts = (
        text_of(*row)
        for row in zip(chunk.titles, chunk.keys, chunk.contents, chunk.tags, strict=True)
    )
    labelled = zip(chunk.titles, chunk.keys, chunk.contents, strict=True)
    signals = measure_texts(texts, PUBLISHED_V1.keywords)
    return MemoryTable(
        ids=StringColumn.of(chunk.ids),
        labels=StringColumn.of(label_for(*row) for row in labelled),
        keys=StringColumn.of(chunk.keys),
        tags=StringColumn.of(chunk.tags),
        type_names=(),
        type_codes=np.zeros(len(chunk), dtype=np.int8),
        source_rows=source_rows,
        base_confidence=chunk.confidence,
        base_importance=chunk.importance,
        created_at=chunk.created_at,
        updated_at=chunk.updated_at,
        archived_at=chunk.archived_at,
        access_count=chunk.access_count,
        last_accessed_at=chunk.last_accessed_at,
        last_decayed_at=chunk.last_decayed_at,
        certainty_hits=signals.certainty_hits,
        hedge_hits=signals.hedge_hits,
        importance_hits=signals.importance_hits,
        content_length=signals.content_length,
        text_checksum=_checksums(chunk),
    )


def _checksums(chunk: MemoryColumns) -> Int64Array:
    texts = zip(
        chunk.types,
        chunk.titles,
        chunk.keys,
        chunk.contents,
        chunk.tags,
        chunk.sources,
        strict=True,
    )
    return np.array([checksum_of(*row) for row in texts], dtype=np.int64)


def _codes(values: Iterable[str | None], seen: dict[str, int]) -> Int32Array:
    """A number per distinct value, handed out in order of appearance; −1 for None."""
    codes = [-1 if v is None else seen.setdefault(v, len(seen)) for v in values]
    return np.array(codes, dtype=np.int32)


def _relation_codes(names: Iterable[str]) -> npt.NDArray[np.int8]:
    return np.array([relation_code(name) for name in names], dtype=np.int8)
