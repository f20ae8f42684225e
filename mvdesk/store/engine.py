"""An open vault file: consistent reads, all-or-nothing writes, and nothing else.

What is in the rows is for `reading` and `rows`; how the file may be touched is for `access`.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from mvdesk.errors import VaultDamaged, VaultError, VaultFull, VaultNotFound, VaultReadOnly
from mvdesk.store.backup import backup_folder, is_backup_due, make_backup
from mvdesk.store.damage import damaged, find_damage, format_damage
from mvdesk.store.failures import SQLITE_ERRORS, code_of, locked, sqlite_errors_explained
from mvdesk.store.opening import checked, fill_new_file, open_connections
from mvdesk.store.raw_file import SETTLING_S, FileStamp, beside, identity_of
from mvdesk.store.reading import driver_of
from mvdesk.store.upgrade import Schema, add_missing, find_missing, inspect_schema
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from mvdesk.store.connections import Connections

BUSY_MS: Final = 5_000
"""How long a read or write waits for another program's lock."""

_LOOK_EVERY_S: Final = 0.0005
"""How often a waiting write looks whether the other program's lock is gone."""

BACKUP_MADE: Final = tr("Backup made: ")
"""How the notice about the backup of a day begins."""

_NOTHING = tr("Nothing was changed.")


