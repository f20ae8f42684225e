"""Which memories have typing that isn't in the vault yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Iterable


class Unsaved(QObject):
    """Part of the view state; belongs to a session. The editor says it, lists and lines show it."""

    changed = Signal()
    restored = Signal()  # what was kept of earlier runs was read; it is among the ids

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: frozenset[str] = frozenset()

    @property
    def memory_ids(self) -> frozenset[str]:
        """The memories with unsaved typing; "" stands for a new one."""
        return self._ids

    def set_ids(self, memory_ids: Iterable[str]) -> None:
        ids = frozenset(memory_ids)
        if ids != self._ids:
            self._ids = ids
            self.changed.emit()
