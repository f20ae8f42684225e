"""Keeps the memory that the process holds near what it uses."""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot

if TYPE_CHECKING:
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession

QUIET_MS: Final = 3_000
_LARGE_BYTES: Final = 256 * 1024
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # <malloc.h>


def tune_allocator() -> bool:
    """Have large arrays given back to the system as soon as they are freed; True where possible.

    Left to itself glibc keeps them: each thread gets a heap of its own, and what every save
    makes anew leaves holes in it. After thirty edits of a large vault that is 150 MB.
    """
    libc = _glibc()
    if libc is None:
        return False
    options = ((_M_ARENA_MAX, 2), (_M_MMAP_THRESHOLD, _LARGE_BYTES), (_M_TRIM_THRESHOLD, 2**20))
    return all([libc.mallopt(option, value) == 1 for option, value in options])  # noqa: C419


def release_free_memory(_token: CancelToken | None = None) -> None:
    """Give back what is free in the heaps."""
    libc = _glibc()
    if libc is not None:
        libc.malloc_trim(0)


class MemoryWatch(QObject):
    """Gives memory back once it is quiet after something large: an opening, a write."""

    def __init__(self, session: VaultSession, *, quiet_ms: int = QUIET_MS) -> None:
        super().__init__(session)
        self._jobs = session.jobs
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(quiet_ms)
        self._timer.timeout.connect(self._on_quiet)
        session.vault_opened.connect(self._timer.start)
        session.vault_changed.connect(self._on_vault_changed)
        session.vault_closing.connect(self._timer.stop)

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        self._timer.start()

    @Slot()
    def _on_quiet(self) -> None:
        if self._jobs.is_idle():
            self._jobs.run("trim", release_free_memory, _ignore)
        else:
            self._timer.start()


def _glibc() -> ctypes.CDLL | None:
    """The C library, where it is one that knows these calls."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim") else None


def _ignore(_: object) -> None:
    """For work whose outcome nobody waits for."""
