"""Say of a memory that it still holds: its age starts again, and nothing else changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.vault.operations.edit import updated_entry
from mvdesk.vault.plan import MEMORIES, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.records import Memory
    from mvdesk.vault.plan import Value


def plan_touch(memory: Memory, *, now: int) -> Plan:
    """Move a memory's `updated_at` to `now`, as an edit would; empty when it is there already."""
    label = tr("Still true: {short_label}", short_label=memory.short_label)
    before: dict[str, Value] = {"updated_at": memory.updated_at}
    after: dict[str, Value] = {"updated_at": now}
    if before == after:
        return Plan(label, memory.brain_id, (), ())
    key = RowKey(MEMORIES, memory.id, memory.short_label)
    change = RowChange(key, before, after, tr("looked at, still true"))
    return Plan(label, memory.brain_id, (change,), (updated_entry(memory.id, before, after),))
