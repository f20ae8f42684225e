"""SQLite's errors as sentences for people: what happened, what is safe, what to do.

What points at a mistake in our own code (wrong binding, closed connection) passes through as
it is: that is a bug, not something a person can act on.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import DBAPIError

from mvdesk.errors import VaultError, VaultFull, VaultLocked, VaultReadOnly
from mvdesk.store.damage import damaged
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SQLITE_ERRORS: Final = (sqlite3.Error, DBAPIError)
"""What SQLite's errors arrive as: from the driver, or wrapped by SQLAlchemy."""

_BUGS = (sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.NotSupportedError)

# The extended codes with which reading, not writing, went wrong.
_READ_FAULTS = frozenset(
    {
        sqlite3.SQLITE_IOERR_READ,
        sqlite3.SQLITE_IOERR_SHORT_READ,
        sqlite3.SQLITE_IOERR_CORRUPTFS,
        sqlite3.SQLITE_IOERR_FSTAT,
    }
)


@contextmanager
def sqlite_errors_explained(path: Path, *, writing: bool) -> Iterator[None]:
    """Turn the SQLite errors of the block into VaultErrors that name the file."""
    try:
        yield
    except SQLITE_ERRORS as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        if not isinstance(cause, sqlite3.Error) or isinstance(cause, _BUGS):
            raise
        raise explain(cause, path, writing=writing) from error
    except UnicodeDecodeError as error:
        # Python can't even say SQLite's error: it quotes a schema that is no longer text.
        raise damaged(path, str(error)) from error


def code_of(error: BaseException) -> int:
    """SQLite's extended result code, 1 (SQLITE_ERROR) where Python knows none."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return int(getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR))


def explain(error: sqlite3.Error, path: Path, *, writing: bool) -> VaultError:
    """The VaultError that tells a person about a SQLite error."""
    name = path.name
    code = code_of(error)
    details = tr("{error} (SQLite code {code}, {path})", error=error, code=code, path=path)
    safe = tr("Nothing was written.") if writing else tr("Nothing was changed.")
    # The index beside a file in WAL mode has a fixed size: only room can be lacking.
    match sqlite3.SQLITE_FULL if code == sqlite3.SQLITE_IOERR_SHMSIZE else code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return locked(path, details, safe)
        case sqlite3.SQLITE_FULL:
            return VaultFull(
                tr("There is no room left on the disk for {name}.", name=name),
                safe,
                tr("Free some space, then try again."),
                details,
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return VaultReadOnly(
                tr(
                    "{name} can't be written: {why_read_only}.",
                    name=name,
                    why_read_only=_why_read_only(code),
                ),
                safe,
                tr("Make the file and its folder writable, or work on a copy."),
                details,
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_FORMAT:
            return damaged(path, details, safe)
        case sqlite3.SQLITE_IOERR if code in _READ_FAULTS:
            return damaged(path, details, safe)
        case sqlite3.SQLITE_IOERR:
            return VaultFull(
                tr(
                    "The disk refused {what} {name}.",
                    what=tr("a write to") if writing else tr("to work with"),
                    name=name,
                ),
                safe,
                tr("Check the disk and its free space, then try again."),
                details,
            )
        case sqlite3.SQLITE_CANTOPEN:
            return _cannot_open(path, details, safe, writing=writing)
        case sqlite3.SQLITE_CONSTRAINT:
            return VaultError(
                tr("{name} refused the change, because it breaks a rule of its tables.", name=name),
                safe,
                tr("Look at the memory again: something it refers to may be gone."),
                details,
            )
        case _:
            return VaultError(
                tr("{name} could not be written as expected.", name=name)
                if writing
                else tr("{name} could not be read as expected.", name=name),
                safe,
                tr("Another program may have changed its tables; open the vault again."),
                details,
            )


def locked(path: Path, details: str, safe: str = tr("Nothing was written.")) -> VaultLocked:
    """The error for a vault that others are writing for longer than we wait."""
    return VaultLocked(
        tr(
            "{name} is being written by another program, and the wait was too long.", name=path.name
        ),
        safe,
        tr("Try again in a moment, or close the other program."),
        details,
    )


def _why_read_only(code: int) -> str:
    if code == sqlite3.SQLITE_READONLY_DBMOVED:
        return tr("it was moved or replaced while it was open")
    return tr("the file or its folder is read-only")


def _cannot_open(path: Path, details: str, safe: str, *, writing: bool) -> VaultError:
    if writing:
        return VaultReadOnly(
            tr(
                "{name} can't be written: the files that SQLite needs beside it can't be made.",
                name=path.name,
            ),
            safe,
            tr("Make the folder writable, or work on a copy."),
            details,
        )
    return VaultError(
        tr("{name} can't be opened.", name=path.name),
        safe,
        tr("Check that the file is there and that you may read it."),
        details,
    )
