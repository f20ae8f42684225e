"""SQLite connections to one file: the pragmas, each with its reason, and who holds which."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sqlalchemy import Engine, create_engine
from sqlalchemy.pool import QueuePool

from mvdesk.store.reading import driver_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

    from mvdesk.store.access import Access
    from mvdesk.store.raw_file import FileStamp

_EVERY_CONNECTION: Final = (
    # Somebody else made the file: its views, triggers and defaults may not call functions
    # that reach outside of it.
    "PRAGMA trusted_schema = OFF",
    # Look at every cell of a page when it is read, so that damage is an error, not a wrong row.
    "PRAGMA cell_size_check = ON",
    # Sorting must not leave texts of memories in temporary files.
    "PRAGMA temp_store = MEMORY",
    # A mapped file that another program cuts short ends the process (SIGBUS) instead of
    # raising an error; reading through the page cache is as fast for one pass.
    "PRAGMA mmap_size = 0",
)
_READERS: Final = (
    # Whatever is asked of a reader, it can't write.
    "PRAGMA query_only = ON",
)
_WRITERS: Final = (
    # SQLite checks references only when asked to; deleting a memory deletes its links.
    "PRAGMA foreign_keys = ON",
    # A save that was acknowledged survives a power cut, in WAL mode too (NORMAL would lose it).
    "PRAGMA synchronous = FULL",
    # Don't let a big import spill half-done pages early: 16 MB instead of 2.
    "PRAGMA cache_size = -16000",
)


def connect_reader(uri: str, busy_ms: int) -> sqlite3.Connection:
    """A driver connection that can't write, whatever it is asked."""
    return _connect(uri, busy_ms, _EVERY_CONNECTION + _READERS)


def connect_writer(uri: str, busy_ms: int) -> sqlite3.Connection:
    """A driver connection for writing."""
    return _connect(uri, busy_ms, _EVERY_CONNECTION + _WRITERS)


def _connect(uri: str, busy_ms: int, pragmas: tuple[str, ...]) -> sqlite3.Connection:
    """A driver connection with our pragmas.

    Python's implicit BEGIN is off (`isolation_level`): a write must start as one, since a
    reader that becomes a writer can't wait for its turn.
    """
    conn = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        # Others may be writing: wait for them in SQLite, not in a loop of ours.
        conn.execute(f"PRAGMA busy_timeout = {int(busy_ms)}")
        for pragma in pragmas:
            conn.execute(pragma)
    except BaseException:
        conn.close()
        raise
    return conn


