"""The one writer: a plan becomes rows, all of them or none."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from mvdesk.errors import VaultChanged, VaultError
from mvdesk.records import shortened
from mvdesk.store.bulk import roomy, update_as_seen
from mvdesk.store.reading import read_links_of
from mvdesk.store.rows import (
    ChangelogEntry,
    add_changelog,
    all_columns,
    delete_row,
    delete_rows,
    find_ids,
    foreign_children,
    has_child,
    insert_row,
    insert_rows,
    read_columns,
    read_row,
    read_rows,
    update_row,
)
from mvdesk.vault.guarding import find_moved
from mvdesk.vault.plan import (
    LINKS,
    MEMORIES,
    ColumnChanges,
    RowChange,
    RowKey,
    is_same_value,
)
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from mvdesk.store.engine import VaultFile
    from mvdesk.store.rows import Connection
    from mvdesk.store.upgrade import Schema
    from mvdesk.vault.journal import JournalEntry
    from mvdesk.vault.plan import LogEntry, Plan, Value

_KEY_COLUMNS: Final = {"brain_policies": "brain_id"}
AFTER_PREVIEW: Final = tr(" after this preview was made.")
"""How VaultChanged says when; undo, which shows no preview, has another way."""


_WATCHED: Final = 250
"""After so many rows whoever watches is told; so many go into one statement."""

BACKING_UP: Final = -1
"""What is told in the place of rows done while the vault is checked and copied."""

_Step = TypeVar("_Step")


class WriteCancelled(Exception):
    """Whoever watched a write didn't want it any more: nothing of it was written."""


class _Emptied(NamedTuple):
    """A table that rows are deleted from: its columns, and the foreign tables that hang on it."""

    columns: tuple[str, ...]
    children: Sequence[tuple[str, str, str]]


def write_plan(
    file: VaultFile,
    plan: Plan,
    *,
    now: int,
    new_id: Callable[[], str],
    entry: JournalEntry,
    watch: Callable[[int, int], None] | None = None,
) -> Plan:
    """Write a previewed plan in one transaction, changelog included, and announce it.

    Gives back the plan as it was written, which `entry` gets for the journal: with the very
    values that the rows held, whole rows where some were deleted, and the ids of the
    changelog's rows. Raises VaultChanged, with nothing written, when a row is no longer what
    the preview showed: another program got there first.

    `watch` gets how many rows of how many are done, now and then, and `BACKING_UP` for them
    while the day's backup is made. It may raise WriteCancelled, also with nothing written, as
    long as they aren't all done.
    """
    told = _Told(watch, len(plan.changes) + len(plan.log))
    log = tuple(line.with_id(new_id()) for line in plan.log)
    with file.write(told.backing_up) as conn:
        entry.begin(conn)
        changes = _write_changes(conn, file, plan, told)
        add_changelog(
            conn,
            plan.brain_id,
            told.each(_line(line) for line in log),
            now=now,
            new_id=iter([line.id for line in log]).__next__,
        )
        written = replace(plan, changes=changes, log=log)
        entry.announce(written)
    return written


def check_fits(file: VaultFile, plan: Plan) -> None:
    """Look whether a plan could be written now, and write nothing.

    Raises VaultChanged, as `write_plan` would, when a row is no longer what the plan saw.
    """
    going = {change.key.id for change in plan.changes if change.after is None}
    with file.read() as conn:
        for change in plan.changes:
            key, where = change.key, _where(change.key)
            if change.before is None:
                _check_free(conn, key, where)
                continue
            row = read_columns(conn, key.table, where, list(change.before))
            _check_guard(conn, key, row, change.before)
            if key.table == MEMORIES and change.after is None:
                links = read_links_of(conn, file.schema, plan.brain_id, [key.id])
                if any(link.id not in going for link in links):
                    raise _linked(key)


def holds_entry(conn: Connection, schema: Schema, entry_id: str) -> bool:
    """Whether the vault's changelog has this row."""
    if not schema.has("memory_changelog", "id"):
        return False
    return read_columns(conn, "memory_changelog", {"id": entry_id}, ["id"]) is not None


