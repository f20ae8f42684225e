"""A line of a menu that heads those below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenu


def add_heading(menu: QMenu, text: str) -> QAction:
    """Add a line that can't be chosen, under a thin one where something is above it.

    Qt's own sections are drawn as the thin line alone once a style sheet styles those.
    """
    if menu.actions():
        menu.addSeparator()
    action = menu.addAction(text.replace("&", "&&"))
    action.setEnabled(False)
    return action
