"""What a screen reader is told a widget is, where Qt has only a box of nothing to say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAccessibleWidget, QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QAccessibleInterface

_PROPERTY: Final = "accessRole"
_ROLES: Final = {"chart": QAccessible.Role.Chart, "key": QAccessible.Role.EditableText}
_made: list[QAccessibleInterface] = []
"""Qt deletes them with their widgets. Dropped here, Python would do it a second time."""


def set_access_role(widget: QWidget, role: Literal["chart", "key"]) -> None:
    """Say what a widget is; its accessible name and description say the rest."""
    widget.setProperty(_PROPERTY, role)


def install_access_roles() -> None:
    """Once for the application; asked only where a screen reader is about."""
    QAccessible.installFactory(_make)


def _make(_class_name: str, thing: QObject | None) -> QAccessibleInterface | None:
    role = thing.property(_PROPERTY) if isinstance(thing, QWidget) else None
    if role is None or not isinstance(thing, QWidget):
        return None
    access: QAccessibleInterface = _Access(thing, role)
    _made.append(access)
    return access


class _Access(QAccessibleWidget):
    def __init__(self, widget: QWidget, role: str) -> None:
        super().__init__(widget, _ROLES[role])
