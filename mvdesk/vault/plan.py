"""What an operation would do, row by row: shown as preview, written by `apply`, kept for undo."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, overload

import numpy as np

from mvdesk.store.cells import BrokenText

Value = str | int | float | bytes | None
"""What a cell holds. Bytes stand for a foreign file's BLOB, or as `BrokenText` for its text that is
none, which we write back as it was."""

MEMORIES: Final = "memories"
LINKS: Final = "memory_links"
TRUST: Final = "brain_source_trust"
RESOLUTIONS: Final = "memory_conflict_resolutions"
POLICIES: Final = "brain_policies"
SNAPSHOTS: Final = "brain_snapshots"
ALIASES: Final = "memory_entity_aliases"


_LONG: Final = 64
_ROWS_PER_LINE: Final = 250
"""Of a plan in the journal: read and written within a few milliseconds."""
_SIMPLE: Final = frozenset({str, int, float, bool, type(None)})
_LINES: Final = "\n"  # no payload has such a name


@dataclass(frozen=True, slots=True)
class RowKey:
    """One row of one table. `label` is how messages name it."""

    table: str
    id: str
    label: str


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row before and after.

    `before` is None for a row that is made, `after` for one that is deleted. Both hold the
    columns that are written and those that must not have moved since the preview was made.
    `why` says for people what made the operation change this row.
    """

    key: RowKey
    before: Mapping[str, Value] | None
    after: Mapping[str, Value] | None
    why: str

    @property
    def written(self) -> dict[str, Value]:
        """The columns that get another value; every column for a row that is made."""
        if self.after is None:
            return {}
        before = self.before
        if before is None:
            return dict(self.after)
        return {
            column: value
            for column, value in self.after.items()
            if column not in before or not is_same_value(before[column], value)
        }

    def inverse(self) -> RowChange:
        """The change that takes this one back."""
        return RowChange(self.key, self.after, self.before, self.why)


