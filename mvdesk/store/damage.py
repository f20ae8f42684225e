"""What SQLite finds broken in a file, and the error that says so."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path
from typing import Final

from mvdesk.errors import VaultDamaged
from mvdesk.store.backup import backup_folder, list_backups
from mvdesk.wording import tr

_MOST_FINDINGS: Final = 1_000_000  # the rows that break a rule may come first
_MOST_SHOWN: Final = 120

# What a foreign file's rows may well hold; nothing is broken by it.
_RULE_BROKEN: Final = re.compile(
    r"(CHECK constraint failed in|NULL value in|NUMERIC value in|TEXT value in|non-\w+ value in) "
)


def find_damage(conn: sqlite3.Connection) -> str | None:
    """What SQLite finds broken, in its own words; `None` for a sound file.

    Structure, content and indexes are looked at, which takes seconds in a large file. Rows
    that break a rule of their table are no damage: a foreign file may hold them.
    """
    try:
        for (finding,) in conn.execute(f"PRAGMA integrity_check({_MOST_FINDINGS})"):
            text = str(finding)
            if text != "ok" and not _RULE_BROKEN.match(text):
                return text
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CORRUPT:
            return str(error)
        raise
    return None


def damaged(path: Path, details: str, safe: str = tr("Nothing was changed.")) -> VaultDamaged:
    """The error for a file that SQLite can't read, or not all of it."""
    folder = backup_folder(Path(os.path.realpath(path)))  # where links lead
    if backups := list_backups(folder):
        advice = tr(
            "open the newest backup ({name} in the folder {name_2})",
            name=backups[-1].name,
            name_2=folder.name,
        )
    else:
        advice = tr("open a backup of your own; mvdesk has none of it")
    return VaultDamaged(
        tr("{name} is damaged: parts of it can't be read.", name=path.name),
        safe,
        tr("Keep a copy of it, and {advice}.", advice=advice),
        details,
    )


def format_damage(details: str) -> str:
    """Why a damaged file is read-only, with what was found."""
    found = " ".join(re.sub(r"\*\*\* in database \w+ \*\*\*", "", details).split())
    if len(found) > _MOST_SHOWN:
        found = found[: _MOST_SHOWN - 1] + "…"
    return tr("The file is damaged ({found}), so nothing is written to it.", found=found)
