"""How a memory came into the archive, as far as the changelog tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from mvdesk.vault import rules
from mvdesk.vault.log_payload import read_log_payload

if TYPE_CHECKING:
    from mvdesk.records import HistoryEntry
    from mvdesk.vault.vault import Vault

Way = Literal["alone", "many", "merged", "undone", "restored", "imported", "untold"]

_EVENTS: Final = (
    "memory_forget_soft",
    "memory_merged",
    "memory_consolidated",
    "memory_updated",
    "brain_snapshot_restored",
    "brain_data_imported",
)
_OF_ALL: Final[dict[str, Way]] = {
    "brain_snapshot_restored": "restored",
    "brain_data_imported": "imported",
}
"""What may have put memories there without naming each."""


@dataclass(frozen=True, slots=True)
class ArchiveReason:
    """`at` is epoch seconds, None where the log doesn't tell.

    `others` came with it; `into_id` is the memory that it was merged into.
    """

    way: Way
    at: int | None = None
    others: int = 0
    into_id: str = ""


def find_archive_reason(vault: Vault, memory_id: str, archived_at: int) -> ArchiveReason:
    """The newest line of the changelog that put a memory into the archive.

    Looks at every line that names it. Lines of the very second count that name no memory,
    such as a restored snapshot's.
    """
    lines = rules.read_history(vault, naming=memory_id, event_types=_EVENTS)
    for line in lines:
        if (reason := _reason(line, memory_id)) is not None:
            return reason
    whole = rules.read_history(
        vault, since=archived_at, until=archived_at + 1, event_types=tuple(_OF_ALL)
    )
    if whole:
        return ArchiveReason(_OF_ALL[whole[0].event_type], whole[0].created_at)
    return ArchiveReason("untold")


def _reason(line: HistoryEntry, memory_id: str) -> ArchiveReason | None:
    payload = read_log_payload(line)
    if line.event_type == "memory_updated":
        after = payload.get("after")
        puts_back = isinstance(after, dict) and isinstance(after.get("archived_at"), int)
        if line.entity_id == memory_id and puts_back and "undo_of" in payload:
            return ArchiveReason("undone", line.created_at)
        return None
    if line.event_type == "memory_forget_soft":
        ids = payload.get("ids")
        count = len(ids) if isinstance(ids, list) else 1
        if line.entity_id != memory_id and not (isinstance(ids, list) and memory_id in ids):
            return None
        way: Way = "undone" if "undo_of" in payload else "many" if count > 1 else "alone"
        return ArchiveReason(way, line.created_at, max(count - 1, 0))
    ids = payload.get("archived_ids", payload.get("source_ids"))
    if not isinstance(ids, list) or memory_id not in ids:
        return None
    into = payload.get("primary_id", line.entity_id)
    return ArchiveReason("merged", line.created_at, 0, str(into))
