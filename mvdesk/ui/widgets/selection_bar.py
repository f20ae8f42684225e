"""A line under a list: how many rows are selected, and what can be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu


class SelectionBar(QWidget):
    """Shown while several are selected."""

    clear_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("selectionBar")
        self.setAccessibleName(tr("Selected memories"))
        self._said = ElidedLabel()
        self._said.setObjectName("selectionCount")
        set_role(self._said, "strong")
        self._change = QPushButton(tr("&Change"))
        self._change.setObjectName("selectionChange")
        self._change.setToolTip(tr("What to do with the selected memories"))
        self._change.setAccessibleName(tr("Change the selected memories"))
        set_role(self._change, "small")
        self._clear = IconButton("close", tr("Select the current memory alone (Esc)"), side=24)
        self._clear.setObjectName("selectionClear")
        self._clear.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._clear.clicked.connect(self._on_clear)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(8)
        row.addWidget(self._said, 1)
        row.addWidget(self._change)
        row.addWidget(self._clear)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def set_menu(self, menu: QMenu) -> None:
        """What the button opens."""
        self._change.setMenu(menu)

    def set_writable(self, is_writable: bool) -> None:
        self._change.setEnabled(is_writable)

    def set_counts(self, selected: int, hidden: int) -> None:
        """Say how many are selected, of which some are not in the list; one hides the line."""
        text = tr("{selected:,} selected", selected=selected)
        if hidden:
            text += tr(", {hidden:,} not listed", hidden=hidden)
        self._said.setText(text)
        self.setAccessibleDescription(text)
        self.setVisible(selected > 1)

    @Slot()
    def _on_clear(self) -> None:
        self.clear_requested.emit()
