"""Which key does what: every action's keys, changed by the person, kept between starts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mvdesk.ui.settings import Settings

MOST_KEYS: Final = 4
_NATIVE: Final = QKeySequence.SequenceFormat.NativeText
_PORTABLE: Final = QKeySequence.SequenceFormat.PortableText
_TAKEN: Final = {
    "Tab": tr("goes from field to field"),
    "Shift+Tab": tr("goes from field to field"),
    "Backtab": tr("goes from field to field"),
    "Space": tr("presses what has the keyboard"),
    "Return": tr("presses what has the keyboard"),
    "Enter": tr("presses what has the keyboard"),
    "Up": tr("moves in every list"),
    "Down": tr("moves in every list"),
    "Left": tr("moves in every list"),
    "Right": tr("moves in every list"),
    "Del": tr("takes away what is chosen"),
    "Backspace": tr("takes away letters"),
    "Ctrl+A": tr("takes all of a list or text"),
    "Ctrl+C": tr("copies in every text field"),
    "Ctrl+V": tr("pastes in every text field"),
    "Ctrl+X": tr("cuts in every text field"),
}
_TIP: Final = re.compile(r"\(([^()]+)\)")
_CODE: Final = re.compile(r"`([^`\n]+)`")


class Keymap(QObject):
    """The keys of a window's named actions. What is set is kept at once.

    Defaults are the keys that the actions came with.
    """

    changed = Signal()

    def __init__(self, settings: Settings, actions: Iterable[QAction], window: QObject) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._actions = {name_of(action): action for action in actions}
        self._defaults = {name: _keys_of(action) for name, action in self._actions.items()}
        self._apply(settings.read_shortcuts())

    @property
    def actions(self) -> list[QAction]:
        """All of them, in the order of the menus."""
        return [self._action(name) for name in self._actions]

    @property
    def is_changed(self) -> bool:
        """Whether any key is not the usual one."""
        return any(self.differs(name) for name in self._actions)

    def keys_of(self, name: str) -> tuple[str, ...]:
        """The keys of an action, the shown one first, as Qt writes them everywhere."""
        return _keys_of(self._action(name))

    def defaults_of(self, name: str) -> tuple[str, ...]:
        """The keys it came with."""
        return self._defaults[name]

    def differs(self, name: str) -> bool:
        """Whether its keys were changed."""
        return self.keys_of(name) != self._defaults[name]

    def holder_of(self, key: str, but: str = "") -> str:
        """The action that has a key, "" when it is free."""
        folded = _portable(key)
        names = (name for name in self._actions if name != but and folded in self.keys_of(name))
        return next(names, "")

    def text_of(self, name: str) -> str:
        """What an action is called."""
        return said_of(self._action(name))

    def set_key(self, name: str, key: str) -> None:
        """Give an action a key as its first, taken from whoever has it. Raises ValueError."""
        if reason := refuse_key(key):
            raise ValueError(reason)
        folded = _portable(key)
        if other := self.holder_of(folded, name):
            self._put(other, tuple(one for one in self.keys_of(other) if one != folded))
        # The shown key is replaced; what an action has besides stays.
        rest = tuple(one for one in self.keys_of(name)[1:] if one != folded)
        self._put(name, (folded, *rest)[:MOST_KEYS])
        self._finish()

    def reset(self, name: str) -> None:
        """Bring the usual keys of an action back, taken from whoever has them."""
        for key in self._defaults[name]:
            if other := self.holder_of(key, name):
                self._put(other, tuple(one for one in self.keys_of(other) if one != key))
        self._put(name, self._defaults[name])
        self._finish()

    def reset_all(self) -> None:
        """Bring all usual keys back."""
        for name, keys in self._defaults.items():
            self._put(name, keys)
        self._finish()

    def replace(self, changed: Mapping[str, tuple[str, ...]]) -> None:
        """Use these changed keys, and the usual ones for all other actions."""
        for name, keys in self._defaults.items():
            self._put(name, keys)
        self._apply(changed)
        self._finish()

    def names(self) -> frozenset[str]:
        """The names of all actions, for a job."""
        return frozenset(self._actions)

    def changes(self) -> dict[str, tuple[str, ...]]:
        """The keys that are not the usual ones, by the name of the action."""
        return {name: self.keys_of(name) for name in self._actions if self.differs(name)}

    def translate_help(self, text: str) -> str:
        """A page of the help with the keys in use in place of the usual ones."""
        instead = self._instead()
        return _CODE.sub(lambda found: f"`{instead.get(found[1], found[1])}`", text)

    def translate_tips(self, window: QWidget) -> None:
        """Tool tips such as "Save (Ctrl+S)" with the keys in use."""
        instead = self._instead()
        for widget in window.findChildren(QWidget):
            usual = widget.property("usualTip")
            tip = widget.toolTip()
            if usual is None and not instead:
                continue
            if usual is None or widget.property("keyedTip") != tip:
                usual = tip  # the widget has another one by now
            keyed = _TIP.sub(lambda found: f"({instead.get(found[1], found[1])})", usual)
            if keyed != tip:
                widget.setProperty("usualTip", usual)
                widget.setProperty("keyedTip", keyed)
                widget.setToolTip(keyed)

    def _action(self, name: str) -> QAction:
        """An action. PySide calls that of a dock or menu deleted once nobody holds its owner."""
        action = self._actions[name]
        if not Shiboken.isValid(action):
            found = self._window.findChild(QAction, f"{name}Action")
            assert isinstance(found, QAction)
            action = self._actions[name] = found
        return action

    def _instead(self) -> dict[str, str]:
        """The first key in use by the usual key, as shown, where it is another one."""
        found = {}
        for name in self._actions:
            if self.differs(name):
                keys = self.keys_of(name)
                for usual in self._defaults[name]:
                    if usual not in keys:
                        found[show_key(usual)] = show_key(keys[0]) if keys else tr("no key")
        return found

    def _apply(self, changed: Mapping[str, tuple[str, ...]]) -> None:
        """Put what fits; of a key that two actions claim the later one goes without."""
        known = {name: keys for name, keys in changed.items() if name in self._actions}
        for name, keys in known.items():
            sound = [_portable(key) for key in keys if not refuse_key(key)]
            self._put(name, tuple(dict.fromkeys(sound))[:MOST_KEYS])
        taken: set[str] = set()
        for name in (*known, *(name for name in self._actions if name not in known)):
            keys = tuple(key for key in self.keys_of(name) if key not in taken)
            taken.update(keys)
            if keys != self.keys_of(name):
                self._put(name, keys)

    def _put(self, name: str, keys: tuple[str, ...]) -> None:
        action = self._action(name)
        if keys == _keys_of(action):
            return
        was = _shown(action)
        action.setShortcuts([QKeySequence.fromString(key, _PORTABLE) for key in keys])
        tip = action.toolTip().removesuffix(f" ({was})")
        now = _shown(action)
        action.setToolTip(f"{tip} ({now})" if now else tip)

    def _finish(self) -> None:
        self._settings.write_shortcuts(self.changes())
        self.changed.emit()


def name_of(action: QAction) -> str:
    """The name of an action in settings: its object name without "Action"."""
    return action.objectName().removesuffix("Action")


def said_of(action: QAction) -> str:
    """The words of an action without the mark of its key."""
    return action.text().replace("&", "").removesuffix("…").split(":")[0]


def show_key(key: str) -> str:
    """A key as the desktop writes it."""
    return QKeySequence.fromString(key, _PORTABLE).toString(_NATIVE)


def refuse_key(key: str) -> str:
    """Why a key can't be used for an action, "" when it can."""
    folded = _portable(key)
    if not folded:
        return tr("that is no key")
    if QKeySequence.fromString(folded, _PORTABLE).count() > 1:
        return tr("one key at a time, not one after the other")
    if folded in _TAKEN:
        return tr("{key} {taken}; choose another one", key=show_key(folded), taken=_TAKEN[folded])
    return ""


def is_letter(key: str) -> bool:
    """Whether a key is a character alone: it acts while no text field has the keyboard."""
    return len(key) == 1


def _portable(key: str) -> str:
    """A key as it is kept; "" for what is none."""
    return QKeySequence.fromString(key, _PORTABLE).toString(_PORTABLE)


def _keys_of(action: QAction) -> tuple[str, ...]:
    return tuple(key.toString(_PORTABLE) for key in action.shortcuts())


def _shown(action: QAction) -> str:
    return action.shortcut().toString(_NATIVE)
