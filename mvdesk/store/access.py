"""How a vault file may be opened so that opening, reading and closing leave it as it was.

What SQLite does by itself would not: closing the last connection moves a write-ahead log into
the file, opening rolls an interrupted write back, and reading a file in WAL mode makes files
beside it. Which of these can happen is seen from the file's header and its neighbours.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mvdesk.errors import NotAVault, VaultError, VaultFull, VaultLocked, VaultNotFound
from mvdesk.store.damage import damaged
from mvdesk.store.raw_file import FileStamp, RawFile, beside, size_of
from mvdesk.wording import tr

MAGIC: Final = b"SQLite format 3\x00"
_COPY_ATTEMPTS: Final = 5
_WRITE_VERSION, _READ_VERSION = 18, 19  # where a header holds them: 1, or 2 for WAL mode
_NEWEST_VERSION: Final = 2
_NEWEST_SCHEMA: Final = 4

_UNSEEN = tr("Changes that other programs make are not seen until you open it again.")


@dataclass(slots=True)
class Access:
    """A decision how to read a file, and what has to be cleaned up after closing.

    `reader_uri` is for SQLite. `writer_uri` is `None` when nothing can be written, and
    `read_only_reason` says why then, `caveat` what else that means. `stamp` is set when what
    is read doesn't follow the file.
    """

    raw: RawFile
    reader_uri: str
    writer_uri: str | None
    read_only_reason: str | None = None
    caveat: str | None = None
    notice: str | None = None
    stamp: FileStamp | None = None
    brought_shm: bool = False
    copy: tempfile.TemporaryDirectory[str] | None = None

    @property
    def is_outdated(self) -> bool:
        """Whether what is read doesn't follow the file, and the file could be read again."""
        if self.writer_uri is None or self.stamp is None:
            return False
        return not self.raw.stamp().is_same_state(self.stamp)

    def clean_up(self) -> None:
        """Remove what reading needed. Call once, after every connection is closed."""
        if self.copy is not None:
            self.copy.cleanup()
        if self.brought_shm:
            # SQLite leaves the index of a log behind that it may not empty. Nobody may be
            # using it: a second index beside one in use would tear the file apart.
            with self.raw.nobody_else_connected() as alone:
                if alone:
                    beside(self.raw.path, "-shm").unlink(missing_ok=True)
        self.raw.release()


def open_raw(path: Path) -> RawFile:
    """The file at `path` (links followed), if it is a SQLite database at all.

    Raises VaultNotFound, NotAVault, or VaultError when it may not be read.
    """
    try:
        real = path.resolve(strict=True)
        if not real.is_file():
            raise _not_a_vault(path, tr("is not a file"))
        raw = RawFile(real)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise VaultNotFound(
            tr("There is no file {path}.", path=path),
            tr("Nothing was changed."),
            tr("Check the name."),
            str(error),
        ) from error
    except (OSError, RuntimeError, ValueError) as error:  # no permission, a loop of links, a NUL
        raise VaultError(
            tr("{name} can't be opened.", name=path.name),
            tr("Nothing was changed."),
            tr("Check that it is there and that you may read it."),
            str(error),
        ) from error
    header = raw.header()
    if header[: len(MAGIC)] != MAGIC:
        raw.release()
        raise _not_a_vault(path, tr("is not a SQLite database") if header else tr("is empty"))
    if newer := _newer_than_known(header):
        raw.release()
        raise VaultError(
            tr(
                "{name} says it is of a newer SQLite format ({newer}), which can't be read here.",
                name=path.name,
                newer=newer,
            ),
            tr("Nothing was changed."),
            tr("Use a newer mvdesk; if it could be read before, open a backup."),
            str(path),
        )
    return raw


def _newer_than_known(header: bytes) -> str:
    """What in a header this SQLite is too old to read; "" for nothing."""
    schema_format = int.from_bytes(header[44:48], "big")
    if header[_READ_VERSION] > _NEWEST_VERSION:
        return tr("read version {header}", header=header[_READ_VERSION])
    return (
        tr("schema format {schema_format}", schema_format=schema_format)
        if schema_format > _NEWEST_SCHEMA
        else ""
    )


def _not_a_vault(path: Path, why: str) -> NotAVault:
    return NotAVault(
        tr("{name} {why}; nothing was changed.", name=path.name, why=why),
        "",
        tr("Choose the SQLite file of a MemoryVault server, or make a new vault."),
        str(path),
    )


def decide_access(raw: RawFile) -> Access:
    """How to open a database as it stands now. Raises VaultError when no way is left."""
    access = _decide_by_rights(raw)
    version = raw.header()[_WRITE_VERSION]
    if version > _NEWEST_VERSION and access.writer_uri is not None:
        access.writer_uri = None
        access.read_only_reason = tr(
            "The file is of a newer SQLite format (write version {version}), which can "
            "be read here, but not written.",
            version=version,
        )
    return access


