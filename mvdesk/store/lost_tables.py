"""Finding the tables of a vault whose list of tables is damaged, by the shape of their rows.

The pages of the file are walked once. A page that belongs to a table and is nobody's child is
a root; its table is the one whose columns the first rows below it fit. Whatever the pages hold,
time grows with their number, and less is kept than the file holds.
"""

from __future__ import annotations

from array import array
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, Final

from mvdesk.records import MEMORY_TYPES, RELATIONS
from mvdesk.store.tables import KNOWN_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Column

_MAGIC: Final = b"SQLite format 3\0"
_INNER, _LEAF = 0x05, 0x0D  # pages of a table
_SAMPLE: Final = 8  # rows that have to fit
_CELL_BYTES: Final = 7  # the least that a child takes: its place, its page, its key
_STEPS_PER_PAGE: Final = 8  # one is enough for sound trees
_MOST_COLUMNS: Final = max(len(table.columns) for table in KNOWN_TABLES.values())
_INTEGER_BYTES: Final = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # by kind of value
_REAL, _FIRST_BYTES = 7, 12
# Columns alone don't tell a link from the changelog of the first servers.
_WORDS: Final = {("memories", "type"): MEMORY_TYPES, ("memory_links", "relation_type"): RELATIONS}


class LostTables:
    """The roots among the pages of a file with pages of `page_size` bytes."""

    def __init__(self, file: BinaryIO, page_size: int) -> None:
        self._file = file
        self._page_size = page_size
        self._leaves: set[int] = set()
        self._children: dict[int, array[int]] = {}
        count = file.seek(0, 2) // page_size
        # Pages of noise may name each other without end; what is not reached isn't found.
        self.steps_left = _STEPS_PER_PAGE * count
        free = self._free_pages(count)
        for number in range(2, count + 1):
            kind = self._read(number, 1)[0]
            if kind == _LEAF and number not in free:
                self._leaves.add(number)
            elif kind == _INNER and number not in free:
                children = _children(self._read(number, page_size))
                self._children[number] = array("I", (one for one in children if one <= count))

    def roots(self, tables: Iterable[str]) -> dict[str, list[int]]:
        """The pages that may be the root of each known table; only those that are found.

        That of the most pages comes first, then by place: what was given up is small, and late.
        """
        wanted = [table for table in tables if table in KNOWN_TABLES]
        below = {page for children in self._children.values() for page in children}
        found: dict[str, list[tuple[int, int]]] = {}
        for root in sorted({*self._leaves, *self._children} - below):
            pages = list(self._below(root))
            rows = next((rows for page in pages if (rows := self._sample(page))), [])
            for table in wanted:
                if rows and all(_fits(row, table) for row in rows):
                    found.setdefault(table, []).append((-len(pages), root))
        return {table: [root for _, root in sorted(roots)] for table, roots in found.items()}

    def _read(self, number: int, size: int) -> bytes:
        self._file.seek((number - 1) * self._page_size)
        return self._file.read(size)

    def _free_pages(self, count: int) -> set[int]:
        """The pages that hold nothing any more, but may look as if they did."""
        free: set[int] = set()
        header = self._read(1, 36)
        number = _number(header, 32) if header.startswith(_MAGIC) else 0
        while 1 < number <= count and number not in free:
            trunk = self._read(number, self._page_size)
            length = min(_number(trunk, 4), len(trunk) // 4 - 2)
            free.add(number)
            free.update(_number(trunk, 8 + 4 * place) for place in range(length))
            number = _number(trunk, 0)
        return free

    def _below(self, root: int) -> Iterator[int]:
        """The sound pages of a tree in their order, the root included."""
        seen: set[int] = set()
        waiting = [root]
        while waiting and self.steps_left:
            self.steps_left -= 1
            page = waiting.pop()
            if page not in seen and (page in self._leaves or page in self._children):
                seen.add(page)
                yield page
                waiting.extend(reversed(self._children.get(page, ())))

    def _sample(self, number: int) -> list[list[tuple[int, bytes]]]:
        """The first rows of a leaf, each a list of the kinds and bytes of its values."""
        if number not in self._leaves:
            return []
        page = self._read(number, self._page_size)
        return [_values(page, cell) for cell in islice(_cells(page, 8), _SAMPLE)]


def _number(data: bytes, at: int, size: int = 4) -> int:
    return int.from_bytes(data[at : at + size], "big")


def _cells(page: bytes, first: int) -> Iterator[int]:
    for place in range(min(_number(page, 3, 2), len(page) // _CELL_BYTES)):
        yield _number(page, first + 2 * place, 2)


def _children(page: bytes) -> list[int]:
    return [*(_number(page, cell) for cell in _cells(page, 12)), _number(page, 8)]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends; beyond the data all is 0."""
    value = 0
    for place, byte in enumerate(data[at : at + 8]):
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # the last byte of a number lacks this bit
            return value, at + place + 1
    return value << 8 | _number(data, at + 8, 1), at + 9


def _values(page: bytes, cell: int) -> list[tuple[int, bytes]]:
    """The kind and the bytes of each value of a row, as far as they are on the page."""
    _, at = _varint(page, cell)
    _, start = _varint(page, at)
    length, at = _varint(page, start)
    place = end = min(start + length, len(page))
    row: list[tuple[int, bytes]] = []
    while at < end and len(row) <= _MOST_COLUMNS:
        kind, at = _varint(page, at)
        size = (kind - _FIRST_BYTES) // 2 if kind >= _FIRST_BYTES else 0
        if kind < len(_INTEGER_BYTES):
            size = _INTEGER_BYTES[kind]
        row.append((kind, page[place : place + size]))
        place += size
    return row


def _fits(row: list[tuple[int, bytes]], table: str) -> bool:
    columns = KNOWN_TABLES[table].columns
    return len(row) == len(columns) and all(
        _may_hold(column, kind, data) for column, (kind, data) in zip(columns, row, strict=True)
    )


def _may_hold(column: Column[object], kind: int, data: bytes) -> bool:
    if kind == 0:
        return bool(column.nullable)
    if column.type.python_type is str:
        words = _WORDS.get((column.table.name, column.name))
        is_text = kind > _FIRST_BYTES and kind % 2 == 1
        return is_text and (words is None or data.decode("utf-8", "replace") in words)
    # A whole number is stored as such, even in a column of fractions.
    is_whole = kind < len(_INTEGER_BYTES) and kind != _REAL
    return is_whole or (kind == _REAL and column.type.python_type is float)
