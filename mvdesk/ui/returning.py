"""A memory that an undo brings back is selected again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot

from mvdesk.ui.panels.drafts import NEW_MEMORY

if TYPE_CHECKING:
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.changes import ChangeSet


class Returning(QObject):
    """Remembers the selected memory that was deleted, until another one is selected.

    Typing in a new memory is not left for it.
    """

    def __init__(self, session: VaultSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._selected_id: str | None = None
        self._gone_id: str | None = None
        session.selection_changed.connect(self._on_selection_changed)
        # Later than the panels: a row is selected in what they show by then.
        session.vault_changed.connect(self._on_vault_changed, Qt.ConnectionType.QueuedConnection)
        session.vault_opened.connect(self._forget)
        session.vault_closed.connect(self._forget)

    @Slot(object)
    def _on_selection_changed(self, memory_id: str | None) -> None:
        before, self._selected_id = self._selected_id, memory_id
        session = self._session
        is_gone = (
            memory_id is None
            and before is not None
            and session.is_open
            and session.snapshot.row_of(before) is None
        )
        self._gone_id = before if is_gone else None

    @Slot(object)
    def _on_vault_changed(self, _changes: ChangeSet) -> None:
        session, gone_id = self._session, self._gone_id
        if gone_id is None or not session.is_open or session.snapshot.row_of(gone_id) is None:
            return
        self._gone_id = None
        if session.selected_id is None and NEW_MEMORY not in session.unsaved.memory_ids:
            session.select(gone_id)

    @Slot()
    def _forget(self) -> None:
        self._selected_id, self._gone_id = self._session.selected_id, None
