"""The actions about conflicts, joined to their panel, and the count of them in the rail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction

from mvdesk.ui.conflict_watch import watch_conflicts
from mvdesk.ui.looking import Place
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from mvdesk.ui.actions import Actions
    from mvdesk.ui.late_panels import LatePanels
    from mvdesk.ui.panels.conflicts import ConflictsPanel
    from mvdesk.ui.panels.review import ReviewPanel
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.workspace import Workspace
    from mvdesk.ui.workspace_commands import WorkspaceCommands

_CHOICES: Final = {
    "conflictKeepA": "keep_a",
    "conflictKeepB": "keep_b",
    "conflictBoth": "both",
    "conflictReview": "review",
}

_CARES: Final = {
    "reviewTrue": "true",
    "reviewEdit": "edit",
    "reviewReinforce": "reinforce",
    "reviewArchive": "archive",
    "reviewContradict": "contradict",
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
        self._review: ReviewPanel | None = None
        self._wants_review = False  # asked for before the panel was made
        self._watch = watch_conflicts(session)
        self._watch.changed.connect(self._show_count)
        for name, choice in _CHOICES.items():
            actions[name].setData(choice)
            actions[name].triggered.connect(self._on_choice)
        for name, care in _CARES.items():
            actions[name].setData(care)
            actions[name].triggered.connect(self._on_care)
        actions["skipOne"].triggered.connect(self._on_skip)
        actions["reviewQueue"].triggered.connect(self._on_review_queue)
        late.made.connect(self._on_made)
        for name in ("conflicts", "review"):
            workspace[name].visibilityChanged.connect(self._on_visibility_changed)

    @property
    def available(self) -> set[str]:
        """The needs of these actions that are met."""
        if self._conflicts is not None and self._conflicts.can_decide:
            return {"conflict", "deciding"}
        if self._review is not None and self._review.can_care:
            return {"review", "deciding"}
        return set()

    @Slot(str, object)
    def _on_made(self, name: str, panel: object) -> None:
        if name == "conflicts":
            self._conflicts = cast("ConflictsPanel", panel)
            self._conflicts.available_changed.connect(self.available_changed)
            self._conflicts.explain_requested.connect(self._on_explain)
        elif name == "review":
            self._review = cast("ReviewPanel", panel)
            self._review.available_changed.connect(self.available_changed)
            self._review.edit_requested.connect(self._on_edit)
            self._review.contradict_requested.connect(self._on_contradict)
            if self._wants_review:
                self._on_review_queue()

    @Slot(bool)
    def _on_visibility_changed(self, _is_visible: bool) -> None:
        # Once Qt has put the dock to where its tab is, or away from there.
        QTimer.singleShot(0, self, self._on_placed)

    @Slot()
    def _on_placed(self) -> None:
        if self._review is not None:
            self._review.select_shown()
        self.available_changed.emit()

    @Slot()
    def _show_count(self) -> None:
        inbox = self._watch.inbox
        count = 0 if inbox is None else inbox.open_total
        self._rail.set_count(self._action, count)
        said = tr_n("1 open", "{count:,} open", count, count=count)
        tip = tr("Conflicts workspace ({what})", what=self._action.shortcut().toString())
        self._action.setToolTip(tip if inbox is None else f"{tip}: {said}")
        button = self._rail.widgetForAction(self._action)
        button.setAccessibleDescription("" if inbox is None else said)

    @Slot(bool)
    def _on_choice(self, _checked: bool) -> None:
        action = self.sender()
        if self._conflicts is not None and isinstance(action, QAction):
            self._conflicts.choose(str(action.data()))

    @Slot(bool)
    def _on_care(self, _checked: bool) -> None:
        action = self.sender()
        if self._review is not None and isinstance(action, QAction):
            self._review.care(str(action.data()))

    @Slot(bool)
    def _on_skip(self, _checked: bool) -> None:
        if self._conflicts is not None and self._conflicts.can_decide:
            self._conflicts.skip()
        elif self._review is not None and self._review.can_care:
            self._review.skip()

    @Slot()
    def _on_review_queue(self, _checked: bool = False) -> None:
        self._workspace.bring_up("review")
        self._wants_review = self._review is None
        if self._review is not None:
            self._review.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def _on_edit(self) -> None:
        self._session.looking.go_to(Place("editor", "content"))

    @Slot()
    def _on_contradict(self) -> None:
        self._session.looking.go_to(Place("editor", "addContradiction"))

    @Slot(str)
    def _on_explain(self, memory_id: str) -> None:
        self._session.select(memory_id)
        self._workspace.bring_up("explain")
