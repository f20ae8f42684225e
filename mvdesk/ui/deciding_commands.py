"""The actions about conflicts, joined to their panel, and the count of them in the rail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from mvdesk.ui.conflict_watch import watch_conflicts

if TYPE_CHECKING:
    from mvdesk.ui.actions import Actions
    from mvdesk.ui.late_panels import LatePanels
    from mvdesk.ui.panels.conflicts import ConflictsPanel
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.workspace import Workspace
    from mvdesk.ui.workspace_commands import WorkspaceCommands

_CHOICES: Final = {
    "conflictKeepA": "keep_a",
    "conflictKeepB": "keep_b",
    "conflictBoth": "both",
    "conflictReview": "review",
}


class DecidingCommands(QObject):
    """`available` says what the actions may need that is there now."""

    available_changed = Signal()

    def __init__(
        self,
        session: VaultSession,
        actions: Actions,
        workspace: Workspace,
        workspaces: WorkspaceCommands,
        late: LatePanels,
    ) -> None:
        super().__init__(workspace)
        self._session, self._workspace = session, workspace
        self._rail, self._action = workspaces.rail, actions["conflictsWorkspace"]
        self._conflicts: ConflictsPanel | None = None
        self._watch = watch_conflicts(session)
        self._watch.changed.connect(self._show_count)
        for name, choice in _CHOICES.items():
            actions[name].setData(choice)
            actions[name].triggered.connect(self._on_choice)
        actions["conflictSkip"].triggered.connect(self._on_skip)
        late.made.connect(self._on_made)

    @property
    def available(self) -> set[str]:
        """The needs of these actions that are met."""
        is_met = self._conflicts is not None and self._conflicts.can_decide
        return {"conflict"} if is_met else set()

    @Slot(str, object)
    def _on_made(self, name: str, panel: object) -> None:
        if name == "conflicts":
            self._conflicts = cast("ConflictsPanel", panel)
            self._conflicts.available_changed.connect(self.available_changed)
            self._conflicts.explain_requested.connect(self._on_explain)
            if self._workspace.spec.name == "conflicts":
                self._workspace.focus_last()  # the key that asked for it came before the panel

    @Slot()
    def _show_count(self) -> None:
        inbox = self._watch.inbox
        count = 0 if inbox is None else inbox.open_total
        self._rail.set_count(self._action, count)
        said = f"{count:,} open" if count != 1 else "1 open"
        tip = f"Conflicts workspace ({self._action.shortcut().toString()})"
        self._action.setToolTip(tip if inbox is None else f"{tip}: {said}")
        button = self._rail.widgetForAction(self._action)
        button.setAccessibleDescription("" if inbox is None else said)

    @Slot(bool)
    def _on_choice(self, _checked: bool) -> None:
        action = self.sender()
        if self._conflicts is not None and isinstance(action, QAction):
            self._conflicts.choose(str(action.data()))

    @Slot(bool)
    def _on_skip(self, _checked: bool) -> None:
        if self._conflicts is not None:
            self._conflicts.skip()

    @Slot(str)
    def _on_explain(self, memory_id: str) -> None:
        self._session.select(memory_id)
        self._workspace.bring_up("explain")
