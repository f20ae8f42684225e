"""A table in which many rows can be selected, of which it says only how the person did it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QDrag, QKeySequence

from mvdesk.ui.widgets.table_view import TableView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QKeyEvent,
        QMouseEvent,
    )
    from PySide6.QtWidgets import QWidget

SELECTED_ROLE: Final = Qt.ItemDataRole.UserRole + 5
"""Whether the owner counts a row as selected."""

DRAGGED: Final = "application/x-mvdesk-memories"

_MOVES: Final = frozenset(
    {
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
    }
)
_PRESSES: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})
_ONLY: Final = (
    QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
)


class SelectingTable(TableView):
    """Keeps one current row, as every table; which rows are selected besides is its owner's.

    Qt's own selection of ten thousand scattered rows takes longer to sort than the rows.
    """

    selection_asked = Signal(str, int)  # how ("only", "toggle", "range", "add", "move"), row
    all_asked = Signal()
    clear_asked = Signal()
    dropped = Signal(object, int)  # ids of memories, row
    fold_asked = Signal(str, int)  # "open", "close", "toggle"; row
    delete_asked = Signal()
    copy_asked = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, *, compact: bool = False) -> None:
        super().__init__(name, parent, compact=compact)
        self._is_asking = False  # what happens to the current row is said in a signal
        self._find_dragged: Callable[[int], Sequence[str]] = _no_ids
        self._waiting = -1  # a selected row that was pressed: selected alone unless it is dragged

    @property
    def is_asking(self) -> bool:
        """Whether a key or click is being handled, whose outcome `selection_asked` tells."""
        return self._is_asking

    def selectionCommand(
        self, index: QModelIndex | QPersistentModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        return _ONLY

    def is_row_selected(self, row: int) -> bool:
        """Whether the owner counts a row as selected."""
        model = self.model()
        return model is not None and bool(model.index(row, 0).data(SELECTED_ROLE))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(round(event.position().y()))
        self._waiting = -1
        how = _how(event.modifiers())
        if event.button() == Qt.MouseButton.RightButton and self.is_row_selected(row):
            how = "move"  # its menu is about all that is selected
        elif how == "only" and self.is_row_selected(row) and self.dragEnabled():
            how, self._waiting = "move", row
        self._is_asking = True
        try:
            super().mousePressEvent(event)
        finally:
            self._is_asking = False
        usual = (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton)
        if row >= 0 and event.button() in usual:
            self.selection_asked.emit(how, row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        waiting, self._waiting = self._waiting, -1
        super().mouseReleaseEvent(event)
        if waiting >= 0 and waiting == self.rowAt(round(event.position().y())):
            self.selection_asked.emit("only", waiting)

    # Dragging rows onto one another.

    def set_dragged(self, find_ids: Callable[[int], Sequence[str]]) -> None:
        """Let rows be dragged; `find_ids` gives the ids that go along with a row."""
        self._find_dragged = find_ids
        self.setDragEnabled(True)
        self.setAcceptDrops(True)

    def startDrag(self, _actions: Qt.DropAction) -> None:
        self._waiting = -1
        ids = self._find_dragged(self.currentIndex().row())
        if ids:
            drag = QDrag(self)
            drag.setMimeData(make_dragged(ids))
            drag.exec(Qt.DropAction.LinkAction)
        self._hover(-1)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dragged_ids(event.mimeData()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        row = self.rowAt(round(event.position().y()))
        ids = dragged_ids(event.mimeData())
        self._hover(row if ids else -1)
        event.setAccepted(bool(ids) and self._takes(row))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._hover(-1)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        row, ids = self.rowAt(round(event.position().y())), dragged_ids(event.mimeData())
        self._hover(-1)
        if ids and self._takes(row):
            event.acceptProposedAction()
            self.dropped.emit(ids, row)

    def _takes(self, row: int) -> bool:
        model = self.model()
        if row < 0 or model is None:
            return False
        return bool(model.index(row, 0).flags() & Qt.ItemFlag.ItemIsDropEnabled)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        row = self.currentIndex().row()
        if control and key == Qt.Key.Key_A:
            self.all_asked.emit()
        elif control and key == Qt.Key.Key_Space:
            self.selection_asked.emit("toggle", row)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
        elif key == Qt.Key.Key_Escape and not modifiers:
            self.clear_asked.emit()
            event.ignore()
            return
        elif key == Qt.Key.Key_Delete and not modifiers:
            self.delete_asked.emit()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and not modifiers:
            self.fold_asked.emit("close" if key == Qt.Key.Key_Left else "open", row)
        else:
            if key in _PRESSES and not modifiers:
                self.fold_asked.emit("toggle", row)
            self._pass_key(event, _how(modifiers) if key in _MOVES else "only")
            return
        event.accept()

    def keyboardSearch(self, _text: str) -> None:
        """Nothing: letters are keys of actions here, and Qt would ask for every row."""

    def _pass_key(self, event: QKeyEvent, how: str) -> None:
        before = self.currentIndex().row()
        self._is_asking = True
        try:
            super().keyPressEvent(event)
        finally:
            self._is_asking = False
        row = self.currentIndex().row()
        if row != before or (Qt.Key(event.key()) in _MOVES and how in ("only", "range", "add")):
            self.selection_asked.emit("move" if how == "toggle" else how, row)


def _no_ids(_row: int) -> Sequence[str]:
    return ()


def make_dragged(ids: Sequence[str]) -> QMimeData:
    """Ids as they are dragged."""
    data = QMimeData()
    data.setData(DRAGGED, "\n".join(ids).encode())
    return data


def dragged_ids(data: QMimeData) -> list[str]:
    """What `make_dragged` packed; none for anything else."""
    if not data.hasFormat(DRAGGED):
        return []
    return bytes(data.data(DRAGGED).data()).decode("utf-8", "replace").split("\n")


def _how(modifiers: Qt.KeyboardModifier) -> str:
    control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return "add" if control else "range"
    return "toggle" if control else "only"
