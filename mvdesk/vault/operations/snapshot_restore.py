"""Bring a brain back to what a snapshot holds, or add what the snapshot holds to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from mvdesk.errors import BadValue
from mvdesk.records import (
    MEMORY_TYPES,
    RELATIONS,
    RESOLUTION_STATUSES,
    label_for,
    shortened,
)
from mvdesk.vault.brain_state import LINK_COLUMNS
from mvdesk.vault.operations.conflicts import pair_key
from mvdesk.vault.operations.fields import MEMORY_FIELDS
from mvdesk.vault.operations.policy import plan_set_policy, policy_of
from mvdesk.vault.operations.snapshot_payload import RECALL_COLUMNS, Row, SnapshotPayload
from mvdesk.vault.operations.snapshot_rows import (
    GUARDS,
    NEW_ALIAS,
    NEW_LINK,
    NEW_MEMORY,
    NEW_RESOLUTION,
    NEW_TRUST,
)
from mvdesk.vault.plan import (
    ALIASES,
    LINKS,
    MEMORIES,
    POLICIES,
    RESOLUTIONS,
    TRUST,
    LogEntry,
    Plan,
    RowChange,
    RowKey,
)
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from mvdesk.records import ConflictResolution, StoredSnapshot
    from mvdesk.vault.brain_state import BrainState
    from mvdesk.vault.plan import Value

MERGE: Final = "merge"
REPLACE: Final = "replace"
MODES: Final = (MERGE, REPLACE)

KINDS: Final[Mapping[str, str]] = {
    "memories": MEMORIES,
    "links": LINKS,
    "source_trust": TRUST,
    "aliases": ALIASES,
    "conflict_resolutions": RESOLUTIONS,
    "policy": POLICIES,
}
"""What a snapshot holds, by the server's names for it, and the table it is in."""

_SERVER_MEMORIES: Final = 5000
_SERVER_LINKS: Final = 12000

