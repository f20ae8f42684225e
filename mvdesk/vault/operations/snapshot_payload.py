"""What a snapshot of a brain holds: JSON of the schema `brain_snapshot_v1`.

It is a server's format. Ours adds what the server leaves out (recall counts, the times of
links), which a server passes over; both are read, row by row: one that makes no sense is
named, and the rest stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mvdesk.errors import VaultError
from mvdesk.scoring.signals import normalise_source_key
from mvdesk.vault.brain_state import LINK_COLUMNS, MEMORY_COLUMNS
from mvdesk.vault.json_stream import JsonStream
from mvdesk.vault.operations.conflicts import pair_key
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from mvdesk.vault.brain_state import BrainState
    from mvdesk.vault.plan import Value

SCHEMA: Final = "brain_snapshot_v1"
MAX_PAYLOAD_BYTES: Final = 256_000_000
"""Larger ones are neither made nor read: they would take gigabytes of memory as JSON."""

RECALL_COLUMNS: Final = ("access_count", "last_accessed_at", "last_decayed_at")

_MAX_TIME: Final = 2**53

Row: TypeAlias = "dict[str, Value]"
Reader: TypeAlias = "Callable[[object], Value]"


@dataclass(frozen=True, slots=True)
class SnapshotPayload:
    """The rows of a snapshot by what tells them apart, with the columns that it names.

    Memories and links are by id, trust by source key, aliases by the id of the alias,
    resolutions by `pair_key`. Values are of the right kind; whether a vault takes them
    (types, relations, ranges) is for the plan. `unfit` are sentences about rows that can't be
    read, `unfit_ids` the ids that those have. `policy` is None where there is none.

    `same_memories` and `same_links` are those that were found to be as they are in the brain:
    they are not among `memories` and `links`.
    """

    include_archived: bool
    memories: Mapping[str, Row]
    links: Mapping[str, Row]
    same_memories: Collection[str]
    same_links: Collection[str]
    trust: Mapping[str, Row]
    aliases: Mapping[str, Row]
    resolutions: Mapping[str, Row]
    policy: Mapping[str, object] | None
    unfit: tuple[str, ...]
    unfit_ids: frozenset[str]

    @property
    def memory_count(self) -> int:
        """How many memories it holds that can be read."""
        return len(self.memories) + len(self.same_memories)

    @property
    def link_count(self) -> int:
        """How many links it holds that can be read."""
        return len(self.links) + len(self.same_links)


def check_size(payload_bytes: int, *, made: bool = False) -> None:
    """Raise VaultError for a payload that is too large."""
    if payload_bytes <= MAX_PAYLOAD_BYTES:
        return
    size = tr(
        "{payload_bytes:.0f} MB; at most {max_payload_bytes:.0f} MB can be",
        payload_bytes=payload_bytes / 1000000.0,
        max_payload_bytes=MAX_PAYLOAD_BYTES / 1000000.0,
    )
    raise VaultError(
        tr("The snapshot would be {size} kept.", size=size)
        if made
        else tr("The snapshot is {size} read.", size=size),
        tr("Nothing was changed."),
        tr("Make a backup of the vault instead (`mvdesk backup`).")
        if made
        else tr("Restore a backup of the vault instead (`mvdesk backup VAULT --list`)."),
    )


def read_payload(pieces: str | Iterable[str], state: BrainState | None = None) -> SnapshotPayload:
    """The rows in a snapshot's text, which may come in pieces.

    With the `state` of the brain it is restored to, rows that are the same there are named
    only, which saves most of the time and room. Raises VaultError when it is no snapshot.
    """
    rows = _Rows(state)
    try:
        rows.read(JsonStream([pieces] if isinstance(pieces, str) else pieces))
    except (ValueError, RecursionError) as error:
        raise _damaged(tr("it is not JSON"), str(error)) from error
    return rows.payload()


class _Kind:
    """Collects the rows of one list, and those that the brain has just so."""

    def __init__(
        self,
        columns: Mapping[str, Reader],
        key_of: Callable[[Mapping[str, Any]], str],
        optional: Mapping[str, Reader] | None = None,
        stored: Mapping[str, tuple[object, ...]] | None = None,
        names: Sequence[str] = ("id", ""),
    ) -> None:
        """`stored` are plain rows by id, with the columns `names`."""
        self._readers = {**columns, **(optional or {})}
        self._may_be_missing = _MAY_BE_MISSING | (optional or {}).keys()
        self._key_of = key_of
        self._stored = stored or {}
        self._names = names
        self._cells_of = itemgetter(*names)
        self.rows: dict[str, Row] = {}
        self.same: dict[str, None] = {}  # in the snapshot's order

    def take(self, cells: object) -> None:
        """Add one row. Raises _Unfit when it makes no sense."""
        if not isinstance(cells, dict):
            raise _Unfit(tr("is no row"))
        stored = self._stored.get(cells.get("id", ""))
        if stored is not None and self._is_same(cells, stored):
            key = str(stored[0])  # not the one just read: it is there already
            if key not in self.rows:
                self.same[key] = None
                return
        key = self._key_of(cells)
        row = _read_row(cells, self._readers, self._may_be_missing)
        # Of several rows about one thing the last one counts, in whatever order.
        other = self.rows.get(key)
        if key in self.same:
            cells = dict(zip(self._names, self._stored[key], strict=True))
            other = _read_row(cells, self._readers, ())
        if other is None or _later(row, other):
            self.rows[key] = row
            self.same.pop(key, None)

    def _is_same(self, cells: dict[str, Any], stored: tuple[object, ...]) -> bool:
        try:
            return bool(self._cells_of(cells) == stored)
        except KeyError:
            return False


class _Rows:
    """Reads a payload member by member, and keeps what can't be read as sentences."""

    def __init__(self, state: BrainState | None) -> None:
        by_id = partial(_key, name="id")
        memories, links = (state.memories.rows, state.links.rows) if state else (None, None)
        self._kinds = {
            "memories": _Kind(_MEMORY, by_id, _TIMES_OF_USE, memories, MEMORY_COLUMNS),
            "links": _Kind(_LINK, by_id, None, links, LINK_COLUMNS),
            "source_trust": _Kind(_TRUST, _source_key),
            "aliases": _Kind(_ALIAS, partial(_key, name="alias_memory_id")),
            "conflict_resolutions": _Kind(_RESOLUTION, _pair),
        }
        self._lists: set[str] = set()
        self._plain: dict[str, Any] = {}
        self._unfit: dict[str, list[str]] = {name: [] for name in self._kinds}
        self._unfit_ids: set[str] = set()

    def read(self, stream: JsonStream) -> None:
        """Raises ValueError for what is no JSON, VaultError for what is no snapshot."""
        if not stream.starts_with("{"):
            found = stream.value()
            stream.end()
            raise _damaged(
                tr("it is of another kind"), tr("schema {name!r}", name=type(found).__name__)
            )
        for name in stream.members():
            if name in self._kinds and stream.starts_with("["):
                self._lists.add(name)
                for number, cells in enumerate(stream.items()):
                    self._take(name, number, cells)
            else:
                self._plain[name] = stream.value()
        stream.end()

    def payload(self) -> SnapshotPayload:
        """All that was read. Raises VaultError for what is no snapshot."""
        if self._plain.get("schema") != SCHEMA:
            found = self._plain.get("schema")
            raise _damaged(tr("it is of another kind"), tr("schema {what!r}", what=str(found)[:40]))
        for name in self._kinds:
            lacks = name not in self._lists
            if lacks and (name == "memories" or self._plain.get(name) is not None):
                raise _damaged(tr("it has no list of {name}", name=name.replace("_", " ")))
        rows = {name: kind.rows for name, kind in self._kinds.items()}
        policy = self._plain.get("policy")
        return SnapshotPayload(
            include_archived=self._plain.get("include_archived") is True,
            memories=rows["memories"],
            links=rows["links"],
            same_memories=self._kinds["memories"].same,
            same_links=self._kinds["links"].same,
            trust=rows["source_trust"],
            aliases=rows["aliases"],
            resolutions=rows["conflict_resolutions"],
            policy=policy if isinstance(policy, dict) else None,
            unfit=tuple(sentence for found in self._unfit.values() for sentence in found),
            unfit_ids=frozenset(self._unfit_ids),
        )

    def _take(self, name: str, number: int, cells: object) -> None:
        try:
            self._kinds[name].take(cells)
        except _Unfit as error:
            self._unfit[name].append(f"{name}[{number}] {error}.")
            if isinstance(cells, dict) and isinstance(cells.get("id"), str):
                self._unfit_ids.add(cells["id"])


