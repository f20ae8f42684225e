"""A text as it reads: Markdown rendered, nothing loaded from anywhere, links only reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QUrl, Signal, Slot
from PySide6.QtGui import (
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from mvdesk.ui.theme import FontRole, applied, is_look_change
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QFont, QTextBlock, QTextFragment

LONGEST_RENDERED: Final = 30_000
"""Of a longer text the beginning is rendered: for megabytes Qt takes many seconds."""

_FEATURES: Final = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
_MARGIN_PX: Final = 12
_HEADINGS: Final[dict[int, FontRole]] = {1: "title", 2: "section"}


class ReadingView(QTextBrowser):
    """Renders Markdown. HTML is shown as the text it is, an image as a link to where it lies."""

    link_requested = Signal(str)  # where a link leads, as written

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.anchorClicked.connect(self._on_anchor_clicked)

    def set_markdown(self, text: str) -> None:
        """Render a text. Its place stays when it is the same one."""
        if text != self._text:
            self._text = text
            self._render()

    @property
    def left_out(self) -> int:
        """How many characters at the end are not rendered."""
        return len(self._text) - self._shown_length()

    def loadResource(self, _type: int, _name: QUrl | str) -> object:
        """Nothing: no image, style sheet or font of a text is ever fetched, from disk neither."""
        # Something all the same: for none at all Qt itself reads files of this computer.
        return QByteArray(b" ")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_text"):
            self._render()

    def _render(self) -> None:
        bar = self.verticalScrollBar()
        place = bar.value()
        document = self.document()
        document.setDefaultFont(applied().font("editor"))
        document.setDocumentMargin(applied().px(_MARGIN_PX))
        shown = self._text[: self._shown_length()].replace("\0", "\ufffd")
        document.setMarkdown(shown, _FEATURES)
        cursor = QTextCursor(document)
        cursor.beginEditBlock()  # one layout for all that follows
        self._name_images(cursor)
        self._set_mono(cursor)
        self._set_spaces(cursor)
        cursor.endEditBlock()
        bar.setValue(place)

    def _shown_length(self) -> int:
        """Up to the end of a paragraph, where there is one near the limit."""
        if len(self._text) <= LONGEST_RENDERED:
            return len(self._text)
        end = self._text.rfind("\n", LONGEST_RENDERED // 2, LONGEST_RENDERED)
        return LONGEST_RENDERED if end < 0 else end

    def _name_images(self, cursor: QTextCursor) -> None:
        """Put a link in the place of each image, which is not loaded."""
        images = [
            (fragment.position(), fragment.length(), fragment.charFormat().toImageFormat().name())
            for fragment in self._fragments()
            if fragment.charFormat().isImageFormat()
        ]
        for start, length, name in reversed(images):
            link = QTextCharFormat()
            link.setAnchor(True)
            link.setAnchorHref(name)
            link.setForeground(applied().color("accent"))
            link.setFontUnderline(True)
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(tr("Image (not loaded): {name}", name=name), link)

    def _set_mono(self, cursor: QTextCursor) -> None:
        mono = QTextCharFormat()
        mono.setFontFamilies(applied().font("mono").families())
        mono.setBackground(applied().color("hover_tint"))
        places = [
            (fragment.position(), fragment.length())
            for fragment in self._fragments()
            if fragment.charFormat().fontFixedPitch()
        ]
        for start, length in places:
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(mono)

    def _set_spaces(self, cursor: QTextCursor) -> None:
        """Headings of the program's own sizes, and air between paragraphs."""
        look = applied()
        for block in self._blocks():
            level = block.blockFormat().headingLevel()
            is_code = block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)
            below = 4 if level else 2 if block.textList() is not None else 0 if is_code else 8
            space = QTextBlockFormat()
            space.setTopMargin(look.px(10) if level and block.position() else 0)
            space.setBottomMargin(look.px(below) if below else 0)
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(space)
            if level:
                self._set_heading(cursor, block, look.font(_HEADINGS.get(level, "strong")))

    def _set_heading(self, cursor: QTextCursor, block: QTextBlock, font: QFont) -> None:
        """The size and weight of a heading; links and code in it stay what they are."""
        parts = [place.fragment() for place in block]  # type: ignore[attr-defined]
        places = [(part.position(), part.length(), part.charFormat()) for part in parts]
        for start, length, form in places:
            # Qt's own larger size would otherwise win over the one in pixels.
            form.clearProperty(QTextFormat.Property.FontSizeAdjustment)
            form.setProperty(QTextFormat.Property.FontPixelSize, font.pixelSize())
            form.setFontWeight(font.weight())
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(form)

    def _fragments(self) -> Iterator[QTextFragment]:
        for block in self._blocks():
            for place in block:  # type: ignore[attr-defined]  # iterates over its fragments
                yield place.fragment()

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        self.link_requested.emit(url.toString())
