"""The help inside the program: F1 where one is, searching, pictures, nothing left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QImage, QTextDocument
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QListWidget, QMainWindow, QWidget

from mvdesk.ui.action_list import SPECS
from mvdesk.ui.actions import Actions
from mvdesk.ui.dialogs.help import HelpView
from mvdesk.ui.help_commands import HelpCommands
from mvdesk.ui.help_pages import HelpPage, KeyLine, find_pages, make_pages
from mvdesk.ui.keymap import Keymap
from mvdesk.ui.panel_keys import PANEL_KEYS
from mvdesk.vault.questions.query_operators import OPERATORS

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.app import Desk
    from mvdesk.ui.settings import Settings

LINES = [KeyLine("File", "Do [this] *now*", ("[", "Ctrl+;"), "Does <this>.")]


class Help:
    """The help of a window."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def open(self) -> None:
        action = self.desk.window.findChild(QAction, "helpAction")
        assert isinstance(action, QAction)
        action.trigger()

    @property
    def dialog(self) -> QDialog:
        found = self.desk.window.findChildren(QDialog, "helpDialog")
        return next(one for one in found if one.isVisible())

    @property
    def view(self) -> HelpView:
        view = self.dialog.findChild(HelpView, "helpText")
        assert isinstance(view, HelpView)
        return view

    @property
    def pages(self) -> QListWidget:
        pages = self.dialog.findChild(QListWidget, "helpPages")
        assert isinstance(pages, QListWidget)
        return pages

    @property
    def title(self) -> str:
        item = self.pages.currentItem()
        return item.text() if item is not None else ""

    def search(self, text: str) -> None:
        field = self.dialog.findChild(QLineEdit, "helpSearch")
        assert isinstance(field, QLineEdit)
        field.setText(text)


def _all_text(desk: Desk, page: str) -> str:
    helping = Help(desk)
    helping.open()
    for row in range(helping.pages.count()):
        item = helping.pages.item(row)
        if item is not None and item.text() == page:
            helping.pages.setCurrentRow(row)
            return helping.view.toPlainText()
    raise AssertionError(page)


def test_the_help_names_every_action_with_its_key_and_help(desk: Desk) -> None:
    text = _all_text(desk, "Actions and keys")
    for spec in SPECS:
        action = desk.window.findChild(QAction, f"{spec.name}Action")
        assert isinstance(action, QAction)
        assert action.text().replace("&", "").removesuffix("…") in text, spec.name
        assert action.whatsThis() in text, spec.name
        assert action.shortcut().toString() in text, spec.name
    Help(desk).dialog.reject()


def test_the_help_names_every_search_operator(desk: Desk) -> None:
    text = _all_text(desk, "Searching")
    for operator in OPERATORS:
        assert operator.example in text
        assert operator.help in text
    Help(desk).dialog.reject()


def test_every_link_among_pages_leads_to_one_and_every_key_named_is_one() -> None:
    pages = make_pages(LINES)
    names = {page.name for page in pages}
    known = {key for spec in SPECS for key in spec.keys}
    own = {"Enter", "←", "→", "1", "2", "3", "0"}  # of panels, not of the window
    own |= {f"Alt+{number}" for number in range(1, 7)}  # of the merge dialog
    own |= {key for keys in PANEL_KEYS.values() for line in keys for key in line[0].split(", ")}
    own |= {",", "F2", "Ctrl", *"RSCUAE", "4", "M"}  # while a link is drawn, and of pairs
    for page in pages:
        assert set(re.findall(r"\(page:(\w+)\)", page.text)) <= names
        assert page.text.startswith(f"# {page.title}")
        if page.name not in ("keys", "search"):
            named = set(re.findall(r"`([^`]+)`", page.text)) - own - {".mvdesk"}
            operators = {one for one in named if ":" in one or "<" in one}
            assert named - operators <= known, page.name


def test_what_an_action_says_is_shown_as_it_is(qtbot: QtBot) -> None:
    [page] = [page for page in make_pages(LINES) if page.name == "keys"]
    document = QTextDocument()
    document.setMarkdown(page.text)
    for text in ("Do [this] *now*", "Does <this>.", "Ctrl+;"):
        assert text in document.toPlainText()


@pytest.mark.parametrize(
    ("dock", "title"),
    [
        ("explainDock", "What the scores are"),
        ("graphDock", "Links and conflicts"),
        ("memoriesDock", "The list"),
        ("editorDock", "Writing"),
    ],
)
def test_f1_opens_the_page_about_the_panel_with_the_keyboard(
    qtbot: QtBot, open_desk: Desk, dock: str, title: str
) -> None:
    window = open_desk.window
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    panel = window.findChild(QWidget, dock)
    assert panel is not None
    target = next(
        one
        for one in panel.findChildren(QWidget)
        if one.isVisible()
        and one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not isinstance(one, QLineEdit)
    )
    target.setFocus()
    qtbot.keyClick(target, Qt.Key.Key_F1)
    helping = Help(open_desk)
    qtbot.waitUntil(lambda: helping.title == title)
    helping.dialog.reject()


