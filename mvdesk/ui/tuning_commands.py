"""The actions about tuning trust: each goes to a panel of the Sources workspace, and its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.late_panels import LatePanels
    from mvdesk.ui.panels.movers import MoversPanel
    from mvdesk.ui.panels.try_out import TryOutPanel
    from mvdesk.ui.workspace import Workspace

_GOES: Final = {
    "worthALook": ("tryOut", "suggestions"),
    "distribution": ("distribution", ""),
    "whatMoves": ("movers", "movers"),
    "conflictChanges": ("movers", "conflicts"),
    "savedSearches": ("movers", "searches"),
    "saveTrial": ("tryOut", "trials"),
    "trials": ("tryOut", "trials"),
    "trustQuestions": ("tryOut", "questions"),
}
"""Action to dock and page."""


class TuningCommands(QObject):
    """Works with panels that are made when first needed: a page asked for before comes then."""

    def __init__(self, actions: Actions, workspace: Workspace, late: LatePanels) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._panels: dict[str, QWidget] = {}
        self._wanted: dict[str, str] = {}  # pages by docks that aren't made yet
        for name in _GOES:
            actions[name].setData(name)
            actions[name].triggered.connect(self._on_triggered)
        late.made.connect(self._on_made)

    @Slot(bool)
    def _on_triggered(self, _checked: bool) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._go(str(action.data()))

    @Slot()
    def _on_worth_a_look(self) -> None:
        self._go("worthALook")

    def _go(self, name: str) -> None:
        dock, page = _GOES[name]
        self._workspace.bring_up(dock)
        if dock in self._panels:
            self._show(dock, page)
        else:
            self._wanted[dock] = page

    @Slot(str, object)
    def _on_made(self, name: str, panel: QWidget) -> None:
        if name not in {dock for dock, _ in _GOES.values()}:
            return
        self._panels[name] = panel
        if name == "movers":
            cast("MoversPanel", panel).worth_a_look_requested.connect(self._on_worth_a_look)
        if name in self._wanted:
            self._show(name, self._wanted.pop(name))

    def _show(self, dock: str, page: str) -> None:
        panel = self._panels[dock]
        if page:
            cast("MoversPanel | TryOutPanel", panel).show_page(page)
        else:
            panel.setFocus(Qt.FocusReason.ShortcutFocusReason)
