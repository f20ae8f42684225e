"""The full-text index of memories, kept in the companion's derived part.

It holds every text folded (compatibility forms unified, case removed), so that words are found
by FTS5 and anything else by looking for it inside the texts. What is in it can be told from
the vault's own rows by a checksum per memory; it is dropped and made anew at will.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from mvdesk.arrays import StringColumn
from mvdesk.store.companion_file import CompanionFile
from mvdesk.store.folding import fold_text, space_out
from mvdesk.store.text_hashes import hash_texts, sum_of_rows, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from mvdesk.arrays import FloatArray, Int64Array

T = TypeVar("T")

FIELDS: Final = ("title", "key", "tags", "source", "content")
WEIGHTS: Final = (3.0, 2.5, 1.5, 1.2, 1.0)
"""What a hit in each of the fields is worth."""

SEARCH_VERSION: Final = 3
_PART: Final = "search"
_ID_WEIGHT: Final = WEIGHTS[0]
_IDS_PER_QUERY: Final = 500
_STEPS_BETWEEN_LOOKS: Final = 20_000
_ROWS_AT_ONCE: Final = 20_000

_TABLES: Final = (
    # `held` texts, and the `sum_of_rows` of their ids and checksums.
    """CREATE TABLE search_brains (
        number INTEGER PRIMARY KEY,
        brain_id TEXT NOT NULL UNIQUE,
        held INTEGER NOT NULL DEFAULT 0,
        total INTEGER NOT NULL DEFAULT 0
    )""",
    # A number that moves with which memory has which number, unlike any of an index before.
    "CREATE TABLE search_state (numbering INTEGER NOT NULL)",
    "INSERT INTO search_state VALUES (abs(random() / 2))",
    # The contents last: whoever only needs the id doesn't read them.
    """CREATE TABLE search_texts (
        number INTEGER PRIMARY KEY,
        brain INTEGER NOT NULL,
        memory_id TEXT NOT NULL UNIQUE,
        checksum INTEGER NOT NULL,
        title TEXT NOT NULL,
        key TEXT NOT NULL,
        tags TEXT NOT NULL,
        source TEXT NOT NULL,
        content TEXT NOT NULL
    )""",
    # Two letters are the first that someone types who wants to see something at once.
    """CREATE VIRTUAL TABLE search_index USING fts5 (
        title, key, tags, source, content,
        content = 'search_texts', content_rowid = 'number',
        tokenize = 'unicode61 remove_diacritics 2', prefix = '2'
    )""",
)
_INDEX: Final = "search_index"
_OF_BRAIN: Final = "brain = (SELECT number FROM search_brains WHERE brain_id = ?)"
_COLUMNS: Final = ", ".join(FIELDS)

_WORTH: Final = (
    "CASE "
    + " ".join(
        f"WHEN instr({place}, ?1) THEN {worth}"
        for place, worth in (*zip(FIELDS, WEIGHTS, strict=True), ("lower(memory_id)", _ID_WEIGHT))
    )
    + " ELSE 0.0 END"
)
"""How much a piece is worth in the best of the fields that hold it, 0 in none."""

_NOT_ITS_FAULT: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_TOOBIG,
    }
)


class IndexedText(NamedTuple):
    """What is indexed of one memory; the texts as they are, `None` for a missing one."""

    memory_id: str
    checksum: int
    title: str | None
    key: str | None
    tags: str | None
    source: str | None
    content: str | None


class Phrase(NamedTuple):
    """Folded words in a row; `is_beginning`: the last one may go on."""

    text: str
    is_beginning: bool = False


class NumberedHits(NamedTuple):
    """Memories that were found, by their numbers in the index; more strength is better."""

    numbers: Int64Array
    strengths: FloatArray


class Numbering(NamedTuple):
    """Which memories of a brain have which numbers; valid while `mark` is that of the index."""

    mark: int
    numbers: Int64Array
    memory_ids: list[str]


class IndexUnusable(Exception):
    """The index can't be read or written just now: locked for long, or no space."""


class IndexLost(IndexUnusable):
    """The index was damaged, and is empty now: fill it again."""


