"""A field for a number between 0 and 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox

from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

_DIGITS: Final = 20  # more than a float64 in [0, 1] needs, so that showing one never rounds it


class NumberField(QDoubleSpinBox):
    """Edits a base value in [0, 1]. Shows a stored number with all its digits, at least two."""

    value_edited = Signal(float)  # [0, 1], while the person types or steps

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is what screen readers call the field."""
        super().__init__(parent)
        self.setDecimals(_DIGITS)
        self.setRange(0.0, 1.0)
        self.setSingleStep(0.01)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setAccessibleDescription(tr("A number from 0 to 1"))
        self.valueChanged.connect(self._on_value_changed)

    def set_value(self, value: float) -> None:
        """Show a value from outside. Never emits `value_edited`."""
        with QSignalBlocker(self):
            self.setValue(value)

    def textFromValue(self, value: float) -> str:
        text = f"{value:.17g}" if len(repr(value)) > 17 else repr(value)
        if "e" in text:
            text = f"{value:.{_DIGITS}f}".rstrip("0")
        whole, _, rest = text.partition(".")
        return f"{whole}{self.locale().decimalPoint()}{rest.ljust(2, '0')}"

    def validate(self, text: str, position: int) -> object:
        """A point counts as the sign of the language, a comma as well."""
        sign = self.locale().decimalPoint()
        return super().validate(text.replace(".", sign).replace(",", sign), position)

    def valueFromText(self, text: str) -> float:
        return super().valueFromText(text.replace(".", self.locale().decimalPoint()))

    def stepBy(self, steps: int) -> None:
        self.setValue(round(self.value() + steps * self.singleStep(), 2))
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 5, Qt.Key.Key_Down: -5}.get(Qt.Key(event.key()), 0)
        if steps and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.stepBy(steps)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Inert, as for every field: scrolling a panel must not change a memory."""
        armed = self.hasFocus() and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if not armed:
            event.ignore()
            return
        self.stepBy(1 if event.angleDelta().y() > 0 else -1)
        event.accept()

    def _on_value_changed(self, value: float) -> None:
        self.value_edited.emit(value)