class VaultFile:
    """One open SQLite file with MemoryVault's tables. Safe to use from several threads."""

    def __init__(self, path: Path, *, busy_ms: int, clock: Callable[[], float]) -> None:
        """Use `open` or `create`."""
        self.path = path
        self._busy_ms = busy_ms
        self._clock = clock
        self._lock = threading.RLock()  # guards what several threads change
        self._gate = threading.RLock()  # shut while another file is opened in place of this one
        self._write_lock = threading.Lock()
        self._writing_thread: int | None = None
        self._closed = False
        self._is_lost = False  # what is there now can't be opened, and what was is closed
        self._generation = 0  # how often another file was opened in the place of the first
        self._damage = ""  # what was found, in SQLite's words
        self._said: list[str] = []
        self._backed_up_on = ""
        self._complete_version: int | None = None  # of a schema that lacks nothing
        self._connections, self._schema = open_connections(path, busy_ms)

    @classmethod
    def open(
        cls, path: Path, *, busy_ms: int = BUSY_MS, clock: Callable[[], float] = time.time
    ) -> VaultFile:
        """The vault in the file at `path`. Changes no byte of it, now or when it is closed.

        `clock` dates the daily backup. Raises VaultNotFound, NotAVault, VaultDamaged,
        VaultLocked, or VaultError when it may not be read.
        """
        return cls(path.absolute(), busy_ms=busy_ms, clock=clock)

    @classmethod
    def create(
        cls,
        path: Path,
        brain_name: str,
        *,
        now: int,
        new_id: Callable[[], str],
        clock: Callable[[], float] = time.time,
    ) -> VaultFile:
        """A new vault with one empty brain. Raises VaultError when there is a file already."""
        path = path.absolute()
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError as error:
            raise VaultError(
                tr("There is a file {name} already.", name=path.name),
                _NOTHING,
                tr("Choose another name, or open that file."),
                str(error),
            ) from error
        except (OSError, ValueError) as error:
            raise VaultReadOnly(
                tr("{name} can't be made in {parent}.", name=path.name, parent=path.parent),
                _NOTHING,
                tr("Choose a folder that exists and that you may write to."),
                str(error),
            ) from error
        try:
            with sqlite_errors_explained(path, writing=True):
                fill_new_file(path, brain_name, now, new_id(), BUSY_MS)
            vault = cls.open(path, clock=clock)
        except BaseException:
            for suffix in ("", "-wal", "-shm", "-journal"):
                beside(path, suffix).unlink(missing_ok=True)
            raise
        vault._backed_up_on = _day(clock())  # there is nothing to keep yet
        return vault

    @property
    def schema(self) -> Schema:
        """What tables and columns the file had at the start of the newest transaction."""
        return self._schema

    @property
    def read_only_reason(self) -> str | None:
        """Sentences that say why nothing can be written, `None` when it can."""
        access = self._connections.access
        reasons = (
            format_damage(self._damage) if self._damage else None,
            access.read_only_reason,
            access.caveat,
            self._schema.read_only_reason,
        )
        return " ".join(reason for reason in reasons if reason) or None

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences for the person, those about the file first, then what happened since."""
        with self._lock:
            access = self._connections.access.notice
            return (*([access] if access else []), *self._schema.notices(), *self._said)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One consistent state of the vault, however long the block takes.

        Texts that aren't UTF-8 can make plain statements fail: read through `reading`.
        """
        self._follow_file()
        with self._errors_explained(writing=False), self._reading() as conn:
            yield conn

    def refuse_when_damaged(self) -> None:
        """Look at all of the file. Raises VaultDamaged, and nothing is written from then on.

        Takes seconds in a large file: for when something is not where it should be.
        """
        with self.read() as conn:
            self._refuse_damage(driver_of(conn))

    def _refuse_damage(self, raw: sqlite3.Connection) -> None:
        if found := find_damage(raw):
            self._damage = found
            raise damaged(self.path, found)

    @contextmanager
    def _errors_explained(self, *, writing: bool) -> Iterator[None]:
        """Errors of SQLite become VaultErrors; one about damage keeps the file from writes."""
        generation = self._generation
        try:
            with sqlite_errors_explained(self.path, writing=writing):
                yield
        except VaultError as error:
            is_damage = isinstance(error, VaultDamaged)
            if not is_damage and type(error) is not VaultError:
                raise
            # Two files mixed, in the moment when one takes the other's place, are no damage.
            if generation != self._generation or self._is_replaced(self._connections):
                raise locked(
                    self.path, tr("it was replaced meanwhile; {details}", details=error.details)
                ) from error
            if is_damage:
                self._damage = error.details
            raise

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with contextlib.ExitStack() as stack:
            try:
                conn = stack.enter_context(self._read_transaction())
            except SQLITE_ERRORS as error:
                if code_of(error) != sqlite3.SQLITE_READONLY_ROLLBACK:
                    raise
                # Another program was interrupted while writing, since the vault was opened.
                self._reopen()
                conn = stack.enter_context(self._read_transaction())
            yield conn

    @contextmanager
    def _read_transaction(self) -> Iterator[Connection]:
        with self._using() as connections, connections.reading() as conn:
            raw = driver_of(conn)
            raw.execute("BEGIN")
            try:
                # The first statement fixes the state that the transaction sees.
                self._learn_schema(conn)
                yield conn
            finally:
                raw.rollback()

    @contextmanager
    def write(self, on_backup: Callable[[], None] = lambda: None) -> Iterator[Connection]:
        """A transaction that is kept whole when the block ends and undone when it raises.

        The first one of a vault on a day makes a backup before; the first one ever adds tables
        and columns that an older server left out, in the same transaction. `on_backup` is called
        before such a backup, which takes seconds for a large vault. Raises
        VaultReadOnly, VaultLocked, VaultFull or another VaultError, and nothing was written then.
        """
        if self._writing_thread == threading.get_ident():
            raise RuntimeError("a write inside a write would not be a transaction of its own")
        self._follow_file()
        self._refuse_when_read_only()
        if not self._write_lock.acquire(timeout=self._busy_ms / 1000):
            raise locked(self.path, tr("an earlier write of this program is still running"))
        self._writing_thread = threading.get_ident()
        try:
            self._follow_overwriting()
            with (
                self._errors_explained(writing=True),
                self._using() as connections,
                connections.writing() as conn,
            ):
                missing = self._begin_writing(conn, on_backup)
                if self._is_replaced(connections):
                    driver_of(conn).rollback()
                    raise locked(self.path, tr("it was replaced by another file"))
                yield from self._transaction(conn, missing)
            self._tidy_up()
        finally:
            self._writing_thread = None
            self._write_lock.release()

    def _tidy_up(self) -> None:
        """After a write: leave the log empty, and read the file itself where a copy was read.

        With an empty log the file alone holds everything: who copies it misses nothing, and
        who copies another one over it does no harm.
        """
        with self._using() as connections:
            # The write is done; a reader may be in the way of the log, then the next one does it.
            with contextlib.suppress(*SQLITE_ERRORS):
                connections.empty_log()
            connections.note_state()
            put_right = connections.access.stamp is not None
        if put_right:
            self._reopen()  # SQLite has rolled an interrupted write back by now

    def _begin_writing(self, conn: Connection, on_backup: Callable[[], None]) -> tuple[str, ...]:
        """Begin, with the backup made that must come before; gives back what is to be added."""
        raw = driver_of(conn)
        for _ in range(2):
            missing = self._back_up_when_due(on_backup)
            self._begin_immediate(raw)
            try:
                self._learn_schema(conn)
                self._refuse_when_read_only()
            except BaseException:
                raw.rollback()
                raise
            if missing or self._schema.is_complete:
                return missing
            raw.rollback()  # another program has changed the tables since: look again
        raise locked(self.path, tr("its tables are being changed"))

    def _begin_immediate(self, raw: sqlite3.Connection) -> None:
        """Begin as a writer from the start: a reader can't become one while others write.

        SQLite's own wait looks only ten times a second in the end; a program that writes all
        the time leaves gaps much shorter than that.
        """
        give_up = time.monotonic() + self._busy_ms / 1000
        raw.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    raw.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    busy = code_of(error) & 0xFF == sqlite3.SQLITE_BUSY
                    if not busy or time.monotonic() > give_up:
                        raise
                time.sleep(_LOOK_EVERY_S)
        finally:
            raw.execute(f"PRAGMA busy_timeout = {self._busy_ms}")

    def _transaction(self, conn: Connection, missing: tuple[str, ...]) -> Iterator[Connection]:
        raw = driver_of(conn)
        try:
            schema = add_missing(conn, self._schema) if missing else None
            yield conn
            raw.execute("COMMIT")
        except BaseException:
            raw.rollback()
            raise
        if schema is not None:
            with self._lock:
                self._schema = schema
                self._said.append(tr("Added to this vault: {names}.", names=", ".join(missing)))
        self._complete_version = self._schema.version

    def _back_up_when_due(self, on_backup: Callable[[], None]) -> tuple[str, ...]:
        """Make the backup that has to come before a write; gives back what must be added."""
        day = _day(self._clock())
        if self._backed_up_on == day and self._complete_version == self._schema.version:
            return ()
        with self._reading() as conn:
            missing, raw = find_missing(conn, self._schema), driver_of(conn)
            folder = backup_folder(self._connections.access.raw.path)  # where links lead
            if missing or (self._backed_up_on != day and is_backup_due(raw, folder, day)):
                on_backup()
                self._back_up(raw, folder, day, before_upgrade=bool(missing))
        self._backed_up_on = day
        return missing

    def _back_up(
        self, raw: sqlite3.Connection, folder: Path, day: str, *, before_upgrade: bool
    ) -> None:
        # A backup of a damaged file would in time push out the last good one.
        self._refuse_damage(raw)
        try:
            path = make_backup(raw, self.path, folder, day=day, before_upgrade=before_upgrade)
        except (OSError, sqlite3.Error) as error:
            if before_upgrade:
                raise VaultFull(
                    tr(
                        "No backup of {name} could be made, so nothing was added to it.",
                        name=self.path.name,
                    ),
                    tr("Nothing was written."),
                    tr(
                        "Free some space and check the folder {name}, then try again.",
                        name=folder.name,
                    ),
                    str(error),
                ) from error
            self._say(
                tr("Today’s backup could not be made ({error}); the change was saved.", error=error)
            )
        else:
            self._say(
                tr(
                    "{backup_made}{name} in the folder {name_2}.",
                    backup_made=BACKUP_MADE,
                    name=path.name,
                    name_2=folder.name,
                )
            )

    def stamp(self) -> FileStamp:
        """The state of the file now. Take it before reading what it is to stand for."""
        self._follow_file()
        with self._using() as connections:
            return connections.access.stamp or connections.access.raw.stamp()

    def settle(self) -> FileStamp | None:
        """After own writes: a stamp that survives closing, `None` when there can be none.

        Moves the log of WAL mode into the file, which closing would do later; waits for no
        other program, but a few hundredths of a second for the file system's clock.
        """
        if self._writing_thread is not None or self._is_lost:
            return None
        with self._write_lock, self._using() as connections:
            if not connections.has_writer:
                return None
            with sqlite_errors_explained(self.path, writing=True):
                connections.empty_log()
            connections.note_state()
        time.sleep(SETTLING_S)
        stamp = self.stamp()
        return None if stamp.unsettled or stamp.wal_size else stamp

    def data_version(self) -> tuple[int, ...]:
        """Numbers that change when another program wrote, or the file was replaced or removed.

        Own writes don't change them.
        """
        try:
            identity = identity_of(self.path)
        except OSError:
            return (self._generation, 0, 0, 0)
        if self._is_lost:
            return (self._generation, *identity, 0)
        outdated = False
        with self._using() as connections:
            # While a write of ours runs, nobody else can write.
            if self._write_lock.acquire(blocking=False):
                try:
                    outdated = connections.is_outdated()
                    # Locked by another program just now: ask again later.
                    with contextlib.suppress(sqlite3.OperationalError):
                        connections.count_changes()
                finally:
                    self._write_lock.release()
            return (self._generation, *identity, connections.known_changes + outdated)

    def close(self) -> None:
        """Close every connection; blocks that still read or write end first. Repeatable."""
        with self._lock:
            self._closed = True
        self._connections.retire()

    def __enter__(self) -> VaultFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _using(self) -> Iterator[Connections]:
        # Who holds them already is waited for by whoever shut the gate, and isn't kept out.
        is_through = self._gate.acquire(blocking=not self._connections.is_held_here())
        try:
            with self._lock:
                if self._closed:
                    raise RuntimeError("the vault is closed")
                connections = self._connections
                connections.hold()
        finally:
            if is_through:
                self._gate.release()
        try:
            yield connections
        finally:
            connections.release()

    def _say(self, sentence: str) -> None:
        with self._lock:
            self._said.append(sentence)

    def _refuse_when_read_only(self) -> None:
        if self._damage:
            raise damaged(self.path, self._damage, tr("Nothing was written."))
        access = self._connections.access.read_only_reason
        if reason := access or self._schema.read_only_reason:
            raise VaultReadOnly(
                tr(
                    "{name} can't be changed: {what}{reason}",
                    name=self.path.name,
                    what=reason[0].lower(),
                    reason=reason[1:],
                ),
                tr("Nothing was written")
                + (tr("; work on a copy of the file, in a folder of yours.") if access else "."),
                "",
            )

    def _follow_file(self) -> None:
        """Open the file anew when another one is in its place."""
        if self._is_lost:
            self._reopen()
        with self._using() as connections:
            replaced = self._is_replaced(connections)
            outdated = replaced or connections.access.is_outdated
            # Not beside a write of ours, which finds out for itself.
            if replaced and self._write_lock.acquire(blocking=False):
                try:
                    with contextlib.suppress(sqlite3.Error):
                        connections.leave_replaced_file()
                finally:
                    self._write_lock.release()
        if replaced:
            self._follow_replacing(connections)
        elif outdated:
            self._reopen()
        elif self._writing_thread is None and self._write_lock.acquire(blocking=False):
            try:
                self._follow_overwriting()
            finally:
                self._write_lock.release()

    def _follow_replacing(self, old: Connections) -> None:
        """Open the file that came in the place of the one that `old` has open, when all left it.

        SQLite finds the shared memory of WAL mode by its name, and cuts it anew for the new
        file: who still looked into it for the old one would end the process (SIGBUS).
        """
        with self._gate:
            if self._connections is not old:
                return  # another thread was quicker
            if not old.wait_for_others(self._busy_ms / 1000):
                raise locked(self.path, tr("another file is in its place, and the old one in use"))
            self._reopen(close_first=True)

    def _follow_overwriting(self) -> None:
        """Open the file anew when it was written past SQLite. Not beside a write of ours.

        SQLite notices no `cp` over a file in WAL mode: it would mix old pages with new ones.
        """
        with self._using() as connections:
            overwritten = connections.is_overwritten()
        if overwritten:
            self._reopen(close_first=True)

    def _is_replaced(self, connections: Connections) -> bool:
        try:
            return identity_of(self.path) != connections.access.raw.identity
        except OSError as error:
            raise VaultNotFound(
                tr(
                    "{name} is gone: it was moved or deleted while it was open.",
                    name=self.path.name,
                ),
                tr("Nothing was written."),
                tr("Put it back, or open it where it is now."),
                str(error),
            ) from error

    def _reopen(self, *, close_first: bool = False) -> None:
        with self._lock:
            if self._closed:
                raise RuntimeError("the vault is closed")
            old = self._connections
            if close_first:
                old.retire()  # with the last connection goes what SQLite knew about the file
                self._is_lost = True  # until it can be opened
            self._connections, self._schema = open_connections(self.path, self._busy_ms)
            self._is_lost = False
            self._generation += 1
            self._complete_version = None
            self._backed_up_on = ""  # it may be another vault
            self._damage = ""
        old.retire()

    def _learn_schema(self, conn: Connection) -> None:
        """Notice tables and columns that another program added or removed."""
        version = driver_of(conn).execute("PRAGMA schema_version").fetchone()[0]
        if version != self._schema.version:
            self._schema = checked(inspect_schema(conn))


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
