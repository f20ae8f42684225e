"""The actions about the list: its columns and rows, joined to the panel and the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from mvdesk.ui.settings import ListLook

if TYPE_CHECKING:
    from mvdesk.ui.actions import Actions
    from mvdesk.ui.panels.memories import MemoriesPanel
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import Settings


class ListCommands(QObject):
    """Shows the list as it was left last time, and remembers how it is left."""

    def __init__(
        self,
        session: VaultSession,
        settings: Settings,
        actions: Actions,
        panel: MemoriesPanel,
    ) -> None:
        super().__init__(panel)
        self._session, self._settings = session, settings
        self._actions, self._panel = actions, panel
        look = settings.read_list_look()
        panel.columns.choose(look.columns)
        panel.set_compact(look.compact)
        actions["compactRows"].setChecked(look.compact)
        panel.columns.changed.connect(self._keep)
        actions["chooseColumns"].triggered.connect(self._on_choose_columns)
        actions["compactRows"].toggled.connect(self._on_compact)

    @Slot()
    def _keep(self) -> None:
        compact = self._actions["compactRows"].isChecked()
        self._settings.write_list_look(ListLook(self._panel.columns.chosen, compact))

    @Slot(bool)
    def _on_choose_columns(self, _checked: bool) -> None:
        if self._session.is_open:
            self._panel.columns.ask()

    @Slot(bool)
    def _on_compact(self, on: bool) -> None:
        self._panel.set_compact(on)
        self._keep()
