"""A text as it reads: Markdown rendered, nothing loaded from anywhere, links only reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QRectF, QUrl, Signal, Slot
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from mvdesk.ui.theme import FontRole, applied, is_look_change
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextBlock, QTextFragment

LONGEST_RENDERED: Final = 30_000
"""Of a longer text the beginning is rendered: for megabytes Qt takes many seconds."""

_FEATURES: Final = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
_MARGIN_PX: Final = 12
_QUOTE_PX: Final = 14
"""How far each level of a quote is moved in; its bar stands at the start of that."""
_QUOTE_BAR_PX: Final = 3
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
        self._set_tables(cursor)
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
        """Headings of the program's own sizes, code on a ground, and air between paragraphs."""
        look = applied()
        for block in self._blocks():
            form = block.blockFormat()
            level, quote = form.headingLevel(), _quote_level(block)
            space = QTextBlockFormat()
            cursor.setPosition(block.position())
            if cursor.currentTable() is not None:
                space.setTopMargin(0)
                space.setBottomMargin(0)
                cursor.mergeBlockFormat(space)
                continue
            space.setTopMargin(look.px(10) if level and block.position() else 0)
            space.setBottomMargin(look.px(below) if (below := _space_below(block)) else 0)
            if quote:
                space.setLeftMargin(look.px(_QUOTE_PX) * quote)
            if _is_code(block):
                space.setBackground(look.color("hover_tint"))
            cursor.mergeBlockFormat(space)
            if level:
                self._set_heading(cursor, block, look.font(_HEADINGS.get(level, "strong")))

    def _set_tables(self, cursor: QTextCursor) -> None:
        """Tables in the colours of the program, the first row as their head.

        After code Qt begins the first cell with an empty line, and forgets that it is bold.
        """
        look = applied()
        head = QTextCharFormat()
        head.setFontWeight(QFont.Weight.DemiBold)
        for table in self._tables():
            form = table.format()
            form.setBorderCollapse(True)
            form.setBorder(1)
            form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            form.setBorderBrush(look.color("hairline"))
            form.setCellPadding(look.px(4))
            form.setTopMargin(look.px(4))
            form.setBottomMargin(look.px(8))
            table.setFormat(form)
            for column in range(table.columns()):
                cell = table.cellAt(0, column)
                place, end = cell.firstCursorPosition(), cell.lastCursorPosition()
                if not place.block().text() and place.block() != end.block():
                    place.deleteChar()
                cursor.setPosition(cell.firstCursorPosition().position())
                last = cell.lastCursorPosition().position()
                cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(head)

    def _tables(self) -> list[QTextTable]:
        frames = self.document().rootFrame().childFrames()
        return [frame for frame in frames if isinstance(frame, QTextTable)]

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._paint_quote_bars(event)

    def _paint_quote_bars(self, event: QPaintEvent) -> None:
        """A bar beside what is quoted, one for each level."""
        look, layout = applied(), self.document().documentLayout()
        top, step = self.verticalScrollBar().value(), look.px(_QUOTE_PX)
        margin, shown = self.document().documentMargin(), event.rect()
        painter = QPainter(self.viewport())
        block = self.cursorForPosition(shown.topLeft()).block()
        while block.isValid():
            rect = layout.blockBoundingRect(block).translated(0, -top)
            if rect.top() > shown.bottom():
                break
            level, below = _quote_level(block), _quote_level(block.next())
            for number in range(level):
                # As far as the air below, where the quote goes on there.
                air = block.blockFormat().bottomMargin() if number < below else 0
                bar = QRectF(
                    margin + number * step - self.horizontalScrollBar().value(),
                    rect.top(),
                    look.px(_QUOTE_BAR_PX),
                    rect.height() + air,
                )
                painter.fillRect(bar, look.color("control_border"))
            block = block.next()
        painter.end()

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


def _is_code(block: QTextBlock) -> bool:
    """Whether it is a line of a block of code, fenced or moved in."""
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage)


def _quote_level(block: QTextBlock) -> int:
    return block.blockFormat().intProperty(QTextFormat.Property.BlockQuoteLevel)


def _space_below(block: QTextBlock) -> int:
    """Little within lists, none within code, more where something else begins."""
    following = block.next()
    if block.blockFormat().headingLevel():
        return 4
    if _is_code(block):
        return 0 if _is_code(following) else 8
    if block.textList() is not None:
        goes_on = following.textList() is not None or _is_code(following)
        return 2 if goes_on and _quote_level(following) == _quote_level(block) else 8
    return 8