_SHARES: Final = frozenset({"confidence", "importance", "trust"})
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "type": MEMORY_TYPES,
    "relation_type": RELATIONS,
    "status": RESOLUTION_STATUSES,
}


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many rows of one kind a restore touches. `held`: those of the snapshot, afterwards."""

    made: int = 0
    changed: int = 0
    deleted: int = 0
    held: int = 0


@dataclass(frozen=True, slots=True)
class Restore:
    """A restore as it would be written. `skipped` and `notes` are sentences for the person."""

    plan: Plan
    snapshot: StoredSnapshot
    mode: str
    restores_policy: bool
    counts: Mapping[str, KindCount]
    skipped: tuple[str, ...]
    notes: tuple[str, ...]


def plan_restore_snapshot(
    state: BrainState,
    snapshot: StoredSnapshot,
    payload: SnapshotPayload,
    mode: str,
    *,
    restore_policy: bool = True,
    restore_trust: bool = True,
    ids_elsewhere: Callable[[str, Sequence[str]], set[str]],
    now: int,
    new_id: Callable[[], str],
) -> Restore:
    """Write what a snapshot holds: "merge" adds and updates, "replace" also deletes the rest.

    Rows that are as the snapshot has them are left alone. Times are the snapshot's; recall
    counts come back for memories that are made anew and, with "replace", for all. Where the
    snapshot was taken without the archive, "replace" leaves archived memories alone (a server
    deletes them, although the snapshot can't bring them back). `ids_elsewhere` tells which
    ids of a table belong to other brains of the file: those rows are skipped, not taken away
    from there as a server does. Raises BadValue for an unknown mode.
    """
    if mode not in MODES:
        raise BadValue("mode", tr("expected merge or replace, not {mode!r}.", mode=mode))
    work = _Work(state, payload, replaces=mode == REPLACE, now=now, new_id=new_id)
    work.plan_memories(ids_elsewhere(MEMORIES, _missing(payload.memories, state.memories)))
    work.plan_links(ids_elsewhere(LINKS, _missing(payload.links, state.links)))
    if restore_trust:
        work.plan_trust()
    work.plan_aliases()
    work.plan_resolutions()
    if restore_policy and payload.policy is not None:
        work.plan_policy(payload.policy)
    changes = work.in_order()
    name = snapshot.label or snapshot.id[:8]
    counts = {kind: work.count(table) for kind, table in KINDS.items()}
    plan = Plan(
        tr("Restore the snapshot {name} ({mode})", name=name, mode=mode),
        state.brain_id,
        changes,
        (_entry(snapshot, mode, counts, changes),) if changes else (),
    )
    return Restore(
        plan,
        snapshot,
        mode,
        restore_policy,
        counts,
        (*payload.unfit, *work.skipped),
        tuple(work.notes(payload)),
    )


@dataclass(slots=True)
class _Work:
    """Collects the changes of a restore, table by table."""

    state: BrainState
    payload: SnapshotPayload
    replaces: bool
    now: int
    new_id: Callable[[], str]
    changes: list[RowChange] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    held: dict[str, int] = field(default_factory=dict)
    here: set[str] = field(default_factory=set)
    """The memories that are in the brain afterwards."""
    kept_archived: set[str] = field(default_factory=set)

    def plan_memories(self, elsewhere: Collection[str]) -> None:
        self.here.update(self.payload.same_memories)
        self.held[MEMORIES] = len(self.payload.same_memories)
        for key, row in self.payload.memories.items():
            old = self.state.memories.get(key)
            moved = _moved(old, row)
            if not moved:  # most rows: no label is made for nothing
                self._hold(MEMORIES)
                self.here.add(key)
                continue
            title, name = (str(row.get(column) or "") for column in ("title", "key"))
            label = old.short_label if old else shortened(label_for(title, name, key))
            if old is None and key in elsewhere:
                self._skip(MEMORIES, label, tr("belongs to another brain of this file"))
                continue
            if old is not None and not self.replaces:
                moved = {name: value for name, value in moved.items() if name not in RECALL_COLUMNS}
            if self._write(RowKey(MEMORIES, key, label), old, moved, NEW_MEMORY) or old:
                self.here.add(key)
        for key in self.state.memories:
            if key in self.payload.memories or key in self.payload.same_memories:
                continue
            memory = self.state.memories[key]
            if not self.replaces or key in self.payload.unfit_ids:
                self.here.add(key)
            elif memory.archived_at is not None and not self.payload.include_archived:
                self.here.add(key)
                self.kept_archived.add(key)
            else:
                names = ("id", *MEMORY_FIELDS, "archived_at", "created_at", "updated_at")
                self._delete(RowKey(MEMORIES, key, memory.short_label), memory, names)

    def plan_links(self, elsewhere: Collection[str]) -> None:
        for key, row in self._links_of_payload():
            old = self.state.links.get(key)
            moved = _moved(old, row)
            if not moved and {row["from_id"], row["to_id"]} <= self.here:
                self._hold(LINKS)
                continue
            label = tr(
                "The link {named} → {named_2}",
                named=self._named(row["from_id"]),
                named_2=self._named(row["to_id"]),
            )
            if old is None and key in elsewhere:
                self._skip(LINKS, label, tr("belongs to another brain of this file"))
            elif not {row["from_id"], row["to_id"]} <= self.here:
                self._skip(LINKS, label, tr("has an end that is not in the vault"))
                self._delete_link(key)
            elif row["from_id"] == row["to_id"] and old is None:
                self._skip(LINKS, label, tr("joins a memory to itself"))
            else:
                self._write(RowKey(LINKS, key, label), old, moved, NEW_LINK)
        for key in self.state.links:
            if key in self.payload.links or key in self.payload.same_links:
                continue
            link = self.state.links[key]
            ends = {link.from_id, link.to_id}
            left_out = key in self.payload.unfit_ids or ends & self.kept_archived
            if not (ends <= self.here and left_out):
                self._delete_link(key)

    def _links_of_payload(self) -> Iterator[tuple[str, Row]]:
        """The links to look at: those that are the same as in the brain and can stay are held."""
        same, rows, here = self.payload.same_links, self.state.links.rows, self.here
        for key in same:
            row = rows[key]
            from_id, to_id = row[1:3]
            if from_id in here and to_id in here:
                self._hold(LINKS)
            else:
                yield key, cast("Row", dict(zip(LINK_COLUMNS[1:], row[1:], strict=True)))
        yield from self.payload.links.items()

    def plan_trust(self) -> None:
        # The last of several rows is the one that counts, should a foreign file hold them.
        stored = {one.source_key: one for one in self.state.trust}
        for key, row in self.payload.trust.items():
            label = tr("The trust of {key}", key=key)
            self._write_keyed(TRUST, stored.get(key), {"source_key": key, **row}, label, NEW_TRUST)
        if self.replaces:
            for one in self.state.trust:
                if one.source_key not in self.payload.trust:
                    row_key = RowKey(
                        TRUST, one.id, tr("The trust of {source_key}", source_key=one.source_key)
                    )
                    self._delete(row_key, one, ("id", "source_key", "trust", "notes", "updated_at"))

    def plan_aliases(self) -> None:
        stored = {one.alias_memory_id: one for one in self.state.aliases}
        for alias_id, row in self.payload.aliases.items():
            label = tr("The alias {named}", named=self._named(alias_id))
            row = {"alias_memory_id": alias_id, **row}
            old = stored.get(alias_id)
            ends = {alias_id, row["canonical_memory_id"]}
            if old is None and not ends <= self.here:
                self._skip(ALIASES, label, tr("names a memory that is not in the vault"))
                continue
            self._write_keyed(ALIASES, old, row, label, NEW_ALIAS)
        if self.replaces:
            for one in self.state.aliases:
                if one.alias_memory_id not in self.payload.aliases:
                    label = tr("The alias {named}", named=self._named(one.alias_memory_id))
                    names = ("id", "canonical_memory_id", "alias_memory_id", "note", "updated_at")
                    self._delete(RowKey(ALIASES, one.id, label), one, names)

    def plan_resolutions(self) -> None:
        stored: dict[str, ConflictResolution] = {}
        for one in self.state.resolutions:  # the oldest change first: the last one counts
            stored[pair_key(one.a_id, one.b_id)] = one
        for pair, row in self.payload.resolutions.items():
            label = _decision_label(self._named(row["a_id"]), self._named(row["b_id"]))
            old = stored.get(pair)
            if old is None and not {row["a_id"], row["b_id"]} <= self.here:
                self._skip(RESOLUTIONS, label, tr("is about a memory that is not in the vault"))
                continue
            # What names the pair stays as the file spells it.
            named = ("pair_key", "a_id", "b_id")
            rest = {name: value for name, value in row.items() if name not in named}
            row = {**row, "pair_key": pair} if old is None else rest
            self._write_keyed(RESOLUTIONS, old, row, label, NEW_RESOLUTION)
        if self.replaces:
            for one in self.state.resolutions:
                if pair_key(one.a_id, one.b_id) not in self.payload.resolutions:
                    label = _decision_label(self._named(one.a_id), self._named(one.b_id))
                    names = ("id", "pair_key", "a_id", "b_id", "status", "updated_at")
                    self._delete(RowKey(RESOLUTIONS, one.id, label), one, names)

    def plan_policy(self, wanted: Mapping[str, object]) -> None:
        clean = policy_of(self.state.policy).clamped(wanted)
        plan = plan_set_policy(
            self.state.policy, clean.to_json(), brain_id=self.state.brain_id, now=self.now
        )
        self.changes += plan.changes
        self.held[POLICIES] = 1

    def in_order(self) -> tuple[RowChange, ...]:
        """The changes so that no link ever lacks an end, forwards and backwards."""

        def place(change: RowChange) -> int:
            if change.key.table == MEMORIES:
                return 3 if change.after is None else 1
            if change.key.table == LINKS:
                return 0 if change.after is None else 2
            return 4

        return tuple(sorted(self.changes, key=place))

    def count(self, table: str) -> KindCount:
        mine = [change for change in self.changes if change.key.table == table]
        made = sum(change.before is None for change in mine)
        deleted = sum(change.after is None for change in mine)
        return KindCount(made, len(mine) - made - deleted, deleted, self.held.get(table, 0))

    def notes(self, payload: SnapshotPayload) -> Iterable[str]:
        if self.kept_archived:
            count = len(self.kept_archived)
            yield (
                tr_n(
                    "{count} archived memory stays as it is: the snapshot was taken without "
                    "the archive.",
                    "{count} archived memories stay as they are: the snapshot was taken "
                    "without the archive.",
                    count,
                    count=count,
                )
            )
        if payload.memory_count == _SERVER_MEMORIES or payload.link_count == _SERVER_LINKS:
            yield (
                tr(
                    "A server keeps at most {server_memories} memories and {server_links} "
                    "links in a snapshot, the newest ones: older ones may be missing from this "
                    "one.",
                    server_memories=_SERVER_MEMORIES,
                    server_links=_SERVER_LINKS,
                )
            )

    def _hold(self, table: str) -> None:
        """Count a row that the vault has as the snapshot has it, now or afterwards."""
        self.held[table] = self.held.get(table, 0) + 1

    def _write(self, key: RowKey, old: Any, moved: Row, new: Row) -> bool:  # noqa: ANN401 (a record)
        """Plan to make one row, or to change the `old` one; whether the vault takes it.

        `moved` are the snapshot's values that the old one hasn't, all of them for a new one.
        """
        wanted = dict(moved)
        if old is None:
            head: Row = {"id": key.id, "brain_id": self.state.brain_id, **new}
            times = dict.fromkeys(("created_at", "updated_at"), self.now)
            # Links have no time of change.
            wanted = {**head, **{name: times[name] for name in times if name in head}, **moved}
        for name, value in wanted.items():
            if name in _CHOICES and value not in _CHOICES[name]:
                self._skip(
                    key.table,
                    key.label,
                    tr("has an unknown {name} {what!r}", name=name, what=str(value)[:40]),
                )
                return False
        for name in _SHARES & wanted.keys():
            value = wanted[name]
            if isinstance(value, float) and not 0.0 <= value <= 1.0:
                wanted[name] = min(max(value, 0.0), 1.0)
                if getattr(old, name, None) == wanted[name]:
                    del wanted[name]
        self._hold(key.table)
        if old is None:
            self.changes.append(RowChange(key, None, wanted, tr("made")))
        elif wanted:
            seen: Row = {name: getattr(old, name) for name in wanted}
            guard = {name: getattr(old, name) for name in GUARDS[key.table]}
            why = f"changed: {', '.join(wanted)}"
            self.changes.append(RowChange(key, guard | seen, guard | wanted, why))
        return True

    def _write_keyed(self, table: str, old: Any, row: Row, label: str, new: Row) -> None:  # noqa: ANN401
        """As `_write`, for a row that something else than its id tells apart."""
        row_id = self.new_id() if old is None else old.id
        self._write(RowKey(table, row_id, label), old, _moved(old, row), new)

    def _delete(self, key: RowKey, old: object, names: Sequence[str]) -> None:
        before: Row = {name: getattr(old, name) for name in names}
        self.changes.append(RowChange(key, before, None, tr("deleted: not in the snapshot")))

    def _delete_link(self, link_id: str) -> None:
        link = self.state.links.get(link_id)
        if link is not None and self.replaces:
            label = tr(
                "The link {named} → {named_2}",
                named=self._named(link.from_id),
                named_2=self._named(link.to_id),
            )
            names = ("id", "from_id", "to_id", "relation_type", "label", "created_at")
            self._delete(RowKey(LINKS, link_id, label), link, names)

    def _skip(self, table: str, label: str, problem: str) -> None:
        kind = next(kind for kind, name in KINDS.items() if name == table)
        self.skipped.append(f"{kind.replace('_', ' ')}: {label} {problem}.")

    def _named(self, memory_id: object) -> str:
        memory = self.state.memories.get(str(memory_id))
        if memory is not None:
            return memory.short_label
        row = self.payload.memories.get(str(memory_id), {})
        return str(row.get("title") or row.get("key") or memory_id)


def _moved(old: object | None, row: Row) -> Row:
    """The values of a snapshot's row that the record in the vault hasn't."""
    if old is None:
        return row
    return {name: value for name, value in row.items() if getattr(old, name) != value}


def _entry(
    snapshot: StoredSnapshot,
    mode: str,
    counts: Mapping[str, KindCount],
    changes: Sequence[RowChange],
) -> LogEntry:
    moved = [change for change in changes if change.key.table == MEMORIES and _moves_base(change)]
    return LogEntry(
        "brain_snapshot_restored",
        "brain_snapshot",
        snapshot.id,
        f"Restored brain snapshot ({mode})",
        {
            "mode": mode,
            "memory_count": counts["memories"].held,
            "link_count": counts["links"].held,
            "source_trust_count": counts["source_trust"].held,
            "before": {change.key.id: _bases(change.before) for change in moved},
            "after": {change.key.id: _bases(change.after) for change in moved},
        },
    )


def _moves_base(change: RowChange) -> bool:
    return not (change.before and change.after) or bool(_BASES & change.written.keys())


def _bases(row: Mapping[str, Value] | None) -> dict[str, Value] | None:
    return None if row is None else {name: row[name] for name in sorted(_BASES) if name in row}


def _missing(rows: Mapping[str, Row], there: Mapping[str, object]) -> list[str]:
    return [key for key in rows if key not in there]


def _decision_label(one: str, other: str) -> str:
    return tr("The decision about {one} and {other}", one=one, other=other)


_BASES: Final = frozenset({"confidence", "importance"})