def holds_rows(conn: Connection, schema: Schema, plan: Plan) -> bool:
    """Whether every row of the vault that a plan changes is as the plan leaves it."""
    return all(_is_done(conn, schema, change) for change in plan.changes)


def _is_done(conn: Connection, schema: Schema, change: RowChange) -> bool:
    key = change.key
    if not schema.has(key.table):
        return False
    row = read_row(conn, key.table, _where(key))
    if row is None or change.after is None:
        return row is None and change.after is None
    return all(is_same_value(row.get(name), value) for name, value in change.after.items())


class _Told:
    """Counts what is done, and tells whoever watches."""

    def backing_up(self) -> None:
        """The day's backup is made first."""
        if self._watch is not None:
            self._watch(BACKING_UP, self._total)

    def __init__(self, watch: Callable[[int, int], None] | None, total: int) -> None:
        self._watch, self._total, self._done = watch, total, 0

    def each(self, steps: Iterable[_Step]) -> Iterator[_Step]:
        """The same, each counted as done when the next one is asked for."""
        for step in steps:
            if self._watch is not None and self._done % _WATCHED == 0:
                self._watch(self._done, self._total)
            yield step
            self._done += 1


def _write_changes(
    conn: Connection, file: VaultFile, plan: Plan, told: _Told
) -> Sequence[RowChange]:
    """Write every row; gives back the changes with the very values that the rows held."""
    many = plan.changes
    if isinstance(many, ColumnChanges) and update_as_seen(
        conn, many.table, many.ids, many.columns, many.before, many.after, each=told.each
    ):
        return many
    emptied = {
        table: _Emptied(all_columns(conn, table), foreign_children(conn, table))
        for table in {change.key.table for change in many if change.after is None}
    }
    runs = _runs(told.each(many))
    with roomy(conn):
        return tuple(
            chain.from_iterable(_write_run(conn, file, plan.brain_id, run, emptied) for run in runs)
        )


def _runs(changes: Iterable[RowChange]) -> Iterator[list[RowChange]]:
    """Neighbours that are written alike, not too many together."""
    for _, alike in groupby(changes, key=_kind):
        while some := list(islice(alike, _WATCHED)):
            yield some


def _kind(change: RowChange) -> tuple[str, bool, bool]:
    return change.key.table, change.before is None, change.after is None


def _write_run(
    conn: Connection,
    file: VaultFile,
    brain_id: str,
    run: Sequence[RowChange],
    emptied: Mapping[str, _Emptied],
) -> Sequence[RowChange]:
    written: Sequence[RowChange] | None = None
    table, is_made, is_deleted = _kind(run[0])
    if len(run) > 1 and table in (MEMORIES, LINKS):
        if is_made:
            written = _insert_all(conn, table, run)
        elif is_deleted and not emptied[table].children:
            written = _delete_all(conn, file, brain_id, run, emptied[table].columns)
    if written is not None:
        return written
    # One by one: to name the row that moved, or because a strange file's cells read as
    # something else than they are.
    return [_write(conn, file, brain_id, change, emptied) for change in run]


def _delete_all(
    conn: Connection,
    file: VaultFile,
    brain_id: str,
    run: Sequence[RowChange],
    columns: tuple[str, ...],
) -> Sequence[RowChange] | None:
    """Delete rows of one table at once; None, with nothing done, where one needs a closer look."""
    table, ids = run[0].key.table, [change.key.id for change in run]
    rows = read_rows(conn, table, ids, columns)
    if rows is None or any(
        find_moved(conn, table, row, change.before or {})
        for change, row in zip(run, rows, strict=True)
    ):
        return None
    if table == MEMORIES and read_links_of(conn, file.schema, brain_id, ids):
        return None
    delete_rows(conn, table, ids)
    return [
        RowChange(change.key, row, None, change.why) for change, row in zip(run, rows, strict=True)
    ]


