"""Where the person was: back and forward over selected memories, and the recent ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mvdesk.ui.session import VaultSession

KEPT_PLACES: Final = 200
KEPT_RECENT: Final = 30
PASSING_S: Final = 1.0
"""A memory that was left sooner was only passed, as by arrow keys: it is no place to go back to."""


class Navigation(QObject):
    """Follows the selection of a session, and starts anew with each vault."""

    changed = Signal()  # whether there is a way back or forward

    def __init__(self, session: VaultSession, clock: Callable[[], float]) -> None:
        """`clock` is in seconds, from whatever moment."""
        super().__init__(session)
        self._session, self._clock = session, clock
        self._places: list[str] = []
        self._at = -1
        self._came_at = 0.0
        self._recent: list[str] = []
        self._is_going = False
        session.selection_changed.connect(self._on_selected)
        session.vault_closed.connect(self.clear)
        session.vault_opened.connect(self.clear)

    @property
    def can_go_back(self) -> bool:
        return self._find(-1) is not None

    @property
    def can_go_forward(self) -> bool:
        return self._find(1) is not None

    @property
    def recent_ids(self) -> list[str]:
        """The memories looked at, newest first, each once; some may have been deleted."""
        return list(self._recent)

    def set_earlier(self, memory_ids: Sequence[str]) -> None:
        """Memories that were recent when the vault was open before, after those of now."""
        earlier = [one for one in memory_ids if one not in self._recent]
        self._recent = [*self._recent, *earlier][:KEPT_RECENT]

    def go(self, by: int) -> None:
        """Back (−1) or forward (1) to a memory that is still there."""
        place = self._find(by)
        if place is not None:
            self._at = place
            self._is_going = True
            try:
                self._session.select(self._places[place])
            finally:
                self._is_going = False
            self._came_at = self._clock()
            self.changed.emit()

    @Slot()
    def clear(self) -> None:
        """Forget everything."""
        self._places, self._at, self._recent = [], -1, []
        self.changed.emit()

    def _find(self, by: int) -> int | None:
        """The next place in a direction whose memory is still there, and another one."""
        if not self._session.is_open:
            return None
        here = self._session.selected_id
        place = self._at + by
        while 0 <= place < len(self._places):
            memory_id = self._places[place]
            if memory_id != here and self._session.snapshot.row_of(memory_id) is not None:
                return place
            place += by
        return None

    @Slot(object)
    def _on_selected(self, memory_id: str | None) -> None:
        if memory_id is None:
            return
        self._note_recent(memory_id)
        if self._is_going:
            return
        now = self._clock()
        passed = 0 <= self._at < len(self._places) and now - self._came_at < PASSING_S
        # What was only passed gives its place away, and the way forward ends here.
        del self._places[self._at + (0 if passed and self._at > 0 else 1) :]
        if not self._places or self._places[-1] != memory_id:
            self._places.append(memory_id)
        del self._places[:-KEPT_PLACES]
        self._at, self._came_at = len(self._places) - 1, now
        self.changed.emit()

    def _note_recent(self, memory_id: str) -> None:
        if memory_id in self._recent:
            self._recent.remove(memory_id)
        self._recent.insert(0, memory_id)
        del self._recent[KEPT_RECENT:]
