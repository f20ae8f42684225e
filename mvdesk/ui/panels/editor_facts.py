"""What the editor says about a memory besides its fields: its history, its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.arrays import NO_TIME
from mvdesk.records import RELATIONS
from mvdesk.ui.moments import format_day
from mvdesk.ui.widgets.link_strip import LinkItem

if TYPE_CHECKING:
    from mvdesk.records import Memory
    from mvdesk.vault.snapshot import Snapshot


def describe_history(memory: Memory | None) -> str:
    """A few words on a memory's history."""
    if memory is None:
        return ""
    day = format_day(memory.updated_at)
    parts = ["no date" if day == "–" else f"edited {day}"]
    if memory.access_count:
        times = "once" if memory.access_count == 1 else f"{memory.access_count:,} times"
        parts.append(f"recalled {times}")
    if memory.archived_at is not None:
        parts.append("archived")
    return " · ".join(parts)


def link_items_of(snapshot: Snapshot, row: int) -> list[LinkItem]:
    """The links of a memory, seen from it."""
    links, memories = snapshot.links, snapshot.memories
    items = []
    for number in snapshot.links_of_row(row).tolist():
        outgoing = int(links.from_rows[number]) == row
        other = int((links.to_rows if outgoing else links.from_rows)[number])
        relation = int(links.relations[number])
        items.append(
            LinkItem(
                link_id=links.ids.text(number),
                memory_id=memories.ids.text(other) if other >= 0 else "",
                title=memories.labels.text(other) if other >= 0 else "a memory that is gone",
                relation=RELATIONS[relation] if relation >= 0 else "unknown relation",
                outgoing=outgoing,
                label=links.labels[number],
                remark="archived" if other >= 0 and memories.archived_at[other] != NO_TIME else "",
            )
        )
    return items
