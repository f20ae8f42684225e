"""The fields of a merge: A's value, the outcome to edit, B's value, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QWidget

from mvdesk.records import MEMORY_TYPES, TYPE_WORDS
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.number_field import NumberField
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = str | int | float | bytes | None

FIELDS: Final = (
    ("title", tr("Title")),
    ("type", tr("Type")),
    ("key", tr("Key")),
    ("tags", tr("Tags")),
    ("source", tr("Source")),
    ("confidence", tr("Base confidence")),
    ("importance", tr("Base importance")),
)
_LONGEST_LINE: Final = 1_000_000
_SHOWN: Final = 200


class MergeFields(QWidget):
    """Setters never emit. A value that nobody touched comes out as it went in."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides: dict[str, tuple[Value, Value]] = {}
        self._set: dict[str, Value] = {}
        self._touched: set[str] = set()
        self._entries = {name: self._make_entry(name, caption) for name, caption in FIELDS}
        self._labels = {name: (ElidedLabel(), ElidedLabel()) for name, _ in FIELDS}
        self._takes: dict[str, tuple[IconButton, IconButton]] = {}
        self._grid = QGridLayout(self)
        self._heads = [ElidedLabel(), ElidedLabel(tr("Merged")), ElidedLabel()]
        for head, column, name in zip(
            self._heads, (1, 3, 5), ("A", tr("Outcome"), "B"), strict=True
        ):
            head.setObjectName(f"mergeHead{name}")
            set_role(head, "caption")
            self._grid.addWidget(head, 0, column, Qt.AlignmentFlag.AlignBottom)
        for row, (name, caption) in enumerate(FIELDS, start=1):
            self._add_row(row, name, caption)
        for column in (1, 5):
            self._grid.setColumnStretch(column, 3)
        self._grid.setColumnStretch(3, 4)
        self.setFocusProxy(self._entries["title"])
        self._restyle()

    def _add_row(self, row: int, name: str, caption: str) -> None:
        label = QLabel(caption)
        set_role(label, "caption")
        label.setBuddy(self._entries[name])
        self._grid.addWidget(label, row, 0)
        takes = []
        for side, (letter, icon, column) in enumerate(
            (("A", "arrow-right", 2), ("B", "arrow-left", 4))
        ):
            told = self._labels[name][side]
            told.setObjectName(f"merge{letter}{name.capitalize()}")
            set_role(told, "secondary")
            button = IconButton(
                icon,
                tr("Take the {what} of {letter}", what=caption.lower(), letter=letter),
                side=24,
            )
            button.setObjectName(f"mergeTake{letter}{name.capitalize()}")
            button.setProperty("field", name)
            button.setProperty("side", side)
            button.clicked.connect(self._on_take)
            takes.append(button)
            self._grid.addWidget(told, row, 1 if side == 0 else 5)
            self._grid.addWidget(button, row, column)
        self._takes[name] = (takes[0], takes[1])
        self._grid.addWidget(self._entries[name], row, 3)

    def _make_entry(self, name: str, caption: str) -> QWidget:
        if name == "type":
            choice = Choice(caption)
            choice.set_choices([(kind, TYPE_WORDS[kind].capitalize()) for kind in MEMORY_TYPES])
            choice.value_chosen.connect(self._on_edited)
            entry: QWidget = choice
        elif name in ("confidence", "importance"):
            number = NumberField(caption)
            number.value_edited.connect(self._on_edited)
            entry = number
        else:
            line = QLineEdit()
            line.setMaxLength(_LONGEST_LINE)
            line.setAccessibleName(tr("{caption} of the merged memory", caption=caption))
            line.setPlaceholderText(tr("None"))
            line.textEdited.connect(self._on_edited)
            entry = line
        entry.setObjectName(f"merge{name.capitalize()}")
        entry.setProperty("field", name)
        set_role(entry, "compact")
        return entry

    # In

    def set_heads(self, a: str, b: str) -> None:
        """What A and B are, above their values."""
        self._heads[0].setText(a)
        self._heads[2].setText(b)

    def set_sides(self, a: Mapping[str, Value], b: Mapping[str, Value]) -> None:
        """What A and B have."""
        for name, caption in FIELDS:
            self._sides[name] = a[name], b[name]
            for side, letter in enumerate("AB"):
                value = self._sides[name][side]
                label = self._labels[name][side]
                label.setText(_told(value))
                label.setAccessibleName(
                    tr(
                        "{caption} of {letter}: {told}",
                        caption=caption,
                        letter=letter,
                        told=_told(value),
                    )
                )

    def set_values(self, values: Mapping[str, Value]) -> None:
        """The usual outcome; fields that the person touched stay as they are."""
        for name, value in values.items():
            if name not in self._touched:
                self._show(name, value)
        self._show_takes()

    # Out

    @property
    def is_touched(self) -> bool:
        """Whether the person changed a field."""
        return bool(self._touched)

    def values(self) -> dict[str, Value]:
        """The outcome as it is now."""
        return {name: self._value(name) for name, _ in FIELDS}

    def _value(self, name: str) -> Value:
        entry = self._entries[name]
        if name not in self._touched:
            return self._set[name]
        if isinstance(entry, Choice):
            return entry.chosen
        if isinstance(entry, NumberField):
            return entry.value()
        assert isinstance(entry, QLineEdit)
        kept = self._set[name]
        return kept if isinstance(kept, str) and entry.text() == _line(kept) else entry.text()

    def _show(self, name: str, value: Value) -> None:
        self._set[name] = value
        entry = self._entries[name]
        if isinstance(entry, Choice):
            entry.set_value(str(value or ""))
        elif isinstance(entry, NumberField):
            entry.set_value(float(value or 0.0))
        elif isinstance(entry, QLineEdit):
            entry.setText(_line(str(value or "")))
            entry.setCursorPosition(0)

    def _show_takes(self) -> None:
        """A value that the outcome has already can't be taken."""
        for name, buttons in self._takes.items():
            value = self._value(name)
            for side, button in enumerate(buttons):
                button.setEnabled((self._sides[name][side] or None) != (value or None))

    @Slot()
    def _on_take(self) -> None:
        button = self.sender()
        name, side = str(button.property("field")), int(button.property("side"))
        self._touched.add(name)
        self._show(name, self._sides[name][side])
        self._entries[name].setFocus()
        self._show_takes()
        self.edited.emit()

    @Slot()
    def _on_edited(self, _value: object = None) -> None:
        self._touched.add(str(self.sender().property("field")))
        self._show_takes()
        self.edited.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_grid"):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(look.px(6))
        self._grid.setVerticalSpacing(look.px(4))
        for labels in self._labels.values():
            for label in labels:
                label.setMinimumWidth(look.px(40))


def _told(value: Value) -> str:
    if isinstance(value, float):
        return format_number(value, ".3f").rstrip("0").ljust(4, "0")
    return " ".join(str(value or "").split())[:_SHOWN] or tr("none")


def _line(text: str) -> str:
    """A text as a line of it reads; line ends come out again when nobody types."""
    return text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ")
