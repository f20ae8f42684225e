"""How far a long write is, and giving it up: counted in the write lane, shown in the window."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from mvdesk.vault.apply import BACKING_UP, WriteCancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHOWN_AFTER_MS: Final = 300
CANCEL_AFTER_MS: Final = 1_000
LEAST_ROWS: Final = 500
"""Fewer are as good as written."""
_EVERY_MS: Final = 100


class WriteProgress(QObject):
    """Follows the write that is under way; looked at while there is one."""

    # Rows done (or BACKING_UP), all of them (0: nothing to show), can be ended.
    changed = Signal(int, int, bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        # Set by the write lane as a whole, read by the window: no lock is needed.
        self._done = self._total = 0
        self._is_unwanted = False
        self._shown = (0, 0, False)
        self._ticks = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self._on_tick)

    @contextmanager
    def watching(self) -> Iterator[Callable[[int, int], None]]:
        """For the write lane: gives what is to be told how many rows of how many are done."""
        try:
            yield self._tell
        finally:
            self._done = self._total = 0
            self._is_unwanted = False

    @Slot(bool)
    def follow(self, is_writing: bool) -> None:
        """A write begins, or the last one of them ends."""
        self._ticks = 0
        if is_writing:
            self._is_unwanted = False
            self._timer.start()
        else:
            self._timer.stop()
            self._show(0, 0, False)

    @Slot()
    def cancel(self) -> None:
        """Give up the write that is under way or comes next, unless its rows are all done."""
        self._is_unwanted = True

    def _tell(self, done: int, total: int) -> None:
        self._done, self._total = done, total
        if self._is_unwanted:
            raise WriteCancelled

    @Slot()
    def _on_tick(self) -> None:
        self._ticks += 1
        passed, done, total = self._ticks * _EVERY_MS, self._done, self._total
        if (total >= LEAST_ROWS or done == BACKING_UP) and passed >= SHOWN_AFTER_MS:
            self._show(done, total, passed >= CANCEL_AFTER_MS and not self._is_unwanted)
        else:
            self._show(0, 0, False)

    def _show(self, done: int, total: int, can_cancel: bool) -> None:
        if (done, total, can_cancel) != self._shown:
            self._shown = (done, total, can_cancel)
            self.changed.emit(done, total, can_cancel)
