"""The command palette: a line over the window, and what it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout

from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.palette_picker import PalettePicker
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_SIZE: Final = QSize(680, 460)
_TOP_PX: Final = 56
_HINT: Final = tr("Type what you want to do, or where to go")


class PaletteDialog(QDialog):
    """A picker at the top of the window; Escape closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("paletteDialog")
        self.setWindowTitle(tr("Command palette"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        look = applied()
        self.picker = PalettePicker(_HINT)
        self.picker.left.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[look.px(12)] * 4)
        column.addWidget(self.picker)
        wanted = QSize(look.px(_SIZE.width()), look.px(_SIZE.height()))
        top = look.px(_TOP_PX)
        room = QSize(round(parent.width() * 0.9), parent.height() - top - look.px(12))
        self.resize(wanted.boundedTo(room))
        left = (parent.width() - self.width()) // 2
        self.move(parent.mapToGlobal(QPoint(max(left, 0), top)))
        self.picker.setFocus()
