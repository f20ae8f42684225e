"""Reading a table of a damaged file around the pages that are broken."""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Rows = list[dict[str, object]]

_CHUNK: Final = 256
_FIRST, _LAST = -(2**63), 2**63 - 1


def connect_leniently(path: Path) -> sqlite3.Connection:
    """A connection that overlooks what it may. Raises sqlite3.DatabaseError."""
    conn = sqlite3.connect(path, isolation_level=None)
    conn.text_factory = partial(str, encoding="utf-8", errors="replace")
    # A file that was cut short is opened all the same, and odd definitions are no obstacle.
    conn.execute("PRAGMA writable_schema = ON")
    conn.execute("PRAGMA trusted_schema = OFF")
    return conn


def read_table(conn: sqlite3.Connection, table: str) -> tuple[Rows, bool]:
    """The rows in their order, read from both ends and around what is broken; if any is.

    Raises sqlite3.DatabaseError when not even the columns can be read.
    """
    found: dict[int, dict[str, object]] = {}
    columns = [str(row[1]).lower() for row in conn.execute(f'PRAGMA table_info("{table}")')]
    listed = ", ".join(f'"{name}"' for name in columns)
    is_broken = False
    for forwards in (True, False):
        reader = _Reader(conn, table, listed, forwards=forwards)
        for rowid, *cells in reader.read():
            found.setdefault(rowid, dict(zip(columns, cells, strict=True)))
        if not reader.is_broken:
            break
        is_broken = True
    return [found[rowid] for rowid in sorted(found)], is_broken


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
