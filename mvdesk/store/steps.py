"""The steps that can be undone, as rows of a companion.

A step is announced before the vault's transaction commits and settled after it, since no
transaction spans both files: whoever is killed between the two leaves a pending step, and what
the vault holds then tells what became of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager

    from mvdesk.store.companion_file import CompanionFile

T = TypeVar("T")

MAX_STEPS: Final = 500
"""Steps of a brain that can be undone."""
MAX_PLAN_BYTES: Final = 64_000_000
"""What their plans may take together: the texts of many thousand memories."""

_COLUMNS: Final = "id, brain_id, label, plan, created_at, undone"
_KNOWN: Final = "id NOT IN (SELECT step_id FROM pending WHERE is_new)"
"""Not those of which nobody knows yet whether they were written."""


@dataclass(frozen=True, slots=True)
class JournalStep:
    """Something a person did to a brain that can be undone.

    `plan` is JSON text. `id` is given by the journal, 0 before. `created_at` is epoch seconds.
    """

    id: int
    brain_id: str
    label: str
    plan: str
    created_at: int
    undone: bool = False


@dataclass(frozen=True, slots=True)
class PendingStep:
    """A step that was about to be written (`is_new`), undone or done again.

    `undone` is what it is once the vault holds that write. `proof` is the id of a changelog
    row that the write adds, "" for a write without any: then `plan` (else "") must tell.
    """

    step_id: int
    is_new: bool
    undone: bool
    proof: str
    plan: str


class Steps:
    """The journal of one companion. Every method raises VaultError when it can't be kept."""

    def __init__(
        self, file: CompanionFile, explained: Callable[[bool], AbstractContextManager[None]]
    ) -> None:
        """`explained` turns SQLite's errors into VaultErrors; True for those of writing."""
        self._file = file
        self._explained = explained
        self._plan_sizes: dict[int, int] = {}  # by step; ids are never used twice

    def add(self, step: JournalStep) -> int:
        """Append a step, and forget the undone ones of its brain; gives back its id.

        Of each brain the newest `MAX_STEPS` are kept, as long as their plans take no more than
        `MAX_PLAN_BYTES` together; the newest one whatever it takes.
        """

        def work(conn: sqlite3.Connection) -> int:
            step_id = _insert(conn, step)
            self._forget(conn, step.brain_id, step_id)
            return step_id

        return self._write(work)

    def announce(self, step: JournalStep, proof: str) -> int:
        """Append a step that nobody sees before it is settled; gives back its id.

        `proof` is as in `PendingStep`.
        """

        def work(conn: sqlite3.Connection) -> int:
            step_id = _insert(conn, step)
            conn.execute("INSERT INTO pending VALUES (?, 1, 0, ?)", (step_id, proof))
            return step_id

        return self._write(work)

    def announce_mark(
        self, step_id: int, undone: bool, proof: str, plan: str | None = None
    ) -> None:
        """Note that a step is about to be undone, or done again; `plan` takes its plan's place."""

        def work(conn: sqlite3.Connection) -> None:
            sql = "INSERT OR REPLACE INTO pending SELECT id, 0, ?, ? FROM journal WHERE id = ?"
            conn.execute(sql, (int(undone), proof, step_id))
            self._replace_plan(conn, step_id, plan)

        self._write(work)

    def read_pending(self, brain_id: str) -> list[PendingStep]:
        """The steps of a brain that were announced and not settled, oldest first."""
        rows = self._read(
            "SELECT step_id, is_new, pending.undone, proof, "
            "CASE proof WHEN '' THEN plan ELSE '' END "
            "FROM pending JOIN journal ON id = step_id WHERE brain_id = ? ORDER BY step_id",
            (brain_id,),
        )
        return [
            PendingStep(step_id, bool(is_new), bool(undone), proof, plan)
            for step_id, is_new, undone, proof, plan in rows
        ]

    def settle(self, step_id: int, *, is_written: bool) -> None:
        """Make an announced step what it was to be, or again what it was before."""

        def work(conn: sqlite3.Connection) -> None:
            sql = "SELECT is_new, undone FROM pending WHERE step_id = ?"
            for is_new, undone in conn.execute(sql, (step_id,)).fetchall():
                conn.execute("DELETE FROM pending WHERE step_id = ?", (step_id,))
                if is_written and is_new:
                    sql = "SELECT brain_id FROM journal WHERE id = ?"
                    (brain_id,) = conn.execute(sql, (step_id,)).fetchone()
                    self._forget(conn, brain_id, step_id)
                elif is_written:
                    _mark(conn, step_id, undone)
                elif is_new:
                    conn.execute("DELETE FROM journal WHERE id = ?", (step_id,))

        self._write(work)

    def read(self, limit: int, brain_id: str | None = None) -> list[JournalStep]:
        """The newest steps, undone ones too, newest first; of one brain, or of all (`None`)."""
        rows = self._read(
            f"SELECT {_COLUMNS} FROM journal "
            f"WHERE (?1 IS NULL OR brain_id = ?1) AND {_KNOWN} ORDER BY id DESC LIMIT ?2",
            (brain_id, limit),
        )
        return [_step(row) for row in rows]

    def find(self, brain_id: str, *, undone: bool) -> JournalStep | None:
        """The step that undo takes next (the newest done), or redo (the oldest undone)."""
        rows = self._read(f"SELECT {_COLUMNS} FROM journal WHERE {_next(undone)}", (brain_id,))
        return _step(rows[0]) if rows else None

    def find_label(self, brain_id: str, *, undone: bool) -> str:
        """The label of `find`, "" for none; a plan may be too long to read for that."""
        rows = self._read(f"SELECT label FROM journal WHERE {_next(undone)}", (brain_id,))
        return str(rows[0][0]) if rows else ""

    def find_id(self, brain_id: str, *, undone: bool) -> int:
        """The id of `find`, 0 for none."""
        rows = self._read(f"SELECT id FROM journal WHERE {_next(undone)}", (brain_id,))
        return int(rows[0][0]) if rows else 0

    def mark(self, step_id: int, *, undone: bool, plan: str | None = None) -> bool:
        """Note that a step was undone or redone; False when it was already, or is gone.

        `plan` takes its plan's place.
        """

        def work(conn: sqlite3.Connection) -> bool:
            self._replace_plan(conn, step_id, plan)
            return _mark(conn, step_id, int(undone))

        return self._write(work)

    def remove(self, step_ids: Iterable[int]) -> None:
        """Forget steps."""
        rows = [(step_id,) for step_id in step_ids]
        self._write(lambda conn: conn.executemany("DELETE FROM journal WHERE id = ?", rows))

    def _read(self, sql: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._explained(False):
            return self._file.read(lambda conn: conn.execute(sql, values).fetchall()) or []

    def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._explained(True):
            return self._file.write(work)

    def _forget(self, conn: sqlite3.Connection, brain_id: str, newest: int) -> None:
        """Forget what can't be redone after the step `newest`, and what there is no room for."""
        undone = f"DELETE FROM journal WHERE brain_id = ? AND undone AND id < ? AND {_KNOWN}"
        conn.execute(undone, (brain_id, newest))
        sql = f"SELECT id FROM journal WHERE brain_id = ? AND {_KNOWN} ORDER BY id DESC"
        ids = [row[0] for row in conn.execute(sql, (brain_id,))]
        total = keep = 0
        for step_id in ids[:MAX_STEPS]:
            total += self._plan_size(conn, step_id)
            if total > MAX_PLAN_BYTES and keep:
                break
            keep += 1
        conn.executemany("DELETE FROM journal WHERE id = ?", [(one,) for one in ids[keep:]])

    def _replace_plan(self, conn: sqlite3.Connection, step_id: int, plan: str | None) -> None:
        if plan is not None:
            conn.execute("UPDATE journal SET plan = ? WHERE id = ?", (plan, step_id))
            self._plan_sizes.pop(step_id, None)

    def _plan_size(self, conn: sqlite3.Connection, step_id: int) -> int:
        # Measured once: to tell its length, SQLite reads a plan whole.
        if step_id not in self._plan_sizes:
            sql = "SELECT length(CAST(plan AS BLOB)) FROM journal WHERE id = ?"
            (self._plan_sizes[step_id],) = conn.execute(sql, (step_id,)).fetchone()
        return self._plan_sizes[step_id]


def _insert(conn: sqlite3.Connection, step: JournalStep) -> int:
    added = conn.execute(
        "INSERT INTO journal (brain_id, label, plan, created_at, undone) VALUES (?, ?, ?, ?, ?)",
        (step.brain_id, step.label, step.plan, step.created_at, int(step.undone)),
    )
    return int(added.lastrowid or 0)


def _mark(conn: sqlite3.Connection, step_id: int, undone: int) -> bool:
    sql = "UPDATE journal SET undone = ?1 WHERE id = ?2 AND undone <> ?1"
    return conn.execute(sql, (undone, step_id)).rowcount > 0


def _next(undone: bool) -> str:
    if undone:
        return f"brain_id = ? AND undone AND {_KNOWN} ORDER BY id LIMIT 1"
    return f"brain_id = ? AND NOT undone AND {_KNOWN} ORDER BY id DESC LIMIT 1"


def _step(row: tuple[Any, ...]) -> JournalStep:
    step_id, brain_id, label, plan, created_at, undone = row
    return JournalStep(step_id, brain_id, label, plan, created_at, bool(undone))