@dataclass(frozen=True, slots=True, eq=False)
class ColumnChanges(Sequence[RowChange]):
    """Changes of the same columns in many rows of one table, kept column by column.

    A sequence of `RowChange` like any other, made when asked for: a hundred thousand of them
    would take longer to make, to keep in the journal and to write than what they say. `before`
    and `after` have a list of values, all of them texts or numbers, for each of `columns`.
    """

    table: str
    ids: list[str]
    labels: list[str]
    reasons: list[str]
    columns: tuple[str, ...]
    before: tuple[list[Value], ...]
    after: tuple[list[Value], ...]

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> RowChange: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[RowChange, ...]: ...
    def __getitem__(self, place: int | slice) -> RowChange | tuple[RowChange, ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(len(self))))
        return RowChange(
            RowKey(self.table, self.ids[place], self.labels[place]),
            {name: cells[place] for name, cells in zip(self.columns, self.before, strict=True)},
            {name: cells[place] for name, cells in zip(self.columns, self.after, strict=True)},
            self.reasons[place],
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ColumnChanges) and self.to_data() == other.to_data()

    __hash__ = None  # type: ignore[assignment] # its lists may change, as far as Python knows

    @property
    def names_memories_only(self) -> bool:
        """Whether nothing but the memories themselves can tell what these touch."""
        return self.table == MEMORIES and "source" not in self.columns

    def inverse(self) -> ColumnChanges:
        """The changes that take these back."""
        return replace(self, before=self.after, after=self.before)

    def to_data(self) -> list[Any]:
        """All of it as JSON data."""
        return [
            self.table,
            _dense(self.ids),
            _dense(self.labels),
            _dense(self.reasons),
            list(self.columns),
            [_dense(cells) for cells in self.before],
            [_dense(cells) for cells in self.after],
        ]

    @classmethod
    def from_data(cls, data: list[Any]) -> ColumnChanges:
        """What `to_data` gave. Raises TypeError or ValueError for something else."""
        table, *texts, columns, before, after = data
        ids, labels, reasons = (_loose(cells) for cells in texts)
        before, after = ([_loose(cells) for cells in side] for side in (before, after))
        made = cls(table, ids, labels, reasons, tuple(columns), tuple(before), tuple(after))
        lists = (labels, reasons, *before, *after)
        if not len(columns) == len(before) == len(after) or any(
            len(cells) != len(ids) for cells in lists
        ):
            raise ValueError("the columns have different lengths")
        return made


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One row of the changelog, under the server's event names.

    `payload` holds the server's own keys and, where there is something to tell, `before`
    and `after` by column. `id` is the changelog row's once it was written.
    """

    event_type: str
    entity_type: str
    entity_id: str
    summary: str
    payload: Mapping[str, object]
    id: str = ""

    def with_id(self, row_id: str) -> LogEntry:
        """The same as the row of the changelog with this id."""
        return LogEntry(
            self.event_type, self.entity_type, self.entity_id, self.summary, self.payload, row_id
        )

    def inverse(self) -> LogEntry:
        """The entry that undoing logs: the opposite event, and which one it undoes."""
        event_type, summary = INVERSE_EVENTS.get(self.event_type, (self.event_type, self.summary))
        payload = dict(self.payload)
        if "before" in payload or "after" in payload:
            before, after = payload.get("after"), payload.get("before")
            # Keys at the top say what is true now, as on the server: trust, relation_type.
            if isinstance(after, Mapping):
                payload.update({name: after[name] for name in payload if name in after})
            payload["before"], payload["after"] = before, after
        payload["undo_of"] = self.id
        return LogEntry(event_type, self.entity_type, self.entity_id, summary, payload)


INVERSE_EVENTS: Final[Mapping[str, tuple[str, str]]] = {
    "memory_created": ("memory_deleted", "Deleted memory"),
    "memory_deleted": ("memory_created", "Created memory"),
    "memory_forget_soft": ("memory_updated", "Updated memory"),
    "memory_forget_hard": ("memory_created", "Created memory"),
    "memory_link_created": ("memory_link_removed", "Removed memory link"),
    "memory_link_removed": ("memory_link_created", "Created memory link"),
}
"""Event and summary that undoing logs, where they differ from those of the step."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything one action would write. `label` names it in menus: "Edit Rent rises"."""

    label: str
    brain_id: str
    changes: Sequence[RowChange]
    log: tuple[LogEntry, ...]

    @property
    def is_empty(self) -> bool:
        """Applying it would write nothing."""
        return not self.changes

    def inverse(self) -> Plan:
        """The plan that takes this one back, last row first."""
        changes = self.changes
        return replace(
            self,
            changes=changes.inverse()
            if isinstance(changes, ColumnChanges)
            else tuple(change.inverse() for change in reversed(changes)),
            log=tuple(entry.inverse() for entry in reversed(self.log)),
        )

    @property
    def makes_snapshots(self) -> bool:
        """Whether it makes rows that hold a whole brain."""
        changes = self.changes
        return not isinstance(changes, ColumnChanges) and any(map(_makes_snapshot, changes))

    def without_snapshots(self) -> Plan:
        """The plan as it is kept while it is done: undo needs no more of a snapshot than its id.

        A large one would push all older steps out of the journal.
        """
        slim = tuple(
            replace(change, after={"id": change.key.id}) if _makes_snapshot(change) else change
            for change in self.changes
        )
        return replace(self, changes=slim)

    def to_json(self) -> str:
        """The plan as text for the journal."""
        # In lines of some rows each: Python lets nobody else run while it writes or reads one.
        columns = self.changes if isinstance(self.changes, ColumnChanges) else None
        rows = () if columns else self.changes
        lines = []
        for at in range(0, max(len(rows), len(self.log), 1), _ROWS_PER_LINE):
            part: dict[str, object] = {}
            if at == 0:
                part = {"label": self.label, "brain_id": self.brain_id}
            if at == 0 and columns:
                part["column_changes"] = columns.to_data()
            elif not columns:
                part["changes"] = [_listed(row) for row in rows[at : at + _ROWS_PER_LINE]]
            part["log"] = [
                [e.event_type, e.entity_type, e.entity_id, e.summary, _dense(e.payload), e.id]
                for e in self.log[at : at + _ROWS_PER_LINE]
            ]
            lines.append(json.dumps(part, separators=(",", ":")))
        return "\n".join(lines)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """The plan that `to_json` wrote. Raises ValueError when it is something else."""
        try:
            # Not by splitlines: other line breaks may stand in a text that another hand wrote.
            parts = [json.loads(line) for line in text.split("\n")]
            data = parts[0]
            changes: Sequence[RowChange]
            if "column_changes" in data:
                changes = ColumnChanges.from_data(data["column_changes"])
            else:
                changes = tuple(
                    RowChange(
                        RowKey(table, row_id, label), _unpacked(before), _unpacked(after), why
                    )
                    for part in parts
                    for table, row_id, label, before, after, why in part["changes"]
                )
            log = tuple(
                LogEntry(event, kind, entity, summary, _loose(payload), row_id)
                for part in parts
                for event, kind, entity, summary, payload, row_id in part["log"]
            )
            return cls(data["label"], data["brain_id"], changes, log)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not a plan: {error}") from error


