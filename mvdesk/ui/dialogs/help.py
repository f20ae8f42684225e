"""The help inside the program: pages at the left, one of them at the right, a line to search."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import (
    QImage,
    QKeySequence,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from mvdesk.assets import resource_path
from mvdesk.ui.help_pages import find_pages
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.reading_view import ReadingView
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtGui import QResizeEvent

    from mvdesk.ui.help_pages import HelpPage

_SIZE: Final = QSize(900, 620)
_LIST_PX: Final = 200
_PAGE: Final = "page:"
_PICTURE: Final = re.compile(r"[a-z]+(-[a-z0-9]+)*")
_PICTURE_LINK: Final = re.compile(rf"!\[[^\]]*\]\({_PICTURE.pattern}\)")
_MOST_MARKS: Final = 200


def _picture_path(name: str) -> Path | None:
    """A picture of the help, in the colours of the theme where it was made in both."""
    if _PICTURE.fullmatch(name) is None:
        return None
    for made in (f"{name}-{applied().tokens.name}.png", f"{name}.png"):
        with suppress(FileNotFoundError):
            return resource_path("help", made)
    return None


class HelpView(ReadingView):
    """A page. Its pictures are the program's own; nothing else is ever loaded."""

    def __init__(self) -> None:
        super().__init__()
        self._resized = QTimer(self)
        self._resized.setSingleShot(True)
        self._resized.setInterval(0)
        self._resized.timeout.connect(self._on_resized)

    def loadResource(self, _type: int, name: QUrl | str) -> object:
        path = _picture_path(name.toString() if isinstance(name, QUrl) else name)
        if path is None:
            return QByteArray(b" ")
        image = QImage(str(path))
        width = max(self.viewport().width() - 4 * applied().px(12), 200)
        if image.width() <= width:
            return image  # a panel alone: larger it would only be less sharp
        return image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._resized.start()  # not within the rendering that made a scroll bar come up

    @Slot()
    def _on_resized(self) -> None:
        if _PICTURE_LINK.search(self._text):
            self._render()

    def _set_mono(self, cursor: QTextCursor) -> None:
        """Keys and operators in the usual letters: the others draw >= and ++ as one sign."""
        usual = QTextCharFormat()
        usual.setFontFamilies(applied().font("editor").families())
        usual.setFontFixedPitch(False)
        usual.setBackground(applied().color("hover_tint"))
        places = [
            (fragment.position(), fragment.length())
            for fragment in self._fragments()
            if fragment.charFormat().fontFixedPitch()
        ]
        for start, length in places:
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(usual)

    def _name_images(self, cursor: QTextCursor) -> None:
        """Its pictures are shown."""

    def go_to_heading(self, heading: str) -> None:
        """Bring a heading to the top, with the cursor of a reader at it."""
        block = self.document().begin()
        while block.isValid():
            if block.text() == heading and block.blockFormat().headingLevel() > 1:
                self.moveCursor(QTextCursor.MoveOperation.End)  # so that it comes to the top
                cursor = QTextCursor(block)
                self.setTextCursor(cursor)
                top = self.document().documentLayout().blockBoundingRect(block).top()
                self.verticalScrollBar().setValue(round(top) - applied().px(8))
                return
            block = block.next()

    def mark(self, words: Sequence[str]) -> None:
        """Mark every place of the words, and go to the first one."""
        marks: list[QTextEdit.ExtraSelection] = []
        first = -1
        plain = self.toPlainText().casefold()
        is_plain = len(plain) == self.document().characterCount() - 1
        for word in words if is_plain else ():
            at = plain.find(word)
            while at >= 0 and len(marks) < _MOST_MARKS:
                cursor = QTextCursor(self.document())
                cursor.setPosition(at)
                cursor.setPosition(at + len(word), QTextCursor.MoveMode.KeepAnchor)
                selection = QTextEdit.ExtraSelection()
                selection.cursor = cursor
                selection.format.setBackground(applied().color("selection_tint"))
                selection.format.setFontUnderline(True)
                marks.append(selection)
                first = at if first < 0 else min(first, at)
                at = plain.find(word, at + len(word))
        self.setExtraSelections(marks)
        if first >= 0:
            cursor = QTextCursor(self.document())
            cursor.setPosition(first)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()


