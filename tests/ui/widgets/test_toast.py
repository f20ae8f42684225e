"""The message that goes by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.toast import SHOWN_FOR_MS, Toast

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    QVBoxLayout(made).addWidget(QLineEdit())
    made.resize(800, 600)
    made.show()
    return made


@pytest.fixture
def toast(window: QWidget) -> Toast:
    return Toast(window)


def timer_of(toast: Toast) -> QTimer:
    return toast.findChildren(QTimer)[0]


def button(toast: Toast) -> QPushButton:
    found = toast.findChild(QPushButton, "toastAction")
    assert found is not None
    return found


def test_it_lies_in_the_corner_and_follows_the_window(
    qtbot: QtBot, window: QWidget, toast: Toast
) -> None:
    toast.show_message("Saved.")
    right, bottom = toast.geometry().right(), toast.geometry().bottom()
    assert window.rect().contains(toast.geometry())
    assert right > 700
    window.resize(500, 400)
    qtbot.waitUntil(lambda: toast.geometry().right() == right - 300)
    assert toast.geometry().bottom() == bottom - 200


def test_it_stands_above_the_main_button_of_a_panel(window: QWidget, toast: Toast) -> None:
    toast.show_message("Saved.")
    usual = toast.geometry()
    apply = QPushButton("Apply", window)
    set_role(apply, "primary")
    apply.setGeometry(usual.adjusted(100, 10, -100, -10))
    toast.show_message("Saved.")  # not shown yet: nothing is covered
    assert toast.geometry() == usual
    apply.show()
    toast.show_message("Saved.")
    assert not toast.geometry().intersects(apply.geometry())
    assert toast.geometry().left() == usual.left()
    assert window.rect().contains(toast.geometry())


def test_it_leaves_what_the_keyboard_goes_to(qtbot: QtBot, window: QWidget, toast: Toast) -> None:
    window.activateWindow()
    toast.show_message("Saved.", for_ms=0)
    usual = toast.geometry()
    field = QLineEdit(window)
    field.setGeometry(usual.adjusted(100, 10, -100, -10))
    field.show()
    field.setFocus()
    qtbot.waitUntil(lambda: not toast.geometry().intersects(field.geometry()))
    assert window.rect().contains(toast.geometry())
    field.clearFocus()
    qtbot.waitUntil(lambda: toast.geometry() == usual)


def test_it_gives_way_to_a_main_button_that_comes_later(
    qtbot: QtBot, window: QWidget, toast: Toast
) -> None:
    window.activateWindow()
    toast.show_message("Saved.", for_ms=0)
    apply = QPushButton("Apply", window)
    set_role(apply, "primary")
    apply.setGeometry(toast.geometry().adjusted(100, 10, -100, -10))
    apply.show()
    line = window.findChild(QLineEdit)
    assert line is not None
    line.clearFocus()
    line.setFocus()
    qtbot.waitUntil(lambda: not toast.geometry().intersects(apply.geometry()))


def test_a_long_message_wraps_and_is_not_cut(window: QWidget, toast: Toast) -> None:
    toast.show_message("Saved. " * 40, action="Undo")
    assert toast.height() > 100
    assert window.rect().contains(toast.geometry())


def test_it_leaves_after_six_seconds(qtbot: QtBot, toast: Toast) -> None:
    toast.show_message("Saved.")
    assert timer_of(toast).interval() == SHOWN_FOR_MS == 6000
    assert timer_of(toast).isActive()
    toast.show_message("Saved.", for_ms=1)
    with qtbot.waitSignal(toast.dismissed):
        pass
    assert not toast.isVisible()


def test_the_pointer_on_it_stops_the_clock(qtbot: QtBot, window: QWidget, toast: Toast) -> None:
    toast.show_message("Saved.")
    qtbot.mouseMove(toast, QPoint(30, 20))
    qtbot.waitUntil(lambda: not timer_of(toast).isActive())
    qtbot.mouseMove(window, QPoint(5, 5))
    qtbot.waitUntil(timer_of(toast).isActive)


def test_zero_keeps_it(toast: Toast) -> None:
    toast.show_message("Waiting for another program…", for_ms=0)
    assert not timer_of(toast).isActive()
    assert toast.isVisible()


def test_undo_is_asked_for_once(qtbot: QtBot, toast: Toast) -> None:
    toast.show_message("Set trust of 2 sources.", kind="ok", action="Undo")
    with qtbot.waitSignal(toast.action_requested):
        qtbot.mouseClick(button(toast), Qt.MouseButton.LeftButton)
    assert not toast.isVisible()


def test_without_an_action_there_is_no_button(toast: Toast) -> None:
    toast.show_message("Saved.")
    assert not button(toast).isVisible()


def test_it_never_takes_the_focus(qtbot: QtBot, window: QWidget, toast: Toast) -> None:
    field = window.findChild(QLineEdit)
    assert field is not None
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    toast.show_message("Saved.", action="Undo")
    assert field.hasFocus()


def test_a_newer_message_takes_the_place(toast: Toast) -> None:
    toast.show_message("One.", action="Undo")
    toast.show_message("Two.", kind="unheard of")
    assert toast.text() == "Two."
    assert toast.accessibleDescription() == "Two."


def test_it_grows_with_the_text(window: QWidget, toast: Toast, theme: ThemeController) -> None:
    toast.show_message("Saved.", action="Undo")
    small = toast.height()
    theme.set_scale(1.5)
    toast.show_message("Saved.", action="Undo")
    assert toast.height() > small
    assert window.rect().contains(toast.geometry())
