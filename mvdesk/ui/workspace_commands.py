"""The actions about workspaces: joined to the docks and the rail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction

from mvdesk.ui.widgets.rail import Rail
from mvdesk.ui.workspaces import WORKSPACES
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.workspace import Workspace


class WorkspaceCommands(QObject):
    """Makes the rail, and lets keys, menu and rail choose a workspace."""

    def __init__(self, workspace: Workspace, actions: Actions, window: QMainWindow) -> None:
        super().__init__(window)
        self._workspace, self._actions = workspace, actions
        self._chosen = {spec.name: actions[f"{spec.name}Workspace"] for spec in WORKSPACES}
        for name, action in self._chosen.items():
            action.setData(name)
            action.triggered.connect(self._on_chosen)
            action.toggled.connect(self._on_switched)
        self.rail = Rail(tr("Workspaces"), window)
        self.rail.setObjectName("workspaceRail")
        self.rail.set_actions(self._chosen.values())
        self.rail.hide()
        window.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self._is_open = False
        for name, slot in (
            ("nextPanel", self._on_next_panel),
            ("previousPanel", self._on_previous_panel),
            ("resetLayout", self._on_reset_layout),
            ("focusMode", self._on_focus_mode),
        ):
            actions[name].triggered.connect(slot)
        workspace.changed.connect(self._show)
        workspace.focus_mode_changed.connect(self._show)
        self._show()

    def set_open(self, is_open: bool) -> None:
        """Show docks and rail, or none of them while no vault is open."""
        self._is_open = is_open
        self._workspace.set_open(is_open)
        self._show()

    @Slot()
    def _show(self, _what: object = None) -> None:
        workspace = self._workspace
        self.rail.setVisible(self._is_open and not workspace.is_focus_mode)
        self._chosen[workspace.spec.name].setChecked(True)
        self._actions["focusMode"].setChecked(workspace.is_focus_mode)

    @Slot(bool)
    def _on_chosen(self, _checked: bool) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._workspace.show(action.data())
            self._workspace.focus_last()

    @Slot(bool)
    def _on_switched(self, on: bool) -> None:
        """A screen reader switches a button of the rail without triggering its action."""
        action = self.sender()
        if on and isinstance(action, QAction) and action.data() != self._workspace.spec.name:
            self._on_chosen(on)

    @Slot(bool)
    def _on_next_panel(self, _checked: bool) -> None:
        self._workspace.focus_next(1)

    @Slot(bool)
    def _on_previous_panel(self, _checked: bool) -> None:
        self._workspace.focus_next(-1)

    @Slot(bool)
    def _on_reset_layout(self, _checked: bool) -> None:
        self._workspace.reset()
        self._show()

    @Slot(bool)
    def _on_focus_mode(self, on: bool) -> None:
        self._workspace.set_focus_mode(on=on)
        self._show()
