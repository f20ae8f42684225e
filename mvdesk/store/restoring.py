"""Copying a vault somewhere, and putting a copy back in its place.

A sound vault is replaced through SQLite, under its locks, so that programs which have it open
see either state whole and never a mixture. One that can't be read is set aside, and the copy
takes its name.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mvdesk.errors import (
    NotAVault,
    VaultChanged,
    VaultDamaged,
    VaultError,
    VaultFull,
    VaultNotFound,
    VaultReadOnly,
)
from mvdesk.store.backup import backup_folder, copy_whole, list_backups, make_backup
from mvdesk.store.connections import connect_writer
from mvdesk.store.damage import damaged, find_damage
from mvdesk.store.engine import BUSY_MS, VaultFile
from mvdesk.store.failures import locked, sqlite_errors_explained
from mvdesk.store.raw_file import beside
from mvdesk.store.reading import driver_of, read_brains
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LOCKED: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


@dataclass(frozen=True, slots=True)
class BackupFile:
    """One of the automatic backups. `memory_count` is None for one that can't be read."""

    path: Path
    made_at: int  # epoch seconds
    size: int  # bytes
    memory_count: int | None


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of the state before: `kept` is where it is now, None when there was none."""

    kept: Path | None
    was_damaged: bool


def read_backups(vault_path: Path) -> list[BackupFile]:
    """The automatic backups of a vault, the newest first. The vault itself is not looked at."""
    folder = backup_folder(_followed(vault_path))
    found = []
    for path in reversed(list_backups(folder)):
        stat = path.stat()
        found.append(BackupFile(path, int(stat.st_mtime), stat.st_size, count_memories(path)))
    return found


def count_memories(path: Path) -> int | None:
    """How many memories a vault holds, None when it can't be read."""
    try:
        with VaultFile.open(path) as vault, vault.read() as conn:
            return sum(brain.memory_count for brain in read_brains(conn, vault.schema))
    except VaultError:
        return None


def copy_vault(path: Path, target: Path) -> None:
    """Copy a vault as it is now to a file that isn't there yet.

    Raises VaultError when there is one, when it can't be written, or when the vault is damaged.
    """
    with VaultFile.open(path) as vault, vault.read() as conn:
        raw = driver_of(conn)
        _refuse_damage(raw, path)
        try:
            # Taken at once, so that nobody else's file is written over.
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError as error:
            raise VaultError(
                tr("There is a file {name} already.", name=target.name), tr("Nothing was changed."),
                tr("Choose another name."), str(error),
            ) from error  # fmt: skip
        except (OSError, ValueError) as error:
            raise VaultReadOnly(
                tr("{name} can't be made in "
                "{parent}.", name=target.name, parent=target.parent), tr("Nothing was changed."),
                tr("Choose a folder that exists and that you may write to."), str(error),
            ) from error  # fmt: skip
        try:
            with sqlite_errors_explained(target, writing=True), _refusals_explained(target):
                copy_whole(raw, target, _part_of(target), like=path)
        except BaseException:
            target.unlink(missing_ok=True)
            raise


def restore_backup(path: Path, source: Path, *, day: str, busy_ms: int = BUSY_MS) -> Restored:
    """Put the vault in the file `source` in the place of the one at `path`.

    Before that, the present state becomes a backup (named after `day`, YYYY-MM-DD), or is set
    aside under another name when it can't be read. Raises VaultError, and everything is as it
    was, when `source` is no sound vault, when there is no room, or when another program holds
    the vault for longer than `busy_ms`.
    """
    path = _followed(path)
    with VaultFile.open(source) as wanted, wanted.read() as conn:
        raw = driver_of(conn)
        _refuse_damage(raw, source)
        if path.exists() and path.samefile(source):
            raise VaultError(
                tr("A vault can't be restored from itself."), tr("Nothing was changed."),
                tr("Choose one of its backups."),
            )  # fmt: skip
        try:
            return _replace_content(path, source, raw, day, busy_ms)
        except VaultNotFound:
            kept = None
        except (VaultDamaged, NotAVault, _OtherPages):
            kept = _free_name(path)
        with sqlite_errors_explained(path, writing=True), _refusals_explained(path):
            _set_in_place(path, source, raw, kept)
        return Restored(kept, kept is not None)


