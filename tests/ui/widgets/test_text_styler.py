"""Styling a text while it is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextCharFormat

from mvdesk.ui.widgets.marked_text import MarkedText
from mvdesk.ui.widgets.text_styler import find_markdown_spans

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from mvdesk.ui.theme import ThemeController

SOLID = QTextCharFormat.UnderlineStyle.SingleUnderline
DASHED = QTextCharFormat.UnderlineStyle.DashUnderline


@pytest.fixture
def text(qtbot: QtBot, theme: ThemeController) -> MarkedText:
    field = MarkedText()
    qtbot.addWidget(field)
    field.styler.set_words(("verified", "id"), ("maybe",))
    field.resize(400, 200)
    with qtbot.waitExposed(field):
        field.show()
    field.setFocus()
    return field


def marked(field: MarkedText, number: int, style: QTextCharFormat.UnderlineStyle) -> list[str]:
    """The letters of a paragraph that have an underline of a kind."""
    block = field.document().findBlockByNumber(number)
    units = block.text().encode("utf-16-le")
    return [
        units[2 * one.start : 2 * (one.start + one.length)].decode("utf-16-le")
        for one in block.layout().formats()
        if one.format.underlineStyle() == style
    ]


def styled(field: MarkedText, number: int) -> bool:
    return bool(field.document().findBlockByNumber(number).layout().formats())


@pytest.mark.parametrize(
    ("line", "styles"),
    [
        ("plain words, a * b * c, snake_case_name, 2*3*4", set()),
        ("# Heading", {("# Heading", "heading"), ("#", "sign")}),
        ("#hashtag", set()),
        ("> said", {("> said", "quote"), ("> ", "sign")}),
        ("- item", {("-", "sign")}),
        ("12. item", {("12.", "sign")}),
        ("- [x] done", {("- [x]", "sign")}),
        ("**bold** and *lean*", {("**bold**", "strong"), ("*lean*", "emphasis")}),
        ("__bold__ and _lean_", {("__bold__", "strong"), ("_lean_", "emphasis")}),
        ("a `b * c *` d", {("`b * c *`", "code")}),
        ("[text](https://x.org)", {("[text](https://x.org)", "link")}),
        ("[[Title]] <https://x.org>", {("[[Title]]", "link"), ("<https://x.org>", "link")}),
        ("see mvdesk://memory/1 now", {("mvdesk://memory/1", "link")}),
        ("", set()),
    ],
)
def test_markdown_of_a_line(line: str, styles: set[tuple[str, str]]) -> None:
    found = {(line[start:end], name) for start, end, name in find_markdown_spans(line)}
    assert found == styles


def test_inside_code_all_is_code() -> None:
    assert find_markdown_spans("# no **heading**", in_code=True) == [(0, 16, "code")]


def test_words_that_count_are_underlined_while_typed(qtbot: QtBot, text: MarkedText) -> None:
    qtbot.keyClicks(text, "unverified video, Maybe")
    assert marked(text, 0, SOLID) == ["verified", "id"]
    assert marked(text, 0, DASHED) == ["Maybe"]
    qtbot.keyClick(text, Qt.Key.Key_Backspace)
    assert marked(text, 0, DASHED) == []


def test_letters_beyond_the_first_plane_shift_nothing(qtbot: QtBot, text: MarkedText) -> None:
    text.insertPlainText("🚫 maybe 👩‍👩‍👧 maybe 東京 maybe")
    assert marked(text, 0, DASHED) == ["maybe"] * 3


def test_only_what_is_seen_is_styled(qtbot: QtBot, text: MarkedText) -> None:
    text.setPlainText("maybe\n" * 2_000)
    qtbot.waitUntil(lambda: styled(text, 0))
    assert not styled(text, 1_900)
    text.verticalScrollBar().setValue(1_900)
    qtbot.waitUntil(lambda: styled(text, 1_900))
    assert not styled(text, 1_000)


def test_a_block_of_code_reaches_to_its_end(qtbot: QtBot, text: MarkedText) -> None:
    text.setPlainText("```\n# code\n```\n# heading")
    qtbot.waitUntil(lambda: styled(text, 3))

    def weights(number: int) -> set[int]:
        block = text.document().findBlockByNumber(number)
        return {one.format.fontWeight() for one in block.layout().formats()}

    assert QFont.Weight.DemiBold not in weights(1)
    assert QFont.Weight.DemiBold in weights(3)
    cursor = text.textCursor()
    cursor.setPosition(0)
    text.setTextCursor(cursor)
    qtbot.keyClick(text, Qt.Key.Key_Delete)  # the block opens one line later
    qtbot.waitUntil(lambda: QFont.Weight.DemiBold in weights(1))
    qtbot.waitUntil(lambda: QFont.Weight.DemiBold not in weights(3))


def test_styling_is_no_change_of_the_text(qtbot: QtBot, text: MarkedText) -> None:
    with qtbot.assertNotEmitted(text.textChanged):
        text.styler.set_words((), ("plain",))
        qtbot.wait(20)
    text.setPlainText("**plain**")
    qtbot.waitUntil(lambda: marked(text, 0, DASHED) == ["plain"])
    assert not text.document().isUndoAvailable()
    assert text.toPlainText() == "**plain**"


def test_another_theme_styles_anew(qtbot: QtBot, text: MarkedText, theme: ThemeController) -> None:
    text.setPlainText("maybe")
    qtbot.waitUntil(lambda: styled(text, 0))

    def color() -> str:
        (one,) = text.document().firstBlock().layout().formats()
        return one.format.underlineColor().name()

    light = color()
    theme.set_theme("dark")
    qtbot.waitUntil(lambda: color() != light)
    assert color() == theme.tokens.negative.lower()


def test_a_paragraph_too_long_to_style_stays_plain(qtbot: QtBot, text: MarkedText) -> None:
    text.setPlainText("maybe " * 5_000 + "\nmaybe")
    text.styler.style_seen()
    assert not styled(text, 0)