def test_searching_narrows_the_pages_and_marks_the_words(desk: Desk) -> None:
    helping = Help(desk)
    helping.open()
    assert helping.title == "Start here"
    helping.search("trust preview")
    assert helping.title == "Trust of sources"
    marked = {one.cursor.selectedText().casefold() for one in helping.view.extraSelections()}
    assert marked == {"trust", "preview"}
    helping.search("zzqq")
    said = helping.dialog.findChild(QLabel, "helpSaid")
    assert isinstance(said, QLabel)
    assert said.isVisible()
    assert said.text() == "No page has “zzqq”."
    helping.search("")
    assert helping.pages.count() == len(make_pages(()))
    helping.dialog.reject()


def test_a_page_after_a_long_one_is_only_itself(qtbot: QtBot, desk: Desk) -> None:
    helping = Help(desk)
    helping.open()
    for row in (*range(helping.pages.count()), 0):
        helping.pages.setCurrentRow(row)
        qtbot.wait(1)
        text = helping.view.toPlainText()
        assert text.startswith(helping.title)
        assert text.count(f"{helping.title}\n") == 1
    helping.dialog.reject()


def test_links_lead_from_page_to_page_also_to_one_that_is_not_found(desk: Desk) -> None:
    helping = Help(desk)
    helping.open()
    helping.search("six others")
    assert helping.pages.count() == 1
    helping.view.anchorClicked.emit(QUrl("page:trust"))
    assert helping.title == "Trust of sources"
    helping.view.anchorClicked.emit(QUrl("https://example.org"))
    assert helping.title == "Trust of sources"
    helping.dialog.reject()


def test_its_picture_is_shown_and_no_other_file_is_read(desk: Desk) -> None:
    helping = Help(desk)
    helping.open()
    picture = helping.view.loadResource(2, QUrl("main"))
    assert isinstance(picture, QImage)
    assert 0 < picture.width() <= helping.view.viewport().width()
    assert not isinstance(helping.view.loadResource(2, QUrl("file:///etc/hostname")), QImage)
    helping.dialog.reject()


def test_every_picture_that_a_page_names_is_there_and_fits(qtbot: QtBot, desk: Desk) -> None:
    helping = Help(desk)
    helping.open()
    named = []
    for row, page in enumerate(make_pages(LINES)):
        helping.pages.setCurrentRow(row)
        qtbot.wait(1)
        for name in re.findall(r"!\[[^\]]+\]\(([^)]*)\)", page.text):
            picture = helping.view.loadResource(2, QUrl(name))
            assert isinstance(picture, QImage), name
            assert 0 < picture.width() <= helping.view.viewport().width(), name
            named.append(name)
    assert {"main", "tuning-1-before", "tuning-5-undone"} <= set(named)
    for strange in ("../README", "main/../main", "main.png", "", "-", "nothing"):
        assert not isinstance(helping.view.loadResource(2, QUrl(strange)), QImage), strange
    helping.dialog.reject()


def test_it_stays_open_beside_the_work_and_is_there_once(desk: Desk) -> None:
    helping = Help(desk)
    helping.open()
    first = helping.dialog
    assert not first.isModal()
    helping.open()
    assert helping.dialog is first
    first.reject()


def test_pages_with_a_word_in_the_title_come_first() -> None:
    pages = [HelpPage("a", "Other", "keys keys keys"), HelpPage("b", "Keys", "keys")]
    assert [page.name for page in find_pages(pages, "KEYS")] == ["b", "a"]
    assert find_pages(pages, "keys zebra") == []


def test_the_folder_of_the_log_is_opened_or_it_is_said_where_the_log_is(
    desk: Desk, settings: Settings, tmp_path: Path
) -> None:
    opened: list[str] = []
    can_open = [True, False]

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return can_open.pop(0)

    messages, said = desk.session.messages, []
    messages.shown.connect(lambda _kind, text: said.append(text))
    window = QMainWindow(desk.window)
    actions = Actions(window)
    HelpCommands(actions, window, messages, Keymap(settings, actions, window), open_url)
    actions["showLog"].trigger()
    assert said == ["There is no log: its folder can't be written."]
    messages.log_file = tmp_path / "mvdesk.log"
    actions["showLog"].trigger()
    assert opened == [str(tmp_path)]
    assert len(said) == 1
    actions["showLog"].trigger()
    assert str(messages.log_file) in said[-1]


def test_changed_keys_are_those_of_the_page_that_is_open(desk: Desk, settings: Settings) -> None:
    window = QMainWindow(desk.window)
    actions = Actions(window)
    keymap = Keymap(settings, actions, window)
    helping = HelpCommands(actions, window, desk.session.messages, keymap)
    helping.show("trust", "Try first, write later")
    dialog = window.findChild(QDialog, "helpDialog")
    assert isinstance(dialog, QDialog)
    view = dialog.findChild(HelpView, "helpText")
    assert isinstance(view, HelpView)
    assert "Ctrl+Return writes" in view.toPlainText()
    place = view.verticalScrollBar().value()
    keymap.set_key("applyPreview", "Ctrl+Alt+7")
    assert "Ctrl+Alt+7 writes" in view.toPlainText()
    assert "Ctrl+Return" not in view.toPlainText()
    assert view.verticalScrollBar().value() == place
    dialog.reject()
    keymap.reset_all()
