"""The handles in the table of sources can be dragged, as the slider's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRectF, Qt

from mvdesk.ui.models.source_columns import SourceColumn
from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.trust_slider import NEUTRAL

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from mvdesk.ui.models.source_delegate import SourceDelegate
    from mvdesk.ui.models.source_table import SourceTableModel
    from mvdesk.ui.panels.source_detail import SourceDetail
    from mvdesk.ui.widgets.table_view import TableView

_REACH_PX: Final = 9
"""How far from its middle a handle is taken; elsewhere a press only chooses the row."""


class SourceTracks(QObject):
    """Hands a drag in the table on to the slider of the source: one place decides what it does."""

    def __init__(
        self,
        table: TableView,
        model: SourceTableModel,
        delegate: SourceDelegate,
        detail: SourceDetail,
    ) -> None:
        super().__init__(table)
        self._table, self._model = table, model
        self._delegate, self._detail = delegate, detail
        self._held: tuple[str, float] | None = None  # whose handle; pointer minus its middle
        table.installEventFilter(self)
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is not self._table:
            mouse = cast("QMouseEvent", event)
            if kind == QEvent.Type.MouseButtonPress:
                return mouse.button() == Qt.MouseButton.LeftButton and self._take(mouse.position())
            if kind == QEvent.Type.MouseMove:
                return self._pull(mouse) if self._held else self._point(mouse.position())
            if kind == QEvent.Type.MouseButtonRelease and self._held:
                self._let_go()
                return True
        elif self._held and kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            if cast("QKeyEvent", event).key() == Qt.Key.Key_Escape:
                event.accept()  # not the window's, which would end the whole preview
                if kind == QEvent.Type.KeyPress:
                    self._held = None
                    self._detail.control.slider.cancel_drag()
                return True
        elif self._held and kind in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            self._let_go()
        return super().eventFilter(watched, event)

    def _take(self, spot: QPointF) -> bool:
        index = self._table.indexAt(spot.toPoint())
        off = self._offset(index, spot)
        slider = self._detail.control.slider
        if off is None:
            return False
        self._table.setFocus(Qt.FocusReason.MouseFocusReason)
        self._table.setCurrentIndex(index)
        key = self._model.key(index.row())
        if key is None or key != self._detail.key or not slider.isEnabled():
            return False
        self._held = (key, off)
        slider.start_drag()
        return True

    def _pull(self, event: QMouseEvent) -> bool:
        assert self._held is not None
        key, off = self._held
        index = self._table.currentIndex().siblingAtColumn(SourceColumn.TRUST)
        groove = self._groove(index)
        if groove is None or key != self._detail.key or self._model.key(index.row()) != key:
            self._let_go()  # the rows have become others meanwhile
        else:
            trust = (event.position().x() - off - groove.left()) / groove.width()
            exact = event.modifiers() & Qt.KeyboardModifier.AltModifier
            self._detail.control.slider.drag_to(trust, exact=bool(exact))
        return True

    def _point(self, spot: QPointF) -> bool:
        grabs = self._offset(self._table.indexAt(spot.toPoint()), spot) is not None
        shape = Qt.CursorShape.SplitHCursor if grabs else Qt.CursorShape.ArrowCursor
        self._table.viewport().setCursor(shape)
        return False

    def _let_go(self) -> None:
        self._held = None
        self._detail.control.slider.end_drag()

    def _groove(self, index: QModelIndex) -> QRectF | None:
        if not index.isValid() or index.column() != SourceColumn.TRUST:
            return None
        row = self._model.source_row(index.row())
        return self._delegate.groove(row, self._table.visualRect(index))

    def _offset(self, index: QModelIndex, spot: QPointF) -> float | None:
        """How far a point is from the middle of a handle, None for out of its reach."""
        groove = self._groove(index)
        if groove is None:
            return None
        trust = self._model.trust(self._model.source_row(index.row()))
        off = spot.x() - groove.left() - groove.width() * (NEUTRAL if trust is None else trust)
        return off if abs(off) <= applied().px(_REACH_PX) else None
