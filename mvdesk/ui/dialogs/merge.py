"""Two memories become one: both at the sides, the outcome between, what it does below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from mvdesk.ui.dialogs.frame import TableDialog, add_key, push_button
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.diff_view import DiffPart, DiffView
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.merge_fields import MergeFields
from mvdesk.ui.widgets.merge_text import MergeText
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.ui.widgets.segmented_control import SegmentedControl
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QCloseEvent

    from mvdesk.textdiff import Piece
    from mvdesk.ui.models.plain_rows import PlainRow
    from mvdesk.ui.stretches import Stretch
    from mvdesk.ui.widgets.merge_fields import Value

Side = Literal["a", "b"]

_SIZE: Final = QSize(1380, 860)
_TABLE_PX: Final = 150
_SIDE_PX: Final = 120
_TEXT_PX: Final = 120
_LINK_TITLES: Final = (tr("Links of the two"), tr("What becomes of each"))
_SCORE_TITLES: Final = (tr("Scores that move"), tr("Confidence"), tr("Importance"))
_UNSURE: Final = tr("Press Esc again to drop what you changed here.")


@dataclass(frozen=True, slots=True)
class MergeSide:
    """A or B: its name, a line of facts, its fields, its text in pieces."""

    title: str
    facts: str
    values: Mapping[str, Value]
    pieces: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class MergeNews:
    """What the outcome on screen does, in words and rows."""

    said: str
    links: Sequence[PlainRow]
    scores: Sequence[PlainRow]


class MergeDialog(TableDialog):
    """Asks for the outcome. Whoever listens previews each and writes it."""

    edited = Signal()
    first_chosen = Signal(str)  # "a" or "b" stays
    apply_requested = Signal()

    def __init__(
        self,
        a: MergeSide,
        b: MergeSide,
        stretches: Sequence[Stretch],
        first: Side,
        usual: Mapping[str, Value],
        parent: QWidget,
        *,
        refusal: str = "",
    ) -> None:
        """`first` is the one that stays, `usual` what each field is at first."""
        super().__init__("mergeDialog", tr("Merge two memories"), _SIZE, parent)
        self._stretches = stretches
        self._refusal = refusal
        self._is_unsure = False
        self._build_head(first)
        content = QWidget()
        self._inside = QVBoxLayout(content)
        self._inside.setContentsMargins(0, 0, applied().px(8), 0)
        self._inside.setSpacing(applied().px(10))
        self._fields = MergeFields()
        self._fields.set_sides(a.values, b.values)
        self._fields.set_values(usual)
        self._fields.edited.connect(self._on_edited)
        self._text = MergeText()
        self._text.set_stretches(stretches, first)
        self._text.edited.connect(self._on_edited)
        self._fields.set_heads(f"A: {a.facts}", f"B: {b.facts}")
        self._inside.addWidget(self._fields)
        self._build_texts(a, b)
        self._build_effects()
        self.column.addWidget(scrolling("mergeScroll", content), 1)
        self._build_foot()
        self._fields.setFocus()

    # Building.

    def _build_head(self, first: Side) -> None:
        self._stays = SegmentedControl(
            tr("The one that stays"), (("a", tr("A stays")), ("b", tr("B stays")))
        )
        self._stays.setObjectName("mergeStays")
        self._stays.setToolTip(tr("It keeps its id, its dates and its history"))
        self._stays.set_value(first)
        self._stays.value_chosen.connect(self._on_first_chosen)
        row = QHBoxLayout()
        row.setSpacing(applied().px(12))
        self._head = QLabel()
        self._head.setObjectName("mergeHead")
        self._head.setWordWrap(True)
        row.addWidget(self._stays)
        row.addWidget(self._head, 1)
        self.column.addLayout(row)
        self._show_head()

    def _build_texts(self, a: MergeSide, b: MergeSide) -> None:
        self._inside.addWidget(self._text.bar)
        row = QHBoxLayout()
        row.setSpacing(applied().px(8))
        for letter, side in (("A", a), ("B", b)):
            view = DiffView()
            view.setObjectName(f"mergeText{letter}")
            view.setAccessibleName(tr("Text of {letter}", letter=letter))
            view.setMinimumSize(applied().px(_SIDE_PX), applied().px(_TEXT_PX))
            view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
            view.set_parts([DiffPart("", side.pieces)], style="sides", whole=True)
            row.addWidget(_captioned(tr("Text of {letter}", letter=letter), view), 3)
            if letter == "A":
                row.addWidget(_captioned(tr("Text of the merged memory"), self._text), 4)
        self._inside.addLayout(row, 1)

    def _build_effects(self) -> None:
        self._links = KeyedTable(_LINK_TITLES[0], _LINK_TITLES, widths={1: 260}, stretch=0)
        self._links.setObjectName("mergeLinks")
        self._scores = KeyedTable(
            _SCORE_TITLES[0],
            _SCORE_TITLES,
            widths={1: 120, 2: 120},
            stretch=0,
            numbers=frozenset((1, 2)),
        )
        self._scores.setObjectName("mergeScores")
        row = QHBoxLayout()
        row.setSpacing(applied().px(12))
        for table in (self._links, self._scores):
            table.setFixedHeight(applied().px(_TABLE_PX))
            row.addWidget(table, 1)
        self._inside.addLayout(row)

    def _build_foot(self) -> None:
        self._said = self.add_sentence("mergeSaid", tr("Looking at what that does…"))
        self._note = ElidedLabel(self._refusal or tr("One step: Ctrl+Z takes all of it back."))
        self._note.setObjectName("mergeNote")
        set_role(self._note, "warning" if self._refusal else "mutedCaption")
        cancel = push_button("mergeCancel", tr("Cancel"), tr("Close this; nothing is written"))
        cancel.clicked.connect(self.drop)
        self._apply = push_button(
            "mergeApply", tr("&Merge"), tr("Write all of this as one step (Ctrl+Enter)"), "primary"
        )
        add_key(self._apply, "Ctrl+Return")
        self._apply.setEnabled(False)
        self._apply.clicked.connect(self._on_apply)
        row = QHBoxLayout()
        row.setSpacing(applied().px(8))
        row.addWidget(self._note, 1)
        row.addWidget(cancel)
        row.addWidget(self._apply)
        self.column.addLayout(row)

    # In

    def set_usual(self, usual: Mapping[str, Value]) -> None:
        """The usual outcome for the one that stays now; what was changed by hand stays."""
        self._fields.set_values(usual)
        if not self._text.is_touched:
            self._text.set_stretches(self._stretches, self.first)

    def set_busy(self) -> None:
        """Another outcome is being looked at; the last one can't be written any more."""
        self._apply.setEnabled(False)

    def set_news(self, news: MergeNews) -> None:
        """Show what the outcome does."""
        self._said.setText(news.said)
        set_role(self._said, "strong")
        self._links.set_rows(news.links)
        self._scores.set_rows(news.scores)
        self._apply.setEnabled(not self._refusal)

    def set_problem(self, sentence: str) -> None:
        """Why the outcome can't be written."""
        self._said.setText(sentence)
        set_role(self._said, "error")
        self._apply.setEnabled(False)

    # Out

    @property
    def first(self) -> Side:
        """Which of the two stays."""
        return "a" if self._stays.value == "a" else "b"

    def fields(self) -> dict[str, Value]:
        """The outcome as it is now, text included."""
        return {**self._fields.values(), "content": self._text.content()}

    # What happens.

    def _show_head(self) -> None:
        first, other = ("A", "B") if self.first == "a" else ("B", "A")
        self._head.setText(
            tr(
                "{first} gets what stands in the middle. {other} goes to the archive, "
                "superseded by {first}, and its links lead to {first}.",
                first=first,
                other=other,
            )
        )

    @Slot(str)
    def _on_first_chosen(self, side: str) -> None:
        self._show_head()
        self.first_chosen.emit(side)
        self._on_edited()

    @Slot()
    def _on_edited(self) -> None:
        self._is_unsure = False
        self.set_busy()
        self.edited.emit()

    @Slot()
    def _on_apply(self, _checked: bool = False) -> None:
        if self._apply.isEnabled():
            self.apply_requested.emit()

    def reject(self) -> None:
        """Esc closes at once, or the second time where something was changed by hand."""
        touched = self._fields.is_touched or self._text.is_touched
        if touched and not self._is_unsure and self.isVisible():
            self._is_unsure = True
            self._note.setText(_UNSURE)
            set_role(self._note, "warning")
            return
        super().reject()

    @Slot()
    def drop(self, _checked: bool = False) -> None:
        """Close it without a question."""
        self._is_unsure = True
        self.reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._is_unsure = True
        super().closeEvent(event)


def _captioned(words: str, widget: QWidget) -> QWidget:
    around = QWidget()
    column = QVBoxLayout(around)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(applied().px(4))
    label = QLabel(words)
    label.setBuddy(widget)
    set_role(label, "caption")
    column.addWidget(label)
    column.addWidget(widget, 1)
    return around
