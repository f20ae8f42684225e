"""What a plan would write, as rows of text: which row, what of it, from what to what, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mvdesk.records import shortened
from mvdesk.ui.models.made_rows import MadeRows
from mvdesk.ui.moments import format_minute
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.vault.plan import Plan, RowChange, Value

TITLES: Final = (tr("What"), tr("Before"), tr("After"), tr("Why"))

_TIMES: Final = frozenset(
    {"created_at", "updated_at", "archived_at", "last_accessed_at", "last_decayed_at"}
)
_UNSAID: Final = frozenset({"id", "brain_id", "payload_json"})
_LONGEST: Final = 120


def plan_rows(plan: Plan) -> Sequence[tuple[str, ...]]:
    """One row of texts per change."""
    changes = plan.changes
    return MadeRows(len(changes), lambda place: _row(changes[place]))


def _row(change: RowChange) -> tuple[str, ...]:
    before, after = change.before, change.after
    label = shortened(change.key.label)
    if before is None:
        return label, tr("is not there"), tr("is made"), change.why
    if after is None:
        return label, tr("is there"), tr("is deleted"), change.why
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
        return tr("{value} bytes", value=len(value))
    if column in _TIMES and isinstance(value, int | float):
        return format_minute(int(value))
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
