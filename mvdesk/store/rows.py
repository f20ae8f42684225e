"""Single rows by table and key, for the one writer.

Plain SQL on the driver's connection: a plan may have a hundred thousand rows, and compiling
an expression for each would take longer than writing it.
"""

from __future__ import annotations

import json
import math
import sqlite3
from functools import cache
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from mvdesk.errors import BadValue
from mvdesk.store.cells import BrokenText
from mvdesk.store.reading import Value, driver_of, fetch_leniently
from mvdesk.store.tables import KNOWN_TABLES
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    # Under this name for the vault too: only the store knows SQLAlchemy.
    from sqlalchemy import Connection as Connection

_INT64 = range(-(2**63), 2**63)
_IDS_AT_ONCE = 500  # well below the smallest limit on bound values (999)


class ChangelogEntry(NamedTuple):
    """One line for the changelog; `payload` must be JSON data."""

    event_type: str
    entity_type: str
    entity_id: str
    summary: str
    payload: Mapping[str, object]


def read_columns(
    conn: Connection, table: str, key: Mapping[str, Value], columns: Sequence[str]
) -> dict[str, Value] | None:
    """The named columns of the row with this key, `None` when there is no such row."""
    sql = _select(table, tuple(columns), tuple(key))
    return _cells(conn, sql, columns, bindable(key))


def all_columns(conn: Connection, table: str) -> tuple[str, ...]:
    """The columns of a table, those included that others have added; ours in our spelling."""
    # Not those that are computed: nobody could write them back.
    sql = "SELECT name FROM pragma_table_info(?)"
    found = [str(name) for (name,) in fetch_leniently(conn, sql, (KNOWN_TABLES[table].name,))]
    known = {column.name for column in KNOWN_TABLES[table].columns}
    return tuple(name.lower() if name.lower() in known else name for name in found)


def read_row(
    conn: Connection, table: str, key: Mapping[str, Value], columns: tuple[str, ...] | None = None
) -> dict[str, Value] | None:
    """The whole row with this key. `columns` are `all_columns`, for who reads many."""
    columns = columns or all_columns(conn, table)
    return _cells(conn, _select_whole(table, columns, tuple(key)), columns, bindable(key))


def foreign_children(conn: Connection, table: str) -> list[tuple[str, str, str]]:
    """Tables that aren't MemoryVault's whose rows may belong to rows of `table`.

    As (child table, its column, the column of `table` that it refers to).
    """
    sql = (
        "SELECT child.name, key.'from', coalesce(key.'to', 'id') FROM sqlite_master AS child "
        "JOIN pragma_foreign_key_list(child.name) AS key "
        "WHERE child.type = 'table' AND lower(key.'table') = ? ORDER BY 1, 2"
    )
    found = fetch_leniently(conn, sql, (table,))
    return [
        (str(child), str(column), str(parent))
        for child, column, parent in found
        if str(child).lower() not in KNOWN_TABLES
    ]


def has_child(conn: Connection, child: tuple[str, str, str], row: Mapping[str, Value]) -> bool:
    """Whether a table that `foreign_children` named has a row that belongs to `row`."""
    table, column, parent = child
    (name, of_row) = _quoted((table, column))
    sql = f"SELECT 1 FROM {name} WHERE {of_row} = ? LIMIT 1"
    return bool(fetch_leniently(conn, sql, (row.get(parent.lower(), row.get(parent)),)))


def insert_row(conn: Connection, table: str, values: Mapping[str, Value]) -> None:
    """Add a row; columns that aren't named take the table's defaults.

    A row that was there before may name columns that others have added to the table.
    """
    sql = _insert(table, tuple(values), _broken(values))
    driver_of(conn).execute(sql, bindable(values))


def update_row(
    conn: Connection, table: str, key: Mapping[str, Value], values: Mapping[str, Value]
) -> bool:
    """Change columns of the row with this key; whether there was such a row."""
    if not values:
        return read_columns(conn, table, key, tuple(key)) is not None
    sql = _update(table, tuple(values), tuple(key), _broken(values))
    return driver_of(conn).execute(sql, (*bindable(values), *bindable(key))).rowcount > 0


