"""Archive memories, bring them back, delete them for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.vault.operations.edit import logged, updated_entry
from mvdesk.vault.operations.fields import MEMORY_FIELDS
from mvdesk.vault.operations.links import plan_unlink
from mvdesk.vault.plan import MEMORIES, ColumnChanges, LogEntry, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.records import Link, Memory
    from mvdesk.vault.plan import Value


def plan_archive(memories: Sequence[Memory], *, brain_id: str, now: int) -> Plan:
    """Put memories into the archive; those that are there already are left out."""
    active = [memory for memory in memories if memory.archived_at is None]
    label = tr("Archive {named}", named=_named(active or memories))
    if not active:
        return Plan(label, brain_id, (), ())
    ids = [memory.id for memory in active]
    entry = LogEntry(
        "memory_forget_soft",
        "memory",
        ids[0],
        "Soft-forgot memories",
        {
            "count": len(ids),
            "ids": ids,
            "before": dict.fromkeys(ids),
            "after": dict.fromkeys(ids, now),
        },
    )
    return Plan(label, brain_id, _moved(active, now, now, "archived"), (entry,))


def plan_restore(memories: Sequence[Memory], *, brain_id: str, now: int) -> Plan:
    """Bring memories back from the archive; those that are not in it are left out."""
    kept = [memory for memory in memories if memory.archived_at is not None]
    log = tuple(
        updated_entry(memory.id, {"archived_at": memory.archived_at}, {"archived_at": None})
        for memory in kept
    )
    changes = _moved(kept, None, now, "restored")
    return Plan(tr("Restore {named}", named=_named(kept or memories)), brain_id, changes, log)


def plan_delete(memories: Sequence[Memory], links: Sequence[Link], *, brain_id: str) -> Plan:
    """Delete memories for good, with the links that touch them.

    `links` are all links of these memories (others are ignored). Conflict decisions and
    aliases that name them stay, as on the server.
    """
    ids = {memory.id for memory in memories}
    label_of = {memory.id: memory.short_label for memory in memories}
    touching = {link.id: link for link in links if link.from_id in ids or link.to_id in ids}
    unlinks = [
        plan_unlink(
            link,
            from_label=label_of.get(link.from_id, ""),
            to_label=label_of.get(link.to_id, ""),
        )
        for link in touching.values()
    ]
    gone = tuple(
        RowChange(
            RowKey(MEMORIES, memory.id, memory.short_label), _whole(memory), None, tr("deleted")
        )
        for memory in memories
    )
    log = tuple(
        LogEntry(
            "memory_deleted",
            "memory",
            memory.id,
            "Deleted memory",
            {
                "type": memory.type,
                "title": memory.title,
                "key": memory.key,
                "before": logged({name: getattr(memory, name) for name in MEMORY_FIELDS}),
                "after": None,
            },
        )
        for memory in memories
    )
    return Plan(
        tr("Delete {named}", named=_named(memories)),
        brain_id,
        # Links first: the memory's row takes what is left of them with it, unseen.
        tuple(change for plan in unlinks for change in plan.changes) + gone,
        tuple(entry for plan in unlinks for entry in plan.log) + log,
    )


def _moved(
    memories: Sequence[Memory], archived_at: int | None, now: int, why: str
) -> Sequence[RowChange]:
    """Memories put into the archive, or taken out of it."""
    changes = ColumnChanges(
        MEMORIES,
        [memory.id for memory in memories],
        [memory.short_label for memory in memories],
        [why] * len(memories),
        ("archived_at", "updated_at"),
        ([memory.archived_at for memory in memories], [memory.updated_at for memory in memories]),
        ([archived_at] * len(memories), [now] * len(memories)),
    )
    return changes if len(changes) > 1 else tuple(changes)


def _whole(memory: Memory) -> dict[str, Value]:
    names = (*MEMORY_FIELDS, "archived_at", "created_at", "updated_at")
    return {"id": memory.id} | {name: getattr(memory, name) for name in names}


def _named(memories: Sequence[Memory]) -> str:
    return (
        memories[0].short_label
        if len(memories) == 1
        else tr("{memories:,} memories", memories=len(memories))
    )
