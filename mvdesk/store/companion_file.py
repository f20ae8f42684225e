"""The SQLite file beside a vault: where it is, its versions, and what happens to a broken one.

It must never stand in the way of the vault. So it is made with the first thing to keep, not
before; one that a newer mvdesk wrote or that is damaged is renamed, never overwritten; and
where no file can be made, memory serves.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from mvdesk.store.raw_file import beside, identity_of, size_of
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

APPLICATION_ID: Final = 0x6D766464  # "mvdd": a file that we made
PERSON_VERSION: Final = 2
DERIVED_VERSION: Final = 1
BUSY_MS: Final = 5_000

_PENDING: Final = """CREATE TABLE pending (
        -- Steps of the journal of which only the vault can tell whether they were written.
        step_id INTEGER PRIMARY KEY REFERENCES journal (id) ON DELETE CASCADE,
        is_new INTEGER NOT NULL,
        undone INTEGER NOT NULL,  -- what the step is once the vault holds the write
        proof TEXT NOT NULL  -- id of a changelog row that the write adds, '' for none
    )"""

# The person's part: kept, and migrated when its version grows.
_PERSON: Final = (
    """CREATE TABLE settings (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL  -- JSON
    ) WITHOUT ROWID""",
    """CREATE TABLE journal (
        id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: others may hold an old one
        brain_id TEXT NOT NULL,
        label TEXT NOT NULL,
        plan TEXT NOT NULL,  -- JSON
        created_at INTEGER NOT NULL,  -- epoch seconds, UTC
        undone INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX journal_by_brain ON journal (brain_id, id)",
    """CREATE TABLE positions (
        brain_id TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        x REAL NOT NULL,
        y REAL NOT NULL,
        PRIMARY KEY (brain_id, memory_id)
    ) WITHOUT ROWID""",
    _PENDING,
)
_MIGRATIONS: Final = {1: (_PENDING,)}
"""What makes the person's part of a version that of the next one."""

# The derived part: dropped and rebuilt at will, whenever its version isn't ours.
_DERIVED: Final = (
    """CREATE TABLE column_sets (
        brain_id TEXT PRIMARY KEY,
        stamp TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE column_blobs (
        brain_id TEXT NOT NULL REFERENCES column_sets (brain_id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (brain_id, name)
    )""",
)
_PERSON_TABLES: Final = ("settings", "journal", "positions", "pending")
_DERIVED_TABLES: Final = ("column_blobs", "column_sets")

_PRAGMAS: Final = (
    # A power cut may cost the newest undo step, never the file; saving must not wait for the
    # disk twice.
    "PRAGMA synchronous = NORMAL",
    # A set of columns goes when its entry goes.
    "PRAGMA foreign_keys = ON",
    # Columns of a million memories pass through the log once; it needn't stay that large.
    "PRAGMA journal_size_limit = 4000000",
    # A damaged page is an error, not a wrong row.
    "PRAGMA cell_size_check = ON",
    # Drafts must not end up in temporary files.
    "PRAGMA temp_store = MEMORY",
)

# Even for reading, SQLite makes an index beside a file in WAL mode.
_NO_ROOM: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_SHMOPEN,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_SHMMAP,
    }
)

_RESTART = tr("undo steps, drafts, positions and settings of this vault start afresh")
_TAKEN_OVER = tr("undo steps, drafts, positions and settings of this vault were taken over")

_Rows = dict[str, list[tuple[object, ...]]]


class _Unfit(sqlite3.DatabaseError):
    """The file is not a companion that this version can use; the message says why."""


