"""Merging two memories, from wherever two are: conflicts, duplicates, the list, the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal, Slot

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.late_panels import LatePanels
    from mvdesk.ui.merging import Merging
    from mvdesk.ui.panels.conflicts import ConflictsPanel
    from mvdesk.ui.panels.duplicates import DuplicatesSection
    from mvdesk.ui.panels.editor import EditorPanel
    from mvdesk.ui.panels.upkeep import UpkeepPanel
    from mvdesk.ui.session import VaultSession


class MergeCommands(QObject):
    """`available` says what the actions may need that is there now."""

    available_changed = Signal()

    def __init__(
        self,
        session: VaultSession,
        editor: EditorPanel,
        actions: Actions,
        late: LatePanels,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._merging: Merging | None = None
        self._conflicts: ConflictsPanel | None = None
        self._duplicates: DuplicatesSection | None = None
        actions["mergeTwo"].triggered.connect(self._on_merge)
        actions["notDuplicates"].triggered.connect(self._on_apart)
        editor.hints.merge_requested.connect(self._open)
        session.selection.changed.connect(self.available_changed)
        late.made.connect(self._on_made)

    @property
    def available(self) -> set[str]:
        """The needs of these actions that are met."""
        found = set()
        if self._find_pair() is not None:
            found.add("two")
        if self._duplicates is not None and self._duplicates.pair is not None:
            found.add("duplicate")
        return found

    def _find_pair(self) -> tuple[str, str] | None:
        """The pair that is on screen, else the two that are selected."""
        session = self._session
        if not session.is_open:
            return None
        for panel in (self._conflicts, self._duplicates):
            if panel is not None and panel.pair is not None:
                return panel.pair
        if session.selection.count == 2:
            one, other = session.selection.ids
            return one, other
        return None

    @Slot(str, str)
    def _open(self, a_id: str, b_id: str) -> None:
        if self._merging is None:
            # Late, for start-up time: nobody merges anything before the list is there.
            from mvdesk.ui.merging import Merging

            self._merging = Merging(self._session, self._window)
        self._merging.open(a_id, b_id)

    @Slot(str, object)
    def _on_made(self, name: str, panel: object) -> None:
        if name == "conflicts":
            self._conflicts = cast("ConflictsPanel", panel)
            self._conflicts.available_changed.connect(self.available_changed)
        elif name == "upkeep":
            self._duplicates = cast("UpkeepPanel", panel).duplicates
            self._duplicates.available_changed.connect(self.available_changed)
            self._duplicates.merge_requested.connect(self._open)

    @Slot(bool)
    def _on_merge(self, _checked: bool) -> None:
        if (pair := self._find_pair()) is not None:
            self._open(*pair)

    @Slot(bool)
    def _on_apart(self, _checked: bool) -> None:
        if self._duplicates is not None:
            self._duplicates.keep_apart()