class Connections:
    """Every connection of a VaultFile to one file, opened as `access` says.

    To be used between `hold()` and `release()` only. `retire()` ends it: what is in use then
    is closed when it is given back, and the last one out cleans up.
    """

    def __init__(self, access: Access, busy_ms: int) -> None:
        self.access = access
        self._busy_ms = busy_ms
        self._lock = threading.Condition()
        self._held: dict[int, int] = {}  # how often, by thread
        self._retired = False
        self._readers = _engine(self._connect_reader)
        self._writers = _engine(self._connect_writer)
        self._writer: Connection | None = None
        self._watcher: sqlite3.Connection | None = None
        self._version = 0  # SQLite's number on the connection that watches
        self._changes = 0
        self._settled: FileStamp | None = None  # the file's state when its log was last empty
        self.note_state()

    def note_state(self) -> None:
        """Remember the state of the file if it is in WAL mode and its log is empty.

        At the start, and after own writes.
        """
        raw = self.access.raw
        stamp = raw.stamp()
        uses_log = 2 in raw.header()[18:20]
        self._settled = stamp if uses_log and not stamp.wal_size else None

    def is_overwritten(self) -> bool:
        """Whether the file changed although no log tells what: `cp`, or an emptied log.

        Not while a write of ours is under way.
        """
        if self._settled is None or self.access.stamp is not None:
            return False
        now, then = self.access.raw.stamp(), self._settled
        return not now.wal_size and (now.size, now.mtime_ns, now.change_counter) != (
            then.size,
            then.mtime_ns,
            then.change_counter,
        )

    def is_outdated(self) -> bool:
        """Whether the next read opens the file anew."""
        return self.access.is_outdated or self.is_overwritten()

    def hold(self) -> None:
        """Keep the connections from being closed until this thread's `release()`."""
        thread = threading.get_ident()
        with self._lock:
            self._held[thread] = self._held.get(thread, 0) + 1

    def release(self) -> None:
        """Undo one `hold()` of this thread."""
        thread = threading.get_ident()
        with self._lock:
            self._held[thread] -= 1
            if not self._held[thread]:
                del self._held[thread]
                self._lock.notify_all()
            last = self._retired and not self._held
        if last:
            self._close()

    def is_held_here(self) -> bool:
        """Whether this thread is between `hold()` and `release()`."""
        return threading.get_ident() in self._held

    def wait_for_others(self, timeout_s: float) -> bool:
        """Wait until no other thread holds them; whether that came about in time."""
        own = {threading.get_ident()}
        with self._lock:
            return self._lock.wait_for(lambda: self._held.keys() <= own, timeout_s)

    def retire(self) -> None:
        """Close everything, now or as soon as nobody holds it. Harmless when repeated."""
        with self._lock:
            last = not self._retired and not self._held
            self._retired = True
        if last:
            self._close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A reader, for this thread alone."""
        conn = self._readers.connect()
        try:
            yield conn
        finally:
            if self._retired:
                conn.invalidate()
            conn.close()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The writer. The caller sees to it that there is one at a time."""
        if self._writer is None:
            writer = self._writers.connect()
            # From now on the writer watches: its own commits don't count. Its numbers are
            # its own, too; what happens between these two lines counts twice, not never.
            version = _data_version(driver_of(writer))
            self._notice_changes()
            self._writer, self._version = writer, version
        try:
            yield self._writer
        finally:
            # SQLAlchemy opens a transaction of its own accounts with the first statement.
            self._writer.rollback()

    def empty_log(self) -> None:
        """Move the log of WAL mode into the file, unless others are in the way just now."""
        with self.writing() as conn:
            raw = driver_of(conn)
            raw.execute("PRAGMA busy_timeout = 0")
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            raw.execute(f"PRAGMA busy_timeout = {self._busy_ms}")

    def leave_replaced_file(self) -> None:
        """Take back our log from a file that has come in the place of ours.

        SQLite finds a log by its name: whoever opens the new file would apply our log to it.
        Not when somebody wrote since we did, for then the log may be theirs.
        """
        if self._writer is not None and _data_version(driver_of(self._writer)) == self._version:
            self.empty_log()

    def count_changes(self) -> int:
        """How often others were seen to have committed something since the first call.

        Not while the writer is in use.
        """
        if self._writer is None and self._watcher is None:
            self._watcher = self._connect_reader()
            self._version = _data_version(self._watcher)
        self._notice_changes()
        return self._changes

    @property
    def known_changes(self) -> int:
        """What `count_changes` said last."""
        return self._changes

    def _notice_changes(self) -> None:
        watcher = self._watcher if self._writer is None else driver_of(self._writer)
        if watcher is not None and (version := _data_version(watcher)) != self._version:
            self._version = version
            self._changes += 1

    @property
    def has_writer(self) -> bool:
        """Whether anything was or is being written through these connections."""
        return self._writer is not None

    def _close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
        self._readers.dispose()
        # The writer goes last: it is the one that may empty the log and remove it.
        if self._writer is not None:
            self._writer.close()
        self._writers.dispose()
        self.access.clean_up()

    def _connect_reader(self) -> sqlite3.Connection:
        return connect_reader(self.access.reader_uri, self._busy_ms)

    def _connect_writer(self) -> sqlite3.Connection:
        assert self.access.writer_uri is not None  # write() has said why not
        return connect_writer(self.access.writer_uri, self._busy_ms)


def _data_version(conn: sqlite3.Connection) -> int:
    return int(conn.execute("PRAGMA data_version").fetchone()[0])


def _engine(creator: Callable[[], sqlite3.Connection]) -> Engine:
    # AUTOCOMMIT: BEGIN, COMMIT and ROLLBACK are ours to say.
    return create_engine(
        "sqlite://",
        creator=creator,
        poolclass=QueuePool,
        pool_size=4,
        max_overflow=-1,  # a reader must never wait for another reader
        isolation_level="AUTOCOMMIT",
    )
