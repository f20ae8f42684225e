"""The bytes of a vault file without SQLite: header, stamp, private copies.

POSIX drops *all* locks of a process on a file as soon as the process closes *any* handle to
it, SQLite's locks included. So a vault that may be open is never opened and closed on the
side: all of the process shares one handle per file, closed when nobody needs the file.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEADER_BYTES: Final = 100
_COPY_BYTES: Final = 1 << 20

# Two writes within one tick of the file system's clock leave the same time behind. Ticks are
# at most 10 ms on Linux and macOS; some file systems store whole seconds only (FAT: two).
_TICK_NS: Final = 20_000_000
_COARSE_TICK_NS: Final = 2_100_000_000

# Where SQLite's rollback and WAL connections hold their shared lock (its file format, 7.2).
_SHARED_LOCK_AT: Final = 0x40000002
_SHARED_LOCK_BYTES: Final = 510

SETTLING_S: Final = 0.025
"""How long after a write the stamp of a file is unsettled on an ordinary file system."""

_handles_lock = threading.Lock()
_handles: dict[tuple[int, int], tuple[int, list[BinaryIO]]] = {}  # (device, inode) -> (users, …)


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What tells one state of a vault file from another. Equal stamps: nothing was written.

    `change_counter` is SQLite's, `wal_salt` is new whenever the write-ahead log starts over.
    `unsettled` is 0, or a number that no other stamp has when the file was written so lately
    that a further write might leave the same times behind.
    """

    device: int
    inode: int
    size: int
    mtime_ns: int
    change_counter: int
    wal_size: int
    wal_mtime_ns: int
    wal_salt: int
    unsettled: int = 0

    def is_same_state(self, other: FileStamp) -> bool:
        """Whether the times and sizes are equal, settled or not."""
        return replace(self, unsettled=0) == replace(other, unsettled=0)

    def to_text(self) -> str:
        """The stamp for storing; `from_text` reads it."""
        return json.dumps(astuple(self))

    @classmethod
    def from_text(cls, text: str) -> FileStamp:
        """The stamp that `to_text` wrote. Raises ValueError for anything else."""
        numbers = json.loads(text)
        if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
            raise ValueError("not a stamp")
        if len(numbers) != len(cls.__dataclass_fields__):
            raise ValueError("a stamp of another version")
        return cls(*numbers)


class RawFile:
    """A share in the process's one handle to a file."""

    def __init__(self, path: Path) -> None:
        """Open `path`, or join those who have it open. Raises OSError."""
        self.path = path
        with _handles_lock:
            self.identity = identity_of(path)
            if self.identity not in _handles:
                handle = path.open("rb", buffering=0)
                opened = os.fstat(handle.fileno())
                # The file may have been replaced between looking and opening.
                self.identity = (opened.st_dev, opened.st_ino)
                others = _handles.get(self.identity, (0, []))
                _handles[self.identity] = (others[0], [*others[1], handle])
            users, handles = _handles[self.identity]
            _handles[self.identity] = (users + 1, handles)
            self._handle = handles[0]

    def release(self) -> None:
        """Give the share back. Call once, after every SQLite connection to the file is closed."""
        with _handles_lock:
            users, handles = _handles[self.identity]
            if users > 1:
                _handles[self.identity] = (users - 1, handles)
                return
            del _handles[self.identity]
            for handle in handles:
                handle.close()

    @property
    def is_shared(self) -> bool:
        """Whether others in this process have the file open too."""
        with _handles_lock:
            return _handles[self.identity][0] > 1

    def header(self) -> bytes:
        """The first 100 bytes, fewer of a shorter file."""
        with _handles_lock:
            self._handle.seek(0)
            return self._handle.read(HEADER_BYTES)

    def size(self) -> int:
        """The length in bytes."""
        return os.fstat(self._handle.fileno()).st_size

    def stamp(self) -> FileStamp:
        """What state the file is in now, its write-ahead log included."""
        found = os.fstat(self._handle.fileno())
        wal_size, wal_mtime_ns, wal_salt = _wal_state(beside(self.path, "-wal"))
        return FileStamp(
            device=found.st_dev,
            inode=found.st_ino,
            size=found.st_size,
            mtime_ns=found.st_mtime_ns,
            change_counter=int.from_bytes(self.header()[24:28], "big"),
            wal_size=wal_size,
            wal_mtime_ns=wal_mtime_ns,
            wal_salt=wal_salt,
            unsettled=_unsettled(found.st_mtime_ns, wal_mtime_ns),
        )

    def copy_to(self, target: Path) -> None:
        """Write the file's bytes to `target`. Raises OSError."""
        with target.open("xb") as copy:
            at = 0
            while True:
                with _handles_lock:
                    self._handle.seek(at)
                    block = self._handle.read(_COPY_BYTES)
                if not block:
                    return
                at += copy.write(block)

    @contextmanager
    def nobody_else_connected(self) -> Iterator[bool]:
        """Whether no SQLite connection to the file exists; none can be made meanwhile.

        False also when that can't be found out. Needs a file that may be written.
        """
        if self.is_shared or not os.access(self.path, os.W_OK):
            yield False
            return
        with self.path.open("r+b", buffering=0) as handle:
            try:
                fcntl.lockf(
                    handle, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_LOCK_BYTES, _SHARED_LOCK_AT
                )
            except OSError:
                yield False
                return
            yield True


def identity_of(path: Path) -> tuple[int, int]:
    """Device and inode. Raises OSError."""
    found = path.stat()
    return found.st_dev, found.st_ino


def beside(path: Path, suffix: str) -> Path:
    """The file that SQLite keeps beside a database: `-wal`, `-shm` or `-journal`."""
    return path.with_name(path.name + suffix)


def size_of(path: Path) -> int:
    """The length of a file in bytes, 0 when there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _wal_state(wal: Path) -> tuple[int, int, int]:
    """Size, time and salt of a write-ahead log; zeros when it is empty or missing."""
    # SQLite locks the database and its -shm, never the -wal: opening this one is harmless.
    try:
        with wal.open("rb", buffering=0) as handle:
            header = handle.read(32)
            found = os.fstat(handle.fileno())
    except OSError:
        return 0, 0, 0
    if not found.st_size:
        return 0, 0, 0
    return found.st_size, found.st_mtime_ns, int.from_bytes(header[16:24], "big")


def _unsettled(*times_ns: int) -> int:
    now = time.time_ns()
    for at in times_ns:
        tick = _COARSE_TICK_NS if at % 1_000_000_000 == 0 else _TICK_NS
        if at and abs(now - at) < tick:
            return time.monotonic_ns()
    return 0
