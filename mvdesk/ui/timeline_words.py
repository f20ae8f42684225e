"""Lines of the changelog in plain words, whoever wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mvdesk.records import STATUS_WORDS, shortened
from mvdesk.ui.moments import format_minute
from mvdesk.ui.panels.drafts import FIELD_NAMES
from mvdesk.vault.log_payload import read_log_payload
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mvdesk.records import HistoryEntry

KINDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "": (tr("Everything"), ()),
    "written": (tr("Written and edited"), ("memory_created", "memory_updated")),
    "gone": (
        tr("Archived and deleted"),
        ("memory_forget_soft", "memory_forget_hard", "memory_deleted"),
    ),
    "merged": (
        tr("Merged"),
        ("memory_merged", "memory_consolidated", "memory_entity_resolved"),
    ),
    "links": (tr("Links"), ("memory_link_created", "memory_link_updated", "memory_link_removed")),
    "upkeep": (tr("Decay and reinforce"), ("memory_decayed", "memory_reinforced")),
    "trust": (tr("Trust"), ("memory_source_trust_set",)),
    "conflicts": (tr("Conflicts"), ("memory_conflict_resolved",)),
    "brain": (
        tr("Rules and snapshots"),
        ("brain_policy_set", "brain_snapshot_created", "brain_snapshot_restored",
         "brain_data_imported"),
    ),
}  # fmt: skip
"""By kind what it is called, and its events; none for all."""

_SAID: Final = {
    "memory_created": tr("Written"),
    "memory_updated": tr("Edited"),
    "memory_deleted": tr("Deleted"),
    "memory_merged": tr("Merged"),
    "memory_consolidated": tr("Consolidated"),
    "memory_forget_soft": tr("Archived"),
    "memory_forget_hard": tr("Deleted for good"),
    "memory_reinforced": tr("Reinforced"),
    "memory_decayed": tr("Decayed"),
    "objective_upserted": tr("Objective set"),
    "memory_link_created": tr("Linked"),
    "memory_link_updated": tr("Link changed"),
    "memory_link_removed": tr("Link removed"),
    "memory_conflict_resolved": tr("Conflict decided"),
    "memory_source_trust_set": tr("Trust"),
    "memory_entity_resolved": tr("Named as the same thing"),
    "brain_policy_set": tr("Rules changed"),
    "brain_snapshot_created": tr("Snapshot taken"),
    "brain_snapshot_restored": tr("Snapshot restored"),
    "brain_data_imported": tr("Data imported"),
}
_LONGEST: Final = 120


@dataclass(frozen=True, slots=True)
class TimelineLine:
    """A line as it is shown. `memory_id` is where it leads, "" for nowhere."""

    id: str
    when: str
    what: str
    about: str
    memory_id: str
    is_undo: bool


def make_lines(
    entries: Sequence[HistoryEntry], title_of: Callable[[str], str]
) -> list[TimelineLine]:
    """Lines in plain words; `title_of` names a memory, "" for one that isn't there."""
    return [_line(entry, title_of) for entry in entries]


def _line(entry: HistoryEntry, title_of: Callable[[str], str]) -> TimelineLine:
    payload = read_log_payload(entry)
    memory_id = entry.entity_id if entry.entity_type in ("memory", "memory_entity") else ""
    about = ""
    if entry.entity_type == "memory_link":
        memory_id = _text(payload, "from_id")
        ends = [title_of(_text(payload, name)) or tr("a deleted memory") for name in _ENDS]
        relation = _text(payload, "relation_type") or tr("linked to")
        about = f"{ends[0]} — {relation} → {ends[1]}"
    elif memory_id:
        about = title_of(memory_id) or _text(payload, "title") or tr("a memory that is gone")
        about = _many(payload, about)
    elif entry.entity_type == "source":
        about = entry.entity_id
    elif entry.entity_type == "memory_conflict":
        memory_id = _text(payload, "canonical_id") or _text(payload, "a_id")
        about = title_of(memory_id)
    what = _what(entry, payload)
    is_undo = "undo_of" in payload
    return TimelineLine(
        entry.id,
        format_minute(entry.created_at),
        tr("{what} (a step taken back)", what=what) if is_undo else what,
        shortened(about, _LONGEST),
        memory_id,
        is_undo,
    )


_ENDS: Final = ("from_id", "to_id")


def _what(entry: HistoryEntry, payload: Mapping[str, Any]) -> str:
    said = _SAID.get(entry.event_type) or entry.summary or entry.event_type
    if entry.event_type == "memory_source_trust_set":
        trust = payload.get("trust")
        is_number = isinstance(trust, int | float)
        return tr("Trust set to {trust:.2f}", trust=trust) if is_number else tr("Trust cleared")
    if entry.event_type == "memory_conflict_resolved":
        return tr("Conflict: {what}", what=_status(_text(payload, "status")) or tr("decided"))
    names = _changed(payload)
    if entry.event_type == "memory_updated" and _is_restored(payload):
        return tr("Brought back from the archive")
    if entry.event_type == "memory_updated" and names:
        if names == ["archived"]:
            return tr("Brought back from the archive")
        if names == ["updated_at"]:
            return tr("Still true")
        return tr(
            "Edited {names}",
            names=", ".join(FIELD_NAMES.get(one, one.replace("_", " ")) for one in names),
        )
    if entry.event_type == "brain_policy_set" and names:
        return tr(
            "Rules changed: {names}", names=", ".join(name.replace("_", " ") for name in names)
        )
    return said


def _is_restored(payload: Mapping[str, Any]) -> bool:
    """A line of several memories that left the archive: by id when they went there."""
    after = payload.get("after")
    if not isinstance(payload.get("ids"), list) or not isinstance(after, dict):
        return False
    return bool(after) and all(when is None for when in after.values())


def _changed(payload: Mapping[str, Any]) -> list[str]:
    """The fields that a line tells of, where it does."""
    flags = payload.get("updated_fields")
    if isinstance(flags, dict):
        return [str(name) for name, on in flags.items() if on]
    before, after = payload.get("before"), payload.get("after")
    if isinstance(before, dict) and isinstance(after, dict):
        moved = [str(name) for name in after if before.get(name) != after[name]]
        return [tr("archived") if name == "archived_at" else name for name in moved]
    return []


def _many(payload: Mapping[str, Any], first: str) -> str:
    for name in ("decayed_count", "updated_count", "count"):
        count = payload.get(name)
        if isinstance(count, int) and count > 1:
            others = tr("one other") if count == 2 else tr("{count:,} others", count=count - 1)
            return tr("{first} and {others}", first=first, others=others)
    return first


def _text(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def _status(status: str) -> str:
    return STATUS_WORDS.get(status, status.replace("_", " "))
