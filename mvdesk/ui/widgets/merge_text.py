"""The text of a merge: made of pieces of two texts, and open to typing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSignalBlocker, Signal, Slot
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.stretches import Stretch, Take, compose, usual_takes
from mvdesk.ui.text_spans import to_utf16
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.memory_text import MemoryText
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

_LEAST_PX: Final = 120
_BUTTONS: Final = (
    ("a", "A's", "Alt+1", tr("Take what A has at this place")),
    ("b", "B's", "Alt+2", tr("Take what B has at this place")),
    ("both", tr("Both"), "Alt+3", tr("Take A's and then B's at this place")),
    ("none", tr("Neither"), "Alt+4", tr("Take nothing at this place")),
)
_ALL: Final = (
    ("a", tr("All of A"), "Alt+5", tr("Take A's text, the whole of it")),
    ("b", tr("All of B"), "Alt+6", tr("Take B's text, the whole of it")),
)


class MergeText(QWidget):
    """Places where the two differ are marked; buttons and keys choose for the current one.

    What is typed stays: a choice writes only over its own place, and Ctrl+Z takes it back.
    """

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stretches: tuple[Stretch, ...] = ()
        self._takes: list[Take] = []
        # Start and end of every stretch: one stays where something is put in, one goes along.
        self._ends: list[tuple[QTextCursor, QTextCursor]] = []
        self._places: list[int] = []  # of the stretches to choose between
        self._at = 0
        self._is_typed = False
        self.text = MemoryText()
        self.text.setObjectName("mergeText")
        self.text.setAccessibleName(tr("Text of the merged memory"))
        self.text.setTabChangesFocus(True)
        self.text.edited.connect(self._on_edited)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._said = ElidedLabel(steady=True)
        self._said.setObjectName("mergePlace")
        set_role(self._said, "caption")
        self._choices = [self._button(*one) for one in _BUTTONS]
        self._all = [self._button(*one, is_all=True) for one in _ALL]
        self._steps = [
            _make_button(
                "mergePrevious", tr("Previous"), "Alt+Up", tr("Go to the difference before")
            ),
            _make_button("mergeNext", tr("Next"), "Alt+Down", tr("Go to the next difference")),
        ]
        for button, slot in zip(self._steps, (self._on_previous, self._on_next), strict=True):
            button.clicked.connect(slot)
        self.bar = self._make_bar()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text, 1)
        self.setFocusProxy(self.text)
        self._restyle()

    def _make_bar(self) -> QWidget:
        """The buttons in one line, and what the current place is about: for above the texts."""
        bar = QWidget()
        row = QHBoxLayout()
        row.setSpacing(4)
        for button in (*self._steps, *self._choices, *self._all):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(bar)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._said)
        return bar

    # In

    def set_stretches(self, stretches: Sequence[Stretch], first: Literal["a", "b"]) -> None:
        """Start anew with the usual choices. Never emits."""
        self._stretches = tuple(stretches)
        self._places = [n for n, one in enumerate(self._stretches) if not one.is_same]
        self._at, self._is_typed = 0, False
        self._put(usual_takes(self._stretches, first))
        for button in (*self._steps, *self._choices):
            button.setVisible(bool(self._places))
        self._show()

    # Out

    @property
    def is_touched(self) -> bool:
        """Whether the person chose or typed something."""
        return self._is_typed

    def content(self) -> str:
        """The text as it is now."""
        return self.text.content()

    @property
    def place(self) -> int:
        """Which difference is the current one, from 0."""
        return self._at

    def take(self, take: Take) -> None:
        """Choose for the current difference, and go to the next one."""
        if not self._places:
            return
        self._is_typed = True
        number = self._places[self._at]
        self._takes[number] = take
        if self.text.is_in_pieces:
            self._put(self._takes)
        else:
            self._write(number, self._stretches[number].text(take))
        if self._at + 1 < len(self._places):
            self._at += 1
        self._show()
        self.edited.emit()

    def take_all(self, take: Take) -> None:
        """Choose the whole text of one side."""
        self._is_typed = True
        self._put([take] * len(self._stretches), keep_undo=True)
        self._show()
        self.edited.emit()

    def go(self, by: int) -> None:
        """Make another difference the current one."""
        if self._places:
            self._at = (self._at + by) % len(self._places)
            self._show()

    # Writing.

    def _put(self, takes: Sequence[Take], *, keep_undo: bool = False) -> None:
        self._takes = list(takes)
        text, spans = compose(self._stretches, self._takes)
        with QSignalBlocker(self.text):
            if keep_undo:
                self.text.bring_in(text)
            else:
                self.text.set_content(text, keep_place=False)
        self._ends = []
        if self.text.is_in_pieces:
            return
        for places in to_utf16(text, spans, joins_line_ends=True):
            start, end = (QTextCursor(self.text.document()) for _ in places)
            start.setPosition(places[0])
            end.setPosition(places[1])
            start.setKeepPositionOnInsert(True)
            self._ends.append((start, end))

    def _write(self, number: int, text: str) -> None:
        with QSignalBlocker(self.text):
            self._selection(number).insertText(text)

    def _selection(self, number: int) -> QTextCursor:
        start, end = self._ends[number]
        cursor = QTextCursor(start)
        cursor.setKeepPositionOnInsert(False)
        cursor.setPosition(start.position())
        cursor.setPosition(end.position(), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    # Showing.

    def _show(self) -> None:
        count = len(self._places)
        if not count:
            self._said.setText(tr("Both have the same text."))
            self.text.setExtraSelections([])
            return
        number = self._places[self._at]
        one = self._stretches[number]
        self._said.setText(
            tr(
                "Difference {at:,} of {count:,}: A “{a}”, B “{b}”",
                at=self._at + 1,
                count=count,
                a=_short(one.a),
                b=_short(one.b),
            )
        )
        self._mark()

    def _mark(self) -> None:
        """The places to choose for: underlined, the current one on a tint, too."""
        if not self._ends:
            return
        look, marks = applied(), []
        for place, number in enumerate(self._places):
            shape = QTextCharFormat()
            shape.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            shape.setUnderlineColor(look.color("accent"))
            if place == self._at:
                shape.setBackground(look.color("selection_tint"))
                shape.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = self._selection(number), shape
            marks.append(mark)
        self.text.setExtraSelections(marks)
        if not self.text.hasFocus():
            at = self._selection(self._places[self._at])
            at.setPosition(at.selectionStart())
            self.text.setTextCursor(at)
            self.text.ensureCursorVisible()

    @Slot()
    def _on_edited(self) -> None:
        self._is_typed = True
        self.edited.emit()

    @Slot()
    def _on_previous(self) -> None:
        self.go(-1)

    @Slot()
    def _on_next(self) -> None:
        self.go(1)

    def _button(
        self, take: Take, words: str, key: str, tip: str, *, is_all: bool = False
    ) -> QPushButton:
        button = _make_button(f"merge{'All' if is_all else 'Take'}_{take}", words, key, tip)
        button.setProperty("take", take)
        button.clicked.connect(self._on_all if is_all else self._on_take)
        return button

    @Slot()
    def _on_take(self) -> None:
        self.take(self.sender().property("take"))

    @Slot()
    def _on_all(self) -> None:
        self.take_all(self.sender().property("take"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_steps"):
            self._restyle()
            self._mark()

    def _restyle(self) -> None:
        self.text.setMinimumHeight(applied().px(_LEAST_PX))


def _make_button(name: str, words: str, key: str, tip: str) -> QPushButton:
    button = QPushButton(words)
    button.setObjectName(name)
    button.setAutoDefault(False)
    button.setShortcut(key)
    button.setToolTip(f"{tip} ({key})")
    button.setAccessibleDescription(tip)
    set_role(button, "small")
    return button


def _short(text: str) -> str:
    said = " ".join(text.split())
    if not said:
        return "nothing"
    return said if len(said) <= 40 else f"{said[:39].rstrip()}…"
