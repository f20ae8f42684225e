"""A number that is typed: its name above, its unit behind, and what it does in the tool tip."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_FIELD_PX: Final = 76
_LONGEST: Final = 24


@dataclass(frozen=True, slots=True)
class AmountSpec:
    """What a field is about. `high` is None where there is no most; `step` is for ↑ and ↓."""

    name: str
    caption: str
    unit: str
    low: float
    high: float | None
    step: float
    explained: str
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class ReadAmount:
    """What was typed: the number within its range, None for no number, and what to say of it."""

    value: float | None
    said: str = ""


class AmountField(QWidget):
    """Takes any text, so that what is typed can be answered with a sentence."""

    edited = Signal()  # while the person types or steps
    entered = Signal()  # Enter

    def __init__(self, spec: AmountSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.field = _Line(spec.step)
        self.field.setObjectName(spec.name)
        self.field.setAccessibleName(f"{spec.caption}, {spec.unit}" if spec.unit else spec.caption)
        self.field.setAccessibleDescription(spec.explained)
        self.field.setToolTip(spec.explained)
        self.field.setMaxLength(_LONGEST)
        set_role(self.field, "compact")
        caption, unit = QLabel(spec.caption), ElidedLabel(spec.unit)
        caption.setBuddy(self.field)
        caption.setToolTip(spec.explained)
        set_role(caption, "caption")
        set_role(unit, "mutedCaption")
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.field)
        row.addWidget(unit, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)  # room for the ring of the field
        column.addWidget(caption)
        column.addLayout(row)
        self.setFocusProxy(self.field)
        self.field.textEdited.connect(self._on_edited)
        self.field.returnPressed.connect(self.entered)
        self.field.stepped.connect(self._on_stepped)
        self._restyle()

    def set_value(self, value: float) -> None:
        """Show a number from outside. Never emits."""
        with QSignalBlocker(self.field):
            self.field.setText(format_amount(value))

    def read(self) -> ReadAmount:
        """What is typed, moved into the range of the field."""
        return read_amount(self.spec, self.field.text())

    @Slot()
    def _on_edited(self) -> None:
        self.edited.emit()

    @Slot(float)
    def _on_stepped(self, by: float) -> None:
        value = self.read().value
        start = self.spec.low if value is None else value
        spec = self.spec
        moved = max(start + by * spec.step, spec.low)
        self.set_value(round(moved if spec.high is None else min(moved, spec.high), 6))
        self.field.selectAll()
        self.edited.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._restyle()

    def _restyle(self) -> None:
        self.field.setFixedWidth(applied().px(_FIELD_PX))


class _Line(QLineEdit):
    """Steps with ↑ and ↓, by five with Shift."""

    stepped = Signal(float)  # steps

    def __init__(self, step: float) -> None:
        super().__init__()
        self._step = step
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if way:
            is_large = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.stepped.emit(float(way * (5 if is_large else 1)))
        else:
            super().keyPressEvent(event)


def format_amount(value: float) -> str:
    """A number as it is typed."""
    return format_number(value, ".10g")


def read_amount(spec: AmountSpec, text: str) -> ReadAmount:
    """A typed number within the range of a field, and a sentence when it is another one."""
    typed = text.strip().replace(",", ".").replace("\N{MINUS SIGN}", "-")
    try:
        value = float(typed)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        shown = (
            tr("“{text}” is no number", text=text.strip()) if typed else tr("a number is missing")
        )
        return ReadAmount(None, f"{spec.caption}: {shown}.")
    if value < spec.low:
        return ReadAmount(spec.low, _clamped(spec, typed, "less", spec.low))
    if spec.high is not None and value > spec.high:
        return ReadAmount(spec.high, _clamped(spec, typed, "more", spec.high))
    if spec.is_whole and value != math.floor(value):
        whole = float(math.floor(value))
        return ReadAmount(
            whole,
            tr(
                "{caption}: {whole} is used, a whole number.",
                caption=spec.caption,
                whole=format_amount(whole),
            ),
        )
    return ReadAmount(value)


def _clamped(spec: AmountSpec, typed: str, way: str, used: float) -> str:
    limit = tr("least") if way == "less" else tr("most")
    return tr(
        "{caption}: {typed} is out of range; the {limit}, {used}, is used.",
        caption=spec.caption,
        typed=typed,
        limit=limit,
        used=format_amount(used),
    )
