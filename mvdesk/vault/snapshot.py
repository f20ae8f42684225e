"""One brain as arrays: what lists, scores and the graph are computed from.

A snapshot is read whole once, from the companion when nothing was written since it was kept
there, and then brought up to date by what each write changed.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import repeat
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from mvdesk.arrays import NO_TIME
from mvdesk.errors import VaultError
from mvdesk.records import RELATIONS
from mvdesk.scoring.builtin import PUBLISHED_V1
from mvdesk.scoring.inputs import ScoreInputs
from mvdesk.scoring.signals import measure_sources, normalise_source_key
from mvdesk.store.marks import CHANGELOG, Marks, read_marks, read_table_marks
from mvdesk.store.reading import (
    read_links,
    read_links_by_id,
    read_memories,
    read_memory_columns,
    read_trust,
)
from mvdesk.vault.building import build_links, build_memories, build_sources, count_links
from mvdesk.vault.catching_up import RowsMoved, read_adopted, read_moved
from mvdesk.vault.comparing import compare_snapshots
from mvdesk.vault.lookup import IdIndex
from mvdesk.vault.packing import Tables, pack, unpack
from mvdesk.vault.refreshing import refresh_links, refresh_memories, refresh_sources
from mvdesk.vault.watching import ReadCancelled as ReadCancelled
from mvdesk.vault.watching import ReadWatch

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    import numpy.typing as npt

    from mvdesk.arrays import (
        FloatArray,
        Int32Array,
        IntArray,
        LinkTable,
        MemoryTable,
        SourceTable,
    )
    from mvdesk.records import SourceTrust
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.store.rows import Connection
    from mvdesk.store.upgrade import Schema
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.vault import Vault

_SETTLING_S: Final = 0.03
"""A stamp tells states apart once the file lay still for a tick of the file system's clock."""

_MOST_STALE: Final = 4_000
"""Rows of our own writes that are compared one by one before new marks are worth their time."""

_MOST_NEAR: Final = 64
"""Memories whose links are kept in mind."""

_MARKS: Final = "marks"
_TITLE_RANKS: Final = "ranks.title"
_LINK_COUNTS: Final = "links.counts"
"""Kept although the links tell them: to count three millions takes longer than to read them."""

