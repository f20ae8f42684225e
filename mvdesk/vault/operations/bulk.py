"""Change many memories at once: one plan, one transaction, one step to undo."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mvdesk.errors import BadValue
from mvdesk.scoring.whitespace import trim
from mvdesk.vault.operations.edit import updated_entry
from mvdesk.vault.operations.fields import clean_memory_fields
from mvdesk.vault.operations.links import find_links_between, plan_link
from mvdesk.vault.plan import MEMORIES, ColumnChanges, LogEntry, Plan
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mvdesk.records import Link, Memory
    from mvdesk.vault.plan import Value

SHARED_FIELDS: Final = ("type", "source", "confidence", "importance")
"""The fields that many memories can be given at once, besides tags."""


@dataclass(frozen=True, slots=True)
class BulkEdit:
    """What many memories get: the same values for some fields, tags put on and taken off.

    `fields` holds `SHARED_FIELDS`; a source of None takes the source away.
    """

    fields: Mapping[str, object] = field(default_factory=dict)
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()


def plan_bulk_edit(
    memories: Iterable[Memory], edit: BulkEdit, *, brain_id: str, now: int, what: str = tr("Change")
) -> Plan:
    """Give memories other values, each guarded as it was seen.

    Memories that have all of it already are left out, so the plan may be empty. Others get
    `now` as `updated_at`. `what` begins the plan's label. Raises BadValue for a value that a
    memory may not have, a field that many can't share, or a tag with a comma in it.
    """
    wanted = _clean(edit)
    add, remove = clean_tags(edit.add_tags), clean_tags(edit.remove_tags)
    _refuse_lines(add)
    columns = (*wanted, *(("tags",) if add or remove else ()))
    rows: list[tuple[Memory, dict[str, Value], dict[str, Value]]] = []
    for memory in memories:
        before: dict[str, Value] = {name: getattr(memory, name) for name in columns}
        after = dict(wanted)
        if "tags" in columns:
            after["tags"] = retagged(memory.tags, add, remove)
        if any(not _is_kept(before[name], after[name]) for name in columns):
            after = {n: before[n] if _is_kept(before[n], after[n]) else after[n] for n in columns}
            rows.append((memory, before, after))
    many = tr("{rows:,} memories", rows=len(rows))
    label = f"{what} {rows[0][0].short_label if len(rows) == 1 else many}"
    if not rows:
        return Plan(what, brain_id, (), ())
    stamps: list[Value] = [memory.updated_at for memory, _, _ in rows]
    changes = ColumnChanges(
        MEMORIES,
        [memory.id for memory, _, _ in rows],
        [memory.short_label for memory, _, _ in rows],
        [_reason(before, after) for _, before, after in rows],
        (*columns, "updated_at"),
        (*([before[name] for _, before, _ in rows] for name in columns), stamps),
        (*([after[name] for _, _, after in rows] for name in columns), [now] * len(rows)),
    )
    return Plan(label, brain_id, changes, tuple(_entry(*row) for row in rows))


def plan_link_all(
    links: Sequence[Link],
    memories: Sequence[Memory],
    target: Memory,
    relation: str,
    *,
    now: int,
    new_id: Callable[[], str],
) -> Plan:
    """Link each of `memories` to `target`, which is left out where it is among them.

    `links` are the links of `target`. Pairs that are linked get the relation on the link they
    have. Raises BadValue for an unknown relation.
    """
    plans = [
        plan_link(
            find_links_between(links, memory.id, target.id),
            memory,
            target,
            relation,
            now=now,
            link_id=new_id(),
        )
        for memory in memories
        if memory.id != target.id
    ]
    plans = [plan for plan in plans if not plan.is_empty]
    if len(plans) == 1:
        return plans[0]
    return Plan(
        tr(
            "Link {plans:,} memories to {short_label}",
            plans=len(plans),
            short_label=target.short_label,
        ),
        target.brain_id,
        tuple(change for plan in plans for change in plan.changes),
        tuple(entry for plan in plans for entry in plan.log),
    )


def _refuse_lines(tags: Iterable[str]) -> None:
    """BadValue for a tag to put on that stands in no single line. Taking such off is fine."""
    for tag in tags:
        if len(tag.splitlines()) > 1 or "\0" in tag:
            shown = " ".join(tag.replace("\0", "\n").split())
            raise BadValue(
                "tags",
                tr("“{shown}” has a line's end or the character NUL in it.", shown=shown),
                tr("A tag stands in one line: take that out."),
            )


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags trimmed, each once whatever its case; BadValue for one that can't be kept as one."""
    clean: dict[str, str] = {}
    for tag in tags:
        text = trim(tag)
        if "," in text:
            raise BadValue(
                "tags",
                tr("“{text}” has a comma in it, which would make two tags of it.", text=text),
                tr("Leave the comma out."),
            )
        if text:
            clean.setdefault(text.lower(), text)
    clean_memory_fields({"tags": ",".join(clean.values())})
    return tuple(clean.values())


def retagged(text: str | None, add: Sequence[str], remove: Sequence[str]) -> str | None:
    """The stored text of tags with some put on and some taken off; the others stay as written."""
    parts = [part for part in (text or "").split(",") if trim(part)]
    gone = {tag.lower() for tag in remove}
    kept = [part for part in parts if trim(part).lower() not in gone]
    known = {trim(part).lower() for part in kept}
    added = [tag for tag in add if tag.lower() not in known]
    if len(kept) == len(parts) and not added:
        return text
    # In the manner of what is there: "a, b" goes on with a space.
    glue = " " if kept and kept[-1].startswith(" ") else ""
    return ",".join([*kept, *(glue + tag for tag in added)]).lstrip() or None


def _clean(edit: BulkEdit) -> dict[str, Value]:
    for name in edit.fields:
        if name not in SHARED_FIELDS:
            raise BadValue(
                name,
                tr("many memories can't share it."),
                tr("They can share {names} and tags.", names=", ".join(SHARED_FIELDS)),
            )
    return clean_memory_fields(edit.fields)


def _is_kept(before: Value, after: Value) -> bool:
    return before == after or (not before and after is None)


def _reason(before: Mapping[str, Value], after: Mapping[str, Value]) -> str:
    return tr(
        "changed {names}", names=", ".join(name for name in after if before[name] != after[name])
    )


def _entry(memory: Memory, before: Mapping[str, Value], after: Mapping[str, Value]) -> LogEntry:
    moved = [name for name in after if before[name] != after[name]]
    return updated_entry(
        memory.id, {name: before[name] for name in moved}, {name: after[name] for name in moved}
    )
