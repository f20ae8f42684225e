"""The menu of a bar: its entries with what each does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget

    Entry = tuple[str, Callable[[], object], bool]  # words, what it does, whether it can


def open_bar_menu(
    parent: QWidget,
    place: QPoint,
    entries: Iterable[Entry],
    opening: Callable[[QMenu], object],
) -> None:
    """Open a menu at a global place; it is gone once it is closed.

    `opening` is called before, to add to it.
    """
    menu = QMenu(parent)
    menu.setObjectName("barMenu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for words, do, is_possible in entries:
        action = QAction(words, menu)
        action.setEnabled(is_possible)
        action.triggered.connect(partial(_do, do))
        menu.addAction(action)
    opening(menu)
    menu.popup(place)


def _do(do: Callable[[], object], _checked: bool = False) -> None:
    do()
