"""Reading what can still be read from a damaged file, on a private copy of it."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mvdesk.errors import VaultDamaged, VaultFull, VaultNotFound
from mvdesk.store.broken_table import connect_leniently, read_table
from mvdesk.store.raw_file import beside
from mvdesk.store.table_list import list_parts, read_list, rebuild_list
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mvdesk.store.broken_table import Rows


@dataclass(frozen=True, slots=True)
class Rescued:
    """What was read, and of which tables it isn't known to be all."""

    rows: dict[str, Rows]
    """By table, of those that were found."""
    broken: tuple[str, ...]
    """Tables with parts that can't be read."""
    missing: tuple[str, ...]
    """Tables that a damaged list of tables doesn't name, and that weren't found without it."""


def rescue(path: Path, tables: Iterable[str]) -> Rescued:
    """The rows of the tables that can be read; those that a sound file lacks are left out.

    Where the list of tables is damaged, MemoryVault's tables are looked for by their shape.
    The file isn't touched. Raises VaultNotFound, VaultFull when no copy can be made, and
    VaultDamaged when nothing at all can be read.
    """
    with tempfile.TemporaryDirectory(prefix="mvdesk-rescue-") as folder:
        copy = Path(folder) / "vault.sqlite"
        try:
            for suffix in ("", "-wal", "-journal"):
                if not suffix or beside(path, suffix).exists():
                    shutil.copyfile(beside(path, suffix), beside(copy, suffix))
        except (FileNotFoundError, ValueError) as error:
            raise VaultNotFound(
                tr("There is no file {path}.", path=path),
                tr("Nothing was changed."),
                tr("Check the name."),
                str(error),
            ) from error
        except OSError as error:
            raise VaultFull(
                tr("No private copy of {name} could be made.", name=path.name),
                tr("Nothing was changed."),
                tr("Free some space on the disk with the temporary files, then try again."),
                str(error),
            ) from error
        try:
            return _rescue(copy, tuple(tables))
        except sqlite3.DatabaseError as error:
            raise VaultDamaged(
                tr(
                    "Nothing can be read from {name}: even its list of tables is damaged.",
                    name=path.name,
                ),
                tr("Nothing was changed."),
                tr("Keep the file, and open a backup of it."),
                str(error),
            ) from error


def _rescue(copy: Path, wanted: tuple[str, ...]) -> Rescued:
    listed = read_list(copy)
    there = [table for table in wanted if table in listed.tables]
    if not listed.is_whole:
        there = rebuild_list(copy, listed, wanted)
    rows: dict[str, Rows] = {}
    broken: list[str] = []
    with contextlib.closing(connect_leniently(copy)) as conn:
        for table in there:
            rows[table], is_broken = read_table(conn, table)
            broken += [table] if is_broken else []
    if listed.is_whole and broken:
        with contextlib.suppress(sqlite3.DatabaseError):  # the others are read already
            _add_parts(copy, rows, list_parts(copy, listed, broken))
    missing = () if listed.is_whole else tuple(name for name in wanted if name not in rows)
    return Rescued(rows, tuple(broken), missing)


def _add_parts(copy: Path, rows: dict[str, Rows], parts: Mapping[str, Sequence[str]]) -> None:
    with contextlib.closing(connect_leniently(copy)) as conn:
        for table, names in parts.items():
            known = {_key(row) for row in rows[table]}
            found = [row for name in names for row in read_table(conn, name)[0]]
            # A page may be an old one that nobody knows to be free any more.
            new = {_key(row): row for row in found if _key(row) not in known}
            rows[table] += new.values()


def _key(row: Mapping[str, object]) -> object:
    """The first column, which is the key of each of MemoryVault's tables."""
    return next(iter(row.values()))
