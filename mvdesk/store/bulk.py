"""Changing many rows of one table at once, each only if it is still what was seen."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, cast

from mvdesk.store.reading import driver_of
from mvdesk.store.tables import KNOWN_TABLES

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sqlalchemy import Connection

    from mvdesk.store.reading import Value

    Row = tuple[Value, ...]

_CACHE: Final = "PRAGMA cache_size"
_ROOM_KIB: Final = 64_000
"""Page cache while many rows change: their indexes are hit all over, and re-reading pages took
half of the time with the usual cache."""

_KINDS: Final = {float: "real", int: "integer", type(None): "null", str: "text"}


def update_as_seen(
    conn: Connection,
    table: str,
    ids: Sequence[str],
    columns: Sequence[str],
    seen: Sequence[Sequence[Value]],
    values: Sequence[Sequence[Value]],
    *,
    each: Callable[[Iterable[Row]], Iterable[Row]] = iter,
) -> bool:
    """Write `values`, a list per column, to the rows `ids`; whether all were as `seen`.

    False leaves every row as it was. So it is when a cell is equal but of another storage
    class, or holds what can't be compared so: whoever asked looks at the rows one by one then.
    `each` hands the rows on one by one, to be counted; what it raises ends the transaction.
    """
    if not _are_plain(seen) or not _are_plain(values):
        return False
    written = [place for place in range(len(columns)) if seen[place] is not values[place]]
    sql = _update(table, columns, written, seen)
    bound = zip(*(values[place] for place in written), ids, *seen, strict=True)
    with roomy(conn):
        return _all_or_none(driver_of(conn), sql, each(bound), len(ids))


@contextmanager
def roomy(conn: Connection) -> Iterator[None]:
    """More room for pages for the length of the block, in which many rows change."""
    raw = driver_of(conn)
    usual = int(raw.execute(_CACHE).fetchone()[0])
    raw.execute(f"{_CACHE} = -{_ROOM_KIB}")
    try:
        yield
    finally:
        raw.execute(f"{_CACHE} = {usual}")


def _all_or_none(raw: sqlite3.Connection, sql: str, bound: Iterable[Row], count: int) -> bool:
    raw.execute("SAVEPOINT bulk")
    changed = raw.executemany(sql, bound).rowcount
    if changed != count:
        raw.execute("ROLLBACK TO bulk")
    raw.execute("RELEASE bulk")
    return changed == count


def _update(
    table: str, columns: Sequence[str], written: Sequence[int], seen: Sequence[Sequence[Value]]
) -> str:
    known = KNOWN_TABLES[table].columns
    names = [f'"{known[column].name}"' for column in columns]
    changed = ", ".join(f"{names[place]} = ?" for place in written)
    as_seen = " AND ".join(f"{name} IS ?" for name in names)
    # Equal isn't enough: 1 and 1.0 are, and undo must bring back the very cell.
    kinds = [
        ", ".join(sorted(f"'{_KINDS[kind]}'" for kind in set(map(type, cells)))) for cells in seen
    ]
    of_kind = " AND ".join(
        f"typeof({name}) IN ({kind})" for name, kind in zip(names, kinds, strict=True)
    )
    return f'UPDATE "{table}" SET {changed} WHERE "id" = ? AND {as_seen} AND {of_kind}'


def _are_plain(columns: Sequence[Sequence[Value]]) -> bool:
    """Whether every value is a number or text that SQLite keeps as it is."""
    for cells in columns:
        kinds = set(map(type, cells))
        if not kinds <= _KINDS.keys():
            return False
        if float in kinds:
            numbers = cells if len(kinds) == 1 else filter(_is_real, cells)
            if not all(map(math.isfinite, cast("Iterable[float]", numbers))):
                return False
    return True


def _is_real(cell: Value) -> bool:
    return type(cell) is float
