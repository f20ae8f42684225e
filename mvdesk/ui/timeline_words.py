"""Lines of the changelog in plain words, whoever wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mvdesk.records import shortened
from mvdesk.ui.moments import format_minute
from mvdesk.ui.panels.drafts import FIELD_NAMES
from mvdesk.vault.log_payload import read_log_payload

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mvdesk.records import HistoryEntry

KINDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "": ("Everything", ()),
    "written": ("Written and edited", ("memory_created", "memory_updated")),
    "gone": (
        "Archived and deleted",
        ("memory_forget_soft", "memory_forget_hard", "memory_deleted"),
    ),
    "merged": (
        "Merged",
        ("memory_merged", "memory_consolidated", "memory_entity_resolved"),
    ),
    "links": ("Links", ("memory_link_created", "memory_link_updated", "memory_link_removed")),
    "upkeep": ("Decay and reinforce", ("memory_decayed", "memory_reinforced")),
    "trust": ("Trust", ("memory_source_trust_set",)),
    "conflicts": ("Conflicts", ("memory_conflict_resolved",)),
    "brain": (
        "Rules and snapshots",
        ("brain_policy_set", "brain_snapshot_created", "brain_snapshot_restored",
         "brain_data_imported"),
    ),
}  # fmt: skip
"""By kind what it is called, and its events; none for all."""

_SAID: Final = {
    "memory_created": "Written",
    "memory_updated": "Edited",
    "memory_deleted": "Deleted",
    "memory_merged": "Merged",
    "memory_consolidated": "Consolidated",
    "memory_forget_soft": "Archived",
    "memory_forget_hard": "Deleted for good",
    "memory_reinforced": "Reinforced",
    "memory_decayed": "Decayed",
    "objective_upserted": "Objective set",
    "memory_link_created": "Linked",
    "memory_link_updated": "Link changed",
    "memory_link_removed": "Link removed",
    "memory_conflict_resolved": "Conflict decided",
    "memory_source_trust_set": "Trust",
    "memory_entity_resolved": "Named as the same thing",
    "brain_policy_set": "Rules changed",
    "brain_snapshot_created": "Snapshot taken",
    "brain_snapshot_restored": "Snapshot restored",
    "brain_data_imported": "Data imported",
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
        ends = [title_of(_text(payload, name)) or "a deleted memory" for name in _ENDS]
        relation = _text(payload, "relation_type") or "linked to"
        about = f"{ends[0]} — {relation} → {ends[1]}"
    elif memory_id:
        about = title_of(memory_id) or _text(payload, "title") or "a memory that is gone"
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
        f"{what} (a step taken back)" if is_undo else what,
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
        return f"Trust set to {trust:.2f}" if is_number else "Trust cleared"
    if entry.event_type == "memory_conflict_resolved":
        return f"Conflict: {_text(payload, 'status').replace('_', ' ') or 'decided'}"
    names = _changed(payload)
    if entry.event_type == "memory_updated" and _is_restored(payload):
        return "Brought back from the archive"
    if entry.event_type == "memory_updated" and names:
        if names == ["archived"]:
            return "Brought back from the archive"
        if names == ["updated_at"]:
            return "Still true"
        return f"Edited {', '.join(FIELD_NAMES.get(one, one.replace('_', ' ')) for one in names)}"
    if entry.event_type == "brain_policy_set" and names:
        return f"Rules changed: {', '.join(name.replace('_', ' ') for name in names)}"
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
        return ["archived" if name == "archived_at" else name for name in moved]
    return []


def _many(payload: Mapping[str, Any], first: str) -> str:
    for name in ("decayed_count", "updated_count", "count"):
        count = payload.get(name)
        if isinstance(count, int) and count > 1:
            others = "one other" if count == 2 else f"{count - 1:,} others"
            return f"{first} and {others}"
    return first


def _text(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""