def _decide_by_rights(raw: RawFile) -> Access:
    path = raw.path
    file_writable = os.access(path, os.W_OK)
    folder_writable = os.access(path.parent, os.W_OK | os.X_OK)
    log = size_of(beside(path, "-wal")) > 0
    # Bytes 18 and 19 are 2 in a file that is (or was last) in WAL mode.
    uses_log = log or beside(path, "-wal").exists() or 2 in raw.header()[18:20]
    journal = size_of(beside(path, "-journal")) > 0
    # Looked at twice: another program may have made the file shorter between two reads.
    if not (log or journal) and _is_cut_short(raw) and _is_cut_short(raw):
        raise damaged(path, tr("the file is shorter than its header says"))
    if file_writable and folder_writable:
        # With a log present, a connection that could write would empty the log on closing.
        # Without one, a connection that can't write would leave an empty log behind.
        mode = "rw" if uses_log and not log else "ro"
        return Access(
            raw,
            _uri(path, mode),
            _uri(path, "rw"),
            brought_shm=log and not beside(path, "-shm").exists(),
        )
    what = tr("The file") if not file_writable else tr("The folder of the file")
    reason = tr("{what} is read-only.", what=what)
    if not (file_writable or folder_writable or log or journal):
        # Only here can nobody who shares our rights change the file while it is read:
        # "immutable" reads without any lock.
        return Access(raw, _uri(path, "ro&immutable=1"), None, reason, _UNSEEN, stamp=raw.stamp())
    if uses_log or journal:
        access = copied(raw)
        access.writer_uri = None
        access.read_only_reason = reason
        access.caveat = tr("A private copy is shown. {unseen}", unseen=_UNSEEN)
        access.notice = None
        return access
    return Access(raw, _uri(path, "ro"), None, reason)


def _is_cut_short(raw: RawFile) -> bool:
    """Whether bytes are missing at the end; SQLite itself overlooks a part of a page."""
    header = raw.header()
    # A page size of 1 stands for 65536, which doesn't fit.
    page_size = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    counted = header[24:28] == header[92:96]  # else a very old SQLite wrote last, uncounted
    return counted and raw.size() < pages * (65536 if page_size == 1 else page_size)


def copied(raw: RawFile) -> Access:
    """A private copy of the file, its log and its journal, to be read in the file's stead."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="mvdesk-vault-", ignore_cleanup_errors=True)
        try:
            target = Path(folder.name) / "vault.sqlite"
            stamp = _copy_settled(raw, target)
        except BaseException:
            folder.cleanup()
            raise
    except OSError as error:
        raise VaultFull(
            tr(
                "No private copy of {name} could be made, and it can't be read otherwise.",
                name=raw.path.name,
            ),
            tr("Nothing was changed."),
            tr("Free some space on the disk with the temporary files, then try again."),
            str(error),
        ) from error
    return Access(
        raw,
        _uri(target, "rw"),
        _uri(raw.path, "rw"),
        notice=(
            tr(
                "Another program was interrupted while it wrote this vault. You see the "
                "vault as it "
                "was before; it is put right when you first save something."
            )
        ),
        stamp=stamp,
        copy=folder,
    )


def without_index(raw: RawFile) -> Access:
    """How to read a file in WAL mode when there is no room for the files SQLite wants beside it.

    Without a log the file alone holds everything, and nobody has it open who could write: their
    index would be there. What the failed attempt left behind is removed.
    """
    if size_of(beside(raw.path, "-wal")):
        access = copied(raw)
    else:
        with raw.nobody_else_connected() as alone:
            for suffix in ("-wal", "-shm"):
                left = beside(raw.path, suffix)
                if alone and not size_of(left):
                    left.unlink(missing_ok=True)
        uri = _uri(raw.path, "ro&immutable=1")
        access = Access(raw, uri, _uri(raw.path, "rw"), stamp=raw.stamp())
    access.notice = tr("There is no room left on the disk: the vault can be read, but not changed.")
    return access


def _copy_settled(raw: RawFile, target: Path) -> FileStamp:
    """Copy until nobody wrote meanwhile."""
    for _ in range(_COPY_ATTEMPTS):
        before = raw.stamp()
        for suffix in ("", "-wal", "-journal"):
            beside(target, suffix).unlink(missing_ok=True)
        raw.copy_to(target)
        for suffix in ("-wal", "-journal"):
            source = beside(raw.path, suffix)
            if size_of(source):
                beside(target, suffix).write_bytes(source.read_bytes())
        if raw.stamp().is_same_state(before):
            return before
    raise VaultLocked(
        tr(
            "{name} is being written all the time, so no private copy could be made.",
            name=raw.path.name,
        ),
        tr("Nothing was changed."),
        tr("Try again when the other program is done."),
    )


def _uri(path: Path, mode: str) -> str:
    return f"{path.as_uri()}?mode={mode}"