class SearchIndex:
    """One process's hold on the index. Safe for several threads, beside other processes.

    Every method may raise IndexUnusable, or IndexLost in particular.
    """

    def __init__(self, path: Path | None) -> None:
        """`path` is the companion's, `None` for an index in memory."""
        # A connection of its own: filling the index must not hold up the journal.
        self._file = CompanionFile(path)
        self._is_sound = False
        self._is_closed = False

    def is_made(self) -> bool:
        """Whether anything was ever indexed here."""
        with self._losses_told():
            return self._make_sure()

    def read_state(self, brain_id: str) -> tuple[int, int]:
        """How many memories are indexed, and the `sum_of_rows` of their ids and checksums."""
        sql = "SELECT held, total FROM search_brains WHERE brain_id = ?"
        found = self._read(lambda conn: conn.execute(sql, (brain_id,)).fetchall())
        return found[0] if found else (0, 0)

    def read_known(self, brain_id: str, ids: Sequence[str] | None = None) -> list[tuple[str, int]]:
        """Ids and checksums of what is indexed, in the order it was added.

        `ids` keeps it to these memories.
        """
        sql = f"SELECT memory_id, checksum FROM search_texts WHERE {_OF_BRAIN}"
        if ids is None:
            return self._read(
                lambda conn: conn.execute(f"{sql} ORDER BY number", (brain_id,)).fetchall()
            )

        def work(conn: sqlite3.Connection) -> list[tuple[str, int]]:
            found: list[tuple[str, int]] = []
            for some, marks in _portions(ids):
                query = f"{sql} AND memory_id IN ({marks})"
                found += conn.execute(query, (brain_id, *some))
            return found

        return self._read(work)

    def write(self, brain_id: str, gone: Iterable[str], texts: Iterable[IndexedText]) -> None:
        """Forget the memories `gone`, and index `texts`, in place of what was known of them."""
        folded = [_folded(text) for text in texts]
        outdated = [*gone, *(text.memory_id for text in folded)]

        def work(conn: sqlite3.Connection) -> None:
            conn.execute("INSERT OR IGNORE INTO search_brains (brain_id) VALUES (?)", (brain_id,))
            (brain,) = conn.execute(
                "SELECT number FROM search_brains WHERE brain_id = ?", (brain_id,)
            ).fetchone()
            numbers = _remove(conn, outdated)
            if len(numbers) != len(folded) or any(t.memory_id not in numbers for t in folded):
                conn.execute("UPDATE search_state SET numbering = numbering + 1")
            (last,) = conn.execute("SELECT coalesce(max(number), 0) FROM search_texts").fetchone()
            _count(conn, brain, [(text.memory_id, text.checksum) for text in folded], 1)
            rows = []
            for text in folded:
                number = numbers.get(text.memory_id)
                if number is None:
                    number = last = last + 1
                rows.append((number, brain, *text))
            conn.executemany("INSERT INTO search_texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            conn.executemany(
                f"INSERT INTO search_index (rowid, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
                [(row[0], *row[4:]) for row in rows],
            )

        self._write(work)

    def find_phrases(
        self,
        phrases: Sequence[Phrase],
        *,
        ranked: bool = True,
        cancelled: Callable[[], bool] | None = None,
    ) -> NumberedHits:
        """The memories, of all brains, that hold all of some phrases.

        Without `ranked` all are as strong and come at once. Once `cancelled` says yes,
        IndexUnusable is raised soon.
        """
        marked = (_phrase(one.text) + ("*" if one.is_beginning else "") for one in phrases)
        values = (" AND ".join(marked),)
        found = "FROM search_index WHERE search_index MATCH ?"
        if not ranked:
            # One text of a hundred thousand numbers takes a fifth of the time of as many rows.
            sql = f"SELECT coalesce(group_concat(rowid), '') {found}"
            texts = self._read_watched(sql, values, cancelled)
            numbers = np.fromstring(texts[0][0] if texts else "", dtype=np.int64, sep=",")
            return NumberedHits(numbers, np.ones(len(numbers)))
        weights = ", ".join(map(str, WEIGHTS))
        sql = f"SELECT rowid, -bm25(search_index, {weights}) {found}"
        return _numbered(self._read_watched(sql, values, cancelled))

    def find_piece(
        self, brain_id: str, piece: str, *, cancelled: Callable[[], bool] | None = None
    ) -> NumberedHits:
        """The memories that hold a folded piece somewhere inside a text or in the id.

        Looks at every text. `cancelled` as for `find_phrase`.
        """
        where = _OF_BRAIN.replace("?", "?2")
        sql = (
            f"SELECT number, worth FROM (SELECT number, {_WORTH} AS worth FROM search_texts "
            f"WHERE {where}) WHERE worth > 0"
        )
        values = (space_out(piece), brain_id)
        return _numbered(self._read_watched(sql, values, cancelled))

    def read_numbering_mark(self) -> int:
        """What `Numbering.mark` is now; 0 when nothing was indexed yet."""
        rows = self._read(
            lambda conn: conn.execute("SELECT numbering FROM search_state").fetchall()
        )
        return int(rows[0][0]) if rows else 0

    def read_numbering(self, brain_id: str) -> Numbering:
        """Which memories of a brain have which numbers."""
        parts: list[Numbering] = []
        self.read_numbering_in_parts(brain_id, parts.append)
        numbers = [np.empty(0, dtype=np.int64), *(part.numbers for part in parts)]
        memory_ids = [one for part in parts for one in part.memory_ids]
        return Numbering(parts[0].mark if parts else 0, np.concatenate(numbers), memory_ids)

    def read_numbering_in_parts(self, brain_id: str, take: Callable[[Numbering], None]) -> None:
        """Hand over some memories at a time, one part at least once anything was indexed.

        A million ids at once are a tenth of the memory that the program may take.
        """

        def work(conn: sqlite3.Connection) -> list[None]:
            (mark,) = conn.execute("SELECT numbering FROM search_state").fetchone()
            sql = f"SELECT number, memory_id FROM search_texts WHERE {_OF_BRAIN}"
            cursor = conn.execute(sql, (brain_id,))
            while True:
                rows = cursor.fetchmany(_ROWS_AT_ONCE)
                numbers = np.fromiter((row[0] for row in rows), np.int64, len(rows))
                take(Numbering(mark, numbers, [row[1] for row in rows]))
                if len(rows) < _ROWS_AT_ONCE:
                    return []

        self._read(work)

    def _read_watched(
        self, sql: str, values: tuple[object, ...], cancelled: Callable[[], bool] | None
    ) -> list[tuple[Any, ...]]:
        """All rows, unless `cancelled` says meanwhile that nobody waits for them."""

        def work(conn: sqlite3.Connection) -> list[tuple[Any, ...]]:
            if cancelled is None:
                return conn.execute(sql, values).fetchall()
            conn.set_progress_handler(cancelled, _STEPS_BETWEEN_LOOKS)
            try:
                return conn.execute(sql, values).fetchall()
            finally:
                conn.set_progress_handler(None, 0)

        return self._read(work)

    def find_ids(self, brain_id: str, beginning: str, limit: int) -> list[str]:
        """The first memories whose id begins so."""
        sql = (
            f"SELECT memory_id FROM search_texts WHERE memory_id >= ? AND memory_id < ? "
            f"AND {_OF_BRAIN} ORDER BY 1 LIMIT ?"
        )
        values = (beginning, beginning + "\U0010ffff", brain_id, limit)
        return self._read(lambda conn: [row[0] for row in conn.execute(sql, values)])

    def find_damage(self) -> str:
        """What is wrong with the index, "" when nothing is. Reads all of it."""
        try:
            self._write(_check)
        except IndexLost as error:
            return str(error)
        return ""

    def clear(self) -> None:
        """Empty the index, whatever state it is in."""
        with self._losses_told():
            self._empty()

    def close(self) -> None:
        """Close the file for good."""
        self._is_closed = True
        self._file.close()

    def _read(self, work: Callable[[sqlite3.Connection], list[T]]) -> list[T]:
        """What `work` reads, nothing when nothing was indexed yet."""
        with self._losses_told():
            return (self._file.read(work) or []) if self._make_sure() else []

    def _write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        def together(conn: sqlite3.Connection) -> None:
            if not _is_there(conn):
                _make_anew(conn)
            work(conn)

        with self._losses_told():
            self._refuse_when_closed()
            self._file.write(together)

    def _make_sure(self) -> bool:
        self._refuse_when_closed()
        if not self._is_sound:
            self._is_sound = self._file.read(_is_there) is True
        return self._is_sound

    def _refuse_when_closed(self) -> None:
        if self._is_closed:
            raise IndexUnusable("the index is closed")

    def _empty(self) -> None:
        self._refuse_when_closed()
        self._is_sound = False
        self._file.write(_make_anew)

    @contextmanager
    def _losses_told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            self._is_sound = False  # the file may be another one by now
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_ITS_FAULT:
                raise IndexUnusable(str(error)) from error
            try:
                self._empty()
            except sqlite3.Error as again:
                raise IndexUnusable(str(again)) from again
            raise IndexLost(str(error)) from error


