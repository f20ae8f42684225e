"""What another program changed, found and read without reading the rest of the vault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mvdesk.store.marks import (
    count_rows,
    find_moved,
    read_ids,
    read_links_of_blocks,
    read_memories_of_blocks,
)
from mvdesk.store.reading import read_links_by_id, read_links_of, read_memories
from mvdesk.vault.building import build_memories, columns_of_memories, relation_code
from mvdesk.vault.plan import LINKS, MEMORIES
from mvdesk.vault.refreshing import find_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mvdesk.records import Link, Memory
    from mvdesk.store.marks import Marks
    from mvdesk.store.rows import Connection
    from mvdesk.store.upgrade import Schema
    from mvdesk.vault.snapshot import Snapshot

_COMPARED: Final = (
    "text_checksum",
    "base_confidence",
    "base_importance",
    "created_at",
    "updated_at",
    "archived_at",
    "access_count",
    "last_accessed_at",
    "last_decayed_at",
)
"""The columns that tell one state of a memory from another."""


@dataclass(frozen=True, slots=True)
class RowsMoved:
    """What is not in the vault as a snapshot has it.

    `memories` are new ones and those with other values, `gone_rows` the rows of the snapshot
    that hold those or memories that were deleted. `link_ids` name links that were made,
    changed or deleted; `links` are those of them that are there.
    """

    memories: list[Memory]
    gone_rows: set[int]
    link_ids: set[str]
    links: list[Link]


def read_moved(conn: Connection, schema: Schema, old: Snapshot, new: Marks) -> RowsMoved | None:
    """The rows that differ from `old`, which has marks; `new` are those of this transaction.

    None when the marks don't explain what is there.
    """
    memories, gone_rows = _read_memories(conn, schema, old, new)
    links, link_ids = _read_links(conn, schema, old, new)
    if gone_rows is None or link_ids is None:
        return None
    adopted = read_adopted(conn, schema, old, memories, link_ids)
    link_ids.update(link.id for link in adopted)
    return RowsMoved(memories, gone_rows, link_ids, links + adopted)


def read_adopted(
    conn: Connection,
    schema: Schema,
    old: Snapshot,
    memories: Sequence[Memory],
    known_ids: Collection[str],
) -> list[Link]:
    """Links that lacked an end in the snapshot and may have found it among `memories`.

    Those of `known_ids` are left out.
    """
    if min(old.links.from_rows.min(initial=0), old.links.to_rows.min(initial=0)) >= 0:
        return []
    ids = [memory.id for memory in memories]
    added = [one for one, row in zip(ids, old.rows_of(ids).tolist(), strict=True) if row < 0]
    links = read_links_of(conn, schema, old.brain_id, added)
    return [link for link in links if link.id not in known_ids]


def _read_memories(
    conn: Connection, schema: Schema, old: Snapshot, new: Marks
) -> tuple[list[Memory], set[int] | None]:
    assert old.marks is not None
    found = {
        memory.id: memory
        for memory in read_memories_of_blocks(
            conn, schema, old.brain_id, find_moved(old.marks.memories, new.memories)
        )
    }
    stale = sorted(old.marks.stale_memories - found.keys())
    found |= {memory.id: memory for memory in read_memories(conn, schema, old.brain_id, stale)}
    rows = dict(zip(found, old.rows_of(list(found)).tolist(), strict=True))
    there = [memory for memory in found.values() if rows[memory.id] >= 0]
    moved = _moved(old, there, [rows[memory.id] for memory in there])
    added = [memory for memory in found.values() if rows[memory.id] < 0]
    gone_rows = {rows[memory.id] for memory in moved}
    missing = len(old.memories) + len(added) - count_rows(new.memories)
    if missing:
        ids = read_ids(conn, schema, old.brain_id, MEMORIES)
        here = set(old.rows_of(ids).tolist())
        deleted = set(range(len(old.memories))) - here
        if len(deleted) != missing:
            return [], None
        gone_rows |= deleted
    return moved + added, gone_rows


def _moved(old: Snapshot, memories: list[Memory], rows: list[int]) -> list[Memory]:
    if not memories:
        return []
    table, _ = build_memories([columns_of_memories(memories)])  # in the same order
    differ = np.zeros(len(memories), dtype=np.bool_)
    for name in _COMPARED:
        before, after = getattr(old.memories, name)[rows], getattr(table, name)
        differ |= before.view(np.int64) != after.view(np.int64)
    return [memory for memory, moved in zip(memories, differ.tolist(), strict=True) if moved]


def _read_links(
    conn: Connection, schema: Schema, old: Snapshot, new: Marks
) -> tuple[list[Link], set[str] | None]:
    assert old.marks is not None
    links, blocks = old.links, find_moved(old.marks.links, new.links)
    found = {link.id: link for link in read_links_of_blocks(conn, schema, old.brain_id, blocks)}
    stale = sorted(old.marks.stale_links - found.keys())
    found |= {link.id: link for link in read_links_by_id(conn, schema, old.brain_id, stale)}
    rows = find_rows(links, [(link.created_at, link.id) for link in found.values()])
    ends = {
        end: old.rows_of([getattr(link, f"{end}_id") for link in found.values()]).tolist()
        for end in ("from", "to")
    }
    moved: list[Link] = []
    added = 0
    for place, link in enumerate(found.values()):
        row = rows[place]
        added += row < 0
        if row < 0 or not (
            links.from_rows[row] == ends["from"][place]
            and links.to_rows[row] == ends["to"][place]
            and links.relations[row] == relation_code(link.relation_type)
            and links.labels[row] == link.label
        ):
            moved.append(link)
    link_ids = {link.id for link in moved}
    missing = len(links) + added - count_rows(new.links)
    if missing:
        here = set(read_ids(conn, schema, old.brain_id, LINKS))
        deleted = {link_id for link_id in links.ids if link_id is not None} - here
        if len(deleted) != missing:
            return [], None
        link_ids |= deleted
    return moved, link_ids