def delete_row(conn: Connection, table: str, key: Mapping[str, Value]) -> bool:
    """Delete the row with this key (and what depends on it); whether there was such a row."""
    sql = _delete(table, tuple(key))
    return driver_of(conn).execute(sql, bindable(key)).rowcount > 0


def read_rows(
    conn: Connection, table: str, ids: Sequence[str], columns: tuple[str, ...]
) -> list[dict[str, Value]] | None:
    """The whole rows with these ids, in their order; `columns` are `all_columns`.

    None unless each id is that of one row, and every cell of it can be read.
    """
    sql = f"{_select_whole(table, columns, ())} {_among(ids)}"
    try:
        found = driver_of(conn).execute(sql, ids).fetchall()
    except sqlite3.OperationalError as error:
        if "decode to UTF-8" not in str(error):
            raise
        return None
    rows = [dict(zip(columns, row, strict=True)) for row in found]
    by_id = {row["id"]: row for row in rows}
    if not len(by_id) == len(rows) == len(ids) or any(one not in by_id for one in ids):
        return None
    return [by_id[one] for one in ids]


def find_ids(conn: Connection, table: str, ids: Iterable[str]) -> set[Value]:
    """Which of these ids rows of the table have."""
    found: set[Value] = set()
    rest = iter(ids)
    while some := list(islice(rest, _IDS_AT_ONCE)):
        sql = f'SELECT "id" FROM "{KNOWN_TABLES[table].name}" {_among(some)}'
        found.update(cell for (cell,) in fetch_leniently(conn, sql, some))  # type: ignore[misc] # cells
    return found


def delete_rows(conn: Connection, table: str, ids: Sequence[str]) -> None:
    """Delete the rows with these ids, and what depends on them."""
    driver_of(conn).execute(f'DELETE FROM "{KNOWN_TABLES[table].name}" {_among(ids)}', ids)


def insert_rows(conn: Connection, table: str, rows: Iterable[Mapping[str, Value]]) -> None:
    """Add rows, as `insert_row` does."""
    raw = driver_of(conn)
    for (columns, broken), alike in groupby(rows, key=_shape):
        raw.executemany(_insert(table, columns, broken), map(bindable, alike))


def update_rows(
    conn: Connection,
    table: str,
    columns: Sequence[str],
    rows: Iterable[tuple[str, Sequence[Value]]],
) -> int:
    """Change the same columns of many rows, given as (id, values); how many there were."""
    sql = _update(table, tuple(columns), ("id",))
    bound = (
        (*bindable(dict(zip(columns, values, strict=True))), *bindable({"id": row_id}))
        for row_id, values in rows
    )
    return driver_of(conn).executemany(sql, bound).rowcount


def add_changelog(
    conn: Connection,
    brain_id: str,
    entries: Iterable[ChangelogEntry],
    *,
    now: int,
    new_id: Callable[[], str],
) -> None:
    """Append lines to the changelog, dated `now` (epoch seconds)."""
    names = ("id", "brain_id", *ChangelogEntry._fields, "created_at")

    def rows() -> Iterator[tuple[Value, ...]]:
        for entry in entries:
            texts = entry[:4]
            row = (new_id(), brain_id, *texts, json.dumps(entry.payload), now)
            yield row if "".join(texts).isascii() else bindable(dict(zip(names, row, strict=True)))

    driver_of(conn).executemany(_insert("memory_changelog", names), rows())


def as_text(conn: Connection, number: float) -> str:
    """A number as SQLite writes it where a text is asked for."""
    return str(driver_of(conn).execute("SELECT CAST(? AS TEXT)", (number,)).fetchone()[0])


def bindable(values: Mapping[str, Value]) -> tuple[Value, ...]:
    """The values as SQLite takes them, in order. BadValue for what it can't keep."""
    for field, value in values.items():
        if value is None:
            continue
        if isinstance(value, str):
            if value.isascii():  # known to the text, and true of most
                continue
            try:
                value.encode("utf-8")
            except UnicodeEncodeError as error:
                raise BadValue(
                    field,
                    tr(
                        "half of a character pair at position {start} can't be stored.",
                        start=error.start + 1,
                    ),
                    tr("Remove that character, then save again."),
                ) from error
        elif isinstance(value, int) and value not in _INT64:
            raise BadValue(field, tr("{value} is too large for a whole number here.", value=value))
        elif isinstance(value, float) and math.isnan(value):
            # Infinities pass: a foreign file's own must come back when a deletion is undone.
            raise BadValue(field, tr("{value} is not a number that can be stored.", value=value))
    return tuple(values.values())


