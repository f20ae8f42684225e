"""Questions asked the other way round: which trust puts a memory, or keeps several, at a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.number_field import NumberField
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

_NO_KEPT: Final = tr(
    "None is kept in mind yet. Select a memory and add it here: then you see how low the trust of "
    "its source may go."
)
_ROWS_PX: Final = 160


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said about one question. `value` is the trust to try, None for none."""

    text: str
    value: float | None = None


@dataclass(frozen=True, slots=True)
class KeptLine:
    """One memory kept in mind, with the lowest trust of its source for all of that source."""

    memory_id: str
    title: str
    source: str
    score: float
    lowest: str


class QuestionsPage(QWidget):
    """Two questions with their answers. Knows no session."""

    asked_anew = Signal()  # another target or score
    try_requested = Signal()  # the trust that puts the selected memory there
    try_lowest_requested = Signal()  # the lowest trusts of all kept memories
    add_requested = Signal()  # the selected memory to those kept in mind
    remove_requested = Signal(str)  # id
    memory_selected = Signal(str)  # id

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build()
        self._connect()
        self._restyle()
        self.set_answer("", Answer(""))
        self.set_kept((), "", can_try=False, can_add=False)

    def _build(self) -> None:
        self._subject = _wrapped("questionSubject", "strong")
        self.target = NumberField(tr("Target score"))
        self.target.setObjectName("questionTarget")
        self.target.set_value(0.7)
        self._kinds = Choice(tr("Score"))
        self._kinds.setObjectName("questionScore")
        self._kinds.set_choices(list(KIND_WORDS.items()))
        set_role(self._kinds, "compact")
        self._answer = _wrapped("questionAnswer", "secondary")
        self._try = _button("tryTrust", tr("Try"), tr("Add it to the preview; nothing is written"))
        self._kept_title = QLabel(tr("Kept in mind"))
        set_role(self._kept_title, "strong")
        self._lowest = _wrapped("lowestAnswer", "secondary")
        self.table = KeyedTable(
            tr("Memories kept in mind"),
            (tr("Memory"), tr("Score"), tr("Source"), tr("Lowest trust")),
            widths={1: 72, 2: 110, 3: 110},
            stretch=0,
            numbers=frozenset((1,)),
            least={2: 420},
        )
        self.table.setObjectName("keptTable")
        self._add = _button("addKept", tr("Add the selected memory"), tr("Keep it in mind here"))
        self._remove = _button("removeKept", tr("Remove"), tr("Take the chosen one out (Del)"))
        self._try_lowest = _button(
            "tryLowest", tr("Try the lowest"), tr("Add the lowest trusts to the preview")
        )
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(6)
        column.addWidget(self._subject)
        asked, kind = QLabel(tr("Which trust puts its")), QLabel(tr("at"))
        column.addWidget(flowing(asked, self._kinds, kind, self.target, self._try))
        column.addWidget(self._answer)
        column.addSpacing(10)
        column.addWidget(self._kept_title)
        column.addWidget(self._lowest)
        column.addWidget(self.table)
        column.addWidget(flowing(self._add, self._remove, self._try_lowest))
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolling("questionArea", content))
        self.setFocusProxy(self.target)

    def _connect(self) -> None:
        self.target.value_edited.connect(self._on_asked)
        self._kinds.value_chosen.connect(self._on_asked)
        self._try.clicked.connect(self.try_requested)
        self._try_lowest.clicked.connect(self.try_lowest_requested)
        self._add.clicked.connect(self.add_requested)
        self._remove.clicked.connect(self._on_remove)
        self.table.key_selected.connect(self._on_selected)

    def _restyle(self) -> None:
        self.target.setFixedWidth(applied().px(72))
        self.table.setMinimumHeight(applied().px(_ROWS_PX))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    # In

    def set_answer(self, subject: str, answer: Answer) -> None:
        """Say which trust puts the selected memory at the target; "" for no memory."""
        self._subject.setText(subject or tr("No memory is selected"))
        self._answer.setText(answer.text)
        self._try.setEnabled(answer.value is not None)

    def set_kept(
        self, lines: Sequence[KeptLine], sentence: str, *, can_try: bool, can_add: bool
    ) -> None:
        """Show the memories kept in mind and what is said about all. Never emits."""
        self._lowest.setText(sentence if lines else _NO_KEPT)
        self.table.set_rows(
            [
                PlainRow(
                    line.memory_id,
                    (line.title, format_number(line.score, ".3f"), line.source, line.lowest),
                    tip=line.title,
                )
                for line in lines
            ]
        )
        self.table.setVisible(bool(lines))
        self._try_lowest.setEnabled(can_try)
        self._add.setEnabled(can_add)
        self._remove.setEnabled(self.table.current_key is not None)

    def set_current(self, memory_id: str | None) -> None:
        """Mark a memory, if it is kept in mind. Never emits."""
        self.table.set_current(memory_id)
        self._remove.setEnabled(self.table.current_key is not None)

    # Out

    @property
    def kind(self) -> str:
        """The score that is asked about."""
        return self._kinds.chosen

    # What happens.

    @Slot(float)
    @Slot(str)
    def _on_asked(self, _value: object) -> None:
        self.asked_anew.emit()

    @Slot()
    def _on_remove(self) -> None:
        if (key := self.table.current_key) is not None:
            self.remove_requested.emit(key)

    @Slot(str)
    def _on_selected(self, key: str) -> None:
        self._remove.setEnabled(True)
        self.memory_selected.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.table.hasFocus():
            self._on_remove()
        else:
            super().keyPressEvent(event)


def _wrapped(name: str, role: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    set_role(label, role)
    return label


def _button(name: str, text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setToolTip(tip)
    set_role(button, "small")
    return button
