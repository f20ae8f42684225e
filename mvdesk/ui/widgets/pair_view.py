"""Two memories side by side, with what differs marked; neither is put first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.diff_view import DiffPart, DiffView
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mvdesk.textdiff import Piece

_LEAST_TEXT_PX: Final = 36
_FACTS: Final = 3


@dataclass(frozen=True, slots=True)
class PairSide:
    """One of the two: lines of facts under its title, and its text in pieces."""

    memory_id: str
    title: str
    facts: tuple[str, str, str]
    pieces: Sequence[Piece]


class PairView(QWidget):
    """Shows A at the left and B at the right."""

    open_requested = Signal(str)  # memory id

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides = (_Side("A", self), _Side("B", self))
        line = QFrame()
        set_role(line, "upright")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._sides[0], 1)
        row.addWidget(line)
        row.addWidget(self._sides[1], 1)
        for side in self._sides:
            side.open_requested.connect(self.open_requested)

    def set_sides(self, a: PairSide, b: PairSide) -> None:
        """Show another pair."""
        for widget, side in zip(self._sides, (a, b), strict=True):
            widget.set_side(side)


class _Side(QWidget):
    open_requested = Signal(str)

    def __init__(self, letter: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._letter, self._shown = letter, ""
        name = QLabel(letter)
        set_role(name, "section")
        self._title = ElidedLabel(steady=True)
        self._title.setObjectName(f"pairTitle{letter}")
        set_role(self._title, "strong")
        self._open = QPushButton(tr("Explain"))
        self._open.setObjectName(f"pairOpen{letter}")
        self._open.setAccessibleName(tr("Explain {letter}", letter=letter))
        self._open.setToolTip(
            tr("Select {letter} and show why it scores as it does", letter=letter)
        )
        set_role(self._open, "quiet")
        self._open.clicked.connect(self._on_open)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(name)
        head.addWidget(self._title, 1)
        head.addWidget(self._open)
        self._facts = [ElidedLabel(steady=True) for _ in range(_FACTS)]
        for number, line in enumerate(self._facts, start=1):
            line.setObjectName(f"pairFacts{letter}{number}")
            set_role(line, "caption")
        self._text = DiffView()
        self._text.setObjectName(f"pairText{letter}")
        self._text.setAccessibleName(tr("Text of {letter}", letter=letter))
        set_role(self._text, "bare")
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        for line in self._facts:
            self._column.addWidget(line)
        self._column.addWidget(self._text, 1)
        self._restyle()

    def set_side(self, side: PairSide) -> None:
        self._title.setText(side.title)
        for line, fact in zip(self._facts, side.facts, strict=True):
            line.setText(fact)
        if side.memory_id != self._shown or side.pieces != self._pieces:
            self._text.set_parts([DiffPart("", side.pieces)], style="sides", whole=True)
        self._shown, self._pieces = side.memory_id, side.pieces

    _pieces: Sequence[Piece] = ()

    def _on_open(self, _checked: bool) -> None:
        self.open_requested.emit(self._shown)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_column"):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        self._column.setContentsMargins(look.px(12), look.px(6), look.px(8), look.px(4))
        self._column.setSpacing(look.px(2))
        self._text.setMinimumHeight(look.px(_LEAST_TEXT_PX))
