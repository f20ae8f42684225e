"""What the editor says about a memory besides its fields: its history, its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.arrays import NO_TIME
from mvdesk.records import RELATIONS
from mvdesk.ui.moments import format_day
from mvdesk.ui.widgets.link_strip import LinkItem
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from mvdesk.records import Memory
    from mvdesk.vault.snapshot import Snapshot


def describe_history(memory: Memory | None) -> str:
    """A few words on a memory's history."""
    if memory is None:
        return ""
    day = format_day(memory.updated_at)
    parts = [tr("no date") if day == "–" else tr("edited {day}", day=day)]
    if memory.access_count:
        times = tr_n(
            "once", "{access_count:,} times", memory.access_count, access_count=memory.access_count
        )
        parts.append(tr("recalled {times}", times=times))
    if memory.archived_at is not None:
        parts.append(tr("archived"))
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
                title=memories.labels.text(other) if other >= 0 else tr("a memory that is gone"),
                relation=RELATIONS[relation] if relation >= 0 else tr("unknown relation"),
                outgoing=outgoing,
                label=links.labels[number],
                remark=tr("archived")
                if other >= 0 and memories.archived_at[other] != NO_TIME
                else "",
            )
        )
    return items
