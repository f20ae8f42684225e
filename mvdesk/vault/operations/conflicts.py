"""Decide about two memories that contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.errors import BadValue
from mvdesk.records import RESOLUTION_STATUSES
from mvdesk.vault.operations.fields import clean_choice, clean_text
from mvdesk.vault.operations.links import plan_link, plan_unlink
from mvdesk.vault.plan import RESOLUTIONS, LogEntry, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mvdesk.records import ConflictResolution, Link, Memory
    from mvdesk.vault.plan import Value

MAX_NOTE_LENGTH: Final = 600
RESOLUTION_LABEL: Final = "conflict_resolution"
_LINKING: Final = frozenset({"resolved", "superseded"})


def pair_key(one_id: str, other_id: str) -> str:
    """What a decision about two memories is stored under."""
    return "|".join(sorted((one_id, other_id)))


def find_resolution(
    resolutions: Sequence[ConflictResolution], one_id: str, other_id: str
) -> ConflictResolution | None:
    """What was decided about two memories, the last change of it; None for nothing.

    Compared by the ids: a file that went through a server's import spells its keys another way.
    """
    ends = {one_id, other_id}
    found = [one for one in resolutions if {one.a_id, one.b_id} == ends]
    return max(found, key=lambda one: one.updated_at, default=None)


def plan_resolve(
    a: Memory,
    b: Memory,
    status: str,
    *,
    canonical_id: str | None = None,
    note: str | None = None,
    stored: ConflictResolution | None,
    links: Sequence[Link],
    now: int,
    new_id: Callable[[], str],
    retire: bool = False,
) -> Plan:
    """Keep a decision about `a` and `b`, and let the canonical one supersede the other.

    `stored` is the decision so far, `links` are the links of either memory. With a canonical
    one and the status "resolved" or "superseded" the first link from it to the other becomes
    `supersedes`, or a second one is added beside a link the other way. `retire` also removes
    the links between the two that still say they contradict. The plan is empty when all that
    is so. Raises BadValue for the same memory twice, an unknown status, a canonical id that is
    neither, or a note of more than 600 characters.
    """
    if a.id == b.id:
        raise BadValue("b", tr("a memory can't contradict itself."), tr("Name two memories."))
    clean_choice("status", status, RESOLUTION_STATUSES)
    if canonical_id not in (None, a.id, b.id):
        raise BadValue(
            "canonical",
            tr("{canonical_id} is neither of the two.", canonical_id=canonical_id),
            tr("Name one of them."),
        )
    decision = {"status": status, "canonical_id": canonical_id, "note": _clean_note(note)}
    label = tr(
        "Mark {short_label} / {short_label_2} as {status}",
        short_label=a.short_label,
        short_label_2=b.short_label,
        status=status.replace("_", " "),
    )
    made = [_plan_decision(a, b, decision, stored, now=now, new_id=new_id)]
    kept = [link for link in links if {link.from_id, link.to_id} == {a.id, b.id}]
    if canonical_id is not None and status in _LINKING:
        winner, loser = (a, b) if canonical_id == a.id else (b, a)
        forward = [link for link in kept if link.from_id == winner.id]
        # Only links in that direction: one the other way is left beside the new one.
        made.append(
            plan_link(
                forward, winner, loser, "supersedes", RESOLUTION_LABEL, now=now, link_id=new_id()
            )
        )
        changed = {change.key.id for change in made[-1].changes}
        kept = [link for link in kept if link.id not in changed]
    if retire:
        labels = {a.id: a.short_label, b.id: b.short_label}
        made += [
            plan_unlink(link, from_label=labels[link.from_id], to_label=labels[link.to_id])
            for link in kept
            if link.relation_type == "contradicts"
        ]
    return Plan(
        label,
        a.brain_id,
        tuple(change for plan in made for change in plan.changes),
        tuple(entry for plan in made for entry in plan.log),
    )


def _plan_decision(
    a: Memory,
    b: Memory,
    decision: Mapping[str, str | None],
    stored: ConflictResolution | None,
    *,
    now: int,
    new_id: Callable[[], str],
) -> Plan:
    label = tr(
        "The decision about {short_label} and {short_label_2}",
        short_label=a.short_label,
        short_label_2=b.short_label,
    )
    if stored is None:
        old: dict[str, Value] | None = None
        row: dict[str, Value] = {
            "id": new_id(),
            "brain_id": a.brain_id,
            "pair_key": pair_key(a.id, b.id),
            "a_id": a.id,
            "b_id": b.id,
            **decision,
            "created_at": now,
            "updated_at": now,
        }
        key = RowKey(RESOLUTIONS, str(row["id"]), label)
        change = RowChange(key, None, row, tr("marked {decision}", decision=decision["status"]))
    else:
        old = {name: getattr(stored, name) for name in decision}
        if old == decision:
            return Plan(label, a.brain_id, (), ())
        change = RowChange(
            RowKey(RESOLUTIONS, stored.id, label),
            {**old, "updated_at": stored.updated_at},
            {**decision, "updated_at": now},
            tr("{status} becomes {decision}", status=stored.status, decision=decision["status"])
            if stored.status != decision["status"]
            else tr("decided anew"),
        )
    entry = LogEntry(
        "memory_conflict_resolved",
        "memory_conflict",
        stored.pair_key if stored else pair_key(a.id, b.id),
        f"Conflict marked as {decision['status']}",
        {
            "a_id": a.id,
            "b_id": b.id,
            "status": decision["status"],
            "canonical_id": decision["canonical_id"],
            "before": old,
            "after": decision,
        },
    )
    return Plan(label, a.brain_id, (change,), (entry,))


def _clean_note(note: str | None) -> str | None:
    text = clean_text("note", note)
    text = text.strip() if text else None
    if text is not None and len(text) > MAX_NOTE_LENGTH:
        raise BadValue(
            "note",
            tr("it has {text} characters.", text=len(text)),
            tr("At most {max_note_length} are kept.", max_note_length=MAX_NOTE_LENGTH),
        )
    return text