def _numbered(rows: list[tuple[int, float]]) -> NumberedHits:
    cells = np.fromiter(chain.from_iterable(rows), np.float64, 2 * len(rows))
    return NumberedHits(cells[::2].astype(np.int64), cells[1::2].copy())


def _folded(text: IndexedText) -> IndexedText:
    parts = (space_out(fold_text(part)) for part in text[2:])
    return IndexedText(text.memory_id, text.checksum, *parts)


def _phrase(word: str) -> str:
    # Inside quotes nothing has a meaning but the quote itself.
    return '"' + space_out(word).replace('"', '""') + '"'


def _portions(ids: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    for start in range(0, len(ids), _IDS_PER_QUERY):
        some = ids[start : start + _IDS_PER_QUERY]
        yield some, ", ".join("?" * len(some))


def _remove(conn: sqlite3.Connection, ids: Sequence[str]) -> dict[str, int]:
    """Take memories out of the index; the numbers that they had."""
    numbers: dict[str, int] = {}
    for some, marks in _portions(ids):
        where = f"memory_id IN ({marks})"
        columns = f"memory_id, number, {_COLUMNS}, brain, checksum"
        rows = conn.execute(f"SELECT {columns} FROM search_texts WHERE {where}", some).fetchall()
        if not rows:
            continue
        # FTS5 keeps no texts: it has to be told what it is to forget.
        conn.executemany(
            f"INSERT INTO search_index (search_index, rowid, {_COLUMNS}) "
            "VALUES ('delete', ?, ?, ?, ?, ?, ?)",
            [row[1:-2] for row in rows],
        )
        for brain in {row[-2] for row in rows}:
            _count(conn, brain, [(row[0], row[-1]) for row in rows if row[-2] == brain], -1)
        conn.execute(f"DELETE FROM search_texts WHERE {where}", some)
        numbers.update((row[0], row[1]) for row in rows)
    return numbers


def _count(
    conn: sqlite3.Connection, brain: int, rows: Sequence[tuple[str, int]], sign: int
) -> None:
    """Note that rows came (1) or went (−1)."""
    hashes = hash_texts(*StringColumn.of(memory_id for memory_id, _ in rows).block)
    checksums = np.array([checksum for _, checksum in rows], dtype=np.int64)
    moved = sign * sum_of_rows(hashes, checksums)
    (total,) = conn.execute("SELECT total FROM search_brains WHERE number = ?", (brain,)).fetchone()
    conn.execute(
        "UPDATE search_brains SET held = held + ?, total = ? WHERE number = ?",
        (sign * len(rows), wrapped(total + moved), brain),
    )


def _is_there(conn: sqlite3.Connection) -> bool:
    found = conn.execute("SELECT version FROM parts WHERE name = ?", (_PART,)).fetchone()
    return bool(found == (SEARCH_VERSION,))


def _check(conn: sqlite3.Connection) -> None:
    # 1: compare with the texts, too.
    conn.execute("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 1)")


def _make_anew(conn: sqlite3.Connection) -> None:
    try:
        conn.execute(f"DROP TABLE IF EXISTS {_INDEX}")
    except sqlite3.DatabaseError:
        # FTS5 must understand an index to drop it: forget that there is one, its tables follow.
        conn.execute("PRAGMA writable_schema = ON")
        conn.execute("DELETE FROM sqlite_master WHERE name = ?", (_INDEX,))
        conn.execute("PRAGMA writable_schema = RESET")
    left = conn.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'search!_%' ESCAPE '!'"
    )
    for (name,) in left.fetchall():
        conn.execute(f'DROP TABLE "{name}"')
    for statement in _TABLES:
        conn.execute(statement)
    conn.execute("INSERT OR REPLACE INTO parts VALUES (?, ?)", (_PART, SEARCH_VERSION))
