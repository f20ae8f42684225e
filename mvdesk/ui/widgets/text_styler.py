"""Styles a text while it is typed: Markdown lightly, and over it the words that count for scores.

Only what is seen is styled, paragraph by paragraph, so that a long text costs no more than a
short one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QFont, QTextCharFormat, QTextLayout

from mvdesk.scoring.keywords import find_keyword_hits
from mvdesk.ui.text_spans import to_utf16
from mvdesk.ui.theme import applied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QTextBlock

    from mvdesk.ui.widgets.marked_text import MarkedText

_LONGEST_STYLED: Final = 20_000
"""A longer paragraph stays plain: laying it out takes Qt all the time there is."""
_LONGEST_FENCED: Final = 500_000
"""In a longer text blocks of code are not looked for."""
_BLOCKS_AT_ONCE: Final = 40
_NEVER: Final = -1

_FENCE: Final = re.compile("(?:^|\u2029) {0,3}(```|~~~)")
_HEADING: Final = re.compile(r" {0,3}#{1,6}(?=\s|$)")
_QUOTE: Final = re.compile(r" {0,3}(?:>\s?)+")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?: \[[ xX]\])?(?=\s)")
_INLINE: Final = re.compile(
    r"(?P<code>`+)[^`].*?(?P=code)"
    r"|(?P<link>!?\[[^\]\n]*\]\([^)\s]*\)|\[\[[^\]\n]+\]\]|<https?://[^>\s]+>|\w+://[^\s<>)\]]+)"
    r"|(?P<strong>(?<!\w)(?:\*\*|__)(?=\S).+?(?<=\S)(?:\*\*|__)(?!\w))"
    r"|(?P<emphasis>(?<![\w*])[*_](?=[^\s*_]).*?(?<=[^\s*_])[*_](?![\w*]))"
)

Span = tuple[int, int, str]
"""Start and end in code points, and the name of a format."""


def find_markdown_spans(line: str, *, in_code: bool = False) -> list[Span]:
    """What to style in one line; `in_code` says that it is inside a block of code."""
    if in_code:
        return [(0, len(line), "code")] if line else []
    spans: list[Span] = []
    if heading := _HEADING.match(line):
        spans += [(0, len(line), "heading"), (heading.start(), heading.end(), "sign")]
    elif quote := _QUOTE.match(line):
        spans += [(0, len(line), "quote"), (quote.start(), quote.end(), "sign")]
    elif item := _ITEM.match(line):
        spans.append((item.start(), item.end(), "sign"))
    for found in _INLINE.finditer(line):
        spans.append((found.start(), found.end(), found.lastgroup or "code"))
    return spans


class TextStyler(QObject):
    """Keeps the seen part of one text field styled."""

    def __init__(self, text: MarkedText) -> None:
        super().__init__(text)
        self._text = text
        self._raising: tuple[str, ...] = ()
        self._lowering: tuple[str, ...] = ()
        self._generation = 0
        self._fences: tuple[int, ...] = ()  # numbers of the lines that open or close code
        self._formats = _make_formats()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.style_seen)
        text.document().contentsChange.connect(self._on_contents_change)
        text.verticalScrollBar().valueChanged.connect(self._on_moved)

    def set_words(self, raising: Sequence[str], lowering: Sequence[str]) -> None:
        """The words that raise and that lower a score; they are underlined, in two ways."""
        words = (tuple(raising), tuple(lowering))
        if words != (self._raising, self._lowering):
            self._raising, self._lowering = words
            self.restyle()

    def restyle(self) -> None:
        """Style all anew, as after a change of the theme."""
        self._formats = _make_formats()
        self._generation += 1
        self._timer.start()

    def look(self) -> None:
        """Style what came into view, if anything did."""
        if any(block.userState() != self._generation for block in self._text.seen_blocks()):
            self._timer.start()

    @Slot(int)
    def _on_moved(self, _value: int) -> None:
        self.style_seen()

    @Slot(int, int, int)
    def _on_contents_change(self, place: int, removed: int, added: int) -> None:
        if not removed and not added:
            return
        document = self._text.document()
        block, last = document.findBlock(place), document.findBlock(place + added)
        if self._find_fences() or last.blockNumber() - block.blockNumber() > _BLOCKS_AT_ONCE:
            block.setUserState(_NEVER)
            last.setUserState(_NEVER)
            self._timer.start()
            return
        while block.isValid():
            self._style(block)
            if block.blockNumber() >= last.blockNumber():
                break
            block = block.next()

    def _find_fences(self) -> bool:
        """Look for blocks of code; True when they are other lines than before."""
        document = self._text.document()
        fences: tuple[int, ...] = ()
        if document.characterCount() <= _LONGEST_FENCED:
            raw = document.toRawText()
            if "```" in raw or "~~~" in raw:
                fences = tuple(_fence_lines(raw))
        if fences == self._fences:
            return False
        self._fences = fences
        self._generation += 1
        return True

    @Slot()
    def style_seen(self) -> None:
        """Style what is seen and isn't yet, at once."""
        for block in self._text.seen_blocks():
            if block.userState() != self._generation:
                self._style(block)

    def _style(self, block: QTextBlock) -> None:
        layout = block.layout()
        if layout is None or layout.preeditAreaText():
            return  # an input method is at it; its own formats are there
        block.setUserState(self._generation)
        line = block.text() if block.length() <= _LONGEST_STYLED else ""
        spans = find_markdown_spans(line, in_code=self._is_code(block.blockNumber()))
        for words, name in ((self._raising, "raising"), (self._lowering, "lowering")):
            hits = find_keyword_hits({"content": line}, words) if words else ()
            spans += [(hit.start, hit.end, name) for hit in hits]
        if not spans and not layout.formats():
            return
        places = to_utf16(line, [(start, end) for start, end, _ in spans])
        ranges = []
        for (start, end), (_, _, name) in zip(places, spans, strict=True):
            one = QTextLayout.FormatRange()
            one.start, one.length, one.format = start, end - start, self._formats[name]
            ranges.append(one)
        layout.setFormats(ranges)
        self._text.document().markContentsDirty(block.position(), block.length())

    def _is_code(self, number: int) -> bool:
        before = sum(1 for fence in self._fences if fence < number)
        return before % 2 == 1 or number in self._fences


def _fence_lines(raw: str) -> Iterator[int]:
    number = done = 0
    for found in _FENCE.finditer(raw):
        number += raw.count("\u2029", done, found.end())
        done = found.end()
        yield number


def _make_formats() -> dict[str, QTextCharFormat]:
    look = applied()
    names = ("heading", "sign", "quote", "code", "link", "strong", "emphasis", "raising")
    formats = {name: QTextCharFormat() for name in (*names, "lowering")}
    formats["heading"].setFontWeight(QFont.Weight.DemiBold)
    formats["sign"].setForeground(look.color("text_muted"))
    formats["quote"].setForeground(look.color("text_secondary"))
    formats["quote"].setFontItalic(True)
    formats["code"].setFontFamilies(look.font("mono").families())
    formats["code"].setBackground(look.color("hover_tint"))
    formats["link"].setForeground(look.color("accent"))
    formats["strong"].setFontWeight(QFont.Weight.DemiBold)
    formats["emphasis"].setFontItalic(True)
    lines = QTextCharFormat.UnderlineStyle
    for name, style, color in (
        ("raising", lines.SingleUnderline, "positive"),
        ("lowering", lines.DashUnderline, "negative"),
    ):
        formats[name].setUnderlineStyle(style)
        formats[name].setUnderlineColor(look.color(color))
    return formats
