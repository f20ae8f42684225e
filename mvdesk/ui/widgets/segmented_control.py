"""A few choices side by side, one of them on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QToolTip,
)

from mvdesk.ui.theme import applied, set_role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent
    from PySide6.QtWidgets import QAbstractButton, QWidget

_LEAST_PX: Final = 56
"""A segment is never narrower than this, unless its text is."""


class _Segment(QToolButton):
    """One of them; its text is shortened where there is little room, and in the tool tip then."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        wanted = self.sizeHint()
        return QSize(min(wanted.width(), applied().px(_LEAST_PX)), wanted.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        lacking = self.sizeHint().width() - self.width()
        if lacking > 0:
            room = self.fontMetrics().horizontalAdvance(self.text()) - lacking
            mode = Qt.TextElideMode.ElideRight
            option.text = self.fontMetrics().elidedText(self.text(), mode, max(room, 0))
        with QPainter(self) as painter:
            style = self.style()
            style.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option, painter, self)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self.sizeHint().width() > self.width():
            QToolTip.showText(event.globalPos(), self.text(), self)
            return True
        return super().event(event)


class SegmentedControl(QFrame):
    """Chooses one of a few named values. Arrow keys move the choice."""

    value_chosen = Signal(str)  # by the person

    def __init__(
        self, name: str, choices: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        """`name` is what screen readers call it; `choices` are (value, label), the first is on."""
        super().__init__(parent)
        self._values = [value for value, _ in choices]
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        set_role(self, "segments")
        self.setAccessibleName(name)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(2)
        for position, (_, label) in enumerate(choices):
            button = _Segment()
            button.setText(label)
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {label}")
            set_role(button, "segment")
            row.addWidget(button)
            self._group.addButton(button, position)
        self._is_setting = False
        # Not the click: a screen reader switches without one.
        self._group.idToggled.connect(self._on_toggled)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_value(self._values[0])

    @property
    def value(self) -> str:
        """The value that is on."""
        return self._values[self._group.checkedId()]

    def set_value(self, value: str) -> None:
        """Switch to a value from outside. Never emits. Raises ValueError for an unknown one."""
        position = self._values.index(value)
        self._is_setting = True
        self._button(position).setChecked(True)
        self._is_setting = False
        for other in range(len(self._values)):
            focus = Qt.FocusPolicy.StrongFocus if other == position else Qt.FocusPolicy.ClickFocus
            self._button(other).setFocusPolicy(focus)
        self.setAccessibleDescription(self._button(position).text())
        self.setFocusProxy(self._button(position))

    def set_label(self, value: str, label: str) -> None:
        """Call a choice something else, such as with a count."""
        button = self._button(self._values.index(value))
        if label != button.text():
            button.setText(label)
            button.setAccessibleName(f"{self.accessibleName()}: {label}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Down: 1,
        }.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        position = (self._group.checkedId() + step) % len(self._values)
        self._choose(position)
        self._button(position).setFocus(Qt.FocusReason.TabFocusReason)

    def _button(self, position: int) -> QAbstractButton:
        return self._group.button(position)

    def _on_toggled(self, position: int, is_on: bool) -> None:
        if is_on and not self._is_setting:
            self._choose(position)

    def _choose(self, position: int) -> None:
        self.set_value(self._values[position])
        self.value_chosen.emit(self._values[position])