class _Unfit(Exception):
    """A row makes no sense; the message continues "memories[3] …"."""


def _read_row(
    cells: Mapping[str, Any], readers: Mapping[str, Reader], may_be_missing: Collection[str]
) -> Row:
    row: Row = {}
    for name, reader in readers.items():
        if name not in cells and name in may_be_missing:
            continue  # as it is in the vault, or as it is for a new row
        try:
            row[name] = reader(cells.get(name))
        except _Unfit as error:
            raise _Unfit(tr("has a wrong {name}: {error}", name=name, error=error)) from error
    return row


def _later(row: Row, other: Row) -> bool:
    one, two = row.get("updated_at"), other.get("updated_at")
    return not (isinstance(one, int) and isinstance(two, int)) or one >= two


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _Unfit(tr("expected text, not {named}", named=_named(value)))
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise _Unfit(
                tr("half of a character at position {start}", start=error.start + 1)
            ) from error
    return value


def _nullable_text(value: object) -> str | None:
    return None if value is None else _text(value)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        raise _Unfit(tr("expected a number, not {named}", named=_named(value)))
    return float(value)


def _time(value: object) -> int:
    if type(value) is int and -_MAX_TIME <= value <= _MAX_TIME:  # nearly always
        return value
    number = _number(value)
    if abs(number) > _MAX_TIME:
        raise _Unfit(tr("{named} is no time", named=_named(value)))
    return math.floor(number)


