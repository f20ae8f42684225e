"""What the desk keeps beside a vault: the person's journal and settings, and derived columns."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from typing import TYPE_CHECKING, Any, cast

from mvdesk.store.companion_file import CompanionFile, choose_path, tell_obstacle
from mvdesk.store.failures import sqlite_errors_explained
from mvdesk.store.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from mvdesk.store.raw_file import FileStamp


class Companion:
    """The file beside one vault. Safe to use from several threads and processes.

    The person's part (settings, journal, positions) raises VaultError when it can't be kept.
    The derived part (columns) never raises: what isn't there is made again.
    """

    def __init__(self, file: CompanionFile, vault_path: Path) -> None:
        """Use `open`."""
        self._file = file
        self._vault_path = vault_path
        self.steps = Steps(file, lambda writing: self._explained(writing=writing))

    @classmethod
    def open(cls, vault_path: Path, data_folder: Path) -> Companion:
        """The companion of a vault: beside it, or under `data_folder` if that can't be written.

        Never fails: one that can't be used is renamed, and `notices` says so. No file is made
        before there is something to keep.
        """
        path = choose_path(vault_path, data_folder)
        companion = cls(CompanionFile(path), vault_path)
        if obstacle := tell_obstacle(vault_path, path):
            companion._file.notices.append(obstacle)
        # So that notices are there from the start; who needs what fails now will see it.
        with contextlib.suppress(sqlite3.Error):
            companion._file.read(lambda _: None)
        return companion

    @property
    def path(self) -> Path | None:
        """The file, whether made yet or not; `None` for a companion in memory."""
        return self._file.path

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences for the person: what was set aside, what can't be kept."""
        return tuple(self._file.notices)

    def read_setting(self, name: str) -> object | None:
        """The stored JSON value, `None` when there is none."""
        found = self._read_all("SELECT value FROM settings WHERE name = ?", (name,))
        try:
            return cast("object", json.loads(found[0][0])) if found else None
        except ValueError:
            return None  # a damaged setting is as good as none

    def read_settings(self, beginning: str) -> dict[str, object]:
        """The stored JSON values whose names begin so, by name; damaged ones are left out."""
        found: dict[str, object] = {}
        sql = "SELECT name, value FROM settings WHERE substr(name, 1, length(?1)) = ?1"
        for name, value in self._read_all(sql, (beginning,)):
            with contextlib.suppress(ValueError):
                found[str(name)] = json.loads(value)
        return found

    def write_setting(self, name: str, value: object) -> None:
        """Store a JSON value; `None` removes it."""
        if value is None:
            self._write("DELETE FROM settings WHERE name = ?", [(name,)])
        else:
            # ASCII: half of a character pair in a draft survives as an escape.
            self._write(
                "INSERT OR REPLACE INTO settings VALUES (?, ?)", [(name, json.dumps(value))]
            )

    def read_positions(self, brain_id: str) -> dict[str, tuple[float, float]]:
        """Where memories were put in the graph, by id."""
        sql = "SELECT memory_id, x, y FROM positions WHERE brain_id = ?"
        return {str(row[0]): (row[1], row[2]) for row in self._read_all(sql, (brain_id,))}

    def write_positions(
        self, brain_id: str, positions: Mapping[str, tuple[float, float] | None]
    ) -> None:
        """Store where memories are put; `None` forgets a place, others stay as they are."""

        def work(conn: sqlite3.Connection) -> None:
            conn.executemany(
                "DELETE FROM positions WHERE brain_id = ? AND memory_id = ?",
                [(brain_id, memory_id) for memory_id in positions],
            )
            conn.executemany(
                "INSERT INTO positions VALUES (?, ?, ?, ?)",
                [(brain_id, key, *place) for key, place in positions.items() if place],
            )

        with self._explained(writing=True):
            self._file.write(work)

    def read_columns(self, brain_id: str, stamp: FileStamp) -> dict[str, bytes] | None:
        """The columns stored for this state of the vault file, `None` if there are none."""

        def work(conn: sqlite3.Connection) -> dict[str, bytes] | None:
            known = conn.execute("SELECT stamp FROM column_sets WHERE brain_id = ?", (brain_id,))
            if known.fetchone() != (stamp.to_text(),):
                return None
            rows = conn.execute(
                "SELECT rowid, name, checksum FROM column_blobs WHERE brain_id = ?", (brain_id,)
            )
            blobs: dict[str, bytes] = {}
            for row, name, checksum in rows.fetchall():
                # Not by SELECT, which would hold every column twice while it reads it.
                with conn.blobopen("column_blobs", "data", row, readonly=True) as blob:
                    data = blob.read()
                # SQLite doesn't notice flipped bytes inside a BLOB; wrong scores would follow.
                if zlib.crc32(data) != checksum:
                    return None
                blobs[name] = data
            return blobs

        try:
            return self._file.read(work)
        except (sqlite3.Error, TypeError):  # a damaged file can hold anything in place of bytes
            return None

    def write_columns(self, brain_id: str, stamp: FileStamp, blobs: Mapping[str, bytes]) -> bool:
        """Store columns in place of those of the brain; whether they were kept.

        They aren't when the vault file was written so lately that the stamp is unsettled.
        """
        if stamp.unsettled:
            return False

        def work(conn: sqlite3.Connection) -> None:
            conn.execute("DELETE FROM column_sets WHERE brain_id = ?", (brain_id,))
            conn.execute("INSERT INTO column_sets VALUES (?, ?)", (brain_id, stamp.to_text()))
            conn.executemany(
                "INSERT INTO column_blobs VALUES (?, ?, ?, ?)",
                [(brain_id, name, zlib.crc32(data), data) for name, data in blobs.items()],
            )

        try:
            self._file.write(work)
        except sqlite3.Error:
            return False
        return True

    def add_column(self, brain_id: str, stamp: FileStamp, name: str, data: bytes) -> bool:
        """Store one more column beside those of this very state; whether it was kept."""

        def work(conn: sqlite3.Connection) -> bool:
            known = conn.execute("SELECT stamp FROM column_sets WHERE brain_id = ?", (brain_id,))
            is_there: bool = known.fetchone() == (stamp.to_text(),)
            if is_there:
                conn.execute(
                    "INSERT OR REPLACE INTO column_blobs VALUES (?, ?, ?, ?)",
                    (brain_id, name, zlib.crc32(data), data),
                )
            return is_there

        try:
            return bool(self._file.write(work))
        except sqlite3.Error:
            return False

    def data_version(self) -> int:
        """A number that changes when another process wrote to the companion."""

        def work(conn: sqlite3.Connection) -> int:
            return int(conn.execute("PRAGMA data_version").fetchone()[0])

        try:
            return self._file.read(work) or 0
        except sqlite3.Error:
            return 0

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _explained(self, *, writing: bool) -> AbstractContextManager[None]:
        return sqlite_errors_explained(self.path or self._vault_path, writing=writing)

    def _read_all(self, sql: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._explained(writing=False):
            return self._file.read(lambda conn: conn.execute(sql, values).fetchall()) or []

    def _write(self, sql: str, rows: list[tuple[object, ...]]) -> int:
        with self._explained(writing=True):
            return self._file.write(lambda conn: conn.executemany(sql, rows).rowcount)
