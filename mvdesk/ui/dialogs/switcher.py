"""Going to a memory, or choosing one, by a few letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout

from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.memory_picker import MemoryPicker
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_SIZE: Final = QSize(560, 420)
_TITLE: Final = tr("Go to a memory")
_HINT: Final = tr("Go to a memory: letters of its title or key, an id, a link")


class Switcher(QDialog):
    """A picker at the top of the window; Escape closes it."""

    picked = Signal(str)  # the id of a memory

    def __init__(self, parent: QWidget, *, title: str = _TITLE, hint: str = _HINT) -> None:
        super().__init__(parent)
        self.setObjectName("memorySwitcher")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        look = applied()
        self.picker = MemoryPicker(hint)
        self.picker.picked.connect(self._on_picked)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[look.px(12)] * 4)
        column.addWidget(self.picker)
        wanted = QSize(look.px(_SIZE.width()), look.px(_SIZE.height()))
        self.resize(wanted.boundedTo(parent.size() * 0.9))
        left = (parent.width() - self.width()) // 2
        self.move(parent.mapToGlobal(QPoint(max(left, 0), look.px(56))))
        self.picker.setFocus()

    @Slot(str)
    def _on_picked(self, memory_id: str) -> None:
        self.picked.emit(memory_id)
        self.accept()
