"""When the stored base of a score was changed last, as far as the changelog tells."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mvdesk.vault.rules import read_history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.records import HistoryEntry
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.vault import Vault

WRITTEN: Final = "writing the memory"
_MOST_LINES: Final = 50


@dataclass(frozen=True, slots=True)
class BaseChange:
    """A change of a base. `how` completes "changed by …"; the values are None when not told."""

    how: str
    at: int
    before: float | None = None
    after: float | None = None


def read_base_changes(vault: Vault, memory_id: str) -> dict[ScoreKind, BaseChange]:
    """The newest change of each base that the changelog has about this memory."""
    lines = read_history(vault, limit=_MOST_LINES, entity_id=memory_id)
    found: dict[ScoreKind, BaseChange] = {}
    kinds: tuple[ScoreKind, ...] = ("confidence", "importance")
    for kind in kinds:
        change = find_base_change(lines, kind)
        if change is not None:
            found[kind] = change
    return found


def find_base_change(lines: Sequence[HistoryEntry], kind: ScoreKind) -> BaseChange | None:
    """The newest of some lines of the changelog, newest first, that changed a base."""
    for line in lines:
        payload = _payload(line)
        if line.event_type == "memory_created":
            return BaseChange(WRITTEN, line.created_at)
        if line.event_type == "memory_updated" and _fields(payload).get(kind):
            before, after = (_number(payload.get(side), kind) for side in ("before", "after"))
            return BaseChange("an edit", line.created_at, before, after)
        if line.event_type == "memory_reinforced":
            return BaseChange("reinforcing it", line.created_at)
        if line.event_type == "memory_decayed":
            return BaseChange("a decay", line.created_at)
    return None


def _payload(line: HistoryEntry) -> dict[str, Any]:
    try:
        payload = json.loads(line.payload or "{}")
    except ValueError:  # another program wrote it
        return {}
    return payload if isinstance(payload, dict) else {}


def _fields(payload: dict[str, Any]) -> dict[str, Any]:
    fields = payload.get("updated_fields")
    return fields if isinstance(fields, dict) else {}


def _number(values: object, kind: str) -> float | None:
    value = values.get(kind) if isinstance(values, dict) else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None  # type: ignore[arg-type]
