"""Things to choose from while somebody types, under the field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

_DETAIL: Final = Qt.ItemDataRole.UserRole + 1
_ROW_PX: Final = 28
_SIDE_PX: Final = 10
_LEAST_WIDTH_PX: Final = 240
MOST_ROWS: Final = 9


@dataclass(frozen=True, slots=True)
class Offer:
    """One line: `text` in plain, `detail` more quietly beside it.

    Choosing it puts `insert` in the place of the field's text from `start` to `end`. `name` is
    for whoever made it.
    """

    text: str
    detail: str
    insert: str
    start: int
    end: int
    name: str = ""


class OfferList(QFrame):
    """A list over the other widgets of the window. The keyboard stays in the field."""

    chosen = Signal(object)  # Offer

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("offerList")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_role(self, "offers")
        self._offers: Sequence[Offer] = ()
        self._model = QStandardItemModel(self)
        self._list = QListView()
        self._list.setObjectName("offers")
        self._list.setAccessibleName(tr("Suggestions"))
        self._list.setModel(self._model)
        self._list.setItemDelegate(_OfferDelegate(self._list))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._list.setUniformItemSizes(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.clicked.connect(self._on_clicked)
        box = QVBoxLayout(self)
        box.setContentsMargins(4, 4, 4, 4)
        box.addWidget(self._list)
        self.hide()

    def set_offers(self, offers: Sequence[Offer], below: QWidget) -> None:
        """Show these under a widget, none of them chosen; nothing for none."""
        self._offers = offers
        self._model.clear()
        for offer in offers:
            item = QStandardItem(offer.text)
            item.setData(offer.detail, _DETAIL)
            item.setData(f"{offer.text}, {offer.detail}", Qt.ItemDataRole.AccessibleTextRole)
            self._model.appendRow(item)
        self.setVisible(bool(offers))
        if offers:
            self._place(below)
            self.raise_()

    def step(self, by: int) -> None:
        """Choose another line, round the ends."""
        count = self._model.rowCount()
        row = self._list.currentIndex().row()
        row = (row + by) % count if row >= 0 else (0 if by > 0 else count - 1)
        self._list.setCurrentIndex(self._model.index(row, 0))

    @property
    def current(self) -> Offer | None:
        """The chosen line."""
        row = self._list.currentIndex().row()
        return self._offers[row] if 0 <= row < len(self._offers) else None

    @property
    def offers(self) -> Sequence[Offer]:
        """All lines."""
        return self._offers

    def _place(self, below: QWidget) -> None:
        look, window = applied(), self.window()
        rows = min(len(self._offers), MOST_ROWS)
        metrics = QFontMetrics(look.font("body"))
        widest = max(
            metrics.horizontalAdvance(offer.text) + metrics.horizontalAdvance(offer.detail)
            for offer in self._offers
        )
        wanted = max(below.width(), widest + look.px(7 * _SIDE_PX), look.px(_LEAST_WIDTH_PX))
        corner = below.mapTo(window, QPoint(0, below.height() + 2))
        width = min(wanted, window.width() - corner.x() - 4)
        height = min(rows * look.px(_ROW_PX) + 10, window.height() - corner.y() - 4)
        self.setGeometry(QRect(corner, QSize(width, height)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event):
            self.hide()

    def _on_clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(self._offers[index.row()])


class _OfferDelegate(QStyledItemDelegate):
    """The text at the left, the detail at the right as far as there is room."""

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
        look = applied()
        view = self.parent()
        assert isinstance(view, QListView)
        rect: QRect = option.rect
        is_current = view.currentIndex().row() == index.row()
        if is_current:
            painter.fillRect(rect, look.color("selection_tint"))
        side = look.px(_SIDE_PX)
        room = rect.adjusted(side, 0, -side, 0)
        painter.setFont(look.font("body"))
        metrics = painter.fontMetrics()
        text = metrics.elidedText(
            str(index.data()), Qt.TextElideMode.ElideMiddle, round(room.width() * 0.7)
        )
        painter.setPen(look.color("text"))
        at = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, int(at | Qt.AlignmentFlag.AlignLeft), text)
        left = room.left() + metrics.horizontalAdvance(text) + 2 * side
        beside = QRect(left, room.top(), room.right() - left, room.height())
        detail = metrics.elidedText(
            str(index.data(_DETAIL) or ""), Qt.TextElideMode.ElideRight, beside.width()
        )
        painter.setPen(QColor(look.color("text_secondary" if is_current else "text_muted")))
        painter.drawText(beside, int(at | Qt.AlignmentFlag.AlignRight), detail)
