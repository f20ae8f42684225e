"""Add, change and remove links between memories. Links move no memory's `updated_at`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mvdesk.errors import BadValue
from mvdesk.vault.operations.fields import clean_relation, clean_text
from mvdesk.vault.plan import LINKS, LogEntry, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.records import Link, Memory
    from mvdesk.vault.plan import Value


def find_links_between(links: Sequence[Link], one_id: str, other_id: str) -> list[Link]:
    """The links that join two memories in whatever direction, oldest first."""
    ends = {one_id, other_id}
    joining = [link for link in links if {link.from_id, link.to_id} == ends]
    return sorted(joining, key=lambda link: (link.created_at, link.id))


def plan_link(
    existing: Sequence[Link],
    from_memory: Memory,
    to_memory: Memory,
    relation: str,
    label: str | None = None,
    *,
    now: int,
    link_id: str,
    change_id: str | None = None,
) -> Plan:
    """Link two memories; a linked pair gets the relation and label on the link it has.

    `existing` are the links of either memory (others don't matter). A link that is there
    keeps its direction. Where there are several, `change_id` picks the one to change;
    without it that is the oldest in the wanted direction, else the oldest. The plan is empty
    when that link is so already. Raises BadValue for an unknown relation or a memory linked
    to itself.
    """
    relation, label = clean_relation(relation), clean_text("label", label)
    if from_memory.id == to_memory.id:
        raise BadValue("to", tr("a memory can't be linked to itself."), tr("Pick another memory."))
    name = f"{from_memory.short_label} → {to_memory.short_label}"
    joining = find_links_between(existing, from_memory.id, to_memory.id)
    if joining:
        link = _picked(joining, from_memory.id, change_id)
        return _plan_change(link, relation, label, name)
    row: dict[str, Value] = {
        "id": link_id,
        "brain_id": from_memory.brain_id,
        "from_id": from_memory.id,
        "to_id": to_memory.id,
        "relation_type": relation,
        "label": label,
        "created_at": now,
    }
    change = RowChange(
        RowKey(LINKS, link_id, tr("The link {name}", name=name)), None, row, tr("linked")
    )
    entry = LogEntry(
        "memory_link_created",
        "memory_link",
        link_id,
        "Created memory link",
        {
            "from_id": from_memory.id,
            "to_id": to_memory.id,
            "relation_type": relation,
            "before": None,
            "after": {"relation_type": relation, "label": label},
        },
    )
    return Plan(tr("Link {name}", name=name), from_memory.brain_id, (change,), (entry,))


def plan_unlink(link: Link, *, from_label: str = "", to_label: str = "") -> Plan:
    """Remove a link. The labels of its ends are for messages; without them ids stand in."""
    name = f"{from_label or link.from_id} → {to_label or link.to_id}"
    row: dict[str, Value] = {
        "id": link.id,
        "from_id": link.from_id,
        "to_id": link.to_id,
        "relation_type": link.relation_type,
        "label": link.label,
        "created_at": link.created_at,
    }
    change = RowChange(
        RowKey(LINKS, link.id, tr("The link {name}", name=name)), row, None, tr("removed")
    )
    entry = LogEntry(
        "memory_link_removed",
        "memory_link",
        link.id,
        "Removed memory link",
        {
            "from_id": link.from_id,
            "to_id": link.to_id,
            "relation_type": link.relation_type,
            "before": {"relation_type": link.relation_type, "label": link.label},
            "after": None,
        },
    )
    return Plan(tr("Unlink {name}", name=name), link.brain_id, (change,), (entry,))


def _picked(joining: Sequence[Link], from_id: str, change_id: str | None) -> Link:
    if change_id is None:
        return next((link for link in joining if link.from_id == from_id), joining[0])
    for link in joining:
        if link.id == change_id:
            return link
    raise BadValue(
        "link",
        tr("{change_id} doesn't join these two memories.", change_id=change_id),
        tr("Pick one that does."),
    )


def _plan_change(link: Link, relation: str, label: str | None, name: str) -> Plan:
    title = tr("Change the link {name}", name=name)
    if (link.relation_type, link.label or None) == (relation, label):
        return Plan(title, link.brain_id, (), ())
    ends: dict[str, Value] = {"from_id": link.from_id, "to_id": link.to_id}
    before: dict[str, Value] = {"relation_type": link.relation_type, "label": link.label}
    after: dict[str, Value] = {"relation_type": relation, "label": label}
    change = RowChange(
        RowKey(LINKS, link.id, tr("The link {name}", name=name)),
        ends | before,
        ends | after,
        tr(
            "{relation_type} becomes {relation}",
            relation_type=link.relation_type,
            relation=relation,
        )
        if link.relation_type != relation
        else tr("labelled anew"),
    )
    entry = LogEntry(
        "memory_link_updated",
        "memory_link",
        link.id,
        "Updated link relation",
        {**ends, "relation_type": relation, "before": before, "after": after},
    )
    return Plan(title, link.brain_id, (change,), (entry,))
