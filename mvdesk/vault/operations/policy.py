"""The rules of a brain: how long memories stay fresh, how much the graph looks at."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from mvdesk.errors import BadValue
from mvdesk.vault.plan import POLICIES, LogEntry, Plan, RowChange, RowKey
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.records import StoredPolicy
    from mvdesk.vault.plan import Value

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "decay_days": (1, 3650),
    "max_inferred_edges": (20, 5000),
    "min_link_suggestion_score": (0, 1),
    "retention_days": (7, 36500),
    "snapshot_retention": (1, 500),
    "path_max_hops": (1, 8),
    "subgraph_default_radius": (1, 6),
}
"""The least and the most of every rule that is a number."""

_FRACTIONS: Final = {"min_link_suggestion_score"}
_LARGEST_SHOWN: Final = 10**15


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules in force. Follows vault.md, `brain_policies`; numbers are within `RANGES`."""

    decay_days: int = 30
    max_inferred_edges: int = 360
    min_link_suggestion_score: float = 0.25
    retention_days: int = 3650
    private_mode: bool = True
    snapshot_retention: int = 50
    path_max_hops: int = 5
    subgraph_default_radius: int = 2

    def clamped(self, changes: Mapping[str, object]) -> Policy:
        """With other rules, moved into range; what is no number, or no rule, changes nothing."""
        clean: dict[str, Any] = {}
        for name, (low, high) in RANGES.items():
            value = changes.get(name)
            if _is_number(value):
                number = min(max(value, low), high)
                clean[name] = float(number) if name in _FRACTIONS else math.floor(number)
        if isinstance(changes.get("private_mode"), bool):
            clean["private_mode"] = changes["private_mode"]
        return replace(self, **clean)

    def to_json(self) -> dict[str, Any]:
        """The rules by the server's names."""
        return asdict(self)


def policy_of(stored: StoredPolicy | None) -> Policy:
    """The rules in force; what the file leaves out or spells strangely is the default."""
    return Policy().clamped(_read(stored))


def plan_set_policy(
    stored: StoredPolicy | None, changes: Mapping[str, object], *, brain_id: str, now: int
) -> Plan:
    """Other values for some rules; the plan is empty when they have them already.

    Rules that we don't know stay as the file has them. Raises BadValue for a rule that there
    isn't, a value of the wrong kind or one outside its range.
    """
    wanted = {name: _clean(name, value) for name, value in changes.items()}
    old = policy_of(stored)
    before, after = old.to_json(), {**old.to_json(), **wanted}
    label = tr("Change the policy")
    if before == after:
        return Plan(label, brain_id, (), ())
    named = ", ".join(name for name in after if before[name] != after[name])
    return _plan(label, stored, before, after, tr("changed {named}", named=named), brain_id, now)


def find_policy_problems(stored: StoredPolicy | None) -> list[str]:
    """What of the stored rules can't be read as it stands, a sentence each."""
    if stored is None:
        return []
    try:
        data = json.loads(stored.policy_json)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        return [tr("The rules in the file are broken JSON, so every rule is at its default.")]
    used = policy_of(stored).to_json()
    return [
        tr(
            "{name} is {what} in the file; {dumps} is used.",
            name=name,
            what=json.dumps(data[name])[:40],
            dumps=json.dumps(value),
        )
        for name, value in used.items()
        if name in data and not _is_as_read(data[name], value)
    ]


def _is_as_read(stored: object, used: object) -> bool:
    return stored == used and isinstance(stored, bool) == isinstance(used, bool)


def plan_repair_policy(stored: StoredPolicy | None, *, brain_id: str, now: int) -> Plan:
    """Write the rules in force over what can't be read; rules that we don't know stay.

    Empty when there is nothing to repair.
    """
    label = tr("Repair the policy")
    if not find_policy_problems(stored):
        return Plan(label, brain_id, (), ())
    rules = policy_of(stored).to_json()
    return _plan(label, stored, rules, rules, tr("repaired"), brain_id, now)


def _plan(
    label: str,
    stored: StoredPolicy | None,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    why: str,
    brain_id: str,
    now: int,
) -> Plan:
    text = json.dumps({**_read(stored), **after}, separators=(",", ":"), ensure_ascii=False)
    key = RowKey(POLICIES, brain_id, tr("The policy"))
    if stored is None:
        row: dict[str, Value] = {
            "brain_id": brain_id,
            "policy_json": text,
            "created_at": now,
            "updated_at": now,
        }
        change = RowChange(key, None, row, why)
    else:
        change = RowChange(
            key,
            {"policy_json": stored.policy_json, "updated_at": stored.updated_at},
            {"policy_json": text, "updated_at": now},
            why,
        )
    entry = LogEntry(
        "brain_policy_set",
        "brain_policy",
        brain_id,
        "Updated brain policy",
        {**after, "before": dict(before), "after": dict(after)},
    )
    return Plan(label, brain_id, (change,), (entry,))


def _read(stored: StoredPolicy | None) -> dict[str, object]:
    try:
        data = json.loads(stored.policy_json) if stored else {}
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _clean(name: str, value: object) -> int | float | bool:
    if name == "private_mode":
        if not isinstance(value, bool):
            raise BadValue(name, tr("expected yes or no, not {shown}.", shown=_shown(value)))
        return value
    if name not in RANGES:
        known = ", ".join(field.name for field in fields(Policy))
        raise BadValue(
            name, tr("there is no such rule."), tr("The rules are {known}.", known=known)
        )
    low, high = RANGES[name]
    whole = name not in _FRACTIONS
    if not _is_number(value) or not low <= value <= high or (whole and value != int(value)):
        kind = tr("a whole number") if whole else tr("a number")
        said = tr(
            "expected {kind} from {low:g} to {high:g}, not {shown}.",
            kind=kind,
            low=low,
            high=high,
            shown=_shown(value),
        )
        raise BadValue(name, said)
    return int(value) if whole else float(value)


def _shown(value: object) -> str:
    """A refused value as a person would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value) if abs(value) < _LARGEST_SHOWN else tr("a number beyond all use")
    if isinstance(value, float):
        return f"{value:.15g}"
    return "nothing" if value is None else f"“{str(value)[:40]}”"


def _is_number(value: object) -> TypeGuard[int | float]:
    """Also a whole number that is too large for a fraction."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)