def _replace_content(
    path: Path, source: Path, raw: sqlite3.Connection, day: str, busy_ms: int
) -> Restored:
    """Through SQLite, under its locks. Raises VaultNotFound, VaultDamaged, NotAVault."""
    with VaultFile.open(path, busy_ms=busy_ms) as vault:
        if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)):
            raise VaultReadOnly(
                tr(
                    "{name} can't be replaced: the file or its folder is read-only.", name=path.name
                ),
                tr("Nothing was changed."),
                tr("Copy the backup to a folder of yours, and open it there."),
            )
        guard = _Guard(vault, busy_ms)
        with vault.read() as conn:
            present = driver_of(conn)
            _refuse_damage(present, path)
            if _page_size(present) != _page_size(raw):
                raise _OtherPages
            with sqlite_errors_explained(path, writing=False), _refusals_explained(path):
                kept = make_backup(
                    present, path, backup_folder(path), day=day, before_upgrade=False, keep=source
                )
        with (
            sqlite_errors_explained(path, writing=True),
            contextlib.closing(connect_writer(f"{path.as_uri()}?mode=rw", busy_ms)) as target,
        ):
            # Few pages a step: the guard has to look before the last one is written.
            raw.backup(target, pages=8, progress=guard.look, sleep=0.05)
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return Restored(kept, was_damaged=False)


class _Guard:
    """Looks after a copy over a vault: waits for locks, but not for ever, and loses no write."""

    def __init__(self, vault: VaultFile, busy_ms: int) -> None:
        """Made before the present state is backed up."""
        self._vault = vault
        self._stamp = vault.stamp()
        self._give_up = time.monotonic() + busy_ms / 1000
        self._has_looked = False

    def look(self, status: int, _remaining: int, _total: int) -> None:
        """SQLite asks after each step. What this raises ends the copy, and nothing is changed."""
        name = self._vault.path.name
        if status in _LOCKED and time.monotonic() > self._give_up:
            raise locked(self._vault.path, tr("restoring a backup"), tr("Nothing was changed."))
        if status not in _LOCKED and not self._has_looked:
            # From the first step on nobody else can write, and nothing is in the file yet.
            self._has_looked = True
            if not self._vault.stamp().is_same_state(self._stamp):
                raise VaultChanged(
                    tr("{name} was written by another program while it was backed up.", name=name),
                    tr("Nothing was changed; the backup just made is kept."),
                    tr("Restore again, best with the other program closed."),
                )


def _set_in_place(path: Path, source: Path, raw: sqlite3.Connection, kept: Path | None) -> None:
    """Give the old file the name `kept`, with what SQLite keeps beside it; then copy."""
    if kept is None:
        copy_whole(raw, path, _part_of(path), like=source)
        return
    moved: list[tuple[Path, Path]] = []
    try:
        for suffix in ("-wal", "-journal", ""):  # the file last: until then it is what it was
            old = beside(path, suffix)
            if old.exists():
                old.rename(beside(kept, suffix))
                moved.append((old, beside(kept, suffix)))
        beside(path, "-shm").unlink(missing_ok=True)  # SQLite makes it anew from the log
        copy_whole(raw, path, _part_of(path), like=kept)
    except BaseException:
        for old, new in reversed(moved):
            new.rename(old)
        raise


class _OtherPages(Exception):
    """SQLite can't copy between files in WAL mode whose pages differ in size."""


def _page_size(raw: sqlite3.Connection) -> int:
    return int(raw.execute("PRAGMA page_size").fetchone()[0])


def _refuse_damage(raw: sqlite3.Connection, path: Path) -> None:
    if damage := find_damage(raw):
        raise damaged(path, damage)


@contextlib.contextmanager
def _refusals_explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise VaultFull(
            tr("The disk refused a copy of {name}.", name=path.name), tr("Nothing was changed."),
            tr("Check the disk, its free space and your rights, then try again."), str(error),
        ) from error  # fmt: skip


def _followed(path: Path) -> Path:
    """Where links lead: what is replaced is the file, not the link."""
    return path.absolute().resolve()


def _part_of(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside
