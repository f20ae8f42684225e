"""What a plan would write, as rows of text: which row, what of it, from what to what, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, overload

from mvdesk.records import shortened
from mvdesk.ui.moments import format_minute

if TYPE_CHECKING:
    from mvdesk.vault.plan import Plan, RowChange, Value

TITLES: Final = ("What", "Before", "After", "Why")

_TIMES: Final = frozenset(
    {"created_at", "updated_at", "archived_at", "last_accessed_at", "last_decayed_at"}
)
_UNSAID: Final = frozenset({"id", "brain_id", "payload_json"})
_LONGEST: Final = 120


class PlanRows(Sequence[tuple[str, ...]]):
    """One row of texts per change, made when asked for: a plan may have a hundred thousand."""

    def __init__(self, plan: Plan) -> None:
        self._changes = plan.changes

    def __len__(self) -> int:
        return len(self._changes)

    @overload
    def __getitem__(self, place: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[str, ...], ...]: ...
    def __getitem__(self, place: int | slice) -> tuple[str, ...] | tuple[tuple[str, ...], ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(len(self))))
        return _row(self._changes[place])


def _row(change: RowChange) -> tuple[str, ...]:
    before, after = change.before, change.after
    label = shortened(change.key.label)
    if before is None:
        return label, "is not there", "is made", change.why
    if after is None:
        return label, "is there", "is deleted", change.why
    names = [name for name in change.written if name not in _UNSAID]
    return (
        label,
        ", ".join(f"{_title(name)} {_format(name, before.get(name))}" for name in names),
        ", ".join(f"{_title(name)} {_format(name, after.get(name))}" for name in names),
        change.why,
    )


def describe_difference(change: RowChange, *, made: str, gone: str) -> tuple[str, str]:
    """Which row, and value by value what became of it."""
    before, after = change.before, change.after
    label = shortened(change.key.label)
    if before is None or after is None:
        return label, made if before is None else gone
    names = [name for name in change.written if name not in _UNSAID]
    pairs = (
        (name, _format(name, before.get(name)), _format(name, after.get(name))) for name in names
    )
    return label, ", ".join(f"{_title(name)} {one} → {other}" for name, one, other in pairs)


def _title(column: str) -> str:
    return column.removesuffix("_at").replace("_", " ")


def _format(column: str, value: Value) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if column in _TIMES and isinstance(value, int | float):
        return format_minute(int(value))
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
