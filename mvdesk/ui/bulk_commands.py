"""Changing the selected memories: the actions, the dialog, the preview, the write."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction

from mvdesk.errors import VaultError
from mvdesk.ui.bulk import (
    BulkChoice,
    BulkPreview,
    make_plan,
    make_preview,
    mover_rows,
    say_counts,
    say_effect,
)
from mvdesk.ui.dialogs.bulk import BulkDialog
from mvdesk.ui.memory_search import MemorySearch
from mvdesk.ui.widgets.memory_picker import MemoryPicker
from mvdesk.vault.questions.foresee import ForeseeingCancelled
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMenu, QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.vault import Vault

_TARGET: Final = tr("The memory that all are linked to")
ACTIONS: Final = {
    "tagSelected": "tags",
    "typeSelected": "type",
    "sourceSelected": "source",
    "basesSelected": "bases",
    "linkSelected": "link",
    "archiveSelected": "archive",
    "restoreSelected": "restore",
    "deleteSelected": "delete",
}
"""The actions by the kind of change they ask for."""


class BulkCommands(QObject):
    """Asks what the selected memories get, shows what that does, and writes it as one step."""

    def __init__(self, session: VaultSession, actions: Actions, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._actions, self._window = session, actions, window
        self._dialog: BulkDialog | None = None
        self._ids: Sequence[str] = ()
        self._choice: BulkChoice | None = None
        self._preview: BulkPreview | None = None
        for name, kind in ACTIONS.items():
            actions[name].setData(kind)
            actions[name].triggered.connect(self._on_triggered)
        session.vault_changed.connect(self._on_vault_changed)
        session.vault_closed.connect(self._on_vault_closed)

    def fill_menu(self, menu: QMenu) -> None:
        """Add what can be done with the selected memories."""
        for name in ACTIONS:
            if name in ("linkSelected", "archiveSelected"):
                menu.addSeparator()
            menu.addAction(self._actions[name])

    def write(self, ids: Sequence[str], choice: BulkChoice) -> None:
        """Write a choice for these memories without asking further."""
        session = self._session
        now = session.current_time()
        session.write(f"bulk {choice.kind}", partial(_planned, ids, choice, now))

    def open(self, kind: str) -> None:
        """Ask for one kind of change of what is selected."""
        session = self._session
        ids = self._find_ids()
        if not ids or session.read_only_reason:
            return
        self._ids, target = ids, None
        if kind in ("archive", "restore") and len(ids) == 1:
            self.write(ids, BulkChoice(kind))  # undone as easily as done
            return
        if kind == "link":
            target = MemoryPicker(_TARGET)
        dialog = self._dialog = BulkDialog(
            kind,
            self._name(ids),
            self._window,
            target=target,
            sources=[text or "" for text in session.snapshot.sources.texts],
            note=self._note(),
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.edited.connect(self._on_edited)
        dialog.apply_requested.connect(self._on_apply)
        dialog.finished.connect(self._on_finished)
        if target is not None:
            search = MemorySearch(session, target, tuple, without=ids if len(ids) == 1 else ())
            target.current_changed.connect(dialog.set_target)
            search.find("")
        dialog.ask()
        dialog.open()

    def _find_ids(self) -> Sequence[str]:
        session = self._session
        if session.is_open and session.selection.is_many:
            return session.selection.ids
        return [] if session.selected_id is None else [session.selected_id]

    def _name(self, ids: Sequence[str]) -> str:
        if len(ids) > 1:
            return tr("{ids:,} memories", ids=len(ids))
        row = self._session.snapshot.row_of(ids[0])
        label = (
            ""
            if row is None
            else " ".join(self._session.snapshot.memories.labels.text(row).split())
        )
        return f"“{label if len(label) <= 60 else label[:59].rstrip() + '…'}”"

    def _note(self) -> str:
        session = self._session
        marks = session.selection.marks.copy()
        marks[session.order] = False
        hidden = int(marks.sum()) if session.selection.is_many else 0
        if not hidden:
            return ""
        return tr_n(
            "{hidden:,} of them is not in the filtered list.",
            "{hidden:,} of them are not in the filtered list.",
            hidden,
            hidden=hidden,
        )

    # The preview.

    @Slot(object)
    def _on_edited(self, choice: BulkChoice | None) -> None:
        self._choice, self._preview = choice, None
        session, dialog = self._session, self._dialog
        session.jobs.cancel("bulk")
        if choice is None or dialog is None:
            return
        dialog.set_busy()
        work = partial(
            make_preview,
            session.vault,
            session.snapshot,
            session.model,
            session.now,
            session.current_time(),
            self._ids,
            choice,
        )
        session.jobs.run("bulk", work, self._on_previewed, failed=self._on_failed)

    def _on_previewed(self, preview: BulkPreview) -> None:
        dialog, snapshot = self._dialog, self._session.snapshot
        if dialog is None:
            return
        self._preview = preview
        rows = snapshot.rows_of(self._ids)
        dialog.set_preview(
            say_counts(preview),
            say_effect(preview, rows.tolist()),
            mover_rows(preview, snapshot),
            is_possible=not preview.plan.is_empty,
        )

    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, ForeseeingCancelled):
            return
        if isinstance(error, VaultError) and self._dialog is not None:
            self._dialog.set_problem(f"{error.what} {error.remedy}".strip())
        else:
            self._session.messages.report(error)

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        """Another program wrote: what is on screen must be what would be written."""
        if self._dialog is not None:
            self._on_edited(self._choice)

    @Slot()
    def _on_vault_closed(self) -> None:
        if self._dialog is not None:
            self._dialog.reject()

    @Slot()
    def _on_apply(self) -> None:
        if self._preview is not None:
            self._session.write(
                f"bulk {self._preview.choice.kind}",
                partial(_as_shown, self._preview.plan),
            )

    @Slot(int)
    def _on_finished(self, _answer: int) -> None:
        self._session.jobs.cancel("bulk")
        self._dialog = self._preview = self._choice = None

    @Slot(bool)
    def _on_triggered(self, _checked: bool) -> None:
        action = self.sender()
        assert isinstance(action, QAction)
        self.open(str(action.data()))


def _planned(ids: Sequence[str], choice: BulkChoice, now: int, vault: Vault) -> Plan:
    return make_plan(vault, ids, choice, now)


def _as_shown(plan: Plan, _vault: Vault) -> Plan:
    return plan