class CompanionFile:
    """One process's connection to a companion, made when needed. Safe for several threads."""

    def __init__(self, path: Path | None) -> None:
        """`path` is `None` for a companion in memory."""
        self.path = path
        self.notices: list[str] = []
        self._lock = threading.RLock()
        self._conn: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        if path is None:
            self._say_memory()

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `work` reads; `None` when there is no file yet, which isn't made by reading."""
        with self._lock:
            if self.path is not None and not self.path.exists():
                self.close()
                return None
            try:
                return self._run("BEGIN", work)
            except sqlite3.OperationalError as error:
                if self.path is None or error.sqlite_errorcode not in _NO_ROOM:
                    raise
                return self._read_on_full_disk(self.path, work)

    def _read_on_full_disk(self, path: Path, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Read without the files that SQLite would make beside; `None` when a log is needed."""
        if size_of(beside(path, "-wal")):
            return None
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as conn:
            return work(conn)

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in a transaction of its own. Raises sqlite3.Error, undone then."""
        with self._lock:
            return self._run("BEGIN IMMEDIATE", work)

    def close(self) -> None:
        """Close the file; using it again would open it again."""
        with self._lock:
            if self._conn is not None:
                self._conn.close()
            self._conn = self._identity = None

    def _run(self, begin: str, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return self._transaction(begin, work)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if self.path is None or not _is_broken(error):
                raise
            why = str(error) if isinstance(error, _Unfit) else tr("was damaged")
            rows = self._rescue()
            if (aside := self._set_aside(self.path)) is not None:
                what_follows = self._take_over(rows)
                self.notices.append(
                    tr(
                        "The companion file {aside} {why}. It was kept as {aside_2}; "
                        "{what_follows}.",
                        aside=aside[0],
                        why=why,
                        aside_2=aside[1],
                        what_follows=what_follows,
                    )
                )
        return self._transaction(begin, work)

    def _take_over(self, rows: _Rows | None) -> str:
        """Put what was rescued into the new file; what to tell about it."""
        if rows is not None:
            with contextlib.suppress(sqlite3.Error):
                self._transaction("BEGIN IMMEDIATE", partial(_put_back, rows))
                return _TAKEN_OVER
        return _RESTART

    def _rescue(self) -> _Rows | None:
        """The person's part, if all of it can still be read: most of the file is derived."""
        if self._conn is None:
            return None
        try:
            return {
                table: self._conn.execute(f"SELECT * FROM {table}").fetchall()
                for table in _PERSON_TABLES
            }
        except (sqlite3.Error, UnicodeDecodeError):
            return None

    def _transaction(self, begin: str, work: Callable[[sqlite3.Connection], T]) -> T:
        conn = self._connected()
        conn.execute(begin)
        try:
            result = work(conn)
            conn.execute("COMMIT")
        except BaseException:
            # Harmless when SQLite has rolled back by itself.
            with contextlib.suppress(sqlite3.Error):
                conn.rollback()
            raise
        return result

    def _connected(self) -> sqlite3.Connection:
        if self._conn is not None and self._is_in_place():
            return self._conn
        self.close()
        if self.path is None:
            conn = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        else:
            conn = self._connect_file(self.path)
        try:
            _set_up(conn)
            _prepare(conn)
        except BaseException:
            conn.close()
            raise
        self._conn = conn
        return conn

    def _connect_file(self, path: Path) -> sqlite3.Connection:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # It tells about the vault: as private as can be from the first byte on.
            with contextlib.suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            self._identity = identity_of(path)
        except OSError:
            self.path = None
            self._say_memory()
            return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    def _is_in_place(self) -> bool:
        """Whether the open file is still the one under its name: people delete companions."""
        if self.path is None:
            return True
        try:
            return identity_of(self.path) == self._identity
        except OSError:
            return False

    def _set_aside(self, path: Path) -> tuple[str, str] | None:
        """Give the file another name, so that a new one can take its place: from what to what."""
        identity = self._identity
        self.close()
        try:
            if identity_of(path) != identity:
                return None  # another process has done so already
            aside = _free_name(path)
            path.rename(aside)
            with contextlib.suppress(FileNotFoundError):
                beside(path, "-wal").rename(beside(aside, "-wal"))
            beside(path, "-shm").unlink(missing_ok=True)  # SQLite makes it anew from the log
        except OSError:
            self.path = None
            self._say_memory()
            return None
        return path.name, aside.name

    def _say_memory(self) -> None:
        self.notices.append(
            tr(
                "No companion file can be made for this vault, so its undo steps, drafts, "
                "positions "
                "and settings last only until it is closed."
            )
        )


def choose_path(vault_path: Path, data_folder: Path) -> Path | None:
    """Where the companion of a vault is: beside it, else in the data folder, else nowhere."""
    near = _path_beside(vault_path)
    digest = hashlib.sha256(os.fsencode(near.with_suffix(""))).hexdigest()[:16]
    far = data_folder / "companions" / f"{digest}.mvdesk"
    return next((path for path in (near, far) if _can_be_used(path)), None)


def tell_obstacle(vault_path: Path, chosen: Path | None) -> str:
    """What keeps the companion from its place beside the vault, and where it went; "" for nothing.

    A folder that can't be written is not told: that the vault is read-only says as much.
    """
    near = _path_beside(vault_path)
    if chosen is None or chosen == near or not near.exists():
        return ""
    why = tr("can't be read and written") if near.is_file() else tr("is not a file")
    return tr(
        "{name} beside this vault {why}, so undo steps, drafts, positions and "
        "settings are kept in {chosen}.",
        name=near.name,
        why=why,
        chosen=chosen,
    )


def _path_beside(vault_path: Path) -> Path:
    vault = Path(os.path.realpath(vault_path))  # two links to one vault share its companion
    return vault.with_name(vault.name + ".mvdesk")


def _can_be_used(path: Path) -> bool:
    if path.exists() and not (path.is_file() and os.access(path, os.R_OK | os.W_OK)):
        return False
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent  # what is missing can be made
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.set-aside-{number}")).exists():
        number += 1
    return aside


def _is_broken(error: sqlite3.DatabaseError | UnicodeDecodeError) -> bool:
    """Whether the file is at fault, not the moment: what was damaged can lack tables, too."""
    # Python can't decode an error message that quotes a schema which is no longer text.
    if isinstance(error, _Unfit | UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", 0)
    if code == sqlite3.SQLITE_CORRUPT_VTAB or "search_" in str(error):
        return False  # the index of texts alone, which is made anew
    lacks = str(error).startswith(("no such table", "no such column"))
    return code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or lacks


def _set_up(conn: sqlite3.Connection) -> None:
    # A damaged text is not worth an exception: its reader will see that it makes no sense.
    conn.text_factory = partial(str, encoding="utf-8", errors="replace")
    conn.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    try:
        # Several processes share the file: readers and the writer don't wait for each other.
        conn.execute("PRAGMA journal_mode = WAL").fetchall()
    except sqlite3.OperationalError as error:
        # Another process is at the same, and SQLite doesn't wait here: it stays as it becomes.
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
    for pragma in _PRAGMAS:
        conn.execute(pragma).fetchall()


def _prepare(conn: sqlite3.Connection) -> None:
    """Make what a new file needs, renew a derived part of another version. Raises _Unfit."""
    wanted = {"person": PERSON_VERSION, "derived": DERIVED_VERSION}
    if wanted.items() <= _versions(conn).items():  # the index of texts keeps a version, too
        return
    conn.execute("BEGIN IMMEDIATE")
    try:
        # Looked at again: another process may have done it between.
        versions = _versions(conn)
        if not versions:
            conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            conn.execute("CREATE TABLE parts (name TEXT PRIMARY KEY, version INTEGER NOT NULL)")
            for statement in _PERSON:
                conn.execute(statement)
            conn.execute("INSERT INTO parts VALUES ('person', ?)", (PERSON_VERSION,))
        else:
            _migrate(conn, versions.get("person", 0))
        if versions.get("derived") != DERIVED_VERSION:
            for table in _DERIVED_TABLES:
                conn.execute(f"DROP TABLE IF EXISTS {table}")
            for statement in _DERIVED:
                conn.execute(statement)
            conn.execute("INSERT OR REPLACE INTO parts VALUES ('derived', ?)", (DERIVED_VERSION,))
        conn.execute("COMMIT")
    except BaseException:
        conn.rollback()
        raise


def _migrate(conn: sqlite3.Connection, version: int) -> None:
    """Bring the person's part of an older version up to ours. Raises _Unfit for another one."""
    if not min(_MIGRATIONS) <= version <= PERSON_VERSION:
        raise _Unfit(tr("was written by another version of mvdesk"))
    for older in range(version, PERSON_VERSION):
        for statement in _MIGRATIONS[older]:
            conn.execute(statement)
    conn.execute("UPDATE parts SET version = ? WHERE name = 'person'", (PERSON_VERSION,))


def _put_back(rows: _Rows, conn: sqlite3.Connection) -> None:
    """Fill the person's part of a new file."""
    for table, values in rows.items():
        for row in values:
            marks = ", ".join("?" * len(row))
            conn.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)


def _versions(conn: sqlite3.Connection) -> dict[str, int]:
    """The versions of the parts; empty for a file without any table. Raises _Unfit."""
    if not conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return {}
    if conn.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise _Unfit(tr("was not made by mvdesk"))
    return dict(conn.execute("SELECT name, version FROM parts"))