def _nullable_time(value: object) -> int | None:
    return None if value is None else _time(value)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def _key(cells: Mapping[str, Any], name: str) -> str:
    value = cells.get(name)
    if not isinstance(value, str) or not value:
        raise _Unfit(tr("has no {name}", name=name))
    try:
        return _text(value)
    except _Unfit as error:
        raise _Unfit(tr("has a wrong {name}: {error}", name=name, error=error)) from error


def _source_key(cells: Mapping[str, Any]) -> str:
    return _key({"source_key": normalise_source_key(_key(cells, "source_key"))}, "source_key")


def _pair(cells: Mapping[str, Any]) -> str:
    return pair_key(_key(cells, "a_id"), _key(cells, "b_id"))


def _named(value: object) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"


_MEMORY: Final[Mapping[str, Reader]] = {
    "type": _text,
    "title": _nullable_text,
    "key": _nullable_text,
    "content": _text,
    "tags": _nullable_text,
    "source": _nullable_text,
    "confidence": _number,
    "importance": _number,
    "archived_at": _nullable_time,
    "created_at": _time,
    "updated_at": _time,
}
_TIMES_OF_USE: Final[Mapping[str, Reader]] = {
    "access_count": _time,
    "last_accessed_at": _nullable_time,
    "last_decayed_at": _nullable_time,
}
_LINK: Final[Mapping[str, Reader]] = {
    "from_id": _text,
    "to_id": _text,
    "relation_type": _text,
    "label": _nullable_text,
    "created_at": _time,
}
_TRUST: Final[Mapping[str, Reader]] = {
    "trust": _number,
    "notes": _nullable_text,
    "created_at": _time,
    "updated_at": _time,
}
_ALIAS: Final[Mapping[str, Reader]] = {
    "canonical_memory_id": _text,
    "note": _nullable_text,
    "confidence": _number,
    "created_at": _time,
    "updated_at": _time,
}
_RESOLUTION: Final[Mapping[str, Reader]] = {
    "pair_key": _text,
    "a_id": _text,
    "b_id": _text,
    "status": _text,
    "canonical_id": _nullable_text,
    "note": _nullable_text,
    "created_at": _time,
    "updated_at": _time,
}
CELLS: Final[Mapping[str, tuple[str, ...]]] = {
    "source_trust": ("source_key", *_TRUST),
    "aliases": ("alias_memory_id", *_ALIAS),
    "conflict_resolutions": tuple(_RESOLUTION),
}
"""What is kept of what isn't a memory or a link."""
_MAY_BE_MISSING: Final = frozenset(
    {"title", "key", "tags", "source", "confidence", "importance", "archived_at", "created_at"}
    | {"updated_at", "label", "notes", "note", "canonical_id", "pair_key"}
)


def _damaged(problem: str, details: str = "") -> VaultError:
    return VaultError(
        tr("This snapshot can't be read: {problem}.", problem=problem),
        tr("Nothing was changed."),
        tr("Choose another snapshot (`mvdesk snapshot VAULT list`) or a backup."),
        details,
    )
