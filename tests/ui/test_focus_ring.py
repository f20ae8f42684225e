"""The ring around what has the keyboard focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import Shiboken

from mvdesk.ui.theme import ThemeController

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class Window(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.field, self.text, self.button = QLineEdit(), QPlainTextEdit(), QPushButton("Save")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 20)
        for part in (self.field, self.text, self.button):
            column.addWidget(part)


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    made = Window()
    qtbot.addWidget(made)
    made.resize(300, 300)
    made.show()
    qtbot.waitExposed(made)
    return made


def ring_of(window: QWidget) -> QWidget | None:
    rings = [ring for ring in window.findChildren(QWidget, "focusRing") if ring.isVisible()]
    assert len(rings) <= 1
    return rings[0] if rings else None


def rings_around(window: QWidget, part: QWidget, reach: int) -> bool:
    ring = ring_of(window)
    return ring is not None and ring.geometry() == part.geometry().adjusted(
        -reach, -reach, reach, reach
    )


def tab_to(qtbot: QtBot, window: Window, part: QWidget) -> None:
    """Move the focus as the keyboard does, from another part of the window."""
    other = window.text if part is not window.text else window.field
    other.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(other.hasFocus)
    QApplication.processEvents()
    part.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: ring_of(window) is not None)


def test_tab_moves_the_ring(qtbot: QtBot, theme: ThemeController, window: Window) -> None:
    tab_to(qtbot, window, window.field)
    qtbot.waitUntil(lambda: rings_around(window, window.field, 4))
    qtbot.keyClick(window.field, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: rings_around(window, window.text, 0))


def test_a_window_that_opens_shows_its_ring_at_the_first_key(
    qtbot: QtBot, theme: ThemeController
) -> None:
    window = Window()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(window.field.hasFocus)
    QApplication.processEvents()
    assert ring_of(window) is None
    qtbot.keyClick(window.field, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: rings_around(window, window.field, 4))


def test_a_click_leaves_no_ring(qtbot: QtBot, theme: ThemeController, window: Window) -> None:
    tab_to(qtbot, window, window.field)
    qtbot.mouseClick(window.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: ring_of(window) is None)


def test_the_ring_follows_what_it_is_around(
    qtbot: QtBot, theme: ThemeController, window: Window
) -> None:
    tab_to(qtbot, window, window.button)
    qtbot.waitUntil(lambda: rings_around(window, window.button, 4))
    window.resize(500, 400)
    qtbot.waitUntil(lambda: rings_around(window, window.button, 4))
    window.button.hide()
    qtbot.waitUntil(lambda: not rings_around(window, window.button, 4))


def test_the_pointer_goes_through_the_ring(
    qtbot: QtBot, theme: ThemeController, window: Window
) -> None:
    tab_to(qtbot, window, window.button)
    middle = window.button.geometry().center()
    assert window.childAt(QPoint(middle)) is window.button


def test_there_is_one_ring_whoever_dresses_the_application(
    qapp: QApplication, qtbot: QtBot, theme: ThemeController, window: Window
) -> None:
    another = ThemeController()
    another.set_theme("light")
    another.apply(qapp)
    tab_to(qtbot, window, window.field)
    assert len(window.findChildren(QWidget, "focusRing")) == 1


def test_windows_may_die_with_the_focus_in_them(qtbot: QtBot, theme: ThemeController) -> None:
    for _ in range(30):
        window = Window()
        window.show()
        qtbot.waitExposed(window)
        tab_to(qtbot, window, window.field)
        Shiboken.delete(window)
