"""When and by what the stored base of a score was changed last, as far as the changelog tells."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mvdesk.vault.log_payload import read_log_payload
from mvdesk.vault.rules import read_history
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mvdesk.records import HistoryEntry, Memory
    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.vault.vault import Vault

UPKEEP: Final = ("memory_decayed", "memory_reinforced")
_KINDS: Final[tuple[ScoreKind, ...]] = ("confidence", "importance")
_MOST_LINES: Final = 50
_MOST_RUNS: Final = 20
_MOST_MOVES: Final = 300_000
"""Memories that the remembered runs moved, all together; older runs are forgotten."""


@dataclass(frozen=True, slots=True)
class BaseChange:
    """The last change of a base. `how` completes "changed by …", "" for as it was written.

    `at` is epoch seconds; the values are None when not told.
    """

    how: str
    at: int
    before: float | None = None
    after: float | None = None

    def text(self, day: str) -> str:
        """A phrase: "changed last by an edit on 3 May 2026, from 0.6 to 0.7"."""
        if not self.how:
            return tr("as it was written on {day}", day=day)
        said = tr("changed last by {how} on {day}", how=self.how, day=day)
        if self.before is None or self.after is None:
            return said
        return tr(
            "{said}, from {before:.3g} to {after:.3g}",
            said=said,
            before=self.before,
            after=self.after,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """A run of upkeep: which memories it moved, sorted, and each base before and after."""

    line: HistoryEntry
    ids: np.ndarray
    places: np.ndarray
    moves: Mapping[str, tuple[list[Any], list[Any]]]

    def of(self, memory_id: str, kind: ScoreKind) -> tuple[float | None, float | None] | None:
        """What it made of a base; None when it left that one alone."""
        wanted = np.bytes_(memory_id.encode())
        at = int(np.searchsorted(self.ids, wanted))
        if at == len(self.ids) or self.ids[at] != wanted or kind not in self.moves:
            return None
        before, after = (_number(values[self.places[at]]) for values in self.moves[kind])
        return None if before == after else (before, after)


@dataclass(frozen=True, slots=True, eq=False)
class UpkeepLog:
    """The newest runs of decay and reinforcement, newest first: one line tells of many memories.

    Reading them takes a look at the whole changelog; `updated` reads what came since.
    """

    runs: tuple[_Run, ...] = ()
    seen: frozenset[str] = field(default_factory=frozenset)
    newest_at: int | None = None

    def updated(self, vault: Vault) -> UpkeepLog:
        """The same with the runs that were written since."""
        lines = read_history(vault, limit=_MOST_RUNS, since=self.newest_at, event_types=UPKEEP)
        fresh = [line for line in lines if line.id not in self.seen]
        if not fresh:
            return self
        runs, count = [], 0
        for run in (*map(_read_run, fresh), *self.runs):
            count += 0 if run is None else len(run.ids)
            if run is not None and count <= _MOST_MOVES:
                runs.append(run)
        return replace(
            self,
            runs=tuple(runs[:_MOST_RUNS]),
            seen=self.seen | {line.id for line in fresh},
            newest_at=fresh[0].created_at,
        )


def find_base_changes(
    vault: Vault, memory: Memory, log: UpkeepLog, label_of: Callable[[str], str | None]
) -> dict[ScoreKind, BaseChange]:
    """The newest change of each base that is known; `label_of` names a memory by its id."""
    lines = read_history(vault, limit=_MOST_LINES, entity_id=memory.id)
    found: dict[ScoreKind, BaseChange] = {}
    for kind in _KINDS:
        changes = [
            *_changes_of_lines(lines, memory.id, kind),
            *_changes_of_runs(log.runs, memory.id, kind, label_of),
        ]
        if memory.last_decayed_at is not None:  # a server tells no more of its runs than that
            changes.append(BaseChange(tr("a decay run"), memory.last_decayed_at))
        if changes:
            found[kind] = max(changes, key=lambda change: change.at)  # the first of equals
    return found


def _changes_of_lines(
    lines: Iterable[HistoryEntry], memory_id: str, kind: ScoreKind
) -> Iterable[BaseChange]:
    """The newest line about the memory itself that changed a base."""
    for line in lines:
        payload = read_log_payload(line)
        change = None
        if line.event_type == "memory_created" and "undo_of" not in payload:
            change = BaseChange("", line.created_at)
        elif line.event_type == "memory_updated" and _part(payload, "updated_fields").get(kind):
            before, after = (_number(_part(payload, side).get(kind)) for side in _SIDES)
            change = BaseChange(_named(tr("an edit"), payload), line.created_at, before, after)
        elif line.event_type == "memory_merged":
            before, after = (
                _number(_part(_part(payload, side), memory_id).get(kind)) for side in _SIDES
            )
            if before != after or before is None:
                change = BaseChange(_named(tr("a merge"), payload), line.created_at, before, after)
        elif line.event_type in UPKEEP and "memory_ids" not in payload:
            change = BaseChange(_named(_OWN[line.event_type], payload), line.created_at)
        if change is not None:
            yield change
            return


def _changes_of_runs(
    runs: Iterable[_Run], memory_id: str, kind: ScoreKind, label_of: Callable[[str], str | None]
) -> Iterable[BaseChange]:
    """The newest run that moved a base."""
    for run in runs:
        moved = run.of(memory_id, kind)
        if moved is not None:
            how = _OWN[run.line.event_type]
            if run.line.event_type == "memory_reinforced" and run.line.entity_id != memory_id:
                label = label_of(run.line.entity_id)
                how = (
                    tr("reinforcing “{label}”", label=label)
                    if label
                    else tr("reinforcing another memory")
                )
            yield BaseChange(_named(how, read_log_payload(run.line)), run.line.created_at, *moved)
            return


_SIDES: Final = ("before", "after")
_OWN: Final = {"memory_decayed": tr("a decay run"), "memory_reinforced": tr("reinforcing it")}


def _named(how: str, payload: Mapping[str, Any]) -> str:
    return tr("taking back {how}", how=how) if "undo_of" in payload else how


def _read_run(line: HistoryEntry) -> _Run | None:
    """A run as this program writes it; None for one that doesn't say which memories it moved."""
    payload = read_log_payload(line)
    ids = payload.get("memory_ids")
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
        return None
    moves: dict[str, tuple[list[Any], list[Any]]] = {}
    for kind in _KINDS:
        before, after = (_list(_part(payload, side).get(kind)) for side in _SIDES)
        if len(before) == len(after) == len(ids):
            moves[kind] = before, after
    names = np.array([one.encode() for one in ids], dtype=np.bytes_)
    places = np.argsort(names, kind="stable")
    return _Run(replace(line, payload=_told(payload)), names[places], places, moves)


def _told(payload: Mapping[str, Any]) -> str:
    """What is still to be known of a payload whose lists are kept otherwise."""
    return json.dumps({name: payload[name] for name in ("undo_of",) if name in payload})


def _part(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    part = values.get(name)
    return part if isinstance(part, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None