def _cells(
    conn: Connection, sql: str, columns: Sequence[str], values: Sequence[Value]
) -> dict[str, Value] | None:
    """The cells of a row just as they are, `None` when there is no such row."""
    try:
        row = driver_of(conn).execute(sql, values).fetchone()
    except sqlite3.OperationalError as error:
        if "decode to UTF-8" not in str(error):
            raise
        row = _broken_cells(conn, sql, columns, values)
    return None if row is None else dict(zip(columns, row, strict=True))


def _broken_cells(
    conn: Connection, sql: str, columns: Sequence[str], values: Sequence[Value]
) -> list[Value]:
    """The cells of a row that has texts which aren't UTF-8."""
    names = [f"c{number}" for number in range(len(columns))]
    cells = ", ".join(
        f"typeof({name}), CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
        for name in names
    )
    sql = f"WITH found ({', '.join(names)}) AS ({sql}) SELECT {cells} FROM found"
    kinds_and_cells = driver_of(conn).execute(sql, values).fetchone()
    return [
        _text(cell) if kind == "text" else cell
        for kind, cell in zip(kinds_and_cells[::2], kinds_and_cells[1::2], strict=True)
    ]


def _text(data: bytes) -> Value:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return BrokenText(data)


def _shape(row: Mapping[str, Value]) -> tuple[tuple[str, ...], frozenset[str]]:
    return tuple(row), _broken(row)


def _broken(values: Mapping[str, Value]) -> frozenset[str]:
    return frozenset(name for name, value in values.items() if isinstance(value, BrokenText))


@cache
def _select(table: str, columns: tuple[str, ...], key: tuple[str, ...]) -> str:
    listed = ", ".join(_names(table, columns))
    return f'SELECT {listed} FROM "{table}" WHERE {_key_matches(table, key)}'


@cache
def _select_whole(table: str, columns: tuple[str, ...], key: tuple[str, ...]) -> str:
    name, listed = KNOWN_TABLES[table].name, ", ".join(_quoted(columns))
    where = f" WHERE {_key_matches(table, key)}" if key else ""
    return f'SELECT {listed} FROM "{name}"{where}'


def _among(ids: Sequence[str]) -> str:
    marks = ", ".join("?" * len(ids))
    return f'WHERE "id" IN ({marks})'


@cache
def _insert(table: str, columns: tuple[str, ...], broken: frozenset[str] = frozenset()) -> str:
    name, listed = KNOWN_TABLES[table].name, ", ".join(_quoted(columns))
    return f'INSERT INTO "{name}" ({listed}) VALUES ({", ".join(_marks(columns, broken))})'


@cache
def _update(
    table: str,
    columns: tuple[str, ...],
    key: tuple[str, ...],
    broken: frozenset[str] = frozenset(),
) -> str:
    names_and_marks = zip(_names(table, columns), _marks(columns, broken), strict=True)
    listed = ", ".join(f"{name} = {mark}" for name, mark in names_and_marks)
    return f'UPDATE "{table}" SET {listed} WHERE {_key_matches(table, key)}'


@cache
def _delete(table: str, key: tuple[str, ...]) -> str:
    return f'DELETE FROM "{table}" WHERE {_key_matches(table, key)}'


def _key_matches(table: str, key: tuple[str, ...]) -> str:
    return " AND ".join(f"{name} = ?" for name in _names(table, key))


def _marks(columns: tuple[str, ...], broken: frozenset[str]) -> list[str]:
    """What stands for the values. Bytes that were a text become one again, whatever they are."""
    return ["CAST(? AS TEXT)" if column in broken else "?" for column in columns]


def _quoted(columns: Iterable[str]) -> list[str]:
    return ['"' + column.replace('"', '""') + '"' for column in columns]


def _names(table: str, columns: tuple[str, ...]) -> list[str]:
    """The columns quoted. KeyError for a table or column that isn't MemoryVault's: a bug."""
    known = KNOWN_TABLES[table].columns
    return [f'"{known[column].name}"' for column in columns]
