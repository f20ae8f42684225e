"""The actions about upkeep: each shows a page of the Upkeep panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.late_panels import LatePanels
    from mvdesk.ui.panels.graph import GraphPanel
    from mvdesk.ui.panels.upkeep import UpkeepPanel
    from mvdesk.ui.workspace import Workspace

_PAGES: Final = {
    "upkeepDecay": "decay",
    "upkeepReinforce": "reinforce",
    "upkeepDuplicates": "duplicates",
    "upkeepPolicy": "policy",
    "upkeepArchive": "archive",
    "upkeepHistory": "history",
}
_DOCK: Final = "upkeep"


class UpkeepCommands(QObject):
    """The panel is made when first needed: a page asked for before is shown then."""

    def __init__(self, actions: Actions, workspace: Workspace, late: LatePanels) -> None:
        super().__init__(workspace)
        self._workspace, self._reinforce = workspace, actions["upkeepReinforce"]
        self._panel: UpkeepPanel | None = None
        self._wanted = ""
        for name, page in _PAGES.items():
            actions[name].setData(page)
            actions[name].triggered.connect(self._on_triggered)
        late.made.connect(self._on_made)

    @Slot(bool)
    def _on_triggered(self, _checked: bool) -> None:
        action = self.sender()
        if not isinstance(action, QAction):
            return
        self._workspace.bring_up(_DOCK)
        if self._panel is None:
            self._wanted = str(action.data())
        else:
            self._panel.show_page(str(action.data()))

    @Slot(str, object)
    def _on_made(self, name: str, panel: QWidget) -> None:
        if name == "graph":
            cast("GraphPanel", panel).reinforce_requested.connect(self._reinforce.trigger)
        elif name == _DOCK:
            self._panel = cast("UpkeepPanel", panel)
            if self._wanted:
                self._panel.show_page(self._wanted)
