"""A text as it reads: nothing loaded, HTML as text, links only told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFont, QTextDocument, QTextTable

from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.reading_view import LONGEST_RENDERED, ReadingView

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController


class Watching(ReadingView):
    """Keeps what Qt asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, object]] = []

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        found = super().loadResource(kind, name)
        self.asked.append((QUrl(name).toString(), found))
        return found


@pytest.fixture
def view(qtbot: QtBot, theme: ThemeController) -> Watching:
    made = Watching()
    qtbot.addWidget(made)
    made.resize(400, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_no_resource_is_ever_given(view: Watching, tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG")
    kinds = QTextDocument.ResourceType
    for name in ("http://example.org/a.png", QUrl.fromLocalFile(str(picture)).toString(), "a.css"):
        for kind in (kinds.ImageResource, kinds.StyleSheetResource, kinds.HtmlResource):
            assert view.document().resource(kind.value, QUrl(name)) == b" "
    view.set_markdown(f"![one](http://example.org/a.png) ![two](file://{picture})\n\n![three](b)")
    view.grab()
    assert all(found == b" " for _, found in view.asked)


def test_an_image_is_told_and_not_shown(view: Watching) -> None:
    view.set_markdown("before ![alt](http://example.org/a.png) after")
    assert view.toPlainText() == "before Image (not loaded): http://example.org/a.png after"


def test_html_is_text(view: Watching) -> None:
    text = "<b>bold</b> <script>alert(1)</script> <img src='http://example.org/x.png'>"
    view.set_markdown(text)
    assert view.toPlainText() == text
    view.grab()
    assert view.asked == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Title\n\nwith **bold**", "Title\nwith bold"),
        ("- one\n- two", "one\ntwo"),
        ("`code`", "code"),
        ("東京 🚫 مرحبا", "東京 🚫 مرحبا"),
        ("a\0b", "a\ufffdb"),
        ("", ""),
    ],
)
def test_markdown_is_rendered(view: Watching, text: str, shown: str) -> None:
    view.set_markdown(text)
    assert view.toPlainText() == shown


def test_a_click_on_a_link_is_told_and_opens_nothing(qtbot: QtBot, view: Watching) -> None:
    view.set_markdown("[the manual](https://example.org/x)")
    with qtbot.waitSignal(view.link_requested) as asked:
        cursor = view.textCursor()
        cursor.setPosition(3)
        spot = view.cursorRect(cursor).center()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert asked.args == ["https://example.org/x"]
    assert view.toPlainText() == "the manual"


def test_a_link_is_reached_by_keyboard(qtbot: QtBot, view: Watching) -> None:
    view.set_markdown("[the manual](https://example.org/x)")
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    with qtbot.waitSignal(view.link_requested):
        qtbot.keyClick(view, Qt.Key.Key_Return)


def test_megabytes_are_rendered_as_far_as_is_quick(view: Watching) -> None:
    view.set_markdown("one line\n\n" * 500_000)
    assert view.left_out > 4_900_000
    assert 0 < len(view.toPlainText()) <= LONGEST_RENDERED
    view.set_markdown("x" * (2 * LONGEST_RENDERED))
    assert view.left_out == LONGEST_RENDERED


def test_another_theme_shows_the_same_text(view: Watching, theme: ThemeController) -> None:
    view.set_markdown("# Title\n\n![a](b.png)")
    before = view.toPlainText()
    theme.set_theme("dark")
    theme.set_scale(1.5)
    assert view.toPlainText() == before


def test_headings_are_as_large_as_the_program_s_own(view: Watching) -> None:
    view.set_markdown("# Before")
    view.set_markdown("# One\n\n## Two with `code`\n\nText")
    block, sizes = view.document().begin(), []
    while block.isValid():
        sizes += [place.fragment().charFormat().font().pixelSize() for place in block]  # type: ignore[attr-defined]
        block = block.next()
    look = applied()
    assert sizes[0] == look.font("title").pixelSize()
    assert set(sizes[1:-1]) == {look.font("section").pixelSize()}
    assert sizes[-1] == look.font("editor").pixelSize()


def test_a_table_after_code_has_a_whole_head(view: Watching) -> None:
    view.set_markdown("```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.")
    (table,) = view.document().rootFrame().childFrames()
    assert isinstance(table, QTextTable)
    for column, text in enumerate("ab"):
        cell = table.cellAt(0, column)
        block = cell.firstCursorPosition().block()
        assert block.text() == text
        assert block == cell.lastCursorPosition().block()
        assert cell.lastCursorPosition().charFormat().fontWeight() > QFont.Weight.Normal
    assert view.toPlainText().split() == ["code", "a", "b", "1", "2", "End."]


@pytest.mark.parametrize("text", ["```py\none\n\ntwo\n```", "    one\n    two", "~~~\none\n~~~"])
def test_code_stands_on_a_ground_of_its_own(view: Watching, text: str) -> None:
    view.set_markdown(f"Before.\n\n{text}\n\nAfter.")
    block, grounds = view.document().begin(), []
    while block.isValid():
        grounds.append((block.text(), block.blockFormat().background().style()))
        block = block.next()
    assert [bool(ground.value) for _, ground in grounds] == [
        said not in ("Before.", "After.") for said, _ in grounds
    ]
    assert len(grounds) > 2


def test_what_is_quoted_has_a_bar_for_each_level(view: Watching) -> None:
    view.set_markdown("Before.\n\n> one\n>\n> > two\n\nAfter.")
    picture = view.viewport().grab().toImage()
    layout, block, bars = view.document().documentLayout(), view.document().begin(), []
    while block.isValid():
        rect = layout.blockBoundingRect(block)
        row = [picture.pixelColor(x, round(rect.center().y())) for x in range(80)]
        starts = [
            x for x in range(1, 80) if row[x] == applied().color("control_border") != row[x - 1]
        ]
        bars.append((block.text(), len(starts)))
        block = block.next()
    assert bars == [("Before.", 0), ("one", 1), ("two", 2), ("After.", 0)]
