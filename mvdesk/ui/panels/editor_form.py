"""The fields of one memory: plain texts in, typing out. Knows neither session nor drafts."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from mvdesk.records import MEMORY_TYPES, TYPE_WORDS
from mvdesk.ui.text_spans import to_utf16
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.completing_line import CompletingLine
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.marked_text import MarkedLine
from mvdesk.ui.widgets.memory_text import MemoryText
from mvdesk.ui.widgets.score_line import ScoreLine
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

_LINES: Final = (
    ("key", "editorKey", tr("Key"), tr("None")),
    ("source", "editorSource", tr("Source"), tr("None")),
    ("tags", "editorTags", tr("Tags"), tr("None; separate with commas")),
    ("confidence", "editorBaseConfidence", tr("Base confidence"), tr("0 to 1")),
    ("importance", "editorBaseImportance", tr("Base importance"), tr("0 to 1")),
)
_TIPS: Final = {
    "key": tr("A short name to look the memory up by"),
    "source": tr("Where the memory comes from; its trust counts for the scores"),
    "tags": tr("Words to group memories by, separated by commas"),
    "confidence": tr("What you store, from 0 to 1; the score starts from here"),
    "importance": tr("What you store, from 0 to 1; the score starts from here"),
}
_LONGEST_LINE: Final = 1_000_000  # Qt's own 32,767 would cut what a file may hold
_THREE_COLUMNS_FROM_PX: Final = 450
_LEAST_PX: Final = 240


class _Field(QWidget):
    """A caption, an input below it, and a sentence when the input can't be used."""

    def __init__(self, caption: str, entry: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = entry
        label = ElidedLabel(caption)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        label.setBuddy(entry)
        set_role(label, "caption")
        self._problem = QLabel()
        self._problem.setWordWrap(True)
        set_role(self._problem, "error")
        self._problem.hide()
        self._top = QHBoxLayout()
        self._top.setSpacing(8)
        self._top.addWidget(label)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(self._top)
        column.addWidget(entry, 1)
        column.addWidget(self._problem)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def add_beside(self, widget: QWidget) -> None:
        """Put something at the right of the caption."""
        self._top.addWidget(widget, 1)

    def add_above(self, widget: QWidget) -> None:
        """Put something between the caption and the input."""
        self._column.insertWidget(1, widget)

    @property
    def problem(self) -> str:
        return self._problem.text()

    def set_problem(self, sentence: str) -> None:
        if sentence == self.problem:
            return
        self._problem.setText(sentence)
        self._problem.setVisible(bool(sentence))
        self.entry.setAccessibleDescription(sentence or self.entry.toolTip())
        self.entry.setProperty("invalid", bool(sentence))
        self.entry.style().unpolish(self.entry)
        self.entry.style().polish(self.entry)


class _PiecesNote(QWidget):
    """Says why nothing can be typed in a text with an overlong line, and offers to break it."""

    break_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editorPieces")
        said = QLabel(
            tr(
                "A line of this text is too long to be typed in. It is shown in pieces; the text "
                "itself is as it was."
            )
        )
        said.setWordWrap(True)
        set_role(said, "mutedCaption")
        self._break = QPushButton(tr("Break into lines"))
        self._break.setObjectName("editorBreak")
        self._break.setToolTip(tr("Make each piece a line of its own, to be typed in and saved"))
        set_role(self._break, "small")
        self._break.clicked.connect(self.break_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(said, 1)
        row.addWidget(self._break, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def set_locked(self, locked: bool) -> None:
        self._break.setVisible(not locked)


class EditorForm(QWidget):
    """The fields of one memory. Setters never emit; `text_edited` is the person typing."""

    text_edited = Signal(str, object)  # field, its whole text; as it is: megabytes take time
    told = Signal(str)  # what became of something pasted
    offered = Signal(str, str, object)  # a sentence, what can be done about it, doing it

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns = 0
        self._type = Choice(tr("Type"))
        self._type.setObjectName("editorType")
        title = _make_line("editorTitle", tr("Title"), tr("Title"))
        set_role(title, "section")
        self._lines: dict[str, MarkedLine] = {"title": title}
        self._fields = {"type": _Field(tr("Type"), self._type)}
        self.source_line, self.tags_line = CompletingLine(), CompletingLine()
        made = {"source": self.source_line, "tags": self.tags_line}
        for name, object_name, caption, hint in _LINES:
            line = self._lines[name] = _make_line(object_name, caption, hint, made.get(name))
            line.setToolTip(_TIPS[name])
            line.setAccessibleDescription(_TIPS[name])
            self._fields[name] = _Field(caption, line)
        self._content = _make_content()
        self._fields["content"] = _Field(tr("Text"), self._content)
        self._pieces = _PiecesNote()
        self._fields["content"].add_above(self._pieces)
        self._scores = ScoreLine()
        self._scores.setObjectName("editorScores")
        self._fields["content"].add_beside(self._scores)
        self._trust = ElidedLabel(steady=True)
        self._trust.setObjectName("editorTrust")
        self._trust.setAccessibleName(tr("Trust of the source"))
        set_role(self._trust, "mutedCaption")
        self._fields["source"].add_beside(self._trust)
        self._tag_count = ElidedLabel(steady=True)
        self._tag_count.setObjectName("editorTagCount")
        self._tag_count.setAccessibleName(tr("Number of tags"))
        set_role(self._tag_count, "mutedCaption")
        self._fields["tags"].add_beside(self._tag_count)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(title)
        column.addLayout(self._grid)
        column.addWidget(self._fields["content"], 1)
        self._arrange_columns(2)
        self._order_tabs()
        self._connect_entries()

    # In

    def set_texts(self, texts: Mapping[str, str], *, is_same_memory: bool) -> None:
        """Show all fields. Those that show the text already keep caret and undo.

        For the same memory the others keep the caret where it was, too.
        """
        self._show_type(texts["type"])
        for name, line in self._lines.items():
            if line.text() != texts[name]:
                place = line.cursorPosition()
                with QSignalBlocker(line):
                    line.setText(texts[name])
                line.setCursorPosition(place if is_same_memory and line.hasFocus() else 0)
        if not is_same_memory or texts["content"] != self.content():
            self._content.set_content(texts["content"], keep_place=is_same_memory)

    def bring_in(self, texts: Mapping[str, str]) -> None:
        """Show some other texts as if they were typed: Ctrl+Z takes them back. Never emits."""
        if "type" in texts:
            self._show_type(texts["type"])
        for name, line in self._lines.items():
            if line.text() != texts.get(name, line.text()):
                with QSignalBlocker(line):
                    line.selectAll()
                    line.insert(texts[name])
                line.setCursorPosition(0)
        if texts["content"] != self.content():
            self._content.bring_in(texts["content"])

    def set_problems(self, problems: Mapping[str, str]) -> None:
        """Show a sentence under each field that has one."""
        for name, field in self._fields.items():
            field.set_problem(problems.get(name, ""))

    def set_scores(
        self, before: tuple[float, float] | None, after: tuple[float, float] | None
    ) -> None:
        """Show confidence and importance as stored and as typed; `None` where there is none."""
        self._scores.set_scores(before, after)

    def set_trust(self, text: str) -> None:
        """Say beside the source how far it is trusted, "" for nothing to say."""
        self._trust.setText(text)
        self._trust.setAccessibleDescription(text)

    def set_tag_count(self, text: str) -> None:
        """Say beside the tags how many there are, "" for nothing to say."""
        self._tag_count.setText(text)
        self._tag_count.setAccessibleDescription(text)

    def set_read_only(self, reason: str | None) -> None:
        """Let nothing be typed, for the reason given; `None` lets it again."""
        locked = reason is not None
        for name, line in self._lines.items():
            line.setReadOnly(locked)
            line.setToolTip(reason or _TIPS.get(name, ""))
        self._content.set_locked(locked)
        self._pieces.set_locked(locked)
        self._content.setToolTip(reason or "")
        self._type.setEnabled(not locked)
        self._type.setToolTip(reason or "")

    def forget_undo(self, without: Collection[str] = ()) -> None:
        """Let Ctrl+Z take back nothing typed so far, but in the fields `without`."""
        for name, line in self._lines.items():
            if name not in without and (line.isUndoAvailable() or line.isRedoAvailable()):
                place, start = line.cursorPosition(), line.selectionStart()
                length = len(line.selectedText())
                with QSignalBlocker(line):
                    line.setText(line.text())
                line.setCursorPosition(place)
                if length:
                    line.setSelection(start, length)
        if "content" not in without:
            self._content.document().clearUndoRedoStacks()

    def focus_field(self, name: str) -> None:
        """Put the caret into a field."""
        entry = self._lines.get(name) or self._fields[name].entry
        entry.setFocus(Qt.FocusReason.OtherFocusReason)

    def field(self, name: str) -> QWidget:
        """A field with its caption and the sentence below it; "title" is the line alone."""
        return self._lines[name] if name == "title" else self._fields[name]

    @property
    def text_field(self) -> MemoryText:
        """The field for the text itself."""
        return self._content

    def set_marks(self, spans: Mapping[str, Sequence[tuple[int, int]]]) -> None:
        """Mark places of texts, in code points of what is shown, until it is edited.

        The first place in the text is scrolled to; the caret stays where it is.
        """
        for name in ("title", "key", "tags"):
            line = self._lines[name]
            line.set_marks(to_utf16(line.text(), spans.get(name, ())))
        self._content.set_spans(spans.get("content", ()))

    def select_span(self, name: str, span: tuple[int, int]) -> None:
        """Put the caret into a field, with a place of it selected."""
        self.focus_field(name)
        if name == "content":
            self._content.select_span(span)
        elif (line := self._lines.get(name)) is not None:
            start, end = to_utf16(line.text(), [span])[0]
            line.setSelection(start, end - start)

    def texts(self) -> dict[str, str]:
        """The text fields as shown, by name."""
        lines = {name: self._lines[name].text() for name in ("title", "key", "tags")}
        return lines | {"content": self.content()}

    # Out

    def content(self) -> str:
        """The text as typed, with the line ends that it had."""
        return self._content.content()

    def problem(self, name: str) -> str:
        """The sentence under a field, "" for none."""
        return self._fields[name].problem

    def minimumSizeHint(self) -> QSize:
        # That of two columns, or three could never become two again.
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), applied().px(_LEAST_PX)), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reflow()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._reflow()

    def _connect_entries(self) -> None:
        # Not the signals of the person's keys alone: input methods, scripts and screen
        # readers write too, and nothing that is shown may go unsaved unnoticed.
        for line in self._lines.values():
            line.textChanged.connect(self._on_line_changed)
            line.told.connect(self.told)
        self._content.told.connect(self.told)
        self._content.offered.connect(self.offered)
        self._content.edited.connect(self._on_content_changed)
        self._content.pieces_changed.connect(self._pieces.setVisible)
        self._pieces.break_requested.connect(self._content.break_into_lines)
        self._type.currentIndexChanged.connect(self._on_type_changed)

    def _order_tabs(self) -> None:
        """Tab goes through the fields as they are read, whatever the number of columns."""
        names = ("type", *(line[0] for line in _LINES), "content")
        entries = [self._lines["title"], *(self._fields[name].entry for name in names)]
        for one, after in pairwise(entries):
            QWidget.setTabOrder(one, after)

    def _on_line_changed(self, text: str) -> None:
        sender = self.sender()
        name = next(name for name, line in self._lines.items() if line is sender)
        self.text_edited.emit(name, text)

    def _on_content_changed(self) -> None:
        self.text_edited.emit("content", self.content())

    def _on_type_changed(self, _index: int) -> None:
        self.text_edited.emit("type", self._type.chosen)

    def _show_type(self, value: str) -> None:
        self._type.set_choices([(name, TYPE_WORDS[name].capitalize()) for name in MEMORY_TYPES])
        self._type.set_value(value)  # a foreign file's own type is offered as well

    def _reflow(self) -> None:
        wide = self.width() >= applied().px(_THREE_COLUMNS_FROM_PX)
        self._arrange_columns(3 if wide else 2)

    def _arrange_columns(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for place, name in enumerate(("type", *(line[0] for line in _LINES))):
            row, column = divmod(place, columns)
            self._grid.addWidget(self._fields[name], row, column, Qt.AlignmentFlag.AlignTop)
        for column in range(3):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)


def _make_line(
    object_name: str, caption: str, hint: str, line: MarkedLine | None = None
) -> MarkedLine:
    line = line or MarkedLine()
    line.setObjectName(object_name)
    line.setAccessibleName(caption)
    line.setPlaceholderText(hint)
    line.setMaxLength(_LONGEST_LINE)
    return line


def _make_content() -> MemoryText:
    content = MemoryText()
    content.setObjectName("editorContent")
    content.setAccessibleName(tr("Text"))
    content.setPlaceholderText(tr("What should be remembered"))
    content.setTabChangesFocus(True)
    content.setMinimumHeight(72)
    return content
