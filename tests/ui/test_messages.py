"""The one door for messages: four parts, details that fold, mistakes without traceback."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QWidget

from mvdesk.errors import VaultError, VaultLocked
from mvdesk.ui.messages import Messages, ProblemDialog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

LOCKED = VaultLocked(
    "Another program is writing.", "Nothing was lost.", "Try again.", "SQLITE_BUSY"
)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.fixture
def messages(window: QWidget) -> Iterator[Messages]:
    door = Messages()
    door.attach(window)
    yield door
    door.attach(None)


def _dialog(messages: Messages) -> ProblemDialog:
    assert messages.dialog is not None
    return messages.dialog


def _press(qtbot: QtBot, dialog: ProblemDialog, name: str) -> None:
    button = dialog.findChild(QPushButton, name)
    assert isinstance(button, QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_an_error_shows_its_parts_and_hides_the_details(qtbot: QtBot, messages: Messages) -> None:
    messages.error(LOCKED)
    dialog = _dialog(messages)
    texts = {label.objectName(): label.text() for label in dialog.findChildren(QLabel)}
    assert texts["problemWhat"] == LOCKED.what
    assert texts["problemSafe"] == LOCKED.safe
    assert texts["problemRemedy"] == LOCKED.remedy
    details = dialog.findChild(QPlainTextEdit, "problemDetails")
    assert isinstance(details, QPlainTextEdit)
    assert not details.isVisible()
    _press(qtbot, dialog, "problemFold")
    assert details.isVisible()
    assert details.toPlainText() == "SQLITE_BUSY"
    _press(qtbot, dialog, "problemOk")


def test_copy_takes_all_four_parts(qtbot: QtBot, messages: Messages) -> None:
    messages.error(LOCKED)
    _press(qtbot, _dialog(messages), "problemCopy")
    text = QGuiApplication.clipboard().text()
    assert all(p in text for p in (LOCKED.what, LOCKED.safe, LOCKED.remedy, LOCKED.details))
    _press(qtbot, _dialog(messages), "problemOk")


def test_errors_wait_for_each_other_and_the_same_is_said_once(
    qtbot: QtBot, messages: Messages
) -> None:
    other = VaultError("The disk is full.", "Nothing was changed.", "Make room.")
    for error in (LOCKED, other, LOCKED, other):
        messages.error(error)
    assert _dialog(messages).what == LOCKED.what
    _press(qtbot, _dialog(messages), "problemOk")
    assert _dialog(messages).what == other.what
    _press(qtbot, _dialog(messages), "problemOk")
    assert messages.dialog is None


def test_a_mistake_of_ours_names_the_log_and_shows_no_traceback(
    qtbot: QtBot, messages: Messages, caplog: pytest.LogCaptureFixture
) -> None:
    messages.log_file = Path("/var/log/mvdesk.log")
    shown: list[tuple[str, str]] = []
    messages.shown.connect(lambda kind, text: shown.append((kind, text)))
    with caplog.at_level(logging.ERROR):
        try:
            raise ZeroDivisionError("division by zero")
        except ZeroDivisionError as error:
            messages.report(error)
    dialog = _dialog(messages)
    texts = " ".join(label.text() for label in dialog.findChildren(QLabel))
    details = dialog.findChild(QPlainTextEdit, "problemDetails")
    assert isinstance(details, QPlainTextEdit)
    assert "mvdesk made a mistake" in texts
    assert "/var/log/mvdesk.log" in texts
    assert "Traceback" not in texts + details.toPlainText()
    assert "Traceback" in caplog.text
    assert shown[0][0] == "bug"
    _press(qtbot, dialog, "problemOk")


def test_without_a_window_messages_are_still_said(qapp: object) -> None:
    door = Messages()
    shown: list[tuple[str, str]] = []
    door.shown.connect(lambda kind, text: shown.append((kind, text)))
    door.notice("Hello.")
    door.error(LOCKED)
    assert shown == [("notice", "Hello."), ("error", LOCKED.one_line())]
    assert door.dialog is None


def test_enter_presses_the_button_that_looks_like_it(qtbot: QtBot, messages: Messages) -> None:
    for retry in (None, lambda: None):
        messages.error(LOCKED, retry)
        dialog = _dialog(messages)
        qtbot.waitUntil(dialog.isVisible)
        name = "problemOk" if retry is None else "problemRetry"
        primary = [b for b in dialog.findChildren(QPushButton) if b.property("role") == "primary"]
        assert [button.objectName() for button in primary] == [name]
        assert primary[0].isDefault()
        assert not any(
            b.autoDefault() for b in dialog.findChildren(QPushButton) if b not in primary
        )
        assert dialog.focusWidget() is primary[0]
        with qtbot.waitSignal(dialog.finished):
            qtbot.keyClick(primary[0], Qt.Key.Key_Return)
        assert messages.dialog is None


def test_enter_presses_the_button_that_the_keyboard_is_at(qtbot: QtBot, messages: Messages) -> None:
    messages.error(LOCKED)
    dialog = _dialog(messages)
    qtbot.waitUntil(dialog.isVisible)
    copy = dialog.findChild(QPushButton, "problemCopy")
    assert isinstance(copy, QPushButton)
    QGuiApplication.clipboard().clear()
    copy.setFocus()
    qtbot.keyClick(copy, Qt.Key.Key_Return)
    assert LOCKED.what in QGuiApplication.clipboard().text()
    assert messages.dialog is dialog
    _press(qtbot, dialog, "problemOk")


def test_retry_does_the_same_again_and_not_now_does_not(qtbot: QtBot, messages: Messages) -> None:
    done: list[str] = []
    messages.error(LOCKED, lambda: done.append("one"))
    messages.error(LOCKED, lambda: done.append("other"))
    _press(qtbot, _dialog(messages), "problemRetry")
    assert done == ["one", "other"]
    messages.error(LOCKED, lambda: done.append("never"))
    dialog = _dialog(messages)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert messages.dialog is None
    messages.error(LOCKED, lambda: done.append("never"))
    _press(qtbot, _dialog(messages), "problemOk")
    assert done == ["one", "other"]