def _listed(change: RowChange) -> list[object]:
    key = change.key
    before, after = _packed(change.before), _packed(change.after)
    return [key.table, key.id, key.label, before, after, change.why]


def _makes_snapshot(change: RowChange) -> bool:
    return change.key.table == SNAPSHOTS and change.before is None


def _dense(data: object) -> object:
    """JSON data with long lists as one text each: a tenth of the time to write and to read."""
    if isinstance(data, Mapping):
        return {
            name: value if type(value) in _SIMPLE else _dense(value) for name, value in data.items()
        }
    if isinstance(data, list) and len(data) >= _LONG:
        kinds = set(map(type, data))
        for kind, code in ((float, "<f8"), (int, "<i8")):
            if kinds == {kind}:
                return {code: base64.b64encode(np.array(data, dtype=code).tobytes()).decode()}
        if kinds == {str} and (text := "\n".join(data)).count("\n") == len(data) - 1:
            return {_LINES: text}
    return data


def _loose(data: Any) -> Any:  # noqa: ANN401 (whatever JSON holds)
    """What `_dense` was given."""
    if not isinstance(data, dict):
        return data
    if data.keys() == {_LINES}:
        return data[_LINES].split("\n")
    for code in ("<f8", "<i8"):
        if data.keys() == {code}:
            return np.frombuffer(base64.b64decode(data[code]), dtype=code).tolist()
    return {
        name: value if type(value) in _SIMPLE else _loose(value) for name, value in data.items()
    }


def is_same_value(one: Value, other: Value) -> bool:
    """Equal as SQLite stores them: 1 and 1.0 differ, since undo restores the very bytes."""
    return type(one) is type(other) and one == other


def _packed(row: Mapping[str, Value] | None) -> dict[str, object] | None:
    if row is None:
        return None
    return {
        column: _packed_bytes(value) if isinstance(value, bytes) else value
        for column, value in row.items()
    }


def _packed_bytes(data: bytes) -> dict[str, str]:
    kind = "text" if isinstance(data, BrokenText) else "base64"
    return {kind: base64.b64encode(data).decode()}


def _unpacked(row: Mapping[str, Any] | None) -> dict[str, Value] | None:
    if row is None:
        return None
    return {
        column: _bytes_of(value) if isinstance(value, dict) else value
        for column, value in row.items()
    }


def _bytes_of(packed: Mapping[str, str]) -> bytes:
    if "text" in packed:
        return BrokenText(base64.b64decode(packed["text"]))
    return base64.b64decode(packed["base64"])
