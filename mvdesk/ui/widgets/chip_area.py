"""A few lines of chips: more of them scroll, so that what is below keeps its room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.flow_layout import FlowLayout

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

MOST_LINES: Final = 2
_LINE_PX: Final = 26
_GAP_PX: Final = 6


class ChipArea(QScrollArea):
    """Holds widgets in a flow, `flow`; call `fit` when some came, went or changed."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        inside = QWidget()
        set_role(inside, "surface")
        self.flow = FlowLayout(inside, gap=_GAP_PX)
        self.setWidget(inside)

    def fit(self) -> None:
        """As high as the chips, up to two lines."""
        self.flow.invalidate()
        width = max(self.viewport().width(), 1)
        most = MOST_LINES * (applied().px(_LINE_PX) + _GAP_PX)
        self.setFixedHeight(min(self.flow.heightForWidth(width), most))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.fit()
