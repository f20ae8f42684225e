"""Keys that are the graph's while it has the focus, though the window has a use for them too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_CTRL: Final = Qt.KeyboardModifier.ControlModifier
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_PAD: Final = Qt.KeyboardModifier.KeypadModifier
_PLAIN: Final = (
    Qt.Key.Key_T,
    Qt.Key.Key_L,
    Qt.Key.Key_Slash,
    Qt.Key.Key_H,
    Qt.Key.Key_U,
    Qt.Key.Key_C,
)


def is_undo(event: QKeyEvent) -> bool:
    """Ctrl+Z: the view's steps and the vault's go back one by one."""
    return event.key() == Qt.Key.Key_Z and event.modifiers() == _CTRL


def is_redo(event: QKeyEvent) -> bool:
    """Ctrl+Shift+Z or Ctrl+Y."""
    if event.key() == Qt.Key.Key_Y:
        return event.modifiers() == _CTRL
    return event.key() == Qt.Key.Key_Z and event.modifiers() == _CTRL | _SHIFT


def is_own_key(event: QKeyEvent) -> bool:
    """Whether the graph takes a key from the window's shortcuts."""
    is_plain = not event.modifiers() & ~_PAD
    return (is_plain and event.key() in _PLAIN) or is_undo(event) or is_redo(event)
