"""Merge several memories into one; the others go to the archive, superseded by it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mvdesk.errors import BadValue
from mvdesk.vault.operations.fields import (
    TEXT_FIELDS,
    clean_content,
    clean_memory_fields,
    clean_text,
)
from mvdesk.vault.operations.links import plan_link, plan_unlink
from mvdesk.vault.plan import LINKS, MEMORIES, LogEntry, Plan, RowChange, RowKey
from mvdesk.vault.tags import join_tags, parse_tags
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mvdesk.records import Link, Memory
    from mvdesk.vault.plan import Value

MERGED_LABEL: Final = "merged"
BETWEEN_CONTENTS: Final = "\n\n---\n\n"


def pick_primary(memories: Sequence[Memory]) -> Memory:
    """The memory that the others would be merged into: the most important, then the newest."""
    return max(memories, key=lambda one: (_share(one.importance), one.created_at))


def plan_merge(
    memories: Sequence[Memory],
    links: Sequence[Link],
    *,
    primary_id: str | None = None,
    content: str | None = None,
    title: str | None = None,
    fields: Mapping[str, object] | None = None,
    now: int,
    new_id: Callable[[], str],
) -> Plan:
    """Merge two or more memories into the one called `primary_id` (else `pick_primary`).

    It gets all tags, the highest bases, and all texts one after the other, its own first,
    unless `content` or `title` are given, or any of a memory's `fields`. The others are
    archived and superseded by it, and their links lead to it, unless it has the same one.
    `links` are all links of the memories.
    Raises BadValue for fewer than two, an archived one, a primary that is none of them, or
    a field that a memory can't have.
    """
    primary = _primary(memories, primary_id)
    others = [memory for memory in _distinct(memories) if memory.id != primary.id]
    wanted: dict[str, Value] = {
        "title": clean_text("title", title) or primary.title,
        "content": _content([primary, *others], content, fields or {}),
        "tags": join_tags(sorted({tag for one in memories for tag in parse_tags(one.tags)})),
        "confidence": max(_share(one.confidence) for one in memories),
        "importance": max(_share(one.importance) for one in memories),
    }
    wanted |= _changed_fields(primary, fields or {}, wanted)
    old: dict[str, Value] = {name: getattr(primary, name) for name in wanted}
    changes = [
        _row_change(
            primary, old, wanted, now, tr("merged with {counted}", counted=_counted(others))
        )
    ]
    changes += [
        _row_change(one, {"archived_at": None}, {"archived_at": now}, now, tr("merged, archived"))
        for one in others
    ]
    moved = _plan_links(primary, others, links, now=now, new_id=new_id)
    ids = [one.id for one in others]
    entry = LogEntry(
        "memory_merged",
        "memory",
        primary.id,
        "Merged memories",
        {
            "primary_id": primary.id,
            "archived_ids": ids,
            "source_count": len(others) + 1,
            # With the texts: who looks at the history sees which words came from where.
            "before": {primary.id: old} | {one: {"archived_at": None} for one in ids},
            "after": {primary.id: wanted} | {one: {"archived_at": now} for one in ids},
        },
    )
    return Plan(
        tr(
            "Merge {others} memories into {short_label}",
            others=len(others) + 1,
            short_label=primary.short_label,
        ),
        primary.brain_id,
        (*changes, *(change for plan in moved for change in plan.changes)),
        (entry, *(line for plan in moved for line in plan.log)),
    )


def _changed_fields(
    primary: Memory, fields: Mapping[str, object], usual: Mapping[str, Value]
) -> dict[str, Value]:
    """The fields that differ from the usual outcome; what the one has already is unchecked."""
    found: dict[str, Value] = {}
    for name, value in fields.items():
        old = getattr(primary, name, None)
        if old == value or (name in TEXT_FIELDS and not old and value in ("", None)):
            if name in usual:
                found[name] = old
        else:
            found |= clean_memory_fields({name: value})
    return found


def _content(memories: Sequence[Memory], content: str | None, fields: Mapping[str, object]) -> str:
    if content is None and "content" in fields:
        return ""  # the given one takes its place
    return clean_content(_joined(memories) if content is None else content)


def _primary(memories: Sequence[Memory], primary_id: str | None) -> Memory:
    distinct = _distinct(memories)
    if len(distinct) < 2:
        raise BadValue(
            "memories", tr("there is nothing to merge."), tr("Name two or more memories.")
        )
    for memory in distinct:
        if memory.archived_at is not None:
            raise BadValue(
                "memories",
                tr("{short_label} is in the archive.", short_label=memory.short_label),
                tr("Restore it first."),
            )
    if primary_id is None:
        return pick_primary(distinct)
    for memory in distinct:
        if memory.id == primary_id:
            return memory
    raise BadValue(
        "primary", tr("{primary_id} is not among the memories to merge.", primary_id=primary_id)
    )


def _plan_links(
    primary: Memory,
    others: Sequence[Memory],
    links: Sequence[Link],
    *,
    now: int,
    new_id: Callable[[], str],
) -> list[Plan]:
    """Links of the others end at the primary one; those inside the group go, one stays."""
    label_of = {memory.id: memory.short_label for memory in (primary, *others)}
    inside = set(label_of)
    had = {_ends(link) for link in links if primary.id in (link.from_id, link.to_id)}
    plans: list[Plan] = []
    kept: set[str] = set()
    for other in others:
        # The server turns whatever link the two have into "supersedes" and then deletes it
        # when it leads the other way, so that nothing tells what became of the memory. Here
        # the one that stays always leads from the merged memory.
        forward = [one for one in links if (one.from_id, one.to_id) == (primary.id, other.id)]
        forward.sort(key=lambda one: one.relation_type != "supersedes")
        plans.append(
            plan_link(
                forward,
                primary,
                other,
                "supersedes",
                MERGED_LABEL,
                now=now,
                link_id=new_id(),
                change_id=forward[0].id if forward else None,
            )
        )
        kept |= {one.id for one in forward[:1]}
    for link in links:
        archived_ends = {link.from_id, link.to_id} & (inside - {primary.id})
        if link.id in kept or not archived_ends:
            continue
        moved = _moved(link, primary, inside)
        if moved is None or _ends(moved) in had:
            plans.append(
                plan_unlink(
                    link,
                    from_label=label_of.get(link.from_id, ""),
                    to_label=label_of.get(link.to_id, ""),
                )
            )
        else:
            had.add(_ends(moved))
            plans.append(_plan_move(link, moved, primary))
    return plans


def _moved(link: Link, primary: Memory, inside: set[str]) -> Link | None:
    """The link as one of the primary memory; None for one within the group."""
    if link.from_id in inside and link.to_id in inside:
        return None
    from_id = primary.id if link.from_id in inside else link.from_id
    to_id = primary.id if link.to_id in inside else link.to_id
    return replace(link, from_id=from_id, to_id=to_id)


def _plan_move(link: Link, moved: Link, primary: Memory) -> Plan:
    before: dict[str, Value] = {
        "from_id": link.from_id,
        "to_id": link.to_id,
        "relation_type": link.relation_type,
    }
    after: dict[str, Value] = {**before, "from_id": moved.from_id, "to_id": moved.to_id}
    change = RowChange(
        RowKey(LINKS, link.id, tr("A link of {short_label}", short_label=primary.short_label)),
        before,
        after,
        tr("leads to the merged one"),
    )
    entry = LogEntry(
        "memory_link_updated",
        "memory_link",
        link.id,
        "Updated link relation",
        {
            "from_id": moved.from_id,
            "to_id": moved.to_id,
            "relation_type": link.relation_type,
            "before": before,
            "after": after,
        },
    )
    return Plan("", link.brain_id, (change,), (entry,))


def _row_change(
    memory: Memory, old: dict[str, Value], new: dict[str, Value], now: int, why: str
) -> RowChange:
    return RowChange(
        RowKey(MEMORIES, memory.id, memory.short_label),
        {**old, "updated_at": memory.updated_at},
        {**new, "updated_at": now},
        why,
    )


def _joined(memories: Sequence[Memory]) -> str:
    return BETWEEN_CONTENTS.join(one.content for one in memories if one.content)


def _distinct(memories: Sequence[Memory]) -> list[Memory]:
    return list({memory.id: memory for memory in memories}.values())


def _ends(link: Link) -> tuple[str, str, str]:
    return link.from_id, link.to_id, link.relation_type


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _counted(others: Sequence[Memory]) -> str:
    return others[0].short_label if len(others) == 1 else tr("{others} others", others=len(others))
