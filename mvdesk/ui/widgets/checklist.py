"""A few steps to do, ticked as they are done; the next one says how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from mvdesk.ui.theme import applied, icon, is_look_change, set_role
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QResizeEvent


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: its name, and a sentence that says how."""

    name: str
    title: str
    how: str


class Checklist(QWidget):
    """In the way of nothing: a cross takes it away, steps may be done in any order."""

    dismissed = Signal()

    def __init__(self, title: str, steps: Sequence[Step], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._steps = title, tuple(steps)
        self._done: frozenset[str] = frozenset()
        self._is_short = False
        self._title = QLabel()
        self._title.setObjectName("checklistTitle")
        set_role(self._title, "strong")
        self._close = IconButton("close", tr("Put the first steps away; Help brings them back"))
        self._close.setObjectName("checklistClose")
        self._close.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._close.clicked.connect(self._on_closed)
        self._marks = [QLabel() for _ in steps]
        self._lines = [QLabel(step.title) for step in steps]
        self._how = QLabel()
        self._how.setObjectName("checklistHow")
        self._how.setWordWrap(True)
        self._how.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._how, "caption")
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self._close)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        for row, (mark, line) in enumerate(zip(self._marks, self._lines, strict=True)):
            line.setObjectName("checklistStep")
            self._grid.addWidget(mark, 2 * row, 0)
            self._grid.addWidget(line, 2 * row, 1)
        self._column = QVBoxLayout(self)
        self._column.addLayout(top)
        self._column.addLayout(self._grid)
        self._edge = QFrame()
        set_role(self._edge, "hairline")
        self._column.addWidget(self._edge)
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(title)
        self._show()

    def set_done(self, done: Collection[str]) -> None:
        """Tick the steps of these names."""
        self._done = frozenset(done)
        self._show()

    def set_short(self, short: bool) -> None:
        """Show only the next step: there is little room."""
        if short != self._is_short:
            self._is_short = short
            self._show()

    def next_step(self) -> Step | None:
        """The first that is not done."""
        return next((step for step in self._steps if step.name not in self._done), None)

    def _show(self) -> None:
        look, current = applied(), self.next_step()
        count = sum(step.name in self._done for step in self._steps)
        self._title.setText(
            tr(
                "{name}: {count} of {steps} done",
                name=self._name,
                count=count,
                steps=len(self._steps),
            )
        )
        side = look.px(16)
        for step, mark, line in zip(self._steps, self._marks, self._lines, strict=True):
            is_done, is_current = step.name in self._done, step is current
            name = "check" if is_done else "chevron-right" if is_current else ""
            color = look.tokens.ok if is_done else look.tokens.accent
            if name:
                drawn = icon(name, look.tokens, color)
                mark.setPixmap(drawn.pixmap(QSize(side, side), self.devicePixelRatio()))
            else:
                mark.clear()
            mark.setFixedSize(side, side)
            set_role(line, "strong" if is_current else "muted" if is_done else "secondary")
            state = tr("done") if is_done else tr("next") if is_current else tr("to do")
            line.setAccessibleName(f"{step.title}, {state}")
            for part in (mark, line):
                part.setVisible(is_current or not self._is_short)
        said = tr("All of it is done. Help › First steps shows it again.") if not current else ""
        self._how.setText(current.how if current else said)
        self._grid.removeWidget(self._how)  # below the step that it is about
        row = self._steps.index(current) if current else len(self._steps)
        self._grid.addWidget(self._how, 2 * row + 1, 1)
        self.setAccessibleDescription(f"{self._title.text()}. {self._how.text()}")
        self._column.setContentsMargins(look.px(12), look.px(8), look.px(8), 0)
        self._column.setSpacing(look.px(8))
        self._grid.setHorizontalSpacing(look.px(8))
        self._grid.setVerticalSpacing(look.px(2))

    @Slot()
    def _on_closed(self) -> None:
        self.dismissed.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        above = self.parentWidget()
        if above is not None:
            self.set_short(above.height() < applied().px(640))
