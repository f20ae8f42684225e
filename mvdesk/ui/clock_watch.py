"""Lets scores follow the clock while the window stays open."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from collections.abc import Callable

    from mvdesk.ui.session import VaultSession

EVERY_S: Final = 600
QUIET_MS: Final = 2_000
"""So long a preview must have rested: numbers must not move for two reasons at once."""


def seconds_to_next(now: int, every_s: int = EVERY_S) -> int:
    """Until the scores are to be computed again: some minutes, or less when a day begins."""
    today = datetime.fromtimestamp(now).astimezone()
    midnight = (today + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return max(1, min(every_s, int(midnight.timestamp()) - now))


class ClockWatch(QObject):
    """Asks a session to score for the present every few minutes, and when a day begins."""

    def __init__(
        self, session: VaultSession, clock: Callable[[], int], *, every_s: float = EVERY_S
    ) -> None:
        super().__init__(session)
        self._session, self._clock, self._every_s = session, clock, every_s
        self._is_due = False
        self._next = self._timer(self._on_time)
        self._next.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._quiet = self._timer(self._on_quiet)
        session.preview_changed.connect(self._on_preview_changed)
        session.vault_opened.connect(self._plan)
        session.vault_closing.connect(self._on_vault_closing)

    @Slot()
    def _plan(self) -> None:
        wait = min(self._every_s, seconds_to_next(self._clock()))
        self._next.start(max(1, round(1000 * wait)))

    @Slot()
    def _on_vault_closing(self) -> None:
        self._is_due = False
        self._next.stop()
        self._quiet.stop()

    @Slot()
    def _on_time(self) -> None:
        self._is_due = True
        if not self._quiet.isActive():
            self._on_quiet()

    @Slot()
    def _on_quiet(self) -> None:
        if not self._is_due:
            return
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._quiet.start(QUIET_MS)  # a handle is held, even if it doesn't move
            return
        self._is_due = False
        self._session.refresh_clock()
        self._plan()

    @Slot(object)
    def _on_preview_changed(self, _preview: object) -> None:
        if self._session.is_open:
            self._quiet.start(QUIET_MS)

    def _timer(self, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer
