"""Where a graph is looked at from: what part of the plane is seen, and where that is on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, QTimer
from PySide6.QtWidgets import QSizePolicy, QWidget

from mvdesk.ui.plots.graph_bulk import BULK_FROM
from mvdesk.ui.plots.graph_fit import compute_fit
from mvdesk.ui.plots.graph_picture import GraphPicture, find_node_at, find_radii
from mvdesk.ui.plots.plot_view import PlotView

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QResizeEvent

    from mvdesk.arrays import FloatArray

_LARGEST_ZOOM: Final = 4.0
_SMALLEST_ZOOM: Final = 0.08
_REST_AFTER_MS: Final = 140
_CALM_FROM: Final = 40  # nodes from which labels are placed anew once the picture rests
_TINY_FROM: Final = 3_000  # nodes of which even the smallest sign may be a dot


class GraphViewport(PlotView):
    """Fits, moves and magnifies a picture. Subclasses paint it, and call `_arrange` on a resize."""

    _arranging = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = GraphPicture.empty()
        self._radii = find_radii(self._picture.importance)
        self._fitted = True
        self._part: QRectF | None = None  # what alone is to be seen, at any size of the view
        self._places = np.empty((0, 2))
        self._stretch = np.ones(2)
        self._zoom_before = 1.0  # at the last painting

        # No PlotItem: its menus are windows of their own, and one is never freed.
        self._view_box = pg.ViewBox(self._canvas, lockAspect=1.0, invertY=True, enableMenu=False)
        self._view_box.disableAutoRange()
        self._view_box.sigRangeChanged.connect(self._on_range_changed)
        self._view_box.sigRangeChangedManually.connect(self._on_moved_by_hand)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_AFTER_MS)
        self._rest.timeout.connect(self._repaint)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    # In

    def fit(self) -> None:
        """Show all nodes, as large as they fit."""
        self._fitted = True
        self._fit_range()

    def show_only(self, part: QRectF, stretch: FloatArray) -> None:
        """Show a part of the stretched plane, as much around it as the view's shape asks for."""
        self._fitted, self._part = False, part
        self._stretch = stretch
        self._view_box.setRange(part, padding=0)

    def scroll_by(self, across: float, down: float) -> None:
        """Move the view over the picture, in px."""
        self._fitted = False
        self._view_box.translateBy(x=across / self.zoom, y=down / self.zoom)

    def zoom_by(self, share: float) -> None:
        """Show that share of what is seen, around the middle: less than 1 comes nearer."""
        self._fitted = False
        self._view_box.scaleBy([share] * 2)

    def centre_on(self, x: float, y: float) -> None:
        """Bring a point of the stretched plane to the middle."""
        rect = self._view_box.viewRect()
        self._fitted = False
        self._view_box.translateBy(x=x - rect.center().x(), y=y - rect.center().y())

    # Out

    @property
    def zoom(self) -> float:
        """Pixels on screen for one of the layout."""
        low, high = self._view_box.viewRange()[0]
        return float(self._view_box.width() / (high - low))

    def node_point(self, memory_id: str) -> QPoint:
        """Where a node is on this widget. Raises ValueError when it isn't in the picture."""
        x, y = self._places[self._picture.ids.index(memory_id)]
        return QPoint(round(x), round(y))

    def memory_at(self, where: QPoint) -> str | None:
        """The memory whose node is at a point of the viewport."""
        node = self._node_under(where)
        return None if node is None else self._picture.ids[node]

    def sizeHint(self) -> QSize:
        return QSize(480, 300)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 160)

    # Inside

    def _arrange(self) -> None:
        raise NotImplementedError

    @property
    def _is_bulk(self) -> bool:
        return len(self._picture) > BULK_FROM

    def _fit_range(self) -> None:
        if not len(self._picture):
            return
        width, height = self._view_box.width(), self._view_box.height()
        fit = compute_fit(self._picture.positions, self._radii, width, height, self._look.scale)
        self._stretch = fit.stretch
        self._view_box.setLimits(
            minXRange=width / _LARGEST_ZOOM, maxXRange=width / min(_SMALLEST_ZOOM, fit.zoom)
        )
        self._view_box.setRange(QRectF(fit.left, fit.top, fit.width, fit.height), padding=0)

    def _size(self) -> tuple[float, float]:
        """Width and height of the picture's part of the view, in px."""
        return self._view_box.width(), self._view_box.height()

    def _project(self) -> tuple[FloatArray, FloatArray]:
        """Nodes' places and radii in px of the view."""
        (left, _), (top, _) = self._view_box.viewRange()
        zoom = self.zoom
        places = (self._picture.positions * self._stretch - np.array([left, top])) * zoom
        count = len(places)
        least = 0.25 if count <= BULK_FROM else 0.17 if count < _TINY_FROM else 0.12
        return places, self._radii * min(max(zoom, least), 1.6)

    def _show_node(self, node: int) -> None:
        """Pan as far as needed to bring a node into the view."""
        margin = 32.0
        x, y = self._places[node].tolist()
        width, height = self._view_box.width(), self._view_box.height()
        dx = min(x - margin, 0.0) + max(x - width + margin, 0.0)
        dy = min(y - margin, 0.0) + max(y - height + margin, 0.0)
        if dx or dy:
            self.scroll_by(dx, dy)

    def _node_under(self, where: QPoint | QPointF) -> int | None:
        if where.y() >= self._view_box.height() or not len(self._places):
            return None
        _, radii = self._project()
        return find_node_at(self._places, radii, float(where.x()), float(where.y()))

    def _on_range_changed(self) -> None:
        if self._made and not self._arranging:
            if len(self._picture) > _CALM_FROM:
                self._rest.start()
            self._repaint()

    def _on_moved_by_hand(self) -> None:
        self._fitted = False

    # Qt's events

    def hideEvent(self, event: QHideEvent) -> None:
        self._rest.stop()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None and self._made:
            self._arrange()