def _insert_all(
    conn: Connection, table: str, run: Sequence[RowChange]
) -> Sequence[RowChange] | None:
    """Make rows of one table at once; None, with nothing done, where one needs a closer look."""
    ids = [change.key.id for change in run]
    rows = [change.after or {} for change in run]
    if len(set(ids)) < len(ids) or find_ids(conn, table, ids):
        return None
    if table == LINKS:
        ends = {row.get(end) for row in rows for end in ("from_id", "to_id")}
        texts = [end for end in ends if type(end) is str]
        if len(texts) < len(ends) or len(find_ids(conn, MEMORIES, texts)) < len(ends):
            return None
    insert_rows(conn, table, rows)
    return run


def _write(
    conn: Connection,
    file: VaultFile,
    brain_id: str,
    change: RowChange,
    emptied: Mapping[str, _Emptied],
) -> RowChange:
    key = change.key
    where = _where(key)
    if change.before is None:
        if change.after is not None:
            _insert(conn, key, where, change.after)
        return change
    # A deleted row is read whole: undo brings back every column of it, unknown ones too.
    if change.after is None:
        row = read_row(conn, key.table, where, emptied[key.table].columns)
    else:
        row = read_columns(conn, key.table, where, list(change.before))
    _check_guard(conn, key, row, change.before)
    assert row is not None  # _check_guard raises
    if change.after is None:
        if key.table == MEMORIES and read_links_of(conn, file.schema, brain_id, [key.id]):
            raise _linked(key)
        for child in emptied[key.table].children:
            if has_child(conn, child, row):
                raise _has_child(key, child[0])
        delete_row(conn, key.table, where)
        return RowChange(key, row, None, change.why)
    update_row(conn, key.table, where, change.written)
    return RowChange(key, row, row | change.written, change.why)


def _insert(
    conn: Connection, key: RowKey, where: Mapping[str, str], row: Mapping[str, Value]
) -> None:
    _check_free(conn, key, where)
    if key.table == LINKS:
        # Not left to foreign keys: strange files lack them, and this says it better.
        for end in ("from_id", "to_id"):
            if read_columns(conn, MEMORIES, {"id": row[end]}, ["id"]) is None:
                raise _changed(key, tr("has an end that was deleted by another program"))
    insert_row(conn, key.table, row)


def _where(key: RowKey) -> dict[str, str]:
    return {_KEY_COLUMNS.get(key.table, "id"): key.id}


def _check_free(conn: Connection, key: RowKey, where: Mapping[str, str]) -> None:
    if read_columns(conn, key.table, where, list(where)) is not None:
        raise _changed(key, tr("was made by another program"))


def _check_guard(
    conn: Connection, key: RowKey, row: Mapping[str, Value] | None, before: Mapping[str, Value]
) -> None:
    if row is None:
        raise _changed(key, tr("was deleted by another program"))
    if moved := find_moved(conn, key.table, row, before):
        raise _changed(
            key,
            tr("was changed by another program"),
            tr(", columns {names}", names=", ".join(moved)),
        )


def _linked(key: RowKey) -> VaultChanged:
    return _changed(key, tr("got a new link from another program"))


def _changed(key: RowKey, what: str, details: str = "") -> VaultChanged:
    return VaultChanged(
        f"{shortened(key.label)} {what}{AFTER_PREVIEW}",
        tr("Nothing was written; what you entered is still here."),
        tr("Look at the refreshed preview, then apply it again."),
        tr("table {table}, id {id}{details}", table=key.table, id=key.id, details=details),
    )


def _has_child(key: RowKey, table: str) -> VaultError:
    return VaultError(
        tr(
            "{label} can't be deleted: rows of the table {table}, which mvdesk does "
            "not know, belong to it and would go with it for good.",
            label=shortened(key.label),
            table=table,
        ),
        tr("Nothing was written."),
        tr("Archive it instead, or delete those rows with the program that made them."),
        tr("table {table}, id {id}", table=key.table, id=key.id),
    )


def _line(entry: LogEntry) -> ChangelogEntry:
    return ChangelogEntry(
        entry.event_type, entry.entity_type, entry.entity_id, entry.summary, entry.payload
    )
