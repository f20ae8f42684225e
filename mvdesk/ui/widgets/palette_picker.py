"""A line to type in and whatever it finds: actions with their keys, memories, sources, tags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QStandardItem
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from mvdesk.ui.theme import applied, icon
from mvdesk.ui.widgets.memory_picker import ID_ROLE, MemoryPicker
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from mvdesk.ui.theme import Look

Kind = Literal["action", "setting", "help", "memory", "source", "tag"]

_ENTRY: Final = Qt.ItemDataRole.UserRole + 3
_ROW_PX: Final = 32
_SIDE_PX: Final = 12
_ICON_PX: Final = 16
_ICONS: Final[dict[Kind, str]] = {
    "action": "chevron-right",
    "setting": "settings",
    "help": "help",
    "memory": "memories",
    "source": "sources",
    "tag": "bookmark",
}


_KINDS: Final[dict[Kind, str]] = {
    "action": tr("action"),
    "setting": tr("setting"),
    "help": tr("help"),
    "memory": tr("memory"),
    "source": tr("source"),
    "tag": tr("tag"),
}


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One thing to choose. `name` tells it from all others.

    `detail` stands quietly beside the title, `key` is its shortcut as shown. `reason` says why
    it can't be chosen now, "" where it can.
    """

    name: str
    kind: Kind
    title: str
    detail: str = ""
    key: str = ""
    reason: str = ""


class PalettePicker(MemoryPicker):
    """`picked` and `current_changed` carry the names of entries."""

    left = Signal()  # Escape was pressed

    def __init__(self, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(hint, parent)
        self._list.setAccessibleName(tr("Found"))
        self._list.setItemDelegate(_EntryPainter(self._list))

    def set_entries(self, entries: Sequence[PaletteEntry], said: str) -> None:
        """Show these, the first one chosen; `said` is the line above them."""
        self._model.clear()
        for entry in entries:
            item = QStandardItem(entry.title)
            item.setData(entry.name, ID_ROLE)
            item.setData(entry, _ENTRY)
            parts = (entry.title, _KINDS[entry.kind], entry.detail, entry.key, entry.reason)
            told = ", ".join(part for part in parts if part)
            item.setAccessibleText(told)
            item.setToolTip("\n".join(part for part in (entry.title, *parts[2:]) if part))
            self._model.appendRow(item)
        self.say(said)
        if entries:
            self._list.setCurrentIndex(self._model.index(0, 0))
        self.current_changed.emit(self.picked_id)
        self.field.setAccessibleDescription(
            tr(
                "{entries} found, {current_title}",
                entries=len(entries),
                current_title=self._current_title(),
            )
            if entries
            else said
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress:
            key: QKeyEvent = event  # type: ignore[assignment]
            if key.key() == Qt.Key.Key_Escape:  # the field would only empty itself
                self.left.emit()
                return True
        return super().eventFilter(watched, event)

    def say(self, text: str) -> None:
        """The line above what was found."""
        self._said.setText(text)
        self._said.setVisible(bool(text))

    def _current_title(self) -> str:
        index = self._list.currentIndex()
        return str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")


class _EntryPainter(QStyledItemDelegate):
    """A mark for the kind, the title, what is to be said of it, the key in a frame."""

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
        entry: PaletteEntry = index.data(_ENTRY)
        look, view, rect = applied(), option.widget, QRect(option.rect)
        if isinstance(view, QListView) and index == view.currentIndex():
            painter.fillRect(rect, look.color("selection_tint"))
            painter.fillRect(
                rect.left(), rect.top(), look.px(3), rect.height(), look.color("accent")
            )
        room = rect.adjusted(look.px(_SIDE_PX), 0, -look.px(_SIDE_PX), 0)
        side = look.px(_ICON_PX)
        mark = QRect(room.left(), room.center().y() - side // 2, side, side)
        icon(_ICONS[entry.kind], look.tokens).paint(painter, mark)
        room.setLeft(mark.right() + look.px(10))
        if entry.key:
            room.setRight(_draw_key(painter, entry.key, room, look) - look.px(10))
        _draw_texts(painter, entry, room, look)


def _draw_texts(painter: QPainter, entry: PaletteEntry, room: QRect, look: Look) -> None:
    """The title, and at the right why not, or the detail."""
    middle = Qt.AlignmentFlag.AlignVCenter
    quiet = entry.reason or entry.detail
    painter.setFont(look.font("caption"))
    metrics = painter.fontMetrics()
    width = min(metrics.horizontalAdvance(quiet) + look.px(2), room.width() // 2)
    painter.setPen(look.color("text_secondary"))
    elided = metrics.elidedText(quiet, Qt.TextElideMode.ElideRight, width)
    painter.drawText(room, middle | Qt.AlignmentFlag.AlignRight, elided)
    painter.setFont(look.font("body"))
    painter.setPen(look.color("text_muted" if entry.reason else "text"))
    left = room.adjusted(0, 0, -(width + look.px(_SIDE_PX) if quiet else 0), 0)
    title = painter.fontMetrics().elidedText(entry.title, Qt.TextElideMode.ElideRight, left.width())
    painter.drawText(left, middle | Qt.AlignmentFlag.AlignLeft, title)


def _draw_key(painter: QPainter, key: str, room: QRect, look: Look) -> int:
    """The key at the right of the room; gives where its frame begins, in px."""
    painter.setFont(look.font("caption"))
    metrics = painter.fontMetrics()
    width = metrics.horizontalAdvance(key) + look.px(12)
    height = metrics.height() + look.px(4)
    frame = QRect(room.right() - width, room.center().y() - height // 2, width, height)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(look.color("control_border"), 1))
    painter.drawRoundedRect(frame.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    painter.restore()
    painter.setPen(look.color("text_secondary"))
    painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, key)
    return frame.left()
