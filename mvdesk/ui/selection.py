"""Which memories are selected besides the one that is explained and edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

if TYPE_CHECKING:
    from mvdesk.arrays import BoolArray, IntArray
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.snapshot import Snapshot


class Selection(QObject):
    """Part of the view state; belongs to a session. One memory of it at most is the current one.

    Marks for every memory, so that a hundred thousand are selected as quickly as one. It
    stays through sorting, filtering and writes. A memory that is selected from elsewhere
    becomes the only one.
    """

    changed = Signal()

    def __init__(self, session: VaultSession) -> None:
        super().__init__(session)
        self._session = session
        self._snapshot: Snapshot | None = None
        self._marks: BoolArray = np.zeros(0, dtype=np.bool_)
        self._count = 0
        self._follows = True
        session.vault_opened.connect(self._on_vault_changed)
        session.vault_closed.connect(self._on_vault_closed)
        session.vault_changed.connect(self._on_vault_changed)
        session.selection_changed.connect(self._on_current_changed)

    @property
    def marks(self) -> BoolArray:
        """Marks for every row of the memory table; not to be written to."""
        return self._marks

    @property
    def count(self) -> int:
        return self._count

    @property
    def rows(self) -> IntArray:
        """The selected rows of the memory table, ascending."""
        return np.flatnonzero(self._marks)

    @property
    def is_many(self) -> bool:
        """Whether more than the current memory is selected."""
        return self._count > 1

    @property
    def ids(self) -> list[str]:
        """The ids of the selected memories, in the order of the table."""
        if self._snapshot is None:
            return []
        ids = self._snapshot.memories.ids
        return [ids.text(row) for row in self.rows.tolist()]

    def set_rows(self, rows: IntArray | list[int]) -> None:
        """Select these rows of the memory table and no others."""
        marks = np.zeros(len(self._marks), dtype=np.bool_)
        marks[np.asarray(rows, dtype=np.intp)] = True
        self._set(marks)

    def add_rows(self, rows: IntArray | list[int]) -> None:
        """Select these rows, too."""
        marks = self._marks.copy()
        marks[np.asarray(rows, dtype=np.intp)] = True
        self._set(marks)

    def toggle(self, row: int) -> None:
        """Select a row, or take it out."""
        marks = self._marks.copy()
        marks[row] = not marks[row]
        self._set(marks)

    def make_current(self, memory_id: str | None) -> None:
        """Explain and edit another memory; what is selected stays."""
        self._follows = False
        try:
            self._session.select(memory_id)
        finally:
            self._follows = True

    def _set(self, marks: BoolArray) -> None:
        if not np.array_equal(marks, self._marks):
            self._marks, self._count = marks, int(np.count_nonzero(marks))
            self.changed.emit()

    @Slot()
    def _on_vault_closed(self) -> None:
        self._snapshot = None
        self._set(np.zeros(0, dtype=np.bool_))

    @Slot()
    @Slot(object)
    def _on_vault_changed(self, changes: ChangeSet | None = None) -> None:
        """The same memories in another table, wherever they are in it."""
        old, new = self._snapshot, self._session.snapshot
        self._snapshot = new
        if old is not None and old.memories.ids is new.memories.ids:
            return
        marks = np.zeros(len(new.memories), dtype=np.bool_)
        if old is not None and old.brain_id == new.brain_id and self._count:
            moved = None if changes is None else _spliced_marks(self._marks, old, new, changes)
            if moved is not None:
                marks = moved
            else:
                ids = old.memories.ids
                rows = new.rows_of([ids.text(row) for row in self.rows.tolist()])
                marks[rows[rows >= 0]] = True
        self._set(marks)

    @Slot(object)
    def _on_current_changed(self, _memory_id: str | None) -> None:
        row = self._session.selected_row if self._session.is_open else None
        if not self._follows:
            return
        if row is None:
            self.set_rows([])
        elif not (row < len(self._marks) and self._marks[row]):
            if row >= len(self._marks):  # a vault that is only now being shown
                self._on_vault_changed()
            self.set_rows([row])


def _spliced_marks(
    marks: BoolArray, old: Snapshot, new: Snapshot, changes: ChangeSet
) -> BoolArray | None:
    """The marks of the rows that stay, where they are now; None when that can't be told so.

    Looks only at what changed: asking for every selected id takes long when all are.
    """
    if changes.everything:
        return None
    ids = list(changes.memory_ids)
    before, after = old.rows_of(ids), new.rows_of(ids)
    stays = np.ones(len(marks), dtype=np.bool_)
    stays[before[(before >= 0) & (after < 0)]] = False
    was_there = np.ones(len(new.memories), dtype=np.bool_)
    was_there[after[(before < 0) & (after >= 0)]] = False
    both = (before >= 0) & (after >= 0)
    places = np.cumsum(stays)[before[both]], np.cumsum(was_there)[after[both]]
    if stays.sum() != was_there.sum() or not np.array_equal(*places):
        return None  # another program turned the table's order round
    moved = np.zeros(len(new.memories), dtype=np.bool_)
    moved[was_there] = marks[stays]
    return moved
