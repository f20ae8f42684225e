"""Reading what can still be read from a damaged file, on a private copy of it."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mvdesk.errors import VaultDamaged, VaultFull, VaultNotFound
from mvdesk.store.raw_file import beside

if TYPE_CHECKING:
    from collections.abc import Iterable

Rows = list[dict[str, object]]

_CHUNK: Final = 256
_FIRST, _LAST = -(2**63), 2**63 - 1


def rescue(path: Path, tables: Iterable[str]) -> dict[str, Rows]:
    """The rows of the tables that can be read, by table; those that are missing have none.

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
                f"There is no file {path}.", "Nothing was changed.", "Check the name.", str(error)
            ) from error
        except OSError as error:
            raise VaultFull(
                f"No private copy of {path.name} could be made.",
                "Nothing was changed.",
                "Free some space on the disk with the temporary files, then try again.",
                str(error),
            ) from error
        try:
            with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as conn:
                return {table: _read_table(conn, table) for table in _prepared(conn, tables)}
        except sqlite3.DatabaseError as error:
            raise VaultDamaged(
                f"Nothing can be read from {path.name}: even its list of tables is damaged.",
                "Nothing was changed.",
                "Keep the file, and open a backup of it.",
                str(error),
            ) from error


def _prepared(conn: sqlite3.Connection, tables: Iterable[str]) -> list[str]:
    """Those of the tables that the file has, with a connection that overlooks what it may."""
    conn.text_factory = partial(str, encoding="utf-8", errors="replace")
    # A file that was cut short is opened all the same, and odd definitions are no obstacle.
    conn.execute("PRAGMA writable_schema = ON")
    conn.execute("PRAGMA trusted_schema = OFF")
    there = {str(name).lower() for (name,) in conn.execute("SELECT name FROM sqlite_master")}
    return [table for table in tables if table in there]


def _read_table(conn: sqlite3.Connection, table: str) -> Rows:
    """The rows in their order, read from both ends and around what is broken."""
    found: dict[int, dict[str, object]] = {}
    columns = [str(row[1]).lower() for row in conn.execute(f'PRAGMA table_info("{table}")')]
    listed = ", ".join(f'"{name}"' for name in columns)
    for forwards in (True, False):
        reader = _Reader(conn, table, listed, forwards=forwards)
        for rowid, *cells in reader.read():
            found.setdefault(rowid, dict(zip(columns, cells, strict=True)))
        if not reader.is_broken:
            break
    return [found[rowid] for rowid in sorted(found)]


class _Reader:
    """Walks a table by row number in one direction, and jumps over pages that can't be read."""

    def __init__(
        self, conn: sqlite3.Connection, table: str, columns: str, *, forwards: bool
    ) -> None:
        self._conn = conn
        sign, order = (">=", "ASC") if forwards else ("<=", "DESC")
        self._sql = (
            f'SELECT rowid, {columns} FROM "{table}" '
            f"WHERE rowid {sign} ? ORDER BY rowid {order} LIMIT ?"
        )
        self._step = 1 if forwards else -1
        self.is_broken = False

    def read(self) -> Iterable[tuple[int, ...]]:
        place: int | None = _FIRST if self._step > 0 else _LAST
        while place is not None:
            rows = self._try(place, _CHUNK)
            if rows is None:
                rows = self._try_singly(place)
            yield from rows
            if rows:
                place = self._next(rows[-1][0])
                continue
            place = self._jump(place) if self.is_broken else None

    def _try(self, place: int, limit: int) -> list[tuple[int, ...]] | None:
        try:
            return self._conn.execute(self._sql, (place, limit)).fetchall()
        except sqlite3.DatabaseError:
            self.is_broken = True
            return None

    def _try_singly(self, place: int) -> list[tuple[int, ...]]:
        """The rows before the one that can't be read."""
        rows: list[tuple[int, ...]] = []
        at: int | None = place
        while at is not None and len(rows) < _CHUNK and (one := self._try(at, 1)):
            rows += one
            at = self._next(one[0][0])
        return rows

    def _jump(self, place: int) -> int | None:
        """The nearest place beyond what is broken from which a row can be read."""
        if place in (_FIRST, _LAST):
            place = self._step  # rows have numbers from 1 on; negative ones are given up
            if self._step < 0:
                return self._jump_down()
        gap = 1
        while not self._try(place + gap * self._step, 1):
            gap *= 2
            if abs(place + gap * self._step) > _LAST // 4:
                return None
        return self._nearest(place, gap // 2, gap)

    def _jump_down(self) -> int | None:
        """From above: the highest place from which a row can be read."""
        low, high = 0, 2**40
        if not self._try(low + 1, 1):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._try(middle, 1) else (low, middle)
        return low

    def _nearest(self, place: int, broken: int, sound: int) -> int:
        while sound - broken > 1:
            middle = (broken + sound) // 2
            if self._try(place + middle * self._step, 1):
                sound = middle
            else:
                broken = middle
        return place + sound * self._step

    def _next(self, rowid: int) -> int | None:
        return None if rowid in (_FIRST, _LAST) else rowid + self._step