_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Every memory, link and source of one brain at one moment.

    `link_counts` has a row per memory and the columns total, supports, contradicts,
    supersedes, causes, example_of. `as_of` is the number of the open vault's last own write
    that is in it, `version` the file's `data_version` when it was read whole.
    """

    brain_id: str
    memories: MemoryTable
    links: LinkTable
    sources: SourceTable
    link_counts: Int32Array
    as_of: int = 0
    version: tuple[int, ...] = ()
    marks: Marks | None = None
    title_ranks: list[Int32Array] = field(default_factory=list, repr=False)
    """The places of the titles in alphabetical order, once somebody sorted by them."""
    _index: IdIndex | None = None
    _inputs: dict[str, tuple[ScoreModel, ScoreInputs]] = field(default_factory=dict, repr=False)

    @cached_property
    def _rows(self) -> IdIndex:
        return self._index or IdIndex(self.memories.ids)

    def prepare_lookups(self) -> None:
        """Have every later `row_of` be quick; takes a second for a million memories."""
        self._rows.prepare()

    @cached_property
    def text_sum(self) -> int:
        """One number for the ids and the checksums of all texts, whatever their order."""
        return self._rows.sum_with(self.memories.text_checksum)

    def row_of(self, memory_id: str) -> int | None:
        """The row of a memory, None when it is not in this brain."""
        return self._rows.row_of(memory_id)

    def rows_of(self, memory_ids: Sequence[str]) -> IntArray:
        """The rows of many memories, −1 for those that are not in this brain."""
        return self._rows.rows_of(memory_ids)

    def inputs(self, model: ScoreModel) -> ScoreInputs:
        """What the scores of `model` are computed from, trust as stored. Kept for next time."""
        kept = self._inputs.get(model.id)
        if kept is None or kept[0] is not model:
            kept = self._inputs[model.id] = (model, self._make_inputs(model))
        return kept[1]

    def trust_per_row(self, sources: SourceTable | None = None) -> FloatArray:
        """The trust of every memory's source, NaN where none is set.

        `sources` stands in for the stored trusts (a preview); it must be this snapshot's
        table with other trusts.
        """
        sources = sources or self.sources
        per_text = _with_none(sources.trust, np.nan)[sources.text_keys]
        trust: FloatArray = _with_none(per_text, np.nan)[self.memories.source_rows]
        return trust

    def key_index(self, key: str) -> int | None:
        """Where a normalised source is in `sources.keys`, None when it is not."""
        place = bisect_left(self.sources.keys, key)
        found = self.sources.keys[place : place + 1]
        return place if found == (key,) else None

    def source_key_of_row(self, row: int) -> str | None:
        """The normalised source of a memory, None without one."""
        text = int(self.memories.source_rows[row])
        index = -1 if text < 0 else int(self.sources.text_keys[text])
        return None if index < 0 else self.sources.keys[index]

    def rows_of_source(self, key: str) -> IntArray:
        """The memories whose source is `key` (normalised), archived ones too."""
        index = self.key_index(key)
        if index is None:
            return np.empty(0, dtype=np.intp)
        rows, starts = self._rows_by_source
        return rows[starts[index] : starts[index + 1]].astype(np.intp)

    @cached_property
    def _rows_by_source(self) -> tuple[Int32Array, IntArray]:
        """The rows sorted by their sources, and where each source begins, the end as last."""
        keys = _with_none(self.sources.text_keys, -1)[self.memories.source_rows]
        rows = np.argsort(keys, kind="stable").astype(np.int32)
        starts = np.searchsorted(keys[rows], np.arange(len(self.sources.keys) + 1))
        return rows, starts

    def with_memories(self, memories: MemoryTable) -> Snapshot:
        """As it would be with other values of the same memories, as when trying something."""
        return replace(self, memories=memories, title_ranks=[], _inputs={})

    @cached_property
    def active_count(self) -> int:
        """How many memories aren't archived."""
        return int(np.count_nonzero(self.memories.archived_at == NO_TIME))

    @cached_property
    def active_per_source(self) -> IntArray:
        """How many active memories each of `sources.keys` has."""
        keys = _with_none(self.sources.text_keys, -1)[self.memories.source_rows]
        keys = keys[(keys >= 0) & (self.memories.archived_at == NO_TIME)]
        counts: IntArray = np.bincount(keys, minlength=len(self.sources.keys))
        return counts

    def active_beside(self, row: int) -> int | None:
        """How many active memories have the source of one, itself counted in any case."""
        key = self.source_key_of_row(row)
        place = None if key is None else self.key_index(key)
        if place is None:
            return None
        is_archived = bool(self.memories.archived_at[row] != NO_TIME)
        return int(self.active_per_source[place]) + is_archived

    @cached_property
    def _near(self) -> dict[int, IntArray]:
        return {}

    def links_of_row(self, row: int) -> IntArray:
        """The rows of the link table that touch a memory."""
        kept = self._near.get(row)
        if kept is None:
            # A pass over all ends takes 0.2 ms for 300,000 links; an index would have to be
            # built, and takes as much room as the ends. Several panels ask about one memory.
            kept = np.flatnonzero((self.links.from_rows == row) | (self.links.to_rows == row))
            if len(self._near) >= _MOST_NEAR:
                self._near.clear()
            self._near[row] = kept
        return kept

    def _make_inputs(self, model: ScoreModel) -> ScoreInputs:
        table = self.memories
        if model.keywords.of_text != PUBLISHED_V1.keywords.of_text:
            raise ValueError(f"the words of {model.id} were not counted in this snapshot")
        signals = measure_sources(list(self.sources.texts), model)
        rows = table.source_rows
        return ScoreInputs(
            base_confidence=table.base_confidence,
            base_importance=table.base_importance,
            type_codes=table.type_codes,
            type_names=table.type_names,
            certainty_hits=table.certainty_hits,
            hedge_hits=table.hedge_hits,
            importance_hits=table.importance_hits,
            content_length=table.content_length,
            source_named=_with_none(signals.named, False)[rows],
            source_high=_with_none(signals.high, False)[rows],
            source_low=_with_none(signals.low, False)[rows],
            trust=self.trust_per_row(),
            link_counts=self.link_counts,
            created_at=table.created_at,
            updated_at=table.updated_at,
            access_count=table.access_count,
            last_accessed_at=table.last_accessed_at,
        )


