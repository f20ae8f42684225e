"""Backups of a vault: one before the first write of a day, one before adding columns."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

KEPT: Final = 7
"""How many backups of a vault are kept; the oldest go first."""

_ABANDONED_S: Final = 86_400
"""A backup that nothing was added to for so long is no longer being made."""

_OLDEST: Final = (
    "SELECT id, created_at FROM brains ORDER BY created_at, id LIMIT 1",
    "SELECT id, created_at FROM memories ORDER BY rowid LIMIT 1",
)
_NAME = re.compile(r"\d{4}-\d\d-\d\d(-upgrade)?(-\d+)?\.sqlite")


def backup_folder(vault_path: Path) -> Path:
    """Where the backups of a vault are, beside its companion."""
    return vault_path.with_name(vault_path.name + ".mvdesk-backups")


def list_backups(folder: Path) -> list[Path]:
    """The backups in a folder, oldest first. Files of other names are left out."""
    try:
        found = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
    except OSError:
        return []
    return sorted(found, key=_age_of)


def is_backup_due(conn: sqlite3.Connection, folder: Path, day: str) -> bool:
    """Whether the vault that `conn` reads has no backup of that day (YYYY-MM-DD) yet.

    Those of another vault that was at the same place before are none of it.
    """
    made = [path for path in list_backups(folder) if path.name.startswith(day)]
    own = _identify(conn) if made else ""
    return not any(_identity_in(path) == own for path in made)


def _identity_in(path: Path) -> str | None:
    """Whose backup a file is, None for one that can't be read."""
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as conn:
            conn.execute("PRAGMA schema_version").fetchone()
            return _identify(conn)
    except sqlite3.Error:
        return None


def _identify(conn: sqlite3.Connection) -> str:
    """What tells one vault from another: its oldest brain, else its first memory."""
    for sql in _OLDEST:
        with contextlib.suppress(sqlite3.Error):  # a table that an old server didn't have
            if row := conn.execute(sql).fetchone():
                return repr(row)
    return ""


def make_backup(
    conn: sqlite3.Connection,
    vault_path: Path,
    folder: Path,
    *,
    day: str,
    before_upgrade: bool,
    keep: Path | None = None,
) -> Path:
    """Copy the vault that `conn` reads into `folder` and drop backups beyond the newest seven.

    `keep` is not dropped. A backup appears under its name only when it is whole. Raises OSError
    or sqlite3.Error.
    """
    folder.mkdir(exist_ok=True)
    _remove_abandoned(folder)
    target = _free_name(folder, f"{day}-upgrade" if before_upgrade else day)
    copy_whole(conn, target, folder / f"{target.stem}.part", like=vault_path)
    for old in list_backups(folder)[:-KEPT]:
        if old != keep:
            old.unlink(missing_ok=True)
    return target


def copy_whole(conn: sqlite3.Connection, target: Path, part: Path, *, like: Path) -> None:
    """Copy what `conn` reads to `part`, then give it the name `target`, whole or not at all.

    It gets the rights of the file `like`. Raises OSError or sqlite3.Error.
    """
    try:
        part.unlink(missing_ok=True)
        # Made private from the first byte on, then as private as the vault.
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as copy:
            conn.backup(copy)
        shutil.copymode(like, part)
        part.replace(target)
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)


def _remove_abandoned(folder: Path) -> None:
    """Remove what backups left behind whose program was killed."""
    for path in folder.glob("*.part*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _ABANDONED_S:
                path.unlink()


def _free_name(folder: Path, stem: str) -> Path:
    path, number = folder / f"{stem}.sqlite", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.sqlite"
    return path


def _age_of(path: Path) -> tuple[str, int, int]:
    """Sorts backups by day, then by when they were made."""
    return path.name[:10], path.stat().st_mtime_ns, len(path.name)
