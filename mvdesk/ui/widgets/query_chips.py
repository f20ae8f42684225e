"""What a search was understood as: a chip for each part, which takes it out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

    from mvdesk.ui.widgets.flow_layout import FlowLayout

MOST_CHIPS: Final = 12
_LONGEST: Final = 48


@dataclass(frozen=True, slots=True)
class QueryChip:
    """A chip: a "part" of the search that can be taken out, or a "hint" about one.

    `place` is where it stands in the text. `suggestion` is what a hint would put there.
    """

    text: str
    place: tuple[int, int]
    kind: Literal["part", "hint"] = "part"
    tip: str = ""
    suggestion: str = ""


class QueryChips(QObject):
    """Chips in a flow of others, made once and told anew what they say."""

    removed = Signal(int, int)  # the place of the part
    suggestion_taken = Signal(int, int, str)  # the place, and what is to stand there

    def __init__(self, flow: FlowLayout, parent: QWidget) -> None:
        super().__init__(parent)
        self._flow, self._owner = flow, parent
        self._buttons: list[_ChipButton] = []
        self._chips: Sequence[QueryChip] = ()

    @property
    def chips(self) -> Sequence[QueryChip]:
        """What is shown, as it was set."""
        return self._chips

    def set_chips(self, chips: Sequence[QueryChip]) -> None:
        """Show these; of very many only the first."""
        shown = list(chips[:MOST_CHIPS])
        if shown == self._chips:
            return
        self._chips = shown
        while len(self._buttons) < len(shown):
            button = _ChipButton(self._owner)
            button.clicked.connect(partial(self._on_clicked, len(self._buttons)))
            button.remove_requested.connect(partial(self._on_remove, len(self._buttons)))
            self._flow.addWidget(button)
            self._buttons.append(button)
        for place, button in enumerate(self._buttons):
            if place < len(shown):
                button.show_chip(shown[place])
            button.setVisible(place < len(shown))

    def _on_clicked(self, number: int, _checked: bool = False) -> None:
        chip = self._chips[number]
        if chip.kind == "hint" and chip.suggestion:
            self.suggestion_taken.emit(*chip.place, chip.suggestion)
        else:
            self._on_remove(number)

    def _on_remove(self, number: int) -> None:
        self.removed.emit(*self._chips[number].place)


class _ChipButton(QPushButton):
    """Enter, Space or a click does it; Del and Backspace take the part out."""

    remove_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("queryChip")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(True)
        self.hide()

    def show_chip(self, chip: QueryChip) -> None:
        """Say what this chip is about."""
        text = " ".join(chip.text.split())
        short = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
        is_hint = chip.kind == "hint"
        # A lone & would underline the letter after it.
        self.setText(short.replace("&", "&&") + ("" if is_hint else "  ✕"))
        set_role(self, "hintChip" if is_hint else "queryChip")
        self.setToolTip(chip.tip)
        self.setAccessibleName(f"{tr('Hint') if is_hint else tr('Search part')}: {text}")
        self.setAccessibleDescription(chip.tip)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_requested.emit()
        else:
            super().keyPressEvent(event)
