"""Looks for words in the titles of what the graph shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.wording import tr

if TYPE_CHECKING:
    from mvdesk.ui.plots.graph_picture import GraphPicture
    from mvdesk.ui.plots.graph_scene import GraphView


def find_hits(picture: GraphPicture, text: str) -> list[str]:
    """Ids of the memories whose title has every word, in the picture's order."""
    words = text.casefold().split()
    return [
        memory_id
        for memory_id, label in zip(picture.ids, picture.labels, strict=True)
        if words and all(word in label.casefold() for word in words)
    ]


class GraphSearch(QWidget):
    """A field; what isn't found is dimmed, Enter goes from hit to hit, Shift+Enter back."""

    def __init__(self, view: GraphView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("graphSearch")
        self._view = view
        self._hits: list[str] = []
        self._field = SearchField(tr("Find in the graph"))
        self._field.setObjectName("graphSearchField")
        self._field.textChanged.connect(self.refresh)
        self._field.leave_requested.connect(self.leave)
        self._field.installEventFilter(self)
        self._count = QLabel()
        self._count.setObjectName("graphSearchCount")
        set_role(self._count, "secondary")
        close = IconButton("close", tr("Close the search in the graph (Esc)"))
        close.clicked.connect(self.leave)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.addWidget(self._field, 1)
        row.addWidget(self._count)
        row.addWidget(close)
        self.hide()

    def start(self) -> None:
        """Open the field."""
        self.show()
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._field.selectAll()
        self.refresh()

    @Slot()
    def leave(self) -> None:
        """Close it and dim nothing; the focus goes back to the graph."""
        self.hide()
        self._view.set_found(None)
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def refresh(self) -> None:
        """Look again: other words, or another picture."""
        text = self._field.text()
        if self.isHidden():
            return
        self._hits = find_hits(self._view.picture, text)
        self._view.set_found(frozenset(self._hits) if text.strip() else None)
        self._show_count()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        enter = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        is_press = event.type() == QEvent.Type.KeyPress
        if is_press and isinstance(event, QKeyEvent) and event.key() in enter:
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._go(-1 if back else 1)
            return True
        return super().eventFilter(watched, event)

    def _go(self, by: int) -> None:
        if self._hits:
            current = self._view.current_id
            at = self._hits.index(current) + by if current in self._hits else (0 if by > 0 else -1)
            self._view.go_to(self._hits[at % len(self._hits)])
            self._show_count()

    def _show_count(self) -> None:
        count, current = len(self._hits), self._view.current_id
        if not self._field.text().strip():
            said = ""
        elif current in self._hits:
            said = tr("{index:,} of {count:,}", index=self._hits.index(current) + 1, count=count)
        else:
            said = tr("{count:,} found", count=count) if count else tr("none found")
        self._count.setText(said)
        self._field.setAccessibleDescription(said)