def read_snapshot(
    vault: Vault,
    *,
    progress: Callable[[str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Snapshot:
    """The open brain as it is now.

    Comes from the companion when the file has not been written since it was kept there, else
    from the rows, and is then kept. `progress` gets sentences for the person. `cancelled` is
    asked now and then; ReadCancelled is raised when it says yes.
    """
    version, as_of = vault.file.data_version(), vault.write_count
    kept = _read_kept(vault)
    if kept is not None:
        tables, counts, marks, ranks = kept
    else:
        watch = ReadWatch(progress, cancelled, vault.brain.memory_count)
        (tables, marks), ranks = _read_rows(vault, watch), []
        counts = count_links(tables[1], len(tables[0]))
    vault.note_read(version)
    vault.before_closing = None
    snapshot = Snapshot(vault.brain.id, *tables, counts, as_of, version, marks, ranks)
    if kept is None:
        _keep(vault, snapshot)
    return snapshot


def refresh_snapshot(vault: Vault, old: Snapshot, changes: ChangeSet) -> Snapshot:
    """The snapshot after `changes`, of which only what they name is read again.

    Equal to one that is read whole. It catches up when another program wrote since. Closing
    the vault keeps the newest one in the companion.
    """
    if changes.everything or vault.file.data_version() != old.version:
        return catch_up(vault, old)[0]
    if changes.is_empty:
        return old
    brain_id, ids = old.brain_id, sorted(changes.memory_ids - changes.end_ids)
    with vault.file.read() as conn:
        schema = vault.file.schema
        records = list(read_memories(conn, schema, brain_id, ids))
        links = read_links_by_id(conn, schema, brain_id, sorted(changes.link_ids))
        fresh = list({link.id: link for link in links}.values())
        adopted = read_adopted(conn, schema, old, records, changes.link_ids)
        trust = read_trust(conn, schema, brain_id)
        marks = _marks_after(conn, schema, old, changes)
    if old.marks is not None and vault.file.data_version() != old.version:
        # What was read just now may hold another program's write, which is still to be told.
        marks = old.marks.with_stale(changes.memory_ids, changes.link_ids)
    found = old.rows_of([memory_id for memory_id in ids if memory_id not in changes.made_ids])
    gone = {row for row in found.tolist() if row >= 0}
    link_ids = changes.link_ids | {link.id for link in adopted}
    moved = RowsMoved(records, gone, set(link_ids), fresh + adopted)
    as_of = max(old.as_of, changes.write_number)
    if changes.write_number > old.as_of + 1:
        as_of = old.as_of  # a write in between is still missing
    return _refreshed(vault, old, moved, trust, marks, changes.made_ids, as_of, old.version) or (
        read_snapshot(vault)
    )


def catch_up(vault: Vault, old: Snapshot) -> tuple[Snapshot, ChangeSet]:
    """The brain as it is now, whoever wrote, and exactly what moved since `old`.

    Rows are read only where they may have moved. Equal to a snapshot that is read whole.
    """
    version, as_of = vault.file.data_version(), vault.write_count
    new: Snapshot | None = None
    with vault.file.read() as conn:
        schema = vault.file.schema
        marks = read_marks(conn, schema, old.brain_id) if old.marks else None
        moved = read_moved(conn, schema, old, marks) if marks else None
        trust = read_trust(conn, schema, old.brain_id) if moved else []
    if moved is not None:
        made = {link.id for link in moved.links} | {memory.id for memory in moved.memories}
        new = _refreshed(vault, old, moved, trust, marks, made, as_of, version)
    if new is None:
        new = read_snapshot(vault)
    else:
        vault.note_read(version)
    return new, compare_snapshots(old, new, _tables_moved(old.marks, new.marks))


def _refreshed(
    vault: Vault,
    old: Snapshot,
    moved: RowsMoved,
    trust: Sequence[SourceTrust],
    marks: Marks | None,
    made_ids: Collection[str],
    as_of: int,
    version: tuple[int, ...],
) -> Snapshot | None:
    """`old` with what moved; None when that can't be told without reading it whole."""
    refreshed = refresh_memories(old.memories, old.sources.texts, moved.gone_rows, moved.memories)
    if refreshed is None:
        return None
    memories, texts, splice = refreshed
    index = old._rows
    if memories.ids is not old.memories.ids:
        appends = splice.only_appends(len(old.memories))
        index = index.extended(memories.ids) if appends else IdIndex(memories.ids)
    links, counts = refresh_links(
        old.links,
        old.link_counts,
        moved.link_ids,
        moved.links,
        index.rows_of,
        splice,
        len(memories),
        made_ids,
    )
    sources = refresh_sources(old.sources, texts, memories, old.memories, trust)
    ranks = old.title_ranks if memories.labels is old.memories.labels else []
    snapshot = Snapshot(
        old.brain_id, memories, links, sources, counts, as_of, version, marks, ranks, index
    )
    vault.before_closing = partial(_keep_settled, vault, snapshot)
    return snapshot


def _marks_after(
    conn: Connection, schema: Schema, old: Snapshot, changes: ChangeSet
) -> Marks | None:
    """The marks for a snapshot that is refreshed by a write of ours."""
    if old.marks is None:
        return None
    marks = old.marks.with_stale(changes.memory_ids, changes.link_ids)
    if len(marks.stale_memories) + len(marks.stale_links) > _MOST_STALE:
        return read_marks(conn, schema, old.brain_id)
    tables = read_table_marks(conn, schema, old.brain_id, {*changes.tables, CHANGELOG})
    return replace(marks, tables={**marks.tables, **tables})


def _tables_moved(old: Marks | None, new: Marks | None) -> set[str]:
    """The small tables that moved: all that could have, where marks are missing."""
    before, after = (marks.tables if marks else {} for marks in (old, new))
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def keep_snapshot(vault: Vault, snapshot: Snapshot) -> bool:
    """Keep a refreshed snapshot for the next start; whether it was still the newest state.

    Copies every column: for idle moments and before closing, not after each save.
    """
    with vault.no_own_writes():
        if snapshot.brain_id != vault.brain.id:
            return False
        with suppress(VaultError):  # unsettled, it is kept until closing only
            vault.file.settle()
        is_kept = _keep(vault, snapshot)
        if is_kept:
            vault.before_closing = None
        return is_kept


def keep_title_ranks(vault: Vault, snapshot: Snapshot) -> bool:
    """Keep the order of titles beside the columns of this state, if those are kept."""
    stamp = vault.file.stamp()
    if stamp.unsettled or not snapshot.title_ranks or not _is_newest(vault, snapshot):
        return False
    blob = snapshot.title_ranks[0].tobytes()
    return vault.companion.add_column(vault.brain.id, stamp, _TITLE_RANKS, blob)


def _is_newest(vault: Vault, snapshot: Snapshot) -> bool:
    is_whole = vault.file.data_version() == snapshot.version
    return is_whole and snapshot.as_of == vault.write_count


def _keep_settled(vault: Vault, snapshot: Snapshot) -> bool:
    if keep_snapshot(vault, snapshot):
        return True
    time.sleep(_SETTLING_S)
    return keep_snapshot(vault, snapshot)


def _read_kept(
    vault: Vault,
) -> tuple[Tables, Int32Array, Marks | None, list[Int32Array]] | None:
    blobs = vault.companion.read_columns(vault.brain.id, vault.file.stamp())
    if blobs is None:
        return None
    try:
        tables = unpack(blobs)
        counts = np.frombuffer(blobs.get(_LINK_COUNTS, b""), dtype=np.int32)
        counts = counts.reshape(len(tables[0]), len(RELATIONS))
        ranks = _read_ranks(blobs.get(_TITLE_RANKS, b""), len(tables[0]))
        return tables, counts, Marks.from_blob(blobs.get(_MARKS, b"")), ranks
    except ValueError:  # of another version: made anew
        return None


def _read_ranks(blob: bytes, count: int) -> list[Int32Array]:
    """Nothing where they don't fit, as of another version."""
    if len(blob) != 4 * count or not count:
        return []
    return [np.frombuffer(blob, dtype=np.int32)]


def _keep(vault: Vault, snapshot: Snapshot) -> bool:
    stamp = vault.file.stamp()
    if stamp.unsettled:
        return False
    # In this order: a write between the two makes the comparison fail.
    if not _is_newest(vault, snapshot):
        return False
    blobs = pack((snapshot.memories, snapshot.links, snapshot.sources))
    blobs[_LINK_COUNTS] = snapshot.link_counts.tobytes()
    blobs[_MARKS] = Marks.to_blob(snapshot.marks)
    if snapshot.title_ranks:
        blobs[_TITLE_RANKS] = snapshot.title_ranks[0].tobytes()
    return vault.companion.write_columns(vault.brain.id, stamp, blobs)


def _read_rows(vault: Vault, watch: ReadWatch) -> tuple[Tables, Marks | None]:
    with vault.file.read() as conn:
        schema, brain_id = vault.file.schema, vault.brain.id
        memories, texts = build_memories(
            watch.memories(read_memory_columns(conn, schema, brain_id))
        )
        # For these few seconds only: the snapshot itself keeps no object per memory.
        rows = {memory_id or "": row for row, memory_id in enumerate(memories.ids)}
        links = build_links(
            watch.links(read_links(conn, schema, brain_id)),
            lambda ids: list(map(rows.get, ids, repeat(-1))),
        )
        trust = read_trust(conn, schema, brain_id)
        marks = read_marks(conn, schema, brain_id)
    keys = [normalise_source_key(text) for text in texts]
    return (memories, links, build_sources(texts, keys, memories.source_rows, trust)), marks


def _with_none(values: npt.NDArray[_Scalar], none: object) -> npt.NDArray[_Scalar]:
    """The array with one entry more, which the row −1 ("no source") reads."""
    return np.append(values, np.array([none], dtype=values.dtype))
