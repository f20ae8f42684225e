"""A line to type in and the memories that it finds, to pick one of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QLabel, QListView, QStyledItemDelegate, QVBoxLayout, QWidget

from mvdesk.ui.theme import applied, set_role
from mvdesk.ui.widgets.search_field import SearchField
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

ID_ROLE: Final = Qt.ItemDataRole.UserRole + 1
DETAIL_ROLE: Final = Qt.ItemDataRole.UserRole + 2
_ROW_PX: Final = 30
_STEPS: Final = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -8,
    Qt.Key.Key_PageDown: 8,
}


class MemoryPicker(QWidget):
    """The keyboard stays in the line: arrows go through what was found, Enter picks it."""

    text_edited = Signal(str)
    picked = Signal(str)  # the id of a memory
    current_changed = Signal(str)  # the id that Enter would pick, "" for none

    def __init__(self, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = SearchField(hint)
        self.field.setObjectName("pickerField")
        self.field.setAccessibleName(hint)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self.text_edited)
        self._model = QStandardItemModel(self)
        self._list = QListView()
        self._list.setObjectName("pickerList")
        self._list.setAccessibleName(tr("Memories found"))
        self._list.setModel(self._model)
        self._list.setUniformItemSizes(True)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._list.setItemDelegate(_RowPainter(self._list))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.clicked.connect(self._on_clicked)
        self._said = QLabel()
        self._said.setObjectName("pickerSaid")
        self._said.setWordWrap(True)
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._said, "mutedCaption")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.field)
        column.addWidget(self._said)
        column.addWidget(self._list, 1)
        self.setFocusProxy(self.field)

    @property
    def picked_id(self) -> str:
        """The memory that Enter would pick, "" for none."""
        index = self._list.currentIndex()
        return str(index.data(ID_ROLE)) if index.isValid() else ""

    def set_found(self, found: Sequence[tuple[str, str, str]], said: str = "") -> None:
        """Show what was found as (id, title, detail); `said` is a line above it."""
        self._model.clear()
        for memory_id, title, detail in found:
            item = QStandardItem(" ".join(title.split()))
            item.setData(memory_id, ID_ROLE)
            item.setData(detail, DETAIL_ROLE)
            item.setToolTip(f"{title}\n{detail}" if detail else title)
            item.setAccessibleText(f"{title}, {detail}" if detail else title)
            self._model.appendRow(item)
        self._said.setText(said)
        self._said.setVisible(bool(said))
        if found:
            self._list.setCurrentIndex(self._model.index(0, 0))
        self.current_changed.emit(self.picked_id)
        self.field.setAccessibleDescription(
            said
            or tr(
                "{found} found, {current_title}",
                found=len(found),
                current_title=self._current_title(),
            )
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress:
            key: QKeyEvent = event  # type: ignore[assignment]
            if step := _STEPS.get(Qt.Key(key.key())):
                self._step(step)
                return True
            if key.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if self.picked_id:
                    self.picked.emit(self.picked_id)
                return True
        return super().eventFilter(watched, event)

    def _step(self, by: int) -> None:
        count = self._model.rowCount()
        if count:
            row = min(max(self._list.currentIndex().row() + by, 0), count - 1)
            self._list.setCurrentIndex(self._model.index(row, 0))
            self.field.setAccessibleDescription(self._current_title())
            self.current_changed.emit(self.picked_id)

    def _current_title(self) -> str:
        return str(self._list.currentIndex().data() or "")

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.current_changed.emit(self.picked_id)
        self.picked.emit(str(index.data(ID_ROLE)))


class _RowPainter(QStyledItemDelegate):
    """A title, and quieter at the right what tells it from others."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(100, applied().px(_ROW_PX))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        look, view = applied(), option.widget
        rect = option.rect
        current = isinstance(view, QListView) and index == view.currentIndex()
        if current:
            painter.fillRect(rect, look.color("selection_tint"))
            painter.fillRect(
                rect.left(), rect.top(), look.px(3), rect.height(), look.color("accent")
            )
        inside = rect.adjusted(look.px(12), 0, -look.px(12), 0)
        detail = str(index.data(DETAIL_ROLE) or "")
        painter.setFont(look.font("caption"))
        metrics = painter.fontMetrics()
        room = min(metrics.horizontalAdvance(detail) + look.px(2), inside.width() // 2)
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.setPen(look.color("text_secondary"))
        elided = metrics.elidedText(detail, Qt.TextElideMode.ElideRight, room)
        painter.drawText(inside, side, elided)
        painter.setFont(look.font("body"))
        painter.setPen(look.color("text"))
        left = inside.adjusted(0, 0, -(room + look.px(12) if detail else 0), 0)
        title = painter.fontMetrics().elidedText(
            str(index.data() or ""), Qt.TextElideMode.ElideRight, left.width()
        )
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)
