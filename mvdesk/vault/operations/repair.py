"""Put right what a check found in rows: one step, which undo takes back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from mvdesk.records import (
    DEFAULT_BASE_CONFIDENCE,
    DEFAULT_BASE_IMPORTANCE,
    MEMORY_TYPES,
    RELATIONS,
    RESOLUTION_STATUSES,
)
from mvdesk.store.checking import MILLISECONDS, ORPHAN, RANGE, TIME, UNKNOWN, Finding
from mvdesk.vault.plan import LINKS, MEMORIES, TRUST, LogEntry, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mvdesk.vault.plan import Value

_DEFAULTS: Final[Mapping[tuple[str, str], float]] = {
    (MEMORIES, "confidence"): DEFAULT_BASE_CONFIDENCE,
    (MEMORIES, "importance"): DEFAULT_BASE_IMPORTANCE,
    (TRUST, "trust"): 0.5,
    ("memory_entity_aliases", "confidence"): 0.9,
    (MEMORIES, "access_count"): 0,
}
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "type": MEMORY_TYPES,
    "relation_type": RELATIONS,
    "status": RESOLUTION_STATUSES,
}
_LARGEST: Final = 2**53
"""Beyond it a number is no count and no time, in whatever unit."""
_MICROSECONDS_FROM: Final = 100_000_000_000_000

_EVENTS: Final[Mapping[str, tuple[str, str, str]]] = {
    MEMORIES: ("memory_updated", "memory", "Updated memory"),
    LINKS: ("memory_link_updated", "memory_link", "Updated link relation"),
}


def can_be_repaired(finding: Finding) -> bool:
    """Whether there is one obvious right value."""
    return finding.kind == ORPHAN or _mended(finding) is not _NOTHING


def plan_repair(findings: Sequence[Finding], *, brain_id: str) -> Plan:
    """Give cells the right value where that is obvious; the rest stays as it is.

    Numbers out of range are moved into it, times in milliseconds become seconds, unknown
    words what they nearly spell, else what a server reads them as. `updated_at` stays, unless
    it was wrong itself.
    """
    orphans = {finding.row_id for finding in findings if finding.kind == ORPHAN}
    cells: dict[tuple[str, str], dict[str, tuple[Value, Value]]] = {}
    for finding in findings:
        value = _mended(finding)
        if value is not _NOTHING and not (finding.table == LINKS and finding.row_id in orphans):
            row = cells.setdefault((finding.table, finding.row_id), {})
            row[finding.column] = (finding.value, value)  # type: ignore[assignment] # a cell
    changes = [
        RowChange(
            RowKey(table, row_id, tr("Row {row_id} of {table}", row_id=row_id, table=table)),
            {name: old for name, (old, _) in row.items()},
            {name: new for name, (_, new) in row.items()},
            "; ".join(
                tr(
                    "{name}: {shown} becomes {shown_2}",
                    name=name,
                    shown=_shown(old),
                    shown_2=_shown(new),
                )
                for name, (old, new) in row.items()
            ),
        )
        for (table, row_id), row in cells.items()
    ]
    return _plan(tr("Repair {counted}", counted=_counted(changes, "row")), brain_id, changes)


def plan_remove_orphans(findings: Sequence[Finding], *, brain_id: str) -> Plan:
    """Remove links without an end, a step of its own: a sound file doesn't take them back."""
    changes = [
        RowChange(
            RowKey(LINKS, finding.row_id, tr("The link {row_id}", row_id=finding.row_id)),
            {"id": finding.row_id, "from_id": finding.value},
            None,
            tr("leads to a memory that is gone"),
        )
        for finding in findings
        if finding.kind == ORPHAN
    ]
    return _plan(
        tr("Remove {counted} without an end", counted=_counted(changes, "link")), brain_id, changes
    )


def _plan(label: str, brain_id: str, changes: Sequence[RowChange]) -> Plan:
    log = tuple(_entry(change) for change in changes if change.key.table in _EVENTS)
    return Plan(label, brain_id, tuple(changes), log)


def _counted(changes: Sequence[RowChange], name: str) -> str:
    return f"{len(changes)} {name}{'' if len(changes) == 1 else 's'}"


_NOTHING: Final = object()


def _mended(finding: Finding) -> object:
    """The right value of a cell, `_NOTHING` where that is anybody's guess."""
    value = finding.value
    if finding.kind == RANGE:
        default = _DEFAULTS[finding.table, finding.column]
        if not isinstance(value, int | float) or math.isnan(value):
            return default
        if finding.column == "access_count":
            return max(int(value), 0) if abs(value) <= _LARGEST else default
        return min(max(float(value), 0.0), 1.0)
    if finding.kind == MILLISECONDS and isinstance(value, int | float) and value <= _LARGEST:
        return int(value) // (1_000_000 if value >= _MICROSECONDS_FROM else 1000)
    if finding.kind == TIME and isinstance(value, float) and 0 <= value <= _LARGEST:
        return math.floor(value)
    if finding.kind == UNKNOWN:
        words = _WORDS[finding.column]
        text = str(value).strip().lower().replace(" ", "_").replace("-", "_")
        return text if text in words else words[0]
    return _NOTHING


def _entry(change: RowChange) -> LogEntry:
    event, entity, summary = _EVENTS[change.key.table]
    if change.after is None:
        event, summary = "memory_link_removed", "Removed memory link"
    before = {name: _logged(value) for name, value in (change.before or {}).items()}
    after = None
    if change.after is not None:
        after = {name: _logged(value) for name, value in change.after.items()}
    payload = {"repair": True, "updated_fields": sorted(before), "before": before, "after": after}
    return LogEntry(event, entity, change.key.id, summary, payload)


def _logged(value: Value) -> Value:
    """As JSON can hold it."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _shown(value: Value) -> str:
    return "nothing" if value is None else str(_logged(value))[:40]
