"""Keeps the memory that the process holds near what it uses."""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot

if TYPE_CHECKING:
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.preview import Preview
    from mvdesk.ui.session import VaultSession

QUIET_MS: Final = 3_000
_LARGE_BYTES: Final = 256 * 1024
_TOP_BYTES: Final = 2**20
_BUSY_LARGE_BYTES: Final = 2 * 2**20
_BUSY_TOP_BYTES: Final = 16 * 2**20
"""Of a million memories an array takes 8 MB: kept, too, they would leave holes of 200 MB, and save
a frame less than one millisecond of ten."""
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # <malloc.h>


def tune_allocator() -> bool:
    """Have large arrays given back to the system as soon as they are freed; True where possible.

    Left to itself glibc keeps them: each thread gets a heap of its own, and what every save
    makes anew leaves holes in it. After thirty edits of a large vault that is 150 MB.
    """
    return _set_options((_M_ARENA_MAX, 2)) and keep_freed_memory(on=False)


def keep_freed_memory(*, on: bool) -> bool:
    """Have what is freed kept for what comes next, or given back; True where possible.

    Each move of a slider makes arrays as large as those of the move before. Given back and
    asked for anew, their pages cost more than all that is computed in them.
    """
    large, top = (_BUSY_LARGE_BYTES, _BUSY_TOP_BYTES) if on else (_LARGE_BYTES, _TOP_BYTES)
    return _set_options((_M_MMAP_THRESHOLD, large), (_M_TRIM_THRESHOLD, top))


def _set_options(*options: tuple[int, int]) -> bool:
    libc = _glibc()
    if libc is None:
        return False
    return all([libc.mallopt(option, value) == 1 for option, value in options])  # noqa: C419


def release_free_memory(_token: CancelToken | None = None) -> None:
    """Give back what is free in the heaps."""
    libc = _glibc()
    if libc is not None:
        libc.malloc_trim(0)


class MemoryWatch(QObject):
    """Gives memory back once it is quiet after something large: an opening, a write, a preview.

    While a preview moves, what its frames free is kept for the next frame.
    """

    def __init__(self, session: VaultSession, *, quiet_ms: int = QUIET_MS) -> None:
        super().__init__(session)
        self._session = session
        self._jobs = session.jobs
        self._keeps = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(quiet_ms)
        self._timer.timeout.connect(self._on_quiet)
        session.vault_opened.connect(self._timer.start)
        session.vault_changed.connect(self._on_vault_changed)
        session.preview_changed.connect(self._on_preview_changed)
        session.vault_closing.connect(self._on_vault_closing)

    @property
    def keeps_freed(self) -> bool:
        """Whether memory is kept that was freed."""
        return self._keeps

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        self._timer.start()

    @Slot(object)
    def _on_preview_changed(self, preview: Preview) -> None:
        if not preview.is_empty:
            self._keep(on=True)
        if self._keeps:
            self._timer.start()

    @Slot()
    def _on_vault_closing(self) -> None:
        self._timer.stop()
        self._keep(on=False)

    def _keep(self, *, on: bool) -> None:
        if on != self._keeps:
            self._keeps = on
            keep_freed_memory(on=on)

    @Slot()
    def _on_quiet(self) -> None:
        if self._jobs.is_idle():
            self._keep(on=False)
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
