"""The row in which a range of scores is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.range_slider import RangeSlider
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.scoring.subject import ScoreKind

_SCORES: Final = (("confidence", tr("Confidence")), ("importance", tr("Importance")))


class ScoreRange(QWidget):
    """Which score, from where to where; a button that has the list show the same."""

    range_edited = Signal(str, float, float)  # "confidence" or "importance", low, high
    list_requested = Signal()
    ended = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` begins the names of its parts."""
        super().__init__(parent)
        self.setObjectName(name)
        self._score = Choice(tr("Which score"))
        self._score.setObjectName(f"{name}Score")
        self._score.set_choices(_SCORES)
        self._slider = RangeSlider(KIND_WORDS["confidence"])
        self._slider.setObjectName(f"{name}Slider")
        self._said = QLabel()
        self._said.setObjectName(f"{name}Text")
        set_role(self._said, "secondary")
        self._list = QPushButton(tr("List these"))
        self._list.setObjectName(f"{name}List")
        self._list.setToolTip(tr("Have the list show the memories of this range"))
        cross = IconButton("close", tr("Show every score again"))
        cross.setObjectName(f"{name}End")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 8, 2)
        row.setSpacing(8)
        row.addWidget(self._score)
        row.addWidget(self._slider, 1)
        row.addWidget(self._said)
        row.addWidget(self._list)
        row.addWidget(cross)
        self._score.value_chosen.connect(self._on_edited)
        self._slider.range_edited.connect(self._on_edited)
        self._list.clicked.connect(self.list_requested)
        cross.clicked.connect(self.ended)
        self.setFocusProxy(self._slider)
        self.set_range("confidence", 0.0, 1.0)

    def set_range(self, score: ScoreKind, low: float, high: float) -> None:
        """Show a range. Emits nothing."""
        self._score.set_value(score)
        self._slider.set_name(KIND_WORDS[score])
        self._slider.set_range(low, high)
        self._say()

    def _on_edited(self, *_: object) -> None:
        self._slider.set_name(KIND_WORDS[self._score.chosen])
        self._say()
        self.range_edited.emit(self._score.chosen, self._slider.low, self._slider.high)

    def _say(self) -> None:
        self._said.setText(
            tr("{low:.2f} to {high:.2f}", low=self._slider.low, high=self._slider.high)
        )
        width = self._said.fontMetrics().horizontalAdvance(tr("0.00 to 0.00"))
        self._said.setMinimumWidth(width)
        self._list.setEnabled(self._slider.low > 0.0 or self._slider.high < 1.0)
