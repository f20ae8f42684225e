"""A line that says which memory is pinned, to swap it with the selected one or to let it go."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.wording import tr


class CompareStrip(QFrame):
    """Shows a title; hidden while nothing is pinned."""

    swap_requested = Signal()
    unpin_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compareStrip")
        set_role(self, "card")
        self._label = ElidedLabel()
        self._label.setObjectName("compareTitle")
        self.swap_button = IconButton("shuffle", tr("Swap pinned and selected (X)"), side=24)
        self.swap_button.setObjectName("compareSwap")
        self.swap_button.clicked.connect(self.swap_requested)
        close = IconButton("close", tr("Stop comparing (P)"), side=24)
        close.setObjectName("compareEnd")
        close.clicked.connect(self.unpin_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 3, 6, 3)
        row.setSpacing(4)
        row.addWidget(self._label, 1)
        row.addWidget(self.swap_button)
        row.addWidget(close)
        self.hide()

    def set_pinned(self, title: str | None, *, is_selected: bool = False) -> None:
        """Say what is pinned; None hides the line."""
        self.setVisible(title is not None)
        if title is None:
            return
        hint = (
            tr("Pinned: {}. Select another memory to compare.") if is_selected else tr("Pinned: {}")
        )
        self._label.setText(hint.format(title))
        self.setAccessibleName(self._label.text())
        self.swap_button.setEnabled(not is_selected)
