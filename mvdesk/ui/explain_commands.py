"""The actions about the explanation: joined to its panel, the list and the session."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Slot
from PySide6.QtGui import QImageWriter

from mvdesk.errors import VaultError
from mvdesk.ui.chosen import ListFilter
from mvdesk.ui.files import SystemFileDialogs

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.files import FileDialogs
    from mvdesk.ui.panels.explain import ExplainPanel
    from mvdesk.ui.session import VaultSession

_LOW = ListFilter("low")


class ExplainCommands(QObject):
    """Works once `attach` gave it the panel, which is made after the first list."""

    def __init__(
        self,
        session: VaultSession,
        actions: Actions,
        window: QWidget,
        *,
        files: FileDialogs | None = None,
    ) -> None:
        super().__init__(window)
        self._session, self._actions, self._window = session, actions, window
        self._files = files or SystemFileDialogs()
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
        ):
            actions[name].triggered.connect(slot)
        panel.by_cause_changed.connect(actions["byCause"].setChecked)
        panel.export_requested.connect(self._export)

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

    @Slot(bool)
    def _on_export(self, _checked: bool) -> None:
        if self._panel is not None:
            self._export(self._panel.picture_kind)

    @Slot(str)
    def _export(self, kind: str) -> None:
        panel, row = self._panel, self._session.selected_row
        if panel is None or row is None:
            return
        title = self._session.snapshot.memories.labels.text(row)
        name = re.sub(r"[^\w .-]+", " ", title).strip()[:60]
        path = self._files.ask_picture(self._window, f"{name}, {kind}.png")
        if path is None:
            return
        writer = QImageWriter(str(path), QByteArray(b"png"))
        if writer.write(panel.make_picture(kind)):
            self._session.messages.notice(f"The picture is in {path.name}.")
        else:
            self._session.messages.error(
                VaultError(
                    what=f"The picture {path.name} could not be written.",
                    safe="The vault is not touched by pictures.",
                    remedy="Choose a folder that you may write to.",
                    details=str(path),
                )
            )
