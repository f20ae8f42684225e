"""What the program's dialogs have in common: a sentence, a table, buttons, a busy line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from mvdesk.ui.models.text_table import TextTableModel
from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget


class TableDialog(QDialog):
    """A dialog over one table of texts, with a line for what is under way or went wrong."""

    def __init__(self, name: str, title: str, size: QSize, parent: QWidget) -> None:
        """`name` is its object name, `size` in px at scale 1."""
        super().__init__(parent)
        look = applied()
        self.setObjectName(name)
        self.setWindowTitle(title)
        # Not over the edge of the window that it belongs to, if through another dialog.
        window = parent
        while isinstance(window, QDialog) and (above := window.parentWidget()) is not None:
            window = above
        wanted = QSize(look.px(size.width()), look.px(size.height()))
        self.resize(wanted.boundedTo(window.size() * 0.9))
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(*[look.px(16)] * 4)
        self.column.setSpacing(look.px(12))

    def add_sentence(self, name: str, text: str = "", role: str = "") -> QLabel:
        """A line of plain text that wraps."""
        label = QLabel(text)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        if role:
            set_role(label, role)
        self.column.addWidget(label)
        return label

    def add_table(
        self,
        name: str,
        title: str,
        columns: Sequence[str],
        widths: Mapping[int, int],
        stretch: int,
        numbers: Sequence[int] = (),
    ) -> tuple[TableView, TextTableModel]:
        """A table of texts; `widths` in px at scale 1, `stretch` takes the rest."""
        model = TextTableModel(columns, numbers)
        model.setParent(self)
        table = TableView(title, compact=True)
        table.setObjectName(name)
        table.setProperty("role", "plain")
        table.setModel(model)
        table.horizontalHeader().setSectionsClickable(False)
        table.set_column_widths(dict(widths), stretch)
        self.column.addWidget(table, 1)
        return table, model

    def add_buttons(self, *buttons: QPushButton | None) -> None:
        """Buttons in a row; None is the gap between those at the left and at the right."""
        row = QHBoxLayout()
        row.setSpacing(applied().px(8))
        for button in buttons:
            if button is None:
                row.addStretch(1)
            else:
                row.addWidget(button)
        self.column.addLayout(row)


class _DialogButton(QPushButton):
    """Pressed by Enter when it has the focus, as by the space bar, and never from elsewhere.

    Qt's own way would let Enter in a field or a table press one of the buttons, too.
    """

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():  # held from before the dialog was there
                self.click()
            return
        super().keyPressEvent(event)


def add_key(button: QPushButton, key: str) -> None:
    """Have a key press a button, too. Its own shortcut would take the underlined letter's place."""
    QShortcut(QKeySequence(key), button).activated.connect(button.click)


def push_button(name: str, text: str, help_text: str = "", role: str = "") -> QPushButton:
    """A button of a dialog; Enter presses it only when it has the focus."""
    button = _DialogButton(text)
    button.setObjectName(name)
    button.setAutoDefault(False)
    button.setToolTip(help_text)
    if role:
        set_role(button, role)
    return button
