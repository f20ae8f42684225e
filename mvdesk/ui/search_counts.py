"""How many memories each saved search finds: counted behind the scenes, again after changes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from mvdesk.arrays import NO_TIME
from mvdesk.vault.questions.query import parse_query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.loading import Loaded
    from mvdesk.ui.search_memory import SearchMemory
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.questions.conditions import Moment
    from mvdesk.vault.questions.matching import Matches
    from mvdesk.vault.snapshot import Snapshot

_JOB: Final = "search-counts"
_CALM_MS: Final = 400
_AGAIN_MS: Final = 2_000
"""Until the texts are indexed words are looked for in titles and the like only."""

Known = tuple["Snapshot", bool, dict[str, "Matches"]]
"""What searches found in a snapshot, and whether their words were looked for in texts."""


class SearchCounts(QObject):
    """Follows saved searches and the vault. A stream of changes is counted when it rests."""

    changed = Signal()

    def __init__(self, session: VaultSession, memory: SearchMemory, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._memory = session, memory
        self._counts: dict[str, int] = {}
        self._known: Known | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self.count)
        memory.changed.connect(self.count)
        session.vault_changed.connect(self._on_moved)
        session.scores_changed.connect(self._on_moved)
        session.vault_closed.connect(self._on_vault_closed)

    @property
    def by_text(self) -> Mapping[str, int]:
        """How many memories each search finds, as far as that is known."""
        return self._counts

    @Slot()
    def _on_moved(self, _what: object = None) -> None:
        if self._memory.saved:
            self._rest.start(_CALM_MS)

    @Slot()
    def count(self) -> None:
        """Count again, in a job; archived memories only where they are asked for."""
        self._rest.stop()
        session, texts = self._session, [text for _, text in self._memory.saved]
        if not session.is_open or not texts:
            self._counts = {}
            self.changed.emit()
            return
        loaded, moment = session.searched()
        work = partial(_count_all, loaded, moment, texts, self._known)
        session.jobs.run(_JOB, work, self._on_counted, failed=self._on_failed)

    def _on_counted(self, found: tuple[dict[str, int], Known]) -> None:
        self._counts, self._known = found
        if not self._known[1]:
            self._rest.start(_AGAIN_MS)
        self.changed.emit()

    def _on_failed(self, _error: BaseException) -> None:
        """Given up for a newer count, or the vault can't be read, which opening it said."""

    @Slot()
    def _on_vault_closed(self) -> None:
        self._rest.stop()
        self._counts, self._known = {}, None
        self.changed.emit()


def _count_all(
    loaded: Loaded, moment: Moment, texts: list[str], known: Known | None, token: CancelToken
) -> tuple[dict[str, int], Known]:
    snapshot, is_complete = loaded.snapshot, loaded.searcher.is_complete
    kept: dict[str, Matches] = {}
    if known is not None and known[0] is snapshot and known[1] == is_complete:
        kept = known[2]
    active = snapshot.memories.archived_at == NO_TIME
    counts, found = {}, {}
    for text in texts:
        matches = kept.get(text)
        if matches is None:
            matches = loaded.searcher.find(
                snapshot, parse_query(text), ranked=False, cancelled=token.is_cancelled
            )
        found[text] = matches
        marks = matches.marks(moment)
        asks = matches.query.asks_for_archived
        counts[text] = int(np.count_nonzero(marks if asks else marks & active))
    return counts, (snapshot, is_complete, found)
