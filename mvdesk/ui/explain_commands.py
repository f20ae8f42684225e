"""The actions about the explanation: joined to its panel, the list and the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from mvdesk.ui.chosen import ListFilter
from mvdesk.ui.picture_commands import PictureCommands

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.panels.explain import ExplainPanel
    from mvdesk.ui.panels.graph import GraphPanel
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import ExplainView, Settings

_LOW = ListFilter("low")


class ExplainCommands(QObject):
    """Works once `attach` gave it the panel, which is made after the first list."""

    def __init__(
        self,
        session: VaultSession,
        actions: Actions,
        window: QWidget,
        settings: Settings,
        files: FileDialogs,
    ) -> None:
        super().__init__(window)
        self._session, self._actions, self._settings = session, actions, settings
        self._pictures = PictureCommands(session, window, settings, files)
        self._panel: ExplainPanel | None = None
        actions["lowForType"].triggered.connect(self._on_low)
        actions["previousLow"].triggered.connect(self._on_previous_low)
        actions["nextLow"].triggered.connect(self._on_next_low)
        session.order_changed.connect(self._show)
        session.vault_opened.connect(self._show)
        session.looking.pin_changed.connect(self._show)

    def attach(self, panel: ExplainPanel) -> None:
        """Join the panel, too."""
        self._panel = panel
        actions = self._actions
        for name, slot in (
            ("whatIf", panel.show_what_if),
            ("goToChange", panel.go_to_change),
            ("belowZero", panel.filter_below_zero),
            ("byCause", panel.set_by_cause),
            ("asTable", panel.set_as_table),
            ("zoomAxis", panel.set_zoomed),
            ("pin", self._on_pin),
            ("swapCompared", panel.swap_compared),
            ("copyExplanation", panel.copy_text),
            ("exportPicture", self._on_export),
            ("copyPicture", self._on_copy_picture),
        ):
            actions[name].triggered.connect(slot)
        panel.set_view(self._settings.read_explain_view())
        self._show_view(panel.view)
        panel.view_changed.connect(self._on_view_changed)
        self._pictures.attach(panel)

    def attach_graph(self, panel: GraphPanel) -> None:
        """Join the graph, whose menu asks for a picture of it."""
        panel.picture_requested.connect(self._pictures.export_chart)

    @Slot()
    def _show(self, _what: object = None) -> None:
        """Which actions are on."""
        session = self._session
        self._actions["lowForType"].setChecked(session.only == _LOW)
        self._actions["pin"].setChecked(session.looking.pinned_id is not None)

    @Slot(bool)
    def _on_low(self, on: bool) -> None:
        self._session.set_only(_LOW if on else None)

    @Slot(bool)
    def _on_previous_low(self, _checked: bool) -> None:
        self._session.step_low(-1)

    @Slot(bool)
    def _on_next_low(self, _checked: bool) -> None:
        self._session.step_low(1)

    @Slot(bool)
    def _on_pin(self, _checked: bool) -> None:
        if self._panel is not None:
            self._panel.toggle_pin()
        self._show()

    @Slot(object)
    def _on_view_changed(self, view: ExplainView) -> None:
        self._show_view(view)
        self._settings.write_explain_view(view)

    def _show_view(self, view: ExplainView) -> None:
        for name, is_on in (
            ("byCause", view.by_cause),
            ("asTable", view.as_table),
            ("zoomAxis", view.zoomed),
        ):
            self._actions[name].setChecked(is_on)

    @Slot(bool)
    def _on_export(self, _checked: bool) -> None:
        self._pictures.export_focused()

    @Slot(bool)
    def _on_copy_picture(self, _checked: bool) -> None:
        self._pictures.copy_focused()
