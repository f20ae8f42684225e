"""How the texts of two memories differ, as high as it takes up to a limit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.diff_view import DiffView
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from mvdesk.ui.widgets.diff_view import DiffPart

_HIGHEST_PX: Final = 320
_AIR_PX: Final = 4
_LEGEND: Final = tr("Underlined is only in the pinned memory, dotted only in the selected one.")
_SAME: Final = tr("Title, key, text, tags and source are the same.")


class CompareTexts(QWidget):
    """Shows the differences, or that there are none; hidden while nothing is compared."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compareTexts")
        title = QLabel(tr("How the texts differ"))
        set_role(title, "strong")
        self._legend = QLabel(_LEGEND)
        self._legend.setObjectName("compareLegend")
        self._legend.setWordWrap(True)
        set_role(self._legend, "mutedCaption")
        self._view = DiffView()
        self._view.setObjectName("compareDiff")
        self._view.setAccessibleName(tr("How the texts differ"))
        self._view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for part in (title, self._legend, self._view):
            column.addWidget(part)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.hide()

    def set_parts(self, parts: Sequence[DiffPart] | None) -> None:
        """Show differences, none for equal texts; None shows nothing at all."""
        self.setVisible(parts is not None)
        if parts is None:
            return
        self._legend.setText(_LEGEND if parts else _SAME)
        self._view.setVisible(bool(parts))
        self._view.set_parts(parts, style="pinned")
        self._fit()

    def sentences(self) -> list[str]:
        """What is said, a line each."""
        if self.isHidden():
            return []
        return self._view.sentences() or [self._legend.text()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self._fit()

    def _fit(self) -> None:
        """As high as the text is at this width, which is laid out again with a scroll bar."""
        inset = self._view.height() - self._view.viewport().height()
        wanted = self._view.document().size().height()
        height = min(math.ceil(wanted) + max(inset, 0) + _AIR_PX, applied().px(_HIGHEST_PX))
        if height != self._view.height():
            self._view.setFixedHeight(height)
