"""Reading a memory: by key, with links that ask before they open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton

from mvdesk.ui.dialogs.open_link import OpenLinkDialog
from mvdesk.ui.editor_commands import EditorCommands
from mvdesk.ui.widgets.reading_view import ReadingView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk

CONTROL = Qt.KeyboardModifier.ControlModifier


def field_of(desk: Desk) -> QPlainTextEdit:
    found = desk.window.findChild(QPlainTextEdit, "editorContent")
    assert isinstance(found, QPlainTextEdit)
    return found


def view_of(desk: Desk) -> ReadingView:
    found = desk.window.findChild(ReadingView)
    assert isinstance(found, ReadingView)
    return found


@pytest.fixture
def opened(desk: Desk, open_desk: Desk) -> list[str]:
    """What would have been opened in another program."""
    links: list[str] = []
    commands = desk.window.findChild(EditorCommands)
    assert isinstance(commands, EditorCommands)

    def open_url(url: QUrl) -> bool:
        links.append(url.toString())
        return True

    commands._open_url = open_url
    return links


def dialog_of(desk: Desk) -> OpenLinkDialog | None:
    found = desk.window.findChildren(OpenLinkDialog)
    return next((one for one in found if one.isVisible()), None)


def test_a_key_shows_the_text_as_it_reads_and_back(qtbot: QtBot, open_desk: Desk) -> None:
    desk = open_desk
    qtbot.waitUntil(lambda: desk.session.selected_memory is not None)
    field = field_of(desk)
    field.setFocus()
    qtbot.keyClicks(field, "**Typed** just now. ")
    qtbot.keyClick(field, Qt.Key.Key_R, CONTROL)
    view = view_of(desk)
    assert view.isVisible()
    assert view.hasFocus()
    assert view.toPlainText().startswith("Typed just now. ")
    action = desk.window.findChild(QAction, "readingViewAction")
    assert action.isChecked()
    # Another memory is read as well; its title stands above.
    row = int(desk.session.order[3])
    desk.session.select(desk.session.snapshot.memories.ids.text(row))
    qtbot.waitUntil(desk.session.jobs.is_idle)
    memory = desk.session.selected_memory
    assert memory is not None
    assert view.toPlainText().split()[0] in memory.content
    qtbot.keyClick(view, Qt.Key.Key_R, CONTROL)
    assert field.isVisible()
    assert field.hasFocus()
    assert not action.isChecked()


def test_what_has_to_be_typed_leaves_the_reading(qtbot: QtBot, open_desk: Desk) -> None:
    desk = open_desk
    qtbot.waitUntil(lambda: desk.session.selected_memory is not None)
    action = desk.window.findChild(QAction, "readingViewAction")
    for other in ("newMemoryAction", "linkToAction"):
        desk.session.select(desk.session.snapshot.memories.ids.text(0))
        qtbot.waitUntil(desk.session.jobs.is_idle)
        action.trigger()
        assert view_of(desk).isVisible()
        desk.window.findChild(QAction, other).trigger()
        assert not view_of(desk).isVisible()
        assert not action.isChecked()


def test_a_web_link_asks_what_opens_and_where_it_leads(
    qtbot: QtBot, desk: Desk, opened: list[str]
) -> None:
    view_of(desk).link_requested.emit("http://xn--e1afmkfd.example/путь")
    dialog = dialog_of(desk)
    assert dialog is not None
    assert dialog.findChild(QLabel, "openLinkWhat").text().endswith("web browser?")
    host = dialog.findChild(QLabel, "openLinkHost").text()
    assert "xn--e1afmkfd.example" in host
    assert "without encryption" in host
    assert dialog.focusWidget().objectName() == "openLinkCancel"
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Space)
    assert dialog_of(desk) is None
    assert opened == []
    view_of(desk).link_requested.emit("https://example.org/x")
    dialog = dialog_of(desk)
    assert dialog is not None
    qtbot.mouseClick(dialog.findChild(QPushButton, "openLinkCopy"), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "https://example.org/x"
    assert opened == []
    view_of(desk).link_requested.emit("mailto:ada@example.org")
    dialog = dialog_of(desk)
    assert dialog is not None
    assert "ada@example.org" in dialog.findChild(QLabel, "openLinkHost").text()
    qtbot.mouseClick(dialog.findChild(QPushButton, "openLinkOpen"), Qt.MouseButton.LeftButton)
    assert opened == ["mailto:ada@example.org"]


@pytest.mark.parametrize(
    "link", ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "other.md", "#top"]
)
def test_other_links_open_nothing_and_say_so(desk: Desk, opened: list[str], link: str) -> None:
    said: list[str] = []
    desk.session.messages.shown.connect(lambda _kind, text: said.append(text))
    view_of(desk).link_requested.emit(link)
    assert dialog_of(desk) is None
    assert opened == []
    assert link in said[-1]


def test_a_link_to_a_memory_goes_there(qtbot: QtBot, desk: Desk, opened: list[str]) -> None:
    other = desk.session.snapshot.memories.ids.text(int(desk.session.order[9]))
    view_of(desk).link_requested.emit(f"mvdesk://memory/{other}")
    qtbot.waitUntil(lambda: desk.session.selected_id == other)
    assert opened == []
