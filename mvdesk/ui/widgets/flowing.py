"""Widgets in a line that wraps like words."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.flow_layout import FlowLayout


def flowing(
    *parts: QWidget, gap: int = 6, margins: tuple[int, int, int, int] = (0, 0, 0, 0)
) -> QWidget:
    """A widget as high as its parts need in its width; words stand as high as fields."""
    row = QWidget()
    flow = FlowLayout(row, gap=gap)
    flow.setContentsMargins(*margins)
    for part in parts:
        if isinstance(part, QLabel):
            part.setMinimumHeight(applied().px(28))
        flow.addWidget(part)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    row.setSizePolicy(policy)
    return row
