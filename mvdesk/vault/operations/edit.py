"""Add and edit memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.records import DEFAULT_BASE_CONFIDENCE, DEFAULT_BASE_IMPORTANCE, label_for, shortened
from mvdesk.vault.operations.fields import (
    MEMORY_FIELDS,
    TEXT_FIELDS,
    clean_content,
    clean_memory_fields,
)
from mvdesk.vault.plan import MEMORIES, LogEntry, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.records import Memory
    from mvdesk.vault.plan import Value


def plan_add(brain_id: str, fields: Mapping[str, object], *, now: int, memory_id: str) -> Plan:
    """A new memory with the id `memory_id`; fields left out take their defaults.

    Raises BadValue when the content is blank, the type unknown, a base outside [0, 1], or
    a field none of a memory's.
    """
    clean = clean_memory_fields(fields)
    row: dict[str, Value] = {
        "id": memory_id,
        "brain_id": brain_id,
        "type": clean.get("type", "note"),
        "title": clean.get("title"),
        "key": clean.get("key"),
        "content": clean["content"] if "content" in clean else clean_content(None),
        "tags": clean.get("tags"),
        "source": clean.get("source"),
        "confidence": clean.get("confidence", DEFAULT_BASE_CONFIDENCE),
        "importance": clean.get("importance", DEFAULT_BASE_IMPORTANCE),
        "created_at": now,
        "updated_at": now,
    }
    label = shortened(
        label_for(str(row["title"] or ""), str(row["key"] or ""), str(row["content"]))
    )
    change = RowChange(RowKey(MEMORIES, memory_id, label), None, row, tr("added"))
    entry = LogEntry(
        "memory_created",
        "memory",
        memory_id,
        "Created memory",
        {
            "type": row["type"],
            "title": row["title"],
            "key": row["key"],
            "before": None,
            "after": logged({name: row[name] for name in MEMORY_FIELDS}),
        },
    )
    return Plan(tr("Add {label}", label=label), brain_id, (change,), (entry,))


def plan_edit(memory: Memory, changes: Mapping[str, object], *, now: int) -> Plan:
    """New values for some fields of `memory`, which is guarded as it was seen.

    Fields that keep their value are dropped, unchecked: what a foreign file holds may
    stay. The plan is empty when none is left. A new value moves `updated_at` to `now`.
    Raises BadValue like `plan_add`.
    """
    wanted = clean_memory_fields(
        {name: value for name, value in changes.items() if not _is_kept(memory, name, value)}
    )
    if not wanted:
        return Plan(
            tr("Edit {short_label}", short_label=memory.short_label), memory.brain_id, (), ()
        )
    before: dict[str, Value] = {name: getattr(memory, name) for name in wanted}
    change = RowChange(
        RowKey(MEMORIES, memory.id, memory.short_label),
        {**before, "updated_at": memory.updated_at},
        {**wanted, "updated_at": now},
        tr("edited {names}", names=", ".join(wanted)),
    )
    return Plan(
        tr("Edit {short_label}", short_label=memory.short_label),
        memory.brain_id,
        (change,),
        (updated_entry(memory.id, before, wanted),),
    )


def updated_entry(
    memory_id: str, before: Mapping[str, Value], after: Mapping[str, Value]
) -> LogEntry:
    """The changelog's word for a memory that got other values."""
    fields = (*(name for name in MEMORY_FIELDS if name not in ("type", "key")), "archived")
    touched = {("archived" if name == "archived_at" else name) for name in after}
    updated = {name: name in touched for name in fields}
    updated |= dict.fromkeys(sorted(touched - set(fields)), True)
    return LogEntry(
        "memory_updated",
        "memory",
        memory_id,
        "Updated memory",
        # With the texts themselves: whoever looks at the history may want the old one back.
        {"updated_fields": updated, "before": dict(before), "after": dict(after)},
    )


def logged(values: Mapping[str, Value]) -> dict[str, object]:
    """A memory's values as the changelog keeps them of one that is made or deleted.

    The text's length stands for the text: a memory deleted for good must not live on in the
    log, and the journal has what undo needs.
    """
    return {
        (name if name != "content" else "content_length"): (
            len(value) if name == "content" and isinstance(value, str) else value
        )
        for name, value in values.items()
    }


def _is_kept(memory: Memory, name: str, value: object) -> bool:
    if name not in MEMORY_FIELDS:
        return False
    old = getattr(memory, name)
    # An editor shows a missing text as "": that is no change.
    return bool(old == value) or (name in TEXT_FIELDS and not old and value in ("", None))
