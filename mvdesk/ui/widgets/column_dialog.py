"""A dialog to choose columns: which, in which order, how wide. All of it by keyboard too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
)

from mvdesk.ui.theme import applied, set_role
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

NAME_ROLE: Final = Qt.ItemDataRole.UserRole + 1
WIDTH_ROLE: Final = Qt.ItemDataRole.UserRole + 2


class ColumnDialog(QDialog):
    """Lists every column, the shown ones first; ticked ones are shown from top to bottom."""

    chosen = Signal(object)  # ((name, width in px), …); empty for as many as there is room for

    def __init__(
        self,
        columns: Sequence[tuple[str, str, str, int]],
        shown: Sequence[str],
        always: str,
        parent: QWidget | None = None,
    ) -> None:
        """`columns` are (name, title, help, width); `always` is the one that can't be hidden."""
        super().__init__(parent)
        self.setObjectName("columnDialog")
        self.setWindowTitle(tr("Columns"))
        self._always = always
        self._list = QListWidget()
        self._list.setObjectName("columnList")
        self._list.setAccessibleName(tr("Columns, from left to right"))
        self._list.installEventFilter(self)
        set_role(self._list, "ticks")
        by_name = {column[0]: column for column in columns}
        others = [name for name in by_name if name not in shown]
        for name in [*shown, *others]:
            self._add(by_name[name], is_shown=name in shown)
        self._up = QPushButton(tr("Move &up"))
        self._down = QPushButton(tr("Move &down"))
        self._up.setObjectName("columnUp")
        self._down.setObjectName("columnDown")
        self._up.setToolTip(tr("Further to the left (Alt+Up)"))
        self._down.setToolTip(tr("Further to the right (Alt+Down)"))
        self._width = QSpinBox()
        self._width.setObjectName("columnWidth")
        self._width.setAccessibleName(tr("Width of the column, in pixels"))
        self._width.setRange(40, 2_000)
        self._width.setSuffix(tr(" px"))
        self._width.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self._build()
        self._list.currentRowChanged.connect(self._on_row_changed)
        self._width.valueChanged.connect(self._on_width_changed)
        self._up.clicked.connect(self._on_up)
        self._down.clicked.connect(self._on_down)
        self._list.setCurrentRow(0)
        self._list.setFocus()

    def _add(self, column: tuple[str, str, str, int], *, is_shown: bool) -> None:
        name, title, text, width = column
        item = QListWidgetItem(title)
        item.setToolTip(text)
        item.setData(NAME_ROLE, name)
        item.setData(WIDTH_ROLE, width)
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        if name != self._always:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        item.setFlags(flags)
        item.setCheckState(Qt.CheckState.Checked if is_shown else Qt.CheckState.Unchecked)
        self._list.addItem(item)

    def _build(self) -> None:
        label = QLabel(tr("&Width"))
        label.setBuddy(self._width)
        hint = QLabel(
            tr("Space ticks a column, Alt+↑ and Alt+↓ move it. The title takes the rest.")
        )
        hint.setWordWrap(True)
        set_role(hint, "mutedCaption")
        side = QVBoxLayout()
        side.addWidget(self._up)
        side.addWidget(self._down)
        side.addSpacing(8)
        side.addWidget(label)
        side.addWidget(self._width)
        side.addStretch(1)
        middle = QHBoxLayout()
        middle.addWidget(self._list, 1)
        middle.addLayout(side)
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Ok | standard.Cancel | standard.Reset)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        reset = buttons.button(standard.Reset)
        reset.setText(tr("&As many as there is room for"))
        reset.setObjectName("columnReset")
        reset.clicked.connect(self._on_reset)
        column = QVBoxLayout(self)
        column.addWidget(hint)
        column.addLayout(middle, 1)
        column.addWidget(buttons)
        look = applied()
        self.resize(look.px(440), look.px(480))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._list and event.type() == QEvent.Type.KeyPress:
            key: QKeyEvent = event  # type: ignore[assignment]
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(key.key()), 0)
            if step and key.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._move(step)
                return True
        return super().eventFilter(watched, event)

    def _move(self, by: int) -> None:
        row = self._list.currentRow()
        if 0 <= row + by < self._list.count():
            with QSignalBlocker(self._list):
                item = self._list.takeItem(row)
                self._list.insertItem(row + by, item)
            self._list.setCurrentRow(row + by)
            self._on_row_changed(row + by)

    @Slot(int)
    def _on_row_changed(self, row: int) -> None:
        item = self._list.item(row)
        self._up.setEnabled(row > 0)
        self._down.setEnabled(0 <= row < self._list.count() - 1)
        self._width.setEnabled(item is not None)
        if item is not None:
            with QSignalBlocker(self._width):
                self._width.setValue(int(item.data(WIDTH_ROLE)))

    @Slot(int)
    def _on_width_changed(self, width: int) -> None:
        if item := self._list.currentItem():
            item.setData(WIDTH_ROLE, width)

    @Slot()
    def _on_up(self) -> None:
        self._move(-1)

    @Slot()
    def _on_down(self) -> None:
        self._move(1)

    @Slot()
    def _on_accepted(self) -> None:
        items = [self._list.item(row) for row in range(self._list.count())]
        self.chosen.emit(
            tuple(
                (str(item.data(NAME_ROLE)), int(item.data(WIDTH_ROLE)))
                for item in items
                if item.checkState() == Qt.CheckState.Checked
            )
        )
        self.accept()

    @Slot()
    def _on_reset(self) -> None:
        self.chosen.emit(())
        self.accept()
