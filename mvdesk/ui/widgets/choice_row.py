"""What can be decided, as a row of buttons: for where the table of choices has no room."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.flowing import flowing

if TYPE_CHECKING:
    from collections.abc import Sequence


class Decision(NamedTuple):
    """One button: its name, what it says, and what it would do."""

    name: str
    text: str
    effect: str


class ChoiceRow(QWidget):
    """A button for each choice, in the order of their keys."""

    chosen = Signal(str)  # the name of a choice

    def __init__(self, name: str, count: int, parent: QWidget | None = None) -> None:
        """`name` is what screen readers call it, `count` how many choices there are at most."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self._names = [""] * count
        self._buttons = [QPushButton() for _ in range(count)]
        for number, button in enumerate(self._buttons):
            set_role(button, "small")
            button.clicked.connect(partial(self._on_clicked, number))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 4)
        column.addWidget(flowing(*self._buttons, gap=6))
        self.set_choices(())

    def set_choices(self, choices: Sequence[Decision]) -> None:
        """Offer these; none switches all buttons off."""
        for number, button in enumerate(self._buttons):
            button.setEnabled(number < len(choices))
            if number < len(choices):
                name, text, effect = choices[number]
                self._names[number] = name
                button.setText(text)
                button.setToolTip(effect)
                button.setAccessibleDescription(effect)

    def _on_clicked(self, number: int, _checked: bool = False) -> None:
        self.chosen.emit(self._names[number])
