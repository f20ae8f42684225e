"""Layouts brought to rest at once, so that what they hold is painted once and in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from PySide6.QtWidgets import QScrollArea, QWidget


def settle_layouts(area: QScrollArea, *parts: QWidget) -> None:
    """Lay out what a scroll area shows, after the heights of `parts` in it (inner ones first).

    Left to itself Qt asks one parent in every turn of the event loop, and paints in between.
    """
    content = area.widget()
    if content is None or not area.isVisible():
        return
    layouts = [layout for widget in (*parts, content) if (layout := widget.layout()) is not None]
    if any([layout.activate() for layout in layouts]):  # noqa: C419  every one of them
        QApplication.sendEvent(area.viewport(), QEvent(QEvent.Type.LayoutRequest))
