"""The QActions of the window, made from the list of actions. Menus are made of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from mvdesk.ui.action_list import SPECS
from mvdesk.ui.theme import icon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.action_spec import ActionSpec
    from mvdesk.ui.theme import Tokens


SCALE_STEP: Final = 0.1


class Actions(QObject):
    """The window's QActions by name, each with key, tool tip, status tip and help text."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._specs = {spec.name: spec for spec in SPECS}
        self._actions: dict[str, QAction] = {}
        self._groups: dict[str, QActionGroup] = {}
        for spec in SPECS:
            self._actions[spec.name] = self._make(spec)
        window.addActions(list(self._actions.values()))

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def need_of(self, name: str) -> str:
        """What must be there for an action to be of use, as its spec says; "" for nothing."""
        return self._specs[name].needs

    def set_tokens(self, tokens: Tokens) -> None:
        """Icons in the colours of a theme."""
        for name, spec in self._specs.items():
            if spec.icon:
                self._actions[name].setIcon(icon(spec.icon, tokens))

    def set_available(self, available: set[str]) -> None:
        """Enable the actions whose need is among `available`; those without a need always are.

        Undo and redo are left to whoever knows the journal.
        """
        for name, spec in self._specs.items():
            if name not in ("undo", "redo"):
                self._actions[name].setEnabled(not spec.needs or spec.needs in available)

    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, self)
        action.setObjectName(f"{spec.name}Action")
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        describe(action, spec.text.replace("&", ""), spec.help)
        action.setCheckable(spec.is_checkable or bool(spec.group))
        if spec.group:
            group = self._groups.get(spec.group)
            if group is None:
                group = self._groups[spec.group] = QActionGroup(self)
            group.addAction(action)
        return action


def describe(action: QAction, text: str, help_text: str) -> None:
    """Give an action its tool tip (with the key), status tip and help."""
    key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    action.setToolTip(f"{text} ({key})" if key else text)
    action.setStatusTip(help_text)
    action.setWhatsThis(help_text)
