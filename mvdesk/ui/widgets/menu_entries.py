"""Entries of menus that are made anew each time they open."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from collections.abc import Callable


def add_submenu(menu: QMenu, title: str) -> QMenu:
    """A menu in a menu; it goes when the outer one deletes its children."""
    part = QMenu(title, menu)
    menu.addMenu(part)
    return part


def add_entry(
    menu: QMenu, words: str, do: Callable[[], object], *, is_possible: bool = True, key: str = ""
) -> QAction:
    """An entry that does something. `key` is told beside it.

    As text alone: as a shortcut it would act while the menu's owner has no focus.
    """
    action = QAction(f"{words}\t{key}" if key else words, menu)
    action.setEnabled(is_possible)
    action.triggered.connect(partial(_without_state, do))
    menu.addAction(action)
    return action


def add_switch(menu: QMenu, words: str, is_on: bool, do: Callable[[bool], object]) -> QAction:
    """An entry with a tick; `do` gets whether it is on then."""
    action = QAction(words, menu)
    action.setCheckable(True)
    action.setChecked(is_on)
    action.triggered.connect(do)
    menu.addAction(action)
    return action


def add_choice(menu: QMenu, words: str, is_on: bool, do: Callable[[], object]) -> QAction:
    """An entry with a tick that does the same whether it was on or not."""
    return add_switch(menu, words, is_on, partial(_without_state, do))


def _without_state(do: Callable[[], object], _checked: bool = False) -> None:
    do()