class HelpDialog(QDialog):
    """Beside the work, not in its way: the window behind can be used meanwhile."""

    def __init__(self, pages: Sequence[HelpPage], parent: QWidget) -> None:
        super().__init__(parent)
        look = applied()
        self.setObjectName("helpDialog")
        self.setWindowTitle(tr("Help"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        wanted = QSize(look.px(_SIZE.width()), look.px(_SIZE.height()))
        self.resize(wanted.boundedTo(parent.size() * 0.9))
        self._pages = {page.name: page for page in pages}
        self._found = list(pages)
        self._build()
        self._list.addItems([page.title for page in self._found])
        self._list.setCurrentRow(0)

    def _build(self) -> None:
        look = applied()
        self._field = SearchField(tr("Search the help"))
        self._field.setObjectName("helpSearch")
        self._field.setAccessibleName(tr("Search the help"))
        self._list = QListWidget()
        self._list.setObjectName("helpPages")
        self._list.setAccessibleName(tr("Pages of the help"))
        self._list.setProperty("role", "choices")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._said = QLabel()
        self._said.setObjectName("helpSaid")
        self._said.setWordWrap(True)
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._said, "caption")
        self._said.hide()
        self._view = HelpView()
        self._view.setObjectName("helpText")
        self._view.setAccessibleName(tr("Help"))
        left = QVBoxLayout()
        left.setSpacing(look.px(8))
        for widget in (self._field, self._said):
            left.addWidget(widget)
        left.addWidget(self._list, 1)
        side = QWidget()
        side.setLayout(left)
        left.setContentsMargins(0, 0, 0, 0)
        side.setFixedWidth(look.px(_LIST_PX))
        row = QHBoxLayout(self)
        row.setContentsMargins(*[look.px(16)] * 4)
        row.setSpacing(look.px(12))
        row.addWidget(side)
        row.addWidget(self._view, 1)
        self._field.textChanged.connect(self._on_searched)
        self._list.currentRowChanged.connect(self._on_row_changed)
        self._view.link_requested.connect(self._on_link)
        find = QShortcut(QKeySequence("Ctrl+F"), self)
        find.activated.connect(self._field.setFocus)
        self._list.setFocus()

    def show_page(self, name: str) -> None:
        """Show a page, whatever is searched for."""
        if name in self._pages:
            if self._pages[name] not in self._found:
                self._field.clear()
            self._list.setCurrentRow(self._found.index(self._pages[name]))

    def set_pages(self, pages: Sequence[HelpPage]) -> None:
        """Other texts under the same names; what is read stays where it is."""
        self._pages = {page.name: page for page in pages}
        self._found = [self._pages[page.name] for page in self._found]
        row, bar = self._list.currentRow(), self._view.verticalScrollBar()
        if 0 <= row < len(self._found):
            place = bar.value()
            self._view.set_markdown(self._found[row].text)
            self._view.mark(self._words())
            bar.setValue(place)

    def show_heading(self, heading: str) -> None:
        """Go to a heading of the page that is shown: it stands at the top then."""
        self._view.go_to_heading(heading)

    @Slot(str)
    def _on_searched(self, text: str) -> None:
        self._found = find_pages(list(self._pages.values()), text)
        blocked = self._list.blockSignals(True)
        self._list.clear()
        self._list.addItems([page.title for page in self._found])
        self._list.setCurrentRow(0 if self._found else -1)
        self._list.blockSignals(blocked)
        self._said.setText(tr("No page has “{what}”.", what=text.strip()[:60]))
        self._said.setVisible(not self._found)
        self._on_row_changed(self._list.currentRow())

    @Slot(int)
    def _on_row_changed(self, row: int) -> None:
        if 0 <= row < len(self._found):
            self._view.set_markdown(self._found[row].text)
            self._view.verticalScrollBar().setValue(0)
            self._view.mark(self._words())

    def _words(self) -> list[str]:
        return self._field.text().casefold().split()

    @Slot(str)
    def _on_link(self, link: str) -> None:
        if link.startswith(_PAGE):
            self.show_page(link.removeprefix(_PAGE))
