"""What was done or taken back last, said in the corner, with the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from mvdesk.ui.widgets.toast import Toast
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.session import VaultSession


OFFERED_FOR_MS: Final = 15_000


class StepToast(QObject):
    """Shows one step of the journal in a toast whose button acts on that step alone.

    Notices take its place. The toast goes once its step is no longer the one that its button
    means, however it came to that: by a key, a menu, or another program.
    """

    def __init__(self, session: VaultSession, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._toast = Toast(window)
        self._is_undo, self._step_id = True, 0  # what the button does, and to which step
        self._do: Callable[[], None] | None = None  # what an offer's button does instead
        self._newest = 0  # the step that undo would have taken back before this write
        self._toast.action_requested.connect(self._on_action_requested)
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_vault_closed)
        session.undo_changed.connect(self._on_undo_changed)
        session.write_finished.connect(self._on_write_finished)

    def show_notice(self, text: str) -> None:
        """A sentence without a step."""
        self._step_id, self._do = 0, None
        self._toast.show_message(text)

    def show_offer(self, text: str, action: str, do: Callable[[], None]) -> None:
        """A sentence with a button of its own."""
        self._step_id, self._do = 0, do
        self._toast.show_message(text, action=action, for_ms=OFFERED_FOR_MS)

    @Slot()
    def _on_vault_opened(self) -> None:
        self._newest = self._session.undo_id

    @Slot()
    def _on_vault_closed(self) -> None:
        self._newest = 0
        self._drop()

    @Slot(str, str)
    def _on_undo_changed(self, _undo_label: str, _redo_label: str) -> None:
        session = self._session
        if self._step_id != (session.undo_id if self._is_undo else session.redo_id):
            self._drop()

    @Slot(str, bool)
    def _on_write_finished(self, action: str, written: bool) -> None:
        session, newest = self._session, self._newest
        self._newest = session.undo_id
        if not written or self._newest == newest:
            return  # refused, or there was nothing to write
        if action == "skip":
            self._show_skipped()
        elif action == "undo":
            self._show(tr("Undone"), session.redo_label, session.redo_id, is_undo=False)
        else:
            said = tr("Done again") if action == "redo" else tr("Done")
            self._show(said, session.undo_label, session.undo_id)

    def _show_skipped(self) -> None:
        if label := self._session.undo_label:
            self._show(tr("Skipped. Undo now takes back"), label, self._session.undo_id)
        else:
            self.show_notice(tr("Skipped; there is nothing more to undo."))

    @Slot()
    def _on_action_requested(self) -> None:
        step_id, self._step_id = self._step_id, 0
        do, self._do = self._do, None
        if do is not None:
            do()
        elif self._is_undo:
            self._session.undo(step_id)
        else:
            self._session.redo(step_id)

    def _show(self, said: str, label: str, step_id: int, *, is_undo: bool = True) -> None:
        self._is_undo, self._step_id, self._do = is_undo, step_id, None
        verb = tr("Undo") if is_undo else tr("Redo")
        self._toast.show_message(f"{said}: {label}", kind="ok", action=verb)

    def _drop(self) -> None:
        """Take a step's message away; a notice stays its time."""
        if self._step_id:
            self._step_id = 0
            self._toast.dismiss()
