"""What is behind one bar: words with their letters marked, links as chips, dates as a table."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.link_strip import LinkItem, LinkStrip
from mvdesk.ui.widgets.trust_control import TrustControl
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

_HERE: Final = tr("↑ you are here")


@dataclass(frozen=True, slots=True)
class WordPlace:
    """One place where letters count: the field, the letters, the text around them, doubts."""

    field: str
    before: str
    letters: str
    after: str
    badges: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The place in words, the letters in brackets."""
        doubts = f" ({', '.join(self.badges)})" if self.badges else ""
        return f"{self.field}: {self.before}[{self.letters}]{self.after}{doubts}"


@dataclass(frozen=True, slots=True)
class StepLine:
    """One row of a step table; `here` marks the one that applies now."""

    days: str
    date: str
    points: str
    here: bool = False

    @property
    def sentence(self) -> str:
        parts = [self.days, self.date, self.points, tr("you are here") if self.here else ""]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Details:
    """Everything behind a bar. `go_text` says where it can be changed, "" for nowhere."""

    words: tuple[WordPlace, ...] = ()
    links: tuple[LinkItem, ...] = ()
    lines: tuple[str, ...] = ()
    steps: tuple[StepLine, ...] = ()
    go_text: str = ""

    def texts(self) -> list[str]:
        """All of it as plain text, a line each."""
        return [
            *(word.sentence for word in self.words),
            *(link.sentence for link in self.links),
            *self.lines,
            *(step.sentence for step in self.steps),
        ]


class EvidenceDrawer(QFrame):
    """Shows the evidence of one row of a waterfall."""

    closed = Signal()
    link_activated = Signal(str)  # id of the memory at the other end
    go_requested = Signal()  # to where it can be changed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._details: Details | None = None
        self._trust: TrustControl | None = None
        self.setObjectName("evidenceDrawer")
        self.setAccessibleName(tr("Evidence"))
        set_role(self, "card")
        self._name = QLabel()
        self._name.setObjectName("evidenceName")
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setWordWrap(True)
        set_role(self._name, "strong")
        self._text = _wrapped("evidenceText")
        self._go = QPushButton()
        self._go.setObjectName("evidenceGo")
        set_role(self._go, "quiet")
        self._go.clicked.connect(self.go_requested)
        self._close = IconButton("close", tr("Close the evidence (Esc)"), side=24)
        self._close.setObjectName("evidenceClose")
        self._close.clicked.connect(self.closed)
        self._links = LinkStrip()
        self._links.setObjectName("evidenceLinks")
        self._links.set_read_only(True)
        self._links.link_activated.connect(self.link_activated)
        self._words, self._steps = QWidget(), QWidget()
        self._lines = _wrapped("evidenceLines")
        set_role(self._lines, "secondary")
        top = QHBoxLayout()
        top.addWidget(self._name, 1)
        top.addWidget(self._go, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 6, 6, 10)
        self._column.setSpacing(4)
        self._column.addLayout(top)
        for part in (self._text, self._words, self._links, self._steps, self._lines):
            self._column.addWidget(part)
        self._fill(Details())
        self.hide()

    def set_row(self, title: str, lead: str) -> None:
        """Show what a row is and, in one line, what it comes from."""
        self._name.setText(title)
        self._text.setText(lead)
        self._text.setVisible(bool(lead))
        self._describe()
        self.show()

    def set_details(self, details: Details | None) -> None:
        """Show the rest; None while it is being found out, which keeps the height."""
        if details == self._details:
            return
        waits = details is None and self.isVisible()
        self._details = details
        self.setMinimumHeight(self.height() if waits else 0)
        self._fill(details or Details())
        self._describe()

    def show_trust(self) -> TrustControl:
        """Show a slider for the trust of the source; it is made when it is first needed."""
        if self._trust is None:
            self._trust = TrustControl()
            self._trust.slider.setObjectName("drawerTrustSlider")
            self._trust.field.setObjectName("drawerTrustValue")
            self._column.insertWidget(self._column.indexOf(self._text) + 1, self._trust)
            for before, after in pairwise((self._close, *self._trust.stops)):
                self.setTabOrder(before, after)
        self._trust.show()
        return self._trust

    def hide_trust(self) -> None:
        """The row isn't about trust."""
        if self._trust is not None:
            self._trust.hide()

    def texts(self) -> list[str]:
        """All that is shown, a line each."""
        details = self._details.texts() if self._details else []
        return [text for text in (self._name.text(), self._text.text(), *details) if text]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and self._details is not None:
            self._fill(self._details)  # the marks are in the colours of the theme

    def _fill(self, details: Details) -> None:
        self._go.setText(details.go_text)
        self._go.setVisible(bool(details.go_text))
        self._words = self._replaced(self._words, _word_rows(details.words), bool(details.words))
        self._links.set_links(details.links)
        self._links.put_after(self._close)
        self._links.setVisible(bool(details.links))
        self._steps = self._replaced(self._steps, _step_rows(details.steps), bool(details.steps))
        self._lines.setText("\n".join(details.lines))
        self._lines.setVisible(bool(details.lines))
        self.updateGeometry()

    def _replaced(self, old: QWidget, new: QWidget, is_shown: bool) -> QWidget:
        self._column.replaceWidget(old, new)
        new.setVisible(is_shown)  # not before it has a parent: it would open as a window
        old.setObjectName("")  # it is found no more while it waits to be deleted
        old.hide()
        old.deleteLater()
        return new

    def _describe(self) -> None:
        self.setAccessibleDescription(". ".join(self.texts()))


def _wrapped(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _word_rows(words: Sequence[WordPlace]) -> QWidget:
    """A row per place: field, the text with the letters marked, doubts."""
    box = QWidget()
    box.setObjectName("evidenceWords")
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 2, 0, 2)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(1, 1)
    for row, word in enumerate(words):
        field = QLabel(word.field)
        set_role(field, "mutedCaption")
        text = QLabel(_marked(word))
        text.setTextFormat(Qt.TextFormat.RichText)
        text.setWordWrap(True)
        text.setAccessibleName(word.sentence)
        place = QVBoxLayout()
        place.setSpacing(2)
        place.addWidget(text)
        if word.badges:
            place.addLayout(_badge_row(word.badges))
        grid.addWidget(field, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(place, row, 1)
    return box


def _badge_row(badges: Sequence[str]) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(4)
    for badge in badges:
        label = QLabel(badge)
        label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        set_role(label, "badge")
        line.addWidget(label)
    line.addStretch(1)
    return line


def _marked(word: WordPlace) -> str:
    tokens = applied().tokens
    letters = (
        f'<span style="background:{tokens.selection_tint}; color:{tokens.text}; '
        f'font-weight:600">{escape(word.letters, quote=False)}</span>'
    )
    before, after = (escape(text, quote=False) for text in (word.before, word.after))
    return f'<span style="color:{tokens.text_secondary}">{before}{letters}{after}</span>'


def _step_rows(steps: Sequence[StepLine]) -> QWidget:
    """The table of steps, the one that applies in semibold."""
    box = QWidget()
    box.setObjectName("evidenceSteps")
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 2, 0, 2)
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(2)
    row = 0
    for step in steps:
        for column, text in enumerate((step.days, step.date, step.points)):
            label = QLabel(text)
            set_role(label, "strong" if step.here else "secondary")
            grid.addWidget(label, row, column)
        row += 1
        if step.here:
            here = QLabel(_HERE)
            set_role(here, "accentCaption")
            grid.addWidget(here, row, 0, 1, 3)
            row += 1
    grid.setColumnStretch(3, 1)
    return box
